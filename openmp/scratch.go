package openmp

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/scop"
)

// This file prints arrays that the source does not have, and that are not in buffers of tiles: memory that the function of the region allocates.

// isMade reports whether a is one of them.
func (r *region) isMade(a *scop.Array) bool { return a.Scratch && r.prog.Buffer(a) == nil }

// withMade prints what runs inside, between the allocation of arrays that the source does not have and its end. Where there is no memory nothing can run, and the program stops.
func (r *region) withMade(inside func()) {
	var missing, frees []string
	for _, a := range r.Scop.Arrays {
		if !r.isMade(a) {
			continue
		}
		name, elem, size := r.Outer[a.Name], ctext.Pointed(a), "1"
		for _, e := range a.Extents {
			size += fmt.Sprintf(" * (__SIZE_TYPE__)(%s)", r.Expr(r.Scop.Sum(e, nil)))
		}
		r.Line("%s*const %s = (%s*)__builtin_malloc(%s * sizeof(*%s) + 1); // the source does not have it", elem, name, elem, size, name)
		missing, frees = append(missing, "!"+name), append(frees, name)
	}
	if missing == nil {
		inside()
		return
	}
	r.helpers["say"] = true
	r.Braces("if ("+strings.Join(missing, " || ")+")", func() {
		r.Line(`hexcc_say(2, "hexcc: no memory for an array that the source does not have\n");`)
		r.Line("__builtin_abort();")
	})
	inside()
	for _, name := range frees {
		r.Line("__builtin_free(%s);", name)
	}
}

package openmp

import (
	"fmt"

	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/ctext"
)

// This file prints the buffers of tiles that overlap: arrays that the function of a tile declares, if they are small, or else memory that each thread allocates
// before its first tile. In the function of a tile a buffer has the name of the array that it stands for, which is not there.

// scratch returns what the memory of b is called outside of tiles.
func (r *region) scratch(b *cpu.Buffer) string {
	return r.own("buffer", r.Outer[b.Array.Name]+"_tile")
}

// declareBuffers declares those buffers that the function of a tile uses, where they are not allocated.
func (r *region) declareBuffers() {
	if r.prog.Allocated() {
		return
	}
	for i := range r.prog.Buffers {
		b := &r.prog.Buffers[i]
		if name := r.Outer[b.Array.Name]; r.Uses[name] {
			r.Line("%s%s[%d] __attribute__((aligned(%d))); // %v", ctext.Pointed(b.Array), name, b.Bytes()/int64(b.Array.Elem.Size()), cacheLine, b)
		}
	}
}

// passBuffers adds those buffers that the function of a tile uses to its parameters and arguments, where they are allocated.
func (r *region) passBuffers(decls, args []string) ([]string, []string) {
	if !r.prog.Allocated() {
		return decls, args
	}
	for i := range r.prog.Buffers {
		b := &r.prog.Buffers[i]
		if name := r.Outer[b.Array.Name]; r.Uses[name] {
			decls, args = append(decls, fmt.Sprintf("%s*__restrict %s", ctext.Pointed(b.Array), name)), append(args, r.scratch(b))
		}
	}
	return decls, args
}

// allocated prints what each thread does, around memory for its buffers. Where there is no memory nothing can run, and the program stops.
func (r *region) allocated(inside func()) {
	r.helpers["say"] = true
	r.team(r.prog.Grain, "omp parallel")
	r.Braces("", func() {
		missing := ""
		for i := range r.prog.Buffers {
			b := &r.prog.Buffers[i]
			name, elem := r.scratch(b), ctext.Pointed(b.Array)
			r.Line("%s*const %s = (%s*)__builtin_malloc(%d); // %v", elem, name, elem, b.Bytes(), b)
			if missing != "" {
				missing += " || "
			}
			missing += "!" + name
		}
		r.Braces("if ("+missing+")", func() {
			r.Line(`hexcc_say(2, "hexcc: no memory for the buffers of tiles\n");`)
			r.Line("__builtin_abort();")
		})
		inside()
		for i := range r.prog.Buffers {
			r.Line("__builtin_free(%s);", r.scratch(&r.prog.Buffers[i]))
		}
	})
}

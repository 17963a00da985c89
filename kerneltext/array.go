package kerneltext

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file addresses arrays in global memory. An array of several dimensions
// is addressed through a macro, A_at(i0, i1), so that kernels read like the
// source; an array of one dimension is plain A[i].

// ref returns the element r.
func (k *printer) ref(r gpu.Ref) string {
	if r.Base != nil {
		return k.based(r)
	}
	index := make([]string, len(r.Index))
	for i, e := range r.Index {
		index[i] = k.Expr(e)
	}
	if r.Buffer != nil {
		k.Uses[r.Buffer.Name] = true
		return r.Buffer.Name + "[" + strings.Join(index, "][") + "]"
	}
	name := k.Outer[r.Array.Name]
	k.Uses[name] = true
	switch len(index) {
	case 0:
		return name + "[0]"
	case 1:
		return name + "[" + index[0] + "]"
	}
	for d := 1; d < len(r.Array.Extents); d++ {
		k.Expr(k.spelled.extent(k.Indexer, r.Array, d)) // notes the parameters
	}
	macro := k.spelled.Macro(r.Array)
	k.Uses[macro] = true
	return macro + "(" + strings.Join(index, ", ") + ")"
}

// Macro returns the name of the macro that addresses a, "" if it has one dimension at most.
func (s *Spelling) Macro(a *scop.Array) string { return s.macros[a] }

// Macros returns the definitions of the macros that uses names. Subscripts are
// multiplied in 64 bits unless the array is known to have fewer than 2^31 elements.
func (s *Spelling) Macros(uses map[string]bool) string {
	var b strings.Builder
	for _, a := range s.Scop.Arrays {
		name := s.Macro(a)
		if name == "" || !uses[name] {
			continue
		}
		fmt.Fprintf(&b, "// %s\n", s.declared(a.Elem, a.Name, a.Extents))
		fmt.Fprintf(&b, "#define %s(%s) %s[%s]\n", name, strings.Join(s.subscripts(a), ", "), s.Outer[a.Name], s.linear(a))
	}
	return b.String()
}

// subscripts returns the names of the macro's parameters.
func (s *Spelling) subscripts(a *scop.Array) []string {
	names := make([]string, len(a.Extents))
	for i := range names {
		names[i] = fmt.Sprintf("%s%d", s.subscript, i)
	}
	return names
}

// linear returns the number of the element with those subscripts.
func (s *Spelling) linear(a *scop.Array) string {
	x := ctext.NewIndexer(s.Spelling)
	text := ""
	for i, name := range s.subscripts(a) {
		operand := "(" + name + ")"
		if i == 0 {
			if !a.Small() {
				operand = "(long)" + operand
			}
			text = operand
			continue
		}
		if i > 1 {
			text = "(" + text + ")"
		}
		text = fmt.Sprintf("%s * %s + %s", text, x.Factor(s.extent(x, a, i)), operand)
	}
	return text
}

// ObjectDeclaration returns object o of a as C declares it: float A[2][n][n].
func (s *Spelling) ObjectDeclaration(a *scop.Array, o scop.Plane) string {
	return s.declared(a.Elem, o.Name, a.ObjectExtents())
}

func (s *Spelling) declared(elem scop.Type, name string, extents []scop.Affine) string {
	x := ctext.NewIndexer(s.Spelling)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", elem.InMemory(), s.Outer[name])
	for _, e := range extents {
		fmt.Fprintf(&b, "[%s]", x.Expr(x.Affine(e)))
	}
	return b.String()
}

// Undefine ends the macros that uses names: other text may have others of their names.
func (s *Spelling) Undefine(uses map[string]bool) string {
	text := ""
	for _, a := range s.Scop.Arrays {
		if name := s.Macro(a); uses[name] {
			text += "#undef " + name + "\n"
		}
	}
	return text
}

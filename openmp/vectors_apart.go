package openmp

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/scop"
)

// This file prints rows that start anywhere in a cache line, as those of buffers, in vectors whose operands are loaded by themselves. Each is loaded once for all
// rows side by side, before anything is stored.

// vectorsApart returns the text of such rows.
func (p *point) vectorsApart(g cpu.Group) *vectors {
	v := &vectors{Vectors: g.Vectors}
	names := map[string]string{} // of what is loaded, by element
	var loads, lines, stores []string
	for row := range g.Size {
		p.shift(row)
		body, last := p.actions(row, g.Size, p.vectorForm(v, row, func(a *scop.Access) string {
			element := p.ref(a)
			if names[element] == "" {
				names[element] = p.numbered("x", len(names))
				loads = append(loads, v.constant(names[element], v.load("&"+element)))
			}
			return names[element]
		}))
		lines, stores = append(lines, body...), append(stores, last...)
	}
	p.shift(0)
	v.body = slices.Concat(loads, lines, stores)
	return v
}

// rowApart prints the innermost loop of a group from lo to hi: as many vectors as there are, of which the last one has points in common with the one before where points
// may run twice, else the rest point by point, as all of a row that is shorter than a vector.
func (p *point) rowApart(g group, lo, hi string) {
	v := g.vectors
	p.Line("const %v %s = %s;", p.Index, p.stop, hi)
	p.Line("%v %s = %s;", p.Index, p.start, lo)
	p.Raw("#if HEXCC_VECTORS\n")
	if v.Repeat {
		p.Line("if (%s - %s >= %d) {", p.stop, p.start, v.Lanes-1)
		p.Depth++
		p.Braces(fmt.Sprintf("for (; %s <= %s; %s += %d)", p.start, p.stop, p.start, v.Lanes), func() {
			p.vector(p.Expr(affine.MinOf(affine.Var(p.start), affine.Var(p.stop).Add(1-v.Lanes))), v.body)
		})
		p.Depth--
		p.Line("} else")
		p.Raw("#endif\n")
		p.Braces("", func() { p.plain(g, p.start, p.stop) })
		return
	}
	p.Braces(fmt.Sprintf("for (; %s <= %s - %d; %s += %d)", p.start, p.stop, v.Lanes-1, p.start, v.Lanes), func() {
		p.vector(p.start, v.body)
	})
	p.Raw("#endif\n")
	p.plain(g, p.start, p.stop)
}

package astgen

import "github.com/hexcc/hexcc/scop"

// Subscripts returns the subscripts of acc, of the statement of s, at the instances of s: over
// tile indices, local coordinates and parameters.
func (s Slice) Subscripts(p *scop.Program, acc *scop.Access) []Expr {
	var es []Expr
	for _, ix := range acc.Index {
		x := Affine(p, ix.Affine, s.Iters)
		if ix.Mod > 0 {
			es = append(es, Modulo(x, ix.Mod))
		} else {
			es = append(es, x)
		}
	}
	return es
}

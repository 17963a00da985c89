package astgen

import (
	"github.com/hexcc/hexcc/scop"

	"github.com/hexcc/hexcc/affine"
)

// Subscripts returns the subscripts of acc, of the statement of s, at the instances of s: over
// tile indices, local coordinates and parameters.
func (s Slice) Subscripts(p *scop.Program, acc *scop.Access) []affine.Expr {
	var es []affine.Expr
	for _, ix := range acc.Index {
		x := p.Sum(ix.Affine, s.Iters)
		if ix.Mod > 0 {
			es = append(es, affine.Modulo(x, ix.Mod))
		} else {
			es = append(es, x)
		}
	}
	return es
}

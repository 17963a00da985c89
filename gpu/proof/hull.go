package proof

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/poly"
)

// maxAlternatives is the number of alternatives of a gate above which its hull is taken. Loops over tiles whose bounds are the least and the greatest of
// many terms each, one inside of the other, have hundreds of thousands.
const maxAlternatives = 200

// hull returns one alternative that holds wherever one of the gate's holds, if the gate has many: constraints of some of these, each made so weak that the
// others meet it. What holds there holds at the gate.
func hull(g astgen.Gate) astgen.Gate {
	if len(g) <= maxAlternatives {
		return g
	}
	var names []string
	seen := map[string]bool{}
	var any []poly.Formula
	for _, rows := range g {
		var all []poly.Formula
		for _, r := range rows {
			for _, t := range r.Terms {
				if !seen[t.Var] {
					seen[t.Var] = true
					names = append(names, t.Var)
				}
			}
			all = append(all, poly.AtMost(affine.Num(0), r))
		}
		any = append(any, poly.And(all...))
	}
	var rows []affine.Sum
	for _, b := range poly.NewSet(names, poly.Tuple{}, poly.Or(any...)).SimpleHull().Basics() {
		for _, c := range b.Constraints() {
			r := affine.Num(c.Const)
			for i, k := range c.Params {
				r = r.Plus(affine.Var(names[i]).Times(k))
			}
			rows = append(rows, r)
			if c.Eq {
				rows = append(rows, r.Times(-1))
			}
		}
	}
	return astgen.Gate{rows}
}

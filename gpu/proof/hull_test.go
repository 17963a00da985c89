package proof

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
)

// TestHull checks hulls of random gates by enumeration: what holds at one of the alternatives holds, and of bounds that are all parallel the weakest stay.
func TestHull(t *testing.T) {
	g := rand.New(rand.NewPCG(1, 1))
	names := []string{"x", "y", "n"}
	number := func() int64 { return g.Int64N(9) - 4 }
	holds := func(rows []affine.Sum, at map[string]int64) bool {
		for _, r := range rows {
			v := r.Const
			for _, t := range r.Terms {
				v += t.Coef * at[t.Var]
			}
			if v < 0 {
				return false
			}
		}
		return true
	}
	met := 0
	for trial := range 12 {
		var gate astgen.Gate
		for range maxAlternatives + 1 + trial {
			var rows []affine.Sum
			for range 1 + g.IntN(3) {
				r := affine.Num(number())
				for _, name := range names {
					r = r.Plus(affine.Var(name).Times(number() / 3))
				}
				rows = append(rows, r)
			}
			if trial%2 == 0 { // what all have in common
				rows = append(rows, affine.Var("n").Minus(affine.Var("x")).Add(g.Int64N(4)), affine.Var("x").Add(number()))
			}
			gate = append(gate, rows)
		}
		all := hull(gate)
		require.Len(t, all, 1)
		for range 500 {
			at := map[string]int64{"x": number() * 2, "y": number() * 2, "n": number() * 2}
			for _, rows := range gate {
				if holds(rows, at) {
					met++
					require.True(t, holds(all[0], at), "%v: %v", at, all)
					break
				}
			}
		}
		if trial%2 == 0 {
			require.False(t, holds(all[0], map[string]int64{"x": 5, "n": 1}), "x <= n + 3 holds at all: %v", all)
			require.False(t, holds(all[0], map[string]int64{"x": -5, "n": 9}), "x >= -4 holds at all: %v", all)
		}
	}
	require.NotZero(t, met)
	few := astgen.Gate{{affine.Var("x")}, {affine.Var("y")}}
	require.Equal(t, few, hull(few))
}

package lower

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
)

// TestNeighbours compares follows and lasts, for random conditions and loops, with what they say they return.
func TestNeighbours(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	sum := func(most int64) affine.Sum {
		return affine.Var("n").Times(rng.Int64N(2*most+1) - most).Add(rng.Int64N(9) - 4)
	}
	bound := func(depth int) affine.Expr { return nil }
	bound = func(depth int) affine.Expr {
		switch k := rng.IntN(4); {
		case k == 0 && depth > 0:
			return affine.MinOf(bound(depth-1), bound(depth-1))
		case k == 1 && depth > 0:
			return affine.MaxOf(bound(depth-1), bound(depth-1))
		case k == 2:
			return affine.Floor(sum(2), 1+rng.Int64N(4))
		}
		return sum(1)
	}
	told, last := 0, 0
	for range 2000 {
		w := walk{"v", bound(1), bound(1)}
		var cond astgen.Cond
		for range 1 + rng.IntN(2) {
			rows := []affine.Expr{}
			for range rng.IntN(4) {
				rows = append(rows, sum(1).Plus(affine.Var("v").Times(rng.Int64N(5)-2)))
			}
			cond = append(cond, rows)
		}
		after := w.follows(cond)
		before, ok := w.lasts(cond)
		require.Equal(t, len(cond) == 1, ok)
		for n := int64(-3); n <= 3; n++ {
			full := func(v int64) bool {
				at := map[string]int64{"v": v, "n": n}
				return affine.Eval(w.lo, at) <= v && v <= affine.Eval(w.hi, at) && cond.Holds(at)
			}
			for v := int64(-9); v <= 9; v++ {
				if !full(v) {
					continue
				}
				at := map[string]int64{"v": v, "n": n}
				told++
				require.Equal(t, full(v-1), after.Holds(at), "%v in %v..%v: after %v at %v", cond, w.lo, w.hi, after, at)
				if ok {
					last++
					require.Equal(t, !full(v+1), before.Holds(at), "%v in %v..%v: last %v at %v", cond, w.lo, w.hi, before, at)
				}
			}
		}
	}
	require.Greater(t, told, 5000)
	require.Greater(t, last, 2000)
}

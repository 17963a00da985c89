package lower

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
)

// TestIndices checks that shared subscripts say what those made one by one do, and that equal ones of one term are one.
func TestIndices(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var u indices
	made := map[string][]affine.Expr{}
	again := 0
	for range 2000 {
		by := map[string]affine.Sum{"i": affine.Num(rng.Int64N(3)), "j": affine.Var("x").Times(1 + rng.Int64N(2)).Add(rng.Int64N(3))}
		var index []affine.Expr
		short := true
		for range 1 + rng.IntN(maxShared+1) {
			e := affine.Expr(affine.Var([]string{"i", "j", "T"}[rng.IntN(3)]).Add(rng.Int64N(3)))
			if rng.IntN(8) == 0 {
				e, short = affine.Modulo(affine.Var("i").Plus(affine.Var("T")), 7), false
			}
			index = append(index, e)
		}
		want, got := affine.SubstAll(index, by), u.subst(index, by)
		require.Equal(t, want, got)
		key := fmt.Sprint(want)
		if have := made[key]; short && len(index) <= maxShared && have != nil {
			require.Same(t, &have[0], &got[0])
			again++
		} else if short {
			made[key] = got
		}
	}
	require.Greater(t, again, 100)
}

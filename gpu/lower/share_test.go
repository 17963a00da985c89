package lower

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
)

// TestIndices checks that shared subscripts say what those made one by one do, and that equal ones of one term are one.
func TestIndices(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var u indices
	made := map[string][]astgen.Expr{}
	again := 0
	for range 2000 {
		by := map[string]astgen.Sum{"i": astgen.Num(rng.Int64N(3)), "j": astgen.Var("x").Times(1 + rng.Int64N(2)).Add(rng.Int64N(3))}
		var index []astgen.Expr
		short := true
		for range 1 + rng.IntN(maxShared+1) {
			e := astgen.Expr(astgen.Var([]string{"i", "j", "T"}[rng.IntN(3)]).Add(rng.Int64N(3)))
			if rng.IntN(8) == 0 {
				e, short = astgen.Modulo(astgen.Var("i").Plus(astgen.Var("T")), 7), false
			}
			index = append(index, e)
		}
		want, got := substAll(index, by), u.subst(index, by)
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

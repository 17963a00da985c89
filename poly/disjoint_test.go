package poly

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestIsDisjoint checks boxes and equal sums that touch, overlap or lie apart, with bounds that are numbers or parameters, against what
// intersections say.
func TestIsDisjoint(t *testing.T) {
	apart, plainly := 0, 0
	for seed := range 4 * *rounds {
		g := newGen(8000 + seed)
		bound := func() string {
			return []string{"0", "N", "-N", "2N", "M"}[g.IntN(5)] + fmt.Sprintf(" + %d", g.IntN(5)-2)
		}
		set := func() Set {
			s := fmt.Sprintf("[N, M] -> { A[i, j] : N >= %d and M >= N + %d", g.IntN(4), g.IntN(3)-1)
			for range 1 + g.IntN(3) {
				sum := []string{"i", "j", "-i", "i + j", "i - 2j", "2i"}[g.IntN(6)]
				s += fmt.Sprintf(" and %s %s %s", sum, []string{">=", "<=", "="}[g.IntN(3)], bound())
			}
			if g.IntN(5) == 0 {
				s += " and (i + j) mod 2 = 0"
			}
			return MustSet(s + " }")
		}
		a, b := set(), set()
		if g.IntN(6) == 0 {
			a = a.Union(set())
		}
		want := a.Intersect(b).IsEmpty()
		require.Equal(t, want, a.IsDisjoint(b), "seed %d: %s and %s", seed, a, b)
		require.Equal(t, want, b.IsDisjoint(a), "seed %d: %s and %s", seed, b, a)
		if want && !a.IsEmpty() && !b.IsEmpty() {
			apart++
			if contradict(a.parts[0], b.parts[0]) {
				plainly++
			}
		}
	}
	require.Greater(t, plainly, apart/4, "of %d", apart)
	require.False(t, MustSet("{ A[i] }").IsDisjoint(MustSet("[N] -> { A[i] : i = N }")))
	require.True(t, MustSet("{ A[i] }").IsDisjoint(MustSet("{ B[i] }")))
	require.True(t, MustSet("{ A[i] }").IsDisjoint(MustSet("{ A[i] : false }")))
}

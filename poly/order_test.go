package poly

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOrders checks the identity and lexicographic orders of random sets point by point.
func TestOrders(t *testing.T) {
	for seed := range *rounds / 4 {
		checkOrders(t, seed)
	}
}

func checkOrders(t *testing.T, seed uint64) {
	g := newGen(seed)
	a, b := g.sampleSet(g.IntN(2), true), g.sampleSet(g.IntN(2), true)
	id, less, equal := a.set.Identity().Wrap(), a.set.LexLess(b.set).Wrap(), a.set.LexLessEqual(b.set).Wrap()
	const n = 1
	for i := int64(-2); i <= 2; i++ {
		for j := int64(-2); j <= 2; j++ {
			for k := int64(-2); k <= 2; k++ {
				for l := int64(-2); l <= 2; l++ {
					before, same := i < k || i == k && j < l, i == k && j == l
					both := a.has(n, i, j) && b.has(n, k, l)
					require.Equal(t, a.has(n, i, j) && same, has(id, n, i, j, k, l), "seed %d", seed)
					require.Equal(t, both && before, has(less, n, i, j, k, l), "seed %d", seed)
					require.Equal(t, both && (before || same), has(equal, n, i, j, k, l), "seed %d", seed)
				}
			}
		}
	}
	params := a.set.ParamDomain()
	for v := int64(-window); v <= window; v++ {
		require.Equal(t, !a.set.FixParam("N", v).IsEmpty(), params.Contains(map[string]int64{"N": v}), "seed %d", seed)
	}
}

// TestScan checks that all points are found, in order, and functions evaluated at them.
func TestScan(t *testing.T) {
	for seed := range *rounds / 8 {
		g := newGen(seed)
		s := g.sampleSet(g.IntN(3), true)
		scanned := s.set.Scan()
		count, err := s.set.Card()
		require.NoError(t, err)
		total := int64(0)
		for n := int64(-window); n <= window; n++ {
			c, _ := count.At(map[string]int64{"N": n})
			total += c.Num().Int64()
		}
		require.Equal(t, total, int64(len(scanned.Basics())), "seed %d: %v", seed, s.set)
		require.True(t, scanned.IsEqual(s.set), "seed %d: %v", seed, s.set)
	}
	require.Equal(t, "[n] -> { S[0, 1] : n = 3; S[0, 2] : n = 3; S[1, 2] : n = 3 }",
		MustSet("[n] -> { S[i, j] : 0 <= i < j < n and n = 3 }").Scan().String())
	require.Panics(t, func() { MustSet("{ [i] : i > 3 }").Scan() })
	require.Equal(t, "[n] -> { S[i] -> 6 : n = 3 and i = 2; S[i] -> 12 : n = 3 and i = 4 }",
		MustCount("[n] -> { S[i] -> n*i : i mod 2 = 0; T[] -> 3 }").Evaluate(MustSet("[n] -> { S[i] : 0 <= i <= 4 and n = 3 }")).String())
}

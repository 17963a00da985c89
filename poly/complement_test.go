package poly

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestComplement checks complements of sets and relations point by point.
func TestComplement(t *testing.T) {
	pairs := MustMap("{ S[i, j] -> T[i, j] }")
	for seed := range *rounds {
		g := newGen(seed)
		s := g.sampleSet(g.IntN(3), g.IntN(2) == 0)
		if len(s.set.parts) == 0 {
			continue
		}
		got := s.set.Complement()
		related := pairs.IntersectDomain(s.set).Complement()
		points(func(n, i, j int64) {
			if has(got, n, i, j) == s.has(n, i, j) || has(related.Wrap(), n, i, j, i, j) == s.has(n, i, j) {
				t.Fatalf("seed %d: (N=%d, %d, %d)\nset %v\ngot %v\nof pairs %v", seed, n, i, j, s.set, got, related)
			}
		})
	}
}

func TestComplementTuples(t *testing.T) {
	s := MustSet("[N] -> { S[i] : 0 <= i < N; T[] : N > 3 }")
	sameSets(t, MustSet("[N] -> { S[i] : i < 0 or i >= N; T[] : N <= 3 }"), s.Complement())
	sameSets(t, s, s.Complement().Complement())
	sameSets(t, Set{}, MustSet("{ S[i] }").Complement())
	sameSets(t, MustSet("[N] -> { : N <= 0 }"), MustSet("[N] -> { : N > 0 }").Complement())
	all := UniverseSet(nil, Tuple{Name: "S", Dims: []string{"i"}}, Tuple{Name: "T"})
	sameSets(t, MustSet("{ S[i]; T[] }"), all)
	m := UniverseMap(nil, Tuple{Name: "S", Dims: []string{"i"}}, Tuple{Dims: []string{""}})
	assert.True(t, m.IsEqual(MustMap("{ S[i] -> [j] }")))
	sameSets(t, Set{}, Set{}.Complement())
}

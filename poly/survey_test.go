package poly

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSurvey checks all that a survey says of random conjunctions by searches: that rows are needed, and that no equality is implicit.
func TestSurvey(t *testing.T) {
	for seed := range 4 * *rounds {
		checkSurvey(t, seed)
	}
}

func checkSurvey(t *testing.T, seed uint64) {
	g := newGen(seed)
	for _, b := range g.sampleSet(g.IntN(3), g.IntN(2) == 0).set.parts {
		p, ok := b.sample()
		if !ok {
			continue
		}
		known := b.surveyor()
		checkKnown(t, seed, b, known.survey)
		known.walk(p)
		checkKnown(t, seed, b, known.survey)
	}
}

func checkKnown(t *testing.T, seed uint64, b Basic, known survey) {
	s := b.system()
	require.Len(t, s.rows, len(b.rows))
	for i := range b.rows {
		require.False(t, known.needed[i] && s.impliedByOthers(i), "seed %d: row %d of %v", seed, i, b)
	}
	if known.full {
		rows, ok := commonEqualities([]*system{{known: b.width(), rows: b.allRows()}}, b.width())
		require.True(t, ok, "seed %d: %v", seed, b)
		require.Equal(t, rankOf(b.equalities()), len(rows), "seed %d: %v", seed, b)
	}
}

package schedule

import (
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhenReady: what waits for what is a part of the order that the proof of legality reads, and has proofs of its own.
func TestWhenReady(t *testing.T) {
	programs := cases(t)
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		deps, c, cone := analyze(t, programs[name])
		s, err := Hybrid(c, cone, someSizes(c, cone)[0])
		require.NoError(t, err)
		r := WhenReady(s, cone)
		require.Empty(t, r.Why, name)
		require.False(t, r.Kept)
		require.True(t, r.Before.IsEqual(r.Chains.Order(r.Tile).Before), name)
		require.True(t, r.Waits.IsSubset(r.Before), name)
		proofs := r.Prove(s, deps)
		require.Len(t, proofs, 2)
		for _, p := range proofs {
			require.True(t, p.Holds, "%s: %v", name, p)
		}
		require.Nil(t, s.Waits, "the schedule stays as it was")

		s.Wait(r.Chains)
		kept := WhenReady(s, Cone{})
		require.True(t, kept.Kept)
		require.Equal(t, r.Chains, kept.Chains)
		require.Contains(t, s.String(), "# "+strings.ReplaceAll(strings.TrimSpace(r.Chains.Text(r.Tile)), "\n", "\n# ")+"\n")
	}
}

// TestWhenReadyMutants: the proofs fail for waits that are too few, one or the other.
func TestWhenReadyMutants(t *testing.T) {
	deps, c, cone := analyze(t, cases(t)["jacobi-2d"])
	s, err := Hybrid(c, cone, someSizes(c, cone)[1])
	require.NoError(t, err)
	r := WhenReady(s, cone)
	for what, spoil := range map[string]func(w *Wait){
		"first": func(w *Wait) { w.Lo[0]++ }, "last": func(w *Wait) { w.Hi[0]-- }, "lag": func(w *Wait) { w.Lag-- },
		"elsewhere": func(w *Wait) { w.Lo[0], w.Hi[0] = w.Lo[0]+5, w.Hi[0]+5 },
	} {
		for i := range r.Chains.Steps {
			short := r
			short.Chains = r.Chains.clone()
			spoil(&short.Chains.Steps[i])
			proofs := short.Prove(s, deps)
			require.False(t, proofs[0].Holds && proofs[1].Holds, "%s %d", what, i)
		}
	}
}

// TestNoChains: where there are no waits it is said why.
func TestNoChains(t *testing.T) {
	_, c, cone := analyze(t, cases(t)["jacobi-2d"])
	made := func() *Schedule {
		s, err := Hybrid(c, cone, someSizes(c, cone)[1])
		require.NoError(t, err)
		return s
	}
	for why, spoil := range map[string]func(s *Schedule, c *Cone){
		"differ in the strides": func(s *Schedule, _ *Cone) { s.Phases[1].Space[0].Stride++ },
		"no slopes bound":       func(s *Schedule, c *Cone) { s.Cone, *c = Cone{}, Cone{} },
		"no slope bounds from above how far tiles reach along S0": func(s *Schedule, _ *Cone) { s.Cone = Cone{Lo: cone.Lo, Hi: []*big.Rat{nil, cone.Hi[1]}} },
		"tiles overlap": func(s *Schedule, _ *Cone) { s.Phases[0].Space[0].Owned = []HalfPlane{} },
	} {
		s, with := made(), cone
		spoil(s, &with)
		r := WhenReady(s, with)
		require.Contains(t, r.Why, why)
		require.Empty(t, r.Prove(s, nil))
		_, ok := FindChains(s, s.Cone, 1)
		require.False(t, ok, why)
	}
	require.Empty(t, WhenReady(made(), cone).Why)
}

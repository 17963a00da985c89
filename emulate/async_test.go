package emulate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
)

// arrivals selects the waits for asynchronous copies.
func arrivals(p place) bool {
	_, ok := p.node().(gpu.Arrive)
	return ok
}

// TestAsynchronous verifies cases whose copies to shared memory are asynchronous.
func TestAsynchronous(t *testing.T) {
	eachNth(t, 2, 0, func(t *testing.T, name string, p plan) {
		for _, strategy := range []lower.Strategy{lower.Moved, lower.Static} {
			r := p.requestWith(t, p.small(), lower.Options{Async: true, Strategy: strategy})
			_, n := edited(r.Program, -1, arrivals, nil)
			require.Positive(t, n)
			r.Points = 50_000
			v, err := emulate.Verify(r)
			require.NoError(t, err)
			require.True(t, v.OK(), v)
		}
	})
}

// TestArrivals leaves out the waits for asynchronous copies one by one: what runs then reads what has not arrived, and such kernels are no kernels.
func TestArrivals(t *testing.T) {
	tellingCases(t, func(t *testing.T, name string, p plan) {
		r := p.requestWith(t, p.tiny(), lower.Options{Async: true, Strategy: lower.Staged})
		r.Points = 30_000
		r = fullSize(t, r)
		none := func(place) []gpu.Node { return []gpu.Node{} }
		_, n := edited(r.Program, -1, arrivals, nil)
		require.Positive(t, n)
		for i := range n {
			spoiled, _ := edited(r.Program, i, arrivals, none)
			require.ErrorContains(t, spoiled.Verify(), "on their way")
		}
		some(t, r, 4, arrivals, none, "a wait for copies")
	})
}

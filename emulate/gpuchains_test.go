package emulate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// ready returns the kernels of p at the given sizes, with tiles that wait for each other.
func (p plan) ready(t testing.TB, sizes schedule.Sizes, o lower.Options) emulate.Request {
	s := p.Schedule(t, sizes)
	pipeline.Wait(t, p.Stencil, s)
	r := requestOf(t, s, o)
	r.Points = 20_000
	return r
}

// TestChains runs every case with tiles that wait for each other: bit for bit what the source computes, however blocks overtake each other.
func TestChains(t *testing.T) {
	eachCase(t, func(t *testing.T, name string, p plan) {
		v, err := emulate.Verify(p.ready(t, p.small(), lower.Options{}))
		require.NoError(t, err)
		t.Log(v)
		require.True(t, v.OK(), v)
	})
}

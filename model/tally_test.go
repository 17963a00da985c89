package model

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/pipeline"
)

// TestTally: the choices for both orders that remember counts for each other are those that remember none.
func TestTally(t *testing.T) {
	d := pipeline.Device(t, "sm_90")
	names := []string{"jacobi-1d", "jacobi-2d", "fdtd-2d", "heat-3d", "em-2d", "tv-2d"}
	for _, name := range names {
		x := pipeline.Case(t, name)
		shared := tally{}
		for _, ready := range []bool{true, false} {
			want, wrong := choose(x.Space, x.Cone, d, nil, Asked{}, ready, nil)
			got, err := choose(x.Space, x.Cone, d, nil, Asked{}, ready, shared)
			require.Equal(t, wrong, err, name)
			require.Equal(t, want, got, name)
		}
		require.NotEmpty(t, shared, name)
	}
}

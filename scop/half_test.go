package scop_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/scop"
)

// TestHalf rounds each half, what lies between two neighbours and what lies on either side of the middle.
func TestHalf(t *testing.T) {
	half := scop.Half
	require.Equal(t, 1.0, half.Number(0x3c00))
	require.Equal(t, 65504.0, half.Number(0x7bff))
	require.Equal(t, 0x1p-24, half.Number(1))
	for bits := range uint64(0x7c00) {
		f, next := half.Number(bits), half.Number(bits+1)
		if bits+1 == 0x7c00 {
			require.True(t, math.IsInf(next, 1))
			next = 65536
		}
		require.Less(t, f, next)
		middle := (f + next) / 2
		even := bits + bits%2
		for _, sign := range []float64{1, -1} {
			want := func(w uint64) uint64 {
				if sign < 0 {
					w |= 0x8000
				}
				return w
			}
			require.Equal(t, want(bits), half.OfFloat(math.Copysign(f, sign)))
			require.Equal(t, want(bits), half.OfFloat(math.Copysign(math.Nextafter(middle, 0), sign)))
			require.Equal(t, want(even), half.OfFloat(math.Copysign(middle, sign)))
			require.Equal(t, want(bits+1), half.OfFloat(math.Copysign(math.Nextafter(middle, math.Inf(1)), sign)))
		}
	}
	require.True(t, math.IsNaN(half.Number(half.OfFloat(math.NaN()))))
	require.Equal(t, uint64(0xfc00), half.OfFloat(math.Inf(-1)))
}

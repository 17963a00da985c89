package crun

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/scop"
)

// TestExtended converts doubles to long double and back, and one whose bytes are known.
func TestExtended(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	values := []uint64{0, 1 << 63, 1, math.Float64bits(math.Inf(-1)), math.Float64bits(math.MaxFloat64), math.Float64bits(0x1p-1022)}
	for range 1000 {
		values = append(values, rng.Uint64())
	}
	for _, v := range values {
		got, rest := TakeCell(scop.LongDouble, Cell(scop.LongDouble, v))
		require.Empty(t, rest)
		if f := math.Float64frombits(v); f != f {
			require.True(t, math.IsNaN(math.Float64frombits(got)))
			continue
		}
		require.Equal(t, v, got)
	}
	require.Equal(t, []byte{0, 0, 0, 0, 0, 0, 0, 0xc0, 0, 0xc0, 0, 0, 0, 0, 0, 0}, Cell(scop.LongDouble, math.Float64bits(-3)))
}

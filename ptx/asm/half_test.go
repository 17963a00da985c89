package asm

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/scop"
)

// TestHalf compares conversions of halves with those of the interpreter, which rounds in another way.
func TestHalf(t *testing.T) {
	for bits := range uint64(0x10000) {
		f := scop.Half.Number(bits)
		if got := halfValue(bits); got != f && !(math.IsNaN(got) && math.IsNaN(f)) {
			t.Fatalf("%#x is %v, want %v", bits, got, f)
		}
		for _, x := range []float64{f, math.Nextafter(f, 0), f * (1 + 0x1p-11), f * (1 + 0x1p-12), math.Nextafter(f*(1+0x1p-11), 0), f + 0x1p-25, f * 1e5, f * 1e-7} {
			if !math.IsNaN(x) {
				require.Equal(t, scop.Half.OfFloat(x), halfBits(x), "%v", x)
			}
		}
	}
	require.True(t, math.IsNaN(halfValue(halfBits(math.NaN()))))
}

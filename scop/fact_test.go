package scop

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFactHolds checks bounds of products, which may be larger than an int64, and hold where nothing is multiplied.
func TestFactHolds(t *testing.T) {
	f := Fact{Factors: []Affine{{Params: []int64{1, 0}}, {Const: 2, Params: []int64{0, 1}}}, Most: 1<<32 - 1}
	for _, x := range []struct {
		n, m int64
		want bool
	}{{1 << 16, 1<<16 - 3, true}, {1 << 16, 1<<16 - 2, false}, {0, 1 << 40, true}, {1 << 40, -2, true}, {1 << 62, 1 << 62, false}, {1<<32 - 1, -1, true}} {
		require.Equal(t, x.want, f.Holds([]int64{x.n, x.m}), "%d %d", x.n, x.m)
	}
	row := Fact{Row: Affine{Const: -3, Params: []int64{1}}}
	require.True(t, row.Holds([]int64{3}))
	require.False(t, row.Holds([]int64{2}))
}

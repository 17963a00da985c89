package model

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// TestTilesRemembered checks that tiles are remembered only for the sizes that they have, and keep them where the caller
// goes on with the next sizes in the same memory.
func TestTilesRemembered(t *testing.T) {
	x := pipeline.Case(t, "jacobi-2d")
	s, err := newSearch(x.Space, x.Cone, machine.Devices()[0], nil, Asked{})
	require.NoError(t, err)
	sizes := schedule.Sizes{H: 2, W: []int64{3, 32}}
	first := s.tiles(sizes)
	require.Same(t, first, s.tiles(sizes))
	few := s.counter.Rough(first, 0)
	sizes.W[1] = 64
	second := s.tiles(sizes)
	require.Equal(t, []int64{3, 32}, first.Sizes.W)
	require.Equal(t, []int64{3, 64}, second.Sizes.W)
	require.Greater(t, s.counter.Rough(second, 0).Points, few.Points)
	require.Equal(t, few, s.counter.Rough(first, 0))
}

// TestEqualReadsOnce checks that a statement that reads elements several times loads and stores what one does that reads
// them once, from a tile with as much room.
func TestEqualReadsOnce(t *testing.T) {
	const frame = `void f(int T, int n, float A[2][n][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[(t+1)%2][i][j] = `
	const end = ";\n#pragma endscop\n}\n"
	const five = "A[t%2][i-1][j] + A[t%2][i+1][j] + A[t%2][i][j-1] + A[t%2][i][j+1] + A[t%2][i][j]"
	count := func(text string) lower.Counts {
		x := pipeline.Read(t, "f", frame+text+end)
		s, err := newSearch(x.Space, x.Cone, machine.Devices()[0], nil, Asked{})
		require.NoError(t, err)
		return s.counter.PhaseCounts(s.tiles(schedule.Sizes{H: 2, W: []int64{3, 32}}), 0)
	}
	once, again := count(five), count(five+" + "+five+" + A[t%2][i][j]*A[t%2][i-1][j]")
	require.Positive(t, once.Loads)
	require.Equal(t, []int64{once.Points, once.Loads, once.First, once.Stores, once.Last, once.SharedBytes, once.Fresh, int64(once.Barriers)},
		[]int64{again.Points, again.Loads, again.First, again.Stores, again.Last, again.SharedBytes, again.Fresh, int64(again.Barriers)})
	require.Greater(t, again.Operations, once.Operations)
}

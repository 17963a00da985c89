package model

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/heavy"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/machine"
)

// TestBoxesReadAccessesOnce checks that what weighing boxes takes does not grow with accesses times boxes: to look at the
// accesses of a program takes far more memory than to weigh one more width.
func TestBoxesReadAccessesOnce(t *testing.T) {
	x := pipeline.Read(t, "box", heavy.Get("box-3d-r2").Text)
	g, err := NewGrid(x.Space, nil)
	require.NoError(t, err)
	one := testing.AllocsPerRun(1, func() { Caches{machine.AnyCPU}.sweep(x.Space, g).boxed([]int64{4, 8, 512}) })
	all := testing.AllocsPerRun(1, func() { Caches{machine.AnyCPU}.sweep(x.Space, g).boxes() })
	require.Greater(t, one, 1000.0)
	require.Less(t, all, 2*one)

	// In one sweep boxes weigh what they do in sweeps of their own.
	s := Caches{machine.AnyCPU}.sweep(x.Space, g)
	best, least := s.boxes()
	require.Equal(t, Caches{machine.AnyCPU}.sweep(x.Space, g).boxed(best.W), least)
	require.LessOrEqual(t, least.PerPoint, s.boxed([]int64{4, 8, 512}).PerPoint)
}

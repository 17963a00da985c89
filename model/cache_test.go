package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// TestCacheSizes checks what is chosen for a CPU: legal sizes, rows that start at
// cache lines at each step, and tiles that shrink with the caches.
func TestCacheSizes(t *testing.T) {
	for _, name := range []string{"jacobi-1d", "jacobi-2d", "heat-3d", "fdtd-2d", "heat-4d", "star-2d-4"} {
		t.Run(name, func(t *testing.T) {
			x := pipeline.Case(t, name)
			c, cone := x.Space, x.Cone
			cpu := model.Caches{CPU: machine.AnyCPU}
			leaning := cpu.Aligned(c, cone)
			sizes, _, err := cpu.Sizes(c, leaning, nil)
			require.NoError(t, err)
			require.NoError(t, schedule.CheckSizes(c, leaning, sizes))
			last := len(c.Space) - 1
			if last == 0 {
				return
			}
			require.True(t, leaning.Lo[last].IsInt())
			line := cpu.Line / int64(c.Scop.Arrays[0].Elem.Size())
			require.Zero(t, leaning.Lo[last].Num().Int64()%line)
			require.GreaterOrEqual(t, leaning.Lo[last].Cmp(cone.Lo[last]), 0)
			small := cpu
			small.Cache, small.Last = cpu.Cache/8, cpu.Last/8
			less, _, err := small.Sizes(c, leaning, nil)
			require.NoError(t, err)
			require.Less(t, area(less), area(sizes))
			many := cpu
			many.Cores = 256
			narrow, _, err := many.Sizes(c, leaning, nil)
			require.NoError(t, err)
			require.Less(t, narrow.W[0]+narrow.H, sizes.W[0]+sizes.H)
			_, _, err = cpu.Sizes(c, leaning, model.Typical{c.Scop.Params[0].Name: -5, c.Scop.Params[1].Name: -5})
			require.Error(t, err)
		})
	}
}

// area returns about the points of a step of a tile.
func area(s schedule.Sizes) int64 {
	n := s.W[0] + s.H
	for _, w := range s.W[1:] {
		n *= w
	}
	return n
}

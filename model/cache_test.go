package model_test

import (
	"fmt"
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
			sizes, err := sizesFor(cpu, c, leaning, nil)
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
			less, err := sizesFor(small, c, leaning, nil)
			require.NoError(t, err)
			require.Less(t, area(less), area(sizes))
			many := cpu
			many.Cores = 256
			narrow, err := sizesFor(many, c, leaning, nil)
			require.NoError(t, err)
			require.Less(t, narrow.W[0]+narrow.H, sizes.W[0]+sizes.H)
			_, err = sizesFor(cpu, c, leaning, model.Typical{c.Scop.Params[0].Name: -5, c.Scop.Params[1].Name: -5})
			require.Error(t, err)
		})
	}
}

// TestRowsOfFarReach checks that statements which touch many rows get long rows and hexagons as wide as they lean: the acoustic wave of order 8
// on two cores took 5.4 s with rows of 16, 2.2 s with rows of 128, 1.7 s with whole ones.
func TestRowsOfFarReach(t *testing.T) {
	sum := "0.5 * u[t % 3][i][j][k] - u[(t + 2) % 3][i][j][k]"
	for d := 1; d <= 4; d++ {
		sum += fmt.Sprintf(" + 0.1 * (u[t %% 3][i - %[1]d][j][k] + u[t %% 3][i + %[1]d][j][k] + u[t %% 3][i][j - %[1]d][k] + u[t %% 3][i][j + %[1]d][k] + u[t %% 3][i][j][k - %[1]d] + u[t %% 3][i][j][k + %[1]d])", d)
	}
	x := pipeline.Read(t, "acoustic", `void acoustic(int T, int n, double u[3][n][n][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 4; i < n - 4; i++)
      for (int j = 4; j < n - 4; j++)
        for (int k = 4; k < n - 4; k++)
          u[(t + 1) % 3][i][j][k] = `+sum+`;
#pragma endscop
}
`)
	for _, last := range []int64{4 << 20, 16 << 20} {
		cpu := model.Caches{CPU: machine.AnyCPU}
		cpu.Last = last
		for _, n := range []int64{200, 320, 512} {
			sizes, err := sizesFor(cpu, x.Space, cpu.Aligned(x.Space, x.Cone), model.Typical{"n": n})
			require.NoError(t, err)
			require.GreaterOrEqual(t, sizes.W[2], int64(128))
			require.GreaterOrEqual(t, sizes.W[0], 2*(sizes.H+1)) // half of 4 (h+1)
		}
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

// sizesFor returns the best sizes of tiles in phases.
func sizesFor(cpu model.Caches, c *schedule.Canonical, cone schedule.Cone, typical model.Typical) (schedule.Sizes, error) {
	best, err := cpu.Best(c, cone, typical, model.Launches{Phases: true})
	if err != nil {
		return schedule.Sizes{}, err
	}
	return best[0].Sizes, nil
}

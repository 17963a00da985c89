package stream_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/machine"
)

// TestShapes reads what String writes, and refuses the rest.
func TestShapes(t *testing.T) {
	for _, s := range stream.Shapes {
		back, err := stream.ParseShape(s.String())
		require.NoError(t, err)
		require.Equal(t, s, *back)
	}
	part, err := stream.ParseShape("warps=2")
	require.NoError(t, err)
	want := stream.DefaultShape
	want.Warps = 2
	require.Equal(t, want, *part)
	none, err := stream.ParseShape("")
	require.NoError(t, err)
	require.Nil(t, none)
	for _, bad := range []string{"8", "columns", "columns=0", "columns=65", "columns=8,rows=2", "columns=x"} {
		_, err := stream.ParseShape(bad)
		require.Error(t, err, bad)
	}
}

// TestTurnRunsTiles: in a turn a block runs as many tiles as there are beats, each warp its steps of another one, so all together the points of so many tiles.
func TestTurnRunsTiles(t *testing.T) {
	for _, name := range []string{"jacobi-2d", "wave-2d", "fdtd-2d", "star-2d-2", "rician-2d"} {
		for _, shape := range []stream.Shape{{Columns: 4, Steps: 2, Warps: 4, Period: 1}, {Columns: 4, Steps: 4, Warps: 2, Period: 2}} {
			t.Run(fmt.Sprint(name, shape), func(t *testing.T) {
				x := pipeline.Case(t, name)
				s, why := pipeline.Streaming(t, name, x.Scop, shape)
				require.Empty(t, why)
				p := s.Program.Kernels[0].Pipeline()
				points := int64(0) // of a tile, step by step
				space := s.Schedule.Phases[0].Space
				for a := range s.Schedule.Height {
					n := int64(0)
					for _, st := range s.Scop.Stmts {
						if inPlane := len(st.Iters) == 3; inPlane && int64(s.Space.Levels[st.Order]) == a%int64(s.Space.K) {
							n++
						}
					}
					points += n * (space[0].Hi[a] - space[0].Lo[a] + 1) * (space[1].Hi[a] - space[1].Lo[a] + 1)
				}
				n := p.Count()
				require.Equal(t, int64(p.Turn)*points, n.Updates)
				require.GreaterOrEqual(t, n.Evaluated, n.Updates)
			})
		}
	}
}

// TestTypes refuses arrays of different types, even if elements are as large: columns of all of them share rows of shared memory.
func TestTypes(t *testing.T) {
	for _, c := range []struct{ other, why string }{{"float", ""}, {"int", "elements of A and B have different types"}, {"double", "elements of A and B have different types"}} {
		x := pipeline.Read(t, "types", `void f(int T, int n, float A[restrict 2][n][n], `+c.other+` B[restrict 2][n][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        A[(t + 1) % 2][i][j] = A[t % 2][i][j - 1] + A[t % 2][i][j + 1] + B[t % 2][i][j];
        B[(t + 1) % 2][i][j] = B[t % 2][i - 1][j] + B[t % 2][i + 1][j - 1];
      }
#pragma endscop
}
`)
		_, why := pipeline.Streaming(t, x.Name, x.Scop, stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1})
		require.Equal(t, c.why, why, c.other)
	}
}

// TestSqueezed: doubles of five points have registers for what is in use at once, if not for all names of rows, where a multiprocessor has shared memory for two blocks; those of
// nine points have none to spare.
func TestSqueezed(t *testing.T) {
	double := func(name string) pipeline.Stencil {
		text := regexp.MustCompile(`(\d\.\d*)f\b`).ReplaceAllString(strings.ReplaceAll(cases.Input(t, name), "float", "double"), "$1")
		return pipeline.StrideOneFirst(t, name, pipeline.Read(t, name, text).Scop)
	}
	five, nine := double("jacobi-2d"), double("heat-2d")
	for _, c := range []struct {
		x         pipeline.Stencil
		arch, why string
		blocks    int
	}{
		{five, "sm_90", "", 2},
		{five, "sm_80", "a thread takes about 268 registers, and has 255, of one block at a time", 0},
		{nine, "sm_90", "a thread takes about 300 registers, and has 255", 0},
	} {
		d, ok := machine.LookupDevice(c.arch)
		require.True(t, ok)
		f := stream.Fits(c.x.Space, c.x.Cone, d, stream.Shape{Columns: 8, Steps: 4, Warps: 4, Period: 2})
		require.Equal(t, c.why, f.Why, c.arch)
		require.Equal(t, c.blocks, f.Blocks, c.arch)
		if c.why == "" {
			require.Equal(t, d.RegistersPerThread, f.Registers)
		}
	}
}

// TestLooking: what a fit says of chains that look at others more often is what a pipeline made so has.
func TestLooking(t *testing.T) {
	for _, name := range []string{"jacobi-2d", "fdtd-2d", "star-2d-2"} {
		x := pipeline.StrideOneFirst(t, name, pipeline.Case(t, name).Scop)
		d := pipeline.Device(t, "sm_90")
		shape := stream.Shape{Columns: 4, Steps: 2, Warps: 4, Period: 1}
		usual := stream.Fits(x.Space, x.Cone, d, shape)
		require.Empty(t, usual.Why)
		for _, beats := range []int{1, 7, 12, 24, 48} {
			shape.Look = beats
			require.Equal(t, stream.Fits(x.Space, x.Cone, d, shape), usual.Looking(beats), "%s %d", name, beats)
		}
	}
}

package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// TestPart counts launches, waves and blocks that bounds cut by hand.
func TestPart(t *testing.T) {
	x := pipeline.Read(t, "copy", `void f(int T, int n, float A[2][n][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        A[(t + 1) % 2][i][j] = A[t % 2][i][j] + 1;
#pragma endscop
}
`)
	d := pipeline.Device(t, "sm_80") // with 108 multiprocessors
	require.Equal(t, 108, d.SMs)
	part := func(n int64) model.Part {
		e, err := model.AssessSpace(x.Space, d, model.Typical{"T": 10, "n": n}, schedule.Sizes{H: schedule.NoHeight, W: []int64{8, 32}}, model.Asked{})
		require.NoError(t, err)
		require.Len(t, e.Parts, 1)
		require.Equal(t, 2*4*8*32.0, e.Parts[0].Memory)
		require.Zero(t, e.Parts[0].Port, "shared memory holds what is loaded")
		return e.Parts[0]
	}
	clocks := func(here int64) float64 { return 100 * float64(here) }
	run := func(waves, cut float64) float64 { return 10 * (waves*cut/d.Hertz() + model.LaunchSeconds) }
	// 512 x 128 blocks, 864 at once: 75 waves, and 736 blocks, 7 on the busiest multiprocessor.
	require.InEpsilon(t, run(75*800+700, 1), part(4096).Resident(8, clocks, d), 1e-9)
	// One at once, as where none fits: 606 waves, and 88 blocks.
	require.InEpsilon(t, run(607*100, 1), part(4096).Resident(0, clocks, d), 1e-9)
	// 8 x 2 blocks: one for each of 16 multiprocessors.
	require.InEpsilon(t, run(100, 1), part(64).Resident(8, clocks, d), 1e-9)
	// The last row and the last column of 8 x 2 blocks are cut, 9 of 16.
	require.InEpsilon(t, run(100, 1+2*9.0/16), part(60).Resident(8, clocks, d), 1e-9)
}

// TestPartUntiled checks what plain loops move: each element once between memory and the chip, and of each block what it reads and writes.
func TestPartUntiled(t *testing.T) {
	d := pipeline.Device(t, "sm_90")
	e, err := model.ChooseUntiled(pipeline.Case(t, "jacobi-2d").Space, d, nil, model.Asked{})
	require.NoError(t, err)
	require.Len(t, e.Parts, 1)
	points := float64(e.Sizes.W[0] * e.Sizes.W[1])
	require.InEpsilon(t, 8*points, e.Parts[0].Memory, 0.01)
	cross := 2*e.Sizes.W[0] + 2*e.Sizes.W[1] // around the box, without corners
	require.InEpsilon(t, 4*(2*points+float64(cross)), e.Parts[0].Port, 1e-9)
}

// TestScaled: as many points as are asked for, as many steps as before; nothing where sizes are numbers.
func TestScaled(t *testing.T) {
	for _, x := range []struct {
		name  string
		times float64
		n     int64
	}{{"jacobi-2d", 1.0 / 64, 2048}, {"jacobi-2d", 4, 32768}, {"heat-3d", 1.0 / 64, 128}, {"jacobi-1d", 0.5, 1 << 26}} {
		got, err := model.Scaled(pipeline.Case(t, x.name).Space, x.times)
		require.NoError(t, err)
		require.Equal(t, model.Typical{"n": x.n}, got, x.name)
	}
	fixed := pipeline.Read(t, "fixed", `void f(float A[2][100])
{
#pragma scop
  for (int t = 0; t < 10; t++)
    for (int i = 1; i < 99; i++)
      A[(t + 1) % 2][i] = A[t % 2][i - 1] + A[t % 2][i + 1];
#pragma endscop
}
`)
	got, err := model.Scaled(fixed.Space, 4)
	require.NoError(t, err)
	require.Nil(t, got)
}

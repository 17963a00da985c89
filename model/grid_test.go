package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
)

// TestAssumedGrid checks that the grid which is assumed has points, where loops begin at parameters, too.
func TestAssumedGrid(t *testing.T) {
	cases.EachIdiom(t, func(t *testing.T, x cases.Idiom) {
		g, err := model.NewGrid(pipeline.Laid(t, x.Name, x.Text), nil)
		require.NoError(t, err)
		require.Positive(t, g.Points, "%v", g)
	})
	from := pipeline.Read(t, "from", `void f(int from, int to, int left, int right, float A[2][right])
{
#pragma scop
  for (int t = from; t < to; t++)
    for (int i = left + 1; i < right - 1; i++)
      A[(t + 1) & 1][i] = A[t & 1][i - 1] + A[t & 1][i + 1];
#pragma endscop
}
`)
	g, err := model.NewGrid(from.Space, nil)
	require.NoError(t, err)
	require.Equal(t, "from=0 assumed, to=1000 assumed, left=0 assumed, right=134217728 assumed: 1000 steps of 134217726 points", g.String())
}

// TestNoPoints chooses tiles for a CPU for a grid that has no points: any legal ones.
func TestNoPoints(t *testing.T) {
	x := pipeline.Case(t, "jacobi-2d")
	given := model.Typical{"T": 0, "n": 5}
	g, err := model.NewGrid(x.Space, given)
	require.NoError(t, err)
	require.Zero(t, g.Points)
	cone := model.Caches{CPU: machine.AnyCPU}.Aligned(x.Space, x.Cone)
	sizes, err := sizesFor(model.Caches{CPU: machine.AnyCPU}, x.Space, cone, given)
	require.NoError(t, err)
	require.NoError(t, sizes.Verify())
}

// TestWithSteps: the parameter that bounds the time loop, beside those that are given; of a program whose steps are given nothing is changed.
func TestWithSteps(t *testing.T) {
	c := pipeline.Case(t, "jacobi-2d").Space
	got, err := model.WithSteps(c, model.Typical{"n": 99}, 7)
	require.NoError(t, err)
	require.Equal(t, model.Typical{"n": 99, "T": 7}, got)
	got, err = model.WithSteps(c, model.Typical{"T": 5}, 7)
	require.NoError(t, err)
	require.Equal(t, model.Typical{"T": 5}, got)
}

package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// farText hands on what reaches four points in a volume of doubles.
const farText = `void f(int n, double a[restrict n][n][n], double c[restrict n][n][n])
{
  double b[n][n][n];
#pragma scop
  for (int i = 4; i < n - 4; i++)
    for (int j = 4; j < n - 4; j++)
      for (int k = 4; k < n - 4; k++)
        b[i][j][k] = a[i - 4][j][k] + a[i + 4][j][k] + a[i][j - 4][k] + a[i][j + 4][k] + a[i][j][k - 4] + a[i][j][k + 4];
  for (int i = 8; i < n - 8; i++)
    for (int j = 8; j < n - 8; j++)
      for (int k = 8; k < n - 8; k++)
        c[i][j][k] = b[i - 4][j][k] + b[i + 4][j][k] + b[i][j - 4][k] + b[i][j + 4][k] + b[i][j][k - 4] + b[i][j][k + 4];
#pragma endscop
}
`

// TestChoosePlanes: tiles that overlap stream where that is expected to be much faster, or asked for, and what the best of the others take is told. What is counted
// of them is what their rings take, not the whole box.
func TestChoosePlanes(t *testing.T) {
	p := pipeline.Read(t, "far", farText)
	choose := func(bytes int, wish *int) model.Estimate {
		e, err := model.ChooseOverlapped(p.Space, p.Deps, nil, machine.DeviceOf("sm_90").Within(bytes, 0), nil, model.Asked{}, wish)
		require.NoError(t, err)
		return e
	}
	small := choose(0, nil)
	require.NotNil(t, small.Sizes.Stream, "%v", small.Sizes)
	require.NotNil(t, small.Other)
	require.Nil(t, small.Other.Sizes.Stream)
	require.Greater(t, small.Other.PerPoint, small.PerPoint)
	none := choose(0, new(model.NoStream))
	require.Nil(t, none.Sizes.Stream)
	require.Nil(t, none.Other)
	require.Equal(t, none.PerPoint, small.Other.PerPoint)
	along := choose(0, new(1))
	require.Equal(t, 1, *along.Sizes.Stream)
	require.Nil(t, along.Other)

	d := machine.DeviceOf("sm_90")
	tiles, err := schedule.NewOverlap(p.Space, p.Deps).Tiles(small.Sizes)
	require.NoError(t, err)
	box := small.Sizes
	box.Stream = nil
	whole, err := schedule.NewOverlap(p.Space, p.Deps).Tiles(box)
	require.NoError(t, err)
	counter := lower.NewCounter(p.Space, d, lower.Options{Async: true})
	ring, all := counter.Rough(tiles, 0), counter.Rough(whole, 0)
	require.LessOrEqual(t, ring.SharedBytes, int64(d.SharedBytes))
	require.Greater(t, all.SharedBytes, 2*ring.SharedBytes)
	require.True(t, counter.Keeps(tiles))
}

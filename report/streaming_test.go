package report

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/pipeline"
)

// streaming returns the products of a case whose rows stream.
func streaming(t *testing.T, name string, shape stream.Shape) Products {
	t.Helper()
	x := pipeline.Case(t, name)
	s, why := pipeline.Streaming(t, name, x.Scop, shape)
	require.Empty(t, why)
	fit := stream.Fits(s.Space, s.Cone, s.Program.Device, shape)
	require.Empty(t, fit.Why)
	no := stream.Fits(s.Space, s.Cone, s.Program.Device, stream.Shape{Columns: 64, Steps: 8, Warps: 4, Period: 1})
	require.NotEmpty(t, no.Why)
	return Products{Scop: s.Scop, Deps: s.Deps, Space: s.Space, Cone: s.Cone, Schedule: s.Schedule, GPU: s.Program, Pipelines: []stream.Fit{no, fit}}
}

// TestInspectPipeline: what inspect says of a pipeline is that of its kernels, and of each shape that was tried.
func TestInspectPipeline(t *testing.T) {
	p := streaming(t, "jacobi-2d", stream.Shape{Columns: 4, Steps: 2, Warps: 4, Period: 2})
	in := collect(p)
	pipe := p.GPU.Pipeline()
	require.Equal(t, PipelineShape{4, 2, 4, 2, 0}, in.Pipeline.PipelineShape)
	warps := 0
	for _, n := range in.Pipeline.Stages {
		warps += n
	}
	require.Equal(t, 4, warps)
	require.Len(t, in.Pipeline.Tried, 2)
	taken := in.Pipeline.Tried[1]
	require.Equal(t, int64(pipe.Turn)*in.Tile.Points, taken.Updates)
	require.Equal(t, taken.Updates, in.Kernels[0].Points)
	require.Equal(t, pipe.SharedBytes(), taken.SharedBytes)
	text := in.Text()
	for _, part := range []string{
		"Pipeline of warps: rows stream through their registers", "columns=4,steps=2,warps=4,period=2", "32 lanes of 4 columns each",
		"tile S1 at beat S1 + 2*q in warp q: its steps 2*q to 2*q + 1, q = 0 to 3", "not         columns=64,steps=8,warps=4,period=1: ", "  full turn   " + count(int(taken.Updates), "point"),
	} {
		require.Contains(t, text, part)
	}
	require.Nil(t, collect(products(t, "jacobi-2d", sizesOf["jacobi-2d"])).Pipeline)
}

// TestPipelinePicture reads the picture back: each warp runs its steps of a tile a period of beats after the warp before it, and the columns that are coloured
// in a step are as many as the tile has points in it.
func TestPipelinePicture(t *testing.T) {
	for _, c := range []struct {
		name  string
		shape stream.Shape
	}{
		{"jacobi-2d", stream.Shape{Columns: 4, Steps: 2, Warps: 4, Period: 2}}, {"jacobi-2d", stream.Shape{Columns: 3, Steps: 3, Warps: 2, Period: 1}},
		{"em-2d", stream.Shape{Columns: 4, Steps: 2, Warps: 2, Period: 2}}, {"fdtd-2d", stream.Shape{Columns: 4, Steps: 2, Warps: 2, Period: 2}}, // several statements a step
	} {
		t.Run(fmt.Sprint(c.name, c.shape), func(t *testing.T) {
			shape := c.shape
			p := streaming(t, c.name, shape)
			pic := readSVG(t, Plot(PlotOptions{Pictures: []string{"pipeline"}}, p))
			first, tiles := map[[2]int]float64{}, map[int]bool{}
			for _, s := range pic.in("rect", "step") {
				step, _ := strconv.Atoi(s.data["data-step"])
				tile, _ := strconv.Atoi(s.data["data-tile"])
				x := s.points[0].x
				at := [2]int{tile, step}
				_, twice := first[at]
				require.False(t, twice, at)
				first[at], tiles[tile] = x, true
			}
			cell := first[[2]int{1, 0}] - first[[2]int{0, 0}]
			require.Positive(t, cell)
			require.Greater(t, len(tiles), p.GPU.Pipeline().Turn)
			for at, x := range first {
				tile, step := at[0], at[1]
				beats := (x - first[[2]int{0, 0}]) / cell
				require.InDelta(t, tile+step/shape.Steps*shape.Period, beats, 0.01, at)
			}
			own := pic.in("rect", "own")
			require.Len(t, own, shape.Steps*shape.Warps)
			held := pic.in("rect", "held")[0]
			wide := held.points[1].x - held.points[0].x
			space := p.Schedule.Phases[0].Space[0]
			for _, s := range own {
				step, _ := strconv.Atoi(s.data["data-step"])
				columns := (s.points[1].x - s.points[0].x) / wide * float64(32*shape.Columns)
				require.InDelta(t, space.Hi[step]-space.Lo[step]+1, columns, 0.1, step)
			}
			require.True(t, strings.Contains(string(Plot(PlotOptions{}, p)), "When warps run steps"))
		})
	}
}

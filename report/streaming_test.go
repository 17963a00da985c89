package report

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/model"
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
	choice := &model.StreamChoice{Tried: []stream.Fit{no, fit}, Costs: make([]model.StreamCost, 2)}
	return Products{Scop: s.Scop, Deps: s.Deps, Space: s.Space, Cone: s.Cone, Schedule: s.Schedule, GPU: s.Program, Streams: choice}
}

// TestInspectPipeline: what inspect says of a pipeline is that of its kernels, and of each shape that was tried.
func TestInspectPipeline(t *testing.T) {
	p := streaming(t, "jacobi-2d", stream.Shape{Columns: 4, Steps: 2, Warps: 4, Period: 2})
	in := collect(p)
	pipe := p.GPU.Pipeline()
	require.Equal(t, PipelineShape{4, 2, 4, 2, 0, 1}, in.Pipeline.PipelineShape)
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

// TestLinesPicture reads back what the picture has of lines: those that each step computes, and each copy of a line to a warp, or from one, before and behind the
// beat of the framed tile by as much as the pipeline has it.
func TestLinesPicture(t *testing.T) {
	for _, c := range []struct {
		name  string
		shape stream.Shape
	}{
		{"laplacian-3d", stream.Shape{Columns: 4, Steps: 3, Warps: 2, Period: 1, Lines: 4}}, {"heat-3d", stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1, Lines: 3}},
		{"star-3d-2", stream.Shape{Columns: 4, Steps: 1, Warps: 2, Period: 1, Lines: 4}}, {"wave-3d", stream.Shape{Columns: 3, Steps: 2, Warps: 2, Period: 2, Lines: 4}},
		{"fdtd-3d", stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1, Lines: 2}},
		{"laplacian-3d", stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1, Lines: 3, Across: 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := streaming(t, c.name, c.shape)
			pipe := p.GPU.Pipeline()
			pic := readSVG(t, Plot(PlotOptions{Pictures: []string{"pipeline"}}, p))
			number := func(s svgShape, name string) int {
				n, err := strconv.Atoi(s.data[name])
				require.NoError(t, err)
				return n
			}
			// strips: at each step each line of the plane is of one of the three
			fields := len(pic.in("rect", "line")) / (c.shape.Steps * c.shape.Warps * c.shape.Lines * pipe.Across)
			lines, at := p.Schedule.Phases[0].Space[1], map[int]map[int]bool{}
			for _, s := range pic.in("rect", "line") {
				step, line := number(s, "data-step"), int64(number(s, "data-line"))
				require.LessOrEqual(t, lines.Lo[step], line)
				require.LessOrEqual(t, line, lines.Hi[step])
				if at[step] == nil {
					at[step] = map[int]bool{}
				}
				at[step][int(line)] = true
			}
			require.Positive(t, fields)
			require.Len(t, at, c.shape.Steps*c.shape.Warps)
			for _, all := range at {
				require.Len(t, all, c.shape.Lines*pipe.Across)
			}
			in, out, whole := map[[3]int]int{}, map[[2]int]int{}, 0 // copies by step, line and warp
			for _, x := range pipe.Copies {
				switch {
				case x.In && x.Halo:
					in[[3]int{int(x.Step), int(x.Line), x.Warp}]++
				case x.In:
					whole++
				default:
					out[[2]int{int(x.Step), int(x.Line)}]++
				}
			}
			require.NotEmpty(t, in)
			require.NotEmpty(t, out)
			for _, s := range pic.in("rect", "comes") {
				step, line := number(s, "data-step"), number(s, "data-line")
				require.False(t, at[step][line], "it is computed")
				for _, warp := range strings.Fields(s.data["data-warps"]) {
					q, err := strconv.Atoi(warp)
					require.NoError(t, err)
					in[[3]int{step, line, q}]--
				}
			}
			for _, s := range pic.in("rect", "goes") {
				step, line := number(s, "data-step"), number(s, "data-line")
				require.True(t, at[step][line], "it is not computed")
				out[[2]int{step, line}]--
			}
			for at, n := range in {
				require.Zero(t, n, at)
			}
			for at, n := range out {
				require.Zero(t, n, at)
			}
			require.Len(t, pic.in("rect", "loaded"), whole)
			for _, s := range pic.in("rect", "other") {
				require.False(t, at[number(s, "data-step")][number(s, "data-line")])
			}
			// beats: the framed tile is that of the first warp's beat
			frames := pic.in("rect", "one")
			require.Len(t, frames, c.shape.Warps*pipe.Across)
			cell := frames[1].points[0].x - frames[0].points[0].x
			require.Positive(t, cell)
			for _, end := range []struct {
				class string
				from  int // the beat of the frame
			}{{"fetch", -pipe.Ahead}, {"store", pipe.Period}} {
				dots := pic.in("circle", end.class)
				require.NotEmpty(t, dots)
				for _, s := range dots {
					frame := frames[number(s, "data-warp")].points[0].x
					require.InDelta(t, float64(end.from)*cell/float64(pipe.Period), s.points[0].x-frame-cell/float64(pipe.Period)/2, 6)
				}
			}
		})
	}
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

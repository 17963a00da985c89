package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/golden"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// sizesOf are the tile sizes under which the tests here draw the cases of testdata.
var sizesOf = map[string]schedule.Sizes{
	"jacobi-1d":  {H: 2, W: []int64{3}},
	"jacobi-2d":  {H: 2, W: []int64{3, 32}},
	"asymmetric": {H: 2, W: []int64{3}},
	"fdtd-2d":    {H: 3, W: []int64{4, 32}},
	"wave-2d":    {H: 3, W: []int64{4, 32}},
	"heat-3d":    {H: 1, W: []int64{4, 8, 32}},
}

// images are the pictures of docs/images.
func images(t *testing.T) map[string][]byte {
	jacobi := products(t, "jacobi-2d", sizesOf["jacobi-2d"])
	asymmetric := products(t, "asymmetric", sizesOf["asymmetric"])
	fdtd := products(t, "fdtd-2d", sizesOf["fdtd-2d"])
	streamed, volume := streaming(t, "jacobi-2d", stream.DefaultShape), streaming(t, "laplacian-3d", stream.Volumes[0])
	fused := fusedDiffusion(t)
	tiling := func(p Products) *drawing {
		return tilingPicture(p.Schedule, regionOf(p.Schedule, nil), ofKernels, 1120)
	}
	return map[string][]byte{
		"graph.svg": graphPicture(graphOf(fused), fused.Schedule, ofKernels).document("Graph of horizontal diffusion",
			"Two arrays and four statements, with how many offsets each reads the others at, in one launch"),
		"overlapped.svg": tiling(fused).document("Tiles of horizontal diffusion that overlap",
			"Tiles of steps and the first space dimension; the points of the first steps that lie in two tiles are computed by both"),
		"hexagon.svg": hexagonPicture(jacobi.Schedule, jacobi.Cone).document("A hexagonal tile",
			"The 36 points of a hexagonal tile with h = 2 and w0 = 3, and the six lines around them"),
		"hexagon-asymmetric.svg": hexagonPicture(asymmetric.Schedule, asymmetric.Cone).document("A tile with unequal slopes",
			"The 42 points of a tile with slopes 1 and 2"),
		"cone.svg": conePicture(asymmetric.Cone, Inspect(asymmetric).distances(), "t").document("Opposite dependence cone",
			"Distances (1, -2) and (2, 2) and the cone around their opposites"),
		"tiling.svg": tiling(jacobi).document("Hexagonal tiling",
			"Tiles of time and the first space dimension, coloured by phase"),
		"fdtd-2d.svg": tiling(fdtd).document("Hexagonal tiling of fdtd-2d",
			"Tiles of time and the first space dimension for four nests, coloured by phase, points by statement"),
		"strips.svg": stripPicture(jacobi.Schedule, jacobi.Cone, 1, 700).document("Tiles of the second space dimension",
			"Parallelograms of time and the second space dimension, in the order in which a block runs them"),
		"order.svg": orderPicture(jacobi.Schedule, schedule.WhenReady(jacobi.Schedule, jacobi.Cone), ofKernels, 1180).document("When tiles can start",
			"A small grid of tiles, coloured by when they can start: as launches in turn let them, and when their data is ready"),
		"timeline.svg": timelinePicture(assessed(t, "jacobi-2d", "sm_80", model.Typical{"T": 1000, "n": 4096}), 1180, timelineColumns).document("When blocks run tiles",
			"Blocks of an A100 that run tiles or are idle, in phases and when ready, simulated"),
		"ranks.svg": onRanks(t).document("Who runs what, and the messages",
			"The tiles of time and the first space dimension, coloured by the rank that runs them, and the messages that cross the borders between ranks"),
		"footprint.svg": footprintPicture(jacobi, 1120).document("Footprint of a tile",
			"For each step of a tile, the elements that it loads, reads again and writes, and the shared memory that it takes"),
		"pipeline.svg": pipelinePicture(streamed.GPU, streamed.Space, 1180).document("When warps run steps",
			"The steps of tiles that each warp of a block runs in each beat, and the columns that its lanes compute"),
		"pipeline-3d.svg": pipelinePicture(volume.GPU, volume.Space, 1180).document("When warps run steps, in three dimensions",
			"The steps of tiles that each warp of a block runs in each beat, the columns that its lanes compute, and the lines that strips pass on"),
		"roofline.svg": rooflinePicture(jacobi.GPU, 1000).document("Roofline",
			"The limits of an A100, and where a full tile lies under them"),
	}
}

// fusedDiffusion returns what there is of horizontal diffusion by boxes that overlap.
func fusedDiffusion(t *testing.T) Products {
	t.Helper()
	x := pipeline.Read(t, "fused-diffusion.c", cases.ReadIdiom(t, "fused-diffusion").Text)
	s, err := schedule.Overlapped(x.Space, x.Deps, schedule.Sizes{H: 1, W: []int64{16, 1, 32}})
	require.NoError(t, err)
	return Products{Scop: x.Scop, Deps: x.Deps, Space: x.Space, Strategy: "overlapped", Schedule: s, GPU: pipeline.Map(t, s, pipeline.Device(t, "sm_80"), lower.Options{})}
}

// TestImages keeps docs/images up to date (-update rewrites them).
func TestImages(t *testing.T) {
	for name, got := range images(t) {
		wellFormed(t, name, got)
		upToDate(t, filepath.Join("..", "docs", "images", name), got)
	}
}

// upToDate compares a file of the repository with what it should hold, or writes it.
func upToDate(t *testing.T, path string, want []byte) {
	t.Helper()
	if *golden.Update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, want, 0o644))
	}
	have, err := os.ReadFile(path)
	require.NoError(t, err)
	require.True(t, bytes.Equal(want, have), "%s is stale: make gallery", path)
}

// wellFormed reads all of an SVG file as XML. Nothing in it may come from elsewhere.
func wellFormed(t *testing.T, name string, svg []byte) {
	t.Helper()
	dec := xml.NewDecoder(bytes.NewReader(svg))
	seen := map[string]int{}
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err, name)
		if e, ok := token.(xml.StartElement); ok {
			seen[e.Name.Local]++
			for _, a := range e.Attr {
				require.NotEqual(t, "href", a.Name.Local, name)
				require.NotContains(t, a.Value, "NaN", name)
				require.NotContains(t, a.Value, "Inf", name)
			}
		}
	}
	require.Equal(t, 1, seen["svg"], name)
	require.Equal(t, 1, seen["desc"], name)
}

// TestLabels checks that no label leaves its tile, touches another label or
// lies on a point, and that no point is missing that no label covers.
func TestLabels(t *testing.T) {
	for name, sizes := range sizesOf {
		p := products(t, name, sizes)
		for _, width := range []float64{1120, 700, 2400} {
			r := regionOf(p.Schedule, nil)
			f := &tilingFigure{p: plane{p.Schedule}, r: r}
			f.shares, f.launches = f.p.shares(r)
			f.layout(width)
			f.label()
			for i, l := range f.labels {
				for _, m := range f.labels[:i] {
					apart := math.Abs(l.x-m.x) >= (l.w+m.w)/2 || math.Abs(l.y-m.y) >= (l.h+m.h)/2
					require.True(t, apart, "%s: %v and %v", name, l.share, m.share)
				}
				tau, s := (f.origin.y-l.y)/f.rise, (l.x-f.origin.x)/f.cell
				require.True(t, insidePolygon(f.p.outline(l.share.tile), s, tau), "%s: %v", name, l.share)
			}
			if width == 1120 {
				require.GreaterOrEqual(t, 4*len(f.labels), 3*len(f.shares), "%s: most tiles have a label", name)
			}
		}
	}
}

// TestShares counts the instances of each tile by its definition.
func TestShares(t *testing.T) {
	for name, sizes := range sizesOf {
		p := products(t, name, sizes)
		pl := plane{p.Schedule}
		r := regionOf(p.Schedule, nil)
		want := map[tile]int64{}
		for tau := r.domain.tauLo; tau <= r.domain.tauHi; tau++ {
			for s := r.domain.sLo; s <= r.domain.sHi; s++ {
				if r.in(tau, s) {
					tl, ok := pl.owner(tau, s)
					require.True(t, ok)
					want[tl]++
				}
			}
		}
		shares, launches := pl.shares(r)
		require.Len(t, shares, len(want), name)
		full := 0
		for i, sh := range shares {
			require.Equal(t, want[sh.tile], sh.Points, "%s %v", name, sh.tile)
			require.Equal(t, launches[sh.Launch-1].T, sh.T)
			require.Equal(t, launches[sh.Launch-1].Phase, sh.Phase)
			if i > 0 {
				require.LessOrEqual(t, shares[i-1].Launch, sh.Launch)
			}
			if sh.Full {
				full++
			}
		}
		require.Positive(t, full, "%s: the picture shows a full tile", name)
	}
}

// TestEmptyRegion draws a program that runs nothing.
func TestEmptyRegion(t *testing.T) {
	p := products(t, "jacobi-1d", sizesOf["jacobi-1d"])
	svg := Plot(PlotOptions{Values: map[string]int64{"T": 0, "n": 1}}, p)
	wellFormed(t, "empty", svg)
	require.Contains(t, string(svg), "no instances for")
}

// TestLargeRegion draws only a corner of a large grid.
func TestLargeRegion(t *testing.T) {
	p := products(t, "jacobi-2d", sizesOf["jacobi-2d"])
	values := map[string]int64{}
	for _, x := range p.Scop.Params {
		values[x.Name] = 100000
	}
	svg := Plot(PlotOptions{Values: values}, p)
	wellFormed(t, "large", svg)
	require.Less(t, len(svg), 400_000)
}

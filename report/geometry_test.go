package report

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/schedule"
)

// odd are further sizes to draw: the least, some that are wide, high, and huge.
var odd = map[string][]schedule.Sizes{
	"jacobi-1d":  {{H: 0, W: []int64{0}}, {H: 1, W: []int64{1}}, {H: 5, W: []int64{63}}, {H: 30, W: []int64{1}}, {H: 3, W: []int64{4000}}},
	"jacobi-2d":  {{H: 0, W: []int64{0, 1}}, {H: 5, W: []int64{16, 64}}, {H: 1, W: []int64{300, 7}}, {H: 24, W: []int64{2, 32}}, {H: schedule.NoHeight, W: []int64{7, 20}}},
	"asymmetric": {{H: 0, W: []int64{1}}, {H: 7, W: []int64{30}}},
	"fdtd-2d":    {{H: 3, W: []int64{1, 32}}, {H: 7, W: []int64{20, 32}}, {H: schedule.NoHeight, W: []int64{16, 32}}},
	"wave-2d":    {{H: 5, W: []int64{7, 32}}},
	"heat-3d":    {{H: 0, W: []int64{0, 1, 1}}, {H: 2, W: []int64{5, 10, 32}}},
}

// A plotted is a sheet that a test has drawn.
type plotted struct {
	p   Products
	pic svgPicture
}

var plots = map[string]plotted{}

// eachPlot draws the sheets of the cases at all sizes.
func eachPlot(t *testing.T, f func(t *testing.T, p Products, pic svgPicture)) {
	for name, usual := range sizesOf {
		for _, sizes := range append([]schedule.Sizes{usual}, odd[name]...) {
			key := fmt.Sprintf("%s %v", name, sizes)
			x, known := plots[key]
			if !known {
				p := runPasses(t, name, sizes)
				svg := Plot(PlotOptions{}, p)
				wellFormed(t, name, svg)
				x = plotted{p, readSVG(t, svg)}
				plots[key] = x
			}
			t.Run(key, func(t *testing.T) { f(t, x.p, x.pic) })
		}
	}
}

// TestTextIsLegible: text lies inside of the picture, and apart from all other text.
func TestTextIsLegible(t *testing.T) {
	eachPlot(t, func(t *testing.T, p Products, pic svgPicture) {
		texts := pic.in("text", "")
		require.NotEmpty(t, texts)
		for i, x := range texts {
			require.True(t, pic.view.holds(x.box), "%q leaves the picture: %v of %v", x.text, x.box, pic.view)
			for _, y := range texts[:i] {
				require.False(t, x.box.meets(y.box), "%q at %v and %q at %v overlap", x.text, x.box, y.text, y.box)
			}
		}
	})
}

// TestShapesInView: no shape leaves the picture.
func TestShapesInView(t *testing.T) {
	eachPlot(t, func(t *testing.T, p Products, pic svgPicture) {
		for _, s := range pic.shapes {
			for _, q := range s.points {
				require.True(t, pic.view.holds(rectangle{q.x, q.y, 0, 0}), "%s %v leaves %v", s.kind, q, pic.view)
			}
		}
	})
}

// drawnTile reads which tile a polygon is.
func drawnTile(t *testing.T, s svgShape) (x tile) {
	_, err := fmt.Sscan(s.data["data-tile"], &x.T, &x.Phase, &x.S)
	require.NoError(t, err)
	return x
}

// TestDrawnTilesCoverThePlane: at every place between the corners of the drawn
// domain lies one drawn tile; each point lies in its own; the colour of a tile is that of its phase.
func TestDrawnTilesCoverThePlane(t *testing.T) {
	eachPlot(t, func(t *testing.T, p Products, pic svgPicture) {
		pl := plane{p.Schedule}
		polygons := pic.in("polygon", "tiling")
		var tiles []svgShape
		for _, s := range polygons {
			if s.data["data-tile"] != "" {
				tiles = append(tiles, s)
			}
		}
		require.NotEmpty(t, tiles)
		scale := scaleOf(t, pl, tiles)
		for _, s := range tiles {
			x := drawnTile(t, s)
			ink := phaseTint(x.Phase)
			require.Contains(t, []string{ink.fill, ink.light}, s.data["fill"])
			require.InDelta(t, area(pl.outline(x)), math.Abs(area(s.points))/scale.cell/scale.rise, 0.02*area(pl.outline(x))+0.05)
		}
		r := regionOf(p.Schedule, nil)
		stepT, stepS := max(1, (r.window.tauHi-r.window.tauLo)/24), max(1, (r.window.sHi-r.window.sLo)/40)
		for tau := r.window.tauLo; tau <= r.window.tauHi; tau += stepT {
			for s := r.window.sLo; s <= r.window.sHi; s += stepS {
				if !r.in(tau, s) {
					continue
				}
				at := scale.at(float64(s), float64(tau))
				holds := 0
				for _, shape := range tiles {
					if insidePolygon(shape.points, at.x, at.y) {
						holds++
						want, _ := pl.owner(tau, s)
						require.Equal(t, want, drawnTile(t, shape), "(%d, %d)", tau, s)
					}
				}
				require.Equal(t, 1, holds, "(%d, %d)", tau, s)
			}
		}
		for _, dots := range pic.in("dots", "tiling") {
			if !slices.Contains(dots.classes, "points") {
				continue // of the legend
			}
			for _, at := range dots.points {
				holds := 0
				for _, shape := range tiles {
					if insidePolygon(shape.points, at.x, at.y) {
						holds++
					}
				}
				require.Equal(t, 1, holds, "point at %v", at)
			}
		}
	})
}

// scaleOf finds where a picture puts the plane, from the corners of its tiles.
func scaleOf(t *testing.T, pl plane, tiles []svgShape) (f frame) {
	lo, hi := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	seenLo, seenHi := lo, hi
	grow := func(lo, hi *point, q point) {
		lo.x, lo.y, hi.x, hi.y = min(lo.x, q.x), min(lo.y, q.y), max(hi.x, q.x), max(hi.y, q.y)
	}
	for _, s := range tiles {
		for _, q := range pl.outline(drawnTile(t, s)) {
			grow(&lo, &hi, q)
		}
		for _, q := range s.points {
			grow(&seenLo, &seenHi, q)
		}
	}
	f.cell, f.rise = (seenHi.x-seenLo.x)/(hi.x-lo.x), (seenHi.y-seenLo.y)/(hi.y-lo.y)
	f.origin = point{seenLo.x - lo.x*f.cell, seenHi.y + lo.y*f.rise}
	return f
}

// TestStrips: the drawn tiles of a classical dimension are the ones of the
// schedule, beside each other; their areas are that of their points.
func TestStrips(t *testing.T) {
	eachPlot(t, func(t *testing.T, p Products, pic svgPicture) {
		var tiles []svgShape
		for _, s := range pic.in("polygon", "strips") {
			if s.data["data-tile"] != "" {
				tiles = append(tiles, s)
			}
		}
		require.Len(t, tiles, stripsShown*(len(p.Space.Space)-1))
		for dim := 1; dim < len(p.Space.Space); dim++ {
			pl, own := stripPlane(p.Schedule, dim), tiles[(dim-1)*stripsShown:dim*stripsShown]
			scale := scaleOf(t, pl, own)
			d := pl.dim(0)
			for i, s := range own {
				require.Equal(t, tile{0, 0, int64(i)}, drawnTile(t, s))
				require.InEpsilon(t, float64(pl.points(tile{0, 0, int64(i)})), math.Abs(area(s.points))/scale.cell/scale.rise, 0.02)
			}
			for a := range p.Schedule.Height {
				for b := d.Lo[a]; d.Lo[a] <= d.Hi[a] && b <= d.Lo[a]+stripsShown*d.Stride-1; b += max(1, d.Stride/5) {
					at := scale.at(float64(b+d.Offset), float64(a))
					holds := 0
					for i, s := range own {
						if insidePolygon(s.points, at.x, at.y) {
							holds++
							require.EqualValues(t, (b-d.Lo[a])/d.Stride, i)
						}
					}
					require.Equal(t, 1, holds)
				}
			}
		}
	})
}

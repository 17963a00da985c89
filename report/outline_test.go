package report

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// shapes returns the examples and random legal tilings, rational slopes among them.
func shapes() []shape {
	rng := rand.New(rand.NewPCG(3, 4))
	all := []shape{jacobi, skewed, {h: 0, w0: 1, n0: 1, d0: 1, n1: 1, d1: 1}, {h: 3, w0: 0, n0: 0, d0: 1, n1: 1, d1: 1}}
	for len(all) < 80 {
		g := shape{rng.Int64N(6), rng.Int64N(7), rng.Int64N(5), 1 + rng.Int64N(3), rng.Int64N(5), 1 + rng.Int64N(3)}
		if g.legal() {
			all = append(all, g)
		}
	}
	return all
}

// around returns all tiles with indices near 0.
func around(p plane, times, space int64) (ts []tile) {
	for T := -times; T <= times; T++ {
		for phase := range p.s.Phases {
			for S := -space; S <= space; S++ {
				ts = append(ts, tile{T, phase, S})
			}
		}
	}
	return ts
}

// TestOutlinesCoverThePlane checks that each integer point of a window lies
// inside exactly one outline, that of its owner, and that each outline has an
// area; the areas of a period add up to the period.
func TestOutlinesCoverThePlane(t *testing.T) {
	for _, g := range shapes() {
		p := plane{g.schedule()}
		outlines := map[tile][]point{}
		for _, tl := range around(p, 3, 5) {
			outlines[tl] = p.outline(tl)
			require.Greater(t, area(outlines[tl]), 0.0, "%+v %v", g, tl)
			if d := p.s.Phases[tl.Phase]; tl.T == 0 {
				require.LessOrEqual(t, len(outlines[tl]), 4*len(d.Space[0].Lo)+4)
			}
		}
		W := p.dim(0).Stride
		for tau := -p.s.Height; tau < p.s.Height; tau++ {
			for s := -W; s < W; s++ {
				holds := 0
				for tl, ps := range outlines {
					if insidePolygon(ps, float64(s), float64(tau)) {
						holds++
						owner, ok := p.owner(tau, s)
						require.True(t, ok)
						require.Equal(t, owner, tl, "%+v: (%d, %d)", g, tau, s)
					}
				}
				require.Equal(t, 1, holds, "%+v: (%d, %d)", g, tau, s)
			}
		}
		period := 0.0
		for phase := range p.s.Phases {
			period += area(outlines[tile{0, phase, 0}])
		}
		require.InDelta(t, float64(W*p.s.Height), period, 1e-6, "%+v", g)
	}
}

// TestOutlinesMeet checks at random places, not only at integer points, that exactly one outline holds them.
func TestOutlinesMeet(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, g := range shapes() {
		p := plane{g.schedule()}
		var outlines [][]point
		for _, tl := range around(p, 3, 5) {
			outlines = append(outlines, p.outline(tl))
		}
		W, H := float64(p.dim(0).Stride), float64(p.s.Height)
		for range 200 {
			x, y := (2*rng.Float64()-1)*W, (2*rng.Float64()-1)*H
			holds := 0
			for _, ps := range outlines {
				if insidePolygon(ps, x, y) {
					holds++
				}
			}
			require.Equal(t, 1, holds, "%+v: (%g, %g)", g, y, x)
		}
	}
}

// TestIntegerSlopesGiveHexagons: no outline has more than six corners then.
func TestIntegerSlopesGiveHexagons(t *testing.T) {
	for _, g := range shapes() {
		if g.d0 != 1 || g.d1 != 1 {
			continue
		}
		p := plane{g.schedule()}
		for phase := range 2 {
			require.LessOrEqual(t, len(p.outline(tile{1, phase, 2})), 6, "%+v", g)
		}
	}
}

// TestHexagonsHaveSixCorners pins the corners of the example.
func TestHexagonsHaveSixCorners(t *testing.T) {
	p := plane{jacobi.schedule()}
	ps := p.outline(tile{0, 1, 0})
	require.Equal(t, []point{{5, -0.5}, {8, 2.5}, {5, 5.5}, {2, 5.5}, {-1, 2.5}, {2, -0.5}}, ps)
	require.EqualValues(t, 36, p.points(tile{0, 1, 0}))
	require.EqualValues(t, 42, plane{skewed.schedule()}.points(tile{0, 0, 7}))
}

// area is that of a polygon, positive if its corners go left around.
func area(ps []point) float64 {
	sum := 0.0
	for i := range ps {
		sum += cross(point{}, ps[i], ps[(i+1)%len(ps)])
	}
	return sum / 2
}

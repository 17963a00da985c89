package schedule

// This file is section 3.3 of Grosser, Verdoolaege, Cohen and Sadayappan, "The
// Promises of Hybrid Hexagonal/Classical Tiling for GPU" (RR-8339): one
// function for each numbered equation. Two things differ from the print.
// Equation (3) there has ⌊δ1·h⌋ where its own derivation, by neighbours at
// (-h-1, -w0-1-⌊δ0·h⌋), needs ⌊δ0·h⌋; the two agree only on symmetric
// stencils. And the slopes δ are clamped at 0: with a negative one the tiles
// no longer cover the plane.

// A hexagon is the tile of time and the first space dimension.
type hexagon struct {
	H, W0  int64
	F0, F1 int64     // ⌊δ0·h⌋ and ⌊δ1·h⌋
	Width  int64     // of the box around a tile: tiles of a row are Width apart
	Height int64     // of the box: 2h+2
	Drift  int64     // rows of boxes move by -Drift with each T
	Shift  int64     // the boxes of phase 0 start at -Shift where T = 0
	Moved  [2]origin // by phase: how far the boxes are moved from there

	delta0, delta1 slope
}

// newHexagon returns the tile of height h and width w0 for slopes delta0
// (ds0 <= delta0·dt) and delta1 (-ds0 <= delta1·dt). h >= 0 and w0 >= minW0.
func newHexagon(delta0, delta1 slope, h, w0 int64) hexagon {
	f0, f1 := delta0.floorMul(h), delta1.floorMul(h)
	return hexagon{
		H: h, W0: w0, F0: f0, F1: f1,
		Width:  2*w0 + 2 + f0 + f1,
		Height: 2*h + 2,
		Drift:  f1 - f0,
		Shift:  f0 + w0 + 1,
		delta0: delta0, delta1: delta1,
	}
}

// minW0 is (1): w0 >= max(δ0 + {δ0·h}, δ1 + {δ1·h}) - 1, and w0 >= 0.
func minW0(delta0, delta1 slope, h int64) int64 {
	side := func(s slope) int64 { // ⌈δ + {δh}⌉ - 1
		frac := h*s.num - s.den*s.floorMul(h)
		return -floorDiv(-(s.num+frac), s.den) - 1
	}
	return max(0, side(delta0), side(delta1))
}

// An origin is a point (t, s0).
type origin struct{ t, s0 int64 }

// timeShift is how far before t = 0 the boxes of T = 0 start, so that the time tile of t is
// (2) for phase 0, (4) for phase 1: T = ⌊(t + h+1)/(2h+2)⌋ or ⌊t/(2h+2)⌋.
func (g hexagon) timeShift(phase int) int64 {
	if phase == 0 {
		return g.H + 1 - g.Moved[phase].t
	}
	return -g.Moved[phase].t
}

// spaceShift is how far before s0 = 0 the box of T = 0, S0 = 0 starts, so that the box of s0 is
// (3) for phase 0, (5) for phase 1: S0 = ⌊(s0 + ⌊δ0·h⌋ + w0 + 1 + T·drift)/W⌋ or ⌊(s0 + T·drift)/W⌋.
func (g hexagon) spaceShift(phase int) int64 {
	if phase == 0 {
		return g.Shift - g.Moved[phase].s0
	}
	return -g.Moved[phase].s0
}

// sides returns the inequalities that cut the tile out of the points
// 0 <= a < Height (7, 13): its own (6), (8), (10) and (12), which imply 0 <= b < Width.
func (g hexagon) sides() []HalfPlane {
	return []HalfPlane{
		g.topLeft(),     // (6)
		g.topRight(),    // (8)
		g.bottomLeft(),  // (10)
		g.bottomRight(), // (12)
	}
}

// topLeft is (6): δ0·a - b <= (2h+1)·δ0 - ⌊δ0·h⌋, times the denominator of δ0.
func (g hexagon) topLeft() HalfPlane {
	n, d := g.delta0.num, g.delta0.den
	return HalfPlane{A: -n, B: d, C: (2*g.H+1)*n - d*g.F0}
}

// topRight is (8): δ1·a + b <= (2h+1)·δ1 + ⌊δ0·h⌋ + w0, times the denominator of δ1.
func (g hexagon) topRight() HalfPlane {
	n, d := g.delta1.num, g.delta1.den
	return HalfPlane{A: -n, B: -d, C: (2*g.H+1)*n + d*(g.F0+g.W0)}
}

// bottomLeft is (10): δ1·a + b >= h·δ1 - (d1-1)/d1, times the denominator d1 of δ1.
func (g hexagon) bottomLeft() HalfPlane {
	n, d := g.delta1.num, g.delta1.den
	return HalfPlane{A: n, B: d, C: -g.H*n + d - 1}
}

// bottomRight is (12): δ0·a - b >= h·δ0 - ⌊δ0·h⌋ - w0 - ⌊δ1·h⌋ - (d0-1)/d0,
// times the denominator d0 of δ0.
func (g hexagon) bottomRight() HalfPlane {
	n, d := g.delta0.num, g.delta0.den
	return HalfPlane{A: n, B: -d, C: -g.H*n + d*(g.F0+g.W0+g.F1) + d - 1}
}

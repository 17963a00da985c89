package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/schedule"
)

// A plane is the tiles of a schedule in tau and the first space dimension. All
// it knows it reads from the rows of the phases, so it serves any scheme.
type plane struct{ s *schedule.Schedule }

// A tile is one tile of the plane.
type tile struct {
	T     int64
	Phase int
	S     int64
}

func (t tile) String() string { return fmt.Sprintf("T=%d, phase %d, S0=%d", t.T, t.Phase, t.S) }

func (p plane) dim(phase int) schedule.TileDim { return p.s.Phases[phase].Space[0] }

// tau returns the time of step a of t.
func (p plane) tau(t tile, a int64) int64 {
	return p.s.Height*t.T + a - p.s.Phases[t.Phase].TimeShift
}

// row returns the points lo <= s <= hi of t at time tau; ok is false if it has none.
func (p plane) row(t tile, tau int64) (lo, hi int64, ok bool) {
	a := tau - p.tau(t, 0)
	if a < 0 || a >= p.s.Height {
		return 0, 0, false
	}
	d := p.dim(t.Phase)
	base := d.Stride*t.S + d.Drift*t.T + d.Offset
	return base + d.Lo[a], base + d.Hi[a], d.Lo[a] <= d.Hi[a]
}

// owner returns the tile that holds the point (tau, s); ok is false if no tile does.
func (p plane) owner(tau, s int64) (t tile, ok bool) {
	for phase := range p.s.Phases {
		if t, ok := p.ownerIn(phase, tau, s); ok {
			return t, true
		}
	}
	return tile{}, false
}

// ownerIn is owner among the tiles of one phase.
func (p plane) ownerIn(phase int, tau, s int64) (tile, bool) {
	shifted := tau + p.s.Phases[phase].TimeShift
	T := floorDiv(shifted, p.s.Height)
	a := shifted - p.s.Height*T
	d := p.dim(phase)
	local := s - d.Drift*T - d.Offset
	S := floorDiv(local-d.Lo[a], d.Stride)
	return tile{T, phase, S}, local-d.Stride*S <= d.Hi[a]
}

// span returns the first and last time at which t has points, and false if it
// has none, or a gap between.
func (p plane) span(t tile) (first, last int64, ok bool) {
	start := p.tau(t, 0)
	n := int64(0)
	for tau := start; tau < start+p.s.Height; tau++ {
		if _, _, in := p.row(t, tau); !in {
			continue
		}
		if n == 0 {
			first = tau
		}
		last = tau
		n++
	}
	return first, last, n > 0 && last-first+1 == n
}

// points counts the points of t.
func (p plane) points(t tile) (n int64) {
	start := p.tau(t, 0)
	for tau := start; tau < start+p.s.Height; tau++ {
		if lo, hi, ok := p.row(t, tau); ok {
			n += hi - lo + 1
		}
	}
	return n
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func ceilDiv(a, b int64) int64 { return -floorDiv(-a, b) }

// sortTiles sorts by time tile, phase and S0: the order in which tiles run.
func sortTiles(ts []tile) {
	slices.SortFunc(ts, func(a, b tile) int {
		return cmp.Or(cmp.Compare(a.T, b.T), cmp.Compare(a.Phase, b.Phase), cmp.Compare(a.S, b.S))
	})
}

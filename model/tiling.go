package model

import (
	"math"
	"slices"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/schedule"
)

// A tiling is how a Grid falls into tiles.
type tiling struct {
	launches []launches
	full     float64 // share of the tiles that no bound cuts
	waits    *waits  // nil: the tiles of a launch start when those of the one before have ended
}

// launches are launches of one phase that have as many blocks, at least one:
// a phase that has no tile in a time tile is not launched there.
type launches struct {
	phase    int
	times    int64 // how many there are
	blocks   int64 // of each, along all axes of its grid
	across   int64 // tiles along the first dimension: chains, where rows stream, whether or not rows need each other
	sequence int64 // tiles of a block, one after the other
}

// sampled is how many time tiles of a phase stand for all of them, where tiles
// drift from one to the next; else the one in the middle does.
const sampled = 8

// tilesOf returns how g falls into tiles of s.
func tilesOf(s *schedule.Schedule, g Grid) tiling {
	if g.Points == 0 {
		return tiling{full: 1}
	}
	var t tiling
	steps := g.Steps * int64(s.Canonical.K)
	all, whole := 0.0, 0.0
	for phase, ph := range s.Phases {
		first, last := floorDiv(ph.TimeShift, s.Height), floorDiv(steps-1+ph.TimeShift, s.Height)
		n := last - first + 1
		inTime := float64(max(0, floorDiv(steps+ph.TimeShift, s.Height)-ceilDiv(ph.TimeShift, s.Height))) / float64(n)
		samples := int64(1)
		if drifts(ph) {
			samples = min(n, sampled)
		}
		for i := range samples {
			x := launches{phase: phase, times: n*(i+1)/samples - n*i/samples}
			tiles, full := 1.0, inTime
			if ph.Stream != nil { // bounds of time are tested at each position
				full = 1
			}
			x.blocks, x.sequence = 1, 1
			looped := lower.Looped(ph)
			for p, d := range ph.Space {
				have, uncut := positions(d, first+n*(2*i+1)/(2*samples), g.Space[p])
				tiles *= float64(have)
				if p == 0 {
					x.across = have
				}
				if ph.Stream == nil || ph.Stream.Dim != p { // else a piece that a bound cuts has fewer positions, and is full otherwise
					full *= float64(uncut) / float64(max(1, have))
				}
				if slices.Contains(looped, p) {
					x.sequence = times(x.sequence, have)
				} else {
					x.blocks = times(x.blocks, have)
				}
			}
			if x.blocks == 0 || x.sequence == 0 {
				continue
			}
			t.launches = append(t.launches, x)
			all += float64(x.times) * tiles
			whole += float64(x.times) * tiles * full
		}
	}
	t.full = whole / max(1, all)
	t.waits = t.waitsOf(s, g)
	return t
}

// drifts reports whether tiles of later time tiles lie elsewhere.
func drifts(ph schedule.Phase) bool {
	for _, d := range ph.Space {
		if d.Drift != 0 {
			return true
		}
	}
	return false
}

// count returns how many launches there are.
func (t tiling) count() (n int64) {
	for _, x := range t.launches {
		n += x.times
	}
	return n
}

// most returns the launches with the most blocks, the zero value if there are none.
func (t tiling) most() (m launches) {
	for _, x := range t.launches {
		if x.blocks > m.blocks {
			m = x
		}
	}
	return m
}

// positions returns how many tile indices of d have points in r at time tile T,
// and how many have all their points in it.
func positions(d schedule.TileDim, T int64, r Range) (all, whole int64) {
	first, last, ok := d.Extent()
	if !ok {
		return 0, 0
	}
	at := d.Drift*T + d.Offset
	all = floorDiv(r.Hi-at-first, d.Stride) - ceilDiv(r.Lo-at-last, d.Stride) + 1
	whole = floorDiv(r.Hi-at-last, d.Stride) - ceilDiv(r.Lo-at-first, d.Stride) + 1
	return max(0, all), max(0, whole)
}

// times returns a*b, none of them negative, or the largest int64 where that is more.
func times(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func ceilDiv(a, b int64) int64 { return -floorDiv(-a, b) }

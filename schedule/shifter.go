package schedule

import (
	"math"
	"math/big"
	"slices"

	"github.com/hexcc/hexcc/poly"
)

// This file finds the moves of shift.go. That slopes stay within given limits is
// a system of differences, x_dst - x_src <= u and >= l, which has integer
// solutions exactly if it has no negative cycle; the limits to try are the
// finitely many values that the slopes of single dependences take.

// A pull is one dependence in one space dimension: up bounds its distances
// from above, down those in the other direction.
type pull struct {
	src, dst int
	up, down *reach
}

// A shifter holds the dependences of k nests in one space dimension.
type shifter struct {
	k      int
	pulls  []pull
	pinned int      // the nest that stays
	open   bool     // the distances may be unbounded from above
	ties   [][2]int // nests that stay together
	tried  int      // how many slopes were
}

// slopes returns the slopes with nest i moved by x[i]; ok is false where they
// are unbounded. Hi is nil where only it is, and may be.
func (s *shifter) slopes(x []int64) (r Slopes, ok bool) {
	r = Slopes{new(big.Rat), new(big.Rat)}
	for _, p := range s.pulls {
		y := x[p.dst] - x[p.src]
		up, down := p.up.at(y), p.down.at(-y)
		switch {
		case down == nil || up == nil && !s.open:
			return Slopes{}, false
		case up == nil || r.Hi == nil:
			r.Hi = nil
		default:
			larger(r.Hi, up)
		}
		larger(r.Lo, down)
	}
	return r, true
}

// best returns the moves with the smallest slopes, where start are those
// without any. Of several it takes those with the least sum of distances.
func (s *shifter) best(start Slopes, hexagonal bool) (by []int64) {
	limits := []Slopes{s.leastLo(start)}
	if hexagonal {
		limits = s.leastSums(start)
	}
	for _, limit := range limits {
		paths, ok := s.paths(limit)
		if !ok {
			panic("schedule: no moves within the slopes " + limit.String())
		}
		if x := s.nearest(paths); by == nil || total(x) < total(by) {
			by = x
		}
	}
	return by
}

// total returns the sum of the sizes of moves.
func total(by []int64) (sum int64) {
	for _, x := range by {
		sum += max(x, -x)
	}
	return sum
}

// leastSums returns all slopes of least sum, and of these those of least
// maximum, by Hi.
func (s *shifter) leastSums(start Slopes) (best []Slopes) {
	most := start.sum()
	los := s.values(most, pull.below)
	i := len(los) // that of the least that works: the higher the limit above, the lower it may be
	for _, hi := range s.values(most, pull.above) {
		for i > 0 {
			if _, ok := s.paths(Slopes{los[i-1], hi}); !ok {
				break
			}
			i--
		}
		if i == len(los) {
			continue
		}
		r := Slopes{los[i], hi}
		d := -1
		if len(best) > 0 {
			d = r.compare(best[0])
		}
		if d < 0 {
			best = nil
		}
		if d <= 0 {
			best = append(best, r)
		}
	}
	return best
}

// sum and top return the sum and the larger of the slopes.
func (r Slopes) sum() *big.Rat { return new(big.Rat).Add(r.Lo, r.Hi) }
func (r Slopes) top() *big.Rat {
	if r.Lo.Cmp(r.Hi) > 0 {
		return r.Lo
	}
	return r.Hi
}

// compare orders slopes of hexagons: by their sum, then by the larger one.
func (r Slopes) compare(q Slopes) int {
	if d := r.sum().Cmp(q.sum()); d != 0 {
		return d
	}
	return r.top().Cmp(q.top())
}

// leastLo returns the slopes of least Lo, and with that of least Hi.
func (s *shifter) leastLo(start Slopes) Slopes {
	best := Slopes{Lo: start.Lo}
	for _, lo := range s.values(start.Lo, pull.below) {
		if _, ok := s.paths(Slopes{Lo: lo}); ok {
			best.Lo = lo
			break
		}
	}
	if start.Hi == nil {
		return best
	}
	paths, _ := s.paths(best)
	some, _ := s.slopes(s.nearest(paths))
	for _, hi := range s.values(some.Hi, pull.above) {
		if _, ok := s.paths(Slopes{best.Lo, hi}); ok {
			best.Hi = hi
			break
		}
	}
	return best
}

// above and below return the reaches of p as a function of how far its target
// is moved from its source, up or down.
func (p pull) above() *reach { return p.up }
func (p pull) below() *reach { return p.down }

// values returns the values up to limit that the slopes of single dependences
// take when nests are moved, ascending; none is less than what no move changes.
func (s *shifter) values(limit *big.Rat, side func(pull) *reach) (list []*big.Rat) {
	base := new(big.Rat)
	for _, p := range s.pulls {
		if p.src == p.dst {
			larger(base, side(p).at(0))
		}
	}
	list = []*big.Rat{base}
	for _, p := range s.pulls {
		if p.src == p.dst {
			continue
		}
		r := side(p)
		y, ok := r.most(limit)
		var last *big.Rat // a convex function that stops falling stays
		for v := r.at(y); ok && v.Cmp(base) > 0 && (last == nil || v.Cmp(last) < 0); v = r.at(y) {
			s.try()
			list, last, y = append(list, v), v, y-1
		}
	}
	slices.SortFunc(list, (*big.Rat).Cmp)
	return slices.CompactFunc(list, func(a, b *big.Rat) bool { return a.Cmp(b) == 0 })
}

// maxTried bounds the slopes that are tried to move nests along one dimension, and those that are computed for that. Where nests lie apart by
// the points of a grid there are as many of them; past the bound nests stay where their arrays put them.
const maxTried = 2000

// try counts one of them.
func (s *shifter) try() {
	if s.tried++; s.tried > maxTried {
		panic(&poly.LimitError{Op: "moves of nests", What: "slopes", Bound: maxTried})
	}
}

// unlimited is more than any sum of moves.
const unlimited = math.MaxInt64 / 4

// paths returns how far nest j may be moved beyond nest i, for all i and j,
// with slopes within limit, of which Hi may be nil; ok is false where no moves are.
func (s *shifter) paths(limit Slopes) (most [][]int64, ok bool) {
	s.try()
	most = make([][]int64, s.k)
	for i := range most {
		most[i] = slices.Repeat([]int64{unlimited}, s.k)
		most[i][i] = 0
	}
	for _, p := range s.pulls {
		y, ok := p.down.most(limit.Lo) // at least -y
		if !ok {
			return nil, false
		}
		most[p.dst][p.src] = min(most[p.dst][p.src], y)
		if limit.Hi == nil {
			continue
		}
		if y, ok = p.up.most(limit.Hi); !ok {
			return nil, false
		}
		most[p.src][p.dst] = min(most[p.src][p.dst], y)
	}
	for _, tie := range s.ties {
		i, j := tie[0], tie[1]
		most[i][j], most[j][i] = min(most[i][j], 0), min(most[j][i], 0)
	}
	for via := range most {
		for i := range most {
			for j := range most {
				most[i][j] = min(most[i][j], most[i][via]+most[via][j])
			}
		}
	}
	for i := range most {
		if most[i][i] < 0 {
			return nil, false
		}
	}
	return most, true
}

// nearest returns moves that paths allow: the pinned nest stays, and each other
// in turn moves no further than those before leave it to.
func (s *shifter) nearest(paths [][]int64) []int64 {
	x := make([]int64, s.k)
	fixed := []int{s.pinned}
	for i := range x {
		if i == s.pinned {
			continue
		}
		lo, hi := int64(-unlimited), int64(unlimited)
		for _, j := range fixed {
			lo, hi = max(lo, x[j]-paths[i][j]), min(hi, x[j]+paths[j][i])
		}
		x[i] = max(lo, min(hi, 0))
		fixed = append(fixed, i)
	}
	return x
}

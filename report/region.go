package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A region is the points (tau, s0) at which a program has instances, for chosen
// values of its parameters, and the window of them to draw.
type region struct {
	domain, window rect
	in             func(tau, s int64) bool // is there an instance?
	words          string                  // the values chosen, such as "T = 8, N = 24"
}

// A rect is the points tauLo <= tau <= tauHi, sLo <= s <= sHi; empty if a bound passes its other.
type rect struct{ tauLo, tauHi, sLo, sHi int64 }

func (r rect) empty() bool { return r.tauLo > r.tauHi || r.sLo > r.sHi }

func (r rect) has(tau, s int64) bool {
	return r.tauLo <= tau && tau <= r.tauHi && r.sLo <= s && s <= r.sHi
}

// join returns the smallest rect around r and q.
func (r rect) join(q rect) rect {
	switch {
	case r.empty():
		return q
	case q.empty():
		return r
	}
	return rect{min(r.tauLo, q.tauLo), max(r.tauHi, q.tauHi), min(r.sLo, q.sLo), max(r.sHi, q.sHi)}
}

// regionOf returns the instances of the program of s for the given values.
// Parameters without a value get one that shows about two time tiles and three
// columns of tiles; a larger domain is drawn from its lower left corner only.
func regionOf(s *schedule.Schedule, given map[string]int64) region {
	c := s.Canonical
	high, wide := s.Height, s.Phases[0].Space[0].Stride
	values := chooseValues(c, given, 2*high+high/6, 2*wide+wide/2)
	domain := extent(c, values)
	window := domain
	if window.tauHi-window.tauLo >= 4*high {
		window.tauHi = window.tauLo + 2*high + high/6
	}
	if window.sHi-window.sLo >= 5*wide {
		window.sHi = window.sLo + 2*wide + wide/2
	}
	var words []string
	for i, p := range c.Scop.Params {
		words = append(words, fmt.Sprintf("%s = %d", p.Name, values[i]))
	}
	in := remembered(func(tau, s int64) bool { return hasInstance(c, values, tau, s) })
	return region{domain, window, func(tau, s int64) bool { return domain.has(tau, s) && in(tau, s) }, strings.Join(words, ", ")}
}

// remembered returns what answers as is does, and asks it once for each point. It keeps 64 points of a row together, since
// most questions are about the point next to the last one.
func remembered(is func(tau, s int64) bool) func(tau, s int64) bool {
	type word struct{ asked, yes uint64 }
	var (
		words = map[[2]int64]*word{}
		at    [2]int64
		w     *word // the word at
	)
	return func(tau, s int64) bool {
		if next := [2]int64{tau, s >> 6}; w == nil || next != at {
			at = next
			if w = words[at]; w == nil {
				w = &word{}
				words[at] = w
			}
		}
		bit := uint64(1) << (s & 63)
		if w.asked&bit == 0 {
			w.asked |= bit
			if is(tau, s) {
				w.yes |= bit
			}
		}
		return w.yes&bit != 0
	}
}

// chooseValues returns a value for each parameter: as given, or, for those
// that make the domain longer or wider, the least that gives it the wanted extents.
func chooseValues(c *schedule.Canonical, given map[string]int64, steps, points int64) []int64 {
	const start = 16
	params := c.Scop.Params
	values := make([]int64, len(params))
	free := make([]bool, len(params))
	for i, p := range params {
		v, ok := given[p.Name]
		if values[i] = v; !ok {
			values[i], free[i] = start, true
		}
	}
	size := func() (tau, s int64) {
		e := extent(c, values)
		return e.tauHi - e.tauLo + 1, e.sHi - e.sLo + 1
	}
	tau, s := size()
	grows := func(i int) (inTime, inSpace bool) {
		values[i] += start
		tauMore, sMore := size()
		values[i] -= start
		return tauMore > tau, sMore > s
	}
	var inTime, inSpace []int
	for i := range params {
		if !free[i] {
			continue
		}
		t, w := grows(i)
		if t {
			inTime = append(inTime, i)
		} else if w {
			inSpace = append(inSpace, i)
		}
	}
	set := func(which []int, v int64) {
		for _, i := range which {
			values[i] = v
		}
	}
	raise := func(which []int, enough func() bool) { // to the least value that is, or one that is too large
		if len(which) == 0 {
			return
		}
		lo, hi := int64(0), int64(1) // lo is not enough
		for set(which, hi); hi < 1<<18 && !enough(); set(which, hi) {
			lo, hi = hi, 2*hi
		}
		for hi-lo > 1 {
			if set(which, (lo+hi)/2); enough() {
				hi = (lo + hi) / 2
			} else {
				lo = (lo + hi) / 2
			}
		}
		set(which, hi)
	}
	raise(inSpace, func() bool { _, s := size(); return s >= points })
	for i := range params { // what bounds other dimensions is as large as s0
		if free[i] && len(inSpace) > 0 && !slices.Contains(inTime, i) && !slices.Contains(inSpace, i) {
			values[i] = values[inSpace[0]]
		}
	}
	raise(inTime, func() bool { tau, _ := size(); return tau >= steps })
	return values
}

// extent returns a box around the instances in (tau, s0); unbounded sides end at 1 << 20.
func extent(c *schedule.Canonical, values []int64) rect {
	all := rect{0, -1, 0, -1}
	for i, stmt := range c.Scop.Stmts {
		b := newBox(stmt, values)
		if !b.tighten() {
			continue
		}
		place := c.Places[i][0]
		shift := value(place.Shift, values)
		lo, hi := shift, shift
		if place.Iter >= 0 {
			lo, hi = b.lo[place.Iter]+shift, b.hi[place.Iter]+shift
			if place.Down {
				lo, hi = shift-b.hi[place.Iter], shift-b.lo[place.Iter]
			}
		}
		K := int64(c.K)
		level := int64(c.Levels[i])
		all = all.join(rect{K*b.lo[0] + level, K*b.hi[0] + level, lo, hi})
	}
	return all
}

// hasInstance reports whether a statement of time tau has an instance at s0 = s.
func hasInstance(c *schedule.Canonical, values []int64, tau, s int64) bool {
	t := floorDiv(tau, int64(c.K))
	return slices.ContainsFunc(c.At(int(tau-int64(c.K)*t)), func(st *scop.Stmt) bool { return runsAt(c, st, values, t, s) })
}

// runsAt reports whether st has an instance at time t and s0 = s.
func runsAt(c *schedule.Canonical, st *scop.Stmt, values []int64, t, s int64) bool {
	b := newBox(st, values)
	b.lo[0], b.hi[0] = t, t
	place := c.Places[st.Order][0]
	at := s - value(place.Shift, values)
	if place.Iter < 0 {
		return at == 0 && b.search()
	}
	at *= place.Sign()
	b.lo[place.Iter], b.hi[place.Iter] = at, at
	return b.search()
}

// A boxed is the ranges of the iterators of a statement under its bounds.
type boxed struct {
	rows   []scop.Affine
	values []int64
	lo, hi []int64
}

func newBox(s *scop.Stmt, values []int64) *boxed {
	b := &boxed{rows: s.Bounds, values: values}
	for range s.Iters {
		b.lo, b.hi = append(b.lo, -1<<20), append(b.hi, 1<<20)
	}
	return b
}

// tighten narrows the ranges by each row in turn, until nothing changes; false if one is empty.
func (b *boxed) tighten() bool {
	for range 64 {
		changed := false
		for _, row := range b.rows {
			for i, c := range row.Iters {
				if c == 0 {
					continue
				}
				rest := b.most(row, i) // c*x + rest >= 0
				if c > 0 && ceilDiv(-rest, c) > b.lo[i] {
					b.lo[i], changed = ceilDiv(-rest, c), true
				}
				if c < 0 && floorDiv(rest, -c) < b.hi[i] {
					b.hi[i], changed = floorDiv(rest, -c), true
				}
				if b.lo[i] > b.hi[i] {
					return false
				}
			}
			if b.most(row, -1) < 0 {
				return false
			}
		}
		if !changed {
			break
		}
	}
	return true
}

// most is the largest value of row over the ranges, without the term of iterator but.
func (b *boxed) most(row scop.Affine, but int) int64 {
	v := value(row, b.values)
	for i, c := range row.Iters {
		switch {
		case i == but || c == 0:
		case c > 0:
			v += c * b.hi[i]
		default:
			v += c * b.lo[i]
		}
	}
	return v
}

// search reports whether some integer point of the ranges satisfies all rows.
func (b *boxed) search() bool {
	if !b.tighten() {
		return false
	}
	split := slices.IndexFunc(b.lo, func(int64) bool { return true })
	for i := range b.lo {
		if b.lo[i] < b.hi[i] {
			split = i
		}
	}
	if b.lo[split] == b.hi[split] {
		return true // one point, which tighten has checked
	}
	for x := b.lo[split]; x <= b.hi[split]; x++ {
		one := &boxed{b.rows, b.values, slices.Clone(b.lo), slices.Clone(b.hi)}
		one.lo[split], one.hi[split] = x, x
		if one.search() {
			return true
		}
	}
	return false
}

// value is e at iterators 0.
func value(e scop.Affine, params []int64) int64 {
	v := e.Const
	for i, c := range e.Params {
		v += c * params[i]
	}
	return v
}

// frameSides returns the sides of a box around the domain of r, cut off where
// the picture from lo to hi ends, in (s, tau).
func (r region) frameSides(lo, hi point) [][2]point {
	left, right := float64(r.domain.sLo)-0.5, float64(r.domain.sHi)+0.5
	low, top := float64(r.domain.tauLo)-0.5, float64(r.domain.tauHi)+0.5
	x0, x1 := math.Max(left, lo.x), math.Min(right, hi.x)
	y0, y1 := math.Max(low, lo.y), math.Min(top, hi.y)
	var sides [][2]point
	for _, x := range []float64{left, right} {
		if x >= lo.x && x <= hi.x {
			sides = append(sides, [2]point{{x, y0}, {x, y1}})
		}
	}
	for _, y := range []float64{low, top} {
		if y >= lo.y && y <= hi.y {
			sides = append(sides, [2]point{{x0, y}, {x1, y}})
		}
	}
	return sides
}

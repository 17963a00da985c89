package schedule

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/internal/parallel"
	"github.com/hexcc/hexcc/poly"
)

// This file moves the nests of a time loop against each other. A nest that is
// moved by x along a space dimension adds x to the distances of the dependences
// that end in it and takes x from those that start in it. Sums around cycles stay,
// so the slopes have a least value; the moves that reach it are found exactly.

// Slopes are one dimension of a Cone: -Lo*dtau <= ds <= Hi*dtau. A nil Hi is no bound.
type Slopes struct{ Lo, Hi *big.Rat }

// A Move says by how much the nests are moved along one space dimension from
// where their arrays put them, and what that does to the slopes.
type Move struct {
	Dim           int
	By            []int64 // by statement
	Before, After Slopes
	Shares        bool // it lets nests share a level, whatever that does to the slopes, which are not set
}

// moves returns the moves of the nests of c that make its slopes smallest, for
// the dimensions where some exist. In the hexagonal dimension these are the
// slopes of least sum, then least maximum: they make the hexagon as narrow as it
// gets. In a classical one the slope below counts first: tiles lean by it.
// Among equals the nests stay near to their places: all stay where that is as good.
func (c *Canonical) moves(deps []Dependence) (list []Move) {
	if len(c.Places) == 1 {
		return nil
	}
	stretches := c.stretches(deps)
	for dim := range c.Space {
		if m, ok := c.shifter(stretches, dim).move(dim); ok {
			list = append(list, m)
		}
	}
	return list
}

// move returns the best move along dimension dim; ok is false where nests stay: none is better, slopes are unbounded, which is an error of
// BoundCone that no move mends, or to find out takes more than maxTried.
func (s *shifter) move(dim int) (m Move, ok bool) {
	err := poly.Limited(func() error {
		before, bounded := s.slopes(make([]int64, s.k))
		if !bounded {
			return nil
		}
		by := s.best(before, dim == 0)
		after, _ := s.slopes(by)
		m = Move{Dim: dim, By: by, Before: before, After: after}
		ok = slices.ContainsFunc(by, func(x int64) bool { return x != 0 })
		return nil
	})
	return m, ok && err == nil
}

// moved returns c with its nests moved by m.
func (c Canonical) moved(m Move) Canonical {
	c.Places = slices.Clone(c.Places)
	for i, by := range m.By {
		c.Places[i] = slices.Clone(c.Places[i])
		c.Places[i][m.Dim].Shift.Const += by
	}
	return c
}

// text says what m does, as in s1: S3 moved by 1: slopes -1/3..1 instead of -1..1/3.
func (m Move) text(c *Canonical) string {
	var parts []string
	for i, by := range m.By {
		if by != 0 {
			parts = append(parts, fmt.Sprintf("%s moved by %d", c.Scop.Stmts[i].Name, by))
		}
	}
	if m.Shares {
		return fmt.Sprintf("%s: %s to share a step", c.Space[m.Dim], strings.Join(parts, ", "))
	}
	return fmt.Sprintf("%s: %s: slopes %v instead of %v", c.Space[m.Dim], strings.Join(parts, ", "), m.After, m.Before)
}

// String returns the slopes as in -1/3..1.
func (s Slopes) String() string {
	below := "-" + s.Lo.RatString()
	if s.Lo.Sign() == 0 {
		below = "0"
	}
	return fmt.Sprintf("%s..%s", below, hiText(s.Hi))
}

// hiText returns a slope above, inf where there is none.
func hiText(hi *big.Rat) string {
	if hi == nil {
		return "inf"
	}
	return hi.RatString()
}

// A reach is the supremum of (ds + y)/dtau over one dependence as a function of
// y, and at least 0. It grows with y and is convex.
type reach struct {
	m        *poly.Ratios
	ds, dtau poly.Affine
	// flat: the largest ds goes with the smallest dtau. Then the reach is (far + y)/near.
	flat      bool
	far, near *big.Rat
	known     map[int64]*big.Rat // by y; nil: unbounded
	try       func()             // counts a value that is computed; nil: nobody counts
}

// newReach returns the reach of ds over a dependence.
func newReach(s stretch, ds, dtau poly.Affine) *reach {
	r := &reach{m: s.all, ds: ds, dtau: dtau, near: big.NewRat(s.near, 1), known: map[int64]*big.Rat{}}
	one := poly.Affine{Const: 1, In: make([]int64, len(ds.In)), Out: make([]int64, len(ds.Out))}
	far, okFar := s.all.Max(ds, one)
	if !okFar || far == nil {
		return r
	}
	if close, ok := s.shortest.Max(ds, one); ok && close != nil && far.Cmp(close) == 0 {
		r.flat, r.far = true, far
	}
	return r
}

// at returns the reach at y, nil where it is unbounded.
func (r *reach) at(y int64) *big.Rat {
	if r.flat {
		v := new(big.Rat).Add(r.far, big.NewRat(y, 1))
		return atLeast0(v.Quo(v, r.near))
	}
	v, found := r.known[y]
	if !found {
		if r.try != nil {
			r.try()
		}
		moved := r.ds
		moved.Const += y
		sup, ok := r.m.Max(moved, r.dtau)
		switch {
		case !ok:
		case sup == nil:
			v = new(big.Rat)
		default:
			v = atLeast0(sup)
		}
		r.known[y] = v
	}
	return v
}

func atLeast0(r *big.Rat) *big.Rat {
	if r.Sign() < 0 {
		return new(big.Rat)
	}
	return r
}

// farthest bounds how far nests are moved against each other where a reach is not flat.
const farthest = 1 << 12

// most returns the largest y with a reach of at most limit; ok is false if there is none.
func (r *reach) most(limit *big.Rat) (y int64, ok bool) {
	if r.flat {
		v := new(big.Rat).Mul(limit, r.near)
		return floorRat(v.Sub(v, r.far)), true
	}
	within := func(y int64) bool { v := r.at(y); return v != nil && v.Cmp(limit) <= 0 }
	lo, hi := int64(-farthest), int64(farthest)
	if !within(lo) {
		return 0, false
	}
	for lo < hi { // within(lo), and not within(hi + 1) as far as we look
		mid := lo + (hi-lo+1)/2
		if within(mid) {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return lo, true
}

// floorRat returns ⌊r⌋.
func floorRat(r *big.Rat) int64 {
	q := new(big.Int).Div(r.Num(), r.Denom()) // rounds down, as the denominator is positive
	if !q.IsInt64() {
		panic(fmt.Sprintf("schedule: distance %v", r))
	}
	return q.Int64()
}

// newShifter collects the dependences of c in one dimension.
func (c *Canonical) newShifter(deps []Dependence, dim int) *shifter {
	return c.shifter(c.stretches(deps), dim)
}

// A stretch is a dependence as it lies in time, wherever its nests are moved to in space: dtau is at least near, as no rational point
// sees by itself.
type stretch struct {
	Dependence
	near          int64
	all, shortest *poly.Ratios // over all instances, and over those with the least dtau
}

func (c *Canonical) stretches(deps []Dependence) []stretch {
	return parallel.Map(deps, func(d Dependence) stretch {
		near, shortest := c.nearest(d)
		return stretch{d, near, d.Map.Intersect(c.tauRelation(d, poly.AtMost, near)).Ratios(), shortest.Ratios()}
	})
}

// shifter is newShifter for dependences as they lie in time.
func (c *Canonical) shifter(stretches []stretch, dim int) *shifter {
	s := &shifter{k: len(c.Places), open: dim > 0, ties: c.Together}
	for i, places := range c.Places {
		if places[dim].Iter >= 0 {
			s.pinned = i
			break
		}
	}
	s.pulls = parallel.Map(stretches, func(d stretch) pull {
		ds, dtau := c.distance(d.Dependence, dim), c.distance(d.Dependence, -1)
		up, down := newReach(d, ds, dtau), newReach(d, negated(ds), dtau)
		up.try, down.try = s.try, s.try
		return pull{src: d.Src.Order, dst: d.Dst.Order, up: up, down: down}
	})
	return s
}

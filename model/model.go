// Package model says what a schedule costs, counted exactly from its tiles, and
// chooses tile sizes by that.
package model

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A Choice is the outcome of a search for tile sizes.
type Choice struct {
	Device machine.Device `json:"-"`
	Arch   string         `json:"arch"` // of Device
	Part   string         `json:"part"` // the times are for
	Budget int64          `json:"budget"`
	Grid   Grid           `json:"grid"`
	// Given: the user gave the sizes, and Best holds nothing else. They may not fit Budget.
	Given bool `json:"given"`
	// Ready: tiles start when those that they need have ended. Other is what the best of the other order takes, of sizes of its own; nil: that
	// was not asked for, or there is no such order.
	Ready bool      `json:"ready"`
	Other *Expected `json:"other"`
	// Left are the arrays that stay in global memory, so that a tile fits Budget or since the user wants it, and why.
	Left lower.Leave `json:"-"`
	// Best holds candidates, the chosen one first, then the others by Seconds.
	Best []Candidate `json:"best"`
	// Tried candidates fit the budget; Counted of them, the most promising, were counted exactly.
	Tried   int `json:"tried"`
	Counted int `json:"counted"`
}

// A Candidate is legal tile sizes, and what they cost.
type Candidate struct {
	Sizes     schedule.Sizes    `json:"sizes"`
	Counts    lower.Counts      `json:"counts"` // of a full tile of phase 0; phase 1 differs by a translation
	Rough     bool              `json:"rough"`  // no tile of the grid is full: Counts are about those of a whole tile
	Occupancy machine.Occupancy `json:"occupancy"`
	Cost      Cost              `json:"cost"`
	Why       string            `json:"why"` // it is not the first; "" if it is
	load      load
	tiling    tiling
}

// BytesPerPoint returns the bytes that move between global memory and the chip for one point.
func (c Candidate) BytesPerPoint() float64 { return c.perPoint(c.Counts.Bytes) }

// Ratio returns the loads for one point.
func (c Candidate) Ratio() float64 { return c.perPoint(c.Counts.Loads) }

func (c Candidate) perPoint(n int64) float64 { return float64(n) / float64(max(1, c.Counts.Points)) }

// Sizes returns the sizes chosen.
func (c *Choice) Sizes() schedule.Sizes { return c.Best[0].Sizes }

// Verify returns a broken invariant, or nil.
func (c *Choice) Verify() error {
	if len(c.Best) == 0 {
		return fmt.Errorf("model: no candidate chosen")
	}
	for i, x := range c.Best {
		if x.Counts.SharedBytes > c.Budget && !c.Given || x.Counts.Points <= 0 || (x.Why == "") != (i == 0) {
			return fmt.Errorf("model: %v takes %d bytes of %d for %d points; %q", x.Sizes, x.Counts.SharedBytes, c.Budget, x.Counts.Points, x.Why)
		}
		if c.Grid.Points > 0 && !positive(x.Cost.Seconds, x.Cost.PerPoint, float64(x.Cost.Launches), float64(x.Cost.Blocks)) {
			return fmt.Errorf("model: %v takes %v s, %v s a point, in %d launches of %d blocks", x.Sizes, x.Cost.Seconds, x.Cost.PerPoint, x.Cost.Launches, x.Cost.Blocks)
		}
		if strings.Contains(x.Why, "NaN") || strings.Contains(x.Why, "Inf") {
			return fmt.Errorf("model: %v is not chosen since it is %s", x.Sizes, x.Why)
		}
	}
	return nil
}

// Without returns c with the second candidate as the chosen one, and the first last.
func (c *Choice) Without() *Choice {
	out := *c
	hard := c.Best[0]
	hard.Why = "too hard to prove"
	out.Best = append(slices.Clone(c.Best[1:]), hard)
	out.Best[0].Why = ""
	for i := 1; i < len(out.Best)-1; i++ {
		if x := &out.Best[i]; x.Why != hard.Why {
			x.Why = "the next"
			if slower := x.Cost.Seconds/out.Best[0].Cost.Seconds - 1; slower >= 0.005 {
				x.Why = fmt.Sprintf("%.0f %% slower", 100*slower)
			}
		}
	}
	return &out
}

// positive reports whether all of xs are numbers above 0.
func positive(xs ...float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return !(x > 0) || math.IsInf(x, 0) })
}

// Choose returns the tile sizes with which a run takes the least time by the
// model, on a grid of typical sizes; of sizes about as good, those with the
// fewest steps, then the least shared memory. What is asked is kept; if no
// sizes fit d, so do more, one by one. The error, a diag.List, says that
// no legal sizes fit d at all, or what is wrong with the typical sizes.
func Choose(c *schedule.Canonical, cone schedule.Cone, d machine.Device, typical Typical, asked Asked) (*Choice, error) {
	return choose(c, cone, d, typical, asked, false, nil)
}

func choose(c *schedule.Canonical, cone schedule.Cone, d machine.Device, typical Typical, asked Asked, ready bool, t tally) (*Choice, error) {
	for {
		s, err := newSearch(c, cone, d, typical, asked)
		if err != nil {
			return nil, err
		}
		if s.counter.Ordered() {
			s.tally = t
		}
		if s.ready = ready; ready && s.chains(s.smallest()) == nil {
			return nil, errNoChains
		}
		if all, tried := s.best(); len(all) > 0 {
			choice := s.choice(all)
			choice.Tried, choice.Left = tried, asked.Leave
			return choice, nil
		}
		array := dearest(s.smallest(), d, asked)
		if array == "" {
			return nil, s.tooLarge("--fallback=space tiles space alone, in smaller tiles; or name sizes with --tile")
		}
		t = nil // it is of tiles that copy that array
		asked = asked.With(array, s.without())
	}
}

// Assess returns what the given legal sizes cost, as a Choice of them. They may not fit d.
func Assess(c *schedule.Canonical, cone schedule.Cone, d machine.Device, typical Typical, sizes schedule.Sizes, asked Asked) (*Choice, error) {
	return assess(c, cone, d, typical, sizes, asked, false)
}

func assess(c *schedule.Canonical, cone schedule.Cone, d machine.Device, typical Typical, sizes schedule.Sizes, asked Asked, ready bool) (*Choice, error) {
	s, err := newSearch(c, cone, d, typical, asked)
	if err != nil {
		return nil, err
	}
	if s.ready = ready; ready && s.chains(s.tiles(sizes)) == nil {
		return nil, errNoChains
	}
	choice := s.choice([]Candidate{s.count(s.tiles(sizes))})
	choice.Given, choice.Left = true, asked.Leave
	return choice, nil
}

// The bounds of what is shown, and of what counts as better.
const (
	keep  = 10 // candidates
	slack = 32 // a time within one part in so many of the least is as good
)

// choice ranks candidates that were counted exactly and says why the others lost.
func (s *search) choice(all []Candidate) *Choice {
	rank(all)
	var best []Candidate
	for _, x := range all[:min(len(all), 2*keep)] {
		if x = s.settle(x); len(all) == 1 || s.short(x, 0) {
			best = append(best, x)
		}
		if len(best) == keep {
			break
		}
	}
	if len(best) == 0 { // all have a little too much code: rather that than arrays in global memory
		best = []Candidate{s.settle(all[0])}
	}
	rank(best)
	first := best[0]
	choice := &Choice{
		Device: s.device, Arch: s.device.Name, Part: s.device.Part, Budget: int64(s.device.SharedBytes),
		Grid: s.grid, Counted: len(all), Best: best, Ready: s.ready,
	}
	for i := range choice.Best[1:] {
		x := &choice.Best[i+1]
		x.Why = s.why(*x, first)
	}
	return choice
}

// rank sorts candidates by time, then brings the smallest of the best to the front.
func rank(all []Candidate) {
	slices.SortStableFunc(all, func(x, y Candidate) int {
		return cmp.Or(cmp.Compare(x.Cost.Seconds, y.Cost.Seconds), smaller(x, y))
	})
	best := 0
	for i, x := range all {
		if x.Cost.Seconds*slack <= all[0].Cost.Seconds*(slack+1) && smaller(x, all[best]) < 0 {
			best = i
		}
	}
	first := all[best]
	copy(all[1:best+1], all[:best])
	all[0] = first
}

// smaller compares the code of x and y, then their shared memory, then their points.
func smaller(x, y Candidate) int {
	return cmp.Or(cmp.Compare(x.Counts.Steps, y.Counts.Steps), cmp.Compare(x.Counts.SharedBytes, y.Counts.SharedBytes),
		cmp.Compare(x.Counts.Points, y.Counts.Points))
}

// usesDouble reports whether a statement stores a double.
func usesDouble(p *scop.Program) bool {
	return slices.ContainsFunc(p.Arrays, func(a *scop.Array) bool { return a.Elem == scop.Double && !a.Const })
}

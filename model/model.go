// Package model says what a schedule costs, counted exactly from its tiles, and
// chooses tile sizes by that.
package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// A Choice is the outcome of a search for tile sizes.
type Choice struct {
	Device gpu.Device
	Budget int64 // bytes of shared memory that a tile may take
	// Best holds candidates, the chosen one first, then those that cost least.
	Best []Candidate
	// Tried candidates fit the budget; Counted of them, the most promising, were counted exactly.
	Tried, Counted int
}

// A Candidate is legal tile sizes and what a full tile costs.
type Candidate struct {
	Sizes  schedule.Sizes
	Counts gpu.Counts // of phase 0; phase 1 differs by a translation
	Bytes  int64      // moved between global memory and the tile
	Blocks int        // that run at once on a multiprocessor, by shared memory
	Box    int64      // points of a tile that the domains do not clip
}

// Cost returns the bytes that move for one point, 0 where no tile is full.
func (c Candidate) Cost() float64 { return float64(c.Bytes) / float64(max(1, c.Counts.Points)) }

// Ratio returns the loads for one point, 0 where no tile is full.
func (c Candidate) Ratio() float64 { return float64(c.Counts.Loads) / float64(max(1, c.Counts.Points)) }

// Sizes returns the sizes chosen.
func (c *Choice) Sizes() schedule.Sizes { return c.Best[0].Sizes }

// String prints the choice, and the best few others, one a line.
func (c *Choice) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "tile sizes for %s, at most %d bytes of shared memory a block: %d candidates fit, %d counted\n",
		c.Device.Name, c.Budget, c.Tried, c.Counted)
	fmt.Fprintf(&b, "  %-24s %8s %8s %8s %8s %6s %8s %6s\n", "sizes", "points", "loads", "stores", "B/point", "steps", "shared", "blocks")
	if c.Best[0].Counts.Points == 0 {
		b.WriteString("  the grid is too small for a full tile of any size: the smallest comes first\n")
	}
	for i, x := range c.Best {
		mark := " "
		if i == 0 {
			mark = "*"
		}
		fmt.Fprintf(&b, "%s %-24s %8d %8d %8d %8.3f %6d %8d %6d\n", mark, x.Sizes, x.Counts.Points, x.Counts.Loads, x.Counts.Stores,
			x.Cost(), x.Counts.Steps, x.Counts.SharedBytes, x.Blocks)
	}
	return b.String()
}

// Verify returns a broken invariant, or nil.
func (c *Choice) Verify() error {
	if len(c.Best) == 0 {
		return fmt.Errorf("model: no candidate chosen")
	}
	for _, x := range c.Best {
		if x.Counts.SharedBytes > c.Budget || x.Box <= 0 || (x.Counts.Points == 0) != (c.Best[0].Counts.Points == 0) {
			return fmt.Errorf("model: %v takes %d bytes of %d for %d points", x.Sizes, x.Counts.SharedBytes, c.Budget, x.Counts.Points)
		}
	}
	return nil
}

// The bounds of the search.
const (
	maxHeight  = 12      // steps of a tile, each of which is code, unless fewer are not legal
	maxCounted = 64      // candidates to count exactly
	keep       = 6       // candidates to show
	slack      = 8       // a cost within one part in so many of the least is as good
	wantBlocks = 2       // on a multiprocessor, so that one computes while another copies
	reserved   = 1 << 10 // bytes of shared memory that the driver takes for each block
)

// Choose returns the tile sizes that move the fewest bytes for each point,
// among those of which a multiprocessor holds two blocks; of sizes about as
// good, those with the fewest steps, then the least shared memory. The error
// says that no legal sizes fit d.
func Choose(c *schedule.Canonical, cone schedule.Cone, d gpu.Device) (*Choice, error) {
	k := gpu.NewCounter(c, d, gpu.Options{})
	choice := &Choice{Device: d, Budget: min(int64(d.SharedBytes), int64(d.SharedPerSM/wantBlocks-reserved))}
	all := screen(k, c, cone, candidates(c, cone, d), choice.Budget)
	if len(all) == 0 { // one block is better than none
		choice.Budget = int64(d.SharedBytes)
		all = screen(k, c, cone, candidates(c, cone, d), choice.Budget)
	}
	choice.Tried = len(all)
	var partial []Candidate // that have no full tile on a grid of known size
	for _, x := range all {
		if len(choice.Best) == maxCounted {
			break
		}
		switch x := count(k, c, x, d); {
		case x.Counts.SharedBytes > choice.Budget:
		case x.Counts.Points == 0:
			partial = append(partial, x)
		default:
			choice.Best = append(choice.Best, x)
		}
	}
	choice.Counted = len(choice.Best) + len(partial)
	switch {
	case choice.Counted == 0:
		return nil, tooLarge(c, cone, d)
	case len(choice.Best) > 0:
		rank(choice.Best)
	default: // the smallest tiles waste least
		choice.Best = partial
		slices.SortStableFunc(choice.Best, func(x, y Candidate) int { return cmp.Compare(x.Box, y.Box) })
	}
	choice.Best = choice.Best[:min(len(choice.Best), keep)]
	return choice, nil
}

// count returns the candidate of a shape.
func count(k *gpu.Counter, c *schedule.Canonical, x shape, d gpu.Device) Candidate {
	n := k.Traffic(x.tiles, 0)
	return Candidate{
		Sizes: x.tiles.Sizes, Counts: n, Bytes: n.Bytes,
		Blocks: min(d.SharedPerSM/int(n.SharedBytes+reserved), maxBlocks),
		Box:    x.points,
	}
}

// maxBlocks is how many blocks a multiprocessor holds, whatever they need.
const maxBlocks = 16

// rank sorts candidates by cost, then brings the smallest of the best to the front.
func rank(all []Candidate) {
	slices.SortStableFunc(all, func(x, y Candidate) int {
		return int(x.Bytes*y.Counts.Points - y.Bytes*x.Counts.Points)
	})
	good := func(x Candidate) bool { return x.Cost()*slack <= all[0].Cost()*(slack+1) }
	best := 0
	for i, x := range all {
		if good(x) && smaller(x, all[best]) {
			best = i
		}
	}
	first := all[best]
	copy(all[1:best+1], all[:best])
	all[0] = first
}

// smaller reports whether x has less code than y, or as much and less shared memory.
func smaller(x, y Candidate) bool {
	if x.Counts.Steps != y.Counts.Steps {
		return x.Counts.Steps < y.Counts.Steps
	}
	return x.Counts.SharedBytes < y.Counts.SharedBytes
}

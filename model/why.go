package model

import (
	"fmt"

	"github.com/hexcc/hexcc/machine"
)

// This file says why a candidate lost: by the one difference to the chosen one
// that costs it the most time. For each difference it asks the model what x
// would take without it.

// why returns why x is not the choice, and first is.
func (s *search) why(x, first Candidate) string {
	if x.Cost.Seconds*slack <= first.Cost.Seconds*(slack+1) {
		return "about as fast, " + s.larger(x, first)
	}
	text := fmt.Sprintf("%.0f %% slower", 100*(x.Cost.Seconds/first.Cost.Seconds-1))
	said, least := "", 0.99*x.Cost.Seconds
	for _, d := range differences {
		if y := s.seconds(d.without(x, first), first.Cost); y < least {
			said, least = d.text(x, first, s.device), y
		}
	}
	if at, of := s.atOnce(x), s.atOnce(first); said == "" && at < of {
		said = fmt.Sprintf("%d blocks run at once instead of %d, too few to hide each other's waiting", at, of)
	}
	if said == "" {
		said = "by several small differences"
	}
	return text + ": " + said
}

// atOnce returns the blocks of a launch that run at once.
func (s *search) atOnce(x Candidate) int64 {
	if x.Cost.Rounds > 0 {
		return int64(x.Cost.AtOnce)
	}
	return min(x.Cost.Blocks, int64(x.Occupancy.Blocks*s.device.SMs))
}

// larger says what x has more of than first, though it is about as fast.
func (s *search) larger(x, first Candidate) string {
	switch a, b := x.Counts, first.Counts; {
	case a.Steps > b.Steps:
		return fmt.Sprintf("with %d steps of code instead of %d", a.Steps, b.Steps)
	case a.SharedBytes > b.SharedBytes:
		return fmt.Sprintf("with %d bytes of shared memory instead of %d", a.SharedBytes, b.SharedBytes)
	}
	return fmt.Sprintf("with %d points in a tile instead of %d", x.Counts.Points, first.Counts.Points)
}

// A what is what the time of a run depends on.
type what struct {
	load   load
	blocks int // on a multiprocessor
	tiling tiling
	idle   bool // multiprocessors have no block as often as for x, else as for first
	gaps   bool // the share of the time between kernels is that of x, else that of first
}

func (s *search) seconds(w what, first Cost) float64 {
	c := costOf(w.load, w.blocks, w.tiling, s.grid, s.device)
	t := c.Seconds
	if !w.gaps {
		t *= (1 - c.Overhead) / (1 - first.Overhead)
	}
	if !w.idle {
		t *= (1 - c.Idle) / (1 - first.Idle)
	}
	return t
}

func (c Candidate) what() what {
	return what{c.load, c.Occupancy.Blocks, c.tiling, true, true}
}

// A difference is a way in which x may be worse than first.
type difference struct {
	without func(x, first Candidate) what // x with this as first has it
	text    func(x, first Candidate, d machine.Device) string
}

var differences = []difference{
	{func(x, first Candidate) what {
		w, scale := x.what(), x.scale(first)
		w.load.global, w.load.port = first.load.global*scale, first.load.port*scale
		return w
	}, func(x, first Candidate, _ machine.Device) string {
		return fmt.Sprintf("moves %s bytes of global memory for a point, %.3g instead of %.3g",
			more(x.BytesPerPoint(), first.BytesPerPoint()), x.BytesPerPoint(), first.BytesPerPoint())
	}},
	{func(x, first Candidate) what {
		w := x.what()
		w.load.shared = first.load.shared * x.scale(first)
		return w
	}, func(x, first Candidate, _ machine.Device) string {
		a, b := x.perPoint(x.Counts.Shared), first.perPoint(first.Counts.Shared)
		return fmt.Sprintf("makes %s accesses to shared memory for a point, %.3g instead of %.3g", more(a, b), a, b)
	}},
	{func(x, first Candidate) what {
		w := x.what()
		w.load.issue = first.load.issue * x.scale(first)
		w.load.alone *= w.load.issue / x.load.issue
		return w
	}, func(x, first Candidate, d machine.Device) string {
		return fmt.Sprintf("has %.0f %% of its threads busy instead of %.0f %%, so it takes %s instructions for a point",
			100*x.busy(), 100*first.busy(), more(x.load.issue/float64(x.Counts.Points), first.load.issue/float64(first.Counts.Points)))
	}},
	{func(x, first Candidate) what {
		w := x.what()
		w.load.alone = min(w.load.alone, w.load.issue*first.load.alone/first.load.issue)
		return w
	}, func(x, first Candidate, d machine.Device) string {
		return fmt.Sprintf("has blocks of %d threads instead of %d, too few for %d schedulers to issue at each clock", x.Counts.Threads, first.Counts.Threads, d.Partitions)
	}},
	{func(x, first Candidate) what {
		w := x.what()
		w.load.wait = first.load.wait * x.scale(first)
		return w
	}, func(x, first Candidate, _ machine.Device) string {
		return fmt.Sprintf("waits %s for memory and barriers: %d barriers for %d points instead of %d for %d",
			more(x.load.wait/float64(x.Counts.Points), first.load.wait/float64(first.Counts.Points)),
			x.Counts.Barriers, x.Counts.Points, first.Counts.Barriers, first.Counts.Points)
	}},
	{func(x, first Candidate) what {
		w := x.what()
		w.blocks = max(w.blocks, first.Occupancy.Blocks)
		return w
	}, func(x, first Candidate, _ machine.Device) string {
		return fmt.Sprintf("%s on a multiprocessor instead of %d, for want of %s", blocks(x.Occupancy.Blocks), first.Occupancy.Blocks, x.Occupancy.Limit)
	}},
	{func(x, first Candidate) what {
		w := x.what()
		w.idle = false
		return w
	}, func(x, first Candidate, d machine.Device) string {
		if x.Cost.Rounds > 0 {
			return fmt.Sprintf("%.0f blocks at work at once wait %.0f %% of their time for others instead of %.0f %%", x.Cost.AtOnce, 100*x.Cost.Idle, 100*first.Cost.Idle)
		}
		if x.Cost.Blocks < int64(d.SMs) {
			return fmt.Sprintf("%d blocks leave %.0f %% of the %d multiprocessors idle instead of %.0f %%", x.Cost.Blocks, 100*x.Cost.Idle, d.SMs, 100*first.Cost.Idle)
		}
		return fmt.Sprintf("%.3g waves of blocks leave %.0f %% of the multiprocessors' time idle instead of %.0f %%", x.Cost.Waves, 100*x.Cost.Idle, 100*first.Cost.Idle)
	}},
	{func(x, first Candidate) what {
		w := x.what()
		w.tiling.full = max(w.tiling.full, first.tiling.full)
		return w
	}, func(x, first Candidate, _ machine.Device) string {
		return fmt.Sprintf("bounds cut %.0f %% of its tiles instead of %.0f %%", 100*x.Cost.Partial, 100*first.Cost.Partial)
	}},
	{func(x, first Candidate) what {
		w := x.what()
		w.gaps = false
		return w
	}, func(x, first Candidate, _ machine.Device) string {
		return fmt.Sprintf("spends %.0f %% of the time between its %d launches instead of %.0f %% between %d",
			100*x.Cost.Overhead, x.Cost.Launches, 100*first.Cost.Overhead, first.Cost.Launches)
	}},
}

// scale returns the points of x for one of first.
func (c Candidate) scale(first Candidate) float64 {
	return float64(c.Counts.Points) / float64(first.Counts.Points)
}

// busy returns the share of threads that have a point, on average over the turns.
func (c Candidate) busy() float64 {
	return float64(c.Counts.Points) / float64(c.Counts.Turns*int64(c.Counts.Threads))
}

// more says by how much a is more than b, as in "12 % more"; "more" where b is nothing.
func more(a, b float64) string {
	if b <= 0 {
		return "more"
	}
	return fmt.Sprintf("%.0f %% more", 100*(a/b-1))
}

func blocks(n int) string {
	if n == 1 {
		return "one block"
	}
	return fmt.Sprintf("%d blocks", n)
}

package model

import (
	"fmt"
	"strings"
)

// String prints the choice: what it is for, the best few candidates, one a
// line, why each but the first lost, and where the time of the first goes.
func (c *Choice) String() string {
	var b strings.Builder
	d := c.Device
	fmt.Fprintf(&b, "tile sizes for %s, at most %d bytes of shared memory a block: ", d.Name, c.Budget)
	if c.Given {
		b.WriteString("given\n")
	} else {
		fmt.Fprintf(&b, "%d candidates fit, %d counted\n", c.Tried, c.Counted)
	}
	fmt.Fprintf(&b, "grid: %v\n", c.Grid)
	fmt.Fprintf(&b, "times are those of a model of %s, %d multiprocessors, not measured\n", d.Part, d.SMs)
	if text := c.orderText(); text != "" {
		fmt.Fprintf(&b, "order: %s\n", text)
	}
	b.WriteByte('\n')
	wide := 0
	for _, x := range c.Best {
		wide = max(wide, len(x.Sizes.String()))
	}
	fmt.Fprintf(&b, "  %-*s %8s %7s %7s %7s %7s %5s %8s %7s %6s %6s %9s\n", wide, "sizes", "points", "loads", "stores", "B/point", "steps",
		"regs", "shared B", "threads", "blocks", "waves", "ps/point")
	for i, x := range c.Best {
		mark := " "
		if i == 0 {
			mark = "*"
		}
		n := x.Counts
		fmt.Fprintf(&b, "%s %-*v %8d %7d %7d %7.3f %7d %5d %8d %7d %6d %6.2f %9.3f\n", mark, wide, x.Sizes, n.Points, n.Loads, n.Stores,
			x.BytesPerPoint(), n.Steps, n.Registers, n.SharedBytes, n.Threads, x.Occupancy.Blocks, x.Cost.Waves, 1e12*x.Cost.PerPoint)
	}
	b.WriteString("\n" + c.Best[0].terms())
	if len(c.Best) > 1 {
		b.WriteString("\nthe others\n")
	}
	for _, x := range c.Best[1:] {
		fmt.Fprintf(&b, "  %-*v %s\n", wide, x.Sizes, x.Why)
	}
	return b.String()
}

// orderText says when tiles start, and what they would take if they started at other times; "" where that was not asked.
func (c *Choice) orderText() string {
	const ready, phases = "a tile starts when those that it needs have ended", "the tiles of a phase start when all of the phase before have ended"
	text, other := phases, ready
	if c.Ready {
		text, other = ready, phases
	}
	if c.Other == nil {
		if c.Ready {
			return text
		}
		return ""
	}
	if c.Grid.Points == 0 {
		return text
	}
	return fmt.Sprintf("%s: %.3g ps a point; if %s, %.3g with %v", text, 1e12*c.Best[0].Cost.PerPoint, other, 1e12*c.Other.PerPoint, c.Other.Sizes)
}

// limits says why a multiprocessor holds no more blocks.
var limits = map[string]string{
	"shared memory": "shared memory is full", "registers": "registers are given out",
	"threads": "it holds no more threads", "blocks": "it holds no more blocks",
}

// terms says where the time of a candidate goes.
func (x Candidate) terms() string {
	var b strings.Builder
	c := x.Cost
	of := "full tile"
	if x.Rough {
		of = "tile (none is full; about)"
	}
	fmt.Fprintf(&b, "clocks of a multiprocessor for one %s of %v\n", of, x.Sizes)
	for _, t := range []struct {
		name   string
		clocks float64
		note   string
	}{
		{"global memory", c.Global, fmt.Sprintf("%d bytes, %.3g a point", x.Counts.Bytes, x.BytesPerPoint())},
		{"shared memory", c.Shared, fmt.Sprintf("%d accesses, %.3g a point", x.Counts.Shared, x.perPoint(x.Counts.Shared))},
		{"instructions", c.Issue, fmt.Sprintf("%.0f %% of the threads have a point", 100*x.busy())},
		{"waiting", c.Wait, fmt.Sprintf("%d steps, %d barriers, and loads", x.Counts.Steps, x.Counts.Barriers)},
		{"a tile of each block", c.Tile, fmt.Sprintf("%s at once: %s", blocks(x.Occupancy.Blocks), limits[x.Occupancy.Limit])},
	} {
		fmt.Fprintf(&b, "  %-22s %8.0f  %s\n", t.name, t.clocks, t.note)
	}
	if c.Rounds > 0 {
		fmt.Fprintf(&b, "  one launch; %d chains of a phase, each %d tiles: %.0f blocks at work at once, the others wait, %.0f %% of their time\n", c.Blocks, c.Sequence, c.AtOnce, 100*c.Idle)
	} else {
		fmt.Fprintf(&b, "  %d launches of %d blocks, each %d tiles: %.3g waves, %.0f %% of the multiprocessors' time idle\n", c.Launches, c.Blocks, c.Sequence, c.Waves, 100*c.Idle)
	}
	fmt.Fprintf(&b, "  bounds cut %.0f %% of the tiles; %.0f %% of the time is between launches\n", 100*c.Partial, 100*c.Overhead)
	if c.PerPoint > 0 {
		fmt.Fprintf(&b, "  %.3g s in all: %.3g ps a point, %.3g points a nanosecond\n", c.Seconds, 1e12*c.PerPoint, 1e-9/c.PerPoint)
	}
	return b.String()
}

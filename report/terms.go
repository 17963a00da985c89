package report

import "github.com/hexcc/hexcc/schedule"

// terms are what pictures and texts call things: those of kernels, or those of threads.
type terms struct {
	launch, launches string // the tiles of a phase of one time tile
	worker, workers  string // who runs a tile at a time
}

var (
	ofKernels = terms{"launch", "launches", "block", "blocks"}
	ofThreads = terms{"round", "rounds", "thread", "threads"}
)

// terms returns those of the target.
func (p Products) terms() terms {
	if p.onCPU() {
		return ofThreads
	}
	return ofKernels
}

// notes are the words under the titles of pictures.
type notes struct{ tile, tiling, strips, order, timeline, timelineTitle, footprint string }

// notes returns what stands under the pictures of p.
func (p Products) notes() notes {
	s := p.Schedule
	if p.onCPU() {
		return p.notesOfThreads()
	}
	n := notes{
		tile:          "A launch runs tiles of this shape.",
		tiling:        "Each tile carries its indices and the launch that runs it. The tiles of one launch run in parallel; launches run one after the other.",
		strips:        "The block of a hexagon runs them one after the other, from left to right.",
		order:         "A small grid of tiles: left as launches in turn let them start, right if each starts when its data is ready.",
		timelineTitle: "When blocks run tiles",
		timeline:      "Blocks that are resident on the device, from top to bottom; time from left to right. Simulated, not measured.",
		footprint:     "Each panel is the elements of an array that one step reads and writes. What is dark must come from global memory; all else is there already.",
	}
	if s.Fronts != nil {
		n.tiling = "Each tile carries its indices and its front. A launch runs the tiles of a front in parallel; launches run one after the other."
		if len(s.Phases[0].Space) > 1 {
			n.tiling = "Each tile carries its indices and the front of those that are the first in the other dimensions. A launch runs the tiles of a front in parallel; launches run one after the other."
		}
	}
	if s.Overlaps() {
		n.tile = "A launch runs tiles of this shape. A tile stores the points from 0 on, as many as it is wide; the others it computes since it reads them."
		n.tiling = "Each tile carries its indices. Points that lie in two tiles are computed by both, and stored by the one that owns them; all tiles of a launch run in parallel."
	}
	if s.Waits != nil {
		n.tiling = "Each tile carries its indices and the launch that would run it if tiles were launched in turn. Here one launch runs all: each starts when those that it needs have ended."
	}
	return n
}

// stripsNote is what stands under the tiles of dimension i.
func (p Products) stripsNote(i int) string {
	s := p.Schedule
	switch {
	case p.onCPU() && p.CPU != nil && len(p.CPU.Phases) > 0 && s.Phases[0].Space[i].Tile == p.CPU.Phases[0].Tile:
		return "Threads share them out."
	case p.onCPU() && s.Phases[0].Space[i].Role == schedule.Block:
		return "The thread that has the tiles beside them runs them one after the other."
	case p.onCPU():
		return "The thread that has the tile of s_0 runs them one after the other, from left to right."
	case s.Phases[0].Space[i].Role != schedule.Block:
		return p.notes().strips
	case s.Fronts != nil:
		return "Each is a block of its own; each next one is in the next front."
	}
	return "Each is a block of its own; all of a launch may run at the same time."
}

func (p Products) notesOfThreads() notes {
	s := p.Schedule
	n := notes{
		tile:          "Threads run tiles of this shape.",
		tiling:        "Each tile carries its indices and its round. Threads share out the tiles of a round, and all of a round end before the next one starts.",
		order:         "A small grid of tiles: left as barriers between rounds let them start, right if each starts when its data is ready.",
		timelineTitle: "When threads run tiles",
		timeline:      "Threads, one on each core, from top to bottom; time from left to right. Simulated, not measured.",
		footprint:     "Each panel is the elements of an array that one step reads and writes. What is dark is touched for the first time, and comes from memory or from what tiles before left in a cache; all else is in a cache already.",
	}
	if s.Overlaps() {
		n.tile = "Threads run tiles of this shape. A tile stores the points from 0 on, as many as it is wide; the others it computes since it reads them."
		n.tiling = "Each tile carries its indices. Points that lie in two tiles are computed by both, and stored by the one that owns them; threads share out the tiles."
	}
	switch {
	case p.Target == "c":
		n.tiling = "Each tile carries its indices and its round. One thread runs the tiles of a round one after the other, and rounds one after the other."
		n.order = "A small grid of tiles: left as barriers between rounds would let threads start them, right if each started when its data is ready. One thread runs them one by one."
		n.timeline = "What threads would do with --target=openmp. Simulated, not measured."
	case s.Waits != nil:
		n.tiling = "Each tile carries its indices and the round that it would be in if all of a phase ended before the next starts. Here each starts when those that it needs have ended."
	}
	return n
}

package model

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file weighs kernels whose rows stream through the registers of a pipeline of warps: what a full turn takes, from what is counted of it, and how long
// the chains of a run wait for each other. The constants come from a replay of machine code that nvcc made of 40 pipelines for sm_90, not from a device.

const (
	beatWork     = 33       // instructions of a warp in a beat, beside what it computes and moves: where it is, waits, the barrier
	directWork   = 8.5      // for each load of columns to registers: their addresses
	callWork     = 6        // of a quotient or a function in single precision, beside what scop.Stmt.Operations counts for it
	callWork2    = 20       // in double precision
	warpIssue    = 2.3      // clocks between instructions of a warp that has nothing to wait for
	callIssue    = 40       // that it waits for a quotient or a function in single precision, and
	callIssue2   = 77       // in double precision
	directWait   = 500      // that it waits in a beat for what comes to registers from global memory
	wordWork     = 1.1      // clocks of the unit for shared memory, for each word of the lanes of a warp; a block alone waits for
	wordWait     = 0.3      // of them
	integerLanes = 64       // results of integers that a multiprocessor has in a clock, and
	integerWork  = 1.5      // how many of them an operation takes, on average: comparisons set a predicate, and then a value
	sideWork     = 83       // instructions of a warp in a beat of a chain at a side of the grid, beside those of others
	endTurns     = 6        // phases whose chains take so much more at the first and the last time steps
	streamsGain  = 1.0 / 8  // by what share a point must likely take less, where the choice is ours
	startWork    = 1000     // clocks for each column and step of a lane, until a chain has begun and run the rows at the end of the grid, so fitted to 12 runs on 2048 x 2048 points of an H200
	looksGain    = 1.0 / 16 // by what share it must take less if chains look at others more often
	overlapTurns = 5        // as overlap, of turns
	lookWait     = 1300     // clocks of a multiprocessor for a look of each of its blocks at others, and a word of its own: on an H200 12 beats between them took 1.09 times as long as 48
)

// A StreamCost is what a run takes by the model whose rows stream. Clocks are of a multiprocessor, for a full turn of all blocks that it holds.
type StreamCost struct {
	Issue  float64 `json:"issue"`  // for their instructions
	Shared float64 `json:"shared"` // for accesses to shared memory, and exchanges
	Units  float64 `json:"units"`  // for arithmetic
	Alone  float64 `json:"alone"`  // for a block alone: one instruction of a warp after the other
	Global float64 `json:"global"` // for bytes, at a fair share of the bandwidth of global memory
	Turn   float64 `json:"turn"`   // for all of that, at once as far as may be

	AtOnce   float64 `json:"atOnce"`   // blocks that run at the same time
	Share    float64 `json:"share"`    // of the time of all blocks that the device holds in which they run turns
	Seconds  float64 `json:"seconds"`  // of the whole run
	PerPoint float64 `json:"perPoint"` // seconds by point; 0 where there are none
}

// A StreamChoice is the pipeline that the model chose for the rows of a program, and what it costs.
type StreamChoice struct {
	Grid  Grid
	Tried []stream.Fit // the last one was taken
	Costs []StreamCost // of each of Tried; the zero value where it does not fit

	device machine.Device
}

// Best returns what the one costs that was taken.
func (c *StreamChoice) Best() StreamCost { return c.Costs[len(c.Costs)-1] }

// Fit returns what was taken.
func (c *StreamChoice) Fit() *stream.Fit { return &c.Tried[len(c.Tried)-1] }

// Fits reports whether there is one.
func (c *StreamChoice) Fits() bool { return c.Fit().Why == "" }

// idleShare is the share of the time of all blocks below which shapes are tried that have more and shorter chains, and streamsSlack by what share such a one must be
// better: the order of stream.Shapes is by what machine code was seen to reach.
const idleShare, streamsSlack = 0.8, 1.0 / 8

// ChooseStreams returns the pipeline of the given shape or, if that is nil, the first of those that package stream lists that fits, with several warps across a strip
// only if across says so, unless it leaves blocks idle and another one is better, or its full turns are loops and another one has straight code for them and is hardly worse. Those of the list load rows so many periods ahead; 0: stream.PeriodsAhead. The error, a diag.List, says what is wrong with the typical sizes.
func ChooseStreams(c *schedule.Canonical, cone schedule.Cone, d machine.Device, typical Typical, shape *stream.Shape, across bool, ahead int) (*StreamChoice, error) {
	g, err := NewGrid(c, typical)
	if err != nil {
		return nil, err
	}
	out := &StreamChoice{Grid: g, device: d}
	if shape != nil {
		out.add(c, cone, d, stream.Fits(c, cone, d, *shape))
		return out, nil
	}
	shapes, best := stream.ShapesFor(c, across), -1
	for i, s := range shapes {
		s.Ahead = ahead
		if out.add(c, cone, d, stream.Try(c, cone, d, s)); !out.fit(i) {
			continue
		}
		if best < 0 {
			if best = i; out.Costs[i].PerPoint == 0 || out.Costs[i].Share >= idleShare && !out.loops(i) {
				break
			}
		} else if out.better(i, best) {
			best = i
		}
	}
	if best >= 0 {
		out.Tried, out.Costs = last(out.Tried, best), last(out.Costs, best)
		out.look(c, cone, d)
	}
	return out, nil
}

// better reports whether shape i is taken in place of one before it: it is better by far, or has straight full turns where that has loops, and is hardly worse.
func (c *StreamChoice) better(i, than int) bool {
	x, y := c.Costs[i].PerPoint, c.Costs[than].PerPoint
	return y > (1+streamsSlack)*x || c.loops(than) && !c.loops(i) && x <= (1+streamsSlack)*y
}

// look has chains look at others more often, if the model takes that to be worth it: those behind then start earlier, which matters where chains are short.
func (c *StreamChoice) look(space *schedule.Canonical, cone schedule.Cone, d machine.Device) {
	for _, beats := range []int{24, 12} {
		best, n := c.Best().PerPoint, len(c.Tried)
		if best == 0 {
			return
		}
		if c.add(space, cone, d, c.Fit().Looking(beats)); c.Costs[n].PerPoint*(1+looksGain) > best {
			c.Tried, c.Costs = c.Tried[:n], c.Costs[:n]
		} else {
			c.Tried, c.Costs = slices.Delete(c.Tried, n-1, n), slices.Delete(c.Costs, n-1, n)
		}
	}
}

// String prints the shapes that were tried and fit, one a line, and where the time of the one goes that was taken.
func (c *StreamChoice) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "pipelines of warps through which rows stream\ngrid: %v\ntimes are those of a model, not measured\n\n", c.Grid)
	wide := len("shape")
	for _, f := range c.Tried {
		wide = max(wide, len(f.Shape.String()))
	}
	fmt.Fprintf(&b, "  %-*s %5s %8s %6s %6s %9s\n", wide, "shape", "regs", "shared B", "blocks", "busy %", "ps/point")
	for i, f := range c.Tried {
		if f.Why != "" {
			continue
		}
		mark, cost := " ", c.Costs[i]
		if i == len(c.Tried)-1 {
			mark = "*"
		}
		fmt.Fprintf(&b, "%s %-*v %5d %8d %6d", mark, wide, f.Shape, f.Registers, f.Shared, f.Blocks)
		if cost.PerPoint > 0 {
			fmt.Fprintf(&b, " %6.0f %9.3f", 100*cost.Share, 1e12*cost.PerPoint)
		}
		b.WriteByte('\n')
	}
	if x := c.Best(); x.PerPoint > 0 {
		fmt.Fprintf(&b, "\nclocks of a multiprocessor, for a full turn of all blocks at work: issue %.0f, shared %.0f, arithmetic %.0f, global %.0f; a block alone %.0f; together %.0f\n",
			x.Issue, x.Shared, x.Units, x.Global, x.Alone, x.Turn)
	}
	return b.String()
}

// last returns all with number i moved to the end.
func last[T any](all []T, i int) []T {
	x := all[i]
	return append(slices.Delete(all, i, i+1), x)
}

func (c *StreamChoice) fit(i int) bool { return c.Tried[i].Why == "" }

// loops reports whether full turns of a shape are loops, since their straight code would be too much for the cache for instructions.
func (c *StreamChoice) loops(i int) bool { return c.Tried[i].Turn.Rotated > 0 }

// add adds what a shape takes.
func (c *StreamChoice) add(space *schedule.Canonical, cone schedule.Cone, d machine.Device, f stream.Fit) {
	cost := StreamCost{}
	if f.Why == "" {
		tiles, err := schedule.HybridTiles(space, cone, f.Sizes)
		if err != nil {
			panic(fmt.Sprintf("model: tiles of a pipeline: %v", err))
		}
		cost = WeighStreams(f, tiles, c.Grid, d)
	}
	c.Tried, c.Costs = append(c.Tried, f), append(c.Costs, cost)
}

// Beats reports whether rows that stream are expected to take so much less than tiles in shared memory that they are worth it.
func (c *StreamChoice) Beats(tiles *Choice) bool {
	best := c.Best()
	hexagons := tiles.Best[0]
	return c.Fits() && best.PerPoint > 0 &&
		hexagonsSlower(len(hexagons.Sizes.W), tiles.Ready, hexagons.Cost.Idle)*hexagons.Cost.PerPoint > (1+streamsGain)*streamsSlower(c.device)*best.PerPoint
}

func (c *StreamChoice) expected() *Expected {
	best := c.Best()
	return &Expected{Sizes: c.Fit().Sizes, PerPoint: best.PerPoint, Tiles: int64(best.AtOnce), Ready: true}
}

// WeighStreams returns what a run takes on a grid whose tiles are s, in a pipeline as f says. It is the zero value for a grid without points, and in three
// dimensions, where strips wait for each other, and registers are spilled, in ways that are not modelled.
func WeighStreams(f stream.Fit, s *schedule.Schedule, g Grid, d machine.Device) (c StreamCost) {
	t := tilesOf(s, g)
	if len(t.launches) == 0 || len(s.Canonical.Space) != 2 {
		return c
	}
	slots, work := float64(max(1, f.Blocks)*d.SMs), workOf(f, d)
	c.weigh(f, work, 1, d)
	start := startWork * float64(f.Shape.Columns*f.Shape.Steps) * float64(f.Turn.Beats) / c.Turn
	time, busy := chainsOf(f, work, start, s, t, g).run(slots) // beats
	c.weigh(f, work, busy/float64(d.SMs), d)
	c.AtOnce, c.Share = busy, busy/slots
	c.Seconds = time*(c.Turn/float64(f.Turn.Beats)+lookWait/float64(f.Chain.Look))/d.Hertz() + LaunchSeconds
	c.PerPoint = c.Seconds / float64(max(1, g.Points))
	return c
}

// chainsOf returns the chains of a run; a place is a beat. Until one has begun it takes as long as so many beats.
func chainsOf(f stream.Fit, work turnWork, start float64, s *schedule.Schedule, t tiling, g Grid) flow {
	more := sideWork * float64(f.Shape.Warps) * float64(f.Turn.Beats) / work.instructions
	w := flow{Phases: float64(t.count()), Hop: float64(f.Chain.Behind) + start, Cut: 1 + more}
	for _, x := range t.launches {
		w.Places += float64(x.times) / w.Phases * float64(x.across)
	}
	rows := g.Space[len(s.Canonical.Space)-1]
	w.Along = float64(rows.Hi - rows.Lo + 1 + s.Height + f.Chain.Beside)
	w.Hop = min(w.Hop, w.Along)
	w.Phases += endTurns * more
	return w
}

// A turnWork is what a block asks of a multiprocessor in a turn.
type turnWork struct {
	instructions float64 // of its warps
	units        float64 // clocks, for arithmetic
	waits        float64 // clocks of a warp, for what takes long
}

// workOf returns that of a pipeline.
func workOf(f stream.Fit, d machine.Device) (w turnWork) {
	n, warps, lanes := f.Turn, float64(f.Shape.Warps), float64(d.Warp)
	w.instructions = float64(n.Operations)/lanes + float64(n.Moves) + float64(n.Rotated) + beatWork*warps*float64(n.Beats) + directWork*float64(n.Direct)/lanes
	for st, runs := range n.Runs {
		evaluated, words := float64(runs)*float64(n.Evaluated)/float64(n.Updates), 1
		for _, a := range st.Accesses {
			words = max(words, a.Array.Elem.Words())
		}
		calls, work, wait := evaluated*float64(st.Calls())/lanes, float64(callWork), float64(callIssue)
		if words > 1 {
			work, wait = callWork2, callIssue2
		}
		w.instructions += calls * work
		w.waits += calls * wait / warps
		rate := resultsOf(st, words, d)
		w.units += evaluated * st.OperationsInRow() / rate
		if each := lanes * float64(d.Partitions) / rate; each > warpIssue { // clocks of a scheduler, for an operation of a warp
			w.waits += (each - warpIssue) * evaluated * st.OperationsInRow() / lanes / warps
		}
	}
	if n.Direct > 0 {
		w.waits += directWait * float64(n.Beats)
	}
	return w
}

// weigh sets what a turn takes if a multiprocessor has so many blocks.
func (c *StreamCost) weigh(f stream.Fit, work turnWork, blocks float64, d machine.Device) {
	n, warps := f.Turn, float64(f.Shape.Warps)
	c.Issue = blocks * work.instructions / float64(d.Partitions)
	c.Shared = blocks * wordWork * 4 * float64(n.Words) / float64(d.SharedPerClock)
	c.Units = blocks * work.units
	c.Alone = work.instructions/warps*warpIssue + work.waits + wordWait*c.Shared/blocks + barrierLatency*float64(n.Beats)/float64(f.Shape.Period)
	c.Global = blocks * float64(n.Bytes) * float64(d.SMs) * d.Hertz() / (float64(d.GBs) * 1e9)
	sum := 0.0
	for _, x := range []float64{c.Issue, c.Shared, c.Units, c.Alone, c.Global} {
		sum += math.Pow(x, overlapTurns)
	}
	c.Turn = math.Pow(sum, 1.0/overlapTurns)
}

// resultsOf returns how many operations of st a multiprocessor does in a clock.
func resultsOf(st *scop.Stmt, words int, d machine.Device) float64 {
	switch {
	case st.Accesses[0].Array.Elem == scop.Int:
		return integerLanes / integerWork
	case words > 1 && d.FP64 > 0:
		return float64(d.FP64)
	}
	return float64(d.FP32)
}

package report

import (
	"fmt"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/stream"
)

// This file tells of kernels whose rows stream through the registers of a pipeline of warps: what runs when, and which shapes were tried.

type (
	// A Pipeline is how the tiles of a chain run: row S1 of the classical dimension, S2 in three dimensions, at beat S1 + period*q for steps q*steps to
	// q*steps + steps-1, in the q-th of warps in time, and period*v later in the v-th across a strip.
	Pipeline struct {
		PipelineShape
		Lanes  int           `json:"lanes"`  // of a warp, each with Columns of a row
		Turn   int           `json:"turn"`   // beats whose code differs by the names of registers
		Ahead  int           `json:"ahead"`  // beats from the begin of a copy to its use
		Every  int           `json:"every"`  // beats from one look at other chains to the next; 0: launches keep the order of chains
		Stages []int         `json:"stages"` // how many warps run the same code, in order
		Tried  []PipelineFit `json:"tried"`  // the last one was taken
	}
	// A PipelineShape is what --pipeline gives.
	PipelineShape struct {
		Columns int `json:"columns"` // of a row, that a lane holds
		Steps   int `json:"steps"`   // of a warp
		Warps   int `json:"warps"`   // one behind the other in time
		Period  int `json:"period"`  // beats between barriers
		Lines   int `json:"lines"`   // of a row that a warp holds, in three dimensions; 0 in two
		Across  int `json:"across"`  // warps side by side along a strip, in three dimensions; 1 in two
	}
	// A PipelineFit is what a shape takes, and what a block does in a full turn, or why the shape does not fit: then the rest is 0.
	PipelineFit struct {
		PipelineShape
		Why          string `json:"why"`
		Registers    int    `json:"registers"`   // of a thread, an estimate
		SharedBytes  int64  `json:"sharedBytes"` // of rows, and of columns that enter and leave
		BlocksPerSM  int    `json:"blocksPerSM"`
		Updates      int64  `json:"updates"`   // instances of the tiles
		Evaluated    int64  `json:"evaluated"` // columns of lanes: updates, and those that are of no use
		Operations   int64  `json:"operations"`
		Shuffles     int64  `json:"shuffles"`
		SharedLoads  int64  `json:"sharedLoads"`
		SharedStores int64  `json:"sharedStores"`
		GlobalLoads  int64  `json:"globalLoads"`
		GlobalStores int64  `json:"globalStores"`
		Bytes        int64  `json:"bytes"` // of global memory
		// What the model expects of the run, in two dimensions; 0: nothing.
		BusyShare float64 `json:"busyShare"` // of the time of all blocks that the device holds in which they run turns
		PerPoint  float64 `json:"picosecondsPerPoint"`
	}
)

func shapeOf(s stream.Shape) PipelineShape {
	return PipelineShape{s.Columns, s.Steps, s.Warps, s.Period, s.Lines, max(1, s.Across)}
}

// pipelineIn returns the pipeline that the kernels of p run, nil if they run none.
func pipelineIn(p Products) *gpu.Pipeline {
	if p.GPU == nil {
		return nil
	}
	return p.GPU.Pipeline()
}

// countTurn returns what a full turn of a kernel does.
func countTurn(k *gpu.Kernel, n gpu.TurnCount) counter {
	p := k.Pipeline()
	return counter{runs: n.Runs, Counts: Counts{
		SharedBytes: k.SharedBytes(), Points: n.Updates, Loads: n.GlobalLoads, Stores: n.GlobalStores, Bytes: n.Bytes,
		Barriers: int64(p.Turn / p.Period), SharedTraffic: n.SharedBytes,
	}}
}

// pipelineOf returns the pipeline of the kernels of p, nil if they have none.
func pipelineOf(p Products) *Pipeline {
	pipe := pipelineIn(p)
	if pipe == nil {
		return nil
	}
	out := &Pipeline{
		PipelineShape: PipelineShape{pipe.Columns, pipe.Steps, pipe.InTime(), pipe.Period, pipe.Lines, pipe.Across},
		Lanes:         gpu.WarpLanes, Turn: pipe.Turn, Ahead: pipe.Ahead,
	}
	if p.GPU.Chains != nil { // else launches keep the order
		out.Every = pipe.Every
	}
	for _, st := range pipe.Stages {
		out.Stages = append(out.Stages, st.Count)
	}
	for i, f := range p.Streams.Tried {
		n, cost := f.Turn, p.Streams.Costs[i]
		out.Tried = append(out.Tried, PipelineFit{
			PipelineShape: shapeOf(f.Shape), Why: f.Why, Registers: f.Registers, SharedBytes: f.Shared, BlocksPerSM: f.Blocks,
			Updates: n.Updates, Evaluated: n.Evaluated, Operations: n.Operations, Shuffles: n.Shuffles,
			SharedLoads: n.SharedLoads, SharedStores: n.SharedStores, GlobalLoads: n.GlobalLoads, GlobalStores: n.GlobalStores, Bytes: n.Bytes,
			BusyShare: cost.Share, PerPoint: 1e12 * cost.PerPoint,
		})
	}
	return out
}

func (s PipelineShape) String() string {
	return stream.Shape{Columns: s.Columns, Steps: s.Steps, Warps: s.Warps, Period: s.Period, Lines: s.Lines, Across: s.Across}.String()
}

// textPipeline writes what runs when, and the shapes that were tried.
func (in *Inspection) textPipeline(w *writer) {
	p := in.Pipeline
	if p == nil {
		return
	}
	w.section("Pipeline of warps: rows stream through their registers")
	w.item("shape", p.PipelineShape.String(), plainWords)
	w.item("a row", fmt.Sprintf("%s of %s each", count(p.Lanes, "lane"), count(p.Columns, "column")), plainWords)
	along := "S1"
	if p.Lines > 0 {
		along = "S2"
		lines := fmt.Sprintf("%d of a row, side by side in a warp; a strip S1 of them is a chain, and the last ones go on to the next strip", p.Lines)
		if p.Across > 1 {
			lines = fmt.Sprintf("%d of a row, side by side in a warp, and %d warps across a strip S1, which is a chain; the last ones of a warp go on to the next, and those of the strip to the next strip", p.Lines, p.Across)
		}
		w.item("lines", lines, plainWords)
	}
	beat, warp, across := fmt.Sprintf("%s + %d*q", along, p.Period), "q", ""
	if p.Across > 1 {
		beat, warp, across = beat+fmt.Sprintf(" + %d*v", p.Period), fmt.Sprintf("%d*q + v", p.Across), fmt.Sprintf(", v = 0 to %d", p.Across-1)
	}
	w.item("runs", fmt.Sprintf("tile %s at beat %s in warp %s: its steps %d*q to %d*q + %d, q = 0 to %d%s", along, beat, warp, p.Steps, p.Steps, p.Steps-1, p.Warps-1, across), plainWords)
	look := ""
	if p.Every > 0 {
		look = fmt.Sprintf("a look at other chains every %d; ", p.Every)
	}
	w.item("turn", fmt.Sprintf("%s, then registers have the same names again; a barrier every %s; %scopies begin %d before their use",
		count(p.Turn, "beat"), count(p.Period, "beat"), look, p.Ahead), plainWords)
	stages := ""
	for i, n := range p.Stages {
		if i > 0 {
			stages += ", then of "
		}
		stages += count(n, "warp")
	}
	w.item("code", "the same of "+stages, plainWords)
	w.line("  of a full turn, for an update: counted, not measured")
	rows := [][]string{{"", "shape", "registers", "shared", "blocks", "useful", "operations", "shuffles", "loads", "stores", "bytes", "busy", "ps/point"}}
	for i, f := range p.Tried {
		if f.Why != "" {
			continue
		}
		name := ""
		if i == len(p.Tried)-1 {
			name = "taken"
		}
		per := func(n int64) string { return fmt.Sprintf("%.2f", float64(n)/float64(f.Updates)) }
		rows = append(rows, []string{name, f.PipelineShape.String(), fmt.Sprint(f.Registers), fmt.Sprint(f.SharedBytes), fmt.Sprint(f.BlocksPerSM),
			fmt.Sprintf("%.1f %%", 100*float64(f.Updates)/float64(f.Evaluated)), per(f.Operations), per(f.Shuffles), per(f.SharedLoads), per(f.SharedStores), per(f.Bytes)})
		if at := &rows[len(rows)-1]; f.PerPoint > 0 {
			*at = append(*at, fmt.Sprintf("%.0f %%", 100*f.BusyShare), fmt.Sprintf("%.3g", f.PerPoint))
		}
	}
	w.table(rows)
	w.line("  busy: of the time of all blocks that the device holds, that in which they run turns; this and ps/point by the model, in two dimensions")
	for _, f := range p.Tried {
		if f.Why != "" {
			w.item("not", f.PipelineShape.String()+": "+f.Why, plainWords)
		}
	}
}

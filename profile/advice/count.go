// Package advice says which kernels a translation has and what is counted of them, compares that with what a profiler measured, and names
// clauses to try: each is tried by the compiler, which takes it, or says why not.
package advice

import (
	"math"
	"slices"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/profile"
	"github.com/hexcc/hexcc/report"
	"github.com/hexcc/hexcc/scop"
)

// This file counts what kernels do.

// countAll returns what is counted of the kernels of r, which are written to files of that base, in a run at the sizes of grid. Full tiles are run by the
// emulator, one block of each kernel; where kernels have none, a small grid.
func countAll(r *hexcc.Region, base string, d machine.Device, grid model.Grid) []profile.Counted {
	names := kerneltext.Names{Base: base, Region: r.Scop.Region.Index}
	per, idle, gaps := expected(r)
	var all []profile.Counted
	for _, k := range r.GPU.Kernels {
		c := sketch(r, k, d)
		c.Kernel, c.Also = names.Kernel(k, 0), []string{names.Kernel(k, 1)}
		c.SecondsPerUpdate, c.Idle, c.Gaps = per, idle, gaps
		c.Bytes = sweep(k)
		countKernel(&c, r, k)
		all = append(all, c)
	}
	launches(all, r.GPU, grid)
	if r.GPU.Chains != nil { // one kernel runs the tiles of all: they differ by where they lie
		c := all[0]
		c.Kernel, c.Also = names.Chains(0), []string{names.Chains(1)}
		c.Launches, c.Blocks = 1, 0
		return []profile.Counted{c}
	}
	return all
}

// sketch returns what needs no counting.
func sketch(r *hexcc.Region, k *gpu.Kernel, d machine.Device) profile.Counted {
	registers := k.Registers
	if k.MostRegisters > 0 {
		registers = min(registers, k.MostRegisters)
	}
	c := profile.Counted{Threads: int64(k.Threads[0] * k.Threads[1] * k.Threads[2]), BlockBytes: k.SharedBytes(), Registers: registers, Unit: unit(r.Scop)}
	o := k.Occupancy(d, min(registers, d.RegistersPerThread))
	c.BlocksPerSM, c.Limit, c.Warps = o.Blocks, o.Limit, o.Warps
	if r.Choice != nil && r.Streams == nil {
		c.Spilled = r.Choice.Best[0].Counts.Spilled
	}
	if k.MostRegisters > 0 {
		c.Spilled = max(c.Spilled, k.Registers-k.MostRegisters)
	}
	return c
}

// statements returns the statements that k runs.
func statements(k *gpu.Kernel) (all []*scop.Stmt) {
	gpu.EachOp(k.Body, func(op gpu.Op) {
		if c, ok := op.(gpu.Compute); ok && !slices.Contains(all, c.Stmt) {
			all = append(all, c.Stmt)
		}
	})
	return all
}

// sweep returns the bytes of an update of k, if each element that its statements use moves once.
func sweep(k *gpu.Kernel) float64 {
	bytes, stmts := int64(0), statements(k)
	for _, st := range stmts {
		bytes += report.SweepBytes(st)
	}
	return float64(bytes) / float64(max(1, len(stmts)))
}

// unit returns the unit that does most of what statements of p calculate, by the elements that they write.
func unit(p *scop.Program) profile.Resource {
	unit := profile.Integer
	for _, s := range p.Stmts {
		for _, a := range s.Accesses {
			switch {
			case !a.Write:
			case a.Array.Elem == scop.Double:
				return profile.FP64
			case a.Array.Elem.IsFloat():
				unit = profile.FP32
			}
		}
	}
	return unit
}

// expected returns the seconds of an update, the share of the multiprocessors' time without a block, and that of the time between launches by the model;
// zeros where it has none.
func expected(r *hexcc.Region) (seconds, idle, gaps float64) {
	switch {
	case r.Streams != nil:
		best := r.Streams.Best()
		if best.Share > 0 {
			idle = 1 - best.Share
		}
		return best.PerPoint, idle, 0
	case r.Strategy == hexcc.Hybrid && r.Choice != nil:
		cost := r.Choice.Best[0].Cost
		return cost.PerPoint, cost.Idle, cost.Overhead
	case r.Outlook != nil:
		if e := r.Outlook.Of(string(r.Strategy)); e != nil {
			return e.PerPoint, 0, 0
		}
	}
	return 0, 0, 0
}

// countKernel counts what k does by update.
func countKernel(c *profile.Counted, r *hexcc.Region, k *gpu.Kernel) {
	if p := k.Pipeline(); p != nil {
		countTurn(c, p.Count())
		return
	}
	part := *r.GPU
	part.Kernels, part.Chains = []*gpu.Kernel{k}, nil
	request := emulate.Request{Program: &part, Schedule: r.Schedule}
	same := func(params []int64) []int64 { return params }
	if some, ok := request.Typical(same); ok {
		if did := profiled(some.Program, some.Params, k.Name); did != nil {
			countTile(c, did, some)
			return
		}
	}
	if r.Strategy == hexcc.Hybrid && r.Choice != nil {
		countModel(c, r.Choice.Best[0].Counts, r.GPU.Device)
		return
	}
	request.Program, request.Points = r.GPU, smallPoints
	if params := request.Roomy(); params != nil && instances(r.Scop, params) <= mostPoints {
		if did := profiled(r.GPU, params, k.Name); did != nil {
			countRun(c, k, did)
			return
		}
	}
	countStatements(c, k)
}

// smallPoints is about how many instances a small run has, and mostPoints how many it may have where sizes are numbers.
const (
	smallPoints = 1 << 16
	mostPoints  = 8 * smallPoints
)

func instances(p *scop.Program, params []int64) (n int64) {
	for _, st := range p.Stmts {
		n += scop.NewNest(st, params).Count()
	}
	return n
}

// countStatements sets what statements do, without what tiles copy.
func countStatements(c *profile.Counted, k *gpu.Kernel) {
	stmts := statements(k)
	c.Of, c.Updates = "statement", 1
	by := 1 / float64(max(1, len(stmts)))
	for _, st := range stmts {
		c.Operations += by * float64(st.Operations())
		c.Instructions += by * float64(st.Operations()+int64(len(st.Accesses)))
		for _, a := range st.Accesses {
			c.Direct += by * float64(a.Array.Elem.Size())
		}
	}
}

// countModel sets what the model counts of a whole tile, though the grid may have none that is: of instructions it knows accesses and operations.
func countModel(c *profile.Counted, n lower.Counts, d machine.Device) {
	c.Of, c.Updates = "whole tile", n.Points
	by := 1 / float64(max(1, n.Points))
	c.Bytes = by * float64(n.Bytes)
	c.SharedPasses = by * float64(n.SharedMoved) / float64(d.SharedPerClock)
	c.Operations = by * float64(n.Operations)
	c.Instructions = by * float64(n.Operations+n.Shared+n.Global+n.Loads+n.Stores)
	c.Barriers = by * float64(n.Barriers)
}

// countRun sets what a small run did. Its tiles are cut, so that many lanes do nothing, which a large grid has less of: operations and instructions are those of lanes
// that do something.
func countRun(c *profile.Counted, k *gpu.Kernel, did *emulate.Profile) {
	all := did.Total()
	direct := did[emulate.Full][emulate.Step].Global().Bytes + did[emulate.Partial][emulate.Step].Global().Bytes
	c.Of, c.Updates = "small run", all.Points
	setTraffic(c, float64(all.Points), float64(direct), []share{{all, 1}})
	if all.Points == 0 {
		return
	}
	var exact profile.Counted
	countStatements(&exact, k)
	c.Operations = exact.Operations
	c.Instructions = c.Operations + float64(all.Global().Elements+all.Shared().Elements)/float64(all.Points)
}

// profiled returns what warps do in the launches of the kernel of that name; nil where it did nothing, or there is too much to watch.
func profiled(p *gpu.Program, params []int64, name string) *emulate.Profile {
	mem, err := scop.NewMemory(p.Scop, params, 1)
	if err != nil {
		return nil
	}
	did, err := emulate.Run(p, mem, emulate.Options{Profile: true})
	if err != nil {
		return nil
	}
	var all *emulate.Profile
	for _, l := range did.Launches {
		if l.Kernel.Name == name && l.Profile != nil {
			if all == nil {
				all = &emulate.Profile{}
			}
			all.Add(l.Profile)
		}
	}
	return all
}

// countTile sets what a full tile does that follows a full tile and is not the last of them, as most are.
func countTile(c *profile.Counted, did *emulate.Profile, some emulate.Typical) {
	by := float64(some.Full)
	var points float64
	var parts []share
	direct := 0.0
	for w, t := range did[emulate.Full] {
		n := by
		switch emulate.Work(w) {
		case emulate.CopyInFirst, emulate.StoreLast:
			continue
		case emulate.CopyInAfter, emulate.Move:
			n = float64(max(1, some.After))
		}
		if emulate.Work(w) == emulate.Step {
			direct = float64(t.Global().Bytes) / n
		}
		points += float64(t.Points) / n
		parts = append(parts, share{t, 1 / n})
	}
	c.Of, c.Updates = "full tile", int64(math.Round(points))
	setTraffic(c, points, direct, parts)
}

// A share is how much of a traffic counts.
type share struct {
	emulate.Traffic
	of float64
}

// setTraffic sets the numbers by update of what warps did for so many updates, in which statements accessed so many bytes of global memory themselves. Of those
// caches hold what others have loaded: c.Bytes is what an update moves if each element moves once.
func setTraffic(c *profile.Counted, points, direct float64, parts []share) {
	if points == 0 {
		c.Of = ""
		return
	}
	sum := func(number func(t *emulate.Traffic) int64) (n float64) {
		for i := range parts {
			n += parts[i].of * float64(number(&parts[i].Traffic))
		}
		return n / points
	}
	once := c.Bytes
	c.Bytes = sum(func(t *emulate.Traffic) int64 { return t.Global().Bytes })
	c.Direct = direct / points
	c.Bytes += min(c.Direct, once) - c.Direct
	c.SharedPasses = sum(func(t *emulate.Traffic) int64 { return t.Shared().Wavefronts })
	c.Conflicts = sum(func(t *emulate.Traffic) int64 { return t.Shared().Conflicts() })
	c.Operations = gpu.WarpLanes * sum(func(t *emulate.Traffic) int64 { return t.Arithmetic })
	c.Instructions = gpu.WarpLanes * sum(func(t *emulate.Traffic) int64 { return t.Instructions() })
	c.Barriers = sum(func(t *emulate.Traffic) int64 { return t.Barriers })
}

// countTurn sets what a full turn of a pipeline does. Instructions are those of the statements and of accesses.
func countTurn(c *profile.Counted, n gpu.TurnCount) {
	c.Of, c.Updates = "full turn", n.Updates
	if n.Updates == 0 {
		return
	}
	by := 1 / float64(n.Updates)
	c.Bytes = by * float64(n.Bytes)
	c.SharedPasses = by * float64(n.Words) / gpu.WarpLanes
	c.Operations = by * float64(n.Operations)
	c.Instructions = by * float64(n.Operations+gpu.WarpLanes*n.Moves)
}

// launches adds how often each kernel is launched with a block, and with how many, in a run at the sizes of grid.
func launches(all []profile.Counted, p *gpu.Program, grid model.Grid) {
	env := map[string]int64{}
	for _, v := range grid.Values {
		env[v.Name] = v.Value
	}
	if !p.Busy.Holds(env) {
		return
	}
	for t, hi := affine.Eval(p.TLo, env), affine.Eval(p.THi, env); t <= hi; t++ {
		env[p.T] = t
		for i, k := range p.Kernels {
			if !k.Work.Holds(env) {
				continue
			}
			if n, _ := k.Blocks(env); n[0]*n[1]*n[2] > 0 {
				all[i].Launches++
				all[i].Blocks += n[0] * n[1] * n[2]
			}
		}
	}
}

package main

import (
	"container/heap"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// This file runs the chains of a whole run on as many blocks as a device holds, chain by chain and look by look: each takes the next chain, waits for those
// that it has to wait for, and takes a unit of time for each beat of a full turn.

// A chainRun is a run with values of parameters.
type chainRun struct {
	program  *gpu.Program
	pipeline *gpu.Pipeline
	env      map[string]int64
	slots    int // blocks at once
	costs    *turnCosts
	beats    float64 // that have been run by all, once busy has run
}

// times are when slots are free, the first one first.
type times []float64

func (t times) Len() int           { return len(t) }
func (t times) Less(i, j int) bool { return t[i] < t[j] }
func (t times) Swap(i, j int)      { t[i], t[j] = t[j], t[i] }
func (t *times) Push(x any)        { *t = append(*t, x.(float64)) }
func (t *times) Pop() any {
	old := *t
	x := old[len(old)-1]
	*t = old[:len(old)-1]
	return x
}

// A ran is a chain that has run: when it had run each stretch of beats from lo on.
type ran struct {
	lo, every int64
	done      []float64
}

// at returns when the chain had run a beat, or had ended.
func (r ran) at(beat int64) float64 {
	if len(r.done) == 0 {
		return 0
	}
	i := (beat - r.lo) / r.every
	if beat < r.lo {
		return 0
	}
	return r.done[min(int(i), len(r.done)-1)]
}

// busy runs all chains. It returns the share of the time of all blocks that they run full turns, or would if all were full.
func (c *chainRun) busy() float64 {
	free := make(times, c.slots)
	all := map[schedule.Link]ran{}
	end, work := 0.0, 0.0
	lo, hi := affine.Eval(c.program.TLo, c.env), affine.Eval(c.program.THi, c.env)
	for _, link := range c.tickets(lo, hi) {
		k := c.program.Kernels[link.Phase]
		c.at(link)
		s, _ := k.Stream()
		at, took := c.chain(s, link.Phase, heap.Pop(&free).(float64), c.program.Chains.Sources(link), all)
		all[link] = at
		work += took
		last := 0.0
		if len(at.done) > 0 {
			last = at.done[len(at.done)-1]
		}
		heap.Push(&free, last)
		end = max(end, last)
	}
	c.beats = work
	if end == 0 {
		return 0
	}
	return work / (end * float64(c.slots))
}

// at sets the variables that say which chain runs.
func (c *chainRun) at(link schedule.Link) {
	c.env[c.program.T] = link.Time
	grid := c.program.Kernels[link.Phase].Grid
	for axis, x := range grid {
		c.env[x.Var] = link.At[len(grid)-1-axis]
	}
}

// tickets returns the chains of time tiles lo to hi in the order in which they are taken.
func (c *chainRun) tickets(lo, hi int64) (all []schedule.Link) {
	for t := lo; t <= hi; t++ {
		c.env[c.program.T] = t
		for phase, k := range c.program.Kernels {
			n, first := k.Blocks(c.env)
			for i := range n[0] * n[1] { // along x first
				link := schedule.Link{Time: t, Phase: phase}
				for axis, at := range []int64{i % n[0], i / n[0]}[:len(k.Grid)] {
					link.At[len(k.Grid)-1-axis] = first[axis] + at
				}
				all = append(all, link)
			}
		}
	}
	c.program.Chains.Tickets(all)
	return all
}

// enter sets the variables of the pipeline that are those of a chain, and returns its first and last beats.
func (c *chainRun) enter(s gpu.Stream) (lo, hi int64) {
	v, env := c.pipeline.Vars, c.env
	env[v.Time], env[v.Column] = affine.Eval(s.Time, env), affine.Eval(s.Column, env)
	if s.Line != nil {
		env[v.Line] = affine.Eval(s.Line, env)
	}
	return affine.Eval(s.Lo, env), affine.Eval(s.Hi, env)
}

// chain runs a chain of a phase from a time on, and returns when it had run what, and how many beats it has.
func (c *chainRun) chain(s gpu.Stream, phase int, now float64, sources []schedule.Link, all map[schedule.Link]ran) (out ran, beats float64) {
	p := c.pipeline
	env := c.env
	lo, hi := c.enter(s)
	out = ran{lo: lo, every: int64(p.Every)}
	if lo > hi {
		out.done = []float64{now}
	}
	for b := lo; b <= hi; b += int64(p.Every) {
		for _, src := range sources {
			r, ok := all[src]
			lag := s.Lag
			if src.Time == c.env[c.program.T] && src.Phase == phase {
				lag = s.Behind
			}
			if ok {
				now = max(now, r.at(b+lag))
			}
		}
		for turn := b; turn < b+int64(p.Every) && turn <= hi; turn += int64(p.Turn) {
			env[p.Vars.Beat], env[p.Vars.Last] = turn, turn+int64(p.Turn)-1
			took := float64(p.Turn)
			beats += took
			if !p.Full.Holds(env) {
				took *= c.costs.of(env, turn, lo, hi)
			}
			now += took
		}
		out.done = append(out.done, now)
	}
	return out, beats
}

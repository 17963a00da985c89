package symbolic

import (
	"fmt"
	"math"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// This file asks whether what chains load of each other is there, and still there, by what they wait for. A run of full turns says how many
// beats behind its row each column of each step is stored, and how many beats behind the row of what reads it an element is loaded. Chains of all places do the same.
//
//	what a chain loads at beat b, another one has stored at beat b' <= b + L, where the waits of the first imply that it
//	has seen the beats of the other up to b + L
//
// In the same way, what stores to an element again has seen all beats that load it, and that stored to it before.
//
// Where a launch runs all chains of a phase, one has seen all beats of the chains of phases before its own, and none of other chains of its own phase.

// A chain is one of those around a chain, by how much T, S0, and in three dimensions S1 are more than its own.
type chain struct {
	time  int64
	phase int
	at    int64
	strip int64
}

// owner returns the chain that has a column of a step of a chain of a phase, in a line, counted from there, and which column and line of which step that is of its own.
func (x *streams) owner(phase int, step, column, line int64) (o chain, s, c, l int64) {
	found := 0
	ph := x.schedule.Phases[phase]
	for i, other := range x.schedule.Phases {
		tau := step - ph.TimeShift + other.TimeShift
		time := (tau - affine.Remainder(tau, x.schedule.Height)) / x.schedule.Height
		a, d := affine.Remainder(tau, x.schedule.Height), other.Space[0]
		local := column + ph.Space[0].Offset - d.Offset - d.Drift*time // less Stride for each chain further
		first := local - d.Lo[a]
		at := (first - affine.Remainder(first, d.Stride)) / d.Stride
		for ; local-at*d.Stride <= d.Hi[a]; at-- { // no column is in more than one
			if local-at*d.Stride >= d.Lo[a] {
				o, s, c, l = chain{time, i, at, 0}, a, local-at*d.Stride, line
				if x.streamed() == 2 { // boxes of lines, the same in all phases
					d := other.Space[1]
					o.strip = affine.Eval(affine.Floor(affine.Num(line-d.Lo[a]), d.Stride), nil)
					l -= o.strip * d.Stride
				}
				found++
			}
		}
	}
	if found != 1 {
		panic(wrong(fmt.Sprintf("column %d of step %d is of %d chains", column, step, found)))
	}
	return o, s, c, l
}

// ahead returns up to how many beats after one of its own a chain of a phase has seen those of another one; math.MinInt64 if it has not, math.MaxInt64 if
// it has seen all.
func (x *streams) ahead(phase int, target chain) int64 {
	if x.program.Chains == nil {
		if x.launched(chain{phase: phase}) > x.launched(target) {
			return math.MaxInt64
		}
		return math.MinInt64
	}
	return x.aheadOf(chain{phase: phase}, target, map[chain]int64{})
}

// launched returns which launch runs a chain, counted from the first of time tile 0.
func (x *streams) launched(c chain) int64 {
	at := slices.IndexFunc(x.program.Kernels, func(k *gpu.Kernel) bool { return k.Phase == c.phase })
	if at < 0 {
		panic(wrong(fmt.Sprintf("phase %d is not launched", c.phase)))
	}
	return c.time*int64(len(x.program.Kernels)) + int64(at)
}

func (x *streams) aheadOf(c, target chain, known map[chain]int64) int64 {
	if most, ok := known[c]; ok {
		return most
	}
	most := int64(math.MinInt64)
	stream, _ := x.program.Kernels[c.phase].Stream()
	for _, s := range x.program.Chains.Sources(schedule.Link{Time: c.time, Phase: c.phase, At: [3]int64{c.at, c.strip}}) {
		source, lag := chain{s.Time, s.Phase, s.At[0], s.At[1]}, stream.Lag
		if source.time == c.time && source.phase == c.phase {
			lag = stream.Behind
		}
		lag -= int64(x.Every - 1)
		switch phases := (source.time-target.time)*int64(len(x.program.Kernels)) + int64(source.phase-target.phase); {
		case source == target:
			most = max(most, lag)
		case phases > 0 && source.strip+phases*x.reach() >= target.strip || phases == 0 && source.at == target.at && source.strip > target.strip:
			if more := x.aheadOf(source, target, known); more != math.MinInt64 {
				most = max(most, lag+more)
			}
		}
	}
	known[c] = most
	return most
}

// reach returns by how many strips at most a chain waits for one of the phase before that lies further along them.
func (x *streams) reach() (most int64) {
	for _, w := range x.program.Chains.Steps {
		if len(w.Lo) > 1 {
			most = max(most, -w.Lo[1])
		}
	}
	return most
}

// from returns c as seen from o.
func (c chain) from(o chain) chain {
	return chain{c.time - o.time, c.phase, c.at - o.at, c.strip - o.strip}
}

// An order asks these questions about chains of a phase.
type order struct {
	*streamRun
	phase int
	known map[[2]chain]int64
}

// seen fails unless a chain has seen a beat of another one when it is at beat now.
func (x *order) seen(c chain, now int64, other chain, beat int64, what func() string) {
	target := other.from(chain{c.time, 0, c.at, c.strip})
	key := [2]chain{{phase: c.phase}, target}
	more, ok := x.known[key]
	if !ok {
		more = x.ahead(c.phase, target)
		x.known[key] = more
	}
	switch {
	case more == math.MinInt64:
		panic(wrong(what() + ", and it does not wait for that chain"))
	case more != math.MaxInt64 && beat > now+more:
		panic(wrong(fmt.Sprintf("%s at beat %d of a chain for which it has waited up to beat %d", what(), beat, now+more)))
	}
}

// check asks all questions of a phase.
func (x *order) check() {
	self := chain{phase: x.phase}
	for p, at := range x.loaded {
		a := p.stmt.Accesses[p.access]
		load := func(verb string) func() string {
			return func() string { return fmt.Sprintf("%v is loaded at beat %d, and %s", p, at, verb) }
		}
		for _, w := range x.writers(p.stmt, a, false, nearest) {
			if x.border[w.stmt] || x.apart(p.stmt, w.stmt, w.before) {
				continue
			}
			o, stored, beat := x.storeOf(p, w)
			switch {
			case o == self:
				panic(wrong(load("the chain computes it itself")()))
			case !stored:
				panic(wrong(load("not stored by the chain that computes it")()))
			}
			x.seen(self, at, o, beat, load("stored"))
		}
		x.writers(p.stmt, a, true, func(w writer) bool {
			o, stored, beat := x.storeOf(p, w)
			switch {
			case !stored:
				return false
			case o == self && beat < at+int64(x.Ahead):
				panic(wrong(load(fmt.Sprintf("the chain stores to it at beat %d", beat))()))
			case o != self:
				x.seen(o, beat, self, at, func() string { return fmt.Sprintf("%v is stored to again at beat %d, and loaded", p, beat) })
			}
			return true
		})
	}
	for p, at := range x.stored {
		x.writers(p.stmt, p.stmt.Accesses[p.access], false, func(w writer) bool {
			o, stored, beat := x.storeOf(p, w)
			switch {
			case !stored:
				return false
			case o == self && beat >= at:
				panic(wrong(fmt.Sprintf("%v is stored at beat %d, and an older value at beat %d", p, at, beat)))
			case o != self:
				x.seen(self, at, o, beat, func() string { return fmt.Sprintf("%v is stored at beat %d, and an older value", p, at) })
			}
			return true
		})
	}
}

// storeOf returns which chain runs w, which writes the element that is accessed at p, and at which beat it stores it, if it does, counted from the row of p.
func (x *order) storeOf(p place, w writer) (o chain, stored bool, beat int64) {
	step := p.step - int64(x.space.K)*w.before.t - int64(x.space.Levels[p.stmt.Order]-x.space.Levels[w.stmt.Order])
	o, s, c, l := x.owner(x.phase, step, p.column-w.before.c, p.line-w.before.l)
	behind, ok := x.stored[place{w.stmt, w.access, s, c, l}]
	return o, ok, behind - w.before.r
}

package main

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/internal/sass"
)

// This file walks through the instructions of a turn that is not full, and goes the way of each branch that the text says: which conditions hold is known of a
// turn of a chain.

// trace returns what each warp of a block runs in a turn.
func (g guardedText) trace(code []sass.Instruction, turns sass.Turns, p *gpu.Pipeline, s situation) (warps [][]step, err error) {
	for i := range p.Stages {
		st := &p.Stages[i]
		for q := st.First; q < st.First+st.Count; q++ {
			if s.idle[q] {
				w := walk{guardedText: g, code: code, situation: s, warp: q, turn: p.Turn, barriers: p.Turn / p.Period, beats: map[int]int{}}
				steps, err := w.run(g.rests[i])
				if err != nil {
					return nil, fmt.Errorf("warp %d, which runs no step: %w", q, err)
				}
				warps = append(warps, steps)
				continue
			}
			if steady := turns.Steady[i]; steady != nil && s.steady(q) {
				w := walk{guardedText: g.ofLines(), code: code, situation: s, warp: q}
				warps = append(warps, w.straight(steady))
				continue
			}
			lines := g.turns[i]
			if len(g.steady) > i && s.steady(q) { // a loop
				lines = g.steady[i]
			}
			w := walk{guardedText: g, code: code, situation: s, warp: q, turn: p.Turn, barriers: p.Turn / p.Period, beats: map[int]int{}}
			steps, err := w.run(lines)
			if err != nil {
				return nil, fmt.Errorf("warp %d: %w", q, err)
			}
			barriers := 0
			for _, x := range steps {
				if x.Is("BAR") {
					barriers++
				}
			}
			if barriers != p.Turn/p.Period {
				return nil, fmt.Errorf("warp %d passes %d barriers in a turn of %d, in %d instructions", q, barriers, p.Turn/p.Period, len(steps))
			}
			warps = append(warps, steps)
		}
	}
	return warps, nil
}

// A walk is one of a warp through the code of a turn.
type walk struct {
	guardedText
	code []sass.Instruction
	situation
	warp, turn int
	barriers   int         // that are to be passed in the turn
	at         int         // beats before this run of the loop
	beats      map[int]int // by operation: how often its guard has been tested
}

// ofLines reports whether a guard is one of lines beside the domain.
func (k guardKind) ofLines() bool { return k == lineGuard || k == farsGuard || k == farGuard }

// ofLines returns of the guards of g those of lines beside the domain, which are all that straight code tests.
func (g guardedText) ofLines() guardedText {
	g.guards = slices.DeleteFunc(slices.Clone(g.guards), func(x guard) bool { return !x.kind.ofLines() })
	return g
}

// straight walks through straight code.
func (w *walk) straight(code []sass.Instruction) (steps []step) {
	next := 0 // the number of the instruction up to which a branch has been taken
	for i := range code {
		in := &code[i]
		if in.At < next {
			continue
		}
		steps = append(steps, step{in, w.lanes(in)})
		if in.Is("BRA") && in.To > in.At {
			if taken, _ := w.taken(in.At); taken && in.Guard != "" {
				next = in.To
			}
		}
	}
	return steps
}

// lanes returns how many lanes run an instruction: none if it is under a predicate, of a line beside the domain where there is none.
func (w *walk) lanes(in *sass.Instruction) int {
	if in.Guard == "" {
		return gpu.WarpLanes
	}
	for _, g := range w.guards {
		if g.kind.ofLines() && !w.guardHolds(g) && slices.ContainsFunc(in.Lines, func(line int) bool { return g.first <= line && line <= g.last }) {
			return 0
		}
	}
	return gpu.WarpLanes
}

// run walks through the turn in these lines. It ends with the last run of its loop; where that runs once, which is straight code, with the last barrier.
func (w *walk) run(lines [2]int) (steps []step, err error) {
	in := func(line int) bool { return lines[0] <= line && line <= lines[1] }
	from := slices.IndexFunc(w.code, func(x sass.Instruction) bool { return in(x.Line) })
	if from < 0 {
		return nil, fmt.Errorf("there is no code of lines %d to %d", lines[0], lines[1])
	}
	left := w.barriers
	straight := !slices.ContainsFunc(w.guards, func(g guard) bool { return g.kind == loopGuard && in(g.first) && g.by < w.turn })
	for i := from; i < len(w.code); {
		c := &w.code[i]
		if len(steps) > most {
			return nil, fmt.Errorf("a turn has no end")
		}
		if !in(c.Line) && !w.inner(c.Line) && c.Is("BRA") && c.Guard == "" && c.To > 0 && in(w.code[c.To].Line) {
			i = c.To
			continue
		}
		steps = append(steps, step{c, w.lanes(c)})
		if !c.Is("BRA") {
			if c.Is("BAR") && (!slices.ContainsFunc(c.Lines, in) || c.Guard != "" && !w.passes(c)) { // one of another beat, or before the turn
				steps = steps[:len(steps)-1]
			} else if c.Is("BAR") {
				left--
			}
			if straight && left == 0 {
				return steps, nil
			}
			i++
			continue
		}
		taken, ended := w.taken(i)
		switch {
		case ended:
			return steps, nil
		case taken && c.To == 0:
			return nil, fmt.Errorf("line %d: a branch to nowhere", c.Line)
		case taken:
			i = c.To
		default:
			i++
		}
	}
	return nil, fmt.Errorf("a turn has no end")
}

// inner reports whether a line is of a function that turns call.
func (w *walk) inner(line int) bool { return w.guardedText.beats[line] }

// passes reports whether the barrier in a line is one in this run of the loop.
func (w *walk) passes(c *sass.Instruction) bool {
	for _, g := range w.guards {
		if g.kind == barrierGuard && (c.Line == g.first || c.Line == g.first-1) {
			return w.barrier(g)
		}
	}
	return true
}

func (w *walk) barrier(g guard) bool { return (w.at+g.round)%g.every == g.rest }

// taken reports whether branch i is taken, and whether the turn ends with it.
func (w *walk) taken(i int) (taken, ended bool) {
	c := &w.code[i]
	if c.Guard == "" {
		return true, false
	}
	if c.To > 0 && c.To <= i { // back to the start of the loop
		for _, g := range w.guards {
			if g.kind == loopGuard && c.Line == g.first-1 {
				w.at += g.by
				return w.at < w.turn, w.at >= w.turn
			}
		}
		return false, false
	}
	for _, g := range w.guards {
		if c.Line >= g.first || c.Line < g.first-3 || g.kind == loopGuard || !w.heads(g, c.Line) {
			continue
		}
		holds := w.guardHolds(g)
		if w.within(i+1, c.To, g) {
			return !holds, false
		}
		return holds, false
	}
	return false, false
}

// heads reports whether the test of g is in a line.
func (w *walk) heads(g guard, line int) bool {
	for _, other := range w.guards { // a guard that begins between has its own test
		if line < other.first && other.first < g.first {
			return false
		}
	}
	return true
}

// guardHolds reports whether a guard does that is tested now.
func (w *walk) guardHolds(g guard) bool {
	switch g.kind {
	case barrierGuard:
		return w.barrier(g)
	case patchGuard:
		w.beats[g.op]++
	}
	beat := max(0, w.beats[g.op]-1)
	bits := w.holds[situationKey{w.warp, g.op, g.kind}]
	switch g.kind {
	case besideGuard, lineGuard, farsGuard, farGuard: // the same in all beats
		return bits != 0
	}
	return bits>>beat&1 != 0
}

// within reports whether the code from an instruction on, up to another, is of what a guard is for.
func (w *walk) within(from, to int, g guard) bool {
	for i := from; i < to; i++ {
		if line := w.code[i].Line; w.inner(line) || g.kind == barrierGuard {
			if line >= g.first && line <= g.last {
				return true
			}
		}
	}
	return false
}

package sass

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/gpu"
)

// This file finds the turns of a kernel whose rows stream through the registers of a pipeline of warps: full ones, and steady ones that are straight code.

var (
	// BeatFunction and TurnFunction begin the definitions of functions in the CUDA text: for what a warp does in a beat, and for the turns of a stage, in their order.
	BeatFunction = regexp.MustCompile(`^static __device__ __forceinline__ void \w+_beat\d+\(`)
	TurnFunction = regexp.MustCompile(`^static __device__ __forceinline__ void \w+_turn\d+\(`)
	// RestFunction begins those of the turns of warps that run no step.
	RestFunction = regexp.MustCompile(`^static __device__ __forceinline__ void \w+_rest\d+\(`)
	stepFunction = regexp.MustCompile(`^static __device__ __forceinline__ void \w+_step\d+\(`) // what a statement computes
)

// Turns are what a warp of each stage runs in a turn: from the first instruction of a beat up to the last barrier of the turn. Where full turns are a loop, that is its code as often as
// it runs in a turn, each time up to the branch back.
type Turns struct {
	Full   [][]Instruction
	Steady [][]Instruction // nil for a stage that has none that are straight
}

// A turnOf says which turns a line of the text is of.
type turnOf struct {
	stage int
	kind  turnKind
}

type turnKind int

const (
	guarded turnKind = iota
	steady
	full
)

// turnLines returns which turns the lines of the functions of turns are of, which turns are loops over fewer beats, and which lines are of a beat, and of a statement.
func turnLines(text string) (turns map[int]turnOf, loops map[turnOf]bool, beats, steps map[int]bool) {
	turns, loops, beats, steps = map[int]turnOf{}, map[turnOf]bool{}, map[int]bool{}, map[int]bool{}
	inBeat, inStep, inTurn := false, false, false
	now := turnOf{stage: -1}
	for i, l := range strings.Split(text, "\n") {
		switch {
		case BeatFunction.MatchString(l):
			inBeat = true
		case stepFunction.MatchString(l):
			inStep = true
		case TurnFunction.MatchString(l):
			inTurn, now = true, turnOf{now.stage + 1, guarded}
		case l == "}":
			inBeat, inStep, inTurn = false, false, false
		case l == "  if (full) {":
			now.kind = full
		case l == "  } else if (final) {":
			now.kind = guarded
		case l == "  } else if (steady) {":
			now.kind = steady
		case l == "  } else {":
			now.kind = guarded
		case inTurn && strings.HasPrefix(l, "    for ("):
			loops[now] = true
		}
		if inTurn {
			turns[i+1] = now
		}
		beats[i+1], steps[i+1] = inBeat || inStep, inStep
	}
	return turns, loops, beats, steps
}

// back returns the instructions up to the next branch: behind the last barrier of a loop those by which rows move, and the branch back.
func back(code []Instruction) []Instruction {
	n := slices.IndexFunc(code, func(in Instruction) bool { return in.Is("BRA") })
	return code[:n+1]
}

// FindTurns finds the turns of a kernel: as many stretches of code as a turn has barriers, each of which ends in one of its own, does the work of its beats, and is of one
// kind of turns of a stage, as most of its instructions say. ptxas may have put the stages in another order, and the first instructions of a turn between those by which
// blocks look at others.
func FindTurns(code []Instruction, text string, p *gpu.Pipeline) (out Turns, err error) {
	turns, loops, beats, steps := turnLines(text)
	find := func(in Instruction) (t turnOf, ok bool) {
		for _, line := range in.Lines {
			if t, ok = turns[line]; ok {
				if loops[t] && t.kind != full {
					t.kind = guarded
				}
				return t, ok
			}
		}
		return t, false
	}
	ofBeat := func(in Instruction) bool {
		return slices.ContainsFunc(in.Lines, func(line int) bool { return beats[line] })
	}
	n := len(p.Stages)
	out = Turns{Full: make([][]Instruction, n), Steady: make([][]Instruction, n)}
	found := 0
	barriers := func(kind turnKind) int { // in the code of a turn
		if kind == full && p.Straight < p.Turn {
			return max(1, p.Straight/p.Period)
		}
		return p.Turn / p.Period
	}
	votes, work, from := map[turnOf]int{}, 0, 0
	var starts []int // of the stretches of a turn, so far
	var of turnOf
	for i, in := range code {
		t, ok := find(in)
		if ok {
			votes[t]++
		}
		if steps[in.Line] {
			work++
		}
		if !in.Is("BAR") || !ok {
			continue
		}
		most := turnOf{stage: -1}
		for t, n := range votes {
			if most.stage < 0 || n > votes[most] || n == votes[most] && t.stage < most.stage {
				most = t
			}
		}
		if len(starts) > 0 && most != of {
			starts = nil
		}
		if most.stage >= 0 && most.kind != guarded && work >= p.Period*p.Steps*p.Columns {
			starts, of = append(starts, from), most
		} else {
			starts = nil
		}
		from, work = i+1, 0
		clear(votes)
		if len(starts) < barriers(of.kind) {
			continue
		}
		var turn []Instruction
		for k, x := range code[starts[0] : i+1] {
			t, ok := find(x)
			inTurn := ok && t == of || len(starts) > 1 && starts[0]+k >= starts[1]
			if len(turn) == 0 && !ofBeat(x) || !inTurn {
				continue
			}
			turn = append(turn, x)
		}
		list := out.Steady
		if of.kind == full {
			list, found = out.Full, found+1
			if p.Straight < p.Turn {
				turn = slices.Repeat(append(turn, back(code[i+1:])...), p.Turn/p.Straight)
			}
		}
		if of.stage >= n || list[of.stage] != nil {
			return out, fmt.Errorf("line %d: it is not known whose turn that is", turn[0].Line)
		}
		list[of.stage], starts = turn, nil
	}
	if found != n {
		return out, fmt.Errorf("the full turns of %d stages are found, of %d", found, n)
	}
	return out, nil
}

package sass

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hexcc/hexcc/gpu"
)

// This file finds the full turns of a kernel whose rows stream through the registers of a pipeline of warps.

var (
	// BeatFunction and TurnFunction begin the definitions of functions in the CUDA text: for what a warp does in a beat, and for the turns of a stage, in their order.
	BeatFunction = regexp.MustCompile(`^static __device__ __forceinline__ void \w+_beat\d+\(`)
	TurnFunction = regexp.MustCompile(`^static __device__ __forceinline__ void \w+_turn\d+\(`)
	stepFunction = regexp.MustCompile(`^static __device__ __forceinline__ void \w+_step\d+\(`) // what a statement computes
)

// FullTurns returns what a warp of each stage runs in a full turn: the code from the first instruction of a beat up to the last barrier of the turn, between
// whose barriers nothing is of the lines that are for other turns alone. ptxas may have put the stages in another order.
func FullTurns(code []Instruction, text string, p *gpu.Pipeline) (turns [][]Instruction, err error) {
	guarded, beats, steps := map[int]bool{}, map[int]bool{}, map[int]bool{} // lines
	stageOf := map[int]int{}                                                // the stage whose turns a line is of
	inBeat, inStep, inTurn, stage, closing := false, false, false, -1, ""
	for i, l := range strings.Split(text, "\n") {
		indent := l[:len(l)-len(strings.TrimLeft(l, " "))]
		switch {
		case BeatFunction.MatchString(l):
			inBeat = true
		case stepFunction.MatchString(l):
			inStep = true
		case TurnFunction.MatchString(l):
			inTurn, stage = true, stage+1
		case l == "}":
			inBeat, inStep, inTurn = false, false, false
		}
		if inTurn {
			stageOf[i+1] = stage
		}
		beats[i+1], steps[i+1] = inBeat || inStep, inStep
		if closing == "" && strings.HasPrefix(strings.TrimSpace(l), "if (!full") {
			closing = indent + "}"
		}
		if closing != "" {
			guarded[i+1] = true
			if l == closing {
				closing = ""
			}
		}
	}
	turns = make([][]Instruction, len(p.Stages))
	found := 0
	barriers := p.Turn / p.Period
	var ends []int // of stretches of code that end in a barrier
	from, clean, work := 0, true, 0
	starts := []int{}
	for i, in := range code {
		if guarded[in.Line] {
			clean = false
		}
		if steps[in.Line] {
			work++
		}
		if !in.Is("BAR") {
			continue
		}
		if clean && work >= p.Period*p.Steps*p.Columns {
			starts, ends = append(starts, from), append(ends, i)
		} else {
			starts, ends = nil, nil
		}
		from, clean, work = i+1, true, 0
		if len(ends) == barriers {
			first := starts[0]
			for first < ends[0] && !beats[code[first].Line] {
				first++
			}
			turn := code[first : ends[barriers-1]+1]
			stage, ok := stageOfTurn(turn, stageOf)
			if !ok || stage >= len(turns) || turns[stage] != nil {
				return nil, fmt.Errorf("line %d: it is not known whose turn that is", turn[0].Line)
			}
			turns[stage], starts, ends = turn, nil, nil
			found++
		}
	}
	if found != len(p.Stages) {
		return nil, fmt.Errorf("the full turns of %d stages are found, of %d", found, len(p.Stages))
	}
	return turns, nil
}

// stageOfTurn returns the stage from whose lines the beats of a turn are called.
func stageOfTurn(turn []Instruction, stageOf map[int]int) (stage int, ok bool) {
	for _, in := range turn {
		for _, line := range in.Lines {
			if stage, ok = stageOf[line]; ok {
				return stage, true
			}
		}
	}
	return 0, false
}

package sass

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hexcc/hexcc/gpu"
)

// This file finds the full turns of a kernel whose rows stream through the registers of a pipeline of warps.

var (
	// BeatFunction begins the definition of a function for what a warp does in a beat, in the CUDA text.
	BeatFunction = regexp.MustCompile(`^static __device__ __forceinline__ void \w+_beat\d+\(`)
	stepFunction = regexp.MustCompile(`^static __device__ __forceinline__ void \w+_step\d+\(`) // what a statement computes
)

// FullTurns returns what a warp of each stage runs in a full turn: the code from the first instruction of a beat up to the last barrier of the turn, between
// whose barriers nothing is of the lines that are for other turns alone.
func FullTurns(code []Instruction, text string, p *gpu.Pipeline) (turns [][]Instruction, err error) {
	guarded, beats, steps := map[int]bool{}, map[int]bool{}, map[int]bool{} // lines
	inBeat, inStep, closing := false, false, ""
	for i, l := range strings.Split(text, "\n") {
		indent := l[:len(l)-len(strings.TrimLeft(l, " "))]
		switch {
		case BeatFunction.MatchString(l):
			inBeat = true
		case stepFunction.MatchString(l):
			inStep = true
		case l == "}":
			inBeat, inStep = false, false
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
			turns, starts, ends = append(turns, code[first:ends[barriers-1]+1]), nil, nil
		}
	}
	if len(turns) != len(p.Stages) {
		return nil, fmt.Errorf("the full turns of %d stages are found, of %d", len(turns), len(p.Stages))
	}
	return turns, nil
}

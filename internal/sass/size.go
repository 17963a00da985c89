package sass

import (
	"fmt"
	"strings"
)

// instructionBytes is the size of one, from Volta to Hopper.
const instructionBytes = 16

// A CodeSize is how many bytes of machine code of a kernel whose rows stream are for what, of all stages.
type CodeSize struct {
	Full     int // full turns,
	Steady   int // those that test what is the same in all beats,
	Guarded  int // and those that test in each beat
	Inactive int // turns of warps that run no step
	Other    int // what begins chains, takes them and waits
}

// All returns the bytes of the kernel.
func (c CodeSize) All() int { return c.Full + c.Steady + c.Guarded + c.Inactive + c.Other }

func (c CodeSize) String() string {
	return fmt.Sprintf("%d bytes of code: full turns %d, steady %d, guarded %d, of inactive warps %d, other %d", c.All(), c.Full, c.Steady, c.Guarded, c.Inactive, c.Other)
}

// SizeOf counts the code of a kernel by the lines of its text.
func SizeOf(code []Instruction, text string) (c CodeSize) {
	turns, _, _, _ := turnLines(text)
	rests, inRest := map[int]bool{}, false
	for i, l := range strings.Split(text, "\n") {
		inRest = inRest && l != "}" || RestFunction.MatchString(l)
		rests[i+1] = inRest
	}
	for _, in := range code {
		to := &c.Other
		for _, line := range in.Lines {
			t, ok := turns[line]
			switch {
			case rests[line]:
				to = &c.Inactive
			case !ok:
				continue
			case t.kind == full:
				to = &c.Full
			case t.kind == steady:
				to = &c.Steady
			default:
				to = &c.Guarded
			}
			break
		}
		*to += instructionBytes
	}
	return c
}

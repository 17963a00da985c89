package sass

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// This file finds the loop of a kernel in which it spends its time, and what a warp runs in it.

// A Loop is the instructions from First to Last, a branch back to First.
type Loop struct{ First, Last int }

// Loops returns the loops of a kernel that compute with floating-point numbers, those with the most such operations first; of those with as many, in the order of the code.
func Loops(code []Instruction) (all []Loop) {
	for i, in := range code {
		if in.Is("BRA") && in.To < i && isLabelled(in) {
			if l := (Loop{in.To, i}); l.operations(code) > 0 {
				all = append(all, l)
			}
		}
	}
	slices.SortStableFunc(all, func(x, y Loop) int {
		return cmp.Or(cmp.Compare(y.operations(code), x.operations(code)), cmp.Compare(x.First, y.First))
	})
	return all
}

// operations returns how many floating-point operations are in the loop.
func (l Loop) operations(code []Instruction) (n int) {
	for _, in := range code[l.First : l.Last+1] {
		if in.Class() == FP32 || in.Class() == FP64 {
			n++
		}
	}
	return n
}

// isLabelled reports whether it is known where a branch goes: To says it.
func isLabelled(in Instruction) bool { return sassTarget.MatchString(in.Args) }

// isConditional reports whether a branch can be one that is not taken.
func isConditional(in Instruction) bool { return in.Guard != "" || !strings.HasPrefix(in.Args, "`(") }

// Branches returns the branches of the loop that lead forward to another place of it, in the order of the code: which of them a warp takes is not known of the code. A branch out of the loop
// is none, for a warp that goes on does not take it, nor one for lanes that are apart.
func (l Loop) Branches(code []Instruction) (all []int) {
	for i := l.First; i < l.Last; i++ {
		in := code[i]
		if in.Is("BRA") && isConditional(in) && in.To > i && in.To <= l.Last && !strings.Contains(in.Op, ".DIV") {
			all = append(all, i)
		}
	}
	return all
}

// Walk returns what a warp runs from the start of the loop until it branches back to it, if it takes those branches of the loop that taken says. It goes the way of branches without a
// condition, out of the loop and back to it too. There must be no loop within.
func (l Loop) Walk(code []Instruction, taken func(branch int) bool) (out []*Instruction, err error) {
	for i := l.First; ; {
		if i >= len(code) || len(out) > len(code) {
			return nil, fmt.Errorf("the loop at %04x does not lead back to its start", 16*l.First)
		}
		in := &code[i]
		out = append(out, in)
		next := i + 1
		switch {
		case in.Is("EXIT", "RET") && in.Guard == "":
			return nil, fmt.Errorf("the loop at %04x ends at %04x", 16*l.First, 16*i)
		case in.Is("CALL") && in.Guard == "":
			return nil, fmt.Errorf("the loop at %04x calls a function at %04x", 16*l.First, 16*i)
		case in.Is("BRX", "JMX", "JMP"):
			return nil, fmt.Errorf("it is not known where the branch at %04x goes", 16*i)
		case !in.Is("BRA"):
		case i == l.Last:
			return out, nil
		case !isLabelled(*in):
			return nil, fmt.Errorf("it is not known where the branch at %04x goes", 16*i)
		case !isConditional(*in):
			next = in.To
		case in.To <= i && in.To >= l.First:
			return nil, fmt.Errorf("the loop at %04x has another one in it, at %04x", 16*l.First, 16*in.To)
		case in.To > i && in.To <= l.Last && !strings.Contains(in.Op, ".DIV") && taken(i):
			next = in.To
		}
		i = next
	}
}

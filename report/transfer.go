package report

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// planesOf returns how many planes of a the time steps use in turn: m where each
// access has a subscript modulo m in the same dimension, or the number of its
// rotating pointers; 0 where there is one state.
func planesOf(p *scop.Program, a *scop.Array) int64 {
	if n := len(a.Planes); n > 0 {
		return int64(n)
	}
	for d := range a.Extents {
		if m := modulusOf(p, a, d); m > 0 {
			return m
		}
	}
	return 0
}

// modulusOf returns the modulus that all accesses of a have in dimension d, or 0.
func modulusOf(p *scop.Program, a *scop.Array, d int) (m int64) {
	for _, st := range p.Stmts {
		for _, acc := range st.Accesses {
			if acc.Array != a {
				continue
			}
			if x := acc.Index[d].Mod; x == 0 || m != 0 && x != m {
				return 0
			}
			m = acc.Index[d].Mod
		}
	}
	return m
}

// transfers notes how the arrays are copied.
func (in *Inspection) transfers(p Products) {
	for i, a := range p.Scop.Arrays {
		t := schedule.Transfer{Array: a, In: true, Out: !a.Const}
		if p.GPU != nil {
			t = p.GPU.Transfer(a)
		}
		in.Arrays[i].CopyIn, in.Arrays[i].CopyOut, in.Arrays[i].Planes = t.In, t.Out, planesOf(p.Scop, a)
	}
}

// arrayNotes returns what is worth saying of an array, in brackets, or "".
func arrayNotes(a Array) string {
	var notes []string
	if a.Planes > 0 {
		notes = append(notes, fmt.Sprintf("%d planes in turn", a.Planes))
	}
	switch {
	case a.Const:
		notes = append(notes, "only read")
	case !a.CopyIn && !a.CopyOut:
		notes = append(notes, "not copied: nothing else sees it, and it is written before it is read")
	case !a.CopyIn:
		notes = append(notes, "not copied in: all of it is written before it is read")
	}
	if len(notes) == 0 {
		return ""
	}
	return " (" + strings.Join(notes, "; ") + ")"
}

package proof

import (
	"fmt"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// Diagonals proves that launched, whose launches are fronts of chains, runs each chain of waiting, whose chains wait for each other, and no two of the same indices, and that it does so
// behind all that the chain waits for. Blocks that have another chain than waiting run nothing: Emission is proved of any tile.
func Diagonals(waiting, launched *gpu.Program, s *schedule.Schedule) schedule.Proof {
	return schedule.Prove("diagonals", "launches run chains behind all that they wait for", func(p *schedule.Prover) {
		p.Unit = "implication"
		a := astgen.NewAsker(p, s)
		n, phases := waiting.Chains.Diagonal(), int64(len(waiting.Kernels))
		if len(launched.Kernels) != len(waiting.Kernels) {
			p.GiveUp("there is a launch for each phase", fmt.Sprintf("%d kernels for %d phases", len(launched.Kernels), phases))
			return
		}
		for i, k := range waiting.Kernels {
			l := launched.Kernels[i]
			p.Ask(fmt.Sprintf("phase %d: each chain is a block of the launch of its front", k.Phase), func() string { return blocksOf(a, waiting, launched, k, l) })
		}
		for to, w := range waiting.Chains.Steps {
			p.Ask(fmt.Sprintf("phase %d: all that a chain waits for is on fronts before its own", to), func() string {
				away := phases*w.Time + int64(to-w.From) // phases
				if last := len(w.Lo) - 1; away*n+w.Lo[last] < 1 {
					return fmt.Sprintf("a chain waits for one of %d phases before, %d strips further, which is no earlier front", away, -w.Lo[last])
				}
				return ""
			})
		}
	})
}

// blocksOf returns why a chain of k is not the block of l of its own front, "" if each is.
func blocksOf(a astgen.Asker, waiting, launched *gpu.Program, k, l *gpu.Kernel) string {
	n, phases := waiting.Chains.Diagonal(), int64(len(waiting.Kernels))
	strip, hexagon := k.Grid[0], k.Grid[1]
	if k.Phase != l.Phase || len(l.Grid) != 2 || l.Grid[0].Var != waiting.T || l.Grid[1].Var != hexagon.Var {
		return "blocks are not told apart by time tile and hexagon"
	}
	front := affine.Var(waiting.T).Times(n * phases).Add(n * int64(k.Phase)).Plus(affine.Var(strip.Var))
	by := map[string]affine.Sum{launched.T: front}
	chains := astgen.AtLeast(affine.Var(waiting.T), waiting.TLo).And(astgen.AtMost(affine.Var(waiting.T), waiting.THi))
	for _, x := range k.Grid {
		chains = chains.And(astgen.AtLeast(affine.Var(x.Var), x.Lo)).And(astgen.AtMost(affine.Var(x.Var), x.Hi))
	}
	for _, x := range append([]gpu.Axis{{Var: launched.T, Lo: launched.TLo, Hi: launched.THi}}, l.Grid...) {
		at := affine.Var(x.Var)
		if x.Var == launched.T {
			at = front
		}
		within := astgen.AtLeast(at, affine.Subst(x.Lo, by)).And(astgen.AtMost(at, affine.Subst(x.Hi, by)))
		for _, rows := range chains {
			if !a.Implies(astgen.Facts{Rows: rows}, within) {
				return fmt.Sprintf("a chain lies beyond %v <= %s <= %v", x.Lo, x.Var, x.Hi)
			}
		}
	}
	st, _ := k.Stream()
	made, ok := l.Stream()
	if !ok || st.Pipeline != made.Pipeline {
		return "the block runs another pipeline"
	}
	for _, pair := range [][2]affine.Expr{{st.Time, made.Time}, {st.Column, made.Column}, {st.Line, made.Line}, {st.Lo, made.Lo}, {st.Hi, made.Hi}} {
		if !affine.Same(pair[0], affine.Subst(pair[1], by)) {
			return fmt.Sprintf("the block of the chain has %v in place of %v", affine.Subst(pair[1], by), pair[0])
		}
	}
	return ""
}

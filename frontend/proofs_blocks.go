package frontend

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file proves that loops which were written in blocks are what they were made: where other loops stand between a loop over
// blocks and that inside of them, iterations came in another order, and none may use what another one computes.

// checkBlocks proves that of the nests, or has it tested, where planes are different ones: u[t1] and u[t0].
func (pr *prover) checkBlocks(nests []*nest) {
	for _, n := range nests {
		for _, b := range pr.blocks {
			if b.reorder && slices.ContainsFunc(n.loops, func(l loop) bool { return l.where == b.head }) && !pr.inAnyOrder(n, b) {
				pr.errorf("HX102", b.head, "other loops stand between this one and that over its blocks, so that its iterations come in the order of blocks",
					"read what the step before left, from a second array", "an iteration of this loop, which runs in blocks, uses what another one computes")
				return
			}
		}
	}
}

// inAnyOrder reports whether no iteration of n uses what another one of the same step computes, if what it has tested holds.
func (pr *prover) inAnyOrder(n *nest, b blocking) bool {
	cx := context{pr.frame(), pr.known()}
	for _, x := range n.accesses {
		for _, y := range n.accesses {
			if x.array != y.array || !x.Write {
				continue
			}
			if x.flat != nil || y.flat != nil {
				return false
			}
			if cx.meet(n, n, x, y, func(int) compare { return poly.Unequal }) && !pr.testPlanes(n, x, y, b) {
				return false
			}
		}
	}
	return true
}

// testPlanes has it tested that x and y, accesses of n, are to different planes; ok is false if no subscript says which they use.
func (pr *prover) testPlanes(n *nest, x, y *access, b blocking) (ok bool) {
	for k := range min(len(x.index), len(y.index)) {
		s, r := x.index[k], y.index[k]
		if s.mod > 0 || r.mod > 0 || n.variesInSpace(s.linear) || n.variesInSpace(r.linear) {
			continue
		}
		apart := s.sub(r.linear)
		if apart.isConstant() || apart.overLoops(n.loops) {
			continue
		}
		fr := pr.frame()
		for _, d := range fr.params {
			if apart.v.of(d) == 0 {
				continue
			}
			plane := pr.u.members.computed(d, standIn{
				name: fmt.Sprintf("%s_is_another", pr.u.members.identifier(d)),
				text: fmt.Sprintf("(long)(%s != 0)", pr.inLong(apart, fr)),
			})
			if _, known := pr.params[plane]; known {
				return true
			}
			pr.param(ident{b.head, pr.u.members.name(plane), plane}, scop.Long)
			pr.rely(fact{constraint: variable(plane).addc(-1), at: pr.f.span(b.head), always: true, remark: &diag.Diagnostic{
				Severity: diag.Remark, Code: "HX102", At: pr.f.span(b.head), Msg: fmt.Sprintf("'%s' and '%s' are different planes, so that this loop runs in blocks as a whole,", pr.textOf(x.subs[k]), pr.textOf(y.subs[k])),
			}})
			return true
		}
	}
	return false
}

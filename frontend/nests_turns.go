package frontend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/poly"
)

// This file writes out loops over components: one copy of the body for each value of the variable, in their order, with
// the number in place of the variable. So subscripts such as (c + 1) % 3, and conditions on c, are decided.
//
// In a body the copies stand one after the other. Around loops they would be nests of their own, which is always right:
//
//	for (i..) B[0][i] = A[0][i - 1] + A[0][i + 1];
//	for (i..) B[1][i] = A[1][i - 1] + A[1][i + 1];
//
// One nest with both stores in its body is a step less in each tile. It is made where no point of the grid uses what
// another copy does at another point in the same time step.

// turnsIn returns the values in e of variables of loops that were written out, as in ", c = 3", for messages.
func turnsIn(e expr) (text string) {
	eachExpr(e, func(e expr) {
		if x, ok := e.(number); ok && x.of != "" {
			if value := fmt.Sprintf(", %s = %v", x.of, x.val); !strings.Contains(text, value) {
				text += value
			}
		}
	})
	return text
}

// inTurns returns the nests of f, a loop over components around loops.
func (nr *nestReader) inTurns(f forStmt, in around, prefix []stmt) []piece {
	var turns [][]piece
	for _, v := range nr.valuesOf(f) {
		ps := nr.pieces(turnOf(f, v), in, prefix)
		for i := range ps {
			ps[i].turns = append([]turn{{iteratorOf(f), len(in.heads) + 1, v}}, ps[i].turns...)
		}
		turns = append(turns, ps)
	}
	if nr.canFuse(turns, len(in.heads)) {
		return fused(turns)
	}
	return slices.Concat(turns...)
}

// fused returns the nests of all turns together: one of each kind.
func fused(turns [][]piece) []piece {
	all := slices.Clone(turns[0])
	for i := range all {
		all[i].turns = all[i].turns[1:]
		for _, ps := range turns[1:] {
			all[i].body = slices.Concat(all[i].body, ps[i].body)
		}
	}
	return all
}

// canFuse reports whether the nests of all turns, inside the same outer loops, may run as fused says: they are of the
// same kinds, and no two accesses to one element change their order, or come to different points of one nest.
func (nr *nestReader) canFuse(turns [][]piece, outer int) bool {
	if len(turns) < 2 || len(turns[0]) == 0 {
		return false
	}
	for _, ps := range turns {
		if !slices.EqualFunc(ps, turns[0], sameLoops) {
			return false
		}
	}
	start := nr.mark()
	defer nr.back(start)
	nests := make([][]*nest, len(turns))
	for v, ps := range turns {
		for _, p := range ps {
			n := nr.nest(p, part{body: p.body, early: p.early})
			if n == nil || slices.ContainsFunc(n.early, func(a *access) bool { return (a.array.stored || nr.stores(a.array.decl)) }) {
				return false
			}
			nests[v] = append(nests[v], n)
		}
	}
	can := true
	err := poly.Limited(func() error {
		for v := range nests {
			for w := range v {
				can = can && nr.declaredContext().turnsApart(nests[w], nests[v], outer)
			}
		}
		return nil
	})
	return can && err == nil
}

// sameLoops reports whether p and q are inside of the same loops, and copies of the same turns of others.
func sameLoops(p, q piece) bool {
	return slices.EqualFunc(p.heads, q.heads, func(f, g forStmt) bool {
		same := func(x, y expr) bool { return x != nil && y != nil && sameExpr(x, y) }
		by, ok1 := stepOf(f.step, iteratorOf(f))
		step, ok2 := stepOf(g.step, iteratorOf(g))
		return f.head == g.head && same(initOf(f), initOf(g)) && same(f.cond, g.cond) && ok1 && ok2 && by == step
	}) && slices.Equal(p.turns[1:], q.turns[1:])
}

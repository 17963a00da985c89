package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

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

// A turn is the iteration of a loop that was written out that a nest is a copy of.
type turn struct {
	decl  *cc.Declarator
	depth int // of the loop: so many loops are around it, the time loop included
	value int64
}

// writtenOut returns ss with the loops over components in it that hold no loops of a nest replaced by their copies, in
// branches of an if, too.
func (lr *loopReader) writtenOut(ss []stmt) (out []stmt) {
	for _, s := range ss {
		switch s := s.(type) {
		case forStmt:
			if lr.components[s.head] && !lr.isNestLoop(s, true) {
				for _, v := range lr.valuesOf(s) {
					out = append(out, lr.writtenOut(turnOf(s, v))...)
				}
				continue
			}
		case ifStmt:
			s.then = block{s.then.at(), lr.writtenOut(flatten([]stmt{s.then}))}
			if s.orElse != nil {
				s.orElse = block{s.orElse.at(), lr.writtenOut(flatten([]stmt{s.orElse}))}
			}
			out = append(out, s)
			continue
		}
		out = append(out, s)
	}
	return out
}

// valuesOf returns the values that the variable of f takes, a loop that runs between numbers.
func (ar *affineReader) valuesOf(f forStmt) (values []int64) {
	d := iteratorOf(f)
	by, _ := stepOf(f.step, d)
	v, _ := ar.constant(initOf(f))
	for range ar.trips(f, d, by) {
		values = append(values, v)
		v += by
	}
	return values
}

// turnOf returns the statements of one iteration of f.
func turnOf(f forStmt, value int64) []stmt {
	d := iteratorOf(f)
	t := d.Type()
	if s, ok := storedType(t); ok && s.IsNarrow() {
		t = nil // C calculates with it as int
	}
	body, _ := lowerJumps(flatten([]stmt{f.body}), "'continue'")
	return mapAll(body, func(s stmt) stmt {
		return replaced(s, func(e expr) expr {
			if isIdent(e, d) {
				return number{e.at(), "", "", t, cc.Int64Value(value), d.Name()}
			}
			return e
		})
	})
}

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
func (nr *nestReader) inTurns(f forStmt, heads []forStmt, path []int, prefix []stmt) []piece {
	var turns [][]piece
	for _, v := range nr.valuesOf(f) {
		ps := nr.pieces(turnOf(f, v), heads, path, prefix)
		for i := range ps {
			ps[i].turns = append([]turn{{iteratorOf(f), len(heads) + 1, v}}, ps[i].turns...)
		}
		turns = append(turns, ps)
	}
	if nr.canFuse(turns, len(heads)) {
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
			n := nr.nest(p, nr.time, part{body: p.body, early: p.early})
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

// turnsApart reports whether the nests of an earlier turn and those of a later one, inside the same outer loops, may be fused.
func (cx context) turnsApart(earlier, later []*nest, outer int) bool {
	for i, m := range later {
		for j, n := range earlier {
			if j < i {
				continue // they keep their order
			}
			for _, x := range m.accesses {
				for _, y := range n.accesses {
					if (x.Write || y.Write) && x.array == y.array && cx.conflict(m, n, x, y, outer, i == j) {
						return false
					}
				}
			}
		}
	}
	return true
}

// conflict reports whether x, of m, and y, of n, may use one element in one iteration of the time loop and of the outer
// loops; if points is set, at different points of the loops inside.
func (cx context) conflict(m, n *nest, x, y *access, outer int, points bool) bool {
	if differ(m, n, x, y) {
		return false
	}
	if x.flat != nil || y.flat != nil {
		return true // where they lie is not known yet
	}
	both := cx.relation(m, x, "X").ApplyRange(cx.relation(n, y, "Y").Inverse())
	var outside []string
	for k := range outer + 1 {
		outside = append(outside, fmt.Sprintf("x%d = y%[1]d", k))
	}
	meet := func(rows ...string) bool {
		text := fmt.Sprintf("{ X[%s] -> Y[%s] : %s }", list(numbered("x", len(m.loops))), list(numbered("y", len(n.loops))), strings.Join(rows, " and "))
		return !both.Intersect(poly.MustMap(text)).IsEmpty()
	}
	if !points {
		return meet(outside...)
	}
	for k := outer + 1; k < len(m.loops); k++ {
		if meet(append(outside[:len(outside):len(outside)], fmt.Sprintf("x%d != y%[1]d", k))...) {
			return true
		}
	}
	return false
}

// differ reports whether x, of m, and y, of n, in one time step, use different elements wherever they are: by a
// subscript that depends on no loop over space.
func differ(m, n *nest, x, y *access) bool {
	inSpace := func(s linear) bool {
		for d := range s.v {
			if inLoops(m.loops[1:], d) || inLoops(n.loops[1:], d) {
				return true
			}
		}
		return false
	}
	for k := range min(len(x.index), len(y.index)) {
		if last := k == len(x.index)-1; last && (x.flat != nil || y.flat != nil) {
			break // it stands for several subscripts
		}
		s, t := x.index[k], y.index[k]
		d := s.sub(t.linear)
		if s.mod == t.mod && !inSpace(s.linear) && !inSpace(t.linear) && d.isConstant() && d.c != 0 && (s.mod == 0 || d.c%s.mod != 0) {
			return true
		}
	}
	return false
}

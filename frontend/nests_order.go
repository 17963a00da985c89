package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file proves that nests made of one loop keep its meaning: that none runs before another
// what ran after it.

// declaredContext returns what the declarations say, while nests are read.
func (nr *nestReader) declaredContext() context { return context{nr.frame(), nr.declaredFacts()} }

// staysInside reports whether every access of n is inside its array for all
// instances of n, also those that do not come to it.
func (cx context) staysInside(n *nest) bool {
	fr := cx.with(n.loops)
	constraints := slices.Concat(n.constraints, cx.known)
	for _, a := range n.accesses {
		if a.flat != nil || a.array.guess {
			return false // that is not known yet
		}
		for i, s := range a.index {
			if s.mod == 0 && (!fr.proves(constraints, s.linear) || !fr.proves(constraints, a.array.extents[i].sub(s.linear).addc(-1))) {
				return false
			}
		}
	}
	return true
}

// meets reports whether two instances of m and n, different ones of one step,
// use one element, and not both only read it.
func (cx context) meets(m, n *nest) bool {
	for _, x := range m.accesses {
		for _, y := range n.accesses {
			if (x.Write || y.Write) && x.array == y.array && cx.meet(m, n, x, y, func(int) compare { return poly.Unequal }) {
				return true
			}
		}
	}
	return false
}

// compare is a comparison of two integers.
type compare = func(x, y affine.Expr) poly.Formula

func greater(x, y affine.Expr) poly.Formula { return poly.Less(y, x) }

// equalBelow returns the formulas that dimensions 0 to n-1 of two tuples are equal.
func equalBelow(n int) (all []poly.Formula) {
	for i := range n {
		all = append(all, poly.Equal(poly.In(i), poly.Out(i)))
	}
	return all
}

// pairs returns the relation of instances X of m to instances Y of n for which all of where hold.
func pairs(m, n *nest, where ...poly.Formula) poly.Map {
	return poly.NewMap(nil, poly.Tuple{Name: "X", Dims: poly.Dims(len(m.loops))}, poly.Tuple{Name: "Y", Dims: poly.Dims(len(n.loops))}, where...)
}

// meet reports whether instances of m and n, in one step, use one element by x
// and y, where the first iterator that differs, of those they share, compares as order says.
func (cx context) meet(m, n *nest, x, y *access, order func(loop int) compare) bool {
	return len(cx.meetings(m, n, x, y, order)) > 0
}

// meetings returns those instances of m and n that meet, by the loop that differs.
func (cx context) meetings(m, n *nest, x, y *access, order func(loop int) compare) (all []poly.Map) {
	if x.flat != nil || y.flat != nil {
		return nil // their subscripts are not known yet
	}
	if differ(m, n, x, y) || inStep(m, n, x, y) {
		return nil
	}
	relation := cx.relation(m, x, "X").ApplyRange(cx.relation(n, y, "Y").Inverse())
	if relation.IsEmpty() {
		return nil
	}
	if p, q := cx.running(m), cx.running(n); p != nil || q != nil {
		relation = cx.relation(m, x, "X", p...).ApplyRange(cx.relation(n, y, "Y", q...).Inverse())
	}
	for k := 1; k <= shared(m, n); k++ {
		if in := relation.Intersect(pairs(m, n, append(equalBelow(k), order(k)(poly.In(k), poly.Out(k)))...)); !in.IsEmpty() {
			all = append(all, in)
		}
	}
	return all
}

// inStep reports whether x, of m, and y, of n, use one element only where all loops that the nests share have the same
// values. True is certain, false is not.
func inStep(m, n *nest, x, y *access) bool {
	for k := 1; k <= shared(m, n); k++ {
		d := m.loops[k].decl
		if n.loops[k].decl != d {
			return false
		}
		inside := slices.Concat(m.loops[k+1:], n.loops[k+1:])
		fixed := false // by a subscript that has the same value, and with it loop k
		for i := range min(len(x.index), len(y.index)) {
			s, t := x.index[i], y.index[i]
			fixed = fixed || s.mod == 0 && t.mod == 0 && s.v.of(d) != 0 && s.equal(t.linear) &&
				!slices.ContainsFunc(inside, func(l loop) bool { return s.v.of(l.decl) != 0 })
		}
		if !fixed {
			return false
		}
	}
	return true
}

// running returns where instances of n do anything, by the names of its iterators, if not everywhere.
func (cx context) running(n *nest) []poly.Formula {
	fr := cx.with(n.loops)
	p := &scop.Program{}
	for _, name := range fr.paramNames {
		p.Params = append(p.Params, scop.Param{Name: name})
	}
	s := &scop.Stmt{Iters: fr.iterNames, Body: n.stmt.Body}
	if s.When, _ = fr.residues(p, s, slices.Concat(n.constraints, cx.known)); len(s.When) == 0 {
		return nil
	}
	return []poly.Formula{p.WhenFormula(s)}
}

// residues is scop.Residues of s, an instance of which runs where constraints hold.
func (fr frame) residues(p *scop.Program, s *scop.Stmt, constraints []linear) (all []scop.Residue, settled bool) {
	return scop.Residues(p.Params, s.Iters, s.Body, func(a scop.Affine) bool {
		negative := poly.Less(p.Sum(a, mapAll(s.Iters, affine.Var)), affine.Num(0))
		return fr.points(constraints, negative).IsEmpty()
	})
}

// relation returns the elements that a, of n, uses by the instance, where all of where hold.
func (cx context) relation(n *nest, a *access, tuple string, where ...poly.Formula) poly.Map {
	fr := cx.with(n.loops)
	var cells []affine.Expr
	for _, s := range a.index {
		cells = append(cells, fr.value(s))
	}
	return poly.NewFunction(fr.paramNames, poly.Tuple{Name: tuple, Dims: fr.iterNames}, poly.Tuple{Name: "A"}, cells, append(fr.hold(slices.Concat(n.constraints, cx.known)), where...)...)
}

// backward returns accesses x of m and y of n, which was one nest with it, to one
// element, not both reads, by an instance of n that ran before one of m; nil if there are none.
func (cx context) backward(m, n *nest) (x, y *access) {
	for _, x := range m.accesses {
		for _, y := range n.accesses {
			if x.array == y.array && (x.Write || y.Write) && cx.meet(m, n, x, y, m.ranLater) {
				return x, y
			}
		}
	}
	return nil, nil
}

// ranLater returns the comparison, of the values of loop k, by which an instance of m ran later in the source than one of a nest that
// was one with it.
func (n *nest) ranLater(k int) compare {
	if n.loops[k].down {
		return poly.Less
	}
	return greater
}

// separating returns facts where which hold no instance of n that ran before one of m, which was one nest with it, uses
// what that uses, all of which ask that what stands in subscripts is large; ok is false if there are none such.
func (cx context) separating(m, n *nest) (facts []linear, ok bool) {
	for _, x := range m.accesses {
		for _, y := range n.accesses {
			if x.array != y.array || !x.Write && !y.Write {
				continue
			}
			for _, together := range cx.meetings(m, n, x, y, m.ranLater) {
				small := together.Domain().ProjectOut(cx.with(m.loops).iterNames...)
				more, ok := cx.beyond(small, cx.known, func(f linear) bool { return asksForLarge(f, x, y) })
				if !ok {
					return nil, false
				}
				for _, f := range more {
					facts = added(facts, f)
				}
			}
		}
	}
	return facts, true
}

// asksForLarge reports whether f, a constraint of parameters, is one that large arrays have: what must be large is added in subscripts of x or y,
// and what must be small is not.
func asksForLarge(f linear, x, y *access) bool {
	added := func(d *cc.Declarator) bool {
		return slices.ContainsFunc(slices.Concat(x.index, y.index), func(s subscript) bool { return s.v.of(d) > 0 })
	}
	large := false
	for d, c := range f.v.all() {
		if c > 0 != added(d) {
			return false
		}
		large = large || c > 0
	}
	return large
}

// anyBackward reports whether all cannot run one after the other: see backward.
func (cx context) anyBackward(all []*nest) bool {
	for i, m := range all {
		for _, n := range all[i+1:] {
			if x, _ := cx.backward(m, n); x != nil {
				return true
			}
		}
	}
	return false
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
	outside := equalBelow(outer + 1)
	meet := func(where ...poly.Formula) bool { return !both.Intersect(pairs(m, n, where...)).IsEmpty() }
	if !points {
		return meet(outside...)
	}
	for k := outer + 1; k < len(m.loops); k++ {
		if meet(append(outside[:len(outside):len(outside)], poly.Unequal(poly.In(k), poly.Out(k)))...) {
			return true
		}
	}
	return false
}

// differ reports whether x, of m, and y, of n, in one time step, use different elements wherever they are: by a
// subscript that depends on no loop over space.
func differ(m, n *nest, x, y *access) bool {
	inSpace := func(s linear) bool {
		for d := range s.v.all() {
			if inLoops(m.loops[1:], d) || inLoops(n.loops[1:], d) {
				return true
			}
		}
		return false
	}
	for k := range min(len(x.index), len(y.index)) {
		if k == x.array.lead && (x.flat != nil || y.flat != nil) {
			continue // it stands for several subscripts
		}
		s, t := x.index[k], y.index[k]
		d := s.sub(t.linear)
		if s.mod == t.mod && !inSpace(s.linear) && !inSpace(t.linear) && d.isConstant() && d.c != 0 && (s.mod == 0 || d.c%s.mod != 0) {
			return true
		}
	}
	return false
}

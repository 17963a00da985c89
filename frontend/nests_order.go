package frontend

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
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
	if x.flat != nil || y.flat != nil {
		return false // their subscripts are not known yet
	}
	relation := cx.relation(m, x, "X").ApplyRange(cx.relation(n, y, "Y").Inverse())
	if relation.IsEmpty() {
		return false
	}
	for k := 1; k <= shared(m, n); k++ {
		if !relation.Intersect(pairs(m, n, append(equalBelow(k), order(k)(poly.In(k), poly.Out(k)))...)).IsEmpty() {
			return true
		}
	}
	return false
}

// relation returns the elements that a, of n, uses by the instance.
func (cx context) relation(n *nest, a *access, tuple string) poly.Map {
	fr := cx.with(n.loops)
	var cells []affine.Expr
	for _, s := range a.index {
		cells = append(cells, fr.value(s))
	}
	return poly.NewFunction(fr.paramNames, poly.Tuple{Name: tuple, Dims: fr.iterNames}, poly.Tuple{Name: "A"}, cells, fr.hold(slices.Concat(n.constraints, cx.known))...)
}

// backward returns accesses x of m and y of n, which was one nest with it, to one
// element, not both reads, by an instance of n that ran before one of m; nil if there are none.
func (cx context) backward(m, n *nest) (x, y *access) {
	later := func(k int) compare { // m's instance ran later in the source
		if m.loops[k].down {
			return poly.Less
		}
		return greater
	}
	for _, x := range m.accesses {
		for _, y := range n.accesses {
			if x.array == y.array && (x.Write || y.Write) && cx.meet(m, n, x, y, later) {
				return x, y
			}
		}
	}
	return nil, nil
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

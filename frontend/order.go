package frontend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
)

// This file proves that nests made of one loop keep its meaning: that none runs before another
// what ran after it.

// A context is the parameters of a region, and what is known of them: rows that are >= 0.
type context struct {
	frame
	known []linear
}

// declaredContext returns what the declarations say, while nests are read.
func (nr *nestReader) declaredContext() context { return context{nr.frame(), nr.declaredFacts()} }

// context returns all that is known.
func (fs *facts) context() context { return context{fs.frame(), fs.known()} }

// staysInside reports whether every access of n is inside its array for all
// instances of n, also those that do not come to it.
func (cx context) staysInside(n *nest) bool {
	fr := cx.with(n.loops)
	rows := slices.Concat(n.rows, cx.known)
	for _, a := range n.accesses {
		if a.flat != nil || a.array.guess {
			return false // that is not known yet
		}
		for i, s := range a.index {
			if s.mod == 0 && (!fr.proves(rows, s.linear) || !fr.proves(rows, a.array.extents[i].sub(s.linear).addc(-1))) {
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
			if (x.Write || y.Write) && x.array == y.array && cx.meet(m, n, x, y, func(int) string { return " != " }) {
				return true
			}
		}
	}
	return false
}

// meet reports whether instances of m and n, in one step, use one element by x
// and y, where the first iterator that differs, of those they share, compares as order says.
func (cx context) meet(m, n *nest, x, y *access, order func(int) string) bool {
	if x.flat != nil || y.flat != nil {
		return false // their subscripts are not known yet
	}
	relation := cx.relation(m, x, "X").ApplyRange(cx.relation(n, y, "Y").Inverse())
	if relation.IsEmpty() {
		return false
	}
	for k := 1; k <= shared(m, n); k++ {
		rows := []string{"x0 = y0"}
		for i := 1; i < k; i++ {
			rows = append(rows, fmt.Sprintf("x%d = y%d", i, i))
		}
		rows = append(rows, fmt.Sprintf("x%d%sy%d", k, order(k), k))
		text := fmt.Sprintf("{ X[%s] -> Y[%s] : %s }", list(numbered("x", len(m.loops))), list(numbered("y", len(n.loops))), strings.Join(rows, " and "))
		if !relation.Intersect(poly.MustMap(text)).IsEmpty() {
			return true
		}
	}
	return false
}

// shared returns how many loops below the time loop m and n have in common.
func shared(m, n *nest) (k int) {
	for k < len(m.path) && k < len(n.path) && m.path[k] == n.path[k] {
		k++
	}
	return k
}

// relation returns the elements that a, of n, uses by the instance.
func (cx context) relation(n *nest, a *access, tuple string) poly.Map {
	fr := cx.with(n.loops)
	var cells []string
	for _, s := range a.index {
		text := fr.text(s.linear)
		if s.mod > 0 {
			text = fmt.Sprintf("(%s) mod %d", text, s.mod)
		}
		cells = append(cells, text)
	}
	return poly.MustMap(fr.set(tuple+"["+list(fr.iterNames)+"] -> A["+list(cells)+"]", fr.conditions(slices.Concat(n.rows, cx.known))))
}

// checkSeparated proves that nests made of one may run one after the other: no
// instance of a later nest has to run before one of an earlier nest, because it
// did so in the source and both use one element.
func (pr *prover) checkSeparated() {
	for i, m := range pr.nests {
		for _, n := range pr.nests[i+1:] {
			if shared(m, n) > 0 {
				pr.checkPairOfNests(m, n)
			}
		}
	}
	pr.checkEarly()
}

func (pr *prover) checkPairOfNests(m, n *nest) {
	x, y := pr.context().backward(m, n)
	if x == nil {
		return
	}
	pr.errorf("HX116", y.where, "allowed: loops that hold other statements or conditions, if all iterations may run the first part before any runs the second",
		"write them as nests of their own in the time loop, in an order that gives the results you want",
		"'%s' is used here by an iteration before '%s' of a later one, so the parts of this nest cannot run one after the other", y.Text, x.Text)
	pr.errs[len(pr.errs)-1].Notes = append(pr.errs[len(pr.errs)-1].Notes, diag.Note{At: x.Pos, Msg: "the other part uses it here"})
}

// backward returns accesses x of m and y of n, which was one nest with it, to one
// element, not both reads, by an instance of n that ran before one of m; nil if there are none.
func (cx context) backward(m, n *nest) (x, y *access) {
	later := func(k int) string { // m's instance ran later in the source
		if m.loops[k].down {
			return " < "
		}
		return " > "
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

// checkEarly reports values that were computed before a nest from an array that the region changes.
func (pr *prover) checkEarly() {
	for _, n := range pr.nests {
		for _, a := range n.early {
			if a.array.stored {
				pr.errorf("HX116", a.where, "such a value is computed again by each iteration of the loops that use it", "compute it in the innermost loop, or keep it in an array, with --fallback=space",
					"'%s' is read before loops that use its value, and the region changes '%s'", a.Text, a.array.Name)
			}
		}
	}
}

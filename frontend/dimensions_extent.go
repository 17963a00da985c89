package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
)

// This file finds the extent that a pointer does not have: the region accesses
// p[i] for i < n, so there are at least n elements.

// guessExtents gives each pointer the extent that its accesses need, or notes
// that there is no such expression and returns false.
func (dm *dimensions) guessExtents() bool {
	before := dm.errorCount()
	for _, d := range inOrder(dm.source, dm.arrays) {
		if a := dm.arrays[d]; a.guess {
			dm.guessed = true
			dm.guessExtent(a)
		}
	}
	return dm.errorCount() == before
}

// A reach is the largest subscript of an access, attained whenever its nest runs,
// if that is one sum of parameters: then it is known.
type reach struct {
	max   linear
	known bool
	nest  *nest
	access
}

func (dm *dimensions) guessExtent(a *array) {
	var reaches []reach
	for _, n := range dm.nests {
		for _, x := range n.accesses {
			if x.array != a {
				continue
			}
			top, known := maximum(x.index[a.lead], n)
			reaches = append(reaches, reach{top, known, n, *x})
		}
	}
	if len(reaches) == 0 { // all that is read is of no use
		dm.drop(a)
		return
	}
	for _, r := range reaches {
		if r.known && attained(&r.access, r.nest) && dm.dominates(r, reaches) {
			a.extents[a.lead] = r.max.addc(1)
			if a.inferred {
				dm.findLast(a)
			}
			return
		}
	}
	if rows, ok := dm.declaredRows(a); ok {
		a.extents[a.lead] = rows
		return
	}
	for _, r := range reaches {
		if !r.known {
			dm.noExtent(&r.access, "the largest subscript of this access is not one sum of parameters")
			return
		}
		if !attained(&r.access, r.nest) {
			dm.noExtent(&r.access, "which of its buffers this access uses depends on the number of time steps")
			return
		}
	}
	dm.noExtent(&reaches[0].access, "none of the accesses reaches as far as all others, for all values of the parameters")
}

func (dm *dimensions) noExtent(x *access, why string) {
	a := x.array
	help := fmt.Sprintf("declare '%s' with all extents, such as '%s %s[n]'", a.Name, a.Elem, a.Name)
	if a.inferred {
		help = fmt.Sprintf("declare '%s' with the number of its elements, such as '%s %s[rows * %s]'", a.Name, a.Elem, a.Name, dm.rowText(a))
	}
	dm.errorf("HX109", x.where, why+"; the generated code copies whole arrays, so it must know their extents", help,
		"'%s' is a pointer, and its extent is not known", a.Name)
}

// rowText returns how many elements a row of a has, as a product.
func (dm *dimensions) rowText(a *array) string {
	var factors []string
	for _, e := range a.extents[a.lead+1 : len(a.extents)-a.tail()] {
		text := dm.frame().text(e)
		if strings.Contains(text, " ") {
			text = "(" + text + ")"
		}
		factors = append(factors, text)
	}
	return strings.Join(factors, " * ")
}

// declaredRows returns how many rows a has, if it is declared with the number of all
// its elements, as in A[n * m]; ok is false if that is no multiple of a row.
func (dm *dimensions) declaredRows(a *array) (rows linear, ok bool) {
	if a.total == nil {
		return rows, false
	}
	row := polynomial{"": 1}
	for _, e := range a.extents[a.lead+1 : len(a.extents)-a.tail()] {
		row = row.times(dm.vars.polynomial(e))
	}
	q, ok := a.total.quotient(row)
	if !ok {
		return rows, false
	}
	return dm.vars.linear(q)
}

// attained reports whether n, whenever it runs, reaches the largest value of
// the first subscript of x. If that is a remainder, other accesses must reach
// all other values: A[t%2] and A[(t+1)%2] together do.
func attained(x *access, n *nest) bool {
	lead := x.array.lead
	s := x.index[lead]
	if s.mod == 0 {
		return true
	}
	residues := map[int64]bool{}
	for _, y := range n.accesses {
		if y.array != x.array || y.index[lead].mod != s.mod {
			continue
		}
		d := y.index[lead].linear.sub(s.linear)
		same := true
		for _, c := range d.v {
			same = same && c%s.mod == 0
		}
		if same {
			residues[((d.c%s.mod)+s.mod)%s.mod] = true
		}
	}
	return int64(len(residues)) == s.mod
}

// maximum returns the largest value of s in n as a sum of parameters.
func maximum(s subscript, n *nest) (linear, bool) {
	if s.mod > 0 {
		return constant(s.mod - 1), true
	}
	top := s.linear
	for _, l := range slices.Backward(n.loops) {
		k := top.v[l.decl]
		if k == 0 {
			continue
		}
		limits := slices.DeleteFunc(slices.Clone(n.constraints), func(r linear) bool { return r.v[l.decl]*k >= 0 })
		if len(limits) != 1 || abs(limits[0].v[l.decl]) != 1 {
			return linear{}, false
		}
		top = top.plus(abs(k), limits[0]) // limits[0] is 0 where the iterator ends
	}
	return top, true
}

// dominates reports whether r reaches at least as far as all others where they
// run, and its nest runs whenever one of theirs does.
func (dm *dimensions) dominates(r reach, others []reach) bool {
	runs := dm.runs(r.nest)
	for _, o := range others {
		fr := dm.frame().with(o.nest.loops)
		max := o.max
		if !o.known {
			max = o.index[o.array.lead].linear // of every instance
		}
		if !fr.proves(slices.Concat(o.nest.constraints, dm.known()), r.max.sub(max)) || o.nest != r.nest && !dm.runs(o.nest).IsSubset(runs) {
			return false
		}
	}
	return true
}

// runs returns the values of parameters for which n has instances.
func (fs *facts) runs(n *nest) poly.Set {
	fr := fs.frame().with(n.loops)
	return fr.points(slices.Concat(n.constraints, fs.known())).ProjectOut(fr.iterNames...)
}

// findLast finds the last element of a that the region uses, in row-major order.
// An array without a declared end may end there, in the middle of a row.
func (dm *dimensions) findLast(a *array) {
	var ends []end
	for _, n := range dm.nests {
		for _, x := range n.accesses {
			if x.array != a {
				continue
			}
			e, ok := lastOf(x, n)
			if !ok {
				dm.wholeRows(a)
				return
			}
			ends = append(ends, e)
		}
	}
	for _, e := range ends {
		if e.attained && dm.isLast(e, ends) {
			a.last = e.at
			return
		}
	}
	dm.wholeRows(a)
}

// An end is the last element that an access uses, whenever its nest runs.
type end struct {
	at       []linear // but for the plane
	nest     *nest
	attained bool
}

// lastOf returns the last element of x; ok is false if its subscripts do not
// reach their largest values together, or not for one sum of parameters.
func lastOf(x *access, n *nest) (e end, ok bool) {
	e.nest, e.attained = n, attained(x, n)
	seen := map[*cc.Declarator]bool{}
	for _, s := range x.index[x.array.lead:] {
		for d := range s.v {
			if !inLoops(n.loops, d) {
				continue
			}
			alone := !slices.ContainsFunc(n.constraints, func(r linear) bool {
				return r.v[d] != 0 && slices.ContainsFunc(n.loops, func(l loop) bool { return l.decl != d && r.v[l.decl] != 0 })
			})
			if seen[d] || !alone {
				return e, false
			}
			seen[d] = true
		}
		top, ok := maximum(s, n)
		if !ok {
			return e, false
		}
		e.at = append(e.at, top)
	}
	return e, true
}

// isLast reports whether e comes after all of ends, or is one of them, wherever they are used.
func (dm *dimensions) isLast(e end, ends []end) bool {
	runs := dm.runs(e.nest)
	for _, o := range ends {
		fr := dm.frame().with(o.nest.loops)
		constraints := slices.Concat(o.nest.constraints, dm.known())
		for k := range e.at {
			d := e.at[k].sub(o.at[k])
			if fr.proves(constraints, d.addc(-1)) {
				break // each subscript is inside its extent, so the others do not matter
			}
			if !fr.proves(constraints, d) {
				return false
			}
		}
		if o.nest != e.nest && !dm.runs(o.nest).IsSubset(runs) {
			return false
		}
	}
	return true
}

// wholeRows tells the user that the rows of a are taken to be complete.
func (dm *dimensions) wholeRows(a *array) {
	dm.note(&diag.Diagnostic{Severity: diag.Remark, Code: "HX119", At: a.Pos,
		Msg: fmt.Sprintf("which element of '%s' is the last that is used is no sum of parameters; its last row of %s elements is taken to be complete",
			a.Name, dm.frame().text(a.extents[len(a.extents)-1-a.tail()]))})
}

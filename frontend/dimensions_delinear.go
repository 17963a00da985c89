package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
)

// This file finds the dimensions of arrays that the program addresses with one
// subscript, such as p[(i*nj + j)*nk + k]. The strides nj*nk, nk and 1 are what
// the iterators are multiplied with; each divides the one before, and the
// quotients are the extents. That p[i][j][k] is the same element is proved: each
// subscript but the first stays inside its extent.

// delinearize gives dimensions to the arrays that need them, or reports why not.
func (dm *dimensions) delinearize() bool {
	before := dm.errorCount()
	for _, d := range inOrder(dm.source, dm.arrays) {
		a := dm.arrays[d]
		if !a.isOpen() {
			continue
		}
		if xs, needed := dm.flatAccesses(a); needed || len(xs) > 0 && a.isFlat() {
			dm.delinearizeArray(a, xs, needed)
		}
	}
	return dm.errorCount() == before
}

// flatAccesses returns the accesses to a; needed is false where they are affine as they are.
func (dm *dimensions) flatAccesses(a *array) (xs []flatAccess, needed bool) {
	for _, n := range dm.nests {
		idle, asked := false, false
		for _, x := range n.accesses {
			if x.array != a {
				continue
			}
			if x.flat != nil && !asked {
				idle, asked = dm.isIdle(n), true
			}
			f := flatAccess{x, n, x.flat}
			if s := x.index[a.lead]; x.flat != nil {
				if needed = true; idle {
					f.poly = polynomial{}
				}
			} else if s.mod > 0 {
				f.poly = polynomial{dm.vars.number(dm.vars.remainder(s)): 1}
			} else {
				f.poly = dm.vars.polynomial(s.linear)
			}
			xs = append(xs, f)
		}
	}
	return xs, needed
}

// isIdle reports whether n has no instances for what is tested, as a part of a nest for which remainders in subscripts are not known: any
// element will do for its accesses.
func (dm *dimensions) isIdle(n *nest) bool { return dm.runs(n).IsEmpty() }

func (dm *dimensions) delinearizeArray(a *array, xs []flatAccess, needed bool) {
	chains, likely, why := dm.chains(xs)
	for _, strides := range chains {
		if len(strides) == 1 && !needed {
			return // it has one dimension
		}
		if s, ok := dm.split(a, xs, strides); ok && dm.proveSplit(xs, s, false) {
			dm.applySplit(a, xs, s)
			return
		}
	}
	tries := []bool{true} // with facts
	if dm.mayBeginEarlier(a) {
		tries = []bool{true, false, true}
	}
	for k, facts := range tries {
		if facts && !needed {
			continue
		}
		for _, strides := range likely {
			s, ok := dm.split(a, xs, strides)
			if ok && (k == 0 || dm.beginRowsEarlier(xs, &s)) && dm.proveSplit(xs, s, facts) {
				dm.applySplit(a, xs, s)
				return
			}
		}
	}
	if !needed {
		return
	}
	dm.noteEdges(a, xs, chains)
	x := xs[slices.IndexFunc(xs, func(x flatAccess) bool { return x.flat != nil })]
	if why == "" {
		why = "for no choice of rows it is proved that each subscript stays inside its row"
	}
	dm.errorf("HX119", x.subs[a.lead].at(), why, "declare the array with all its dimensions, such as float (*A)[m], or let the loops stay inside a row for all parameters",
		"the dimensions of '%s' do not follow from subscript '%s'", a.Name, dm.textOf(x.subs[a.lead]))
}

// noteEdges notes where accesses to a leave their rows, by the first of chains that divides them.
func (dm *dimensions) noteEdges(a *array, xs []flatAccess, chains [][]polynomial) {
	for _, strides := range chains {
		s, ok := dm.split(a, xs, strides)
		if !ok {
			continue
		}
		var beyond []*cc.Declarator
		for _, all := range []bool{false, true} {
			for i, x := range xs {
				fr, known := dm.frame().with(x.nest.loops), slices.Concat(x.nest.constraints, dm.known())
				for k, sub := range s.index[i] {
					d, distance, ok := x.nest.along(sub)
					switch {
					case !ok:
					case all && slices.Contains(beyond, d):
						dm.reaches(d, distance, x.where)
					case !all && (!fr.proves(known, sub.linear) || k > 0 && !fr.proves(known, s.extents[k-1].sub(sub.linear).addc(-1))):
						beyond = append(beyond, d)
					}
				}
			}
		}
		return
	}
}

// A splitting is the dimensions of an array, and the subscripts of each access.
type splitting struct {
	strides []polynomial
	extents []linear // but for the first
	index   [][]subscript
	rows    linear   // of an array with a declared number of elements
	whole   bool     // rows is known
	origin  []linear // if set: see array
}

// split divides the subscripts by strides; ok is false if they do not divide.
func (dm *dimensions) split(a *array, xs []flatAccess, strides []polynomial) (s splitting, ok bool) {
	s.strides = strides
	for k := 1; k < len(strides); k++ {
		q, ok := strides[k-1].quotient(strides[k])
		if !ok {
			return s, false
		}
		extent, ok := dm.vars.linear(q)
		if !ok {
			return s, false
		}
		s.extents = append(s.extents, extent)
	}
	for _, x := range xs {
		index, ok := dm.splitOne(x, strides)
		if !ok {
			return s, false
		}
		s.index = append(s.index, index)
	}
	if total, stride := a.extents[a.lead], strides[0]; !a.guess && total.isConstant() && stride.isConstant() {
		if total.c%stride[""] != 0 {
			return s, false // the last row would lack elements that are declared
		}
		s.rows, s.whole = constant(total.c/stride[""]), true
	}
	return s, true
}

func (dm *dimensions) splitOne(x flatAccess, strides []polynomial) (index []subscript, ok bool) {
	rest := x.poly
	for _, s := range strides {
		var q polynomial
		q, rest = rest.divide(s, true)
		l, ok := dm.vars.linear(q)
		if !ok {
			return nil, false
		}
		index = append(index, subscript{linear: l})
	}
	return index, len(rest) == 0
}

// proveSplit moves whole rows between neighbouring subscripts until each but the
// first is proved to be inside its extent. If facts is set it relies, for the
// last try, on conditions on parameters.
func (dm *dimensions) proveSplit(xs []flatAccess, s splitting, facts bool) bool {
	for i, x := range xs {
		index := s.index[i]
		for k := len(index) - 1; k > 0; k-- {
			if !dm.proveInside(x, index, k, s.extents[k-1], facts) {
				return false
			}
		}
		for k := range index {
			if !dm.settleRemainder(&index[k]) {
				return false
			}
		}
	}
	return true
}

// settleRemainder replaces a variable that stands for a remainder by it.
func (dm *dimensions) settleRemainder(s *subscript) bool {
	for d := range s.v.all() {
		if r, ok := dm.vars.remainders[d]; ok {
			if !s.linear.equal(variable(d)) {
				return false
			}
			*s = r
			return true
		}
	}
	return true
}

// rowShifts are the numbers of rows that a subscript may be off by.
var rowShifts = []int64{0, 1, -1, 2, -2}

func (dm *dimensions) proveInside(x flatAccess, index []subscript, k int, extent linear, facts bool) bool {
	fr := dm.frame().with(x.nest.loops)
	constraints := slices.Concat(x.nest.constraints, dm.known())
	for d := range index[k].v.all() {
		if r, ok := dm.vars.remainders[d]; ok {
			return index[k].linear.equal(variable(d)) && fr.proves(constraints, extent.addc(-r.mod))
		}
	}
	shifts := slices.DeleteFunc(slices.Clone(rowShifts), func(c int64) bool { return !dm.mayShift(index[k-1].linear, -c) })
	for _, c := range shifts {
		e := index[k].linear.plus(c, extent)
		if fr.proves(constraints, e) && fr.proves(constraints, extent.sub(e).addc(-1)) {
			index[k].linear, index[k-1].linear = e, index[k-1].linear.addc(-c)
			return true
		}
	}
	if !facts {
		return false
	}
	for _, c := range shifts {
		e := index[k].linear.plus(c, extent)
		found, ok := dm.factsFor(x.nest, dm.known(), e, extent.sub(e).addc(-1))
		if ok && dm.allowLarge(found, extent) {
			for _, constraint := range found {
				dm.relyOnRow(x, constraint, extent)
			}
			index[k].linear, index[k-1].linear = e, index[k-1].linear.addc(-c)
			return true
		}
	}
	return false
}

// mayShift reports whether a subscript may be off by rows: one that is a remainder, such as the plane of a step, is that and no sum.
func (dm *dimensions) mayShift(s linear, by int64) bool {
	for d := range s.v.all() {
		if _, ok := dm.vars.remainders[d]; ok {
			return s.addc(by).equal(variable(d))
		}
	}
	return true
}

// allowLarge reports whether the extent may be large where facts hold, and the parameters in facts: rows that are short in any case are no
// rows.
func (dm *dimensions) allowLarge(facts []linear, extent linear) bool {
	fr, known := dm.frame(), dm.known()
	large := func(x linear, given []linear) bool {
		return x.isConstant() || !fr.none(slices.Concat(known, given, []linear{x.addc(-largeExtent)}))
	}
	for _, f := range facts {
		for d := range f.v.all() {
			if large(variable(d), nil) && !large(variable(d), facts) {
				return false
			}
		}
	}
	return large(extent, facts)
}

// largeExtent is an extent as programs have it.
const largeExtent = 64

// factsFor returns the conditions on parameters under which claims are at least
// 0 wherever n runs and given hold, if there are such and some run of it, or of another part of its loops, satisfies them.
func (dm *dimensions) factsFor(n *nest, given []linear, claims ...linear) (found []linear, ok bool) {
	fr := dm.frame().with(n.loops)
	constraints := slices.Concat(n.constraints, given)
	for _, claim := range claims {
		bad := fr.points(constraints, fr.negative(claim))
		if bad.IsEmpty() {
			continue
		}
		more, ok := dm.factsAgainst(bad.ProjectOut(fr.iterNames...), n, given)
		if !ok {
			return nil, false
		}
		found = append(found, more...)
	}
	return found, true
}

// relyOnRow notes that x stays inside its row only if constraint holds.
func (dm *dimensions) relyOnRow(x flatAccess, constraint, extent linear) {
	dm.rely(fact{constraint: constraint, at: x.Pos, remark: &diag.Diagnostic{
		Severity: diag.Remark, Code: "HX119", At: x.Pos,
		Msg: fmt.Sprintf("'%s' stays inside its row of %s elements", x.Text, dm.frame().text(extent)),
	}})
}

// applySplit gives a its dimensions.
func (dm *dimensions) applySplit(a *array, xs []flatAccess, s splitting) {
	a.extents = slices.Concat(a.extents[:a.lead+1], s.extents, a.extents[a.lead+1:])
	if !a.guess {
		a.guess = !s.whole
		a.extents[a.lead] = s.rows
	}
	a.inferred, a.origin = true, s.origin
	for i, x := range xs {
		subs := slices.Repeat(x.subs[a.lead:a.lead+1], len(s.index[i]))
		x.index = slices.Concat(x.index[:a.lead], s.index[i], x.index[a.lead+1:])
		x.subs = slices.Concat(x.subs[:a.lead], subs, x.subs[a.lead+1:])
		dm.splitFits(x, s)
		x.flat = nil
	}
}

// splitFits divides what must fit its type in x, too.
func (dm *dimensions) splitFits(x flatAccess, s splitting) {
	x.fits = slices.Clone(x.fits)
	for i := range x.fits {
		f := &x.fits[i]
		if f.whole = f.poly.equal(x.poly); f.whole {
			continue
		}
		part := flatAccess{x.access, x.nest, f.poly}
		if index, ok := dm.splitOne(part, s.strides); ok && dm.proveSplit([]flatAccess{part}, splitting{extents: s.extents, index: [][]subscript{index}}, false) {
			f.index = index
		}
	}
}

// A flatAccess is an access with one subscript to an array that may have several.
type flatAccess struct {
	*access
	nest *nest
	poly polynomial
}

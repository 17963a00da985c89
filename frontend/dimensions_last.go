package frontend

import (
	"cmp"
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
)

// This file finds where a block ends whose length is not declared: it may end in the middle of a row.

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
	if e, ok := dm.lastOfAll(ends); ok {
		a.last = e.at
		return
	}
	e, needs, ok := dm.lastIf(ends, usualSizes)
	if !ok {
		if e, needs, ok = dm.lastIf(ends, 0); ok { // under conditions that hardly hold
			for _, how := range []int{usualSizes | behind, usualSizes | behind | nonempty} {
				if x, usual, found := dm.lastIf(ends, how); found {
					e, needs = x, usual
					break
				}
			}
		}
	}
	if !ok || slices.ContainsFunc(needs, func(f linear) bool { return dm.choosesPlane(ends, f) }) {
		dm.wholeRows(a)
		return
	}
	for _, constraint := range needs {
		dm.rely(fact{constraint: constraint, at: e.access.Pos, always: true, remark: &diag.Diagnostic{
			Severity: diag.Remark, Code: "HX119", At: e.access.Pos,
			Msg: fmt.Sprintf("'%s' reaches the last element that is used of '%s'", e.access.Text, a.Name),
		}})
	}
	a.last = e.at
}

// choosesPlane reports whether f is about nothing but which planes of an array are used, as cur >= 1 is where a region reads plane cur and sets plane 1 - cur: where the host
// exchanges the planes, it does not hold of every second step.
func (dm *dimensions) choosesPlane(ends []end, f linear) bool {
	for d := range f.v.all() {
		if dm.extends(d) || slices.ContainsFunc(ends, func(e end) bool {
			return slices.ContainsFunc(e.at[1:], func(at linear) bool { return at.v.of(d) != 0 })
		}) {
			return false
		}
	}
	return !f.isConstant() && len(ends) > 0 && len(ends[0].at) > 1
}

// How conditions may be under which an element is the last one.
const (
	usualSizes = 1 << iota // they hold where sizes are alike, but for those about points
	behind                 // they say that it is in a row behind all others, where it is so if sizes are alike
	nonempty               // they may say that nests run
)

// lastIf returns the first of ends that is the last one under conditions on parameters, and those.
func (dm *dimensions) lastIf(ends []end, how int) (e end, needs []linear, ok bool) {
	for _, e := range likelyFirst(ends) {
		if e.attained {
			if needs, ok := dm.isLastIf(e, ends, how); ok {
				return e, needs, true
			}
		}
	}
	return end{}, nil, false
}

// isLastIf returns conditions on parameters under which e comes after all of ends, or is one of them, if there are such that leave
// sizes open.
func (dm *dimensions) isLastIf(e end, ends []end, how int) (needs []linear, ok bool) {
	for _, o := range ends {
		fr := dm.frame().with(o.nest.loops)
		for k := range e.at {
			constraints := slices.Concat(o.nest.constraints, dm.known(), needs)
			d := e.at[k].sub(o.at[k])
			if fr.proves(constraints, d.addc(-1)) {
				break
			}
			is := how&behind != 0 && typical(d) > 0 // and then the subscripts after it do not matter
			if is {
				d = d.addc(-1)
			}
			facts, ok := dm.factsFor(o.nest, slices.Concat(dm.known(), needs), d)
			if !ok {
				return nil, false
			}
			if how&usualSizes != 0 && o.moved() && slices.ContainsFunc(facts, func(f linear) bool { return typical(f) < 0 }) {
				return nil, false
			}
			for _, f := range facts {
				needs = added(needs, f)
			}
			if is {
				break
			}
		}
	}
	fr := dm.frame()
	runs := dm.runs(e.nest)
	for _, o := range ends {
		if o.nest == e.nest {
			continue
		}
		all := dm.runs(o.nest).IntersectParams(poly.NewParamSet(fr.paramNames, fr.hold(needs)...))
		without := all.Subtract(runs) // where only o runs
		if without.IsEmpty() {
			continue
		}
		if how&nonempty == 0 {
			return nil, false
		}
		facts, ok := dm.runsIf(all, runs)
		if !ok {
			return nil, false
		}
		for _, f := range facts {
			needs = added(needs, f)
		}
	}
	return needs, !slices.ContainsFunc(e.at, func(at linear) bool { return !dm.allowLarge(needs, at.addc(1)) })
}

// An end is the last element that an access uses, whenever its nest runs.
type end struct {
	at       []linear // but for the plane
	nest     *nest
	access   *access
	attained bool
}

// moved reports whether the loops over space move the access.
func (e end) moved() bool {
	return slices.ContainsFunc(e.access.index, func(s subscript) bool { return e.nest.variesInSpace(s.linear) })
}

// lastOf returns the last element of x; ok is false if its subscripts do not
// reach their largest values together, or not for one sum of parameters.
func lastOf(x *access, n *nest) (e end, ok bool) {
	e.nest, e.access, e.attained = n, x, attained(x, n)
	seen := map[*cc.Declarator]bool{}
	for _, s := range x.index[x.array.lead:] {
		for d := range s.v.all() {
			if !inLoops(n.loops, d) {
				continue
			}
			alone := !slices.ContainsFunc(n.constraints, func(r linear) bool {
				return r.v.of(d) != 0 && slices.ContainsFunc(n.loops, func(l loop) bool { return l.decl != d && r.v.of(l.decl) != 0 })
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

// likelyFirst returns ends with those first that loops move, and of them those that come last where all sizes are alike; others are at a point, such as a
// source of waves, which is somewhere among them.
func likelyFirst(ends []end) []end {
	ends = slices.Clone(ends)
	slices.SortStableFunc(ends, func(e, o end) int {
		if e.moved() != o.moved() {
			if e.moved() {
				return -1
			}
			return 1
		}
		return slices.CompareFunc(o.at, e.at, func(a, b linear) int { return cmp.Compare(typical(a), typical(b)) })
	})
	return ends
}

// lastOfAll returns the one of ends that comes after all of them, or is one of several alike, wherever they are used, if there is one.
func (dm *dimensions) lastOfAll(ends []end) (end, bool) {
	var apart []end // without those of the same nest that are alike
	for _, e := range ends {
		alike := func(o end) bool {
			return o.nest == e.nest && o.attained == e.attained && o.same(e)
		}
		if !slices.ContainsFunc(apart, alike) {
			apart = append(apart, e)
		}
	}
	apart = likelyFirst(apart)
	ran := map[*nest]poly.Set{}
	var tried []end
	for _, e := range apart {
		if !e.attained || slices.ContainsFunc(tried, e.same) {
			continue
		}
		if dm.isLast(e, apart, ran) {
			return e, true
		}
		tried = append(tried, e)
	}
	return end{}, false
}

// same reports whether e and o are the same element, for all values of the parameters.
func (e end) same(o end) bool { return slices.EqualFunc(e.at, o.at, linear.equal) }

// isLast reports whether e comes after all of ends, or is one of them, wherever they are used. Several nests may use e, each for some values
// of the parameters: a border has nests of its own for a single row. ran notes the values for which nests run.
func (dm *dimensions) isLast(e end, ends []end, ran map[*nest]poly.Set) bool {
	runs := func(n *nest) poly.Set {
		if _, asked := ran[n]; !asked {
			ran[n] = dm.runs(n)
		}
		return ran[n]
	}
	used := runs(e.nest)
	reaches := func(o end) bool { return o.nest == e.nest || o.attained && o.same(e) }
	for _, o := range ends {
		if o.nest != e.nest && reaches(o) {
			used = used.Union(runs(o.nest))
		}
	}
	for _, o := range ends {
		fr := dm.frame().with(o.nest.loops)
		constraints := slices.Concat(o.nest.constraints, dm.known())
		for k := range e.at {
			d := e.at[k].sub(o.at[k])
			if d.isConstant() && d.c == 0 {
				continue
			}
			if fr.proves(constraints, d.addc(-1)) {
				break // each subscript is inside its extent, so the others do not matter
			}
			if !fr.proves(constraints, d) {
				return false
			}
		}
		if !reaches(o) && !runs(o.nest).IsSubset(used) {
			return false
		}
	}
	return true
}

// wholeRows tells the user that the rows of a are taken to be complete.
func (dm *dimensions) wholeRows(a *array) {
	dm.note(&diag.Diagnostic{Severity: diag.Remark, Code: "HX119", At: a.Pos,
		Msg: fmt.Sprintf("which element of '%s' is the last that is used is no sum of parameters; its last row of %s elements is taken to be complete",
			a.Name, dm.frame().text(a.extents[len(a.extents)-1-a.tail]))})
}

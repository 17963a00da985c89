package frontend

import "slices"

// This file chooses the affine conditions that nests are taken apart by.
//
// C evaluates the right side of && and || only where the left side does not decide: what stands there is inside of its
// array if it is so where the affine parts of the left side (guard) let it run.

// splitBy is cases for a condition that a nest is taken apart by: of what is owed, only that is left which does not follow at its place, and is tested
// before the kernels run. Where an unsigned sum wraps around at some of the instances, as i - 3u < 5 does for i < 3, ok is false: each of them tests it, in C's types.
func (nr *nestReader) splitBy(e expr, want bool, at place) (all [][]linear, ok bool) {
	back := nr.try()
	for _, o := range nr.owing(func() { all, ok = nr.cases(e, want, at) }) {
		follows, usual := nr.typically(o)
		switch {
		case follows:
		case !usual && o.code == "HX111":
			back()
			return nil, false
		default:
			nr.owe(o)
		}
	}
	return all, ok
}

// typically returns whether o follows from what is known of its place, and whether it holds for typical parameters, or is about parameters only
// and holds for some of those.
func (nr *nestReader) typically(o obligation) (follows, usual bool) {
	fr, known := nr.frame().with(o.loops), slices.Concat(o.constraints, nr.declaredFacts(), nr.ranges(o.loops))
	if fr.proves(known, o.value) {
		return true, true
	}
	for _, d := range fr.params {
		known = append(known, variable(d).addc(-largeSize), constant(typicalSize).sub(variable(d)))
	}
	if fr.proves(known, o.value) {
		return false, true
	}
	return false, !o.value.overLoops(o.loops) && !fr.none(append(known, o.value))
}

// guard returns the affine part of the left side of && or || that decides
// whether the right side, which reads elements, is evaluated; nil if there is none.
func (nr *nestReader) guard(e expr, at place) expr {
	x, ok := e.(binary)
	if !ok || x.op != "&&" && x.op != "||" || !readsElement(x.y) {
		return nil
	}
	return nr.affinePart(x.op, x.x, at)
}

// affinePart returns an affine condition among those that op joins to e.
func (nr *nestReader) affinePart(op string, e expr, at place) expr {
	if _, known := constantTruth(e); known {
		return nil
	}
	if _, ok := nr.splitBy(e, true, at); ok {
		return e
	}
	x, ok := e.(binary)
	if !ok || x.op != op {
		return nil
	}
	if found := nr.affinePart(op, x.x, at); found != nil {
		return found
	}
	return nr.affinePart(op, x.y, at)
}

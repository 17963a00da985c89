package ranks

import (
	"math"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/scop"
)

// This file finds the planes of arrays, each of which has strips of its own: those that take turns, components, and one for each step.

// planes returns the dimensions of an array along which each subscript has strips of its own.
func (p *planner) planes(a Array) (planes []int) {
	for d, e := range a.Array.Extents {
		if d != a.Dim && !slices.ContainsFunc(e.Params, func(c int64) bool { return c != 0 }) && e.Const <= mostPlanes {
			planes = append(planes, d)
		}
	}
	return planes
}

// turn returns by how many planes the plane that subscript d of an array means moves on from one time tile to the next, and of how many planes; 0 where it is the same in all time
// tiles, or not all accesses are to planes in turn.
func (p *planner) turn(a *scop.Array, d int) (by, planes int64) {
	for _, st := range p.scop.Stmts {
		for _, x := range st.Accesses {
			if x.Array != a {
				continue
			}
			index := x.Index[d]
			if len(index.Iters) == 0 || index.Mod != a.Extents[d].Const || slices.ContainsFunc(index.Iters[1:], func(c int64) bool { return c != 0 }) ||
				planes != 0 && affine.Remainder(index.Iters[0]-by, planes) != 0 {
				return 0, 0
			}
			by, planes = index.Iters[0], index.Mod
		}
	}
	if planes == 0 || affine.Remainder(by*p.perTile(), planes) == 0 {
		return 0, 0
	}
	return by, planes
}

// plane returns the subscript d of the k-th plane of an array in a time tile; before the first phase, -1, and where planes do not take turns, that is k itself.
func (p *planner) plane(a *scop.Array, d, phase int, k int64) affine.Expr {
	by, planes := p.turn(a, d)
	if by == 0 || phase < 0 {
		return affine.Num(k)
	}
	return affine.Modulo(p.start().Times(by).Add(k), planes)
}

// history reports whether subscript d of an array is the iteration of the time loop plus a number, whoever touches it: each step has its own plane.
func (p *planner) history(a *scop.Array, d int) bool {
	for _, st := range p.scop.Stmts {
		for _, x := range st.Accesses {
			if x.Array != a {
				continue
			}
			index := x.Index[d]
			if index.Mod > 0 || len(index.Iters) == 0 || index.Iters[0] != 1 || slices.ContainsFunc(index.Iters[1:], func(c int64) bool { return c != 0 }) ||
				slices.ContainsFunc(index.Params, func(c int64) bool { return c != 0 }) {
				return false
			}
		}
	}
	return true
}

// histories returns the dimensions of an array along which each step has its own plane.
func (p *planner) histories(a Array) (dims []int) {
	for d := range a.Array.Extents {
		if d != a.Dim && p.history(a.Array, d) {
			dims = append(dims, d)
		}
	}
	return dims
}

// stepPlanes returns the subscripts, along a dimension in which each step has its own plane, that a phase of a time tile may write.
func (p *planner) stepPlanes(a *scop.Array, d, phase int) (list []affine.Expr) {
	lo, hi := int64(math.MaxInt64), int64(math.MinInt64)
	k, shift := int64(p.Schedule.Canonical.K), p.Schedule.Phases[phase].TimeShift
	for _, w := range touches(p.scop, a, true) {
		level := int64(p.Schedule.Canonical.Levels[w.st.Order])
		lo = min(lo, affine.Quotient(-shift-level, k)+w.a.Index[d].Const)
		hi = max(hi, affine.Quotient(p.Schedule.Height-1-shift-level, k)+w.a.Index[d].Const)
	}
	for x := lo; x <= hi; x++ {
		list = append(list, p.start().Add(x))
	}
	return list
}

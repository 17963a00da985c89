package astgen

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/schedule"
)

// This file writes tiles that stream (schedule/stream.go): a loop over the position of the tile, and in it all of its steps, each at the one
// plane of its box that runs there:
//
//	for plane:  S0: b0 = plane, for b1, ..    S1: b0 = plane - 1, for b1, ..
//
// The position is local: the coordinate along the dimension of planes less that of the tile, plus the delay of the step.

// inPlanes returns the body of a tile of a phase that streams: without rows across the stream where no bound cuts it there, else with.
func inPlanes(s *schedule.Schedule, n Names, phase int, all []Slice, k Known) Node {
	x := s.Phases[phase].Stream
	across, along := slices.Clone(all), slices.Clone(all)
	for i, at := range all {
		across[i].Rows, along[i].Rows = nil, nil
		for _, r := range at.Rows {
			if n.AcrossStream(x, r) {
				across[i].Rows = append(across[i].Rows, r)
			} else {
				along[i].Rows = append(along[i].Rows, r)
			}
		}
	}
	cut, sep := PlaneByPlane(s, n, phase, all, k), separate(across, n, k)
	if len(sep.cond) == 0 || slices.ContainsFunc(sep.cond, func(all []affine.Expr) bool { return len(all) == 0 }) {
		return cut
	}
	full := PlaneByPlane(s, n, phase, slices.DeleteFunc(along, func(at Slice) bool { return sep.absent[at.Stmt] }), k)
	full.Full = true
	return If{Cond: sep.cond, Then: full, Else: cut}
}

// AcrossStream reports whether a row of a slice is about another coordinate than that of planes.
func (n Names) AcrossStream(x *schedule.Stream, r affine.Sum) bool {
	for p, b := range n.Points {
		if p != x.Dim && r.Coef(b) != 0 {
			return true
		}
	}
	return false
}

// PlaneByPlane returns the body of the tiles of a phase that streams, which run these slices.
func PlaneByPlane(s *schedule.Schedule, n Names, phase int, all []Slice, k Known) Streamed {
	x := s.Phases[phase].Stream
	out := Streamed{Phase: phase, Var: n.Plane}
	lo, hi := PlanesOf(x, all)
	out.Lo, out.Hi = affine.Num(lo), affine.Num(hi)
	for _, at := range all {
		out.Steps = append(out.Steps, planeStep(at, n, x, k))
	}
	return out
}

// PlanesOf returns the first and the last position at which some of slices run.
func PlanesOf(x *schedule.Stream, all []Slice) (lo, hi int64) {
	for i, at := range all {
		first, last := at.Lo[x.Dim]+x.Delay(at.Stmt, at.A), at.Hi[x.Dim]+x.Delay(at.Stmt, at.A)
		if i == 0 {
			lo, hi = first, last
		}
		lo, hi = min(lo, first), max(hi, last)
	}
	return lo, hi
}

// planeStep returns the points of a slice at a position, the coordinate of the plane outermost. The guard tells whether there is such a plane, at any position.
func planeStep(at Slice, n Names, x *schedule.Stream, k Known) Step {
	st := FullStep(at, n)
	stream := st.Loops[x.Dim]
	st.Loops = slices.Insert(slices.Delete(st.Loops, x.Dim, x.Dim+1), 0, stream)
	b := affine.Var(n.Plane).Add(-x.Delay(at.Stmt, at.A))
	st.Loops[0].Lo, st.Loops[0].Hi = b, b
	vars := make([]string, len(st.Loops))
	for i, l := range st.Loops {
		vars[i] = l.Var
	}
	var guard shadow
	for _, r := range append([]affine.Sum{affine.Var(stream.Var).Add(-stream.BoxLo), affine.Num(stream.BoxHi).Minus(affine.Var(stream.Var))}, at.Rows...) {
		r = r.Tighten()
		p := innermost(r, vars)
		if p <= 0 {
			if r = r.Subst(map[string]affine.Sum{stream.Var: b}); !k.Implies(r) {
				guard = guard.with(r)
			}
			continue
		}
		lo, hi := affine.Solve(r, vars[p])
		if lo != nil {
			st.Loops[p].Lo = affine.MaxOf(st.Loops[p].Lo, lo)
		}
		if hi != nil {
			st.Loops[p].Hi = affine.MinOf(st.Loops[p].Hi, hi)
		}
	}
	if len(guard) > 0 {
		st.Guard = Cond{exprs(guard)}
	}
	return st
}

// AtPlane returns what a run does that is in a loop over the positions of a tile, in terms of local coordinates: its position follows from the coordinate of
// its plane.
func (n Names) AtPlane(x *schedule.Stream, run Run, positions Range) Run {
	if positions.Var != n.Plane || !positions.Ordered {
		Unreadable("a loop over %s in place of one over %s, in order", positions.Var, n.Plane)
	}
	rows := slices.Concat(run.Rows, AtLeast(affine.Var(n.Plane), positions.Lo).Rows(), AtMost(affine.Var(n.Plane), positions.Hi).Rows())
	at, ok := n.PlaneOf(x, rows)
	if !ok {
		Unreadable("%s does not run at one plane of each position", run.Stmt.Name)
	}
	run.Rows, run.Plane = nil, &at
	by := map[string]affine.Sum{n.Plane: at}
	for _, r := range rows {
		if r = r.Subst(by); !(r.IsNum() && r.Const >= 0) {
			run.Rows = append(run.Rows, r)
		}
	}
	for i, e := range run.Iters {
		run.Iters[i] = e.Subst(by)
	}
	return run
}

// PlaneOf returns the position that rows leave of each local coordinate along the stream: ok is false if they leave several.
func (n Names) PlaneOf(x *schedule.Stream, rows []affine.Sum) (at affine.Sum, ok bool) {
	b := affine.Var(n.Points[x.Dim])
	for _, r := range rows {
		if r.Coef(n.Plane) == 1 && slices.ContainsFunc(rows, r.Times(-1).Equal) {
			if at = affine.Var(n.Plane).Minus(r); at.Coef(b.Terms[0].Var) == 1 && at.Minus(b).IsNum() {
				return at, true
			}
		}
	}
	return at, false
}

// inPlanes returns how the positions of b differ from those of the schedule, "" if they do not.
func (e *emission) inPlanes(all []Slice, b Body) string {
	x := e.s.Phases[b.Phase].Stream
	if x == nil {
		return ""
	}
	matched := make([]bool, len(b.Runs))
	var apart *affine.Sum // by how much positions of the loops lie from those of the schedule: the same in all of a tile
	for _, at := range all {
		i := indexRun(b.Runs, matched, at)
		if i < 0 {
			continue
		}
		matched[i] = true
		if b.Runs[i].Plane == nil {
			return fmt.Sprintf("%s in step %d runs outside of the loop over planes", at.Stmt.Name, at.A)
		}
		by := b.Runs[i].Plane.Minus(affine.Var(e.n.Points[x.Dim])).Add(-x.Delay(at.Stmt, at.A))
		if apart == nil {
			apart = &by
		}
		if !by.IsNum() || !by.Equal(*apart) {
			return fmt.Sprintf("%s in step %d runs at another position", at.Stmt.Name, at.A)
		}
	}
	return ""
}

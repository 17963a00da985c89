package proof

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// This file reads steps back whose points are in order along columns: a loop over places, in which threads run one point of each column. No barrier stands between
// two turns, so that each column has to be with one thread in all of them: what the loops over columns begin with and end at does not change with the turn.

// inTurn returns what a loop over places along columns runs where guard holds.
func (r *reader) inTurn(loop gpu.For, guard astgen.Gate) astgen.Run {
	if loop.Var != r.names.Turn || loop.Var == "" || len(loop.Body) != 1 {
		astgen.Unreadable("a loop over %s in a tile", loop.Var)
	}
	t, ok := loop.Body[0].(gpu.Threads)
	if !ok || !r.overPoints(t) {
		astgen.Unreadable("%T around the points of a turn", loop.Body[0])
	}
	runs := r.runs(t, guard)
	if len(runs) != 1 {
		astgen.Unreadable("%d statements in a turn", len(runs))
	}
	run, column := runs[0], r.names.Points[0]
	for _, l := range t.Loops {
		if l.Var == column {
			run.Way = r.wayOf(l)
			continue
		}
		for _, e := range []affine.Expr{l.Lo, l.Hi} {
			affine.Vars(e, func(name string) {
				if name == column || name == loop.Var {
					astgen.Unreadable("columns change threads from turn to turn: %q runs %s from %v to %v", t.Role.String(), l.Var, l.Lo, l.Hi)
				}
			})
		}
	}
	if run.Way == schedule.Any {
		astgen.Unreadable("%q runs at no place of its turn", t.Role.String())
	}
	run.Column = column
	by := map[string]affine.Sum{loop.Var: affine.Var(column).Times(int64(run.Way))}
	rows := slices.Concat(run.Rows, astgen.AtLeast(affine.Var(loop.Var), loop.Lo).Rows(), astgen.AtMost(affine.Var(loop.Var), loop.Hi).Rows())
	run.Rows = nil
	for _, x := range rows {
		if x = x.Subst(by); !(x.IsNum() && x.Const >= 0) {
			run.Rows = append(run.Rows, x)
		}
	}
	for i, e := range run.Iters {
		run.Iters[i] = e.Subst(by)
	}
	return run
}

// wayOf returns which way points run in turns, at the one place that l has in each; Any: l is no such loop, which all threads run.
func (r *reader) wayOf(l gpu.ThreadLoop) schedule.Way {
	for _, way := range []schedule.Way{schedule.Up, schedule.Down} {
		if at := affine.Var(r.names.Turn).Times(int64(way)); l.Axis < 0 && affine.Same(l.Lo, at) && affine.Same(l.Hi, at) {
			return way
		}
	}
	return schedule.Any
}

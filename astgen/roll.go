package astgen

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file writes the steps of a tile as a loop instead of one after the other:
// what a processor with caches runs, whose code should stay short.

// Roll returns the loops of s with the steps of a tile as one loop. Full tiles do
// not stand apart: where rows are long, clipping each row costs next to nothing.
func Roll(s *schedule.Schedule) (*Program, error) {
	n := NamesOf(s)
	n.Step = UsedNames(s.Canonical.Scop).Fresh("a")
	p, err := generate(s, n, func(phase int, all []Slice, k Known) Node {
		r := roller{s: s, n: n, all: all, k: k, count: s.Height / int64(s.Canonical.K)}
		if r.count == 1 {
			return partialTile(n, phase, all, k)
		}
		return r.roll(phase)
	})
	if err == nil {
		p.Most = mostOf(s.Canonical.Scop, p.Body)
	}
	return p, err
}

// A roller rolls the steps of one phase.
type roller struct {
	s     *schedule.Schedule
	n     Names
	all   []Slice // step by step
	k     Known
	count int64 // iterations of the time loop in a tile
}

// roll returns the loop. What bounds the step alone, for all statements alike,
// bounds the loop.
func (r roller) roll(phase int) Node {
	lo, hi := affine.Expr(affine.Num(0)), affine.Expr(affine.Num(r.count-1))
	k := r.k.within(r.n.Step, lo, hi)
	statements := r.slices()
	for _, row := range r.shared(statements) {
		if k.Implies(row) {
			continue
		}
		least, most := affine.Solve(row, r.n.Step)
		if least != nil {
			lo = affine.MaxOf(lo, least)
		}
		if most != nil {
			hi = affine.MinOf(hi, most)
		}
		k.Rows = append(k.Rows, row)
	}
	body := Rolled{Phase: phase, Var: r.n.Step, Lo: lo, Hi: hi}
	for _, at := range statements {
		step := partialStep(at, r.n, k)
		for p := range step.Loops {
			step.Loops[p] = r.loop(step.Loops[p], at.Stmt, p)
		}
		body.Steps = append(body.Steps, step)
	}
	return body
}

// slices returns one slice for each statement, over the variable of the loop, with
// boxes that hold those of all its steps.
func (r roller) slices() (out []Slice) {
	per := r.s.Height / int64(r.s.Canonical.K)
	for _, own := range byStmt(r.all) {
		first := own[0]
		first.A %= int64(r.s.Canonical.K)
		// The time iterator is T·per + a/k + c at step a, thus + Step for all of them.
		at := sliceOf(r.s, r.n, first.Phase, first.A, first.Stmt, affine.Var(r.n.T).Times(per).Plus(affine.Var(r.n.Step)))
		for _, x := range own {
			for p := range at.Lo {
				at.Lo[p], at.Hi[p] = min(at.Lo[p], x.Lo[p]), max(at.Hi[p], x.Hi[p])
			}
		}
		out = append(out, at)
	}
	slices.SortFunc(out, inOrder)
	return out
}

// shared returns the rows of the first statement that bound the step and that all statements have.
func (r roller) shared(all []Slice) (rows []affine.Sum) {
	for _, row := range all[0].Rows {
		if row = row.Tighten(); row.Coef(r.n.Step) == 0 || innermost(row, r.n.Points) >= 0 {
			continue
		}
		common := true
		for _, other := range all[1:] {
			found := false
			for _, x := range other.Rows {
				found = found || x.Tighten().Equal(row)
			}
			common = common && found
		}
		if common {
			rows = append(rows, row)
		}
	}
	return rows
}

// loop returns l with the bounds of the box at each step in place of those of all steps.
func (r roller) loop(l Loop, st *scop.Stmt, p int) Loop {
	lows, highs := boxes(r.s, r.all[0].Phase, st, p)
	l.Lo = replace(l.Lo, l.BoxLo, entry(r.n.Step, lows), affine.MaxOf)
	l.Hi = replace(l.Hi, l.BoxHi, entry(r.n.Step, highs), affine.MinOf)
	return l
}

// replace returns bound, which is the number box or holds it as an argument, with
// by for it. Where a stronger number took its place, by joins that.
func replace(bound affine.Expr, box int64, by affine.Expr, join func(...affine.Expr) affine.Expr) affine.Expr {
	var args []affine.Expr
	switch e := bound.(type) {
	case affine.Max:
		args = e.Args
	case affine.Min:
		args = e.Args
	default:
		args = []affine.Expr{bound}
	}
	out := []affine.Expr{by}
	for _, a := range args {
		if !affine.Same(a, affine.Num(box)) {
			out = append(out, a)
		}
	}
	return join(out...)
}

// entry returns the value at a variable from 0: a sum where the values lie on a line, else a table.
func entry(name string, values []int64) affine.Expr {
	slope := int64(0)
	if len(values) > 1 {
		slope = values[1] - values[0]
	}
	for i, v := range values {
		if v != values[0]+slope*int64(i) {
			return affine.Table{Var: name, Values: values}
		}
	}
	return affine.Var(name).Times(slope).Add(values[0])
}

// Boxes returns the bounds of the points of st in a dimension of the tiles of a phase, by iteration of the time loop.
func (p *Program) Boxes(phase int, st *scop.Stmt, dim int) (lows, highs []int64) {
	return boxes(p.Schedule, phase, st, dim)
}

func boxes(s *schedule.Schedule, phase int, st *scop.Stmt, dim int) (lows, highs []int64) {
	c, tile := s.Canonical, s.Phases[phase].Space[dim]
	for a := int64(c.Levels[st.Order]); a < s.Height; a += int64(c.K) {
		lows, highs = append(lows, tile.Lo[a]), append(highs, tile.Hi[a])
	}
	return lows, highs
}

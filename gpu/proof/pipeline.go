package proof

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file reads pipelines of warps back. What warp q in time runs at beat b is tile b - q*Period, of its steps; in a turn that is not full, the points of them that are in the
// domain, and in a full turn all points that the tile has. Each has turns of its own in a tile, so each is a body by itself. Warp v across a strip runs lines of its own of the same
// steps, v*Period beats later. A warp that is inactive in a chain has to have no point in the domain there.

// stream reads what the blocks of k do with their chains.
func (r *reader) stream(k *gpu.Kernel, s gpu.Stream, v astgen.Visit) {
	p := s.Pipeline
	ph := r.loops.Schedule.Phases[k.Phase]
	n := len(ph.Space) - 1 // along which rows stream
	if n < 1 || n > 2 || ph.Space[n].Stride != 1 || ph.Space[n].Drift != 0 || (n == 2) != (s.Line != nil) {
		astgen.Unreadable("tiles of phase %d are not one row each", k.Phase)
	}
	_, ok := s.Time.(affine.Sum)
	_, also := s.Column.(affine.Sum)
	if !ok || !also {
		astgen.Unreadable("the first time step of a tile is %v, its first column %v", s.Time, s.Column)
	}
	offset := ph.Space[n].Offset
	last := v // the tiles that all warps run
	last.Loops = append(v.Loops[:len(v.Loops):len(v.Loops)], astgen.Range{
		Var: r.names.Tiles[n], Lo: affine.Offset(s.Lo, -offset), Hi: affine.Offset(s.Hi, -offset-int64(p.Behind(p.Warps-1))), Ordered: true,
	})
	r.Visits = append(r.Visits, last)
	partial := astgen.Body{Phase: k.Phase, Apart: n - 1}
	for i := range p.Stages {
		if err := p.Inactive(&p.Stages[i]); err != nil {
			astgen.Unreadable("%v", err)
		}
	}
	for q := range p.InTime() {
		var across [][][]astgen.Run
		for v := range p.Across {
			full, steps := r.warp(k, s, q, v)
			r.Bodies, across = append(r.Bodies, full), append(across, steps)
		}
		for i := range across[0] { // step by step: that warps across find what they depend on is for Pipeline to prove
			for v, steps := range across {
				if len(steps) != len(across[0]) {
					astgen.Unreadable("warp %d across runs %d steps, and the first %d", v, len(steps), len(across[0]))
				}
				partial.Runs = append(partial.Runs, steps[i]...)
			}
		}
	}
	r.Bodies = append(r.Bodies, partial)
}

// warp reads back what warp v across runs of those that are q-th in time: in full turns, and step by step what it runs in others.
func (r *reader) warp(k *gpu.Kernel, s gpu.Stream, q, v int) (full astgen.Body, partial [][]astgen.Run) {
	p, number := s.Pipeline, q*s.Pipeline.Across+v
	time, column, n := sum(s.Time), sum(s.Column), len(r.names.Points)-1
	beat := affine.Var(r.names.Tiles[n]).Add(r.loops.Schedule.Phases[k.Phase].Space[n].Offset + int64(p.Behind(number)))
	at := map[string]affine.Sum{
		p.Vars.Time: time, p.Vars.Column: column, p.Vars.Warp: affine.Num(int64(number)), p.Vars.Beat: beat, p.Vars.Last: beat,
		p.Vars.At: column.Plus(affine.Var(r.names.Points[0])),
	}
	if s.Line != nil {
		at[p.Vars.Line] = sum(s.Line)
	}
	full = astgen.Body{Phase: k.Phase, Full: true, Apart: n - 1, From: int64(q * p.Steps), To: int64((q + 1) * p.Steps), Where: fullTurns(p, at)}
	if p.Across > 1 {
		full.Least, full.Most = int64(v*p.Lines), int64((v+1)*p.Lines)
	}
	last := int64(-1)
	for _, x := range evaluations(p, number) {
		own := points(r.names.Points[0], x.Own, at)
		run, step := r.run(k, x, at, full.From, full.To)
		run.Rows = append(run.Rows, own...)
		if !x.Border {
			full.Runs = append(full.Runs, run)
		}
		if step != last || len(partial) == 0 {
			partial, last = append(partial, nil), step
		}
		i := len(partial) - 1
		partial[i] = append(partial[i], astgen.Run{Stmt: run.Stmt, Iters: run.Iters, Rows: append(run.Rows[:len(run.Rows):len(run.Rows)], inDomain(x, at)...)})
	}
	return full, partial
}

// evaluations returns what warp q runs in a beat. It has to be the same in all beats of a turn, but for the rows that take turns.
func evaluations(p *gpu.Pipeline, q int) (all []gpu.Evaluate) {
	for beat, ops := range p.Stage(q).Beats {
		n := 0
		for _, op := range ops {
			x, ok := op.(gpu.Evaluate)
			if !ok {
				continue
			}
			if beat == 0 {
				all = append(all, x)
			} else if n >= len(all) || !sameInstances(all[n], x) {
				astgen.Unreadable("warp %d runs something else in beat %d of a turn", q, beat)
			}
			n++
		}
		if n != len(all) {
			astgen.Unreadable("warp %d runs %d statements in beat %d of a turn, and %d in the first", q, n, beat, len(all))
		}
	}
	return all
}

// sameInstances reports whether x and y run the same instances.
func sameInstances(x, y gpu.Evaluate) bool {
	if x.Stmt != y.Stmt || x.Border != y.Border || !x.Own[0].Equal(y.Own[0]) || !x.Own[1].Equal(y.Own[1]) || len(x.Domain) != len(y.Domain) {
		return false
	}
	for i := range x.Iters {
		if !affine.Same(x.Iters[i], y.Iters[i]) {
			return false
		}
	}
	for i := range x.Domain {
		if len(x.Domain[i]) != len(y.Domain[i]) {
			return false
		}
		for k := range x.Domain[i] {
			if !affine.Same(x.Domain[i][k], y.Domain[i][k]) {
				return false
			}
		}
	}
	return true
}

// fullTurns returns what holds of a tile in a full turn: that some beat of it runs the tile, so that its first beat is no later, and its last one no earlier.
func fullTurns(p *gpu.Pipeline, at map[string]affine.Sum) (rows []affine.Sum) {
	if len(p.Full) != 1 {
		astgen.Unreadable("a turn is full in %d cases", len(p.Full))
	}
	for _, e := range p.Full[0] {
		x := sum(e)
		if x.Coef(p.Vars.Beat) < 0 || x.Coef(p.Vars.Last) > 0 {
			astgen.Unreadable("a turn is full where %v >= 0, which says nothing of the beats inside", x)
		}
		rows = append(rows, x.Subst(at))
	}
	return rows
}

// points returns lo <= name <= hi.
func points(name string, own [2]affine.Sum, at map[string]affine.Sum) []affine.Sum {
	x := affine.Var(name)
	return []affine.Sum{x.Minus(own[0].Subst(at)), own[1].Subst(at).Minus(x)}
}

// inDomain returns the domain of x as rows.
func inDomain(x gpu.Evaluate, at map[string]affine.Sum) (rows []affine.Sum) {
	if len(x.Domain) != 1 {
		astgen.Unreadable("the domain of %s is %d cases", x.Stmt.Name, len(x.Domain))
	}
	for _, e := range x.Domain[0] {
		rows = append(rows, sum(e).Subst(at))
	}
	return rows
}

func sum(e affine.Expr) affine.Sum {
	x, ok := e.(affine.Sum)
	if !ok {
		astgen.Unreadable("%v is no sum", e)
	}
	return x
}

// run returns the instances of x, at a place, of one of the steps from <= a < to, and which one; -1: of none. Its row, and its line, are those of one local coordinate of a step: where no
// step has that one there, its instances are others.
func (r *reader) run(k *gpu.Kernel, x gpu.Evaluate, at map[string]affine.Sum, from, to int64) (out astgen.Run, step int64) {
	out = astgen.Run{Stmt: x.Stmt}
	for _, e := range x.Iters {
		out.Iters = append(out.Iters, sum(e).Subst(at))
	}
	n := len(r.names.Points) - 1
	for _, slice := range astgen.Slices(r.loops.Schedule, r.names, k.Phase) {
		if slice.A < from || slice.A >= to || slice.Stmt != x.Stmt || slice.Lo[n] != slice.Hi[n] {
			continue
		}
		for line := slice.Lo[1]; line <= slice.Hi[1]; line++ { // the row itself in two dimensions
			row := map[string]affine.Sum{r.names.Points[1]: affine.Num(line), r.names.Points[n]: affine.Num(slice.Lo[n])}
			if !isAt(x, at, slice, row, out.Iters) {
				continue
			}
			out.Rows = nil
			for _, name := range r.names.Points[1:] {
				at := affine.Var(name).Minus(row[name])
				out.Rows = append(out.Rows, at, at.Times(-1))
			}
			out.Iters = slice.Iters
			return out, slice.A
		}
	}
	return out, -1
}

// isAt reports whether x, at a place and with these iterators, is in a row of a slice: its iterators are, and where no iterator follows a dimension of space, as those of a
// statement that runs in one line alone, its domain says so.
func isAt(x gpu.Evaluate, at map[string]affine.Sum, slice astgen.Slice, row map[string]affine.Sum, iters []affine.Sum) bool {
	for i := range slice.Iters {
		if !slice.Iters[i].Subst(row).Equal(iters[i]) {
			return false
		}
	}
	if len(x.Domain) != 1 {
		return true
	}
	domain := inDomain(x, at)
	for _, fixed := range slice.Fixed() {
		if !slices.ContainsFunc(domain, fixed.Subst(row).Equal) {
			return false
		}
	}
	return true
}

// Pipeline proves that the order in which the warps of a pipeline run the instances of a chain is one that the schedule allows: tile b - q*Period at
// beat b by warp q, and v*Period later by the v-th one across a strip, steps in order in a warp, with a barrier between the beats of what one warp computes and another one reads.
func Pipeline(p *gpu.Program, s *schedule.Schedule, deps []schedule.Dependence) schedule.Proof {
	return schedule.ProvePipeline(s, deps, int64(p.Pipeline().Period), p.Pipeline().Across > 1, func(src, dst *scop.Stmt) bool {
		return runsBefore(p.Pipeline(), s.Canonical, src, dst)
	})
}

// runsBefore reports whether the warps of p run src before dst wherever they run them at one time step and, where rows have several lines, in one line.
func runsBefore(p *gpu.Pipeline, c *schedule.Canonical, src, dst *scop.Stmt) bool {
	for i := range p.Stages {
		for _, ops := range p.Stages[i].Beats {
			var later []gpu.Evaluate // of dst
			for _, op := range ops {
				x, ok := op.(gpu.Evaluate)
				switch {
				case !ok:
				case x.Stmt == dst:
					later = append(later, x)
				case x.Stmt == src && slices.ContainsFunc(later, func(y gpu.Evaluate) bool {
					return affine.Same(x.Iters[0], y.Iters[0]) && !otherLines(p, c, x, y)
				}):
					return false
				}
			}
		}
	}
	return true
}

// otherLines reports whether x and y are known to run in different lines.
func otherLines(p *gpu.Pipeline, c *schedule.Canonical, x, y gpu.Evaluate) bool {
	if p.Lines == 0 {
		return false
	}
	a, known := lineOf(p, c, x)
	b, also := lineOf(p, c, y)
	apart := a.Minus(b)
	return known && also && apart.IsNum() && apart.Const != 0
}

// lineOf returns the place of x along dimension 1: what its iterator says, or, of a statement that runs at one place there, where its domain says that this is. ok is false if that says nothing.
func lineOf(p *gpu.Pipeline, c *schedule.Canonical, x gpu.Evaluate) (line affine.Sum, ok bool) {
	place := c.Places[x.Stmt.Order][1]
	at := c.Scop.Sum(place.Shift, nil)
	if place.Iter >= 0 {
		iter, ok := x.Iters[place.Iter].(affine.Sum)
		return iter.Times(place.Sign()).Plus(at), ok
	}
	rows := inDomain(x, nil)
	for _, row := range rows {
		if row.Coef(p.Vars.Line) == 1 && slices.ContainsFunc(rows, row.Times(-1).Equal) {
			return row.Plus(at), true
		}
	}
	return line, false
}

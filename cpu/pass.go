package cpu

import (
	"math/big"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file lets two steps of a tile run in one pass over rows, vector by vector: what the first one stores of a row is in registers when
// the second one, which is a row and a vector behind it, reads it, and each row goes from the second level to the first and back once for both.

// A Pass is Steps turns of the loop of a Tile that run in one pass over rows: for each x in order, row x - k*Rows of turn k of the pass. Where
// all turns have that row and those behind it, Beside in all, these run at once, in vectors: for each vector along the rows in order, those of turn k
// for each k in order, k vectors before those of the first turn. Else row x of one turn after the other runs, as rows do that are in no pass.
//
// It is run where all of its turns are in the tile, and their rows have whole vectors, which start cache lines, k vectors before those of
// the first turn: in other places turns run one by one.
type Pass struct {
	schedule.Pass
	Beside  int64
	Vectors *Vectors // of so many rows
	// Sources say where the windows of the vectors come from, by turn of the pass.
	Sources [][]Source
	// Ahead and Fetch are what the next pass is the first to touch: each turn fetches it while it runs.
	Ahead Ahead
	Fetch []Fetch
}

// A Source says where the elements of a window come from.
type Source struct {
	Handed int  // 1 + the row of which the turn before has stored those under the vector, and behind it: they are handed on in registers; 0: they are loaded
	Apart  bool // those before the vector are loaded by themselves, and not joined of two lines
}

// stepsOfPass is how many steps a pass has: three and four were measured to be no faster.
const stepsOfPass = 2

// besideInPass is how many rows of each step run side by side in a pass: of whole lines, a line of the 5-point star takes 1.5 loads with two, and 2.5 with one.
const besideInPass = 2

// pass returns the pass in which turns of t run, nil if they run one by one.
func (m *maker) pass(t Tile) *Pass {
	s := t.Steps[0]
	v := s.Groups[0].Vectors
	if len(t.Steps) > 1 || len(m.loops.Schedule.Canonical.Scop.Stmts) > 1 || v == nil || !v.Repeat || v.Halves || !s.passes(t.Var) || !v.memoryBound(s) {
		return nil
	}
	lo := m.loops.Schedule.Cone.Lo[0]
	rows := new(big.Int).Add(lo.Num(), new(big.Int).Sub(lo.Denom(), big.NewInt(1)))
	p := &Pass{Pass: schedule.Pass{Steps: stepsOfPass, Rows: max(1, rows.Quo(rows, lo.Denom()).Int64()), Places: v.Lanes}, Beside: besideInPass}
	p.Vectors = m.vectors(s, besideInPass)
	if !m.leans(s.Stmt, v.Lanes) {
		return nil
	}
	for k := range p.Steps {
		p.Sources = append(p.Sources, m.sources(s, p, t.Var, k))
	}
	if !slices.ContainsFunc(p.Sources[1], func(x Source) bool { return x.Handed > 0 }) {
		return nil
	}
	p.Ahead = m.ahead(s.Stmt, p.Steps)
	p.Fetch = p.Ahead.fetches(besideInPass, len(s.Loops))
	return p
}

// passes reports whether rows of s may be run by a pass: all rows of a step are equally long, one loop leads from one to the next,
// and where vectors end is the same for all of them.
func (s *Step) passes(count string) bool {
	if len(s.Loops) != 2 || len(s.Groups) != 1 || len(s.Guard) > 0 || len(s.Stmt.When) > 0 || !s.StoresLast() {
		return false
	}
	stores := 0
	for _, action := range s.Stmt.Actions() {
		if _, ok := action.(scop.Store); ok {
			stores++
		}
	}
	fixed := []affine.Expr{s.Loops[1].Lo, s.Loops[1].Hi}
	for _, x := range s.Groups[0].Vectors.Limits {
		if x.Coef(RowEnd) != 0 && !x.Equal(affine.Var(RowEnd).Add(1-s.Groups[0].Vectors.Lanes)) || x.Coef(count) != 0 {
			return false
		}
		fixed = append(fixed, x)
	}
	for _, e := range fixed {
		varies := s.Depth(e) == 0
		affine.Vars(e, func(name string) { varies = varies || slices.Contains(s.Stmt.Iters, name) })
		if varies {
			return false
		}
	}
	return stores == 1
}

// memoryBound reports whether rows take no more operations than loads and joins of lines, of which a pass has fewer.
func (v *Vectors) memoryBound(s *Step) bool {
	moves, operations := 0, 0
	for _, w := range v.Windows {
		moves += len(w.Offsets)
		if !slices.Contains(w.Offsets, w.Center) {
			moves++
		}
	}
	for _, action := range s.Stmt.Actions() {
		scop.Visit(scop.Assigned(action), func(e scop.Expr) {
			switch e.(type) {
			case scop.Binary, scop.Unary, scop.Call:
				operations++
			}
		})
	}
	return operations <= moves
}

// leans reports whether in each step rows start and end so many places before those of the step before, and have a multiple of as many points.
func (m *maker) leans(st *scop.Stmt, lanes int64) bool {
	lows, highs := m.loops.Boxes(m.phase, st, len(m.loops.Schedule.Canonical.Space)-1)
	for q := range len(lows) {
		if q > 0 && (lows[q-1]-lows[q] != lanes || highs[q-1]-highs[q] != lanes) || (highs[q]-lows[q]+1)%lanes != 0 {
			return false
		}
	}
	return len(lows) >= stepsOfPass
}

// At returns the iterators of s in turn k of p, at the row that many behind its first, over those of the first row of the first turn; count is the
// variable of the tile.
func (p *Pass) At(s *Step, count string, k, row int64) []affine.Sum {
	iters := make([]affine.Sum, len(s.Stmt.Iters))
	for i, name := range s.Stmt.Iters {
		e := s.Iters[i].(affine.Sum)
		iters[i] = affine.Var(name).Add(k*(e.Coef(count)-p.Places*e.Coef(s.Loops[1].Var)) + (row-k*p.Rows)*e.Coef(s.Loops[0].Var))
	}
	return iters
}

// sources returns where the windows of s come from in turn k of p.
func (m *maker) sources(s *Step, p *Pass, count string, k int64) (all []Source) {
	for _, w := range p.Vectors.Windows {
		lead, index := m.elementAt(w.From, p.At(s, count, k, int64(w.Row)))
		_, own := m.elementAt(w.From, p.At(s, count, 0, int64(w.Row)))
		under := index.Add(w.Center - own.Const) // the first element under the vector
		var x Source
		for row := range p.Beside {
			to, last := m.elementAt(s.Align, p.At(s, count, k-1, row))
			if k > 0 && w.From.Array == s.Align.Array && slices.EqualFunc(lead, to, affine.Same) && under.Equal(last.Add(-p.Vectors.Lanes)) {
				x.Handed = 1 + int(row)
			}
		}
		x.Apart = x.Handed == 0 && w.Before()
		all = append(all, x)
	}
	return all
}

// Passes returns the passes of p that differ, without what they fetch and hand on.
func (p *Program) Passes() (all []schedule.Pass) {
	p.tiles(func(t Tile) {
		if t.Pass != nil && !slices.Contains(all, t.Pass.Pass) {
			all = append(all, t.Pass.Pass)
		}
	})
	return all
}

// tiles calls f with each tile of p.
func (p *Program) tiles(f func(Tile)) {
	var visit func(list []Node)
	visit = func(list []Node) {
		for _, n := range list {
			switch n := n.(type) {
			case For:
				visit(n.Body)
			case If:
				visit(n.Then)
				visit(n.Else)
			case Tile:
				f(n)
			}
		}
	}
	for _, ph := range p.Phases {
		visit(ph.Body)
	}
}

// pass checks what can be seen of the pass of t: that turns are behind each other, and that what is handed on is what the turn before stores.
func (v *verifier) pass(t Tile) {
	p := t.Pass
	if len(t.Steps) != 1 || t.Var == "" || t.Steps[0].Groups[0].Vectors == nil {
		v.fail("a pass of %d steps, or without vectors", len(t.Steps))
		return
	}
	s := t.Steps[0]
	lanes := s.Groups[0].Vectors.Lanes
	if p.Steps != int64(len(p.Sources)) || p.Beside < 1 || p.Vectors == nil || p.Rows < 1 || p.Places != lanes || !s.passes(t.Var) {
		v.fail("%s: a pass of %d steps, %d rows and %d places behind each other", s.Stmt.Name, p.Steps, p.Rows, p.Places)
		return
	}
	m := maker{loops: &astgen.Program{Schedule: v.p.Schedule}}
	for k, sources := range p.Sources {
		if want := m.sources(s, p, t.Var, int64(k)); !slices.Equal(sources, want) {
			v.fail("%s: turn %d of a pass has its rows from %v, not %v", s.Stmt.Name, k, sources, want)
		}
	}
}

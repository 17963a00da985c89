package astgen

import (
	"fmt"

	"github.com/hexcc/hexcc/affine"
)

// This file asks of loops that run front by front what they have to do beside others: the front of a tile is the one that
// its indices have, and no other; waves of points are those of the schedule, and in a wave statements of one level run in the order of their ranks.

// inTile returns the variable of a loop to tiles and its bounds, over indices of tiles alone.
func (e *emission) inTile(l Range) (x affine.Sum, lo, hi affine.Expr) {
	if e.s.Fronts == nil {
		return affine.Var(l.Var), l.Lo, l.Hi
	}
	by := map[string]affine.Sum{e.n.Front: e.n.FrontOf(e.s)}
	return affine.Var(l.Var).Subst(by), affine.Subst(l.Lo, by), affine.Subst(l.Hi, by)
}

// inFront returns why a tile may run in a front that is not its own, "" if it does not.
func (e *emission) inFront(v Visit) string {
	var rows []affine.Sum
	for _, l := range v.Loops {
		rows = append(append(rows, atLeast(affine.Var(l.Var), l.Lo)...), atMost(affine.Var(l.Var), l.Hi)...)
	}
	here := affine.Var(e.n.Front).Minus(e.n.FrontOf(e.s))
	for _, r := range []affine.Sum{here, here.Times(-1)} {
		if !e.Implies(Facts{Rows: rows}, Gate{{r}}) {
			return fmt.Sprintf("a tile runs in a front that is not %v", e.n.FrontOf(e.s))
		}
	}
	return ""
}

// inWaves returns how the waves of b differ from those of the schedule, or the order within them from that of ranks, "" if they do not.
func (e *emission) inWaves(all []Slice, b Body) string {
	if e.s.Fronts == nil {
		return ""
	}
	var apart *affine.Sum // by how much waves of the loops lie from those of the schedule: the same in all of a tile
	for i, run := range b.Runs {
		if run.Wave == nil {
			return fmt.Sprintf("%s runs outside of waves", run.Stmt.Name)
		}
		for _, other := range b.Runs[:i] {
			c := e.s.Canonical
			if c.Levels[run.Stmt.Order] != c.Levels[other.Stmt.Order] {
				continue // what depends on another level comes in a later wave
			}
			if r, o := c.Ranks[run.Stmt.Order], c.Ranks[other.Stmt.Order]; r > o && run.Place <= other.Place || r < o && run.Place >= other.Place {
				return fmt.Sprintf("%s and %s run in another order in a wave", run.Stmt.Name, other.Stmt.Name)
			}
		}
	}
	matched := make([]bool, len(b.Runs))
	for _, at := range all {
		i := indexRun(b.Runs, matched, at)
		if i < 0 {
			continue
		}
		matched[i] = true
		by := b.Runs[i].Wave.Minus(e.s.WaveOf(at.Stmt, at.Iters, at.Space))
		if apart == nil {
			apart = &by
		}
		for _, p := range e.n.Points {
			if by.Coef(p) != 0 || !by.Equal(*apart) {
				return fmt.Sprintf("%s in step %d runs in another wave", at.Stmt.Name, at.A)
			}
		}
	}
	return ""
}

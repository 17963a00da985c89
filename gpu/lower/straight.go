package lower

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/pointset"
)

// This file writes the copies of full tiles as straight code, row by row.

// copiesByRow returns copies of the elements of a plane as straight code. The
// dimensions that lie on no thread axis are run through value by value, those
// of which the rest is the same together; the rest is dealt to the threads.
func (f *staged) copiesByRow(ph *tiles, pl *plane, c pointset.Cells, op gpu.Copy, role gpu.Role) []work {
	return f.copiesInOrder(ph, pl, c, f.inOrder(), op, role)
}

// inOrder returns the numbers of the dimensions that copies run through, outermost first.
func (f *staged) inOrder() []int {
	order := make([]int, len(f.loop))
	for d := range order {
		order[d] = d
	}
	return order
}

// copiesInOrder is copiesByRow where the dimensions stand in another order: threads along x take values of its last one.
func (f *staged) copiesInOrder(ph *tiles, pl *plane, c pointset.Cells, order []int, op gpu.Copy, role gpu.Role) []work {
	rows := 0
	for rows < len(order) && ph.along(axis(rows, len(order))) == 1 {
		rows++
	}
	vars, origin := ordered(f.vars, order), ordered(f.origin(), order)
	var all []work
	c.Ordered(order).EachRow(rows, func(row pointset.Box, rest pointset.Cells) {
		for _, g := range pointset.Gather(pointset.Decompose(rest)) {
			b := pointset.Box{Lo: slices.Concat(row.Lo, g.Hull.Lo), Hi: slices.Concat(row.Hi, g.Hull.Hi)}
			guard := g.Constraints(vars[rows:], origin[rows:])
			spans := spansOf(b, vars, origin)
			for d := range rows {
				if ph.factors != nil {
					spans[d].each = rowsAtOnce
				}
			}
			if last := len(spans) - 1; last >= 0 && ph.options.Strategy.aligns() {
				spans[last].ahead = f.ahead(f.loop[order[last]], b.Lo[last])
			}
			around := pointset.Box{Lo: make([]int64, len(order)), Hi: make([]int64, len(order))}
			for d, i := range order {
				around.Lo[i], around.Hi[i] = b.Lo[d], b.Hi[d]
			}
			all = append(all, work{
				nodes:   func() []gpu.Node { return ph.deal(spans, guard, role, ph.at(op)) },
				effects: f.copyEffects(pl, around, op, loopsOf(spans)),
			})
		}
	})
	return all
}

// ordered returns of each number in order what list has there.
func ordered[T any](list []T, order []int) []T {
	out := make([]T, len(order))
	for d, i := range order {
		out[d] = list[i]
	}
	return out
}

// lineBytes is what a warp loads at best with one request, and where that must start.
const lineBytes = 128

// ahead returns how far element x along dimension k lies behind a multiple of
// lineBytes in global memory if the rows of the array start at multiples; 0 if
// that is not the same in all tiles, or k is not the last dimension.
func (f *staged) ahead(k int, x int64) int64 {
	n := lineBytes / int64(f.array.Elem.Size())
	if k != len(f.space)-1 || f.down[k] || slices.ContainsFunc(f.base[k].Terms, func(t affine.Term) bool { return t.Coef%n != 0 }) {
		return 0
	}
	return ((f.base[k].Const+x)%n + n) % n
}

// at returns what makes c with sums for variables.
func (ph *code) at(c gpu.Copy) func(by map[string]affine.Sum) gpu.Op {
	return func(by map[string]affine.Sum) gpu.Op {
		at := c
		at.To.Index, at.From.Index = ph.shared.subst(c.To.Index, by), ph.shared.subst(c.From.Index, by)
		return at
	}
}

// spansOf returns loops over b, a box of the dimensions of these variables, of which those are 0 at origin.
func spansOf(b pointset.Box, vars []string, origin []int64) []span {
	spans := make([]span, len(b.Lo))
	for d := range b.Lo {
		spans[d] = span{name: vars[d], lo: b.Lo[d] - origin[d], hi: b.Hi[d] - origin[d], axis: axis(d, len(b.Lo))}
	}
	return spans
}

func loopsOf(spans []span) []gpu.ThreadLoop {
	loops := make([]gpu.ThreadLoop, len(spans))
	for i, s := range spans {
		loops[i] = gpu.ThreadLoop{Var: s.name, Lo: affine.Num(s.lo - s.ahead), Hi: affine.Num(s.hi), Axis: s.axis}
	}
	return loops
}

// specialize returns c where variables have the sums by, over indices of threads below used:
// rows that hold for all threads are left out, alternatives that hold for none
// too. Where one alternative always holds, it is nil; where none can, Cond{}.
func specialize(c astgen.Cond, by map[string]affine.Sum, used map[string]int64) astgen.Cond {
	if c == nil {
		return nil
	}
	out := astgen.Cond{}
	for _, rows := range c {
		kept, possible := []affine.Expr{}, true
		for _, e := range rows {
			row := e.(affine.Sum).Subst(by)
			lo, hi := overThreads(row, used)
			possible = possible && hi >= 0
			if lo < 0 && !slices.ContainsFunc(kept, func(k affine.Expr) bool { return affine.Same(k, row) }) {
				kept = append(kept, row)
			}
		}
		switch {
		case !possible:
		case len(kept) == 0:
			return nil
		default:
			out = append(out, kept)
		}
	}
	return out
}

// overThreads returns the least and the greatest value of row, whose variables are indices of threads below used.
func overThreads(row affine.Sum, used map[string]int64) (lo, hi int64) {
	lo, hi = row.Const, row.Const
	for _, t := range row.Terms {
		if most := affine.Times(t.Coef, used[t.Var]-1); most < 0 {
			lo = affine.Plus(lo, most)
		} else {
			hi = affine.Plus(hi, most)
		}
	}
	return lo, hi
}

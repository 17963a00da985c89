package gpu

import (
	"slices"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/schedule"
)

// This file writes the copies of full tiles as straight code, row by row.

// copiesByRow returns copies of the elements of a plane as straight code. The
// dimensions that lie on no thread axis are run through value by value, those
// of which the rest is the same together; the rest is dealt to the threads.
func (f *staged) copiesByRow(ph *phase, pl *plane, c cells, op Copy, note string) []work {
	rows := 0
	for rows < len(f.loop) && ph.along(axis(rows, len(f.loop))) == 1 {
		rows++
	}
	var all []work
	c.eachRow(rows, func(row box, rest cells) {
		for _, g := range gather(decompose(rest)) {
			b := box{slices.Concat(row.lo, g.hull.lo), slices.Concat(row.hi, g.hull.hi)}
			guard := g.rows(f.vars[rows:], f.origin()[rows:])
			spans := f.spans(b)
			for d := range rows {
				if ph.factors != nil {
					spans[d].each = rowsAtOnce
				}
			}
			if last := len(spans) - 1; last >= 0 && ph.options.Strategy.aligns() {
				spans[last].ahead = f.ahead(f.loop[last], b.lo[last])
			}
			all = append(all, work{
				nodes:   func() []Node { return ph.deal(spans, guard, note, ph.at(op)) },
				effects: f.copyEffects(pl, b, op, loopsOf(spans)),
			})
		}
	})
	return all
}

// lineBytes is what a warp loads at best with one request, and where that must start.
const lineBytes = 128

// ahead returns how far element x along dimension k lies behind a multiple of
// lineBytes in global memory if the rows of the array start at multiples; 0 if
// that is not the same in all tiles, or k is not the last dimension.
func (f *staged) ahead(k int, x int64) int64 {
	n := lineBytes / int64(f.array.Elem.Size())
	if k != len(f.space)-1 || slices.ContainsFunc(f.base[k].Terms, func(t astgen.Term) bool { return t.Coef%n != 0 }) {
		return 0
	}
	return ((f.base[k].Const+x)%n + n) % n
}

// Start returns where tiles have to begin along the last dimension, at 0 or up
// to a line before, so that the most elements that a full tile of s loads lie in rows that
// start at multiples of lineBytes. s starts at 0.
func (k *Counter) Start(s *schedule.Schedule) []int64 {
	start := make([]int64, len(s.Phases[0].Space))
	if !k.options.Strategy.aligns() {
		return start
	}
	votes, best := map[int64]int64{}, int64(0)
	for _, f := range k.phase(s, 0).staged {
		last := len(f.loop) - 1
		if last < 0 || f.space[f.loop[last]] != len(start)-1 || len(start) == 1 {
			continue
		}
		behind := f.ahead(f.loop[last], f.full.front()+1)
		if votes[behind] += f.loads(); votes[behind] > best {
			best, start[len(start)-1] = votes[behind], -behind
		}
	}
	return start
}

// at returns what makes c with sums for variables.
func (ph *phase) at(c Copy) func(by map[string]astgen.Sum) Op {
	return func(by map[string]astgen.Sum) Op {
		at := c
		at.To.Index, at.From.Index = ph.shared.subst(c.To.Index, by), ph.shared.subst(c.From.Index, by)
		return at
	}
}

// spans returns loops over b, a box of the looped dimensions.
func (f *staged) spans(b box) []span {
	o := f.origin()
	spans := make([]span, len(b.lo))
	for d := range b.lo {
		spans[d] = span{name: f.vars[d], lo: b.lo[d] - o[d], hi: b.hi[d] - o[d], axis: axis(d, len(b.lo))}
	}
	return spans
}

func loopsOf(spans []span) []ThreadLoop {
	loops := make([]ThreadLoop, len(spans))
	for i, s := range spans {
		loops[i] = ThreadLoop{Var: s.name, Lo: astgen.Num(s.lo - s.ahead), Hi: astgen.Num(s.hi), Axis: s.axis}
	}
	return loops
}

// eachRow calls visit for each product of intervals of the first dimensions that
// holds points of c, with what c is there in the other dimensions.
func (c cells) eachRow(first int, visit func(row box, rest cells)) {
	c.eachRowBoxes(first, func(row box, boxes []box) {
		visit(box{slices.Clone(row.lo), slices.Clone(row.hi)}, cellsOf(len(c.grid.cuts)-first, boxes))
	})
}

// eachRowBoxes is eachRow with disjoint boxes for what c is in the other
// dimensions, in their order. visit must keep neither row nor the boxes.
func (c cells) eachRowBoxes(first int, visit func(row box, boxes []box)) {
	numbers := c.all()
	row := box{make([]int64, first), make([]int64, first)}
	rest := c.grid.size // of the other dimensions
	if first > 0 {
		rest = c.grid.steps[first-1]
	}
	var boxes []box
	var walk func(d, at int)
	walk = func(d, at int) {
		if d < first {
			for k := range len(c.grid.cuts[d]) - 1 {
				numbers.lo[d], numbers.hi[d] = int64(k), int64(k)
				row.lo[d], row.hi[d] = c.grid.cuts[d][k], c.grid.cuts[d][k+1]-1
				walk(d+1, at+k*c.grid.steps[d])
			}
			return
		}
		if !slices.Contains(c.in[at:at+rest], true) {
			return
		}
		boxes = boxes[:0]
		c.eachIn(numbers, func(b box) { boxes = append(boxes, box{b.lo[first:], b.hi[first:]}.clone()) })
		visit(row, boxes)
	}
	walk(0, 0)
}

// rows returns where, in loops over the box of the hull moved by -origin, a
// point of a part lies.
func (g group) rows(vars []string, origin []int64) astgen.Cond {
	var c astgen.Cond
	for _, r := range g.parts {
		all := []astgen.Expr{}
		for _, row := range r.allRows() {
			all = append(all, row.sum(vars, origin))
		}
		c = append(c, all)
	}
	return c
}

// specialize returns c where variables have the sums by, over lanes below used:
// rows that hold for all lanes are left out, alternatives that hold for none
// too. Where one alternative always holds, it is nil; where none can, Cond{}.
func specialize(c astgen.Cond, by map[string]astgen.Sum, lanes map[string]int64) astgen.Cond {
	if c == nil {
		return nil
	}
	out := astgen.Cond{}
	for _, rows := range c {
		kept, possible := []astgen.Expr{}, true
		for _, e := range rows {
			row := e.(astgen.Sum).Subst(by)
			lo, hi := overLanes(row, lanes)
			possible = possible && hi >= 0
			if lo < 0 && !slices.ContainsFunc(kept, func(k astgen.Expr) bool { return astgen.Same(k, row) }) {
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

// overLanes returns the least and the greatest value of row, whose variables are lanes.
func overLanes(row astgen.Sum, lanes map[string]int64) (lo, hi int64) {
	lo, hi = row.Const, row.Const
	for _, t := range row.Terms {
		if most := t.Coef * (lanes[t.Var] - 1); most < 0 {
			lo += most
		} else {
			hi += most
		}
	}
	return lo, hi
}

package stream

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
)

// This file finds in which chains a warp runs no step of the program: those of the first time tile whose hexagons begin before the time loop does, and those of the last one.
// All that a warp has to do there is to bring the rows that the next one reads, where those are of the time before the first iteration.

// inactive notes when the warps run none of their steps, and what brings the rows that they pass on.
func (w *writer) inactive(p *gpu.Pipeline) {
	if w.across > 1 {
		return // what is brought would be overwritten before the warp behind it along the strip has read it
	}
	var before, after []affine.Expr
	for k := range w.shape.Steps {
		at := w.place(k, 0)
		for _, st := range w.stmts(w.warps[0].first + int64(k)) {
			rows := w.rows[st]
			if len(rows.first) == 0 || len(rows.last) == 0 {
				return // it is not said when it runs
			}
			before = leastOf(before, rows.first[0].Subst(at).Negated())
			after = leastOf(after, rows.last[0].Subst(at).Negated())
		}
	}
	var feeds [][]gpu.FetchRow
	for beat := range p.Turn {
		var ops []gpu.FetchRow
		for j := range w.rings {
			k := w.shape.Steps - 1 - j
			for number, s := range w.own[k] {
				for line := range w.lines {
					op, ok := w.feed(p, k, number, line, beat)
					if !ok {
						return
					}
					if op.Ring, op.To = w.ring(j, number, line), w.to(line); !s.row.need.empty() {
						ops = append(ops, op)
					}
				}
			}
		}
		feeds = append(feeds, ops)
	}
	w.out.Inactive, w.out.Feeds = astgen.Cond{before, after}, feeds
}

// feed returns what brings the line of a field that step k of the warps would compute a period before it is there, as the next warp reads it a period after it is computed. ok is false if where its columns lie is not affine in the warp.
func (w *writer) feed(p *gpu.Pipeline, k, number int, line int64, beat int) (op gpu.FetchRow, ok bool) {
	r := w.warps[0].own[k][number]
	lo, ok := w.sum(func(x warp) int64 { return x.own[k][number].need.lo })
	hi, also := w.sum(func(x warp) int64 { return x.own[k][number].need.hi })
	return gpu.FetchRow{
		Slot: (beat + p.FeedAhead()) % p.Slots, Element: w.useful(r, w.ahead(w.place(k, line), p.FeedAhead())), Need: [2]affine.Sum{lo, hi},
	}, ok && also
}

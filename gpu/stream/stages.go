package stream

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
)

// This file divides the warps of a block into stages that run the same code. What differs from warp to warp of a stage, such as the lane in which
// the tile ends at its right side, has to be an affine function of the number of the warp. The growing half of a hexagon
// of integer slopes is one stage, and the shrinking half the other one.

// A warp is what one warp holds and does.
type warp struct {
	number   int
	order    int      // in time
	across   int      // its place along the strip
	first    int64    // step
	columns  interval // of local coordinates, that it holds of any row
	grows    bool     // columns enter its rows
	incoming [][]*row // rows of the steps before its own, by how many steps before, from 1 on, and by field; nil: it does not read that
	own      [][]*row // by step and field
}

// warps returns those of a block.
func (t *tile) warps(s Shape) (all []warp) {
	for number := range s.Warps * s.across() {
		q := number / s.across()
		w := warp{number: number, order: q, across: number % s.across(), first: int64(q * s.Steps), columns: none}
		for j := int64(1); j <= t.before; j++ {
			var rows []*row
			for _, r := range t.at(w.first - j) {
				need := none
				for _, u := range r.uses {
					if w.runs(u.step, s) {
						own := t.at(u.step)[0].own
						need = need.hull(interval{own.lo + int64(u.shift), own.hi + int64(u.shift)})
					}
				}
				if need.empty() {
					r = nil
				}
				rows, w.columns = append(rows, r), w.columns.hull(need)
			}
			w.incoming = append(w.incoming, rows)
		}
		for k := range s.Steps {
			rows := t.at(w.first + int64(k))
			w.own = append(w.own, rows)
			for _, r := range rows {
				w.columns = w.columns.hull(r.own).hull(r.need)
				w.grows = w.grows || r.enter[0]+r.enter[1] > 0
			}
		}
		all = append(all, w)
	}
	return all
}

// runs reports whether the steps of w include a step.
func (w warp) runs(step int64, s Shape) bool { return w.first <= step && step < w.first+int64(s.Steps) }

// A stage is warps that run the same code.
type stage struct {
	*lowering
	warps  []warp
	origin affine.Sum // over Warp
	prior  *stage     // of the warps before; nil: there are none
}

// stages divides the warps of a block.
func (l *lowering) stages(all []warp) (out []*stage, why string) {
	for len(all) > 0 {
		n := len(all)
		for ; n > 0; n-- {
			var st *stage
			if st, why = l.stage(all[:n], out); why == "" {
				out = append(out, st)
				break
			}
		}
		if n == 0 {
			return nil, why
		}
		all = all[n:]
	}
	return out, ""
}

// stage returns the stage of some warps, behind those before. why says why they are none.
func (l *lowering) stage(warps []warp, before []*stage) (st *stage, why string) {
	st = &stage{lowering: l, warps: warps}
	if len(before) > 0 {
		st.prior = before[len(before)-1]
	}
	for _, w := range warps {
		if l.across > 1 && w.order != warps[0].order {
			return nil, "warps across a strip are a stage of their own"
		}
		if w.grows != warps[0].grows {
			return nil, "columns enter some warps only"
		}
	}
	for _, step := range st.drifts() {
		if why = st.fits(step); why == "" {
			return st, ""
		}
	}
	return nil, why
}

// drifts returns how far the columns of a warp may lie from those of the one before.
func (st *stage) drifts() (all []int64) {
	all = []int64{0}
	for i := range st.warps[1:] {
		x, y := st.warps[i], st.warps[i+1]
		for _, d := range []int64{y.columns.lo - x.columns.lo, y.own[0][0].own.lo - x.own[0][0].own.lo} {
			if !slices.Contains(all, d) {
				all = append([]int64{d}, all...)
			}
		}
	}
	return all
}

// fits finds the columns that the warps hold if each lies so far from the one before.
func (st *stage) fits(drift int64) (why string) {
	at := func(q int) int64 { return drift * int64(q) }
	base := st.warps[0].columns.lo - at(st.warps[0].number)
	for _, w := range st.warps {
		base = min(base, w.columns.lo-at(w.number))
	}
	base -= st.aligned(base+at(st.warps[0].number), drift)
	st.origin = affine.Var(st.vars.Warp).Times(drift).Add(base)
	for _, w := range st.warps {
		if over := w.columns.hi - (base + at(w.number)) - st.shape.width() + 1; over > 0 {
			return fmt.Sprintf("warp %d holds %d columns more than its %d", w.number, over, st.shape.width())
		}
	}
	return st.alike()
}

// aligned returns how many columns the first warp may begin further left than it has to, so that it lies whole chunks of 16 bytes from the warp before it:
// shared memory is then read by chunks. It is 0 where the warps have no room.
func (st *stage) aligned(first, drift int64) int64 {
	if st.prior == nil {
		return 0
	}
	chunk := int64(16)
	for _, x := range st.fields {
		chunk = min(chunk, max(1, 16/int64(x.array.Elem.Size())))
	}
	for st.shape.Columns%int(chunk) != 0 {
		chunk /= 2
	}
	last := st.prior.warps[len(st.prior.warps)-1].number
	more := affine.Remainder(first-affine.Eval(st.prior.origin, map[string]int64{st.vars.Warp: int64(last)}), chunk)
	for i, w := range st.warps {
		if w.columns.hi-(first+drift*int64(i)-more)+1 > st.shape.width() {
			return 0
		}
	}
	return more
}

// alike checks that all that differs between the warps is affine in their number.
func (st *stage) alike() (why string) {
	for k := range st.shape.Steps {
		of := func(f func(r *row) int64) bool {
			_, ok := st.sum(func(w warp) int64 { return f(w.own[k][0]) })
			return ok
		}
		if !of(func(r *row) int64 { return r.own.lo }) || !of(func(r *row) int64 { return r.own.hi }) ||
			!of(func(r *row) int64 { return r.offset }) || !of(func(r *row) int64 { return r.base }) || !of(func(r *row) int64 { return st.iteration(r.step) }) {
			return "steps of warps do not lie in a line"
		}
		if !st.same(func(w warp) []*row { return w.own[k] }) {
			return "warps read different rows"
		}
		for number := range st.warps[0].own[k] {
			for _, side := range []int{0, 1} {
				for _, counts := range []func(r *row) int64{func(r *row) int64 { return r.enter[side] }, func(r *row) int64 { return r.leave[side] }} {
					if why := st.edge(k, number, side, counts); why != "" {
						return why
					}
				}
			}
		}
	}
	for j := range st.before {
		if !st.same(func(w warp) []*row { return w.incoming[j] }) {
			return "warps get different rows"
		}
	}
	return ""
}

// same reports whether rows of the warps are of the same fields, and used alike in their warps.
func (st *stage) same(of func(warp) []*row) bool {
	first := of(st.warps[0])
	for _, w := range st.warps {
		rows := of(w)
		if len(rows) != len(first) {
			return false
		}
		for i, r := range rows {
			if (r == nil) != (first[i] == nil) {
				return false
			}
			if r != nil && (r.field != first[i].field || !slices.EqualFunc(st.within(w, r), st.within(st.warps[0], first[i]), func(x, y use) bool {
				return x.step-r.step == y.step-first[i].step && x.stmt == y.stmt && x.access == y.access && x.shift == y.shift && x.age == y.age && x.back == y.back
			})) {
				return false
			}
		}
	}
	return true
}

// edge checks that columns which enter or leave a field of step k at a side are the same of a lane in all warps.
func (st *stage) edge(k, number, side int, count func(r *row) int64) (why string) {
	lo, hi := int64(1), int64(0)
	for _, w := range st.warps {
		hi = max(hi, count(w.own[k][number]))
	}
	for n := lo; n <= hi; n++ {
		span, ok := st.span(func(w warp) bool { return count(w.own[k][number]) >= n })
		if !ok {
			return "columns enter or leave warps that are not neighbours"
		}
		for out := range 2 { // just outside of what the step computes, or just inside
			if _, _, ok := st.lane(span, func(w warp) int64 { return beside(w.own[k][number], side, n, out == 0) }); !ok {
				return "columns enter or leave different registers of the warps"
			}
		}
	}
	return ""
}

// beside returns the n-th column outside of what r computes, counted from the side, or inside.
func beside(r *row, side int, n int64, outside bool) int64 {
	switch {
	case side == 0 && outside:
		return r.own.lo - n
	case side == 0:
		return r.own.lo + n - 1
	case outside:
		return r.own.hi + n
	}
	return r.own.hi - n + 1
}

// within returns the uses of r by steps of w.
func (st *stage) within(w warp, r *row) (uses []use) {
	for _, u := range r.uses {
		if w.runs(u.step, st.shape) {
			uses = append(uses, u)
		}
	}
	return uses
}

// span returns the warps for which f holds; ok: they are neighbours.
func (st *stage) span(f func(warp) bool) (s gpu.Span, ok bool) {
	s, n := gpu.Span{First: 0, Last: -1}, 0
	for _, w := range st.warps {
		if f(w) {
			if n == 0 {
				s.First = w.number
			}
			s.Last = w.number
			n++
		}
	}
	return s, n == s.Last-s.First+1
}

// sum returns f as a function of the number of the warp; ok is false if it is not affine.
func (st *stage) sum(f func(warp) int64) (x affine.Sum, ok bool) {
	return st.sumOver(gpu.Span{First: st.warps[0].number, Last: st.warps[len(st.warps)-1].number}, f)
}

// sumOver is sum for some of the warps.
func (st *stage) sumOver(span gpu.Span, f func(warp) int64) (x affine.Sum, ok bool) {
	at := func(q int) int64 { return f(st.warps[q-st.warps[0].number]) }
	step := int64(0)
	if span.Last > span.First {
		step = at(span.First+1) - at(span.First)
	}
	x = affine.Var(st.vars.Warp).Times(step).Add(at(span.First) - step*int64(span.First))
	for q := span.First; q <= span.Last; q++ {
		ok = at(q) == affine.Eval(x, map[string]int64{st.vars.Warp: int64(q)})
		if !ok {
			return x, false
		}
	}
	return x, true
}

// lane returns which register of which lane holds a column in some of the warps.
func (st *stage) lane(span gpu.Span, column func(warp) int64) (x int, lane affine.Sum, ok bool) {
	if span.Last < span.First {
		return 0, lane, true
	}
	k := int64(st.shape.Columns)
	position := func(w warp) int64 {
		return column(w) - affine.Eval(st.origin, map[string]int64{st.vars.Warp: int64(w.number)})
	}
	first := st.warps[span.First-st.warps[0].number]
	x = int(affine.Remainder(position(first), k))
	for q := span.First; q <= span.Last; q++ {
		p := position(st.warps[q-st.warps[0].number])
		if int(affine.Remainder(p, k)) != x {
			return 0, lane, false
		}
	}
	lane, ok = st.sumOver(span, func(w warp) int64 { return (position(w) - int64(x)) / k })
	return x, lane, ok
}

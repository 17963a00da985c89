package emulate

import (
	"fmt"

	"github.com/hexcc/hexcc/cpu"
)

// This file has what vectors of a row load: lines, which are handed on from vector to vector, and in passes from step to step.

// begin loads what the first vector has of the lines before and under it.
func (r *row) begin() {
	lanes := r.vector.Lanes
	for i := range r.windows {
		w := &r.windows[i]
		w.direct, w.before = nil, make([]uint64, lanes)
		for c := w.of.Offsets[0]; c < w.of.Center && !r.source(i).Apart; c++ {
			w.before[lanes+c-w.of.Center] = r.load(w, c, 1)[0]
		}
		if w.of.After() || r.source(i).Handed > 0 {
			w.here = r.load(w, w.of.Center, lanes)
		}
	}
}

// next loads what the present vector has of lines that none before it had; stored is what the turn before has stored, in a pass.
func (r *row) next(stored [][]uint64) {
	lanes := r.vector.Lanes
	for i := range r.windows {
		w := &r.windows[i]
		from := r.source(i)
		switch {
		case from.Handed > len(stored): // nothing hands them on
			w.after = nil
		case from.Handed > 0:
			w.after = stored[from.Handed-1]
		case w.of.After():
			w.after = r.load(w, w.of.Center+lanes, lanes)
		default:
			w.here = r.load(w, w.of.Center, lanes)
		}
		w.apart = map[int64][]uint64{}
		for _, c := range w.of.Offsets {
			if from.Apart && c < w.of.Center || r.apart && from.Handed == 0 {
				w.apart[c] = r.load(w, c, lanes)
			}
		}
	}
}

// handOn makes the lines of the present vector those before the next one.
func (r *row) handOn() {
	for i := range r.windows {
		w := &r.windows[i]
		if w.before = w.here; w.of.After() || r.source(i).Handed > 0 {
			w.here = w.after
		}
		w.apart = nil
	}
}

// source says where window i comes from: outside of passes it is loaded line by line.
func (r *row) source(i int) cpu.Source {
	if r.sources == nil {
		return cpu.Source{}
	}
	return r.sources[i]
}

// stored returns what the vectors at the present place have stored, by row.
func (r *row) stored() (all [][]uint64) {
	x := r.m.arrays[r.step.Align.Array]
	for _, l := range r.lines {
		iters := make([]int64, len(l.iters))
		for i, e := range l.iters {
			iters[i] = e()
		}
		values := make([]uint64, r.vector.Lanes)
		if at := r.element(x, r.step.Align, iters); at >= 0 {
			copy(values, x.Cells[at:])
		}
		all = append(all, values)
	}
	return all
}

// load returns n elements of the row of w from an offset on. Memory that does not exist may not be loaded, whether it is used or not.
func (r *row) load(w *window, offset, n int64) []uint64 {
	x, object, at := w.array, int64(0), int64(0)
	for i, e := range w.lead {
		if i == 0 && x.planes > 1 {
			object = e()
			continue
		}
		at = at*x.Extent[i] + x.own(w.of.From, i, e())
	}
	last := len(x.Extent) - 1
	at = at*x.Extent[last] + x.own(w.of.From, last, w.index()) + offset
	values := make([]uint64, n)
	if at < x.first || at+n > x.used || object < 0 || object >= x.planes {
		r.outside(x, fmt.Sprintf("a vector at %s loads elements %d to %d of those from %d to %d", r.step.Stmt.Name, at, at+n-1, x.first, x.used-1))
		return values
	}
	copy(values, x.Cells[object*(int64(len(x.Cells))/x.planes)+at:])
	return values
}

// value returns what the present lane has of w at an offset.
func (r *row) value(w *window, offset int64) uint64 {
	lanes, at, from := r.vector.Lanes, r.lane+offset-w.of.Center, w.here
	switch {
	case w.direct != nil:
		at, from = r.lane, w.direct[offset]
	case w.apart[offset] != nil:
		at, from = r.lane, w.apart[offset]
	case at < 0:
		at, from = lanes+at, w.before
	case at >= lanes:
		at, from = at-lanes, w.after
	}
	if uint64(at) >= uint64(len(from)) {
		r.m.found(Finding{Kind: Uninitialised, Msg: fmt.Sprintf("%s[.. %+d] at lane %d of a vector", w.array.Array.Name, offset, r.lane)})
		return 0
	}
	return from[at]
}

package emulate

// This file runs copies of boxes around what a tile uses. Of what is copied other blocks of the launch may write what nothing in the tile reads, so that an
// element counts as read from global memory when an instance reads it where it was copied to.

// An origin is the element of global memory that a cell of a buffer holds a copy of, if memory is set.
type origin struct {
	memory *memory
	at     int
}

// boxed returns the code of a copy of a box, in place of that which reads through from, and store, which writes through to.
func (m *machine) boxed(from, to *ref, store func(uint64)) (load func() uint64, stored func(uint64)) {
	load = func() uint64 {
		m.now.GlobalLoads++
		at := from.offset()
		if at < 0 {
			m.outside(from, read)
			return from.poison()
		}
		return from.cells[at]
	}
	if from.warps != nil { // who counts sectors wants to see them
		see, quiet := from.observer(false), load
		load = func() uint64 {
			see()
			return quiet()
		}
	}
	if to.origins == nil {
		to.origins = make([]origin, len(to.cells))
	}
	return load, func(bits uint64) {
		store(bits)
		if at, elem := to.offset(), from.offset(); at >= 0 && elem >= 0 {
			to.origins[at] = origin{from.memory, elem}
		}
	}
}

// sawCopied checks and remembers that the element of global memory is read of which a cell holds a copy, if it does.
func (m *machine) sawCopied(r *ref, at int) {
	if r.origins == nil || r.origins[at].memory == nil {
		return
	}
	o := r.origins[at]
	m.readOf(&o.memory.shadows[o.at], r, at)
}

package emulate

import "github.com/hexcc/hexcc/gpu"

// This file runs what goes through the registers of a thread. A register that is
// read must hold what its element holds in memory now: otherwise a value was
// kept too long, which is found even where it does no harm.

// register returns the cells of a register, one for each thread of a block.
func (f *function) register(name string) []uint64 {
	cells := f.registers[name]
	if cells == nil {
		n := f.kernel.Threads
		cells = make([]uint64, n[0]*n[1]*n[2])
		f.registers[name] = cells
	}
	return cells
}

// fetch returns the code of a load into a register.
func (f *function) fetch(t *threads, op gpu.Load) func() {
	var from *ref
	from = f.ref(t, op.From, func() string { return "load of " + from.elementOf() })
	cells, load := f.register(op.Reg), f.load(from)
	return func() { cells[f.thread] = load() }
}

// read returns the code that reads the element of r, from register reg if that is not "".
func (f *function) read(r *ref, reg string) func() uint64 {
	if reg == "" {
		return f.load(r)
	}
	cells := f.register(reg)
	return func() uint64 {
		f.now.RegisterReads++
		v := cells[f.thread]
		if at := r.offset(); at < 0 {
			f.outside(r, read)
		} else if r.cells[at] != v {
			f.stale(r)
		}
		return v
	}
}

// write returns the code that writes the element of r, and register reg if that is not "".
func (f *function) write(r *ref, reg string) func(uint64) {
	store := f.store(r)
	if reg == "" {
		return store
	}
	cells := f.register(reg)
	return func(v uint64) {
		cells[f.thread] = v
		store(v)
	}
}

// stale notes that a register does not hold what its element holds.
func (m *machine) stale(r *ref) {
	if !m.wanted(Stale) {
		m.report.Counts[Stale]++
		return
	}
	m.found(Finding{Kind: Stale, Element: r.elementOf(), Uses: []Access{m.present(r, read)}, Msg: "a register holds another value"})
}

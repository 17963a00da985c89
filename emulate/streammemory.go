package emulate

import (
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/beat"
)

// This file is global memory for streams.

// An l1 is the cache through which asynchronous copies come: sectors, as they were when first copied from. What other blocks store later does not reach it
// before it is cleared.
type l1 map[sector][]uint64

type sector struct {
	memory *memory
	number int
}

func (c l1) clear() { clear(c) }

// at returns where element at of x is in the cache.
func (c l1) at(x *memory, at int) (s sector, first int) {
	each := sectorBytes / x.elem.Size()
	return sector{x, at / each}, at / each * each
}

// load returns what the cache holds of element at of x, once it holds it.
func (c l1) load(x *memory, at int) uint64 {
	s, first := c.at(x, at)
	cells, ok := c[s]
	if !ok {
		cells = append(cells, x.cells[first:min(first+sectorBytes/x.elem.Size(), len(x.cells))]...)
		c[s] = cells
	}
	return cells[at-first]
}

// store notes what the block itself stores.
func (c l1) store(x *memory, at int, bits uint64) {
	s, first := c.at(x, at)
	if cells, ok := c[s]; ok {
		cells[at-first] = bits
	}
}

// An element is one of global memory, as a stream uses it.
type element struct {
	*stream
	is  *ref
	how beat.Use
}

// Element returns what loads and stores e.
func (s *stream) Element(e gpu.Element, use beat.Use) beat.Element[word] {
	x := &element{stream: s, how: use}
	x.is = s.ref(s.nodes, gpu.Ref{Array: e.Array, Index: e.Index}, func() string {
		verb := "patch with "
		switch use {
		case beat.Fetched:
			verb = "copy of "
		case beat.Put:
			verb = "store to "
		case beat.Operated:
			verb = "operand "
		}
		return verb + x.is.elementOf()
	})
	return x
}

// Load loads the present element.
func (x *element) Load(thread int) word {
	x.act(thread)
	m, r := x.machine, x.is
	m.now.GlobalLoads++
	at := r.offset()
	if at < 0 {
		m.outside(r, read)
		return x.Undefined()
	}
	if r.regions != nil {
		m.stray(r, read)
	}
	if x.how == beat.Patched && m.self != nil {
		return x.patch(at)
	}
	m.sawRead(r, at)
	if x.how == beat.Fetched {
		bits := x.lines.load(r.memory, at)
		if bits != r.cells[at] {
			x.old()
		}
		return word{bits: bits}
	}
	return word{bits: r.cells[at]}
}

// old notes that the cache holds an earlier value of the present element.
func (x *element) old() {
	if !x.wanted(Stale) {
		x.report.Counts[Stale]++
		return
	}
	x.found(Finding{Kind: Stale, Element: x.is.elementOf(), Uses: []Access{x.present(x.is, read)}, Msg: "a cache holds an older value of its sector"})
}

// Store stores to the present element.
func (x *element) Store(thread int, w word) {
	x.act(thread)
	m, r := x.machine, x.is
	m.now.GlobalStores++
	at := r.offset()
	if at < 0 {
		m.outside(r, written)
		return
	}
	if r.regions != nil {
		m.stray(r, written)
	}
	m.sawWrite(r, at)
	bits := r.poison()
	if w.from == undefined {
		x.lacks(r, written, r.elementOf())
	} else {
		bits = x.use(w)
	}
	r.cells[at] = bits
	x.lines.store(r.memory, at, bits)
}

// patch loads an element whose value may not be needed.
func (x *element) patch(at int) word {
	m, r := x.machine, x.is
	_, early := m.unseen(r.memory.shadows[at].write)
	x.patches = append(x.patches, patch{ref: r, at: at, read: m.record(r), early: early})
	return word{bits: r.cells[at], from: int32(len(x.patches))}
}

// usePatch notes that a value is used, which was loaded earlier: no other chain may store to the element meanwhile.
func (s *stream) usePatch(p *patch) {
	if p.used {
		return
	}
	p.used = true
	m, x := s.machine, p.ref.memory
	w := x.shadows[p.at].write
	if w.node > p.read.node && m.chainOf(w) != m.self.chain {
		p.early = true
	}
	if !p.early {
		x.keepLatest(m, p.at, p.read)
		return
	}
	if !m.wanted(BlockRace) {
		m.report.Counts[BlockRace]++
		return
	}
	m.found(Finding{Kind: BlockRace, Element: x.cell(p.at), Uses: []Access{m.past(p.read, read), m.past(w, written)}})
}

// keepLatest is keep, for a read that need not be the latest of its chain.
func (x *memory) keepLatest(m *machine, at int, r record) {
	for i, old := range x.readers[at] {
		if m.chainOf(old) == m.chainOf(r) {
			if old.node < r.node {
				x.readers[at][i] = r
			}
			return
		}
	}
	x.readers[at] = append(x.readers[at], r)
}

// cell names a cell.
func (x *memory) cell(at int) string {
	index := make([]int64, len(x.extent))
	for d := len(index) - 1; d >= 0; d-- {
		index[d] = int64(at) % x.extent[d]
		at /= int(x.extent[d])
	}
	return elementName(x.name, index)
}

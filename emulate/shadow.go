package emulate

import "github.com/hexcc/hexcc/scop"

// This file finds races. Executions of Threads nodes are numbered in the order
// in which they happen here. Numbers from clock.epoch on happened since the last
// barrier of the present block, from clock.block on in the present block, from
// clock.launch on in the present launch. Each cell keeps a record of its last
// write and of the reads that matter, so that with one access in hand:
//
//   - a record since epoch of another thread is not ordered with it,
//   - a record since launch and before block is another block's: not ordered either,
//   - anything else is ordered: by a barrier, by being the same thread, or by the launch.

// A clock numbers the executions of Threads nodes; 0 is never.
type clock struct {
	node                 uint32 // the present one
	epoch, block, launch uint32
	log                  []execution // since launch: number n is log[n-launch]
	values               []int64     // of the uniform variables, by execution
}

// An execution says which node ran; its uniform variables are values[at:].
type execution struct {
	threads *threads
	at      int
	chain   int // that ran it, where there are chains
}

// A record says who touched a cell: thread, at a point, through a reference of the node.
type record struct {
	node   uint32
	thread uint16
	ref    uint16
	point  uint64
}

// A shadow is what is remembered of a cell. Reads are kept so that a write by
// whomever finds one that it is not ordered with, if there is any:
// first is the first since the last barrier, second the latest by a thread other
// than that of first, and elsewhere one by an earlier block of the launch.
type shadow struct {
	write, first, second, elsewhere record
}

// A memory is the cells of an array or a buffer with their shadows.
type memory struct {
	name    string
	elem    scop.Type
	extent  []int64
	cells   []uint64
	shadows []shadow
	global  bool
	origins []origin   // of a buffer to which boxes are copied: what its cells hold copies of
	readers [][]record // of global memory, where there are chains: by cell, reads by others than that of first
	part    *part      // of global memory: what the rank that runs has of it; nil: all
}

func newMemory(name string, elem scop.Type, extent []int64, cells []uint64, global bool) *memory {
	return &memory{name: name, elem: elem, extent: extent, cells: cells, shadows: make([]shadow, len(cells)), global: global}
}

// poison is what a read gives that may not be: a quiet NaN where there are such.
func (x *memory) poison() uint64 {
	if x.elem.Size() == 8 {
		return 0x7ff8deadbeefdead
	}
	return 0x7fdeadbe
}

func (m *machine) startLaunch() {
	if m.node > 1<<31 { // make room: nothing remembered matters now
		for _, x := range m.memories {
			clear(x.shadows)
		}
		m.node = 0
	}
	m.launch = m.node + 1
	m.log, m.values = m.log[:0], m.values[:0]
}

func (m *machine) startBlock() {
	m.block = m.node + 1
	m.epoch = m.block
	m.blocks++
}

func (m *machine) barrier() {
	m.now.Barriers++
	if m.profile != nil {
		m.traffic(Other).Barriers++
	}
	m.epoch = m.node + 1
}

// startNode begins an execution of t.
func (m *machine) startNode(t *threads) {
	m.node++
	e := execution{threads: t, at: len(m.values)}
	if m.self != nil {
		e.chain = m.self.chain
	}
	m.log = append(m.log, e)
	for _, v := range t.uniform {
		m.values = append(m.values, *v)
	}
}

// unordered reports whether the access of r, in this block or before it, is
// since the last barrier and by another thread.
func (m *machine) unordered(r *record) bool { return r.node >= m.epoch && r.thread != m.thread }

// otherBlock reports whether r is by an earlier block of this launch.
func (m *machine) otherBlock(r *record) bool { return r.node >= m.launch && r.node < m.block }

// sawRead checks and remembers a read of a cell in global memory.
func (m *machine) sawRead(r *ref, at int) {
	if m.self != nil {
		m.readInChain(r, at)
		return
	}
	m.readOf(&r.memory.shadows[at], r, at)
}

// readOf checks and remembers a read through r of a cell in global memory with that shadow.
func (m *machine) readOf(s *shadow, r *ref, at int) {
	if s.write.node >= m.launch {
		if s.write.node < m.block {
			m.race(BlockRace, r, at, s.write, written, read)
		} else if m.unordered(&s.write) {
			m.race(GlobalRace, r, at, s.write, written, read)
		}
	}
	m.remember(s, r)
}

// sawSharedRead is sawRead for shared memory. It reports whether the cell was
// written in this block.
func (m *machine) sawSharedRead(r *ref, at int) bool {
	s := &r.memory.shadows[at]
	if s.write.node < m.block {
		m.uninitialised(r, at)
		return false
	}
	if m.unordered(&s.write) {
		m.race(SharedRace, r, at, s.write, written, read)
	}
	m.remember(s, r)
	m.sawCopied(r, at)
	return true
}

// remember keeps a read.
func (m *machine) remember(s *shadow, r *ref) {
	if s.first.node >= m.epoch {
		if s.first.thread != m.thread {
			s.second = m.record(r)
		}
		return
	}
	if m.otherBlock(&s.first) {
		s.elsewhere = s.first
	}
	s.first = m.record(r)
}

// sawWrite checks and remembers a write of a cell.
func (m *machine) sawWrite(r *ref, at int) {
	if m.self != nil && r.memory.global {
		m.wroteInChain(r, at)
		return
	}
	if r.memory.origins != nil {
		r.memory.origins[at] = origin{}
	}
	s := &r.memory.shadows[at]
	kind := SharedRace
	if r.memory.global {
		kind = GlobalRace
		switch {
		case m.otherBlock(&s.write):
			m.race(BlockRace, r, at, s.write, written, written)
		case m.otherBlock(&s.first):
			m.race(BlockRace, r, at, s.first, read, written)
		case s.elsewhere.node >= m.launch:
			m.race(BlockRace, r, at, s.elsewhere, read, written)
		}
	}
	switch {
	case m.unordered(&s.write):
		m.race(kind, r, at, s.write, written, written)
	case m.unordered(&s.first):
		m.race(kind, r, at, s.first, read, written)
	case m.unordered(&s.second):
		m.race(kind, r, at, s.second, read, written)
	}
	s.write = m.record(r)
}

// record is the present access, through r.
func (m *machine) record(r *ref) record { return record{m.node, m.thread, r.id, m.point} }

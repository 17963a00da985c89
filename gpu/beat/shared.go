package beat

import "fmt"

// This file is shared memory, as far as warps and copies have to take care whether others have filled it, or still use it.

// A slot is a row of a ring, or a set of elements of an edge. All of it is touched at a time, as far as races go.
type slot[V any] struct {
	name   string
	number [2]int
	cells  []V
	// wrote and read are the intervals of the latest accesses, writer and reader who made them.
	wrote, read    int64
	writer, reader int
	there          int64 // the interval from which on what was copied is there
}

// several stands for more than one reader.
const several = -1

func slots[V any](name string, numbers, count, width int) (all [][]*slot[V]) {
	for n := range numbers {
		var list []*slot[V]
		for s := range count {
			list = append(list, &slot[V]{name: name, number: [2]int{n, s}, cells: make([]V, width)})
		}
		all = append(all, list)
	}
	return all
}

func start[V any](all [][]*slot[V], none V) {
	for _, list := range all {
		for _, s := range list {
			*s = slot[V]{name: s.name, number: s.number, cells: s.cells}
			fill(s.cells, none)
		}
	}
}

func (s *slot[V]) String() string { return fmt.Sprintf("%s[%d][%d]", s.name, s.number[0], s.number[1]) }

// touch notes an access of s.
func (m *Machine[V]) touch(s *slot[V], actor int, write bool) {
	if s.there > m.interval {
		m.domain.Wrong(InFlight, s.String())
		s.there = 0
	}
	if s.wrote == m.interval && s.writer != actor || write && s.read == m.interval && s.reader != actor {
		m.domain.Wrong(Race, s.String())
	}
	switch {
	case write:
		s.wrote, s.writer = m.interval, actor
	case s.read < m.interval:
		s.read, s.reader = m.interval, actor
	case s.reader != actor:
		s.reader = several
	}
}

// fetch notes that an asynchronous copy to s begins. It belongs to the group of this interval; at the barrier that ends
// the last one before those are used, so many periods later, all groups but the newest have arrived.
func (m *Machine[V]) fetch(s *slot[V], actor int) {
	m.touch(s, actor, true)
	s.there = m.interval + int64(m.Ahead/m.Period)
}

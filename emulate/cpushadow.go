package emulate

import (
	"fmt"
	"math"

	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file finds accesses of a CPU's threads that nothing orders. Of each element it is remembered who wrote it last and who read it, so that
// with one access in hand, whatever the order was here:
//
//   - one by another tile of the same phase of the same time tile is a race of threads; where chains wait for each other, one by
//     a tile that the waits do not put before;
//   - one by another point of the same step of the same tile is a race of points, which run in any order, and in vectors;
//   - anything else is ordered: by the end of a phase, or because one thread does both.

// A moment is when something happens.
type moment struct {
	spot
	now   uint64 // the step that runs, numbered
	point int64  // the instance, numbered in the box of its statement
	again bool   // it runs for the second time
}

// A spot is the tile that something happens in.
type spot struct {
	launch uint32        // the phase of a time tile that runs, numbered
	link   schedule.Link // of the chain that runs, where chains wait for each other
	tile   int64         // of that phase
}

// spots are those that were used, as uses number them.
type spots []spot

// number returns the number of x, from 1 on: that of the last if it is the same.
func (l *spots) number(x *spot) uint32 {
	if n := len(*l); n > 0 && (*l)[n-1] == *x {
		return uint32(n)
	}
	if len(*l) == math.MaxUint32 {
		panic("emulate: BUG: more tiles in turn than numbers for them")
	}
	*l = append(*l, *x)
	return uint32(len(*l))
}

// A shadowed element: of reads, two by different tiles of the last launch, and two by different points of the last step.
type elementShadow struct {
	write             use
	tileRead, other   use
	pointRead, second use
}

// A use is an access, made at a moment. Of each element several are remembered: it is as small as can be.
type use struct {
	now   uint64
	point int64
	spot  uint32 // its number; 0: there was no such use
	stmt  uint16 // its place in the program
	again bool
}

// use returns an access by st at this moment.
func (m *processor) use(st *scop.Stmt) use {
	return use{m.now, m.point, m.spots.number(&m.spot), uint16(st.Order), m.again}
}

// elements are the cells of an array.
type elements struct {
	*scop.Storage
	*scratch // of a buffer; nil: the array itself
	shadows  []elementShadow
	planes   int64 // how many objects hold them
	first    int64 // the first element of an object that exists for certain
	used     int64 // up to where they do
	base     int64 // how many elements lie between the start of an object and a cache line before it
}

func newElements(s *scop.Storage, m *processor) *elements {
	x := &elements{Storage: s, shadows: make([]elementShadow, len(s.Cells)), planes: max(1, int64(len(s.Array.Planes))), base: m.rng.Int64N(64)}
	x.used = int64(len(s.Cells)) / x.planes
	number := func(of []scop.Affine) (at int64) {
		for i, e := range of {
			at = at*s.Extent[len(s.Extent)-len(of)+i] + e.At(nil, m.mem.Params)
		}
		return at
	}
	if last := s.Array.Last; last != nil {
		x.used = min(x.used, number(last)+1)
	}
	x.first = number(s.Array.First)
	return x
}

// otherTile reports whether u was by another tile that nothing orders with the present one: one of the same phase.
func (m *processor) otherTile(u use) bool {
	if u.spot == 0 || int(u.spot) == len(*m.spots) { // the present one is the last
		return false
	}
	by := &(*m.spots)[u.spot-1]
	if m.crew != nil {
		return m.unordered(by.link)
	}
	return by.launch == m.launch && by.tile != m.tile
}

// otherPoint reports whether u was in the present step, by another point.
func (m *processor) otherPoint(u use) bool {
	return u.spot != 0 && u.now == m.now && u.point != m.point
}

// read checks and remembers a read of an element by st.
func (m *processor) read(x *elements, at int64, st *scop.Stmt) {
	m.fresh(x, at)
	s, now := &x.shadows[at], m.use(st)
	switch w := s.write; {
	case m.otherTile(w):
		m.race(TileRace, x, at, w, written, now, read)
	case m.otherPoint(w):
		m.race(PointRace, x, at, w, written, now, read)
	case w.spot != 0 && w.now == m.now && w.point == m.point && m.again && !w.again:
		m.race(Repeated, x, at, w, written, now, read)
	}
	if m.otherTile(s.tileRead) {
		s.other = s.tileRead
	}
	s.tileRead = now
	if s.pointRead.now != m.now || s.pointRead.spot == 0 {
		s.pointRead = now
	} else if s.pointRead.point != m.point {
		s.second = now
	}
}

// wrote checks and remembers a write of an element by st.
func (m *processor) wrote(x *elements, at int64, st *scop.Stmt) {
	m.fresh(x, at)
	s, now := &x.shadows[at], m.use(st)
	for i, u := range [...]*use{&s.write, &s.tileRead, &s.other, &s.pointRead, &s.second} {
		verb := read
		if i == 0 {
			verb = written
		}
		if m.otherTile(*u) {
			m.race(TileRace, x, at, *u, verb, now, written)
			break
		}
		if m.otherPoint(*u) {
			m.race(PointRace, x, at, *u, verb, now, written)
			break
		}
	}
	s.write = now
}

func (m *processor) race(k Kind, x *elements, at int64, before use, verb string, now use, does string) {
	if !m.wanted(k) {
		m.report.Counts[k]++
		return
	}
	m.found(Finding{Kind: k, Element: x.Element(int(at)), Uses: []Access{m.who(before, verb), m.who(now, does)}})
}

// who describes a use.
func (m *processor) who(u use, verb string) Access {
	st := m.prog.Scop().Stmts[u.stmt]
	return Access{Verb: verb, Node: fmt.Sprintf("phase %d", m.phase), Tile: fmt.Sprintf("tile %d", (*m.spots)[u.spot-1].tile),
		Statement: st.Instance(m.domains[st].at(u.point))}
}

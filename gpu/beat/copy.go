package beat

import "github.com/hexcc/hexcc/gpu"

// This file copies elements between global and shared memory.

// A group is a gpu.Group ready to use.
type group[V any] struct {
	gpu.Group
	at      func() int64
	element Element[V]
	guard   func() bool
}

func (m *Machine[V]) groups(c *gpu.Cursor, use Use) (all []group[V]) {
	for _, g := range c.Groups {
		all = append(all, group[V]{g, m.domain.Number(g.At), m.domain.Element(g.Element, use), m.domain.Holds(g.Guard)})
	}
	return all
}

// eachElement sets At to each of the elements of groups that a warp copies, and calls f with their numbers.
func (m *Machine[V]) eachElement(w *warp[V], groups []group[V], f func(n int, e Element[V])) {
	n := 0
	for _, g := range groups {
		at := g.at()
		for k := range g.Count {
			*m.vars.At = at + int64(k)
			if g.Warps.Has(w.number) && (m.Full || g.guard()) {
				f(n, g.element)
			}
			n++
		}
	}
}

// lane returns the thread of a warp that copies element n of a cursor.
func (w *warp[V]) lane(n int) int { return w.number*gpu.WarpLanes + n%gpu.WarpLanes }

func (c compiler[V]) fetchOp(op gpu.Fetch) func(*warp[V]) {
	groups, edge := c.groups(op.Cursor, Fetched), c.edges[op.Edge]
	return func(w *warp[V]) {
		if op.Border && c.Full {
			return
		}
		to := edge[w.number][op.Slot]
		c.fetch(to, w.number)
		fill(to.cells, c.domain.Undefined())
		c.eachElement(w, groups, func(n int, e Element[V]) {
			to.cells[n] = e.Load(w.lane(n))
			c.SharedStores++
		})
	}
}

// fetchLine returns the code of a FetchLine.
func (c compiler[V]) fetchLine(op gpu.FetchLine) func(*warp[V]) {
	type line struct {
		where, exists func() bool
		element       Element[V]
	}
	var lines []line
	for _, x := range op.Lines {
		lines = append(lines, line{c.domain.Holds(x.Where), c.domain.Holds(x.Element.Exists), c.domain.Element(x.Element, Fetched)})
	}
	ring, need, base := c.rings[op.Ring], c.own(op.Need), c.base()
	return func(w *warp[V]) {
		if c.Full {
			return
		}
		for _, l := range lines {
			if !l.where() {
				continue
			}
			to := ring[c.Among(c.stage, w.number)][op.Slot]
			c.fetch(to, w.number)
			fill(to.cells, c.domain.Undefined())
			first := base()
			lo, hi := need()
			for x := max(lo, 0); x <= min(hi, c.width()-1); x++ {
				if *c.vars.At = first + int64(x); l.exists() {
					to.cells[x] = l.element.Load(c.thread(w, x))
					c.SharedStores++
				}
			}
		}
	}
}

// line returns what a FetchLine has brought of a column of a line beside the domain.
func (c compiler[V]) line(b *gpu.Beside, w *warp[V]) func(x int) V {
	if b.Lines == nil {
		return func(int) V { return c.domain.Undefined() }
	}
	from := c.rings[b.Lines][c.Among(c.stage, w.number)][b.Slot]
	c.touch(from, w.number, false)
	c.SharedLoads += int64(c.width())
	return func(x int) V { return from.cells[x] }
}

func (c compiler[V]) put(op gpu.Put) func(*warp[V]) {
	groups, edge := c.groups(op.Cursor, Put), c.edges[op.Edge]
	return func(w *warp[V]) {
		from := edge[w.number][op.Slot]
		c.touch(from, w.number, false)
		c.eachElement(w, groups, func(n int, e Element[V]) {
			e.Store(w.lane(n), from.cells[n])
			c.SharedLoads++
		})
		fill(from.cells, c.domain.Undefined()) // what is put later must have left later
	}
}

// rowCopy returns the code of a RowCopy at beat r of a turn.
func (m *Machine[V]) rowCopy(op gpu.RowCopy, actor int) func(r int) {
	use := Put
	if op.In {
		use = Fetched
	}
	ring := m.rings[op.Ring][op.Number]
	first, origin := m.domain.Number(op.First), m.domain.Number(op.Origin)
	element, guard := m.domain.Element(op.Element, use), m.domain.Holds(op.Guard)
	return func(r int) {
		s := ring[op.Slots[r]]
		if op.In {
			m.fetch(s, actor)
			fill(s.cells, m.domain.Undefined())
		} else {
			m.touch(s, actor, false)
		}
		at, o := first(), origin()
		for k := range op.Count {
			*m.vars.At = at + int64(k)
			x := *m.vars.At - o
			switch thread := k % m.Threads(); {
			case !m.Full && !guard():
			case x < 0 || x >= int64(len(s.cells)):
				m.domain.Wrong(Outside, s.String())
			case op.In:
				s.cells[x] = element.Load(thread)
				m.SharedStores++
			default:
				element.Store(thread, s.cells[x])
				m.SharedLoads++
			}
		}
	}
}

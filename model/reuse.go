package model

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file tells which of the rows that points read come from the cache of first level:
// those that were read a row ago, a plane ago, and so on, if what was touched since fits there.

// A row is one row that a statement touches, relative to the point.
type row struct {
	array  string  // and what tells its parts apart, such as the parity of time
	at     []int64 // by dimension but the last
	read   bool
	size   int64 // bytes of an element
	beside int64 // rows that run side by side
}

// rowsOf returns the rows that a statement touches, those of all rows that run side by side.
func rowsOf(c *schedule.Canonical, st *scop.Stmt) (all []row) {
	last := len(c.Space) - 1
	beside := int64(1)
	if last > 0 {
		beside = int64(cpu.SideBySide(c, st))
	}
	seen := map[string]bool{}
	for k := range beside {
		for _, a := range st.Accesses {
			r := row{array: a.Array.Name, at: make([]int64, last), read: !a.Write, size: int64(a.Array.Elem.Size()), beside: beside}
			for i, x := range a.Index {
				p := dimension(c, st, x)
				switch {
				case p < 0:
					r.array += fmt.Sprint(" ", i, x)
				case p < last:
					r.at[p] += x.Const
				}
			}
			if last > 0 {
				r.at[last-1] += k
			}
			if key := fmt.Sprint(r); !seen[key] {
				seen[key] = true
				all = append(all, r)
			}
		}
	}
	return all
}

// dimension returns the space dimension whose iterator a subscript has, the last one
// if there are several, -1 if none.
func dimension(c *schedule.Canonical, st *scop.Stmt, x scop.Index) int {
	found := -1
	for p, at := range c.Places[st.Order] {
		if at.Iter >= 0 && x.Coef(at.Iter) != 0 {
			found = p
		}
	}
	return found
}

// A reuse is what decides whether what was read one step of a dimension ago is still in the first level.
type reuse struct {
	groups []group // what is touched while all dimensions after it run through a tile
	again  float64 // bytes of a point that were read then
}

// A group is rows that differ in dimensions after one alone: their places span so much there.
type group struct {
	size  float64 // bytes of an element
	spans []int64 // by dimension but the last
}

// reuses returns, by dimension but the last, how the rows of a statement are read again.
func reuses(rows []row) (all []reuse) {
	for d := range rows[0].at {
		all = append(all, reuse{groupsOf(rows, d), again(rows, d)})
	}
	return all
}

// groupsOf returns the rows of a statement by their places in the dimensions up to d.
func groupsOf(rows []row, d int) (all []group) {
	groups := map[string][]row{}
	for _, r := range rows {
		key := fmt.Sprint(r.array, r.at[:d+1])
		groups[key] = append(groups[key], r)
	}
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		rows := groups[key]
		g := group{size: float64(rows[0].size), spans: make([]int64, len(rows[0].at))}
		for p := d + 1; p < len(g.spans); p++ {
			least, most := rows[0].at[p], rows[0].at[p]
			for _, r := range rows {
				least, most = min(least, r.at[p]), max(most, r.at[p])
			}
			g.spans[p] = most - least
		}
		all = append(all, g)
	}
	return all
}

// swept returns the bytes that are touched while all dimensions after d run through a tile of such widths.
func (r reuse) swept(d int, widths []float64) (bytes float64) {
	last := len(widths) - 1
	for _, g := range r.groups {
		cells := widths[last] * g.size
		for p := d + 1; p < last; p++ {
			cells *= widths[p] + float64(g.spans[p])
		}
		bytes += cells
	}
	return bytes
}

// again returns how many bytes of a point were read one step of dimension d ago, or more.
func again(rows []row, d int) (bytes float64) {
	groups := map[string]map[int64]bool{}
	for _, r := range rows {
		if !r.read {
			continue
		}
		key := fmt.Sprint(r.array, r.at[:d])
		if groups[key] == nil {
			groups[key] = map[int64]bool{}
		}
		groups[key][r.at[d]] = true
	}
	last := len(rows[0].at) - 1
	for _, places := range groups {
		fresh, share := 1.0, 1.0
		if d == last {
			fresh, share = float64(rows[0].beside), float64(rows[0].beside)
		}
		bytes += max(0, float64(len(places))-fresh) / share * float64(rows[0].size)
	}
	return bytes
}

// reread returns the elements that a point reads from the second level again, though they were read in the same step before.
func (t cacheTile) reread() float64 {
	return t.evicted(t.cpu.First) * float64(t.cpu.lineElements(t.c)) / float64(t.cpu.Line)
}

// far returns the bytes that a point reads from beyond the second level again, though they were read in the same step before: planes
// of which that cannot hold as many as a stencil reads.
func (t cacheTile) far() float64 { return t.evicted(t.cpu.Cache) }

// evicted returns the bytes that a point reads again after a cache of so many bytes has evicted them, though they were read in the same step before: the most of any statement. From half
// of the cache on some are evicted, as others need room there too: what is fetched ahead, what the step before left, and lines that fall on the same places.
func (t cacheTile) evicted(cache int64) (most float64) {
	widths := make([]float64, len(t.sizes.W))
	for p, w := range t.sizes.W {
		widths[p] = min(float64(w), t.whole(p))
	}
	for _, dims := range t.reuses {
		bytes := 0.0
		for d, r := range dims {
			bytes += r.again * min(1, max(0, 2*r.swept(d, widths)/float64(cache)-1))
		}
		most = max(most, bytes)
	}
	return most
}

package gpu

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/schedule"
)

// A footprint is the elements of an array that a tile uses, by plane: a plane
// is the elements with the same x in all dimensions that copies do not loop over.
type footprint struct {
	layout
	touches []touch
	planes  []*plane
	around  box // of all elements
}

// A plane holds sets of elements, by their x in the looped dimensions.
type plane struct {
	at      []int64 // x of each dimension; meaningless where looped
	read    cells   // read at some step
	first   cells   // read before they are written, if ever they are
	written cells
	writers []touch
}

// footprintOf runs through the slices in order.
func footprintOf(l layout, c *schedule.Canonical, n astgen.Names, all []astgen.Slice) *footprint {
	f := &footprint{layout: l, touches: l.touches(c, n, all)}
	dims := l.loopedDims()
	var boxes []box
	for _, t := range f.touches {
		boxes = append(boxes, t.only(dims))
		f.around = t.join(f.around)
	}
	g := newGrid(len(dims), boxes)
	byKey := map[string]*plane{}
	for _, group := range bySlice(f.touches) {
		for _, t := range group {
			pl := byKey[l.key(t)]
			if pl == nil {
				pl = &plane{at: t.lo, read: g.none(), first: g.none(), written: g.none()}
				byKey[l.key(t)] = pl
				f.planes = append(f.planes, pl)
			}
			if !t.access.Write {
				pl.read.add(t.only(dims))
				if !writtenBefore(group, t) {
					pl.first.addExcept(t.only(dims), pl.written)
				}
			}
		}
		for _, t := range group {
			if t.access.Write {
				pl := byKey[l.key(t)]
				pl.written.add(t.only(dims))
				pl.writers = append(pl.writers, t)
			}
		}
	}
	slices.SortFunc(f.planes, func(x, y *plane) int { return slices.Compare(x.at, y.at) })
	return f
}

// bySlice groups touches, which are in the order of their slices.
func bySlice(ts []touch) [][]touch {
	var groups [][]touch
	for i, t := range ts {
		if i == 0 || t.slice != ts[i-1].slice {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], t)
	}
	return groups
}

// writtenBefore reports whether the instance that reads t has stored to the same element just before.
func writtenBefore(group []touch, t touch) bool {
	for _, w := range group {
		if w.access == t.access {
			return false
		}
		if w.access.Write && slices.Equal(w.offset, t.offset) {
			return true
		}
	}
	return false
}

// only returns the box of t in the given dimensions.
func (b box) only(dims []int) box {
	c := box{make([]int64, len(dims)), make([]int64, len(dims))}
	for i, k := range dims {
		c.lo[i], c.hi[i] = b.lo[k], b.hi[k]
	}
	return c
}

// join returns the least box around b and c; the box without dimensions is empty.
func (b box) join(c box) box {
	if c.lo == nil {
		return box{slices.Clone(b.lo), slices.Clone(b.hi)}
	}
	lo, hi := slices.Clone(c.lo), slices.Clone(c.hi)
	for d := range lo {
		lo[d], hi[d] = min(lo[d], b.lo[d]), max(hi[d], b.hi[d])
	}
	return box{lo, hi}
}

// key names the plane of t.
func (l layout) key(t touch) string {
	var b strings.Builder
	for k := range l.space {
		if !l.looped(k) {
			fmt.Fprint(&b, t.lo[k], " ")
		}
	}
	return b.String()
}

// uses returns the number of reads and writes of a tile.
func (f *footprint) uses() (n int64) {
	for _, t := range f.touches {
		n += t.count()
	}
	return n
}

// loads returns the number of elements read before they are written.
func (f *footprint) loads() (n int64) {
	for _, pl := range f.planes {
		n += pl.first.count()
	}
	return n
}

// stores returns the number of elements written.
func (f *footprint) stores() (n int64) {
	for _, pl := range f.planes {
		n += pl.written.count()
	}
	return n
}

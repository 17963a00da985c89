package lower

import (
	"math"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/pointset"
	"github.com/hexcc/hexcc/schedule"
)

// This file lets a tile use what the tile before it in its block left in shared
// memory. Tiles of a block follow each other along the last space dimension, w
// apart. Of a row of elements in that direction, a full tile after a full tile
// loads only the w elements that are new: [front, front+w), of which the last
// is the last that any row of the array reads. All new rows then start at one
// place, and each thread loads one element of each.

// A stream is how the rows of a plane are loaded tile after tile.
type stream struct {
	all   []pointset.Box // what a full tile loads that does not follow a full tile
	fresh []pointset.Box // what one that does loads
}

// follow returns the array dimension along which tiles of a block follow each
// other, and by how much; -1 if that is not the last dimension that copies run through.
func (ph *code) follow(l layout) (dim int, w int64) {
	last := len(ph.schedule.Phases[ph.number].Space) - 1
	d := ph.schedule.Phases[ph.number].Space[last]
	loop := l.loopedDims()
	if !ph.unroll || !ph.options.Strategy.reuses() || last == 0 || len(loop) == 0 || d.Role != schedule.Seq {
		return -1, 0
	}
	if k := loop[len(loop)-1]; l.space[k] == last && l.mod[k] == 0 {
		return k, d.Stride
	}
	return -1, 0
}

// width returns the size of the buffer along dimension k, along which tiles
// follow each other: that of the box around the tile, as whole warps where
// columns lie modulo that, so that the lanes of a warp hit different banks.
func (ph *code) width(around pointset.Box, k int) int64 {
	w := around.Hi[k] - around.Lo[k] + 1
	if ph.options.Strategy == Static && w >= int64(ph.device.Warp) {
		w = int64(roundUp(int(w), ph.device.Warp))
	}
	return w
}

// stream decides how full tiles load the array of f, if they use what the tile before left.
func (ph *code) stream(f *staged) {
	k, w := ph.follow(f.layout)
	if k < 0 {
		return
	}
	var all []stream
	some := false
	front := f.full.front() - w + 1
	for _, pl := range f.full.planes {
		s := pl.streamOf(w, front)
		all, some = append(all, s), some || len(s.fresh) > 0
	}
	if !some || ph.options.Strategy == Moved && slices.ContainsFunc(all, func(s stream) bool { return s.overlaps(w) }) {
		return
	}
	f.streams, f.apart = all, w
	if ph.options.Strategy == Static {
		f.wrapped, f.width = k, ph.width(f.any.around, k)
	}
}

// loads returns the elements that a full tile copies in; one that follows a full tile, if that matters.
func (f *staged) loads() (n int64) {
	if f.once {
		return 0
	}
	if f.streams == nil {
		return f.full.loads()
	}
	for _, s := range f.streams {
		for _, b := range s.fresh {
			n += b.Count()
		}
	}
	return n
}

// firstLoads returns the elements that a full tile copies in that follows no full tile.
func (f *staged) firstLoads() (n int64) {
	if f.streams == nil {
		return f.loads()
	}
	for _, s := range f.streams {
		if len(s.all) > 0 {
			n += pointset.CellsOf(len(f.loop), s.all).Count()
		}
	}
	return n
}

// copyInStreams returns the copies into full tiles of what they do not find
// there, after the moves of what they find in another place.
func (ph *tiles) copyInStreams() []work {
	var all, fresh, moves []work
	for _, f := range ph.staged {
		for i, s := range f.streams {
			pl := f.full.planes[i]
			shared, global := f.refs(pl)
			c, role := gpu.Copy{To: shared, From: global}, f.role(gpu.CopyIn)
			all = append(all, f.copiesByRow(ph, pl, pointset.CellsOf(len(f.loop), s.all), c, role)...)
			fresh = append(fresh, f.copiesByRow(ph, pl, pointset.CellsOf(len(f.loop), s.fresh), c, role)...)
			if ph.options.Strategy == Moved && len(s.all) > 0 {
				moves = append(moves, f.moves(ph, pl, s.kept())...)
			}
		}
	}
	var parts []work
	if len(moves) > 0 {
		parts = append(parts, ph.afterFull(moves, nil))
	}
	if len(fresh) > 0 {
		parts = append(parts, ph.afterFull(fresh, all))
	}
	return parts
}

// afterFull returns a work that does one thing after a full tile and another after others,
// which is left out where only what is between full tiles is wanted.
func (ph *tiles) afterFull(then, other []work) work {
	var w work
	for _, part := range slices.Concat(then, other) {
		w.effects = append(w.effects, part.effects...)
	}
	w.nodes = func() []gpu.Node {
		n := gpu.If{Cond: ph.after, Then: together(then), Role: gpu.Role{Kind: gpu.AfterFull}}
		if !ph.between {
			n.Else = together(other)
		}
		return []gpu.Node{n}
	}
	return w
}

// moves returns the moves of elements of a plane to where they lie in the tile, from where they lay in the one before. What stays of a row is
// mostly shorter than a warp: where that takes less, and no two lanes want different words of a bank, threads along x take rows in place of columns.
//
//	9 columns of 17 rows       17 instructions, of 9 lanes each, if lanes take columns; 9, of 17 lanes each, if they take rows
func (f *staged) moves(ph *tiles, pl *plane, kept pointset.Cells) []work {
	to, _ := f.refs(pl)
	last := len(f.loop) - 1
	from := substRef(to, map[string]affine.Sum{f.vars[last]: affine.Var(f.vars[last]).Add(f.apart)})
	order := f.inOrder()
	in := func(order []int) []work {
		return f.copiesInOrder(ph, pl, kept, order, gpu.Copy{To: to, From: from}, f.role(gpu.Move))
	}
	parts := in(order)
	if last > 0 && ph.factors == nil {
		order[last-1], order[last] = order[last], order[last-1]
		across := in(order)
		most, _ := ph.toMove(parts)
		if n, free := ph.toMove(across); free && n < most {
			parts = across
		}
	}
	for _, w := range parts {
		read := &w.effects[1]
		read.Box = read.Box.Clone()
		read.Lo[f.loop[last]] += f.apart
		read.Hi[f.loop[last]] += f.apart
		for a := range read.by {
			read.by[a] = sharing{}
		}
	}
	return parts
}

// kept returns what a full tile after a full tile needs and does not load, by plane.
func (s stream) kept() pointset.Cells {
	c := pointset.CellsOf(len(s.all[0].Lo), slices.Concat(s.all, s.fresh))
	for _, b := range s.fresh {
		c.Remove(b)
	}
	return c
}

// overlaps reports whether some row that stays is longer than w, by which it would be moved.
func (s stream) overlaps(w int64) bool {
	long := false
	if len(s.all) > 0 {
		s.kept().EachRowBoxes(len(s.all[0].Lo)-1, func(_ pointset.Box, kept []pointset.Box) {
			long = long || kept[len(kept)-1].Hi[0]-kept[0].Lo[0]+1 > w
		})
	}
	return long
}

// together returns the nodes of copies that run in any order.
func together(parts []work) []gpu.Node {
	var nodes []gpu.Node
	for _, w := range parts {
		for _, n := range w.nodes() {
			nodes = join(nodes, n.(gpu.Threads))
		}
	}
	return nodes
}

// streamOf returns how the rows of pl are loaded where tiles are w apart along
// the last dimension and what is new starts at front. Of a row that needs
// nothing new, what it needs is loaded by the first full tile alone.
func (pl *plane) streamOf(w, front int64) stream {
	var s stream
	if pl.reach.Lo == nil {
		return s
	}
	last := len(pl.reach.Lo) - 1
	kept := pl.first.Union(pl.written)
	pl.first.EachRowBoxes(last, func(row pointset.Box, need []pointset.Box) {
		have := kept.Row(row)
		news := false
		for _, b := range need {
			for x := b.Lo[0]; x <= b.Hi[0] && !news; x++ {
				news = !have(x + w)
			}
		}
		if !news {
			for _, b := range need {
				s.all = append(s.all, row.Times(b))
			}
			return
		}
		from := need[0].Lo[0]
		s.all = append(s.all, row.Times(pointset.Box{Lo: []int64{min(from, front)}, Hi: []int64{front + w - 1}}))
		s.fresh = append(s.fresh, row.Times(pointset.Box{Lo: []int64{front}, Hi: []int64{front + w - 1}}))
	})
	return s
}

// front returns the last element along the last dimension that f reads.
func (f *footprint) front() int64 {
	last := int64(math.MinInt64)
	for _, pl := range f.planes {
		if n := len(pl.reach.Hi); n > 0 {
			last = max(last, pl.reach.Hi[n-1])
		}
	}
	return last
}

package report

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file finds which elements a full tile uses at each step, by running
// through the accesses of its steps. It reads the schedule and the accesses only:
// what the kernels copy is decided and counted elsewhere, and a test compares the two.

// A footprint is the elements of an array that a full tile of a phase uses, in the plane of the array dimensions that follow s0 and s1, through the
// middle of the tile in all others.
type footprint struct {
	array  *scop.Array
	name   string // of the array, and of the phase where there are several
	cells  rect   // s0 as tau, s1 as s; the elements drawn, relative to the tile
	steps  []footstep
	whole  bool // the plane is all of the array: counts are of the whole tile
	region int  // the number of the region
	phase  int
	planes int // of the array that the tile uses
	stores int // elements written at some step, of all planes
}

// loads returns the elements that are read before the tile has written them.
func (fp footprint) loads() (n int) {
	for _, s := range fp.steps {
		n += s.loads
	}
	return n
}

// A footstep is what one step uses.
type footstep struct {
	a       int64
	stmt    *scop.Stmt
	first   mask // read, and never used before: must come from global memory
	again   mask // read, and used by an earlier step
	written mask
	reads   []int64 // the planes of the array that are read, such as 0 for A[t%2]
	writes  []int64
	loads   int // elements in first, of all planes
}

// A mask is a set of cells of a rect, row by row.
type mask struct {
	of rect
	in []bool
}

func newMask(of rect) mask {
	return mask{of, make([]bool, (of.tauHi-of.tauLo+1)*(of.sHi-of.sLo+1))}
}

func (m mask) index(i, j int64) int64 { return (i-m.of.tauLo)*(m.of.sHi-m.of.sLo+1) + j - m.of.sLo }

func (m mask) each(r rect, f func(cell int64)) {
	for i := r.tauLo; i <= r.tauHi; i++ {
		for j := r.sLo; j <= r.sHi; j++ {
			f(m.index(i, j))
		}
	}
}

func (m mask) count() (n int) {
	for _, in := range m.in {
		if in {
			n++
		}
	}
	return n
}

// rects returns rectangles that hold each cell of m once.
func (m mask) rects() (all []rect) {
	open := map[[2]int64]int{} // runs of the row before, by their columns
	for i := m.of.tauLo; i <= m.of.tauHi; i++ {
		next := map[[2]int64]int{}
		for j := m.of.sLo; j <= m.of.sHi; j++ {
			if !m.in[m.index(i, j)] {
				continue
			}
			from := j
			for j < m.of.sHi && m.in[m.index(i, j+1)] {
				j++
			}
			run := [2]int64{from, j}
			if at, ok := open[run]; ok {
				all[at].tauHi = i
				next[run] = at
			} else {
				next[run] = len(all)
				all = append(all, rect{i, i, from, j})
			}
		}
		open = next
	}
	return all
}

// A follower says how the subscripts of an array follow the space dimensions.
type follower struct {
	c     *schedule.Canonical
	array *scop.Array
	dims  []int // by array dimension: the space dimension it follows, -1 for none
}

// followerOf returns how the subscripts of array follow space, or false if they do not all do so alike.
func followerOf(c *schedule.Canonical, array *scop.Array) (follower, bool) {
	f := follower{c: c, array: array}
	for _, st := range c.Scop.Stmts {
		if single(c, st) {
			continue
		}
		for _, acc := range st.Accesses {
			if acc.Array != array {
				continue
			}
			dims, ok := follows(c, st, acc)
			if !ok || f.dims != nil && !slices.Equal(dims, f.dims) {
				return f, false
			}
			f.dims = dims
		}
	}
	return f, f.dims != nil
}

// single reports whether st runs at one place of some dimension, whatever the sizes: full tiles leave it out.
func single(c *schedule.Canonical, st *scop.Stmt) bool {
	return slices.ContainsFunc(c.Places[st.Order], func(at schedule.Place) bool { return at.Iter < 0 })
}

// follows returns the space dimension that each subscript of acc follows.
func follows(c *schedule.Canonical, st *scop.Stmt, acc *scop.Access) (dims []int, ok bool) {
	for _, x := range acc.Index {
		dim := -1
		for i, coef := range x.Iters {
			if i == 0 || coef == 0 {
				continue
			}
			if dim >= 0 || abs(coef) != 1 || x.Mod > 0 || x.Iters[0] != 0 {
				return nil, false
			}
			dim = slices.IndexFunc(c.Places[st.Order], func(at schedule.Place) bool { return at.Iter == i })
		}
		if dim >= 0 && slices.Contains(dims, dim) {
			return nil, false
		}
		dims = append(dims, dim)
	}
	return dims, true
}

// A patch is the elements that an access uses at a step: a box in the space
// dimensions that the array follows, and the plane that its other subscripts give.
type patch struct {
	write  bool
	lo, hi []int64 // by array dimension
	plane  int64   // of all subscripts that follow no space dimension, as one number
}

// patch returns the elements that acc of st uses at step a of tile 0 of a phase, all parameters 0.
func (f follower) patch(s *schedule.Schedule, phase int, a int64, st *scop.Stmt, acc *scop.Access) patch {
	ph := s.Phases[phase]
	t := floorDiv(a-ph.TimeShift-int64(f.c.Levels[st.Order]), int64(f.c.K))
	p := patch{write: acc.Write}
	zero := make([]int64, len(f.c.Scop.Params))
	for k, x := range acc.Index {
		at := value(x.Affine, zero) + x.Iters[0]*t
		lo, hi := at, at
		if dim := f.dims[k]; dim >= 0 {
			place, d := f.c.Places[st.Order][dim], ph.Space[dim]
			shift := value(place.Shift, zero)
			coef := x.Iters[place.Iter] * place.Sign() // element = coef*(s - shift) + at
			lo, hi = coef*(d.Offset+d.Lo[a]-shift)+at, coef*(d.Offset+d.Hi[a]-shift)+at
			lo, hi = min(lo, hi), max(lo, hi)
		} else {
			if x.Mod > 0 {
				at -= x.Mod * floorDiv(at, x.Mod)
			}
			p.plane = p.plane*1024 + at
		}
		p.lo, p.hi = append(p.lo, lo), append(p.hi, hi)
	}
	return p
}

// unusedByTile is why the footprint of an array that a phase does not use is not drawn.
const unusedByTile = "no full tile uses it"

// mostCells is the size of a plane beyond which it is not worked out.
const mostCells = 1 << 20

// tileShapes returns phases of s whose tiles differ in more than their place: one of
// those that are alike.
func tileShapes(s *schedule.Schedule) (phases []int) {
	alike := func(p, q schedule.Phase) bool {
		return slices.EqualFunc(p.Space, q.Space, func(x, y schedule.TileDim) bool { return slices.Equal(x.Lo, y.Lo) && slices.Equal(x.Hi, y.Hi) })
	}
	for i := len(s.Phases) - 1; i >= 0; i-- {
		if !slices.ContainsFunc(phases, func(j int) bool { return alike(s.Phases[i], s.Phases[j]) }) {
			phases = append(phases, i)
		}
	}
	slices.Sort(phases)
	return phases
}

// footprintOf returns what a full tile of a phase of s uses of array, or says why it cannot be drawn.
func footprintOf(s *schedule.Schedule, phase int, array *scop.Array) (fp footprint, why string) {
	f, ok := followerOf(s.Canonical, array)
	if !ok {
		return fp, "its subscripts do not all follow the space loops alike"
	}
	if !slices.ContainsFunc(f.dims, func(dim int) bool { return dim >= 0 }) {
		return fp, "no subscript follows a space loop, so every step uses the same elements"
	}
	var steps []footstep
	var patches [][]patch
	for a := range s.Height {
		for _, st := range s.Canonical.At(int(a) % s.Canonical.K) {
			if single(s.Canonical, st) || slices.ContainsFunc(s.Phases[phase].Space, func(d schedule.TileDim) bool { return d.Lo[a] > d.Hi[a] }) {
				continue
			}
			var ps []patch
			for _, acc := range st.Accesses {
				if acc.Array == array {
					ps = append(ps, f.patch(s, phase, a, st, acc))
				}
			}
			if len(ps) > 0 {
				steps, patches = append(steps, footstep{a: a, stmt: st}), append(patches, ps)
			}
		}
	}
	if len(steps) == 0 {
		return fp, unusedByTile
	}
	fp = footprint{array: array, steps: steps, whole: f.whole(), phase: phase, region: s.Canonical.Scop.Region.Index}
	return fp, fp.run(f, patches)
}

// whole reports whether no array dimension follows a space dimension beyond s1.
func (f follower) whole() bool {
	return !slices.ContainsFunc(f.dims, func(dim int) bool { return dim > 1 })
}

// run fills in the masks of the steps.
func (fp *footprint) run(f follower, patches [][]patch) (why string) {
	middle := patches[len(patches)/2][0]
	through := func(p patch) bool { // the plane through the middle
		for k, dim := range f.dims {
			if m := (middle.lo[k] + middle.hi[k]) / 2; dim > 1 && (m < p.lo[k] || p.hi[k] < m) {
				return false
			}
		}
		return true
	}
	cell := func(p patch) rect {
		r := rect{0, 0, 0, 0}
		for k, dim := range f.dims {
			switch dim {
			case 0:
				r.tauLo, r.tauHi = p.lo[k], p.hi[k]
			case 1:
				r.sLo, r.sHi = p.lo[k], p.hi[k]
			}
		}
		return r
	}
	fp.cells = rect{0, -1, 0, -1}
	for _, ps := range patches {
		for _, p := range ps {
			fp.cells = fp.cells.join(cell(p))
		}
	}
	if n := (fp.cells.tauHi - fp.cells.tauLo + 1) * (fp.cells.sHi - fp.cells.sLo + 1); n > mostCells {
		return fmt.Sprintf("a tile uses %d of its elements in one plane, too many to draw", n)
	}
	used, stored := map[int64]mask{}, map[int64]mask{} // by plane of the array
	for _, ps := range patches {
		for _, p := range ps {
			used[p.plane], stored[p.plane] = newMask(fp.cells), newMask(fp.cells)
		}
	}
	fp.planes = len(used)
	for i, ps := range patches {
		step := &fp.steps[i]
		step.first, step.again, step.written = newMask(fp.cells), newMask(fp.cells), newMask(fp.cells)
		fresh := map[int64]mask{}
		for j, p := range ps {
			if p.write {
				step.writes = with(step.writes, p.plane)
			} else {
				step.reads = with(step.reads, p.plane)
			}
			if !through(p) {
				continue
			}
			switch {
			case p.write:
				once := stored[p.plane]
				step.written.each(cell(p), func(c int64) { step.written.in[c], once.in[c] = true, true })
			case !slices.ContainsFunc(ps[:j], p.sameElements): // else it reads what it has just written
				known := used[p.plane]
				if _, ok := fresh[p.plane]; !ok {
					fresh[p.plane] = newMask(fp.cells)
				}
				now := fresh[p.plane]
				known.each(cell(p), func(c int64) {
					if known.in[c] {
						step.again.in[c] = true
						return
					}
					step.first.in[c], now.in[c] = true, true
				})
			}
		}
		for _, p := range ps {
			if through(p) {
				known := used[p.plane]
				known.each(cell(p), func(c int64) { known.in[c] = true })
			}
		}
		for _, m := range fresh {
			step.loads += m.count()
		}
		for c, in := range step.first.in { // of several planes one is new
			step.again.in[c] = step.again.in[c] && !in
		}
	}
	for _, m := range stored {
		fp.stores += m.count()
	}
	return ""
}

// sameElements reports whether q writes the elements of p.
func (p patch) sameElements(q patch) bool {
	return q.write && q.plane == p.plane && slices.Equal(q.lo, p.lo) && slices.Equal(q.hi, p.hi)
}

func with[T comparable](xs []T, x T) []T {
	if slices.Contains(xs, x) {
		return xs
	}
	return append(xs, x)
}

package model

import (
	"errors"
	"math"
	"slices"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file chooses boxes that overlap for a CPU. What nests hand on to each other stays in buffers of a tile, so that memory sees what the first of them
// read and the last of them write, once. Narrow tiles compute much of what tiles beside them compute, too; of wide ones the second level does not hold
// the buffers, and what nests read again of arrays. Rows are as long as that allows, as each start of one takes time.

// A Buffered is boxes that overlap, and what a point of them takes by the model.
type Buffered struct {
	Sizes    schedule.Sizes
	PerPoint float64         // weight of an instance, as that of other tiles for CPUs
	Tiles    int64           // that may run at once
	Again    float64         // instances that run, for each that there is
	Bytes    float64         // what a tile has in use
	Groups   schedule.Groups // phases of an iteration; nil: it is one
	parts    parts           // of PerPoint, less what cores wait for each other
}

// waiting returns what of the time of a point cores wait for each other.
func (b Buffered) waiting() float64 {
	return b.PerPoint - b.parts.work - b.parts.again - b.parts.rows - b.parts.bytes
}

// BuffersOf returns nil where tiles that overlap can run on a CPU. The error is a *ConflictError or a *cpu.BufferError.
func BuffersOf(tiles *schedule.Schedule) error {
	if d, found := tiles.Conflict(); found {
		return &ConflictError{d}
	}
	_, err := cpu.Buffers(tiles, astgen.NamesOf(tiles))
	return err
}

// Overlapping returns the sizes of boxes that overlap, in groups that are phases, that take the least time by the model, on a grid of typical sizes. The error, a diag.List, says that boxes would
// grow with a parameter, or what is wrong with the typical sizes; or it is a *ConflictError or a *cpu.BufferError: tiles cannot run so.
func (k Caches) Overlapping(c *schedule.Canonical, deps []schedule.Dependence, groups schedule.Groups, typical Typical) (best Buffered, err error) {
	w, one, err := k.overlappingOf(c, deps, groups, typical)
	if err != nil {
		return best, err
	}
	best.PerPoint = math.Inf(1)
	for _, widths := range w.widths() {
		if e := w.all(one.Phases, widths); e.PerPoint < best.PerPoint {
			best = e
		}
	}
	best.Groups = groups
	tiles, err := schedule.NewOverlap(c, deps).In(groups).Threads().Tiles(best.Sizes)
	return best, errors.Join(err, BuffersOf(tiles))
}

// overlappingOf returns what weighs boxes that overlap, and tiles that own one point.
func (k Caches) overlappingOf(c *schedule.Canonical, deps []schedule.Dependence, groups schedule.Groups, typical Typical) (w overlapping, one *schedule.Schedule, err error) {
	grid, err := NewGrid(c, typical)
	if err != nil {
		return w, nil, err
	}
	narrow := slices.Repeat([]int64{1}, len(c.Space))
	if c.Ways != nil {
		narrow[0] = c.Column.Points
	}
	one, err = schedule.NewOverlap(c, deps).In(groups).Tiles(schedule.Sizes{H: 1, W: narrow})
	if err != nil {
		return w, nil, err
	}
	if err := BuffersOf(one); err != nil {
		return w, nil, err
	}
	w = overlapping{cpu: k, c: c, grid: grid, temporaries: one.Temporaries, narrow: narrow}
	w.apart, _ = one.Apart()
	for _, st := range c.Scop.Stmts {
		w.rows = append(w.rows, touched(rowsOf(c, st)))
	}
	return w, one, nil
}

// overlapping weighs boxes that overlap.
type overlapping struct {
	cpu         Caches
	c           *schedule.Canonical
	grid        Grid
	temporaries []*scop.Array
	apart       int       // a dimension along which tiles do not overlap, or the first
	narrow      []int64   // the least widths, of which the boxes of phases are known
	rows        []float64 // that a row of points touches, by statement
}

// held returns the share of so many bytes that the second level holds.
func (w overlapping) held(bytes float64) float64 {
	return min(1, heldShare*float64(w.cpu.Cache)/max(1, bytes))
}

// alone returns what a point of st takes more in a box of so many rows than where all rows run side by side with others: those that are left of groups load by
// themselves what they would share.
func (w overlapping) alone(st *scop.Stmt, rows float64) float64 {
	n, alone, beside := cpu.Beside(w.c, st)
	left := math.Mod(rows, float64(n)) / max(1, rows)
	return left * float64(alone-beside) / float64(n) * firstLoad
}

// widths returns those to try: powers of two, and in the last dimension whole rows of the grid, too.
func (w overlapping) widths() [][]int64 {
	dims := len(w.c.Space)
	var lists [][]int64
	for p := range dims {
		if w.c.Ways != nil && p == 0 {
			lists = append(lists, w.narrow[:1])
			continue
		}
		whole := w.whole(p)
		var ws []int64
		for n := int64(1); n < whole && n <= 4096; n *= 2 {
			ws = append(ws, n)
		}
		if lo := w.grid.Space[p].Lo; lo > 0 { // tiles begin at 0
			whole += lo
		}
		lists = append(lists, append(ws, min(whole, 4096)))
	}
	return product(lists)
}

// parallel returns the dimension along which threads share out tiles.
func (w overlapping) parallel() int {
	if w.c.Ways != nil { // of the first, a tile holds all
		return 1
	}
	return w.apart
}

// whole returns the points of the grid in a dimension.
func (w overlapping) whole(p int) int64 {
	return max(1, w.grid.Space[p].Hi-w.grid.Space[p].Lo+1)
}

// all returns what a point takes in tiles of such widths, where phases are of tiles that own one point: the sum of what it takes in each phase.
func (w overlapping) all(phases []schedule.Phase, widths []int64) Buffered {
	sum := w.weigh(w.wider(phases[0], widths), widths)
	for _, ph := range phases[1:] {
		e := w.weigh(w.wider(ph, widths), widths)
		sum.PerPoint, sum.Again, sum.Bytes = sum.PerPoint+e.PerPoint, sum.Again+e.Again, max(sum.Bytes, e.Bytes)
		sum.parts = sum.parts.plus(e.parts)
	}
	return sum
}

// wider returns the extents of the boxes of each statement that runs in a phase, of tiles of such widths, where ph are tiles that own one point: a box grows with
// what is owned.
func (w overlapping) wider(ph schedule.Phase, widths []int64) (extents [][]float64) {
	for _, st := range w.c.Scop.Stmts {
		if !ph.Runs(st) {
			extents = append(extents, nil)
			continue
		}
		box := ph.Box(st, int64(w.c.Levels[st.Order]))
		var e []float64
		for p, width := range widths {
			e = append(e, float64(min(box.Hi[p]-box.Lo[p]+1+width-w.narrow[p], w.whole(p))))
		}
		extents = append(extents, e)
	}
	return extents
}

// weigh returns what a point takes in tiles whose statements have boxes of such extents; nil: they do not run there.
func (w overlapping) weigh(extents [][]float64, widths []int64) Buffered {
	c, last := w.c, len(widths)-1
	owned, parallel := 1.0, math.Ceil(float64(w.whole(w.parallel()))/float64(widths[w.parallel()]))
	for p, n := range widths {
		owned *= float64(min(n, w.whole(p)))
	}
	e := Buffered{Sizes: schedule.Sizes{H: 1, W: slices.Clone(widths)}}
	time, points := 0.0, 0.0
	around := map[*scop.Array]float64{} // the elements of each array that a tile touches
	for _, st := range c.Scop.Stmts {
		if extents[st.Order] == nil {
			continue
		}
		box := 1.0
		for _, n := range extents[st.Order] {
			box *= n
		}
		points += box
		start := (rowStart + w.rows[st.Order]*rowTouched) / extents[st.Order][last]
		if last > 0 {
			start += w.alone(st, extents[st.Order][last-1])
		}
		time += box * (pointWork + start)
		e.parts.work += min(box, owned) * pointWork
		e.parts.again += max(0, box-owned) * pointWork
		e.parts.rows += box * start
		for _, a := range st.Accesses {
			around[a.Array] = max(around[a.Array], box)
		}
	}
	again := points / (owned * float64(len(c.Scop.Stmts)))
	moved := 0.0
	for a, cells := range around {
		bytes := cells * float64(a.Elem.Size())
		e.Bytes += bytes
		if !slices.Contains(w.temporaries, a) {
			moved += bytes
		}
	}
	time += moved * w.cpu.all(c, w.grid)
	ran := len(slices.DeleteFunc(slices.Clone(extents), func(e []float64) bool { return e == nil }))
	time += (1 - w.held(e.Bytes)) * e.Bytes * lastByte * float64(ran)
	idle, instances := w.cpu.idle(parallel), owned*float64(len(c.Scop.Stmts))
	e.PerPoint, e.Again, e.Tiles = time*idle/instances, again, int64(parallel)
	e.parts.bytes = time - e.parts.work - e.parts.again - e.parts.rows
	e.parts = e.parts.over(instances)
	return e
}

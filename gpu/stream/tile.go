package stream

import (
	"fmt"

	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file says what a full tile needs and leaves, step by step, in local coordinates: which columns of a row of results its later steps
// read, which of these it does not compute itself, so that they enter from global memory, and which of its results instances of other tiles
// read, so that they leave to it. Rows of steps before the first are read and not computed: all of them enters.

// An interval is the columns lo to hi, none if lo > hi.
type interval struct{ lo, hi int64 }

var none = interval{1, 0}

func (x interval) empty() bool { return x.lo > x.hi }

func (x interval) width() int64 { return max(0, x.hi-x.lo+1) }

// hull returns the least interval that holds x and y.
func (x interval) hull(y interval) interval {
	switch {
	case x.empty():
		return y
	case y.empty():
		return x
	}
	return interval{min(x.lo, y.lo), max(x.hi, y.hi)}
}

// A use is the reading of a row by a later step.
type use struct {
	step   int64 // that reads
	stmt   *scop.Stmt
	access int   // by stmt.Accesses
	shift  int   // column c reads column c + shift
	age    int64 // of the row: 0 is the newest when the step runs
	back   int64 // line r reads line r - back
}

// A row is the results of a step in a field, or, of a step before the first one, what is read of them.
type row struct {
	*field
	step   int64
	offset int64    // of the tile S at a place along a chain it is row S + offset
	base   int64    // its line 0 lies so far from the first of the strip
	own    interval // that the tile computes
	need   interval // that later steps of the tile read
	uses   []use    // by later steps of the tile
	enter  [2]int64 // how many columns enter at the left and the right of own
	leave  [2]int64 // how many of own at its left and right side leave
	whole  bool     // all of own leaves
	// halo is how many lines before its first one the tile reads; the strip behind reads as many of its last ones.
	halo int64
}

// A tile is the rows of steps -Before to Height-1.
type tile struct {
	*flow
	height int64
	before int64    // how many steps before the first one are read
	depth  int64    // how many rows of one step are in use at once
	lines  int64    // of a row, that a warp holds; 1 in two dimensions
	steps  [][]*row // from step -before on, by number of the field
}

// at returns the rows of a step.
func (t *tile) at(step int64) []*row { return t.steps[step+t.before] }

// stmts returns what runs at a step.
func (t *tile) stmts(step int64) (all []*scop.Stmt) {
	for _, st := range t.space.Scop.Stmts {
		if t.space.Levels[st.Order] == t.levelOf(step) {
			all = append(all, st)
		}
	}
	return all
}

func (t *tile) levelOf(step int64) int {
	k := int64(len(t.levels))
	return int(((step % k) + k) % k)
}

// tileOf returns the tile of the phases of s. why says what cannot be streamed.
func tileOf(f *flow, s *schedule.Schedule, shape Shape) (t *tile, why string) {
	t = &tile{flow: f, height: s.Height, lines: 1}
	first := s.Phases[0].Space
	hex, classical := first[0], first[f.streamed()]
	if f.lined() {
		t.lines = int64(shape.Lines)
		if first[1].Stride != shape.strip() {
			return nil, fmt.Sprintf("strips have %d lines, and %d warps of %d hold %d", first[1].Stride, shape.across(), shape.Lines, shape.strip())
		}
	}
	for _, x := range first[1:] {
		if f.lined() && x.Role != schedule.Seq {
			return nil, "no value travels along one of the dimensions, so that blocks have its points each for itself"
		}
	}
	for _, ph := range s.Phases {
		for a := range s.Height {
			for d, x := range ph.Space {
				if y := first[d]; x.Lo[a] != y.Lo[a] || x.Hi[a] != y.Hi[a] || d > 0 && (x.Offset != y.Offset || x.Drift != 0) {
					return nil, "the tiles of its phases differ"
				}
				if d > 0 && x.Hi[a]-x.Lo[a]+1 != x.Stride || d == f.streamed() && x.Stride != 1 {
					return nil, "its classical tiles are not one row wide"
				}
			}
			if x := ph.Space[0]; x.Lo[a] > x.Hi[a] {
				return nil, "some steps of its hexagons are empty"
			}
		}
	}
	for _, all := range f.sources {
		for _, src := range all {
			t.before = max(t.before, src.steps)
		}
	}
	for a := -t.before; a < t.height; a++ {
		var rows []*row
		for _, x := range t.levels[t.levelOf(a)] {
			r := &row{field: x, step: a, own: none, need: none}
			if a >= 0 {
				r.offset, r.own = classical.Lo[a], interval{hex.Lo[a], hex.Hi[a]}
				if f.lined() {
					r.base = first[1].Lo[a]
				}
			}
			rows = append(rows, r)
		}
		t.steps = append(t.steps, rows)
	}
	t.use()
	if why := t.ages(); why != "" {
		return nil, why
	}
	if f.lined() {
		if why := t.backs(); why != "" {
			return nil, why
		}
	}
	for _, rows := range t.steps {
		for _, r := range rows {
			if why := r.edges(t); why != "" {
				return nil, why
			}
		}
	}
	return t, ""
}

// use finds which rows steps of the tile read.
func (t *tile) use() {
	for a := range t.height {
		for _, st := range t.stmts(a) {
			own := t.at(a)[0].own
			for _, src := range t.sources[st.Order] {
				if src.field == nil {
					continue
				}
				r := t.at(a - src.steps)[src.field.number]
				shift := -src.apart[0]
				u := use{step: a, stmt: st, access: src.access, shift: int(shift), age: src.apart[t.streamed()]}
				if t.lined() {
					u.back = src.apart[1]
				}
				r.uses = append(r.uses, u)
				r.need = r.need.hull(interval{own.lo + shift, own.hi + shift})
			}
		}
	}
}

// ages finds how old rows are when they are read, and where the rows of steps before the first one are.
func (t *tile) ages() (why string) {
	for _, rows := range t.steps {
		for _, r := range rows {
			for k, u := range r.uses { // age is the distance of rows so far
				at := t.at(u.step)[0].offset - u.age
				if r.step < 0 && (k == 0 || at > r.offset) {
					r.offset = at
				}
			}
			for k, u := range r.uses {
				r.uses[k].age = r.offset - t.at(u.step)[0].offset + u.age
				if r.uses[k].age < 0 {
					return fmt.Sprintf("step %d reads a row of step %d that is not computed yet", u.step, r.step)
				}
				t.depth = max(t.depth, r.uses[k].age+1)
			}
		}
	}
	return ""
}

// backs finds from how many lines before theirs steps read, as ages does along the streamed dimension.
func (t *tile) backs() (why string) {
	for _, rows := range t.steps {
		for _, r := range rows {
			for k, u := range r.uses { // back is the distance of lines so far
				at := t.at(u.step)[0].base - u.back
				if r.step < 0 && (k == 0 || at > r.base) {
					r.base = at
				}
			}
			for k, u := range r.uses {
				back := r.base - t.at(u.step)[0].base + u.back
				if back < 0 {
					return fmt.Sprintf("step %d reads a line of step %d that the strip behind computes", u.step, r.step)
				}
				r.uses[k].back, r.halo = back, max(r.halo, back)
			}
			if r.halo > t.lines {
				return fmt.Sprintf("step %d reads %d lines before those of a warp, and warps have %d", r.step, r.halo, t.lines)
			}
		}
	}
	return ""
}

// of returns which uses of r are those of one of its lines; lines before the first one are negative.
func (t *tile) of(r *row, line int64) (uses []use) {
	for _, u := range r.uses {
		if by := line + u.back; 0 <= by && by < t.lines {
			uses = append(uses, u)
		}
	}
	return uses
}

// edges finds which columns of r enter and leave.
func (r *row) edges(t *tile) (why string) {
	if r.step < 0 {
		return ""
	}
	if !r.need.empty() {
		r.enter = [2]int64{max(0, r.own.lo-r.need.lo), max(0, r.need.hi-r.own.hi)}
	}
	for _, st := range t.space.Scop.Stmts {
		for _, src := range t.sources[st.Order] {
			if src.field != r.field {
				continue
			}
			by := r.step + src.steps
			if by >= t.height {
				r.whole = true
				continue
			}
			own, shift := t.at(by)[0].own, -src.apart[0]
			r.leave[0] = max(r.leave[0], own.lo+shift-r.own.lo)
			r.leave[1] = max(r.leave[1], r.own.hi-own.hi-shift)
		}
	}
	if !r.whole && r.leave[0]+r.leave[1] >= r.own.width() {
		return fmt.Sprintf("all of step %d leaves, in the midst of the tile: it is too narrow", r.step)
	}
	return ""
}

package lower

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu/pointset"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A layout says where the elements of an array lie in the canonical space.
// Each subscript of each access is, on its domain,
//
//	s_p + offset + params            where space[k] = p >= 0
//	time·t + offset + params         where space[k] < 0
//
// modulo mod if mod > 0, with offset a number that depends on the access and
// all else the same for all accesses. Relative to a tile, element x of
// dimension k has index base_k + x: see launch.base.
type layout struct {
	array   *scop.Array // or a view of it
	whole   *scop.Array // the array
	space   []int       // no two the same, but for -1
	down    []bool      // the subscript is the negative of the above
	time    []int64
	params  []affine.Sum
	mod     []int64
	offsets map[*scop.Access][]int64
	write   bool // some access writes
	// again are reads of what an earlier read of the same statement reads, with no write of the array between them,
	// and as is the number of such reads for the earlier one.
	again map[*scop.Access]bool
	as    map[*scop.Access]int64
}

// layouts are those of all arrays of a program, in canonical coordinates: they
// hold for all tile sizes.
type layouts struct {
	of   map[*scop.Array]layout
	none map[*scop.Array]string // why an array has no layout
	views
	pads *sync.Map // what padded found, less the first dimension, by what it depends on
}

func layoutsOf(c *schedule.Canonical) layouts {
	ls := layouts{map[*scop.Array]layout{}, map[*scop.Array]string{}, viewsOf(c), &sync.Map{}}
	for _, view := range ls.all {
		if l, why := ls.layoutOf(c, view); why == "" {
			ls.of[view] = l
		} else {
			ls.none[view] = why
		}
	}
	return ls
}

// unused is why an array that no statement uses has no layout.
const unused = "no statement uses it"

// layoutOf returns the layout of array or view, or why it has none.
func (v views) layoutOf(c *schedule.Canonical, array *scop.Array) (layout, string) {
	l := layout{array: array, whole: v.array(array), offsets: map[*scop.Access][]int64{}}
	subs, why := v.subscripts(c, array)
	if why != "" {
		return l, why
	}
	for i, s := range subs {
		if i < len(array.Extents) {
			l.space, l.time, l.down = append(l.space, s.space), append(l.time, s.time), append(l.down, s.down)
			l.params, l.mod = append(l.params, s.params), append(l.mod, s.access.Index[s.dim].Mod)
		}
		k := s.dim
		if s.space != l.space[k] || s.time != l.time[k] || !s.params.Equal(l.params[k]) || s.access.Index[k].Mod != l.mod[k] {
			return l, fmt.Sprintf("subscript %d of %s is no constant away from that of %s", k, s.access.Text, subs[0].access.Text)
		}
		l.offsets[s.access] = append(l.offsets[s.access], s.offset)
		l.write = l.write || s.access.Write
	}
	for k, p := range l.space {
		if p >= 0 && (l.mod[k] > 0 || slices.Contains(l.space[:k], p)) {
			return l, fmt.Sprintf("subscript %d has a modulus or follows the loop of another", k)
		}
	}
	l.again, l.as = v.repeated(c.Scop, l)
	return l, ""
}

// repeated returns again and as of l.
func (v views) repeated(p *scop.Program, l layout) (again map[*scop.Access]bool, as map[*scop.Access]int64) {
	again, as = map[*scop.Access]bool{}, map[*scop.Access]int64{}
	var key []byte
	for _, st := range p.Stmts {
		first := map[string]*scop.Access{}
		for _, acc := range st.Accesses {
			if v.view(acc) != l.array {
				continue
			}
			if acc.Write {
				clear(first)
				continue
			}
			key = key[:0]
			for _, x := range l.offsets[acc] {
				key = binary.AppendVarint(key, x)
			}
			if earlier := first[string(key)]; earlier != nil {
				again[acc] = true
				as[earlier]++
			} else {
				first[string(key)] = acc
			}
		}
	}
	return again, as
}

// A subscript is one of an access in canonical coordinates.
type subscript struct {
	stmt   *scop.Stmt
	access *scop.Access
	dim    int
	space  int // -1: none
	time   int64
	params affine.Sum
	offset int64
	down   bool // it is the negative of these
}

// subscripts returns the subscripts of all accesses to array, or says which does not fit a layout.
func (v views) subscripts(c *schedule.Canonical, array *scop.Array) (subs []subscript, why string) {
	for _, st := range c.Scop.Stmts {
		for _, acc := range st.Accesses {
			for k := range acc.Index {
				if v.view(acc) != array {
					continue
				}
				s, ok := newSubscript(c, st, acc, k, v.of[array] != nil && falling(c, st, acc)[k])
				if !ok {
					return nil, fmt.Sprintf("subscript %d of %s is not one loop variable plus a constant", k, acc.Text)
				}
				subs = append(subs, s)
			}
		}
	}
	if len(subs) == 0 {
		return nil, unused
	}
	first := map[int]int{} // by dimension: the first that follows a loop
	for i, s := range subs {
		if _, ok := first[s.dim]; !ok && s.space >= 0 {
			first[s.dim] = i
		}
	}
	for i, s := range subs {
		at, ok := first[s.dim]
		if !ok || s.space >= 0 {
			continue
		}
		o := subs[at]
		if subs[i] = s.onPlane(c, o.space); subs[i].space < 0 {
			return nil, fmt.Sprintf("subscript %d of %s does not follow the loop that it follows in %s", s.dim, s.access.Text, o.access.Text)
		}
		first[s.dim] = min(at, i)
	}
	return subs, ""
}

// newSubscript solves subscript k of acc, or its negative, for canonical coordinates; ok is false if it is no sum that a layout takes.
func newSubscript(c *schedule.Canonical, st *scop.Stmt, acc *scop.Access, k int, down bool) (s subscript, ok bool) {
	ix, sign := acc.Index[k], int64(1)
	if down {
		sign = -1
	}
	s = subscript{stmt: st, access: acc, dim: k, space: -1, params: c.Scop.Sum(scop.Affine{Params: ix.Params}, nil).Times(sign), offset: sign * ix.Const, down: down}
	for i, coef := range ix.Iters {
		coef *= sign
		switch {
		case coef == 0:
		case i == 0:
			s.time = coef
		case s.space >= 0 || s.time != 0:
			return s, false
		default:
			places := c.Places[st.Order]
			s.space = slices.IndexFunc(places, func(p schedule.Place) bool { return p.Iter == i })
			if s.space < 0 || places[s.space].Sign() != coef {
				return s, false
			}
			s = s.plus(c, places[s.space].Shift, -1)
		}
	}
	return s, true
}

// plus returns s + sign·shift.
func (s subscript) plus(c *schedule.Canonical, shift scop.Affine, sign int64) subscript {
	x := c.Scop.Sum(shift, nil).Times(sign)
	s.offset += x.Const
	s.params = s.params.Plus(x.Add(-x.Const))
	return s
}

// onPlane returns s, which follows no space dimension, as one that follows p:
// where its nest runs at s_p = Shift only, s_p - Shift adds nothing. Elsewhere it returns s.
func (s subscript) onPlane(c *schedule.Canonical, p int) subscript {
	place := c.Places[s.stmt.Order][p]
	if place.Iter >= 0 || s.time != 0 {
		return s
	}
	s.space = p
	return s.plus(c, place.Shift, -1)
}

// looped reports whether copies run through dimension k with a loop: where x
// follows a coordinate, or is one of several numbers in an array that is only read.
func (l layout) looped(k int) bool {
	return l.space[k] >= 0 || !l.write && l.mod[k] == 0
}

// loopedDims returns the array dimensions that copies run through with loops.
func (l layout) loopedDims() []int {
	var dims []int
	for k := range l.space {
		if l.looped(k) {
			dims = append(dims, k)
		}
	}
	return dims
}

// base returns the index of element x = 0 of each dimension in a tile.
func (ph *launch) base(l layout) []affine.Sum {
	s, n := ph.schedule, ph.names
	base := make([]affine.Sum, len(l.space))
	for k, p := range l.space {
		x := l.params[k]
		if p >= 0 {
			d := s.Phases[ph.number].Space[p]
			x = x.Plus(affine.Var(n.Tiles[p]).Times(d.Stride)).Plus(affine.Var(n.T).Times(d.Drift)).Add(d.Offset)
		} else if c := l.time[k] * (s.Height / int64(s.Canonical.K)); c != 0 {
			x = x.Plus(affine.Var(n.T).Times(c))
		}
		base[k] = x
	}
	return base
}

// A touch is the elements x of an array that an access of a slice uses, as a
// box that is one point in dimensions that follow no coordinate.
type touch struct {
	slice  int // index in the slices of the phase
	access *scop.Access
	offset []int64 // x - b_p, or x
	pointset.Box
	owned pointset.Box // of these, those that instances use which the tile owns
	times int64        // how often: other reads of the same elements are left out
}

// touchesOf returns what the accesses of slice number i use, in the order they run, equal reads once.
func (ph *launch) touchesOf(l layout, i int, s astgen.Slice) []touch {
	t := ph.timeOf(s)
	ts := make([]touch, 0, len(s.Stmt.Accesses))
	for _, acc := range s.Stmt.Accesses {
		if ph.view(acc) == l.array && !l.again[acc] {
			ts = append(ts, l.touch(i, s, acc, t))
		}
	}
	return ts
}

// touchAt returns what acc uses at s.
func (ph *launch) touchAt(l layout, s astgen.Slice, acc *scop.Access) touch {
	return l.touch(-1, s, acc, ph.timeOf(s))
}

// timeOf returns the value of the time iterator at s less (Height/K)·T.
func (ph *launch) timeOf(s astgen.Slice) int64 {
	return (s.A - ph.schedule.Phases[ph.number].TimeShift - int64(ph.schedule.Canonical.Levels[s.Stmt.Order])) / int64(ph.schedule.Canonical.K) // exact
}

// touch returns what acc uses at the points of s, whose time is t relative to the tile.
func (l layout) touch(i int, s astgen.Slice, acc *scop.Access, t int64) touch {
	n := len(l.space)
	all := make([]int64, 3*n)
	x := touch{slice: i, access: acc, offset: all[:n:n], Box: pointset.Box{Lo: all[n : 2*n : 2*n], Hi: all[2*n:]}, times: 1 + l.as[acc]}
	for k, p := range l.space {
		off := l.at(k, l.offsets[acc][k], t)
		x.offset[k], x.Lo[k], x.Hi[k] = off, off, off
		if p >= 0 {
			x.Lo[k], x.Hi[k] = off+s.Lo[p], off+s.Hi[p]
		}
	}
	if x.owned = x.Box; s.PartlyOwned() {
		x.owned = x.Box.Clone()
		for k, p := range l.space {
			if p >= 0 {
				x.owned.Lo[k], x.owned.Hi[k] = x.offset[k]+s.Owned.Lo[p], x.offset[k]+s.Owned.Hi[p]
			}
		}
	}
	return x
}

// at returns x, or x - b_p, of dimension k where the time is t relative to the tile.
func (l layout) at(k int, offset, t int64) int64 {
	x := offset + l.time[k]*t
	if m := l.mod[k]; m > 0 {
		return ((x % m) + m) % m
	}
	return x
}

// instanceRows returns rows that hold where an instance of s uses element x by
// t: the coordinates of the instance, solved from x, lie in the box and make the
// rows of the domain >= 0. A coordinate that neither an element nor its nest
// fixes is left out, with the rows in it: see solvable.
func (ph *launch) instanceRows(l layout, s astgen.Slice, t touch, x []affine.Sum) []affine.Sum {
	by := map[string]affine.Sum{}
	for k, p := range l.space {
		if p >= 0 {
			by[ph.names.Points[p]] = x[k].Add(-t.offset[k])
		}
	}
	places := ph.schedule.Canonical.Places[s.Stmt.Order]
	for p, b := range ph.names.Points {
		if _, ok := by[b]; !ok && places[p].Iter < 0 { // s_p = Shift
			by[b] = ph.scop.Sum(places[p].Shift, nil).Minus(s.Space[p].Without(b))
		}
	}
	var rows []affine.Sum
	for p, b := range ph.names.Points {
		if at, ok := by[b]; ok {
			rows = append(rows, at.Add(-s.Lo[p]), at.Times(-1).Add(s.Hi[p]))
		}
	}
	for _, r := range s.Rows {
		if !slices.ContainsFunc(ph.names.Points, func(b string) bool { _, ok := by[b]; return !ok && r.Coef(b) != 0 }) {
			rows = append(rows, r.Subst(by))
		}
	}
	return simplest(rows)
}

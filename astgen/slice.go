package astgen

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// Names are the variables of the generated loops. None is a name of the region.
type Names struct {
	T      string   // time tile
	Step   string   // the iteration of the time loop in a tile, where steps are a loop; else ""
	Tiles  []string // S0, S1, ..: tile index of each space dimension
	Points []string // b0, b1, ..: local coordinate of each space dimension
	// Where tiles and points run in fronts: the front of tiles, the wave of points, and y0, y1, ..: local coordinates that lean as the tile does; else "" and nil.
	Front, Wave string
	Lean        []string
	Plane       string // the position of a tile that streams; else ""
	Turn        string // the place along columns at which points run, up or down, where tiles hold whole columns; else ""
}

// A Slice is what a statement runs of a tile at one step, as rows over the
// variables of Names and the parameters: an instance of Stmt for each point
// Lo <= b <= Hi that makes all Rows >= 0. Lo > Hi somewhere: there is none.
type Slice struct {
	Phase  int
	A      int64
	Stmt   *scop.Stmt
	Lo, Hi []int64
	Owned  schedule.Box // of the points from Lo to Hi, those whose results the tile stores: all, unless tiles overlap
	Space  []affine.Sum // the coordinates s0, s1, .. of a point
	Iters  []affine.Sum // the value of each iterator of Stmt
	Rows   []affine.Sum // the bounds of Stmt, then two for each s_p = Shift of a nest of lower depth
	Whole  []affine.Sum // where one is negative at a point, the tile is not full: scop.Stmt.Whole
	// Ordered: points run behind those that are no further in any dimension. Else any order will do.
	Ordered bool
	// Way: in which order points run along the first dimension, on which none depends on those at other places along the others.
	Way schedule.Way
}

// Fixed returns the rows of s that are 0 at all of its points: those that it has with both signs, in their order.
func (s Slice) Fixed() (rows []affine.Sum) {
	for i, r := range s.Rows {
		if slices.ContainsFunc(s.Rows[i+1:], r.Times(-1).Equal) {
			rows = append(rows, r)
		}
	}
	return rows
}

// PartlyOwned reports whether the tile runs instances of s whose results another one stores.
func (s Slice) PartlyOwned() bool {
	return !slices.Equal(s.Lo, s.Owned.Lo) || !slices.Equal(s.Hi, s.Owned.Hi)
}

// Empty reports whether no point of the plane lies in the slice.
func (s Slice) Empty() bool {
	for i := range s.Lo {
		if s.Lo[i] > s.Hi[i] {
			return true
		}
	}
	return false
}

// Slices returns the slices of the tiles of a phase, step by step and in a step in source order, empty ones left out.
func Slices(s *schedule.Schedule, n Names, phase int) []Slice {
	var all []Slice
	for a := range s.Height {
		for _, st := range s.Canonical.At(int(a) % s.Canonical.K) {
			if at := sliceAt(s, n, phase, a, st); !at.Empty() {
				all = append(all, at)
			}
		}
	}
	return all
}

// owned returns slices less the points whose results other tiles store.
func owned(all []Slice) []Slice {
	own := slices.Clone(all)
	for i := range own {
		own[i].Lo, own[i].Hi = own[i].Owned.Lo, own[i].Owned.Hi
	}
	return own
}

// Ends returns the slices of the first and the last step of each statement in the tiles of a phase whose rows move by as much from each step to the next.
func Ends(s *schedule.Schedule, n Names, phase int) []Slice {
	var all []Slice
	for _, st := range s.Canonical.Scop.Stmts {
		level, k := int64(s.Canonical.Levels[st.Order]), int64(s.Canonical.K)
		all = append(all, sliceAt(s, n, phase, level, st), sliceAt(s, n, phase, s.Height-k+level, st))
	}
	return all
}

// inOrder orders slices by step, then by source.
func inOrder(x, y Slice) int { return cmp.Or(int(x.A-y.A), x.Stmt.Order-y.Stmt.Order) }

// sliceAt says what Schedule and Canonical say of a statement at step a, solved for the iterators.
func sliceAt(s *schedule.Schedule, n Names, phase int, a int64, st *scop.Stmt) Slice {
	ph, k := s.Phases[phase], int64(s.Canonical.K)
	if s.Height%k != 0 || ph.TimeShift%k != 0 {
		panic(fmt.Sprintf("astgen: height %d or shift %d of phase %d is no multiple of %d levels", s.Height, ph.TimeShift, phase, k))
	}
	return sliceOf(s, n, phase, a, st, affine.Var(n.T).Times(s.Height/k).Add((a-a%k)/k))
}

// sliceOf is sliceAt for the iteration since the start of the tile at T = 0.
func sliceOf(s *schedule.Schedule, n Names, phase int, a int64, st *scop.Stmt, since affine.Sum) Slice {
	c, ph := s.Canonical, s.Phases[phase]
	k := int64(c.K)
	at := Slice{Phase: phase, A: a, Stmt: st, Ordered: c.Ordered && c.Carried[st.Order], Way: c.Way(st)}
	at.Iters = make([]affine.Sum, len(at.Stmt.Iters))
	at.Iters[0] = since.Add(-ph.TimeShift / k)
	var fixed []affine.Sum
	box := ph.Box(st, a)
	at.Lo, at.Hi, at.Owned = slices.Clone(box.Lo), slices.Clone(box.Hi), ph.Owned(st, a)
	for p, d := range ph.Space {
		point := affine.Var(n.Tiles[p]).Times(d.Stride).Plus(affine.Var(n.T).Times(d.Drift)).Plus(affine.Var(n.Points[p])).Add(d.Offset)
		at.Space = append(at.Space, point)
		place := c.Places[st.Order][p]
		less := point.Minus(c.Scop.Sum(place.Shift, nil))
		for q, by := range c.Skew(p) {
			less = less.Minus(at.Space[q].Times(by))
		}
		if place.Iter >= 0 {
			at.Iters[place.Iter] = less.Times(place.Sign())
		} else {
			fixed = append(fixed, less, less.Times(-1))
		}
	}
	for _, row := range at.Stmt.Bounds {
		at.Rows = append(at.Rows, c.Scop.Sum(row, at.Iters))
	}
	at.Rows = append(at.Rows, fixed...)
	for _, row := range at.Stmt.Whole {
		at.Whole = append(at.Whole, c.Scop.Sum(row, at.Iters))
	}
	return at
}

// overBox returns the least value of row over the box of s, as a sum without
// local coordinates; sign -1 gives the greatest instead.
func (s Slice) overBox(row affine.Sum, points []string, sign int64) affine.Sum {
	for p, b := range points {
		c := row.Coef(b)
		at := s.Lo[p]
		if c*sign < 0 {
			at = s.Hi[p]
		}
		if c != 0 {
			row = row.Without(b).Add(affine.Times(c, at))
		}
	}
	return row
}

// NamesOf returns the variables of the loops of s: T, S0.., b0.., and turn where tiles hold columns, each with underscores after it where the region uses the name.
func NamesOf(s *schedule.Schedule) Names {
	used := UsedNames(s.Canonical.Scop)
	n := Names{T: used.Fresh("T")}
	for p, d := range s.Phases[0].Space {
		n.Tiles = append(n.Tiles, used.Fresh(d.Tile))
		n.Points = append(n.Points, used.Fresh(fmt.Sprintf("b%d", p)))
	}
	if s.Canonical.Ways != nil {
		n.Turn = used.Fresh("turn")
	}
	return n
}

// Used is a set of names that stand for something already.
type Used map[string]bool

// UsedNames returns the names of the region: parameters, scalars, arrays, iterators and locals.
func UsedNames(p *scop.Program) Used { return p.Names() }

// Fresh returns name, with as many underscores as make it new, and adds it to u.
func (u Used) Fresh(name string) string {
	for u[name] {
		name += "_"
	}
	u[name] = true
	return name
}

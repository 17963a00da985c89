package ranks

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file is about borders that lean: a dimension of tiles along which they are parallelograms, which lie further down with each step of a time tile, so that the border between two of them does. What crosses such a border is
// not boxes of an array but slabs: step by step, what an access writes in a few rows or columns beside the border as it lies at that step. Columns of a grid share out such a dimension (grid.go), and so do ranks in a pipeline (pipeline.go).

// A Slab is the elements that an access writes in a tile at a border that leans: at each step a, in those columns that are counted from the first one that lies above the border then,
//
//	up      from -Ahead to -1
//	down    from 0 to Near, no further than Far columns behind the first one that lies above the border at the start of the phase
//
// and of these columns those that the receiver has in memory. It is of all steps, or of the last one, and so many before it: of Depth iterations of the time loop. In a grid columns are along S1, and the last step is that which
// has the statement at a place along S0; in a pipeline they are the rows along S0, and it is the last step of the time tile that has the statement anywhere.
type Slab struct {
	Stmt      *scop.Stmt
	Access    *scop.Access
	Up        bool
	Ahead     int64
	Near, Far int64
	Depth     int64         // -1: all
	Lo, Hi    []affine.Expr // of the iterators of the statement, over parameters
}

// A leaning asks questions about a border that leans, for all values of the parameters, time tiles and borders.
type leaning struct {
	*border
	along int        // the dimension of tiles
	name  string     // of their index
	tile  affine.Sum // the first one above the border
	first affine.Sum // the first element that the rank above owns, along the dimension of arrays that is shared out
	width int64      // columns of a tile
	sides []Side     // how arrays lie along it
	// earlier holds where a value of a flow from a phase has been written too early for a slab to have it: more than Depth iterations before the last one.
	earlier func(s Slab, f flow, w int) poly.Formula
	slabs   func(phase int, up bool) []Slab // what is sent
}

// mostReach is the most tiles that values may cross.
const mostReach = 64

// mostDepth is how many iterations back slabs are counted from the last one.
const mostDepth = 3

// box returns the bounds of the iterators of a statement, whose instances are a box.
func (g *leaning) box(st *scop.Stmt) (lo, hi []affine.Expr, err error) {
	no := func(why string) error {
		return &NotShared{At: st.Pos, Why: "the instances of " + st.Name + " " + why}
	}
	if len(st.When) > 0 {
		return nil, nil, no("do something at some points only, by a remainder")
	}
	los, his := make([][]affine.Expr, len(st.Iters)), make([][]affine.Expr, len(st.Iters))
	for _, b := range st.Bounds {
		at := -1
		for i, c := range b.Iters {
			if c == 0 {
				continue
			}
			if at >= 0 || c != 1 && c != -1 {
				return nil, nil, no("are no box: a bound has several iterators")
			}
			at = i
		}
		if at < 0 {
			continue
		}
		rest := g.scop.Sum(scop.Affine{Const: b.Const, Params: b.Params}, nil)
		if b.Iters[at] > 0 {
			los[at] = append(los[at], rest.Times(-1))
		} else {
			his[at] = append(his[at], rest)
		}
	}
	var rows []poly.Formula
	for i := range st.Iters {
		if los[i] == nil || his[i] == nil {
			return nil, nil, no("are no box: a loop has no bounds that are sums of parameters")
		}
		lo, hi = append(lo, affine.MaxOf(los[i]...)), append(hi, affine.MinOf(his[i]...))
		rows = append(rows, poly.AtMost(lo[i], poly.Out(i)), poly.AtMost(poly.Out(i), hi[i]))
	}
	g.Tests++
	if all := poly.NewSet(g.scop.ParamNames(), st.Tuple(), rows...).IntersectParams(g.scop.Context); !all.Subtract(st.Domain).IsEmpty() {
		return nil, nil, no("are no box")
	}
	return lo, hi, nil
}

// straight returns why the elements that an access writes at a box of instances are no box, or "".
func straight(x *scop.Access) string {
	used := map[int]bool{}
	for _, index := range x.Index {
		space := 0
		for i, c := range index.Iters {
			if c == 0 || i == 0 {
				continue
			}
			if space++; c != 1 && c != -1 || used[i] || space > 1 || index.Mod > 0 || index.Iters[0] != 0 {
				return x.Text + " has a subscript that is not a loop and a number"
			}
			used[i] = true
		}
	}
	return ""
}

// noBoxes returns why what slabs hold is not boxes of elements, or "".
func (g *leaning) noBoxes(slabs []Slab) string {
	for _, s := range slabs {
		if _, _, err := g.box(s.Stmt); err != nil {
			return err.Error()
		}
		if why := straight(s.Access); why != "" {
			return why
		}
	}
	return ""
}

// find returns the slabs of an array that go one way after a phase, wide enough for all flows.
func (g *leaning) find(array int, all []flow, phase int, up bool) (list []Slab, err error) {
	for _, st := range g.scop.Stmts {
		for i, x := range st.Accesses {
			same := func(y *scop.Access) bool { return y.Write && y.Array == x.Array && sameAccess(x, y) }
			if !x.Write || x.Array != g.Arrays[array].Array || slices.ContainsFunc(st.Accesses[:i], same) {
				continue
			}
			s := Slab{Stmt: st, Access: x, Up: up, Near: -1, Far: -g.width * mostReach}
			var no error
			if s.Lo, s.Hi, no = g.box(st); no == nil {
				if why := straight(x); why != "" {
					no = &NotShared{At: x.Pos, Why: why}
				}
			}
			some := false
			for _, f := range all {
				if f.From.a == nil || f.From.st != st || !same(f.From.a) {
					continue
				}
				g.phases(f, func(w, r int, rows []poly.Formula) string {
					if w == phase {
						some = g.widen(&s, array, f, w, r, rows, no == nil) || some
					}
					return ""
				})
			}
			switch {
			case some && no != nil:
				return nil, no
			case some:
				list = append(list, s)
			}
		}
	}
	return list, nil
}

func sameAccess(x, y *scop.Access) bool {
	return slices.EqualFunc(x.Index, y.Index, schedule.SameIndex)
}

// widen makes s wide enough for the values of a flow that cross the border, if it is one, and returns whether any do.
func (g *leaning) widen(s *Slab, array int, f flow, w, r int, rows []poly.Formula, is bool) bool {
	rows = append(rows, g.crosses(array, f, w, r, s.Up)...)
	if !g.test(f, rows...) {
		return false
	}
	if !is {
		return true
	}
	most := g.width * mostReach
	grow := func(at *int64, outside func() poly.Formula) {
		if !g.test(f, append(rows, outside())...) {
			return
		}
		lo, hi := *at+1, most // what suffices lies between
		for lo < hi {
			*at = lo + (hi-lo)/2
			if g.test(f, append(rows, outside())...) {
				lo = *at + 1
			} else {
				hi = *at
			}
		}
		*at = lo
	}
	if s.Up {
		grow(&s.Ahead, func() poly.Formula { return g.outside(*s, f, w)[0] })
	} else {
		grow(&s.Near, func() poly.Formula { return g.outside(*s, f, w)[0] })
		grow(&s.Far, func() poly.Formula { return g.outside(*s, f, w)[1] })
	}
	for s.Depth >= 0 && g.test(f, append(rows, g.earlier(*s, f, w))...) {
		if s.Depth++; s.Depth > mostDepth {
			s.Depth = -1
		}
	}
	return true
}

// uses looks for elements that tiles at a border use and the rank with these tiles has not.
func (g *leaning) uses(array int) string {
	if g.Arrays[array].Ring {
		return "" // it has room for all
	}
	side := g.sides[array]
	for _, st := range g.scop.Stmts {
		for _, x := range st.Accesses {
			if x.Array != g.Arrays[array].Array {
				continue
			}
			for phase := range g.Schedule.Phases {
				iters := poly.Ins(len(st.Iters))
				rows := g.in(st, iters, phase, affine.Var(writerT), affine.Var(writerS))
				above := g.above(st, iters, phase, affine.Var(writerT), g.tile, 0)
				for _, out := range []poly.Formula{
					poly.And(above, poly.Less(poly.Out(side.Dim), g.first.Add(side.Lo))),
					poly.And(poly.Not(above), poly.Less(g.first.Add(side.Hi-1), poly.Out(side.Dim))),
				} {
					m := poly.NewMap(g.params, st.Tuple(), elements(x.Array), append(rows[:len(rows):len(rows)], out)...)
					if !g.empty(x.Map.Intersect(m)) {
						return fmt.Sprintf("%s uses elements of %s by %s that the rank has not", st.Name, x.Array.Name, x.Text)
					}
				}
			}
		}
	}
	return ""
}

// above holds where an instance of a phase of a time tile lies in a tile that is no less than tile, or would if it lay so many columns further.
func (g *leaning) above(st *scop.Stmt, iters []affine.Sum, phase int, T, tile affine.Sum, further int64) poly.Formula {
	ph := g.Schedule.Phases[phase]
	d, side := ph.Space[g.along], ph.Space[g.along].Sides[0]
	tau, s := g.placeAlong(st, iters, g.along)
	a := tau.Add(ph.TimeShift).Minus(T.Times(g.Schedule.Height))
	b := s.Add(further).Minus(tile.Times(d.Stride)).Add(-d.Offset)
	return poly.NotNegative(a.Times(side.A).Plus(b.Times(side.B)).Add(side.C))
}

// ownedAbove holds where the element of a flow is owned above the border, moved by so many tiles.
func (g *leaning) ownedAbove(array int, f flow, tiles int64) poly.Formula {
	first, x := g.first.Add(tiles*g.width), affine.Expr(g.element(f)[g.sides[array].Dim])
	if g.Arrays[array].Reversed() {
		return poly.AtMost(first, g.Arrays[array].Sum.Minus(x.(affine.Sum)))
	}
	return poly.AtMost(first, x)
}

// writerAbove and readerAbove hold where who writes a value of a flow, or reads it, lies above the border, moved by so many tiles.
func (g *leaning) writerAbove(f flow, w int, tiles, further int64) poly.Formula {
	return g.above(f.From.st, poly.Ins(len(f.From.st.Iters)), w, affine.Var(writerT), g.tile.Add(tiles), further)
}

func (g *leaning) readerAbove(array int, f flow, r int, tiles int64) poly.Formula {
	if r < 0 {
		return g.ownedAbove(array, f, tiles)
	}
	return g.above(f.To.st, poly.Outs(len(f.To.st.Iters)), r, affine.Var(readerT), g.tile.Add(tiles), 0)
}

// crosses holds where a value of a flow crosses the border, up or down.
func (g *leaning) crosses(array int, f flow, w, r int, up bool) []poly.Formula {
	from, to := g.writerAbove(f, w, 0, 0), g.readerAbove(array, f, r, 0)
	if up {
		return []poly.Formula{poly.Not(from), to}
	}
	return []poly.Formula{from, poly.Not(to)}
}

// further looks for values that go to tiles which are more than reach away.
func (g *leaning) further(array int, all []flow, reach int64) string {
	for _, f := range all {
		if f.From.a == nil {
			continue
		}
		bad := g.phases(f, func(w, r int, rows []poly.Formula) string {
			up := []poly.Formula{poly.Not(g.writerAbove(f, w, 0, 0)), g.readerAbove(array, f, r, reach)}
			down := []poly.Formula{g.writerAbove(f, w, reach, 0), poly.Not(g.readerAbove(array, f, r, 0))}
			for _, far := range [][]poly.Formula{up, down} {
				if g.test(f, append(rows, far...)...) {
					return fmt.Sprintf("a value of %s goes from %s to %s, more than %d tiles along %s", g.Arrays[array].Array.Name, f.From.name(), f.To.name(), reach, g.name)
				}
			}
			return ""
		})
		if bad != "" {
			return bad
		}
	}
	return ""
}

// outside returns conditions of which one holds where the instance that writes a value lies in columns that s does not have.
func (g *leaning) outside(s Slab, f flow, w int) []poly.Formula {
	if s.Up {
		return []poly.Formula{poly.Not(g.writerAbove(f, w, 0, s.Ahead))}
	}
	_, at := g.placeAlong(f.From.st, poly.Ins(len(f.From.st.Iters)), g.along)
	d := g.Schedule.Phases[w].Space[g.along]
	first := g.tile.Times(d.Stride).Add(d.Offset)
	return []poly.Formula{g.writerAbove(f, w, 0, -s.Near-1), poly.Less(first.Add(s.Far), at)}
}

// unheld holds where the element of a flow is none that the receiver has in memory.
func (g *leaning) unheld(array int, f flow, up bool) poly.Formula {
	if g.Arrays[array].Ring {
		return poly.False() // it has room for all
	}
	side := g.sides[array]
	x := g.element(f)[side.Dim]
	if up {
		return poly.Less(x, g.first.Add(side.Lo))
	}
	return poly.Less(g.first.Add(side.Hi-1), x)
}

// sentAlong looks for values that cross the border and are in no slab.
func (g *leaning) sentAlong(array int, all []flow) string {
	for _, f := range all {
		if f.From.a == nil {
			continue
		}
		bad := g.phases(f, func(w, r int, rows []poly.Formula) string {
			for _, up := range []bool{true, false} {
				rows := append(rows[:len(rows):len(rows)], g.crosses(array, f, w, r, up)...)
				missed := []poly.Formula{poly.True()}
				for _, s := range g.slabs(w, up) {
					if s.Stmt != f.From.st || s.Access.Array != f.From.a.Array || s.Up != up || !sameAccess(s.Access, f.From.a) {
						continue
					}
					missed = append(g.outside(s, f, w), g.earlier(s, f, w), g.unheld(array, f, up))
				}
				for _, out := range missed {
					if !out.IsFalse() && g.test(f, append(rows, out)...) {
						return fmt.Sprintf("a value of %s that %s writes and %s reads is not sent along %s", g.Arrays[array].Array.Name, f.From.name(), f.To.name(), g.name)
					}
				}
			}
			return ""
		})
		if bad != "" {
			return bad
		}
	}
	return ""
}

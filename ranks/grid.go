package ranks

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/poly"
)

// This file lets ranks share out a second dimension of tiles, S1, whose tiles lean by time within a time tile, and of which a phase runs those of one S0 in order. Ranks
// form a grid: that in row r and column c owns an interval of S0 and one of S1. Between the columns c and c + 1 lies a border along S1, the first tile of c + 1, and
// columns of ranks are a chain: for each tile S0 of a phase
//
//	rank (r, c) waits for what (r, c-1) has computed at its border, runs the first tiles of its interval of S1, sends what they have computed at its lower border to (r, c-1), which reads it in
//	later phases: it has to be there before tiles of the next phase run that use its elements (Grid.Apart); it runs its other tiles, and sends what it has computed at its upper border to (r, c+1)
//
// When what (r, c+1) sends down of the tile at the side of r has arrived, the rows of ranks exchange strips as they do where there is one column (ranks.go), of the
// elements that a rank has along S1. So a value that crosses both borders goes by the rank beside its writer.
//
// What goes along the chain is slabs: elements that the tile itself has written, those of some columns at its border, step by step. It therefore overwrites nothing
// that is read. Let v be the value of a write w that arrives after phase p of a tile S0, and u, by a write w', another value of the same element that the receiver reads
// later, at r'. If w came before w' in the program, w' runs later than p, or in the same tile S0, in the tiles of w or further along S1; and if it came after r', r' runs before it: both since the schedule keeps
// all dependences of memory. Neither w' nor r' can then be where the receiver would lose u: what goes up arrives before the receiver runs tiles of that S0 in this phase, what goes down before those tiles of the next phase that can write the element again.
//
// A rank may send, behind a phase, elements whose values have not reached it, as long as the receiver does not read them; what it reads has arrived (gridproof.go), and the sender has kept
// it: what would have overwritten it there comes by strips from the receiver itself, of the same phase, and no phase has strips of both ways.

// A Grid is what a plan has beside it where ranks share out S1, too.
type Grid struct {
	Border string // a variable: the first tile along S1 of a rank that has one below it along S1
	Arrays []Side // by array of the plan
	Chain  []Chain
	Reach  int64 // values go to tiles that are so many away along S1, at most: a rank needs so many of them
	// Near is how many tiles along S1, from a border on, compute all that goes down there.
	Near int64
	// Apart says by phase which tiles of the phase before one at S0 waits for: those from S0 - Apart[1] to S0 - Apart[0], with -1 <= Apart[0] <= Apart[1] <= 1. Of all others it uses no element.
	Apart [][2]int64
}

// A Side says how the elements of an array lie along S1.
type Side struct {
	Dim    int   // the dimension along which ranks share out the array; -1: they do not
	Lo, Hi int64 // as in Array
	Pad    int64 // so many more elements are there at both sides, which nobody uses: tiles load rows by whole cache lines
}

// A Chain is what is sent along S1 after the tiles of a rank with one S0 in a phase: to the rank above along S1, which waits for it to run its own, and to that below.
type Chain struct{ Up, Down []Slab }

// way returns the slabs that go up, or down.
func (c Chain) way(up bool) []Slab {
	if up {
		return c.Up
	}
	return c.Down
}

// FirstColumn returns the first element, along the second dimension that ranks share out, of which the rank above the border is the owner.
func (p *Plan) FirstColumn() affine.Sum {
	d := p.Schedule.Phases[1].Space[1]
	return affine.Var(p.Grid.Border).Times(d.Stride).Add(d.Offset)
}

// ColumnWidth returns how many columns lie between two borders of tiles along S1.
func (p *Plan) ColumnWidth() int64 { return p.Schedule.Phases[1].Space[1].Stride }

// MakeGrid lets ranks of the plan share out a second dimension of tiles, with a name for the border between two of them along it. The error is a *NotShared, or a
// *poly.LimitError: then they share out one dimension, and the plan is what it was.
func (p *Plan) MakeGrid(border string) error {
	if p.OneByOne() {
		return &NotShared{At: p.Scop().Start(), Why: "time is not tiled"}
	}
	if p.Pipeline != nil {
		return &NotShared{At: p.Scop().Start(), Why: "points need others of the same step, so that ranks are a pipeline along the first dimension of tiles"}
	}
	p.Grid = &Grid{Border: border}
	err := poly.Limited(func() error { return newGridder(p).make() })
	if err != nil {
		p.Grid = nil
	}
	return err
}

// A gridder makes grids, or asks questions about them.
type gridder struct {
	*leaning
	grid *Grid
}

func newGridder(p *Plan) *gridder {
	b := newBorder(p)
	b.params = append(b.params, p.Grid.Border)
	g := &gridder{&leaning{border: b, along: 1}, p.Grid}
	g.earlier = g.earlierAtPlace
	g.slabs = func(phase int, up bool) []Slab { return g.grid.Chain[phase].way(up) }
	return g
}

// lean says how borders along S1 lie, of phases that are allowed.
func (g *gridder) lean() {
	g.name, g.tile, g.first, g.width, g.sides = g.Phases[0].Second, affine.Var(g.grid.Border), g.FirstColumn(), g.ColumnWidth(), g.grid.Arrays
}

// no says why there is no grid; what helps is to have one dimension shared out, which is what is done.
func (g *gridder) no(why string) error { return &NotShared{At: g.scop.Start(), Why: why} }

func (g *gridder) make() error {
	if err := g.allowed(); err != nil {
		return err
	}
	if err := g.lie(); err != nil {
		return err
	}
	g.lean()
	for _, strips := range g.Messages() {
		for _, s := range strips {
			if d := g.sideOf(s.Array).Dim; s.Every != nil && d >= 0 && s.Every[d].Step > 1 {
				return g.no("only some of the points of a row are sent, as those of one colour")
			}
		}
	}
	for _, st := range g.scop.Stmts {
		if _, _, err := g.box(st); err != nil {
			return err
		}
	}
	g.grid.Chain = make([]Chain, len(g.Schedule.Phases))
	for i, a := range g.Arrays {
		if g.grid.Arrays[i].Dim < 0 || !g.scop.Writes(a.Array) {
			continue
		}
		all := g.flowsOf(a.Array)
		for g.further(i, all, g.grid.Reach) != "" {
			if g.grid.Reach++; g.grid.Reach > mostReach {
				return g.no(fmt.Sprintf("values of %s go to tiles that are more than %d away along %s", a.Array.Name, mostReach, g.Phases[0].Second))
			}
		}
		for phase := range g.grid.Chain {
			c := &g.grid.Chain[phase]
			up, err := g.find(i, all, phase, true)
			if err != nil {
				return err
			}
			down, err := g.find(i, all, phase, false)
			if err != nil {
				return err
			}
			c.Up, c.Down = append(c.Up, up...), append(c.Down, down...)
			for _, s := range slices.Concat(up, down) {
				if width := g.grid.Reach * g.width; s.Ahead > width || s.Near >= width {
					g.grid.Reach = max(s.Ahead, s.Near+1)/g.width + 1
				}
			}
		}
	}
	g.grid.Near = 1
	for i, c := range g.grid.Chain {
		for _, s := range c.Down {
			g.grid.Near = max(g.grid.Near, s.Near/g.ColumnWidth()+1)
		}
		g.grid.Apart = append(g.grid.Apart, g.waits(i))
	}
	return nil
}

// allowed returns why tiles along S1 cannot be shared out, as far as the loops say.
func (g *gridder) allowed() error {
	for i, ph := range g.Phases {
		if ph.Second == "" || len(g.Schedule.Phases[i].Space) < 2 {
			return g.no("tiles have no second dimension whose loop is next to that over the first")
		}
		d := g.Schedule.Phases[i].Space[1]
		if d.Drift != 0 || d.Stride != g.ColumnWidth() || len(d.Sides) == 0 || d.Sides[0].B <= 0 {
			return g.no("tiles along the second dimension move, or have no straight sides")
		}
		for _, e := range []affine.Expr{ph.SecondLo, ph.SecondHi} {
			inner := false
			affine.Vars(e, func(name string) { inner = inner || name == ph.Tile })
			if inner {
				return g.no(fmt.Sprintf("which tiles there are along %s depends on %s", ph.Second, ph.Tile))
			}
		}
	}
	for i, e := range g.After {
		if len(e.Up) > 0 && len(e.Down) > 0 {
			return g.no(fmt.Sprintf("values go both ways along %s after phase %d", g.Phases[i].Tile, i))
		}
	}
	for k, st := range g.Scop().Stmts {
		if g.scop.Stmts[k] != st {
			return g.no(fmt.Sprintf("one subscript in %s stands for several", st.Name))
		}
	}
	for _, st := range g.scop.Stmts {
		if places := g.Schedule.Canonical.Places[st.Order]; places[0].Down || places[1].Down {
			return g.no(fmt.Sprintf("loops around %s run against the order of tiles", st.Name))
		}
	}
	for _, a := range g.Arrays {
		if a.Ring {
			return g.no(fmt.Sprintf("array %s is a ring: its ends are neighbours", a.Array.Name))
		}
	}
	return nil
}

// lie finds how arrays lie along S1.
func (g *gridder) lie() error {
	along := newPlanner(g.Plan)
	along.along = 1
	width := g.ColumnWidth()
	for _, a := range g.Arrays {
		side := Side{Dim: -1}
		if a.Dim >= 0 {
			x, err := along.lies(a.Array)
			if err != nil {
				return err
			}
			if x.Ring || x.Dim == a.Dim || a.Unit*x.Unit > 1 {
				return g.no(fmt.Sprintf("array %s does not lie straight along two dimensions of tiles", a.Array.Name))
			}
			if x.Dim >= 0 {
				side = Side{Dim: x.Dim, Lo: x.Lo, Hi: x.Hi}
				if x.Dim == len(a.Array.Extents)-1 {
					side.Pad = machine.CacheLine / int64(a.Array.Elem.Size())
				}
			}
		}
		g.grid.Arrays = append(g.grid.Arrays, side)
		for g.grid.Reach*width < max(-side.Lo, side.Hi) {
			g.grid.Reach++
		}
	}
	g.grid.Reach = max(g.grid.Reach, 1)
	return nil
}

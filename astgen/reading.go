package astgen

import (
	"fmt"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file reads generated loops back: which tiles they reach, and which instances
// run in a tile. It takes the loops as they are and knows nothing of how they were
// made, so that what it says can be compared with the schedule (emission.go).

// A Reading is what loops do, as rows over the variables of Names and the parameters: the visits
// of a time tile in their order.
type Reading struct {
	Visits []Visit
	Bodies []Body
}

// A Visit says which tiles of a phase the loops reach: those in all Loops, outermost first, for
// which in each of the Gates all rows of one alternative are >= 0.
type Visit struct {
	Phase int
	Loops []Range
	Gates []Gate
}

// A Range is Lo <= Var <= Hi. Ordered: its values run one after the other, else in any order.
type Range struct {
	Var     string
	Lo, Hi  affine.Expr
	Ordered bool
}

// A Gate lets pass where all rows of one of its alternatives are >= 0.
type Gate [][]affine.Sum

// A Body is what runs in tiles of a phase in which Where is >= 0: the Runs, in their order.
type Body struct {
	Phase int
	Full  bool // it is for full tiles
	// From and To, unless both are 0, say that it is of the steps From <= a < To of a tile only: others run in another body.
	From, To int64
	Where    []affine.Sum
	Runs     []Run
	Next     []Neighbour // that it relies on
	// Apart, unless it is 0, is the dimension of space of whose local coordinates each run has one.
	Apart int
	// Least and Most, unless both are 0, say that it is of some of these coordinates only, Least <= v < Most, counted from the first of a step: others run in another body.
	Least, Most int64
}

// A Neighbour says that a body relies, where Where lets pass, on the tile By further along the innermost loop over tiles being full.
type Neighbour struct {
	By    int64
	Where Gate
}

// A Run runs Stmt, at the iterators Iters, once for each point [b0, b1, ..] at which all Rows are >= 0, and nowhere else.
type Run struct {
	Stmt  *scop.Stmt
	Iters []affine.Sum
	Rows  []affine.Sum
	// Front and Place, where a tile runs in waves: the wave, over tile indices and local coordinates, and the runs of one wave in their order.
	Wave  *affine.Sum
	Place int
	Plane *affine.Sum // where a tile streams: the position, over local coordinates; the runs of one position are in their order
	Along []string    // the variables of the points, which run behind those that are no further along any of them; nil: in any order
	// Way: in which order points run along the variable Column, whatever their place along others.
	Way    schedule.Way
	Column string
}

// An unreadable panics out of a reading: the loops have a form whose meaning is not known here.
type unreadable string

// Unreadable ends a reading: Read returns the reason as an error.
func Unreadable(format string, args ...any) { panic(unreadable(fmt.Sprintf(format, args...))) }

// Read returns what read returns, or the error of Unreadable.
func Read(read func() Reading) (r Reading, err error) {
	defer func() {
		if why, ok := recover().(unreadable); ok {
			err = fmt.Errorf("loops that cannot be read back: %s", string(why))
		}
	}()
	return read(), nil
}

// Read returns what p does.
func (p *Program) Read() (Reading, error) {
	return Read(func() Reading {
		r := reader{p: p}
		r.node(p.Body, Visit{Phase: -1}, nil)
		return r.Reading
	})
}

// A reader walks through the loops of a program.
type reader struct {
	Reading
	p *Program
}

// node reads n, which lies in the loops and conditions of v, where rows are >= 0.
func (r *reader) node(n Node, v Visit, rows []affine.Sum) {
	switch n := n.(type) {
	case Block:
		for _, m := range n {
			r.node(m, v, rows)
		}
	case For:
		v.Loops = append(v.Loops[:len(v.Loops):len(v.Loops)], Range{n.Var, n.Lo, n.Hi, n.Role == schedule.Host || n.Role == schedule.Seq})
		r.node(n.Body, v, Inside(rows, n.Var, n.Lo, n.Hi))
	case Launch:
		v.Phase = n.Phase
		v.Gates = append(v.Gates, n.Work.Gate(r.p.Names.Tiles[0]))
		r.node(n.Body, v, rows)
	case If:
		r.visit(v)
		if _, ok := n.Then.(Waves); ok && n.Else == nil {
			r.tile(n.Then, v.Phase, rows, GateOf(n.Cond).Rows()...)
			return
		}
		for _, all := range GateOf(n.Cond) {
			r.tile(n.Then, v.Phase, append(rows[:len(rows):len(rows)], all...))
		}
		if n.Else == nil {
			Unreadable("tiles of phase %d that no branch is for", v.Phase)
		}
		r.tile(n.Else, v.Phase, rows)
	case Tile, Rolled, Waves, Streamed:
		r.visit(v)
		r.tile(n, v.Phase, rows)
	default:
		Unreadable("%T around tiles", n)
	}
}

func (r *reader) visit(v Visit) { r.Visits = append(r.Visits, v) }

// tile reads the body of tiles in which rows are >= 0.
func (r *reader) tile(n Node, phase int, rows []affine.Sum, gate ...affine.Sum) {
	switch n := n.(type) {
	case Tile:
		b := Body{Phase: phase, Full: n.Full, Where: rows}
		for _, s := range n.Steps {
			b.Runs = append(b.Runs, s.run(nil, nil))
		}
		r.Bodies = append(r.Bodies, b)
	case Rolled:
		b := Body{Phase: phase, Where: rows}
		lo, hi := numbers(n.Lo), numbers(n.Hi)
		if len(lo) == 0 || len(hi) == 0 {
			Unreadable("the loop over %s, from %v to %v, has no number for a bound", n.Var, n.Lo, n.Hi)
		}
		for q := lo[0]; q <= hi[0]; q++ { // no other values are in the loop
			at := map[string]affine.Sum{n.Var: affine.Num(q)}
			in := AtLeast(affine.Num(q), affine.Subst(n.Lo, at)).And(AtMost(affine.Num(q), affine.Subst(n.Hi, at))).Rows()
			for _, s := range n.Steps {
				b.Runs = append(b.Runs, s.run(at, in))
			}
		}
		r.Bodies = append(r.Bodies, b)
	case Streamed:
		b := Body{Phase: phase, Full: n.Full, Where: rows}
		for _, s := range n.Steps {
			b.Runs = append(b.Runs, r.p.Names.AtPlane(r.p.Schedule.Phases[phase].Stream, s.run(nil, nil), Range{n.Var, n.Lo, n.Hi, true}))
		}
		r.Bodies = append(r.Bodies, b)
	case Waves:
		b := Body{Phase: phase, Where: rows}
		for i, s := range n.Steps {
			b.Runs = append(b.Runs, r.p.Names.Waves(r.p.Schedule, s.run(nil, gate), s.A, Range{n.Var, n.Lo, n.Hi, true}, i)...)
		}
		r.Bodies = append(r.Bodies, b)
	default:
		Unreadable("%T in place of a tile", n)
	}
}

// numbers returns those of the bounds of a loop that are numbers: e, or the arguments of e.
func numbers(e affine.Expr) (all []int64) {
	args := []affine.Expr{e}
	switch e := e.(type) {
	case affine.Max:
		args = e.Args
	case affine.Min:
		args = e.Args
	}
	for _, a := range args {
		if x, ok := a.(affine.Sum); ok && x.IsNum() {
			all = append(all, x.Const)
		}
	}
	return all
}

// run returns what s runs, with sums for variables, where rows are >= 0.
func (s Step) run(by map[string]affine.Sum, rows []affine.Sum) Run {
	run := Run{Stmt: s.Stmt, Rows: rows, Way: s.Way, Column: s.Loops[0].Var}
	for _, l := range s.Loops {
		if s.Ordered {
			run.Along = append(run.Along, l.Var)
		}
		run.Rows = append(run.Rows, AtLeast(affine.Var(l.Var), affine.Subst(l.Lo, by)).Rows()...)
		run.Rows = append(run.Rows, AtMost(affine.Var(l.Var), affine.Subst(l.Hi, by)).Rows()...)
	}
	if s.Guard != nil {
		for _, r := range GateOf(s.Guard).Rows() {
			run.Rows = append(run.Rows, r.Subst(by))
		}
	}
	for _, e := range s.Iters {
		run.Iters = append(run.Iters, SumOf(e).Subst(by))
	}
	return run
}

// SumOf returns e, which has to be a sum.
func SumOf(e affine.Expr) affine.Sum {
	x, ok := e.(affine.Sum)
	if !ok {
		Unreadable("%v is no sum", e)
	}
	return x
}

// GateOf returns c as a gate.
func GateOf(c Cond) Gate {
	g := Gate{}
	for _, all := range c {
		rows := []affine.Sum{}
		for _, e := range all {
			rows = append(rows, SumOf(e))
		}
		g = append(g, rows)
	}
	return g
}

// Gate returns a gate that lets the value of the variable pass only where w holds: w with that value for one between Lo and Hi.
func (w Work) Gate(name string) Gate {
	if w == nil {
		return Gate{{}}
	}
	g := Gate{}
	for _, x := range w {
		all := GateOf(Cond{x.Rows})
		if x.Lo != nil {
			all = all.And(AtLeast(affine.Var(name), x.Lo)).And(AtMost(affine.Var(name), x.Hi))
		}
		g = append(g, all...)
	}
	return g
}

// Rows returns the rows of a gate that has one alternative.
func (g Gate) Rows() []affine.Sum {
	if len(g) != 1 {
		Unreadable("a loop over points with %d alternatives", len(g))
	}
	return g[0]
}

// Inside returns rows that hold in a loop over the variable, besides others: those bounds that are a conjunction.
func Inside(rows []affine.Sum, name string, lo, hi affine.Expr) []affine.Sum {
	rows = rows[:len(rows):len(rows)]
	for _, g := range []Gate{AtLeast(affine.Var(name), lo), AtMost(affine.Var(name), hi)} {
		if len(g) == 1 {
			rows = append(rows, g[0]...)
		}
	}
	return rows
}

// AtLeast returns where x >= e. It is exact, for integers.
func AtLeast(x affine.Sum, e affine.Expr) Gate {
	switch e := e.(type) {
	case affine.Sum:
		return Gate{{x.Minus(e)}}
	case affine.FloorDiv:
		return Gate{{x.Times(e.D).Minus(SumOf(e.X)).Add(e.D - 1)}}
	case affine.Max:
		return allOf(e.Args, func(a affine.Expr) Gate { return AtLeast(x, a) })
	case affine.Min:
		return oneOf(e.Args, func(a affine.Expr) Gate { return AtLeast(x, a) })
	}
	Unreadable("a bound %v", e)
	return nil
}

// AtMost returns where x <= e. It is exact, for integers.
func AtMost(x affine.Sum, e affine.Expr) Gate {
	switch e := e.(type) {
	case affine.Sum:
		return Gate{{e.Minus(x)}}
	case affine.FloorDiv:
		return Gate{{SumOf(e.X).Minus(x.Times(e.D))}}
	case affine.Min:
		return allOf(e.Args, func(a affine.Expr) Gate { return AtMost(x, a) })
	case affine.Max:
		return oneOf(e.Args, func(a affine.Expr) Gate { return AtMost(x, a) })
	}
	Unreadable("a bound %v", e)
	return nil
}

func oneOf(args []affine.Expr, gate func(affine.Expr) Gate) (g Gate) {
	for _, a := range args {
		g = append(g, gate(a)...)
	}
	return g
}

func allOf(args []affine.Expr, gate func(affine.Expr) Gate) Gate {
	g := Gate{{}}
	for _, a := range args {
		g = g.And(gate(a))
	}
	return g
}

// Not returns where g does not let pass.
func (g Gate) Not() Gate {
	not := Gate{{}}
	for _, all := range g {
		one := Gate{}
		for _, r := range all {
			one = append(one, []affine.Sum{r.Negated()})
		}
		not = not.And(one)
	}
	return not
}

// And returns where both let pass.
func (g Gate) And(h Gate) Gate {
	both := Gate{}
	for _, x := range g {
		for _, y := range h {
			both = append(both, append(x[:len(x):len(x)], y...))
		}
	}
	return both
}

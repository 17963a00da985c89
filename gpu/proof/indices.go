package proof

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// This file proves that kernels whose indices have 32 bits never calculate an index that has more. It
// walks through the expressions in the order in which they are printed (affine.Chain), and looks at each
// product and each value on the way: of
//
//	32*S1 + tx - 12      these are 32*S1, 32*S1 + tx and 32*S1 + tx - 12
//
// What bounds them are the loops around, the ranges of thread indices and parameters, and the rows of
// gpu.Program.Narrow. That a value passes the range then has to be impossible. Values that differ by a
// number are asked of once, at the greatest and the least of them.

// Indices proves that kernels of p, made for the schedule, calculate no index beyond 32 bits where all of p.Narrow are >= 0.
func Indices(p *gpu.Program, s *schedule.Schedule) schedule.Proof {
	return schedule.Prove("indices", "with indices of 32 bits, no value on the way to one has more", func(proof *schedule.Prover) {
		proof.Unit = "value"
		for _, k := range p.Kernels {
			x := indices{Asker: astgen.NewAsker(proof, s), program: p, kernel: k}
			question := fmt.Sprintf("phase %d: indices", k.Phase)
			_, err := astgen.Read(func() astgen.Reading {
				x.walk()
				return astgen.Reading{}
			})
			if err != nil {
				proof.GiveUp(question, err.Error())
				return
			}
			proof.Ask(question, x.violation)
		}
	})
}

// indices are the values that a kernel calculates.
type indices struct {
	astgen.Asker
	program *gpu.Program
	kernel  *gpu.Kernel
	local   map[string]interval // variables of loops over points
	turns   map[string]interval // variables of loops around them that lie between numbers
	places  []place
}

type interval struct{ lo, hi int64 }

// A place is one where one of the alternatives of where holds, and what is calculated there.
type place struct {
	where  astgen.Gate
	values map[string]*spread
}

// A spread is values that differ by numbers: least and most are the numbers beside the terms of sum.
type spread struct {
	sum         affine.Sum
	least, most int64
	rows        []affine.Sum // that hold for variables that stand for quotients in it
}

// walk collects the values.
func (x *indices) walk() {
	x.local, x.turns = map[string]interval{}, map[string]interval{}
	for axis, v := range x.kernel.ThreadVars {
		x.local[v] = interval{0, int64(x.kernel.Threads[axis]) - 1}
	}
	p := x.program
	where := astgen.Gate{slices.Concat(p.Narrow, x.parameters())}
	if p.Busy != nil {
		where = where.And(astgen.GateOf(p.Busy))
	}
	where = inside(where, p.T, p.TLo, p.THi)
	for _, a := range x.kernel.Grid {
		where = inside(where, a.Var, a.Lo, a.Hi)
	}
	body := x.place(where)
	x.value(body, affine.Var(p.T), nil) // it, parameters and tile indices are passed as indices
	for _, q := range p.Scop.Params {
		x.value(body, affine.Var(q.Name), nil)
	}
	for _, a := range x.kernel.Grid {
		x.value(body, affine.Var(a.Var), nil)
	}
	x.nodes(x.kernel.Body, body)
}

// inside returns where, inside of a loop over the variable.
func inside(where astgen.Gate, name string, lo, hi affine.Expr) astgen.Gate {
	return hull(where.And(astgen.AtLeast(affine.Var(name), lo)).And(astgen.AtMost(affine.Var(name), hi)))
}

// parameters returns rows that hold for parameters that are ints.
func (x *indices) parameters() (rows []affine.Sum) {
	for _, q := range x.program.Scop.Params {
		if !gpu.IsWide(q) {
			v := affine.Var(q.Name)
			rows = append(rows, affine.Num(math.MaxInt32).Minus(v), v.Add(-math.MinInt32))
		}
	}
	return rows
}

func (x *indices) place(where astgen.Gate) int {
	x.places = append(x.places, place{where, map[string]*spread{}})
	return len(x.places) - 1
}

func (x *indices) nodes(nodes []gpu.Node, at int) {
	for _, n := range nodes {
		switch n := n.(type) {
		case gpu.For:
			x.exprs(at, n.Lo, n.Hi)
			body := x.place(inside(x.places[at].where, n.Var, n.Lo, n.Hi))
			if lo, hi := extreme(n.Lo, func(a, b int64) bool { return a > b }), extreme(n.Hi, func(a, b int64) bool { return a < b }); lo != nil && hi != nil {
				x.turns[n.Var] = interval{*lo, *hi}
			}
			x.value(body, affine.Var(n.Var).Add(1), nil) // it grows once more than it runs
			x.nodes(n.Body, body)
		case gpu.Test:
			x.cond(at, n.Cond)
		case gpu.If:
			x.cond(at, n.Cond)
			for _, b := range n.Bases {
				x.exprs(at, b.Index...)
			}
			x.nodes(n.Then, at)
			x.nodes(n.Else, at)
		case gpu.Threads:
			x.threads(at, n)
		}
	}
}

func (x *indices) threads(at int, n gpu.Threads) {
	for _, l := range n.Loops {
		x.exprs(at, l.Lo, l.Hi)
		threads := gpu.ThreadsAlong(x.kernel.Threads, l.Axis)
		x.expr(at, l.Lo, func(v affine.Sum, rows []affine.Sum) { // where the last thread starts
			x.value(at, v.Add(threads-1), rows)
		})
		lo, hi := extreme(l.Lo, func(a, b int64) bool { return a > b }), extreme(l.Hi, func(a, b int64) bool { return a < b })
		if one, ok := x.atPosition(l); ok {
			lo, hi = &one.lo, &one.hi
		}
		if lo == nil || hi == nil {
			astgen.Unreadable("a loop from %v to %v", l.Lo, l.Hi)
		}
		x.local[l.Var] = interval{*lo, *hi}
		x.value(at, affine.Num(*hi+threads), nil) // where it ends
	}
	x.cond(at, n.Guard)
	for _, op := range n.Body {
		gpu.EachRef(op, func(r gpu.Ref) {
			if r.Base == nil { // else it is calculated with 64 bits
				x.exprs(at, r.Index...)
			}
		})
		if c, ok := op.(gpu.Compute); ok {
			x.exprs(at, c.Iters...)
		}
	}
}

// atPosition returns the values of the variable of a loop that has one in each turn of a loop between numbers; ok is false if l is no such loop.
func (x *indices) atPosition(l gpu.ThreadLoop) (i interval, ok bool) {
	s, isSum := l.Lo.(affine.Sum)
	if !isSum || !affine.Same(l.Lo, l.Hi) || len(s.Terms) != 1 || max(s.Terms[0].Coef, -s.Terms[0].Coef) != 1 {
		return i, false
	}
	at, ok := x.turns[s.Terms[0].Var]
	if s.Terms[0].Coef < 0 {
		at.lo, at.hi = -at.hi, -at.lo
	}
	return interval{at.lo + s.Const, at.hi + s.Const}, ok
}

// extreme returns the best of the numbers that bound e, as it or as arguments of it, nil if there is none.
func extreme(e affine.Expr, better func(a, b int64) bool) (best *int64) {
	args := []affine.Expr{e}
	switch e := e.(type) {
	case affine.Min:
		args = e.Args
	case affine.Max:
		args = e.Args
	}
	for _, a := range args {
		if s, ok := a.(affine.Sum); ok && s.IsNum() && (best == nil || better(s.Const, *best)) {
			best = &s.Const
		}
	}
	return best
}

// cond collects what a condition calculates, in all ways in which printers write constraints.
func (x *indices) cond(at int, c astgen.Cond) {
	for _, all := range c {
		for _, e := range all {
			s, ok := e.(affine.Sum)
			if !ok {
				x.exprs(at, e)
				continue
			}
			for _, how := range []affine.Comparison{s.Compare(false), s.Compare(true), s.CompareNumberLeft()} {
				x.chain(at, how.Left, nil)
				x.chain(at, how.Right, nil)
			}
		}
	}
}

func (x *indices) exprs(at int, es ...affine.Expr) {
	for _, e := range es {
		x.expr(at, e, func(affine.Sum, []affine.Sum) {})
	}
}

// expr collects what e calculates, and calls f with the values that it may have, and rows that then hold for quotients in them.
func (x *indices) expr(at int, e affine.Expr, f func(v affine.Sum, rows []affine.Sum)) {
	switch e := e.(type) {
	case affine.Sum:
		x.chain(at, e.Chain(), nil)
		x.chain(at, e.NumberFirst(), nil)
		f(e, nil)
	case affine.FloorDiv:
		x.expr(at, e.X, func(v affine.Sum, rows []affine.Sum) {
			q := affine.Var(fmt.Sprintf("@q%d", len(rows)))
			f(q, append(rows[:len(rows):len(rows)], v.Minus(q.Times(e.D)), q.Times(e.D).Add(e.D-1).Minus(v)))
		})
	case affine.Mod: // of a sum, printers may take the divisor off
		x.value(at, affine.Num(2*e.D), nil) // a remainder below 0 and the divisor
		if s, ok := e.X.(affine.Sum); ok && s.Const > e.D/2 {
			x.exprs(at, s.Add(-e.D))
		}
		x.expr(at, e.X, func(affine.Sum, []affine.Sum) {})
		f(affine.Num(0), nil)
		f(affine.Num(e.D-1), nil)
	case affine.Min:
		for _, a := range e.Args {
			x.expr(at, a, f)
		}
	case affine.Max:
		for _, a := range e.Args {
			x.expr(at, a, f)
		}
	default:
		astgen.Unreadable("an index %v", e)
	}
}

// small reports whether all values on the way to c are plainly small: it has local variables only.
func (x *indices) small(c affine.Chain) bool {
	far := int64(0)
	for _, l := range c {
		size := int64(1)
		if l.Var != "" {
			in, ok := x.local[l.Var]
			if !ok {
				return false
			}
			size = max(in.hi, -in.lo)
		}
		far = affine.Plus(far, affine.Times(max(l.Coef, -l.Coef), size))
	}
	return far <= math.MaxInt32
}

func (x *indices) chain(at int, c affine.Chain, rows []affine.Sum) {
	if x.small(c) {
		return
	}
	for _, v := range c.Prefixes() {
		x.value(at, v, rows)
	}
}

// value collects v, whose local variables are where they make it the least, and where they make it the most.
func (x *indices) value(at int, v affine.Sum, rows []affine.Sum) {
	outer := v
	least, most := v.Const, v.Const
	for _, t := range v.Terms {
		if in, ok := x.local[t.Var]; ok {
			outer = outer.Without(t.Var)
			lo, hi := affine.Times(t.Coef, in.lo), affine.Times(t.Coef, in.hi)
			least, most = affine.Plus(least, min(lo, hi)), affine.Plus(most, max(lo, hi))
		}
	}
	outer = outer.Add(-outer.Const)
	key := fmt.Sprint(outer, rows)
	s := x.places[at].values[key]
	if s == nil {
		s = &spread{outer, least, most, rows}
		x.places[at].values[key] = s
	}
	s.least, s.most = min(s.least, least), max(s.most, most)
}

// violation returns a value that may need more than 32 bits, "" if there is none.
func (x *indices) violation() string {
	for _, p := range x.places {
		facts := make([]astgen.Facts, len(p.where))
		for i, rows := range p.where {
			facts[i] = astgen.NewFacts(rows, nil)
		}
		for _, key := range slices.Sorted(maps.Keys(p.values)) {
			v := p.values[key]
			within := affine.Num(math.MaxInt32 - v.most).Minus(v.sum)
			above := v.sum.Add(v.least - math.MinInt32)
			for i, rows := range p.where {
				f := facts[i]
				if len(v.rows) > 0 {
					f = astgen.NewFacts(slices.Concat(rows, v.rows), nil)
				}
				if !x.Implies(f, astgen.Gate{{within, above}}) {
					return fmt.Sprintf("%v, from %d less or more to %d, passes 32 bits", v.sum, v.least, v.most)
				}
			}
		}
	}
	return ""
}

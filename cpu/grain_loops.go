package cpu

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen/mapped"
	"github.com/hexcc/hexcc/astgen/scan"
	"github.com/hexcc/hexcc/scop"
)

// This file does the same for loops of a schedule that the user has written: what one run of a loop has to do whose iterations threads share out. Variables of
// loops around it are as good as parameters there.

// Grains returns the work of a run of each loop of p whose iterations may run at the same time, if it is not around or in another one: none where it is enough, or not known.
func Grains(p *mapped.Program) map[*scan.For]Grain {
	all := map[*scan.For]Grain{}
	var find func(scan.Node)
	find = func(n scan.Node) {
		if loop, ok := n.(*scan.For); ok && loop.Parallel {
			w := runs{prog: p.Scop, known: true}
			if w.node(loop, nil, Load{Nanoseconds: 1}); w.known {
				all[loop] = w.grain.settled()
			}
			return
		}
		for _, c := range inside(n) {
			find(c)
		}
	}
	find(p.Loops)
	return all
}

// inside returns what n is around.
func inside(n scan.Node) []scan.Node {
	switch n := n.(type) {
	case scan.Block:
		return n
	case *scan.For:
		return []scan.Node{n.Body}
	case *scan.If:
		return []scan.Node{n.Then, n.Else}
	case *scan.Mark:
		return []scan.Node{n.Body}
	}
	return nil
}

// An around is a loop around what runs, between lo and hi.
type around struct {
	name   string
	lo, hi extent
}

// runs sums up what loops run.
type runs struct {
	prog  *scop.Program
	grain Grain
	known bool
}

// node adds what n does, in loops that run it as often as l has points.
func (w *runs) node(n scan.Node, outer []around, l Load) {
	switch n := n.(type) {
	case *scan.For:
		lower, upper := ends(n.Lo, false), ends(n.Hi, true)
		if len(lower) == 0 || len(upper) == 0 {
			w.known = false
			return
		}
		e, lo, hi := narrowest(lower, upper)
		e = widest(e, outer)
		e.den = affine.Times(e.den, n.Step)
		outer = append(slices.Clip(outer), around{n.Var, lo, hi})
		l.Factors = slices.Clone(l.Factors)
		l.times(e)
	case *scan.Call:
		for _, st := range w.prog.Stmts {
			if st.Name == n.Stmt {
				l.Nanoseconds *= nanoseconds(st)
				w.grain = w.grain.plus(l)
			}
		}
	}
	for _, c := range inside(n) {
		w.node(c, outer, l)
	}
}

// ends returns sums that e is at most, where up is set, else at least; none where none is found. Divisions are exact.
func ends(e affine.Expr, up bool) (all []extent) {
	var args []affine.Expr
	switch e := e.(type) {
	case affine.Sum:
		return []extent{{e, 1}}
	case affine.FloorDiv:
		for _, x := range ends(e.X, up) {
			all = append(all, extent{x.Sum, affine.Times(x.den, e.D)})
		}
	case affine.Min:
		if up {
			args = e.Args
		}
	case affine.Max:
		if !up {
			args = e.Args
		}
	}
	for _, a := range args {
		all = append(all, ends(a, up)...)
	}
	return all
}

// widest returns what e is at most, over variables outside of the loops.
func widest(e extent, outer []around) extent {
	for _, loop := range slices.Backward(outer) {
		switch c := e.Coef(loop.name); {
		case c > 0:
			e = extent{e.Without(loop.name), e.den}.plus(c, loop.hi.over(e.den))
		case c < 0:
			e = extent{e.Without(loop.name), e.den}.plus(c, loop.lo.over(e.den))
		}
	}
	return e
}

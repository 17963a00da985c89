package astgen

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/schedule"
)

// Verify returns a broken invariant of p, or nil: variables are bound where
// they are used and no loop hides another, loops over tiles are in the order of
// the schedule, steps of a tile are in order and have the loops and iterators
// of their statements, and a full tile has neither guards nor bounds but numbers.
func (p *Program) Verify() error {
	v := verifier{p: p}
	bound := map[string]bool{}
	for _, x := range p.Schedule.Canonical.Scop.Params {
		bound[x.Name] = true
	}
	if len(p.Known) != len(p.Schedule.Phases) {
		v.fail("%d phases, and something known of %d", len(p.Schedule.Phases), len(p.Known))
	}
	v.node(p.Body, bound, schedule.Host)
	return v.err
}

// A verifier keeps the first broken invariant.
type verifier struct {
	p   *Program
	err error
}

func (v *verifier) fail(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf("astgen: "+format, args...)
	}
}

func (v *verifier) expr(e affine.Expr, bound map[string]bool) {
	affine.Vars(e, func(name string) {
		if !bound[name] {
			v.fail("%s is not bound in %v", name, e)
		}
	})
}

func (v *verifier) cond(c Cond, bound map[string]bool) {
	for _, all := range c {
		for _, e := range all {
			v.expr(e, bound)
		}
	}
}

// bind returns bound with the variable of a loop.
func (v *verifier) bind(name string, lo, hi affine.Expr, bound map[string]bool) map[string]bool {
	v.expr(lo, bound)
	v.expr(hi, bound)
	if bound[name] {
		v.fail("loop %s hides another", name)
	}
	bound = maps.Clone(bound)
	bound[name] = true
	return bound
}

// node checks n, which lies in a loop of that role or of none but the host's.
func (v *verifier) node(n Node, bound map[string]bool, within schedule.Role) {
	switch n := n.(type) {
	case nil:
	case Block:
		for _, m := range n {
			v.node(m, bound, within)
		}
	case For:
		if n.Role < within || n.Role == schedule.Thread {
			v.fail("loop %s, for %s, lies in one for %s", n.Var, roles[n.Role], roles[within])
		}
		v.node(n.Body, v.bind(n.Var, n.Lo, n.Hi, bound), n.Role)
	case Launch:
		if within != schedule.Host {
			v.fail("launch of phase %d in a loop for %s", n.Phase, roles[within])
		}
		for _, e := range n.Work.Exprs() {
			v.expr(e, bound)
		}
		v.node(n.Body, bound, within)
	case If:
		v.cond(n.Cond, bound)
		v.node(n.Then, bound, within)
		v.node(n.Else, bound, within)
	case Tile:
		v.tile(n, bound)
	case Streamed:
		v.tile(Tile{Phase: n.Phase, Steps: n.Steps}, v.bind(n.Var, n.Lo, n.Hi, bound))
	case Waves:
		v.waves(n, v.bind(n.Var, n.Lo, n.Hi, bound))
	case Rolled:
		v.rolled(n, v.bind(n.Var, n.Lo, n.Hi, bound))
	default:
		v.fail("unknown node %T", n)
	}
}

func (v *verifier) tile(t Tile, bound map[string]bool) {
	last := Step{A: -1}
	for _, s := range t.Steps {
		if !s.after(last) || s.A >= v.p.Schedule.Height {
			v.fail("step %d after step %d of %d", s.A, last.A, v.p.Schedule.Height)
		}
		last = s
		v.step(t, s, bound)
	}
}

// rolled checks the steps of a tile as a loop: one for each statement at most, in order.
func (v *verifier) rolled(r Rolled, bound map[string]bool) {
	last := Step{A: -1}
	for _, s := range r.Steps {
		if !s.after(last) || s.A >= int64(v.p.Schedule.Canonical.K) {
			v.fail("step %d after step %d of %d levels", s.A, last.A, v.p.Schedule.Canonical.K)
		}
		last = s
		v.step(Tile{}, s, bound)
	}
}

// waves checks the points of a wave: one step for each statement at most, in turn.
func (v *verifier) waves(w Waves, bound map[string]bool) {
	last := []int{-1}
	for _, s := range w.Steps {
		own := turn(v.p.Schedule.Canonical, s.Stmt)
		if slices.Compare(own, last) <= 0 || s.A >= int64(v.p.Schedule.Canonical.K) {
			v.fail("%s at level %d of %d in a wave: its turn is %v, after %v", s.Stmt.Name, s.A, v.p.Schedule.Canonical.K, own, last)
		}
		last = own
		guard, inside := s.Guard, bound
		s.Guard = nil
		v.step(Tile{}, s, bound)
		for _, l := range s.Loops {
			inside = v.bind(l.Var, l.Lo, l.Hi, inside)
		}
		v.cond(guard, inside)
	}
}

// after reports whether s runs after t, or at the same step for a later statement.
func (s Step) after(t Step) bool {
	return s.A > t.A || s.A == t.A && s.Stmt.Order > t.Stmt.Order
}

func (v *verifier) step(t Tile, s Step, bound map[string]bool) {
	if len(s.Loops) != len(v.p.Names.Points) || len(s.Iters) != len(s.Stmt.Iters) {
		v.fail("step %d: %d loops and %d iterators for %s", s.A, len(s.Loops), len(s.Iters), s.Stmt.Name)
	}
	v.cond(s.Guard, bound)
	for _, l := range s.Loops {
		bound = v.bind(l.Var, l.Lo, l.Hi, bound)
		if t.Full && !(affine.Same(l.Lo, affine.Num(l.BoxLo)) && affine.Same(l.Hi, affine.Num(l.BoxHi))) {
			v.fail("step %d of a full tile: %v <= %s <= %v", s.A, l.Lo, l.Var, l.Hi)
		}
	}
	if t.Full && s.Guard != nil {
		v.fail("step %d of a full tile has a guard", s.A)
	}
	for _, e := range s.Iters {
		v.expr(e, bound)
	}
}

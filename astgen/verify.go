package astgen

import (
	"fmt"

	"github.com/hexcc/hexcc/schedule"
)

// Verify checks that every variable is bound before it is used and bound once
// on any way, and that the steps of a tile come in order.
func (p *Program) Verify() error {
	v := verifier{bound: map[string]bool{}}
	for _, x := range p.Schedule.Canonical.Scop.Params {
		v.bound[x.Name] = true
	}
	return v.node(p.Body)
}

type verifier struct{ bound map[string]bool }

func (v verifier) node(n Node) error {
	switch n := n.(type) {
	case nil:
		return nil
	case Block:
		for _, m := range n {
			if err := v.node(m); err != nil {
				return err
			}
		}
		return nil
	case For:
		return v.loop(n)
	case Launch:
		return v.node(n.Body)
	case If:
		for _, rows := range n.Cond {
			if err := v.uses(rows...); err != nil {
				return err
			}
		}
		if err := v.node(n.Then); err != nil {
			return err
		}
		return v.node(n.Else)
	case Tile:
		return v.tile(n)
	default:
		panic(fmt.Sprintf("astgen: verify: unknown node %T", n))
	}
}

func (v verifier) loop(n For) error {
	if n.Role == schedule.Thread {
		return fmt.Errorf("loop %s has the role of a thread outside a tile", n.Var)
	}
	if err := v.uses(n.Lo, n.Hi); err != nil {
		return err
	}
	return v.bind(n.Var, func() error { return v.node(n.Body) })
}

// bind runs f with name bound.
func (v verifier) bind(name string, f func() error) error {
	if v.bound[name] {
		return fmt.Errorf("%s is bound twice", name)
	}
	v.bound[name] = true
	defer delete(v.bound, name)
	return f()
}

func (v verifier) tile(n Tile) error {
	last := int64(-1)
	for _, s := range n.Steps {
		if s.A <= last {
			return fmt.Errorf("step %d follows step %d", s.A, last)
		}
		last = s.A
		if n.Full && s.Guard != nil {
			return fmt.Errorf("step %d of a full tile has a guard", s.A)
		}
		if err := v.step(s, s.Loops); err != nil {
			return fmt.Errorf("step %d: %w", s.A, err)
		}
	}
	return nil
}

// step checks s inside the loops that remain.
func (v verifier) step(s Step, loops []Loop) error {
	if len(loops) > 0 {
		l := loops[0]
		if err := v.uses(l.Lo, l.Hi); err != nil {
			return err
		}
		return v.bind(l.Var, func() error { return v.step(s, loops[1:]) })
	}
	for _, rows := range s.Guard {
		if err := v.uses(rows...); err != nil {
			return err
		}
	}
	return v.uses(s.Iters...)
}

// uses checks that the variables of the expressions are bound.
func (v verifier) uses(exprs ...Expr) (err error) {
	for _, e := range exprs {
		Vars(e, func(name string) {
			if !v.bound[name] && err == nil {
				err = fmt.Errorf("%s is used in %v but not bound", name, e)
			}
		})
	}
	return err
}

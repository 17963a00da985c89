package rewrite

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/scop"
)

// This file counts the operations of code that computes several points next to each other, each subexpression once: by numbers of values, as compilers find common subexpressions.

// A cost is what points take: first along the loop that counts, then, among equals, along the others.
type cost struct{ along, others int64 }

func (c cost) less(d cost) bool {
	return c.along < d.along || c.along == d.along && c.others < d.others
}

// cost returns that of a value of the statement, of which nothing is computed elsewhere.
func (g *grouper) cost(e scop.Expr) cost {
	return g.bodyCost([]scop.Action{scop.Store{Value: e}})
}

// bodyCost returns the cost of a body of the statement.
func (g *grouper) bodyCost(body []scop.Action) (c cost) {
	if g.fma {
		body = scop.WithValues(body, scop.FusedValue)
	}
	for d := 1; d < len(g.stmt.Iters); d++ {
		n := numbering{stmt: g.stmt, along: d, ids: map[string]int{}}
		for at := range int64(g.points) {
			n.point(body, at)
		}
		if d == g.along {
			c.along = n.operations
		} else {
			c.others += n.operations
		}
	}
	return c
}

// A numbering numbers the values of points of a statement along a loop: equal numbers, equal values.
type numbering struct {
	stmt       *scop.Stmt
	along      int
	ids        map[string]int
	operations int64
}

// id returns the number of what text stands for, which takes that many operations unless it is there already.
func (n *numbering) id(text string, operations int64) int {
	id, ok := n.ids[text]
	if !ok {
		id = len(n.ids)
		n.ids[text] = id
		n.operations += operations
	}
	return id
}

// point numbers the values of a body, of the point that is that far along the loop.
func (n *numbering) point(body []scop.Action, at int64) {
	locals := map[string]int{}
	for _, act := range body {
		id := n.value(scop.Assigned(act), locals, at)
		if let, ok := act.(scop.Let); ok {
			locals[let.Name] = n.id(fmt.Sprintf("%v of %d", let.Type, id), 0)
		}
	}
}

// value returns the number of e.
func (n *numbering) value(e scop.Expr, locals map[string]int, at int64) int {
	of := func(all ...scop.Expr) (ids []int) {
		for _, x := range all {
			ids = append(ids, n.value(x, locals, at))
		}
		return ids
	}
	switch e := e.(type) {
	case scop.Const:
		return n.id(key(e, 0, 0), 0)
	case scop.Var:
		text := key(e, 0, 0)
		if id, ok := locals[e.Name]; ok && e.Kind == scop.LocalVar {
			return id
		} else if e.Kind == scop.LocalVar || e.Kind == scop.IterVar && e.Name == n.stmt.Iters[n.along] {
			text += fmt.Sprintf(" at %d", at)
		}
		return n.id(text, 0)
	case scop.Read:
		text := key(e, n.along, at)
		if n.changes(e.From) {
			text += fmt.Sprintf(" at %d", at)
		}
		return n.id(text, 0)
	case scop.Unary:
		return n.id(fmt.Sprint(e.Op, of(e.X)), 0) // a sign is of the operation that takes it
	case scop.Binary:
		ids, operations := of(e.X, e.Y), int64(1)
		if e.Op == "+" || e.Op == "*" {
			slices.Sort(ids)
		}
		if e.Op == "/" || e.Op == "%" {
			operations = scop.CallCost
		}
		return n.id(fmt.Sprint(e.Op, ids), operations)
	case scop.Cast:
		return n.id(fmt.Sprint(e.T, of(e.X)), 0)
	case scop.Call:
		if e.IsFMA() {
			ids := of(e.Args...)
			slices.Sort(ids[:2])
			return n.id(fmt.Sprint(e.Func, ids), 1)
		}
		return n.id(fmt.Sprint(e.Func, of(e.Args...)), scop.CallCost)
	case scop.Cond:
		return n.id(fmt.Sprint("?", of(e.C, e.X, e.Y)), 1)
	}
	panic(fmt.Sprintf("rewrite: unknown expression %T", e))
}

// changes reports whether the statement may store to what x reads between one point and the next: to that array, unless in another plane of it.
func (n *numbering) changes(x *scop.Access) bool {
	return slices.ContainsFunc(n.stmt.Accesses, func(w *scop.Access) bool { return w.Write && w.Array == x.Array && !planesApart(w, x) })
}

// planesApart reports whether a subscript moves with the time loop alone and is never the same in both.
func planesApart(x, y *scop.Access) bool {
	for k, i := range x.Index {
		j := y.Index[k]
		alike := i.Mod == j.Mod && len(trimmed(i.Iters)) <= 1 && slices.Equal(trimmed(i.Iters), trimmed(j.Iters)) && slices.Equal(trimmed(i.Params), trimmed(j.Params))
		if alike && subscriptKey(i, 0, 0) != subscriptKey(j, 0, 0) {
			return true
		}
	}
	return false
}

package rewrite

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/scop"
)

// This file lets sums go through local variables of their type, which round them as the sum itself is rounded at each of its operations:
//
//	float s = 0.1f*a[i-1] + 0.1f*a[i];  b[i] = s + 0.1f*a[i+1]        =>        b[i] = 0.1f*a[i-1] + 0.1f*a[i] + 0.1f*a[i+1]
//
// A variable is put into the sums that it is a term of if it is used nowhere else, and what it is made of has not changed there. It is no action of the body any more.

// largest bounds the expressions that variables are put into, in nodes: all ways to regroup a sum are tried, and those to regroup sums in it for each of them.
const largest = 512

// throughLocals returns actions in which variables in float and double are put into the sums that they are terms of: those with one use, or with many those with more as well. It returns nil
// where there are none.
func throughLocals(actions []scop.Action, many bool) []scop.Action {
	changed := false
	for i := 0; i < len(actions); {
		if out := throughLocal(actions, i, many); out != nil {
			actions, changed = out, true
			continue // another action is at i
		}
		i++
	}
	if !changed {
		return nil
	}
	return declared(actions)
}

// throughLocal returns actions without the one at i, which sets a variable, and with its value in place of that; nil: it has to stay.
func throughLocal(actions []scop.Action, i int, many bool) []scop.Action {
	let, ok := actions[i].(scop.Let)
	if !ok || let.Type != let.Value.Type() || let.Type != scop.Float && let.Type != scop.Double {
		return nil
	}
	out := slices.Concat(actions[:i], actions[i+1:])
	uses, stale := 0, false
	for k, act := range out[i:] {
		terms, others := localUses(scop.Assigned(act), let.Name, true)
		if uses += terms; others > 0 || uses > 1 && !many || terms > 0 && stale {
			return nil
		}
		if terms > 0 {
			e := withLocal(scop.Assigned(act), let.Name, let.Value)
			if nodes(e) > largest {
				return nil
			}
			out[i+k] = scop.WithValues([]scop.Action{act}, func(scop.Expr) scop.Expr { return e })[0]
		}
		if other, ok := act.(scop.Let); ok && other.Name == let.Name {
			break
		}
		stale = stale || overwrites(act, let.Value)
	}
	if uses == 0 {
		return nil
	}
	return out
}

// overwrites reports whether an action may set what e is made of.
func overwrites(act scop.Action, e scop.Expr) (found bool) {
	scop.Visit(e, func(e scop.Expr) {
		switch e := e.(type) {
		case scop.Read:
			store, ok := act.(scop.Store)
			found = found || ok && store.To.Array == e.From.Array
		case scop.Var:
			let, ok := act.(scop.Let)
			found = found || ok && e.Kind == scop.LocalVar && let.Name == e.Name
		}
	})
	return found
}

// localUses counts how often e uses a local variable: as a term of a sum, or as all that is assigned, and otherwise. isTerm says that e is one.
func localUses(e scop.Expr, name string, isTerm bool) (terms, others int) {
	add := func(e scop.Expr, isTerm bool) {
		t, o := localUses(e, name, isTerm)
		terms, others = terms+t, others+o
	}
	switch e := e.(type) {
	case scop.Const, scop.Read:
	case scop.Var:
		switch {
		case e.Kind != scop.LocalVar || e.Name != name:
		case isTerm:
			terms++
		default:
			others++
		}
	case scop.Unary:
		add(e.X, isTerm && e.Op != "!")
	case scop.Binary:
		switch sum := e.Op == "+" || e.Op == "-"; {
		case sum:
			add(e.X, true)
			add(e.Y, true)
		default:
			add(e.X, isTerm && (e.Op == "*" || e.Op == "/") && invariant(e.Y))
			add(e.Y, isTerm && e.Op == "*" && invariant(e.X))
		}
	case scop.Cast:
		add(e.X, false)
	case scop.Call:
		for _, x := range e.Args {
			add(x, false)
		}
	case scop.Cond:
		add(e.C, false)
		add(e.X, isTerm)
		add(e.Y, isTerm)
	default:
		panic(fmt.Sprintf("rewrite: unknown expression %T", e))
	}
	return terms, others
}

// withLocal returns e with a value in place of a local variable.
func withLocal(e scop.Expr, name string, value scop.Expr) scop.Expr {
	if v, ok := e.(scop.Var); ok && v.Kind == scop.LocalVar && v.Name == name {
		return value
	}
	return scop.WithOperands(e, func(e scop.Expr) scop.Expr { return withLocal(e, name, value) })
}

// nodes counts the parts of e, and that.
func nodes(e scop.Expr) (n int) {
	scop.Visit(e, func(scop.Expr) { n++ })
	return n
}

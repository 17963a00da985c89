package frontend

import (
	"slices"

	"github.com/hexcc/hexcc/scop"
)

// This file tidies the body of a nest once it is read: what nobody reads goes,
// each local is declared where it is first set, accesses are listed in order.

// finishBody sets the actions and the accesses of the nest.
func (sr *statementReader) finishBody() {
	all := sr.actions
	sr.actions = live(all)
	declared := map[string]bool{}
	for i, a := range sr.actions {
		if let, ok := a.(scop.Let); ok {
			let.Declare = !declared[let.Name]
			declared[let.Name] = true
			sr.actions[i] = let
		}
	}
	sr.n.stmt.Body = sr.actions
	seen := map[*scop.Access]bool{}
	add := func(a *scop.Access) {
		if !seen[a] {
			seen[a] = true
			sr.n.accesses = append(sr.n.accesses, sr.byAccess[a])
		}
	}
	for _, a := range sr.actions {
		scop.Visit(scop.Assigned(a), func(e scop.Expr) {
			if r, ok := e.(scop.Read); ok {
				add(r.From)
			}
		})
		if s, ok := a.(scop.Store); ok {
			s.To = sr.byAccess[s.To].Access
			add(s.To)
		}
	}
	for _, a := range all {
		scop.Visit(scop.Assigned(a), func(e scop.Expr) {
			if r, ok := e.(scop.Read); ok && !seen[r.From] {
				seen[r.From] = true
				sr.n.unused = append(sr.n.unused, sr.byAccess[r.From])
			}
		})
	}
}

// live returns actions without those that set what nobody reads, unless none
// stores anything: then the body is what the user has to mend.
func live(actions []scop.Action) []scop.Action {
	if !slices.ContainsFunc(actions, func(a scop.Action) bool { _, ok := a.(scop.Store); return ok }) {
		return actions
	}
	needed := map[string]bool{}
	var kept []scop.Action
	for _, a := range slices.Backward(actions) {
		if let, ok := a.(scop.Let); ok {
			if !needed[let.Name] { // a division by 0 in it, which C does not define, goes too
				continue
			}
			delete(needed, let.Name)
		}
		scop.Visit(scop.Assigned(a), func(e scop.Expr) {
			if v, ok := e.(scop.Var); ok && v.Kind == scop.LocalVar {
				needed[v.Name] = true
			}
		})
		kept = append(kept, a)
	}
	slices.Reverse(kept)
	return kept
}

// mayFail reports whether e divides integers by something that may be 0.
func mayFail(e scop.Expr) (found bool) {
	scop.Visit(e, func(e scop.Expr) {
		d, ok := e.(scop.Binary)
		if !ok || d.Op != "/" && d.Op != "%" || d.Type().IsFloat() {
			return
		}
		y := d.Y
		for {
			c, ok := y.(scop.Cast)
			if !ok {
				break
			}
			y = c.X
		}
		if c, ok := y.(scop.Const); !ok || c.I == 0 {
			found = true
		}
	})
	return found
}

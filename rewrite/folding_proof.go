package rewrite

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file proves that a program whose arrays are folded computes what it did: each combination is put back where it is read, by Inline, which asks exact sets whether the element that is read is one
// that its nest has stored, and would store there, too; and what comes of that is, operation by operation, what was there.

// proveFolding returns why statements of after, which is before with nests that store to arrays with the names made, do not compute what those of before do; "": they do.
func proveFolding(before, after *scop.Program, made []string) string {
	var writers, readers []int
	for i, s := range after.Stmts {
		if slices.ContainsFunc(s.Accesses, func(a *scop.Access) bool { return a.Write && slices.Contains(made, a.Array.Name) }) {
			writers = append(writers, i)
		} else {
			readers = append(readers, i)
		}
	}
	if len(readers) != len(before.Stmts) {
		return fmt.Sprintf("%d statements are %d", len(before.Stmts), len(readers))
	}
	for k, i := range readers {
		s, was := after.Stmts[i], before.Stmts[k]
		if !slices.Equal(s.Iters, was.Iters) || !slices.EqualFunc(s.Bounds, was.Bounds, sameBound) || !slices.Equal(s.Down, was.Down) {
			return fmt.Sprintf("%s has other loops", was.Name)
		}
		body := s.Body
		var needs []int // the nests before it whose arrays it reads, and those whose arrays they read
		for need := []*scop.Stmt{s}; len(need) > 0; need = need[1:] {
			for _, w := range writers {
				a := after.Stmts[w].Body[0].(scop.Store).To.Array
				if after.Stmts[w] != need[0] && !slices.Contains(needs, w) && slices.ContainsFunc(need[0].Accesses, func(x *scop.Access) bool { return x.Array == a && !x.Write }) {
					needs, need = append(needs, w), append(need, after.Stmts[w])
				}
			}
		}
		if len(needs) > 0 {
			r, err := inline(after, [][]int{append(needs, i)})
			var list diag.List
			switch {
			case errors.As(err, &list):
				return list[0].Msg
			case err != nil:
				return err.Error()
			}
			body = r.Program.Stmts[slices.Index(r.Orders, i)].Body
		}
		if why := sameBody(was, body); why != "" {
			return why
		}
	}
	return ""
}

func sameBound(a, b scop.Affine) bool {
	return a.Const == b.Const && slices.Equal(trimmed(a.Iters), trimmed(b.Iters)) && slices.Equal(trimmed(a.Params), trimmed(b.Params))
}

// sameBody returns where actions, once variables that they begin with and s does not have stand for their values, do something else than s; "": nowhere.
func sameBody(s *scop.Stmt, actions []scop.Action) string {
	for len(actions) > len(s.Body) {
		let, ok := actions[0].(scop.Let)
		if !ok {
			break
		}
		actions = scop.WithValues(actions[1:], func(e scop.Expr) scop.Expr { return withLocal(e, let.Name, let.Value) })
	}
	if len(actions) != len(s.Body) {
		return fmt.Sprintf("%s has %d actions in place of %d", s.Name, len(actions), len(s.Body))
	}
	for k, act := range s.Body {
		now := actions[k]
		same := key(scop.Assigned(act), 0, 0) == key(scop.Assigned(now), 0, 0)
		switch a := act.(type) {
		case scop.Let:
			b, ok := now.(scop.Let)
			same = same && ok && a.Name == b.Name && a.Type == b.Type && a.Declare == b.Declare
		case scop.Store:
			b, ok := now.(scop.Store)
			same = same && ok && a.To.Array == b.To.Array && slices.EqualFunc(a.To.Index, b.To.Index, schedule.SameIndex)
		}
		if !same {
			return fmt.Sprintf("action %d of %s is another one", k+1, s.Name)
		}
	}
	return ""
}

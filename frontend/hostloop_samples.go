package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// This file finds loops over points whose places are data, as those of receivers:
//
//	for (r = 0; r < receivers; r++) record[t][r] = u[z[r]][x[r]];
//
// No region holds them: which elements they use is known only when the program runs. The host runs them as they are.

// samples reports whether subscripts in s are made of elements of arrays of which it is not known what they hold, or of quotients by variables.
func (h *hostLoops) samples(s stmt) bool {
	var uses []tableUse
	h.tableUses(s, &uses)
	var guessed []*cc.Declarator
	for _, u := range uses {
		if !slices.Contains(guessed, u.decl) {
			if _, found := h.guessTable(u.decl, []stmt{s}); found {
				guessed = append(guessed, u.decl)
			}
		}
	}
	found := false
	eachExprIn(s, func(e expr) {
		x, ok := e.(index)
		if !ok {
			return
		}
		eachExpr(x.sub, func(e expr) {
			if b, ok := e.(binary); ok && b.op == "/" {
				_, number := literal(b.y)
				found = found || !number // places that are shared out, as 10 + r * (n - 20) / receivers
			}
			p, ok := lvalue(e)
			if _, element := e.(index); !element || !ok || p.root.decl == nil {
				return
			}
			constant := !isPointer(p.root.decl) && !p.root.decl.IsParam() && (p.root.decl.IsConst() || elemOf(p.root.decl.Type()).Attributes().IsConst())
			found = found || !constant && !slices.Contains(guessed, p.root.decl)
		})
	})
	return found
}

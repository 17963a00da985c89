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

// sources writes f, on ranks, if it is a short loop over places that are known only when the program runs, as few sources have: each turn of it is a nest, in which
// who has the element computes it.
//
//	for (int k = 0; k < 2; k++) A[s[k].i][s[k].j] += f * s[k].rate;  =>  for (int k = 0; k < 1; k++) ..    for (int k = 1; k < 2; k++) ..
func (h *hostLoops) sources(f forStmt) bool {
	d, declares := f.init.(declStmt)
	if !h.o.Ranks || !declares || len(d.vars) != 1 || !writtenOut(f) || h.timeLike(f) || !setsElements(f) || !h.known(f) || len(h.gatheredIn(f)) > 0 || !h.samples(f) {
		return false
	}
	k := iteratorOf(f)
	by, constant := stepOf(f.step, k)
	c, compares := f.cond.(binary)
	if k == nil || !constant || by != 1 || !compares || !isIdent(c.x, k) || c.op != "<" && c.op != "<=" || contains(f.body, isLoop) || assigns(f.body, k) {
		return false
	}
	first, _ := literal(initOf(f))
	last, _ := literal(c.y)
	if c.op == "<=" {
		last++
	}
	from, to := h.extent(f)
	inside, _ := h.extent(f.body)
	h.upTo(from)
	for v := first; v < last; v++ {
		turn := func() {
			h.put("for (%s %s = %d; %s < %d; %s++) ", h.f.typeText(k.Type()), k.Name(), v, k.Name(), v+1, k.Name())
			h.copy(inside, to)
		}
		h.nests([]stmt{f}, nil, "", turn, turn)
	}
	h.skipTo(to)
	return true
}

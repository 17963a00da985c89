package frontend

import (
	"maps"
	"slices"

	"github.com/hexcc/hexcc/scop"
)

// This file takes a nest apart where a remainder in a subscript changes its quotient (affine_wrap.go), and where a condition in one
// changes its side, in a loop that is written out (affine_choice.go):
//
//	for (i = 0; i < n; i++)                        for (i = 0; i < n-1; i++) B[i] = A[i+1];
//	  B[i] = A[(i+1) % n];                   =>    B[n-1] = A[0];

// unwrap returns the parts into which p falls where some quotient or side changes; ok is false where none does.
func (nr *nestReader) unwrap(n *nest, p part) (parts []part, ok bool) {
	at := n.place()
	at.constraints = slices.Concat(at.constraints, p.constraints)
	nr.turnsLeft = 2 * maxUnroll
	side, ok := nr.wrapIn(p.body, at, nil)
	if !ok {
		return nil, false
	}
	for _, r := range []linear{side, side.scale(-1).addc(-1)} {
		parts = append(parts, part{slices.Concat(p.constraints, []linear{r}), p.body, p.early, p.remainders})
	}
	return parts, true
}

// onlySmall reports whether there are instances of n that satisfy constraints for small sizes only.
func (nr *nestReader) onlySmall(n *nest, constraints []linear) bool {
	fr := nr.frame().with(n.loops)
	var large []linear
	for _, d := range fr.params {
		if slices.ContainsFunc(slices.Concat(n.constraints, constraints), func(r linear) bool { return r.v.of(d) != 0 }) {
			large = append(large, variable(d).addc(-largeSize))
		}
	}
	return fr.none(slices.Concat(n.constraints, constraints, large))
}

// whySmall returns those of constraints that are why only small sizes satisfy them.
func (nr *nestReader) whySmall(n *nest, constraints []linear) []linear {
	for i := len(constraints) - 1; i >= 0; i-- {
		if rest := slices.Delete(slices.Clone(constraints), i, i+1); nr.onlySmall(n, rest) {
			constraints = rest
		}
	}
	return constraints
}

// leaveSmall notes that p, a part of n, is not there: that sizes are large enough is tested before the kernels run.
func (nr *nestReader) leaveSmall(n *nest, p part) {
	w := n.loops[min(1, len(n.loops)-1)].where
	nr.owe(obligation{where: w, code: "HX110", msg: "points of this nest may be near both ends of a dimension", value: constant(-1), loops: n.loops,
		constraints: n.constraints, small: p.constraints, tested: "has no points near both ends of a dimension"})
}

// wrapIn returns where the quotient of a remainder, or the side of a condition, in a subscript of ss changes, at any turn of the loops in ss, which are written out later,
// or in a function of the file that ss call, inside of calls: the sum is >= 0 on one side.
func (nr *nestReader) wrapIn(ss []stmt, at place, calls callStack) (side linear, ok bool) {
	for _, s := range ss {
		switch s := s.(type) {
		case block:
			side, ok = nr.wrapIn(s.items, at, calls)
		case ifStmt:
			if side, ok = nr.wrapIn(flatten([]stmt{s.then}), at, calls); !ok {
				side, ok = nr.wrapIn(flatten([]stmt{s.orElse}), at, calls)
			}
		case forStmt:
			side, ok = nr.wrapInTurns(s, at, calls)
		}
		for _, e := range exprsOf(s) {
			eachExpr(e, func(e expr) {
				switch x := e.(type) {
				case index:
					if !ok {
						side, ok = nr.caseAt(x.sub, at)
					}
				case call:
					if !ok {
						side, ok = nr.wrapInCall(x, at, calls)
					}
				}
			})
		}
		if ok {
			return side, true
		}
	}
	return linear{}, false
}

// wrapInTurns is wrapIn for the turns of a loop whose bounds are numbers.
func (nr *nestReader) wrapInTurns(f forStmt, at place, calls callStack) (side linear, ok bool) {
	back := nr.try()
	defer func() { back() }()
	d := iteratorOf(f)
	if d == nil || f.cond == nil || initOf(f) == nil || !contains(f.body, holdsCases) && !nr.callsOfFile([]stmt{f.body}) {
		return linear{}, false
	}
	by, steps := stepOf(f.step, d)
	from, why := nr.linear(initOf(f), at)
	t, isNumber := numberType(d.Type())
	if !steps || by == 0 || why != nil || !from.isConstant() || !isNumber || t.IsFloat() {
		return linear{}, false
	}
	at.locals = maps.Clone(at.locals)
	for v, count := from.c, 0; count <= maxUnroll; v, count = v+by, count+1 {
		value := constant(v)
		at.locals[d] = &local{name: d.Name(), typ: t, set: true, assigned: true, alias: scop.Const{T: t, I: v}, value: &value}
		if more, known := nr.decide(f.cond, at); !more || !known {
			break
		}
		if nr.turnsLeft--; nr.turnsLeft < 0 {
			break // so many are not written out
		}
		if side, ok = nr.wrapIn(flatten([]stmt{f.body}), at, calls); ok {
			return side, true
		}
	}
	return linear{}, false
}

// holdsCases reports whether s has a remainder in it, or a choice in a subscript.
func holdsCases(s stmt) (found bool) {
	for _, e := range exprsOf(s) {
		eachExpr(e, func(e expr) {
			if x, ok := e.(index); ok {
				eachExpr(x.sub, func(e expr) { _, choice := e.(cond); found = found || choice })
			}
		})
	}
	return found || holdsRemainder(s)
}

// holdsRemainder reports whether s has a remainder in it.
func holdsRemainder(s stmt) (found bool) {
	for _, e := range exprsOf(s) {
		eachExpr(e, func(e expr) {
			b, ok := e.(binary)
			found = found || ok && (b.op == "%" || b.op == "&")
		})
	}
	return found
}

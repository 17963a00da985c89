package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// This file writes out, where subscripts and bounds use them, the values of variables that hold an index, of functions
// that compute one, and of pointers into an array:
//
//	int k = i * m + j, e = j < m - 1 ? k + 1 : k;
//	const double *row = u + i * m;                      =>   v[i * m + j] = u[j < m - 1 ? i * m + j + 1 : i * m + j]
//	v[k] = u[e] + row[j - 1];                                             + u[i * m + j - 1];
//
// What is written out is made of loop variables and of variables that have the same value where it is used as where it was
// computed. An index that is a plain sum stays: later stages know the values of such variables.

// An indexer writes out the values of variables in the statements of a region, in order.
type indexer struct {
	*survey
	values   map[*cc.Declarator]indexValue // at this place
	pointers map[*cc.Declarator]bool       // the pointers that are written out
	lost     map[*cc.Declarator]bool       // of these, the ones that are used where their value is not known
	result   *cc.Declarator                // stands for the value of the function whose statements are read
	impure   bool                          // those statements do more than compute it
	branches int                           // around this place
	sums     bool                          // plain sums are written out, too: in heads of loops
	depth    int                           // of functions around this place
}

// An indexValue is an expression that a variable is equal to.
type indexValue struct {
	expr
	born   int  // inside how many branches the variable is declared
	branch bool // it was set inside of more
}

// maxIndexDepth bounds functions in functions that compute an index.
const maxIndexDepth = 16

// writeOut returns ss with the values of indices and of pointers written out; strides says that those of products
// that the function computes before the region are, too.
func (sv *survey) writeOut(ss []stmt, strides bool) []stmt {
	return sv.writtenOut(ss, func(ix *indexer) {
		if strides {
			ix.values = sv.strides()
		}
	})
}

// writeOutBody is writeOut of the statements of a function that is put where an expression calls it; args are what its
// parameters that are integers are given.
func (sv *survey) writeOutBody(ss []stmt, args map[*cc.Declarator]expr) []stmt {
	return sv.writtenOut(ss, func(ix *indexer) {
		for d, e := range args {
			if isIndex(e) && !isSum(e) {
				ix.set(d, e)
			}
		}
	})
}

// writtenOut returns ss with the values written out that begin knows, and those that ss set.
func (sv *survey) writtenOut(ss []stmt, begin func(*indexer)) []stmt {
	ix := &indexer{survey: sv, pointers: sv.inPlace(ss)}
	for {
		ix.values, ix.lost = map[*cc.Declarator]indexValue{}, map[*cc.Declarator]bool{}
		begin(ix)
		out := ix.stmts(ss)
		if len(ix.lost) == 0 {
			return out
		}
		for d := range ix.lost {
			delete(ix.pointers, d)
		}
	}
}

// strides returns the values that integers of the function have in the region, where nothing changes them and what they are computed of
// after they are set: sums, products and quotients, such as int row = n + 2, int plane = row * m
// and int middle = n / 2 * m + m / 2.
func (sv *survey) strides() map[*cc.Declarator]indexValue {
	ix := &indexer{survey: sv, values: map[*cc.Declarator]indexValue{}, depth: 1}
	sv.eachKept(func(v varDecl, keeps func(*cc.Declarator) bool) {
		e := ix.rewritten(v.init, true)
		if t, number := storedType(v.decl.Type()); !number || t.IsFloat() || !isProduct(e) {
			return
		}
		known := true
		eachExpr(e, func(e expr) {
			x, ok := e.(ident)
			known = known && (!ok || x.decl != nil && keeps(x.decl))
		})
		if known {
			ix.set(v.decl, e)
		}
	})
	for d, v := range ix.values {
		v.branch = true // sums are written out, too
		ix.values[d] = v
	}
	return ix.values
}

// isProduct reports whether e is a sum of products of variables, of quotients of such sums by numbers, and of numbers.
func isProduct(e expr) bool {
	switch e := e.(type) {
	case number, ident:
		return true
	case unary:
		return (e.op == "-" || e.op == "+") && isProduct(e.x)
	case cast:
		t, ok := numberType(e.typ)
		return ok && !t.IsFloat() && isProduct(e.x)
	case binary:
		if e.op == "/" {
			by, number := literal(e.y)
			return number && by > 1 && isProduct(e.x)
		}
		return (e.op == "+" || e.op == "-" || e.op == "*") && isProduct(e.x) && isProduct(e.y)
	}
	return false
}

// setsPointersInMemory reports whether ss may set pointers that are no variables but elements or members.
func setsPointersInMemory(ss []stmt) (found bool) {
	set := func(e expr) {
		if _, isVariable := e.(ident); !isVariable {
			p, ok := lvalue(e)
			found = found || !ok || p.typ.Kind() == cc.Ptr
		}
	}
	for _, s := range ss {
		eachExprIn(s, func(e expr) {
			switch e := e.(type) {
			case assign:
				set(e.x)
			case unary:
				if e.op == "&" {
					set(e.x)
				}
			}
		})
	}
	return found
}

// inPlace returns the pointers that ss set to places inside of arrays, such as a + i*m, and to nothing that only
// the whole region tells, as where pointers are exchanged.
func (sv *survey) inPlace(ss []stmt) map[*cc.Declarator]bool {
	inside, other := map[*cc.Declarator]bool{}, map[*cc.Declarator]bool{}
	kept := !setsPointersInMemory(ss)
	note := func(d *cc.Declarator, e expr) {
		if d == nil || !isPointer(d) {
			return
		}
		p, offset, ok := pointer(e)
		if ok && (offset != nil || len(p.subs) > 0) && (kept || !p.throughPointer()) && pointedTo(p.typ).Kind() == pointedTo(d.Type()).Kind() {
			inside[d] = true
		}
		other[d] = other[d] || !sv.isAutomatic(d) || isVolatile(d) || sv.attached(d) != ""
	}
	for _, s := range ss {
		eachStmt(s, func(s stmt) {
			if d, ok := s.(declStmt); ok {
				for _, v := range d.vars {
					if v.init != nil {
						note(v.decl, v.init)
					}
				}
			}
			if x, ok := s.(exprStmt); ok {
				if a, ok := x.x.(assign); ok {
					if to, ok := a.x.(ident); ok {
						note(to.decl, valueAfter(a))
						return
					}
				}
			}
			for _, e := range exprsOf(s) {
				eachExpr(e, func(e expr) {
					switch e := e.(type) {
					case assign:
						if to, ok := e.x.(ident); ok && to.decl != nil {
							other[to.decl] = true // inside of an expression, or by ++
						}
					case ident:
						if sv.u.members.is(e.decl) {
							other[sv.u.members.rootOf(e.decl)] = true // p->x is a variable of its own
						}
					}
				})
			}
		})
	}
	for d := range other {
		if other[d] || !sv.inRegion(d) && sv.isReadAfter(d) {
			delete(inside, d)
		}
	}
	return inside
}

// isReadAfter reports whether the value that the region leaves in d may be read.
func (src *source) isReadAfter(d *cc.Declarator) bool {
	u := &liveness{source: src, decl: d}
	for i := len(src.r.around) - 1; i >= 0 && u.fate == unknown; i-- {
		switch s := src.r.around[i].(type) {
		case block:
			u.after(s.items)
		case forStmt, otherStmt: // a loop: after its end comes its beginning
			u.stmt(s)
			u.cannotEnd()
		}
	}
	return u.fate == read
}

func sizeOfExpr(e expr) (n int) {
	eachExpr(e, func(expr) { n++ })
	return n
}

// isIndex reports whether e is computed from integers alone.
func isIndex(e expr) bool {
	switch e := e.(type) {
	case number:
		t, ok := numberType(e.typ)
		_, whole := intValue(e.val)
		return ok && whole && !t.IsFloat()
	case ident:
		if e.decl == nil {
			return false
		}
		t, ok := storedType(e.decl.Type())
		return ok && !t.IsFloat() && !isVolatile(e.decl)
	case unary:
		return e.op != "*" && e.op != "&" && isIndex(e.x)
	case binary:
		return isIndex(e.x) && isIndex(e.y)
	case cond:
		return isIndex(e.c) && isIndex(e.x) && isIndex(e.y)
	case cast:
		t, ok := storedType(e.typ)
		return ok && !t.IsFloat() && isIndex(e.x)
	case index, memberExpr: // of a table of constants
		p, ok := lvalue(e)
		if !ok || isPointer(p.root.decl) || p.root.decl.IsParam() {
			return false
		}
		shape, ok := shapeOf(p.root.decl)
		t, isNumber := storedType(p.typ)
		return ok && isNumber && !t.IsFloat() && (p.root.decl.IsConst() || shape.elem.Attributes().IsConst()) && !slices.ContainsFunc(p.subs, func(e expr) bool { return !isIndex(e) })
	}
	return false
}

// isSum reports whether e is a sum of variables with numbers for factors.
func isSum(e expr) bool {
	switch e := e.(type) {
	case number, ident, index, memberExpr:
		return true
	case unary:
		return (e.op == "-" || e.op == "+") && isSum(e.x)
	case cast:
		t, ok := numberType(e.typ)
		return ok && !t.IsFloat() && isSum(e.x)
	case binary:
		switch e.op {
		case "+", "-":
			return isSum(e.x) && isSum(e.y)
		case "*":
			_, x := literal(e.x)
			_, y := literal(e.y)
			return x && isSum(e.y) || y && isSum(e.x)
		}
	}
	return false
}

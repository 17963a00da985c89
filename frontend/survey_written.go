package frontend

import (
	"modernc.org/cc/v4"
)

// This file puts the values that an indexer knows in the place of names and calls: of integers in subscripts, bounds and
// conditions, of pointers wherever they stand.

// rewritten returns e with values written out; in says that e is, or is part of, a subscript, a bound or an affine condition.
func (ix *indexer) rewritten(e expr, in bool) expr {
	switch x := e.(type) {
	case nil:
		return nil
	case ident:
		return ix.valueOf(x, in)
	case index:
		x.base, x.sub = ix.rewritten(x.base, true), ix.index(x.sub)
		return ofOneSubscript(x)
	case memberExpr:
		x.x = ix.rewritten(x.x, in || x.arrow)
		return x
	case call:
		return ix.called(x, in)
	case unary:
		x.x = ix.rewritten(x.x, in || x.op == "*")
		if b, sum := x.x.(binary); sum && x.op == "*" { // *(p + k) is p[k]
			if y := ofOneSubscript(index{x.where, b, nil}); y.sub != nil {
				return y
			}
		}
		return x
	case binary:
		if !in && (x.op == "&&" || x.op == "||") { // what stands on the left keeps reads on the right inside of their arrays
			return ix.condition(x)
		}
		x.x, x.y = ix.rewritten(x.x, in), ix.rewritten(x.y, in)
		return x
	case assign:
		if _, variable := x.x.(ident); !variable {
			x.x = ix.rewritten(x.x, in)
		}
		if x.y != nil {
			x.y = ix.rewritten(x.y, in)
		}
		return x
	case cond:
		if in {
			x.c = ix.rewritten(x.c, true)
		} else {
			x.c = ix.condition(x.c)
		}
		x.x, x.y = ix.rewritten(x.x, in), ix.rewritten(x.y, in)
		return x
	case cast:
		x.x = ix.rewritten(x.x, in)
		return x
	case comma:
		x.xs = mapAll(x.xs, func(e expr) expr { return ix.rewritten(e, in) })
		return x
	}
	return e
}

// ofOneSubscript returns x, of which what is in brackets, such as (a + k)[i], may be the sum of an array or a pointer and an offset, with the offset in its subscript,
// where conditions and remainders divide a nest.
func ofOneSubscript(x index) index {
	for {
		b, ok := x.base.(binary)
		if !ok || b.op != "+" {
			return x
		}
		if p, _, ok := pointer(b.x); !ok || elemOf(p.typ) == nil {
			return x
		}
		if x.base = b.x; x.sub == nil {
			x.sub = b.y
		} else {
			x.sub = plus(b.y, x.sub, "+")
		}
	}
}

// condition returns e, a condition, with values written out in those parts of it that are about integers.
func (ix *indexer) condition(e expr) expr {
	if x, ok := e.(unary); ok && x.op == "!" {
		x.x = ix.condition(x.x)
		return x
	}
	if x, ok := e.(binary); ok && (x.op == "&&" || x.op == "||") {
		x.x, x.y = ix.condition(x.x), ix.condition(x.y)
		return x
	}
	if whole := ix.withSums(e); isIndex(whole) {
		return whole
	}
	return ix.rewritten(e, false)
}

// withSums returns e, a subscript or condition, with all values written out.
func (ix *indexer) withSums(e expr) expr {
	outer := ix.sums
	ix.sums = true
	e = ix.rewritten(e, true)
	ix.sums = outer
	return e
}

// index returns e, a subscript or an index, with values written out: with plain sums, too, if it is none itself, since its
// conditions and remainders divide a nest before its variables have values.
func (ix *indexer) index(e expr) expr {
	if x := ix.rewritten(e, true); isSum(x) || ix.sums {
		return x
	}
	return ix.withSums(e)
}

// valueOf returns the value of x, or x where that stays.
func (ix *indexer) valueOf(x ident, in bool) expr {
	v, known := ix.values[x.decl]
	switch {
	case ix.pointers[x.decl] && (!known || v.expr == nil):
		ix.lost[x.decl] = true
	case ix.pointers[x.decl]:
		return v.expr
	case !known || v.expr == nil || !in:
	case ix.depth > 0 || ix.sums || v.branch || !isSum(v.expr) || x.decl.Type() != nil && isNarrowVariable(x.decl):
		return v.expr
	}
	return x
}

// isNarrowVariable reports whether d holds fewer bits than C calculates with.
func isNarrowVariable(d *cc.Declarator) bool {
	t, ok := storedType(d.Type())
	return ok && t.IsNarrow()
}

// called returns e with values written out in its arguments or, in a subscript, the value of the function of the file that it calls, if
// that is computed from integers.
func (ix *indexer) called(e call, in bool) expr {
	plain := e
	plain.args = nil
	for _, a := range e.args {
		whole := ix.rewritten(a, true)
		if !in && !isPlace(a) && (isSum(whole) || !isIndex(whole)) {
			whole = ix.rewritten(a, false)
		}
		plain.args = append(plain.args, whole)
	}
	if !in || ix.depth >= maxIndexDepth {
		return plain
	}
	f, ok := e.fun.(ident)
	if !ok {
		return plain
	}
	fd := ix.definition(f)
	if fd == nil || ix.u.attributes.names[fd.Declarator.Name()+"()"] != "" {
		return plain
	}
	t, ok := fd.Declarator.Type().(*cc.FunctionType)
	params := parameters(fd)
	if !ok || t.IsVariadic() || len(params) != len(e.args) {
		return plain
	}
	if to, ok := storedType(t.Result()); !ok || to.IsFloat() {
		return plain
	}
	inner := &indexer{survey: ix.survey, values: map[*cc.Declarator]indexValue{}, result: new(cc.Declarator), depth: ix.depth + 1, lost: map[*cc.Declarator]bool{}}
	args, whole := map[*cc.Declarator]expr{}, convertBlock(fd.CompoundStatement)
	for i, d := range params {
		if _, isNumber := storedType(d.Type()); !isNumber {
			if !isStructName(plain.args[i]) && !isStructAddress(plain.args[i]) || changes(whole, d) {
				return plain
			}
			args[d] = plain.args[i]
			continue
		}
		inner.set(d, plain.args[i])
	}
	body, open := lowerJumps(flatten(ix.bodyWith(fd, putting(args)).items), "'return'")
	if open {
		return plain
	}
	inner.stmts(body)
	v := inner.values[inner.result]
	if v.expr == nil || inner.impure || !isIndex(v.expr) {
		return plain
	}
	own := false
	eachExpr(v.expr, func(e expr) {
		if x, ok := e.(ident); ok {
			for _, d := range params {
				own = own || x.decl == d
			}
			own = own || x.decl != nil && within(fd, x.decl)
		}
	})
	if own {
		return plain
	}
	ix.noLongerCalls(fd)
	return inType(v.expr, t.Result())
}

// isPlace reports whether e is a pointer with a place inside of what it points to, such as a + i.
func isPlace(e expr) bool {
	_, offset, ok := pointer(e)
	return ok && offset != nil
}

package frontend

import (
	"modernc.org/cc/v4"
)

// This file makes one loop of two that run it in blocks, which were written by hand:
//
//	for (ib = 1; ib < n; ib += size)
//	  for (i = ib; i < MIN(ib + size, n); i++)    =>    for (i = 1; i < n; i++)
//
// That is the same loop if size is positive, which is tested. Where loops stand between the two, its iterations came in another
// order: then none of them may need what another one computes.

// A blocking is a loop that ran in blocks.
type blocking struct {
	head    where // of the loop
	size    expr  // of a block
	reorder bool  // other loops stand between that over the blocks and that inside of them
}

// unblocked returns s with the loops that f, over blocks, and one inside of s, its body, are as one; ok is false if they are not.
func (sv *survey) unblocked(f forStmt) (s stmt, ok bool) {
	block, size := iteratorOf(f), blockStep(f)
	if block == nil || size == nil || isPointer(block) {
		return nil, false
	}
	if t, isNumber := storedType(block.Type()); !isNumber || t.IsFloat() || t.IsUnsigned() || t.IsNarrow() {
		return nil, false
	}
	end, ok := f.cond.(binary)
	if !ok || end.op != "<" && end.op != "<=" || !isIdent(end.x, block) || mentions(end.y, block) || mentions(size, block) {
		return nil, false
	}
	for _, e := range []expr{size, end.y, initOf(f)} { // they are the same in all iterations
		if hasEffect(e) || anyAssigned(f.body, e) {
			return nil, false
		}
	}
	return sv.unblockedIn(f.body, f, blockLoop{block, size, end}, false)
}

// A blockLoop is a loop over blocks: its variable, its step and its end.
type blockLoop struct {
	block *cc.Declarator
	size  expr
	end   binary
}

// unblockedIn looks in s, the body of a perfect nest inside of the loop f over blocks, for the loop that runs in blocks.
func (sv *survey) unblockedIn(s stmt, f forStmt, b blockLoop, between bool) (stmt, bool) {
	items := flatten([]stmt{s})
	if len(items) != 1 {
		return nil, false
	}
	g, ok := items[0].(forStmt)
	if !ok || iteratorOf(g) == nil {
		return nil, false
	}
	if !isIdent(initOf(g), b.block) {
		if mentions(initOf(g), b.block) || g.cond == nil || mentions(g.cond, b.block) || mentions(g.step, b.block) {
			return nil, false
		}
		body, ok := sv.unblockedIn(g.body, f, b, true)
		g.body = body
		return g, ok
	}
	d := iteratorOf(g)
	used := false
	eachExprIn(g.body, func(e expr) { used = used || isIdent(e, b.block) })
	by, known := stepOf(g.step, d)
	if !b.endsBlock(g.cond, d) || used || !known || by != 1 || assigns(g.body, d) || assigns(g.body, b.block) {
		return nil, false
	}
	switch init := g.init.(type) {
	case declStmt:
		v := init.vars[0]
		v.init = initOf(f)
		g.init = declStmt{init.where, []varDecl{v}}
	case exprStmt:
		a := init.x.(assign)
		a.y = initOf(f)
		g.init = exprStmt{init.where, a}
	}
	g.cond = binary{g.cond.at(), b.end.op, ident{g.cond.at(), d.Name(), d}, b.end.y}
	sv.blocks = append(sv.blocks, blocking{g.head, b.size, between})
	if sv.written[b.block].first.Line == 0 { // who reads it behind the region asks for it
		sv.iterators[b.block] = true
	}
	return g, true
}

// blockStep returns what the step of f adds to its variable, nil if it is 1 or no sum.
func blockStep(f forStmt) expr {
	a, ok := f.step.(assign)
	d := iteratorOf(f)
	if !ok || d == nil || !isIdent(a.x, d) {
		return nil
	}
	size := a.y
	switch a.op {
	case "+=":
	case "=":
		sum, ok := a.y.(binary)
		if !ok || sum.op != "+" {
			return nil
		}
		switch {
		case isIdent(sum.x, d):
			size = sum.y
		case isIdent(sum.y, d):
			size = sum.x
		default:
			return nil
		}
	default:
		return nil
	}
	if v, known := literal(size); known && v < 2 {
		return nil
	}
	return size
}

// endsBlock reports whether test, of variable d, is that of a loop that ends where its block does, and where all of them do.
func (b blockLoop) endsBlock(test expr, d *cc.Declarator) bool {
	c, ok := test.(binary)
	if !ok {
		return false
	}
	if c.op == "&&" {
		x, y := c.x, c.y
		return b.endsWith(x, d, b.isEnd) && b.endsWith(y, d, b.isBlockEnd) || b.endsWith(y, d, b.isEnd) && b.endsWith(x, d, b.isBlockEnd)
	}
	least, ok := c.y.(cond)
	if !ok || !isIdent(c.x, d) || c.op != b.end.op {
		return false
	}
	x, y, ok := minMax(least, "min")
	return ok && (b.isEnd(x, c.op) && b.isBlockEnd(y, c.op) || b.isEnd(y, c.op) && b.isBlockEnd(x, c.op))
}

// endsWith reports whether test compares d with an end for which is holds.
func (b blockLoop) endsWith(test expr, d *cc.Declarator, is func(expr, string) bool) bool {
	c, ok := test.(binary)
	return ok && (c.op == "<" || c.op == "<=") && isIdent(c.x, d) && is(c.y, c.op)
}

func (b blockLoop) isEnd(e expr, op string) bool { return op == b.end.op && sameExpr(e, b.end.y) }

// isBlockEnd reports whether e, with which op compares, is where a block ends: block + size, or block + size - 1 with <=.
func (b blockLoop) isBlockEnd(e expr, op string) bool {
	want := int64(0)
	if op == "<=" {
		want = -1
	}
	if v, known := literal(b.size); known { // size may be one number with -1
		if s, ok := e.(binary); ok && s.op == "+" {
			if w, ok := literal(s.y); ok && isIdent(s.x, b.block) {
				return w == v+want
			}
		}
	}
	var blocks, sizes, rest int64
	var add func(e expr, sign int64) bool
	add = func(e expr, sign int64) bool {
		if isIdent(e, b.block) {
			blocks += sign
			return true
		}
		if v, known := literal(e); known && !sameExpr(e, b.size) {
			rest += sign * v
			return true
		}
		if sameExpr(e, b.size) {
			sizes += sign
			return true
		}
		s, ok := e.(binary)
		if !ok || s.op != "+" && s.op != "-" {
			return false
		}
		right := sign
		if s.op == "-" {
			right = -sign
		}
		return add(s.x, sign) && add(s.y, right)
	}
	return add(e, 1) && blocks == 1 && sizes == 1 && rest == want
}

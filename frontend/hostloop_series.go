package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file finds the scalars that change from step to step of a time loop and are computed from scalars alone, as the time is in
//
//	while (time < end) {
//	  double source = sin(w * time);
//	  for (int i = 1; i < n - 1; i++) v[i] = f(u, i, source);
//	  time += dt;
//	}
//
// The host finds their values before the loop, which it runs with nothing else in it: it writes them to tables, and counts the steps.
// The loop that is left runs so many steps, and reads the tables. Integers that no other number decides stay in it as they are.
//
// So are elements of constant arrays that a call gets, and whose subscripts are such scalars, but no sums of them, as in emit(n, u, profile[(t / hour) % 24]).

// A series is a time loop whose scalars are to be in tables.
type series struct {
	*hostLoops
	loop stmt
	body []seriesItem
	cond expr // nil: breaks end it
	post bool // the condition is at the end
	// counted: it is a for loop with a head of integers, which the loop that is left keeps. Where its variable has its first value, it is at step 0.
	counted bool
	tables  []seriesTable
	scalars []*cc.Declarator // those that it sets and that live on behind it, in order
}

// A seriesItem is a statement of the body, or part of one between commas.
type seriesItem struct {
	stmt   stmt
	head   bool // it is of the last part of the head
	scalar bool // it sets scalars from scalars
	tabled bool // and what it sets is in tables: numbers that are no integers, and what depends on them
	ends   bool // it is if (..) break;
}

// A seriesTable holds what a scalar, or an element of an array that nothing changes, is at a place of the body, at each step.
type seriesTable struct {
	decl      *cc.Declarator // nil: it is an element, of these places of the source
	from, to  int
	at        int // the item in front of which it has that value: the first that uses it
	sets      int // how many items set it before
	name      string
	typ, text string // its type, and the expression, in C
}

// planSeries returns the loop of the region as a series; nil if it is none, or if there is nothing that belongs in a table.
func planSeries(h *hostLoops) *series {
	s := &series{hostLoops: h}
	ss := flatten(h.r.stmts)
	k := slices.IndexFunc(ss, isLoop)
	if k < 0 || slices.ContainsFunc(ss[k+1:], isLoop) || h.hasLabels() {
		return nil
	}
	if s.loop = ss[k]; !s.read() {
		return nil
	}
	none := s.alteredBy()
	for _, x := range slices.Concat(ss[:k], ss[k+1:]) {
		if !s.isScalar(x, none) {
			return nil
		}
	}
	if !s.divide() || !s.endsByScalars() || !s.safe() {
		return nil
	}
	s.counted = s.isCounted()
	if !s.findTables() || s.counted && len(s.tables) == 0 && !s.leaves() {
		return nil
	}
	return s
}

// accumulates reports whether integer d, which x sets, lives on behind the loop, is made there of numbers that the loop leaves alone, as in
// cells += (n - 2) * (n - 2), and is nothing that the loop otherwise uses.
func (s *series) accumulates(x stmt, d *cc.Declarator) bool {
	if declaredWithin(s.loop, d) {
		return false
	}
	made := false
	changed := s.alteredBy(s.loop)
	eachExprIn(x, func(e expr) {
		y, ok := e.(ident)
		made = made || ok && y.decl != nil && isScalarVariable(y.decl) && !changed.has(y.decl)
	})
	of := map[*cc.Declarator]bool{d: true}
	return made && !mentions(s.cond, d) && !slices.ContainsFunc(s.body, func(it seriesItem) bool { return (!it.scalar || it.ends) && mentionsIn(it.stmt, of) })
}

// leaves reports whether somebody may read, behind the region, what the loop leaves in a scalar that would be in tables.
func (s *series) leaves() bool {
	return slices.ContainsFunc(s.scalars, func(d *cc.Declarator) bool { return s.isTabled(d) && (!s.isAutomatic(d) || s.isReadAfter(d)) })
}

// read reads the loop.
func (s *series) read() bool {
	var body stmt
	var step expr
	switch f := s.loop.(type) {
	case forStmt:
		body, s.cond, step = f.body, f.cond, f.step
		if _, declares := f.init.(declStmt); f.init != nil && !declares && !s.isScalar(f.init, s.alteredBy()) {
			return false
		}
	case otherStmt:
		body, s.cond, s.post = f.inner[0], f.exprs[0], f.what == "a do loop"
	}
	if jumps(body, "'continue'") || contains(body, func(s stmt) bool {
		o, ok := s.(otherStmt)
		return ok && (o.what == "'return'" || o.what == "'goto'" || o.what == "a label")
	}) {
		return false
	}
	for _, x := range items(body) {
		if e, ok := x.(exprStmt); ok && e.x != nil {
			s.parts(e.x, false)
			continue
		}
		b, ok := x.(ifStmt)
		s.body = append(s.body, seriesItem{stmt: x, ends: ok && b.orElse == nil && isJump(onlyOf(b.then), "'break'")})
	}
	if step != nil {
		s.parts(step, true)
	}
	return true
}

// parts adds e, which stands as a statement, or its parts between commas.
func (s *series) parts(e expr, head bool) {
	if c, ok := e.(comma); ok {
		for _, x := range c.xs {
			s.parts(x, head)
		}
		return
	}
	s.body = append(s.body, seriesItem{stmt: exprStmt{e.at(), e}, head: head})
}

// onlyOf returns the statement that s consists of.
func onlyOf(s stmt) stmt {
	if b, ok := s.(block); ok && len(b.items) == 1 {
		return onlyOf(b.items[0])
	}
	return s
}

// divide tells the items that set scalars from scalars from the others.
func (s *series) divide() bool {
	for i := range s.body {
		s.body[i].scalar = true
	}
	for changed := true; changed; {
		changed = false
		others := s.alteredBy() // what the other items change
		for _, it := range s.body {
			if !it.scalar {
				others.add(it.stmt, nil)
			}
		}
		for i := range s.body {
			it := &s.body[i]
			if good := it.ends && s.isValue(it.stmt.(ifStmt).cond, others) || !it.ends && s.isScalar(it.stmt, others); it.scalar && !good {
				if it.ends {
					return false
				}
				it.scalar, changed = false, true
			}
		}
	}
	tabled := map[*cc.Declarator]bool{}
	for changed := true; changed; {
		changed = false
		for i := range s.body {
			it := &s.body[i]
			if !it.scalar || it.ends || it.tabled {
				continue
			}
			ds := setsAny(it.stmt)
			it.tabled = mentionsIn(it.stmt, tabled) || slices.ContainsFunc(ds, func(d *cc.Declarator) bool {
				t, _ := storedTypeOf(d)
				return t.IsFloat() || tabled[d] || s.accumulates(it.stmt, d) || t.IsNarrow() && s.countsAround(it.stmt, d)
			})
			if it.tabled {
				changed = true
				for _, d := range ds {
					tabled[d] = true
				}
			}
		}
	}
	return (len(tabled) > 0 || len(s.lookups()) > 0) && slices.ContainsFunc(s.body, func(it seriesItem) bool { return !it.scalar })
}

// countsAround reports whether x does nothing but count d on, which has so few bits that it may begin again, and is not what the loop counts in.
func (s *series) countsAround(x stmt, d *cc.Declarator) bool {
	e, ok := x.(exprStmt)
	if f, isFor := s.loop.(forStmt); !ok || isFor && iteratorOf(f) == d {
		return false
	}
	_, counts := stepOf(e.x, d)
	return counts
}

// mentionsIn reports whether one of ds stands in x.
func mentionsIn(x stmt, ds map[*cc.Declarator]bool) (found bool) {
	eachExprIn(x, func(e expr) {
		if x, ok := e.(ident); ok {
			found = found || ds[x.decl]
		}
	})
	return found
}

// isScalar reports whether x does nothing but set scalars from scalars that are not in others.
func (s *series) isScalar(x stmt, others *altered) bool {
	all := func(xs []stmt) bool {
		return !slices.ContainsFunc(xs, func(x stmt) bool { return !s.isScalar(x, others) })
	}
	switch x := x.(type) {
	case nil:
		return true
	case block:
		return all(x.items)
	case declStmt:
		return !slices.ContainsFunc(x.vars, func(v varDecl) bool {
			return !isScalarVariable(v.decl) || v.decl.IsStatic() || others.has(v.decl) || v.init != nil && !s.isValue(v.init, others)
		})
	case ifStmt:
		return s.isValue(x.cond, others) && all([]stmt{x.then, x.orElse})
	case exprStmt:
		return x.x == nil || s.isSet(x.x, others)
	}
	return false
}

// isSet reports whether e sets a scalar from scalars that are not in others, or several, by commas.
func (s *series) isSet(e expr, others *altered) bool {
	if c, ok := e.(comma); ok {
		return !slices.ContainsFunc(c.xs, func(x expr) bool { return !s.isSet(x, others) })
	}
	a, ok := e.(assign)
	if !ok {
		return false
	}
	d := variableOf(a.x)
	return d != nil && isScalarVariable(d) && !others.has(d) && (a.y == nil || s.isValue(a.y, others))
}

// isScalarVariable reports whether d is a number in memory that nothing else changes.
func isScalarVariable(d *cc.Declarator) bool {
	_, number := storedTypeOf(d)
	return number && !isVolatile(d)
}

// isValue reports whether e is computed from scalars that are not in others, and has no side effects.
func (s *series) isValue(e expr, others *altered) bool {
	ok := true
	eachExpr(e, func(e expr) {
		switch e := e.(type) {
		case number, binary, cond:
		case cast:
			_, number := storedType(e.typ)
			ok = ok && number
		case unary:
			ok = ok && e.op != "*" && e.op != "&"
		case ident, call:
			ok = ok && s.isScalarOperand(e, others)
		default:
			ok = false
		}
	})
	return ok
}

// isScalarOperand reports whether e is a scalar that is not in others, the name of a function, or a call of one of such scalars.
func (s *series) isScalarOperand(e expr, others *altered) bool {
	switch e := e.(type) {
	case ident:
		return e.decl == nil || e.decl.Type().Kind() == cc.Function || isScalarVariable(e.decl) && !others.has(e.decl)
	case call:
		return s.isFunctionOfScalars(e, others)
	}
	return false
}

// isFunctionOfScalars reports whether what c calls computes a number from its arguments, and from scalars that are not in others.
func (s *series) isFunctionOfScalars(c call, others *altered) bool {
	f, named := c.fun.(ident)
	if !named {
		return false
	}
	fd := s.definition(f)
	if fd == nil {
		_, known := scop.Computable(f.name)
		return known && isPrototype(f.decl)
	}
	if s.hasEffects(fd, map[*cc.FunctionDefinition]bool{}) {
		return false
	}
	body, ok := s.bodyOf(fd), !slices.ContainsFunc(parameters(fd), func(d *cc.Declarator) bool { return !isScalarVariable(d) })
	eachExprIn(body, func(e expr) {
		switch e := e.(type) {
		case index, memberExpr, literalExpr, otherExpr:
			ok = false
		case unary:
			ok = ok && e.op != "*" && e.op != "&"
		case ident, call:
			ok = ok && s.isScalarOperand(e, others)
		}
	})
	return ok
}

// endsByScalars reports whether scalars alone decide when the loop ends, before or behind all of its other items.
func (s *series) endsByScalars() bool {
	others := s.alteredBy()
	first, last := s.others()
	for i, it := range s.body {
		if !it.scalar {
			others.add(it.stmt, nil)
			if jumps(it.stmt, "'break'") {
				return false
			}
		}
		if it.ends && first < i && i < last {
			return false
		}
	}
	return s.cond == nil && slices.ContainsFunc(s.body, func(it seriesItem) bool { return it.ends }) || s.cond != nil && s.isValue(s.cond, others)
}

// others returns the numbers of the first and the last item that is not of scalars.
func (s *series) others() (first, last int) {
	first = -1
	for i, it := range s.body {
		if !it.scalar {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	return first, last
}

// safe reports whether nobody else sees, or sets, the scalars of the loop while it runs: functions that it calls do not.
func (s *series) safe() bool {
	var names []string // of members
	seen, shared := map[*cc.Declarator]bool{}, false
	for _, it := range s.body {
		if !it.scalar || it.ends {
			continue
		}
		for _, d := range setsAny(it.stmt) {
			if s.escapes(d) {
				return false
			}
			seen[d] = true
			root := s.u.members.rootOf(d)
			if s.u.members.is(d) {
				names = append(names, s.lastName(d))
			}
			shared = shared || root.AddressTaken() || isPointer(root) || root.StorageDuration() != cc.Automatic && !root.IsStatic()
		}
	}
	ok := true
	for _, it := range s.body {
		if it.scalar {
			continue
		}
		for _, e := range s.exprsOfCalled(it.stmt, map[*cc.FunctionDefinition]bool{}) {
			eachExpr(e, func(e expr) {
				switch e := e.(type) {
				case ident:
					ok = ok && !seen[e.decl]
					if e.decl != nil && s.u.members.is(e.decl) {
						ok = ok && !slices.Contains(names, s.lastName(e.decl))
					}
				case memberExpr:
					ok = ok && !slices.Contains(names, e.field.Name())
				}
			})
		}
		eachExprIn(it.stmt, func(e expr) {
			if c, is := e.(call); is && shared {
				f, _ := c.fun.(ident)
				_, known := scop.Computable(f.name)
				ok = ok && (known || s.definition(f) != nil)
			}
		})
	}
	return ok
}

package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file reads a nest that gathers scalars over its iterations, such as sum += a[i][j], and divides its statements
// into those that set elements of arrays and those that gather.

// A purpose says what a statement of a nest is for.
type purpose uint8

const (
	toStore  purpose = 1 << iota // sets elements
	toGather                     // sets what the nest gathers
	toSet                        // sets other scalars
)

// A reduction is a nest that gathers scalars.
type reduction struct {
	*source
	nest     forStmt
	gathered []*cc.Declarator
	leaves   []gatherLeaf // in order
	extremes []extreme
	first    bool           // it gathers before it stores
	terms    *gatheredTerms // what it gathers goes by way of memory; nil if it need not
	values   definitions    // of variables around the nest and in it
	shared   []effect       // what statements change that they are not for, and others use
	tests    []string       // conditions under which what is gathered may be gathered in a loop of its own
}

// A gatherLeaf is an assignment of the nest, and what is around it.
type gatherLeaf struct {
	stmt    stmt
	does    stmt      // what stmt, a call, does in terms of variables around it; nil: it says so itself
	loops   []forStmt // outside in
	under   []expr    // conditions
	asked   []int     // of each condition: how many leaves are before it, which run before it is asked
	purpose purpose
	to      *cc.Declarator   // the scalar, or the array
	more    []*cc.Declarator // other scalars that it gathers with that
	target  expr             // the element
	order   int
	effects []effect // but for that of what it is for
}

// An extreme is a scalar that a nest gathers in a way that some order of the terms does not matter for: the greatest or
// the least of the terms.
type extreme struct {
	at    *gatherLeaf
	decl  *cc.Declarator
	term  expr
	typ   scop.Type
	least bool
	// forgets: a term that is not a number replaces what was gathered before it.
	forgets bool
	apply   func(term string) string // the statement for another term
	// counts: it is no extreme but a number that grows, or is set, where the term is not 0.
	counts bool
}

// readReduction reads nest f, which gathers ds. It returns nil for what cannot be divided; inOrder says why its terms cannot go by way of memory, if the order in which it gathers
// asks for that.
func (h *hostLoops) readReduction(f forStmt, ds []*cc.Declarator) (divided *reduction, inOrder string) {
	r := &reduction{source: h.source, nest: f, gathered: ds, values: h.definitionsOf(f)}
	if d := r.ledTo(); d != nil {
		return nil, fmt.Sprintf("'%s' may be one of the elements that the nest uses through pointers: its address is kept", h.u.members.name(d))
	}
	if !r.read(f) {
		return nil, ""
	}
	r.defineLocals()
	if !r.apart() {
		if r.terms, inOrder = h.termsOf(r); inOrder != "" {
			return nil, fmt.Sprintf("'%s' %s", ds[0].Name(), inOrder)
		}
	}
	if slices.ContainsFunc(ds, func(d *cc.Declarator) bool { return !isScalarVariable(d) && !r.dividesAt(d) }) {
		return nil, ""
	}
	for i := range r.leaves {
		if l := &r.leaves[i]; l.purpose == toGather {
			if x, ok := r.extreme(l); ok {
				r.extremes = append(r.extremes, x)
			}
		}
	}
	return r, ""
}

// ledTo returns a scalar that the nest gathers and that it may use as an element, too, to which a pointer leads; nil for none.
func (r *reduction) ledTo() *cc.Declarator {
	used := throughPointers([]stmt{r.nest})
	for _, d := range r.gathered {
		if t, number := storedTypeOf(d); number && sameObjects(used, t) && r.escapes(d) {
			return d
		}
	}
	return nil
}

// walk finds the leaves of s, with the loops and conditions of in around them; it reports whether all statements are known.
func (r *reduction) walk(s stmt, in gatherLeaf) bool {
	leaf := func(s stmt, what purpose, to *cc.Declarator) gatherLeaf {
		in.stmt, in.purpose, in.to = s, what, to
		return in
	}
	switch s := s.(type) {
	case nil:
		return true
	case block:
		for _, x := range s.items {
			if !r.walk(x, in) {
				return false
			}
		}
		return true
	case forStmt:
		body := s.body
		if endsEarly(body) {
			body = block{body.at(), withoutContinue(body)}
		}
		in.loops = append(slices.Clip(in.loops), s)
		before := len(r.leaves)
		return iteratorOf(s) != nil && r.walk(body, in) && (len(r.leaves) > before || len(r.effectsOfHead(s)) == 0)
	case ifStmt:
		if x, ok := r.guarded(s); ok && slices.Contains(r.gathered, x) && !r.masked(s, x) {
			r.add(leaf(s, toGather, x))
			return true
		}
		if ds := setsIn(s); len(ds) > 1 && mentionsAny([]expr{s.cond}, r.gathered) && !slices.ContainsFunc(ds, func(d *cc.Declarator) bool { return !slices.Contains(r.gathered, d) }) {
			l := leaf(s, toGather, ds[0]) // such as where the greatest is
			l.more = ds[1:]
			r.add(l)
			return true
		}
		then, orElse := in.inside(s.cond, len(r.leaves)), in.inside(contrary(s.cond), len(r.leaves))
		before := len(r.leaves)
		return r.walk(s.then, then) && r.walk(s.orElse, orElse) && (len(r.leaves) > before || len(r.effectsOf(s.cond, nil)) == 0)
	case declStmt:
		for _, v := range s.vars {
			if isPointer(v.decl) {
				return false
			}
			r.add(leaf(declStmt{s.where, []varDecl{v}}, toSet, v.decl))
		}
		return true
	case exprStmt:
		if s.x == nil {
			return true
		}
		l := leaf(s, 0, nil)
		a, ok := s.x.(assign)
		if !ok {
			if a, ok = r.calledStore(s); !ok {
				return false
			}
			l.does = exprStmt{s.where, a}
		}
		if x, ok := a.x.(ident); ok {
			if l.to, l.purpose = x.decl, toSet; slices.Contains(r.gathered, x.decl) {
				l.purpose = toGather
			}
		} else if p, ok := lvalue(a.x); ok && len(p.subs) > 0 {
			l.to, l.purpose, l.target = p.root.decl, toStore, a.x
			if slices.Contains(r.gathered, p.root.decl) {
				l.purpose = toGather
			} else if declaredWithin(r.nest, p.root.decl) { // an array of one iteration
				l.purpose = toSet
			}
		}
		r.add(l)
		return l.purpose != 0
	}
	return false
}

// calledStore returns what s, a call, does: it sets one element; ok is false if it does anything else.
func (r *reduction) calledStore(s exprStmt) (a assign, ok bool) {
	c, ok := s.x.(call)
	if !ok {
		return a, false
	}
	f, _ := c.fun.(ident)
	if fd := r.definition(f); fd == nil || slices.ContainsFunc(parameters(fd), func(d *cc.Declarator) bool { return assigns(r.bodyOf(fd), d) }) {
		return a, false
	}
	does := flatten([]stmt{(&expander{survey: newSurvey(newNotes(r.source))}).expandStmt(s)})
	for len(does) > 1 { // a parameter that is a variable of its own, and not changed
		d, ok := does[0].(declStmt)
		if !ok || len(d.vars) != 1 || d.vars[0].init == nil || isPointer(d.vars[0].decl) {
			return a, false
		}
		does = mapAll(does[1:], func(s stmt) stmt {
			return mapStmt(s, putting(map[*cc.Declarator]expr{d.vars[0].decl: cast{where: d.vars[0].where, typ: d.vars[0].decl.Type(), x: d.vars[0].init}}))
		})
	}
	if len(does) == 1 {
		if x, isExpr := does[0].(exprStmt); isExpr {
			if a, ok = x.x.(assign); ok {
				p, found := lvalue(a.x)
				return a, found && len(p.subs) > 0
			}
		}
	}
	return a, false
}

// meaning returns what l does, in terms of variables around it.
func (l *gatherLeaf) meaning() stmt {
	if l.does != nil {
		return l.does
	}
	return l.stmt
}

// inside returns l under a condition, too, that is asked behind so many leaves.
func (l gatherLeaf) inside(cond expr, asked int) gatherLeaf {
	l.under, l.asked = append(slices.Clip(l.under), cond), append(slices.Clip(l.asked), asked)
	return l
}

// setsIn returns the scalars that s sets, a branch that does nothing else; nil if it does.
func setsIn(s ifStmt) (ds []*cc.Declarator) {
	if s.orElse != nil {
		return nil
	}
	for _, in := range flatten([]stmt{s.then}) {
		x, _ := in.(exprStmt)
		a, _ := x.x.(assign)
		to, ok := a.x.(ident)
		if !ok || to.decl == nil {
			return nil
		}
		ds = append(ds, to.decl)
	}
	return ds
}

// twice reports whether a statement is a leaf twice, behind jumps that are taken under more than one condition.
func (r *reduction) twice() bool {
	seen := map[where]bool{}
	for _, l := range r.leaves {
		if _, decl := l.stmt.(declStmt); !decl && seen[l.stmt.at()] {
			return true
		}
		seen[l.stmt.at()] = true
	}
	return false
}

func (r *reduction) add(l gatherLeaf) {
	l.order, l.effects = len(r.leaves), r.effectsAround(l)
	r.leaves = append(r.leaves, l)
}

// guarded returns the scalar that s, if (c) x = e, sets.
func (r *reduction) guarded(s ifStmt) (*cc.Declarator, bool) {
	then := flatten([]stmt{s.then})
	if s.orElse != nil || len(then) != 1 {
		return nil, false
	}
	e, ok := then[0].(exprStmt)
	if !ok {
		return nil, false
	}
	a, ok := e.x.(assign)
	if !ok {
		return nil, false
	}
	x, ok := a.x.(ident)
	return x.decl, ok && x.decl != nil
}

// masked reports whether s, if (c) x = e, has e made of x, as fmax(x, ..) is, and c not: c says which points count.
func (r *reduction) masked(s ifStmt, x *cc.Declarator) bool {
	a := flatten([]stmt{s.then})[0].(exprStmt).x.(assign)
	return a.op == "=" && !mentionsAny([]expr{s.cond}, r.gathered) && mentionsAny([]expr{a.y}, []*cc.Declarator{x})
}

// exprs returns what l evaluates, but for where it stores.
func (l *gatherLeaf) exprs() (xs []expr) {
	eachStmt(l.meaning(), func(s stmt) { xs = append(xs, exprsOf(s)...) })
	return append(xs, l.under...)
}

// hasStores reports whether the nest sets elements.
func (r *reduction) hasStores() bool {
	return slices.ContainsFunc(r.leaves, func(l gatherLeaf) bool { return l.purpose == toStore })
}

// extreme reads how l gathers.
func (r *reduction) extreme(l *gatherLeaf) (x extreme, ok bool) {
	typ, _ := storedType(l.to.Type())
	x = extreme{at: l, decl: l.to, typ: typ}
	if len(l.more) > 0 || !l.plainly() || l.target != nil {
		return x, false
	}
	switch s := l.stmt.(type) {
	case exprStmt:
		a := s.x.(assign)
		if a.op != "=" {
			return r.counting(x, a, nil)
		}
		value := r.withoutIdleCasts(a.y)
		if c, ok := a.y.(cast); ok && c.typ.Kind() == l.to.Type().Kind() { // which the assignment does as well
			value = r.withoutIdleCasts(c.x)
		}
		switch y := value.(type) {
		case call:
			f, named := y.fun.(ident)
			kinds := map[string]bool{"fmax": false, "fmaxf": false, "fmin": true, "fminf": true}
			least, known := kinds[f.name]
			if !named || !known || len(y.args) != 2 || r.definition(f) != nil || !typ.IsFloat() {
				return x, false
			}
			x.least = least
			switch {
			case isIdent(r.withoutIdleCasts(y.args[0]), l.to):
				x.term = y.args[1]
			case isIdent(r.withoutIdleCasts(y.args[1]), l.to):
				x.term = y.args[0]
			default:
				return x, false
			}
			if strings.HasSuffix(f.name, "f") && typ != scop.Float && r.ofC(x.term) != scop.Float {
				return x, false // it rounds the term
			}
			x.apply = func(term string) string {
				return fmt.Sprintf("%s = %s(%s, %s);", l.to.Name(), f.name, l.to.Name(), term)
			}
		case cond:
			if x, ok = r.chosen(x, y.c, y.x, y.y); !ok {
				return x, false
			}
		default:
			return x, false
		}
	case ifStmt:
		then := flatten([]stmt{s.then})[0].(exprStmt).x.(assign)
		if then.op != "=" {
			return r.counting(x, then, s.cond)
		}
		if _, constant := literal(then.y); constant {
			return r.counting(x, then, s.cond)
		}
		if x, ok = r.chosen(x, s.cond, then.y, ident{s.where, l.to.Name(), l.to}); !ok {
			return x, false
		}
	default:
		return x, false
	}
	if r.u.members.is(l.to) || mentionsAny([]expr{x.term}, []*cc.Declarator{l.to}) {
		return x, false
	}
	return x, r.holdsTerms(x)
}

// holdsTerms reports whether x is compared with terms as it holds them: where a term became another number, such as a short one, or one without a sign, the greatest
// of all would not be that of what they became.
func (r *reduction) holdsTerms(x extreme) bool {
	t, known := r.valueType(x.term)
	switch {
	case !known || x.typ.IsComplex() || t.IsComplex():
		return false
	case x.typ.IsFloat():
		return true
	}
	return !t.IsFloat() && !x.typ.IsNarrow() && usual(x.typ, t) == x.typ
}

// chosen reads c ? v : w, where one is the scalar and the other the term.
func (r *reduction) chosen(x extreme, c, v, w expr) (extreme, bool) {
	test, ok := c.(binary)
	if !ok || !slices.Contains([]string{"<", "<=", ">", ">="}, test.op) {
		return x, false
	}
	own := func(e expr) bool { return isIdent(r.withoutIdleCasts(e), x.decl) }
	keeps := own(w)
	if x.term = v; own(v) {
		x.term = w
	}
	if own(v) == own(w) {
		return x, false
	}
	more := test.op == ">" || test.op == ">="
	left := own(test.x)
	switch {
	case left && sameExpr(r.withoutIdleCasts(test.y), r.withoutIdleCasts(x.term)):
	case own(test.y) && sameExpr(r.withoutIdleCasts(test.x), r.withoutIdleCasts(x.term)):
	default:
		return x, false
	}
	greaterTerm := more != left // the condition says that the term is the greater one
	x.least = greaterTerm != keeps
	// Where the comparison fails, as it does for what is not a number, the term is taken, unless the scalar is kept.
	x.forgets = !keeps && x.typ.IsFloat()
	name, op := x.decl.Name(), ">"
	if x.least {
		op = "<"
	}
	x.apply = func(term string) string {
		if x.forgets {
			return fmt.Sprintf("%s = %s %s %s ? %s : %s;", name, name, op, term, name, term)
		}
		return fmt.Sprintf("if (%s %s %s) %s = %s;", term, op, name, name, term)
	}
	return x, true
}

// counting reads what only grows, or is set to a number, where a condition holds.
func (r *reduction) counting(x extreme, a assign, c expr) (extreme, bool) {
	if x.typ.IsFloat() || x.typ.IsUnsigned() {
		return x, false
	}
	x.counts = true
	one := numberAt(a.where, 1)
	switch {
	case (a.op == "++" || a.op == "+=") && x.typ.IsNarrow():
		return x, false // it may become less
	case a.op == "++":
		x.term = one
	case a.op == "+=" || a.op == "|=":
		x.term = a.y
		if v, constant := literal(a.y); constant && !fits(v, x.typ) {
			return x, false
		}
		if v, constant := literal(a.y); !(constant && v > 0) && !isTruth(a.y) {
			return x, false
		}
	case a.op == "=" && c != nil:
		v, _ := literal(a.y)
		if !fits(v, x.typ) {
			return x, false
		}
		x.term, x.least = a.y, v <= 0
	default:
		return x, false
	}
	if c != nil {
		if mentionsAny([]expr{c}, r.gathered) {
			return x, false
		}
		at := x.at.inside(c, x.at.order)
		x.at = &at
	}
	return x, !r.u.members.is(x.decl)
}

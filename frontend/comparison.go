package frontend

import (
	"fmt"
	"reflect"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file checks the programs of this package from outside: every store of the region's syntax tree is a store
// of the program, or was proved never to run. It walks the tree of the C front end by itself and shares nothing with how
// statements are built, so that what is forgotten there is found here. That statements run their stores where the source
// does is checked in comparison_reach.go.

// A storeCheck compares a program with the source of its region.
type storeCheck struct{ *facts }

// checkStores panics unless each store of the region to memory that others see is in p where the source runs it, or was left out
// since it never runs. It returns how far that could be compared.
func (sc *storeCheck) checkStores(p *scop.Program) map[diag.Pos]coverage {
	w := &storeWalk{f: sc.f, u: sc.u, r: sc.r, copied: sc.copied, scratch: sc.apart, seen: map[string]bool{}, own: map[*cc.Declarator]bool{}, count: map[diag.Pos]int{}}
	w.visit(reflect.ValueOf(sc.r.function.CompoundStatement), false)
	pieces := map[diag.Pos][]*scop.Stmt{}
	for _, s := range p.Stmts {
		for _, a := range s.Body {
			if store, ok := a.(scop.Store); ok && !slices.Contains(pieces[store.To.Pos.Pos], s) {
				pieces[store.To.Pos.Pos] = append(pieces[store.To.Pos.Pos], s)
			}
		}
	}
	for _, at := range w.order {
		ss := storedBy(at, pieces, sc.joined)
		if len(ss) == 0 && !slices.ContainsFunc(sc.idles, func(x idle) bool { return x.holds(sc.f, at) }) {
			panic(fmt.Sprintf("frontend: the store at %s:%d:%d is in no statement", at.File, at.Line, at.Col))
		}
		if w.count[at] > 1 || w.inlined[at] {
			continue // of a macro, or called from several places
		}
		for i, s := range ss {
			for _, t := range ss[i+1:] {
				if x, y := sc.nests[s.Order], sc.nests[t.Order]; slices.Equal(x.turns, y.turns) && x.stretch == y.stretch && meet(s, t, p.Context) && sc.storeTwice(s, t, at, p.Context) {
					panic(fmt.Sprintf("frontend: the store at %s:%d:%d runs in %s and in %s at once", at.File, at.Line, at.Col, s.Name, t.Name))
				}
			}
		}
	}
	return sc.checkReaches(p, w.order)
}

// checkReaches is checkReach for all places; those that are joined are looked at together.
func (sc *storeCheck) checkReaches(p *scop.Program, order []diag.Pos) map[diag.Pos]coverage {
	found := map[diag.Pos]coverage{}
	seen, ok := sc.sights()
	for _, at := range order {
		if found[at] != "" {
			continue
		}
		places := []diag.Pos{at}
		for i := 0; i < len(places); i++ {
			for _, j := range sc.joined {
				for k := range j {
					if j[k] == places[i] && !slices.Contains(places, j[1-k]) {
						places = append(places, j[1-k])
					}
				}
			}
		}
		result := notCompared
		if ok { // and while it is not too much work
			ok = poly.Limited(func() error { result = sc.checkReach(p, places, seen); return nil }) == nil
		}
		for _, x := range places {
			found[x] = result
		}
	}
	return found
}

// storedBy returns the statements that store at a place, or with another branch that joins it.
func storedBy(at diag.Pos, pieces map[diag.Pos][]*scop.Stmt, joined [][2]diag.Pos) []*scop.Stmt {
	if ss := pieces[at]; len(ss) > 0 {
		return ss
	}
	for k, j := range joined { // inner ifs come first
		if j[0] == at {
			if ss := storedBy(j[1], pieces, joined[k+1:]); len(ss) > 0 {
				return ss
			}
		}
	}
	return nil
}

// leftOut notes that s, a part of the body of n, is left out where the value of e is want.
func (sr *statementReader) leftOut(s stmt, e expr, want bool) {
	if s == nil {
		return
	}
	mark := sr.mark()
	alternatives, ok := sr.cases(e, want, sr.place())
	sr.back(mark)
	if !ok {
		return
	}
	fr := sr.frame().with(sr.n.loops)
	instances := fr.points([]linear{constant(-1)})
	for _, r := range alternatives {
		instances = instances.Union(fr.points(slices.Concat(sr.n.constraints, r)))
	}
	sr.leave(idle{[]where{s.at()}, instances})
}

// holds reports whether the store at is in a part of x, which has no instances.
func (x idle) holds(f *file, at diag.Pos) bool {
	inside := slices.ContainsFunc(x.parts, func(w where) bool {
		first, last := f.span(where{w.first, w.first}).Pos, f.span(where{w.last, w.last}).Pos
		before := func(p, q diag.Pos) bool { return p.Line < q.Line || p.Line == q.Line && p.Col <= q.Col }
		return first.File == at.File && before(first, at) && before(at, last)
	})
	return inside && x.instances.IsEmpty()
}

// meet reports whether an instance of s and one of t have the same iterators, for parameters of context.
func meet(s, t *scop.Stmt, context poly.Set) bool {
	if len(s.Iters) != len(t.Iters) {
		return false
	}
	same := poly.NewMap(nil, s.Tuple(), t.Tuple(), equalBelow(len(s.Iters))...)
	return !same.IntersectDomain(s.Domain.IntersectParams(context)).IntersectRange(t.Domain).IsEmpty()
}

// storeTwice reports whether an instance of s and one of t with the same iterators may both set a new value at a place.
func (sc *storeCheck) storeTwice(s, t *scop.Stmt, at diag.Pos, context poly.Set) bool {
	for _, x := range sc.runsOf(s, []diag.Pos{at}) {
		for _, y := range sc.runsOf(t, []diag.Pos{at}) {
			if !x.maybe.Intersect(y.maybe).IntersectParams(context).IsEmpty() {
				return true
			}
		}
	}
	return false
}

// A storeWalk finds the places of stores.
type storeWalk struct {
	copied  []where // assignments of whole structs
	f       *file
	u       *unit
	r       region
	scratch map[*cc.Declarator]bool // arrays of which only the region sees the elements
	own     map[*cc.Declarator]bool // parameters that are passed such elements, or variables
	seen    map[string]bool         // functions, and which of their parameters these are
	order   []diag.Pos
	count   map[diag.Pos]int
	inlined map[diag.Pos]bool
}

// visit looks through v; called says that it is in a function that the region calls, and not in the region itself.
func (w *storeWalk) visit(v reflect.Value, called bool) {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return
	}
	switch n := v.Interface().(type) {
	case *cc.AssignmentExpression:
		if n.Case != cc.AssignmentExpressionCond {
			w.store(n.UnaryExpression, called)
		}
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			w.store(n.PostfixExpression, called)
		case cc.PostfixExpressionCall:
			if called || w.inside(n.PostfixExpression) {
				w.call(n)
			}
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionInc || n.Case == cc.UnaryExpressionDec {
			w.store(n.UnaryExpression, called)
		}
	}
	if n, ok := v.Interface().(*cc.UnaryExpression); ok && n.Case == cc.UnaryExpressionSizeofExpr {
		return // not evaluated
	}
	if n, ok := v.Interface().(*cc.BlockItemList); ok {
		reached := true
		for ; n != nil; n = n.BlockItemList {
			s := n.BlockItem.Statement
			if reached = reached || s != nil && s.Case == cc.StatementLabeled; reached {
				w.visit(reflect.ValueOf(n.BlockItem), called)
			}
			if s != nil && s.Case == cc.StatementJump {
				reached = false
			}
		}
		return
	}
	s := v.Elem()
	for i := range s.NumField() {
		if x := s.Field(i); s.Type().Field(i).IsExported() && (x.Kind() == reflect.Pointer || x.Kind() == reflect.Interface) {
			w.visit(x, called)
		}
	}
}

// inside reports whether n is in the region.
func (w *storeWalk) inside(n cc.Node) bool {
	at := w.f.offset(n.Position())
	return w.r.Start <= at && at < w.r.End
}

// store notes a store to n, unless that is a variable, which only the region sees, or a pointer,
// which is no element.
func (w *storeWalk) store(n cc.ExpressionNode, called bool) {
	if !called && !w.inside(n) || n.Type() != nil && n.Type().Kind() == cc.Ptr || isName(n) {
		return
	}
	if w.isOwn(convertExpr(n)) {
		return
	}
	at := w.f.span(where{n.Position(), n.Position()}).Pos
	if c := w.r.clock; c != nil && slices.ContainsFunc(c.taken, func(x where) bool { return x.first == n.Position() }) {
		return // of what counts steps
	}
	if slices.ContainsFunc(w.copied, func(x where) bool { return x.first == n.Position() }) {
		return // structs are exchanged
	}
	if w.count[at]++; w.count[at] == 1 {
		w.order = append(w.order, at)
	}
	if called {
		if w.inlined == nil {
			w.inlined = map[diag.Pos]bool{}
		}
		w.inlined[at] = true
	}
}

// isOwn reports whether e is an element that only the region sees, or leads to one.
func (w *storeWalk) isOwn(e expr) bool {
	return leadsInto(e, func(d *cc.Declarator) bool { return w.scratch[d] || w.own[d] })
}

// leadsInto reports whether e is a part of an object for which own holds, or leads to one: they have numbers only, and no pointers; or to a variable that is a number.
func leadsInto(e expr, own func(*cc.Declarator) bool) bool {
	switch e := e.(type) {
	case ident:
		return e.decl != nil && own(e.decl)
	case index:
		return leadsInto(e.base, own)
	case memberExpr:
		return leadsInto(e.x, own)
	case cast:
		return leadsInto(e.x, own)
	case binary:
		p, _, ok := pointer(e)
		return ok && own(p.root.decl)
	case unary:
		if _, number := scalarAt(e); number {
			return true
		}
		return (e.op == "&" || e.op == "*") && leadsInto(e.x, own)
	}
	return false
}

// call visits the function of the file that n calls.
func (w *storeWalk) call(n *cc.PostfixExpression) {
	x, ok := n.PostfixExpression.(*cc.PrimaryExpression)
	if !ok {
		return
	}
	var own []bool
	for a := n.ArgumentExpressionList; a != nil; a = a.ArgumentExpressionList {
		own = append(own, w.isOwn(convertExpr(a.AssignmentExpression)))
	}
	for tu := w.u.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		fd := tu.ExternalDeclaration.FunctionDefinition
		if fd == nil || fd.Declarator.Name() != x.Token.SrcStr() {
			continue
		}
		if key := fmt.Sprint(x.Token.SrcStr(), own); !w.seen[key] {
			w.seen[key] = true
			outside := w.own
			w.own = map[*cc.Declarator]bool{}
			for i, d := range parameters(fd) {
				w.own[d] = i < len(own) && own[i]
			}
			w.visit(reflect.ValueOf(fd.CompoundStatement), true)
			w.own = outside
		}
	}
}

package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
)

// This file takes conditions on data for what keeps elements inside of their arrays:
//
//	for (y = 0; y < n; y++)
//	  if (!solid[y]) b[y] = a[y - 1] + a[y + 1];
//
// is outside of a unless the first and the last point are solid. Nothing in the region sets solid, so that they are is tested right before
// it; the original loops run where it does not hold. Where it does, the condition is the same as y >= 1 && y < n - 1 && !solid[y], whatever the
// distances and the ends of loops are that this is made of: the test has the same.

// A wall is a condition that guards elements which are outside of an array at the ends of loops.
type wall struct {
	cond  expr      // as the user wrote it
	side  bool      // the value of it for which they are used
	test  expr      // it, by what the function around the region knows
	under []expr    // what else holds there, alike
	loops []forStmt // around it, alike
	edges []edge    // of those loops
}

// A wallReader looks for walls in what a region runs.
type wallReader struct {
	*hostLoops
	ss      []stmt // all, with functions in the place of their calls
	edges   []edge
	known   map[*cc.Declarator]expr // the values of locals and loop variables, by what the function around the region knows
	walls   []wall
	covered []where // elements that walls guard
	within  bool    // tests run in the outermost loop
	failed  bool
}

// walled writes a region that holds f, if conditions on data keep elements inside of their arrays in it.
func (h *hostLoops) walled(f forStmt) bool {
	edges := h.edges(h.r.Index)
	if len(edges) == 0 || h.of != nil || h.depth > 0 || h.f.cxx != nil {
		return false
	}
	if h.o.Parts {
		return h.walledOnRanks(f, edges)
	}
	holds := h.name("holds")
	edits, tests, ok := h.walls(f, edges, func(expr) string { return holds + " = 0" })
	if !ok {
		return false
	}
	from, to := h.extent(f)
	h.upTo(from)
	h.line("{")
	h.line("int %s = 1; /* the ends of arrays are guarded */", holds)
	for _, t := range tests {
		h.line("%s", t)
	}
	h.line("if (%s) {", holds)
	h.begin(string(h.stretchOf(from, to))+"\n", "")
	h.edited(from, to, edits)
	h.end()
	h.line("} else {")
	h.copy(from, to)
	h.line("}")
	h.line("}")
	h.skipTo(to)
	h.found = true
	return true
}

// walls returns what is written in f for conditions that keep elements inside of their arrays, and statements that test where they do not: what
// fails returns for a condition runs there.
func (h *hostLoops) walls(f forStmt, edges []edge, fails func(cond expr) string) (edits []edit, tests []string, ok bool) {
	w := &wallReader{hostLoops: h, edges: edges, known: map[*cc.Declarator]expr{}, within: h.o.Parts && h.timeLike(f)}
	w.ss = (&expander{survey: newSurvey(newNotes(h.source))}).expand([]stmt{f})
	w.look(w.ss, nil, nil)
	for _, e := range edges {
		for _, at := range e.at {
			w.failed = w.failed || !slices.Contains(w.covered, at)
		}
	}
	if w.failed || len(w.walls) == 0 {
		return nil, nil, false
	}
	of := map[*cc.FunctionDefinition][]edit{}
	for _, x := range w.walls {
		all, tested := w.test(x, fails(x.cond))
		e, fd, written := w.edit(x)
		if !tested || !written {
			return nil, nil, false
		}
		for _, test := range all {
			if !slices.Contains(tests, test) {
				tests = append(tests, test)
			}
		}
		if !slices.Contains(of[fd], e) {
			of[fd] = append(of[fd], e)
		}
	}
	edits = of[h.r.function]
	delete(of, h.r.function)
	var copies []*hostFunction
	for fd, inside := range of {
		x, calls, ok := w.copyWith(f, fd, inside)
		if !ok {
			return nil, nil, false
		}
		copies, edits = append(copies, x), append(edits, calls...)
	}
	slices.SortFunc(copies, func(x, y *hostFunction) int { return strings.Compare(x.name, y.name) })
	for _, x := range copies {
		h.uses = append(h.uses, x)
		h.declare(x)
	}
	how, fallback := "tested before the region", "the original loops run"
	if h.o.Parts {
		how, fallback = "tested before the region, of each point by the rank that owns it", "the function can do nothing: it returns 1 on all ranks"
	}
	for i, x := range w.walls {
		if !slices.ContainsFunc(w.walls[:i], func(y wall) bool { return y.cond.at() == x.cond.at() }) {
			h.remarks = append(h.remarks, &diag.Diagnostic{Severity: diag.Remark, Code: "HX105", At: h.f.span(x.cond.at()),
				Msg:   fmt.Sprintf("'%s' is taken to keep what it guards inside of arrays, which is %s", h.spelled(x.cond), how),
				Notes: []diag.Note{{Msg: "where it does not, " + fallback}}})
		}
	}
	slices.SortFunc(edits, func(e, f edit) int { return e.from - f.from })
	return edits, tests, true
}

// look looks for walls in ss, inside of loops and conditions.
func (w *wallReader) look(ss []stmt, loops []forStmt, under []expr) {
	for _, s := range ss {
		switch s := s.(type) {
		case block:
			w.look(s.items, loops, under)
		case declStmt:
			for _, v := range s.vars {
				if v.init != nil && !slices.ContainsFunc(w.ss, func(s stmt) bool { return assigns(s, v.decl) }) {
					w.known[v.decl] = asAssigned(w.seenFrom(v.init), v.decl)
				}
			}
		case forStmt:
			d := iteratorOf(s)
			if d == nil || initOf(s) == nil || s.cond == nil {
				w.failed = w.failed || w.uses(s, w.edges)
				continue
			}
			in := s
			at := ident{s.where, fmt.Sprintf("hexcc_at%d", len(loops)), d}
			in.init = exprStmt{s.where, assign{s.where, "=", at, w.seenFrom(initOf(s))}}
			w.known[d] = at
			in.cond = w.seenFrom(s.cond)
			w.look([]stmt{s.body}, append(loops[:len(loops):len(loops)], in), under)
		case ifStmt:
			edges := slices.DeleteFunc(slices.Clone(w.edges), func(e edge) bool {
				return !slices.ContainsFunc(loops, func(f forStmt) bool { return iteratorOf(f) == e.loop })
			})
			then, orElse := w.uses(s.then, edges), w.uses(s.orElse, edges)
			test := w.seenFrom(s.cond)
			if readsElement(test) && then != orElse {
				w.walls = append(w.walls, wall{s.cond, then, test, under, loops, edges})
				w.cover(s.then, s.orElse)
				continue
			}
			w.look([]stmt{s.then}, loops, append(under[:len(under):len(under)], test))
			w.look([]stmt{s.orElse}, loops, append(under[:len(under):len(under)], unary{s.where, "!", test}))
		}
	}
}

// asAssigned returns e as it is assigned to d.
func asAssigned(e expr, d *cc.Declarator) expr {
	if t, number := storedType(d.Type()); number && t == intType(e) && !t.IsFloat() {
		return e
	}
	return cast{where: e.at(), typ: d.Type(), x: e}
}

// uses reports whether s uses elements of edges at a distance.
func (w *wallReader) uses(s stmt, edges []edge) (found bool) {
	eachExprIn(s, func(x expr) {
		found = found || slices.ContainsFunc(edges, func(e edge) bool { return slices.Contains(e.at, x.at()) })
	})
	return found
}

// cover notes that a wall stands around ss.
func (w *wallReader) cover(ss ...stmt) {
	for _, s := range ss {
		eachExprIn(s, func(x expr) { w.covered = append(w.covered, x.at()) })
	}
}

// seenFrom returns e with what is known in place of locals and loop variables, and members by their names.
func (w *wallReader) seenFrom(e expr) expr {
	return mapExpr(e, func(e expr) expr {
		x, ok := e.(ident)
		if !ok || x.decl == nil {
			return e
		}
		if value, local := w.known[x.decl]; local {
			return value
		}
		if w.u.members.is(x.decl) {
			x.name = w.u.members.name(x.decl)
		}
		return x
	})
}

// testable reports whether e can be evaluated in front of the region, and has the same value there as in it.
func (w *wallReader) testable(e expr) bool {
	ok := true
	eachExpr(e, func(e expr) {
		switch e := e.(type) {
		case number, binary, cond:
		case index:
			p, element := lvalue(e)
			ok = ok && element && p.root.decl != nil && !isVolatile(p.root.decl) && w.leaves(p)
		case unary:
			ok = ok && e.op != "&" && e.op != "*"
		case cast:
			_, number := storedType(e.typ)
			ok = ok && number
		case ident:
			ok = ok && e.decl != nil && (w.isSeenHere(e) || e.name != e.decl.Name() && isIdent(w.known[e.decl], e.decl))
		default:
			ok = false
		}
	})
	return ok
}

// isSeenHere reports whether x can be named in front of the region, where it means the same as in all of the region.
func (w *wallReader) isSeenHere(x ident) bool {
	root := w.u.members.rootOf(x.decl)
	if !w.isSeen(root) || x.name != root.Name() && !w.u.members.is(x.decl) || isVolatile(root) || isVolatile(x.decl) {
		return false
	}
	if root.StorageDuration() == cc.Static && w.declaresName(w.r.body, root.Name()) || slices.ContainsFunc(parameters(w.r.function), func(d *cc.Declarator) bool { return d != root && d.Name() == root.Name() }) {
		return false
	}
	return !slices.ContainsFunc(w.ss, func(s stmt) bool {
		return assigns(s, x.decl) || assigns(s, root) || iterates(s, x.decl) || declaredWithin(s, x.decl)
	})
}

// leaves reports whether the region sets no element that may be p.
func (w *wallReader) leaves(p path) bool {
	d, ok := p.root.decl, true
	read, number := storedType(p.typ)
	like := false // it sets some that C lets be the same
	var set []*cc.Declarator
	for _, s := range w.ss {
		eachExprIn(s, func(e expr) {
			switch e := e.(type) {
			case assign:
				to, known := lvalue(e.x)
				if !known {
					ok = false
					return
				}
				if t, stored := storedType(to.typ); stored && len(to.subs) > 0 {
					like = like || sameObject(read, t)
				}
				if len(to.subs) > 0 || isPointer(to.root.decl) {
					set = append(set, to.root.decl)
				}
			case unary:
				ok = ok && (e.op != "&" || !isIdent(e.x, d))
			}
		})
		eachStmt(s, func(s stmt) {
			if decl, is := s.(declStmt); is {
				for _, v := range decl.vars {
					if isPointer(v.decl) && v.init != nil {
						from, _, known := pointer(withoutCasts(v.init))
						if ok = ok && known && from.root.decl != nil; ok {
							set = append(set, from.root.decl)
						}
					}
				}
			}
		})
	}
	if !ok || !number || slices.Contains(set, d) {
		return false
	}
	return !like || !slices.ContainsFunc(set, func(x *cc.Declarator) bool {
		return !slices.ContainsFunc(w.ss, func(s stmt) bool { return declaredWithin(s, x) }) && w.mayBe(d, x)
	})
}

// mayBe reports whether nothing shows that elements of d are none of those of x, which are set.
func (w *wallReader) mayBe(d, x *cc.Declarator) bool {
	return (w.mayOverlap(d) || w.mayOverlap(x)) && !w.isRestrict(d) && !w.isRestrict(x) && !w.isConstObject(d) && !w.sameStruct(d, x) && !w.neverOverlap(d, x)
}

// test returns statements one of which does what fails says if x does not keep what it guards inside of arrays: each is a loop over other points.
func (w *wallReader) test(x wall, fails string) (tests []string, tested bool) {
	used := slices.Concat(x.under, []expr{x.test})
	var heads, first []string
	counted := mapAll(x.loops, iteratorOf)
	for k := len(x.loops) - 1; k >= 0; k-- {
		f := x.loops[k]
		d := iteratorOf(f)
		t, number := storedType(d.Type())
		if by, steps := stepOf(f.step, d); !number || !steps || t.IsFloat() || !w.testable(initOf(f)) || !w.testable(f.cond) {
			return nil, false
		} else if at := f.init.(exprStmt).x.(assign).x.(ident).name; mentionsAny(used, []*cc.Declarator{d}) || slices.ContainsFunc(x.edges, func(e edge) bool { return e.loop == d }) {
			heads = append(heads, fmt.Sprintf("for (%v %s = %s; %s; %s += %d)", t, at, exprText(initOf(f)), exprText(f.cond), at, by))
			used = append(used, initOf(f), f.cond)
		} else if k > 0 || !w.within { // of time, or another loop that tells nothing
			runs := replacedIdent(f.cond, d, asAssigned(initOf(f), d))
			if mentionsAny([]expr{runs}, counted) {
				return nil, false
			}
			first = append(first, "("+exprText(runs)+")")
		}
	}
	slices.Reverse(heads)
	inside, known := w.inside(x, x.loops, func(e expr) expr { return e })
	if !known || slices.ContainsFunc(slices.Concat(x.under, []expr{x.test}), func(e expr) bool { return !w.testable(e) }) {
		return nil, false
	}
	outside := []string{"!(" + strings.Join(inside, " && ") + ")"}
	if w.o.Parts { // each of them one set of points, so that elements may be read of it as of other nests
		for k, cond := range inside {
			outside = append(outside[:k], strings.Join(append(slices.Clone(inside[:k]), "!("+cond+")"), " && "))
		}
	}
	for _, cond := range outside {
		conditions := []string{cond}
		for _, e := range x.under {
			conditions = append(conditions, "("+exprText(e)+")")
		}
		text := fmt.Sprintf("%s\nif (%s && %s(%s)) %s;", strings.Join(heads, "\n"), strings.Join(conditions, " && "), not(!x.side), exprText(x.test), fails)
		if len(first) > 0 {
			text = fmt.Sprintf("if (%s)\n%s", strings.Join(first, " && "), text)
		}
		tests = append(tests, text)
	}
	return tests, true
}

func not(yes bool) string {
	if yes {
		return "!"
	}
	return ""
}

// inside returns conditions which together say where all that x guards is between the ends of loops.
func (w *wallReader) inside(x wall, loops []forStmt, named func(expr) expr) (all []string, ok bool) {
	for _, e := range x.edges {
		k := slices.IndexFunc(loops, func(f forStmt) bool { return iteratorOf(f) == e.loop })
		if k < 0 {
			return nil, false
		}
		f := loops[k]
		c, compares := f.cond.(binary)
		by, _ := stepOf(f.step, e.loop)
		if !compares || by != 1 || c.op != "<" && c.op != "<=" || !isIdent(c.x, e.loop) {
			return nil, false
		}
		at := exprText(named(c.x))
		if from, number := literal(initOf(f)); e.lo < 0 && number {
			all = append(all, fmt.Sprintf("%s >= %d", at, from-e.lo))
		} else if e.lo < 0 {
			all = append(all, fmt.Sprintf("%s >= %s + %d", at, sumText(named(initOf(f))), -e.lo))
		}
		if e.hi > 0 && isUnsigned(intType(c)) {
			all = append(all, fmt.Sprintf("%s + %d %s %s", at, e.hi, c.op, sumText(named(c.y))))
		} else if e.hi > 0 {
			all = append(all, fmt.Sprintf("%s %s %s - %d", at, c.op, sumText(named(c.y)), e.hi))
		}
	}
	return all, len(all) > 0
}

// edit returns what is written for the condition of x, and the function in which that is.
func (w *wallReader) edit(x wall) (e edit, fd *cc.FunctionDefinition, ok bool) {
	from, to, in := w.f.bytes(x.cond.at())
	if !in || w.f.macroAt(x.cond.at()) != "" {
		return e, nil, false
	}
	for tu := w.u.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		if f := tu.ExternalDeclaration.FunctionDefinition; f != nil && w.f.offset(f.Position()) <= from && w.f.offset(f.Position()) >= 0 && to <= w.f.offset(f.CompoundStatement.Token2.Position()) {
			fd = f
		}
	}
	if fd == nil {
		return e, nil, false
	}
	body := stmt(w.bodyOf(fd))
	if fd == w.r.function {
		body = block{items: w.r.stmts}
	}
	var loops []forStmt
	kept := true // the ends of loops mean the same at the condition
	eachStmt(body, func(s stmt) {
		f, is := s.(forStmt)
		if !is || !slices.ContainsFunc(x.edges, func(e edge) bool { return e.loop == iteratorOf(f) }) {
			return
		}
		loops = append(loops, f)
		for _, e := range []expr{initOf(f), f.cond} {
			eachExpr(e, func(e expr) {
				v, is := e.(ident)
				kept = kept && (!is || v.decl != nil && !w.declaresName(f.body, v.decl.Name()) && !assigns(f.body, v.decl))
			})
		}
	})
	conds, known := w.inside(x, loops, func(e expr) expr {
		return mapExpr(e, func(e expr) expr {
			if v, is := e.(ident); is && v.decl != nil && w.u.members.is(v.decl) {
				v.name = w.u.members.name(v.decl)
				return v
			}
			return e
		})
	})
	inside := strings.Join(conds, " && ")
	text := fmt.Sprintf("(%s) && (%s)", inside, w.f.text[from:to])
	if !x.side {
		text = fmt.Sprintf("!(%s) || (%s)", inside, w.f.text[from:to])
	}
	return edit{from, to, text}, fd, known && kept && !slices.ContainsFunc(loops, func(f forStmt) bool { return readsElement(f.cond) || readsElement(initOf(f)) })
}

// copyWith returns a copy of fd with edits, and what is written for its calls in s.
func (w *wallReader) copyWith(s stmt, fd *cc.FunctionDefinition, edits []edit) (x *hostFunction, calls []edit, ok bool) {
	body := w.bodyOf(fd)
	from, to := w.f.offset(fd.Position()), w.f.offset(fd.CompoundStatement.Token2.Position())+1
	name := w.f.offset(fd.Declarator.NameTok().Position())
	if from < 0 || name < from || to < name || to > w.r.Start && !w.isDeclared(fd) || hasStatics(body) {
		return nil, nil, false
	}
	x = &hostFunction{name: w.name(fd.Declarator.Name() + "_"), plain: true}
	x.hostLoops = &hostLoops{source: w.source, patchwork: &patchwork{user: w.f, cursor: from, region: true}, functions: w.functions, of: fd, found: true}
	slices.SortFunc(edits, func(e, f edit) int { return e.from - f.from })
	open := w.f.offset(fd.CompoundStatement.Token.Position()) + 1
	x.put("\n")
	x.upTo(name)
	x.put("%s", x.name)
	x.skipTo(name + len(fd.Declarator.Name()))
	x.upTo(open)
	x.edited(open, to, edits)
	x.put("\n")
	ok = true
	eachExprIn(s, func(e expr) {
		c, is := e.(call)
		if !is {
			return
		}
		f, _ := c.fun.(ident)
		switch of := w.definition(f); {
		case of == fd:
			at, end, in := w.f.bytes(f.where)
			ok = ok && in && string(w.f.text[at:end]) == f.name
			calls = append(calls, edit{at, end, x.name})
		case of != nil: // which may call it
			eachExprIn(w.bodyOf(of), func(e expr) {
				c, is := e.(call)
				ok = ok && (!is || !isCallOf(c, fd.Declarator.Name()))
			})
		}
	})
	return x, calls, ok && len(calls) > 0
}

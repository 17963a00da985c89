package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file writes regions anew for several ranks, each of which has a part of the arrays. Scalars are the same on all ranks. A nest that gathers scalars becomes two:
//
//	for (i..) for (j..) { A[i][j] = ..; e = fmax(e, fabs(A[i][j] - B[i][j])); }
//
//	=>  a region:    for (i..) for (j..) { A[i][j] = ..; hexcc_term1[i][j] = fabs(A[i][j] - B[i][j]); }
//	    of the host: for (the rank's own i..) for (j..) e = fmax(e, hexcc_term1[i][j]);    and what ranks do to have one e
//
// so that what a term reads of rows of other ranks is sent as it is for any other nest. Terms are in memory, as double, which holds all that they are: only scalars are
// taken of whose values that can be said. Where no order matters, as of a maximum, all ranks gather at once, and then the greatest of theirs is taken; else in the order of the program: a rank after the one
// below it, from what that has.

// ranksNames are functions that the text calls, with their declarations, which stand where they are called: the program that is printed has them.
const ranksNames = "extern int hexcc_mine(long); extern double hexcc_greatest(double); extern double hexcc_sum(double); extern void hexcc_take(void *, long), hexcc_pass(void *, long), hexcc_share(void *, long), *hexcc_terms(int, long, unsigned long);"

// A ranksTerm is what a leaf of a nest gathers that is no scalar which it gathers.
type ranksTerm struct {
	e    expr
	name string
	at   string // the element that holds it
}

// gatherOnRanks writes nest f, which gathers ds.
func (h *hostLoops) gatherOnRanks(f forStmt, ds []*cc.Declarator) {
	r := &reduction{source: h.source, nest: f, gathered: ds, values: h.definitionsOf(f)}
	if !r.walk(f, nil, nil) || r.twice() {
		h.refuseGather(f, ds, "is gathered by statements of other kinds than assignments under conditions")
		return
	}
	r.defineLocals()
	var loops []forStmt
	var terms []ranksTerm
	var apply []string
	instead := map[int]string{}
	extremes := 0
	for i := range r.leaves {
		l := &r.leaves[i]
		if l.purpose != toGather {
			if mentionsAny(l.exprs(), ds) {
				h.refuseGather(f, ds, "is used by another statement of the nest")
				return
			}
			continue
		}
		switch {
		case len(l.under) > 0:
			h.refuseGather(f, ds, "is gathered under a condition: write a term that changes nothing where it does not hold, such as c ? x : 0")
			return
		case loops == nil:
			loops = l.loops
		case !slices.EqualFunc(loops, l.loops, func(f, g forStmt) bool { return f.head == g.head }):
			h.refuseGather(f, ds, "is gathered by loops in each other")
			return
		}
		text, own, why := h.termsOf(r, l, &terms, loops)
		if why != "" {
			h.refuseGather(f, ds, why)
			return
		}
		if x, ok := r.extreme(l); ok && !x.counts && x.typ.IsFloat() && x.apply != nil && len(own) > 0 {
			extremes++
		}
		apply = append(apply, text)
		var stores strings.Builder
		for _, t := range own {
			fmt.Fprintf(&stores, " %s = %s;", t.at, h.spelled(t.e))
		}
		instead[l.order] = "{" + stores.String() + " }"
	}
	box, ok := h.box(loops)
	if !ok || slices.ContainsFunc(box, func(x extentOf) bool { return strings.Contains(x.sub, "-") }) {
		h.refuseGather(f, ds, "is gathered by loops whose bounds are not those of a box, from a number up")
		return
	}
	if by, _ := stepOf(loops[0].step, iteratorOf(loops[0])); by < 0 {
		h.refuseGather(f, ds, "is gathered by a loop that counts down")
		return
	}
	h.found, h.gathers = true, true
	from, to := h.extent(f)
	h.upTo(from)
	h.put("{ %s\n", ranksNames)
	for _, t := range terms {
		row := "sizeof(double"
		for _, x := range box[1:] {
			row += " [" + x.size + "]"
		}
		h.line("%s = (%s)hexcc_terms(%s, (long)(%s), %s));", view("double", t.name, box), view("double", "", box), strings.TrimPrefix(t.name, "hexcc_term"), box[0].size, row)
	}
	h.nests([]stmt{f}, nil, "", func() { h.edited(from, to, h.without(r, toGather, instead)) }, func() {})
	h.skipTo(to)
	h.gatherTerms(r, loops, terms, apply, extremes == len(apply))
	h.put(" }")
}

// refuseGather tells why ranks cannot run f, which gathers ds.
func (h *hostLoops) refuseGather(f forStmt, ds []*cc.Declarator, why string) {
	h.refuseOnRanks(f, fmt.Sprintf("ranks cannot run this nest: '%s' %s", ds[0].Name(), why), "gather in a nest of its own, by += or fmax of a term")
}

// termsOf returns, for a leaf that gathers, the statement that gathers what terms hold, and the terms that it is made of, which are added to all; or why it cannot be made of terms.
func (h *hostLoops) termsOf(r *reduction, l *gatherLeaf, all *[]ranksTerm, loops []forStmt) (text string, own []ranksTerm, why string) {
	typ, number := storedType(l.to.Type())
	if !number || typ.IsComplex() || !typ.IsFloat() && typ.Size() > 4 || typ.IsFloat() && typ.Size() > 8 {
		return "", nil, "is of a type that double does not hold"
	}
	operations, steady := 0, true
	term := func(e expr) expr {
		i := slices.IndexFunc(own, func(t ranksTerm) bool { return sameExpr(t.e, e) })
		if i < 0 {
			t := ranksTerm{e: e, name: h.name("term")}
			t.at = t.name
			for _, f := range loops {
				t.at += "[" + iteratorOf(f).Name() + "]"
			}
			*all, own = append(*all, t), append(own, t)
			i = len(own) - 1
		}
		return ident{e.at(), own[i].at, nil}
	}
	var apart func(e expr) expr
	apart = func(e expr) expr {
		if !mentionsAny([]expr{e}, r.gathered) {
			if _, constant := literal(e); constant {
				return e
			}
			return term(e)
		}
		switch x := e.(type) {
		case ident:
			steady = steady && slices.Contains(r.gathered, x.decl)
		case index, memberExpr, assign, comma, literalExpr, otherExpr:
			steady = false
		case binary, unary:
			operations++
		case cast:
			_, same := storedType(x.typ)
			steady = steady && same
		case call:
			operations++
			x.args = mapAll(x.args, apart)
			return x
		}
		return mapChildren(e, apart)
	}
	assignment := func(a assign) string {
		if a.y == nil {
			return exprText(a)
		}
		if a.op != "=" {
			operations++
		}
		y := apart(a.y)
		return a.x.(ident).name + " " + a.op + " " + exprText(y)
	}
	switch s := l.stmt.(type) {
	case exprStmt:
		text = assignment(s.x.(assign)) + ";"
	case ifStmt:
		then := flatten([]stmt{s.then})[0].(exprStmt).x.(assign)
		c := apart(s.cond)
		operations = 0 // which compared, and computed nothing
		text = "if (" + exprText(c) + ") " + assignment(then) + ";"
	default:
		return "", nil, "is gathered by a declaration"
	}
	if !steady || typ != scop.Double && operations > 1 {
		return "", nil, "is gathered by more than one operation"
	}
	return text, own, ""
}

// gatherTerms writes what ranks do with the terms of a nest. anyOrder: each of apply is the greatest or the least of terms, for which the order matters only where some are no numbers, or where it
// is 0, which has two signs.
func (h *hostLoops) gatherTerms(r *reduction, loops []forStmt, terms []ranksTerm, apply []string, anyOrder bool) {
	mine := fmt.Sprintf("if (hexcc_mine((long)%s)) ", iteratorOf(loops[0]).Name())
	heads := func(inner string) string {
		text := h.head(loops[0]) + "\n" + mine
		for _, f := range loops[1:] {
			text += inner + h.head(f) + " "
		}
		return text
	}
	if anyOrder {
		var decls, clauses, takes, shares, tests, results []string
		for i := range r.leaves {
			x, ok := r.extreme(&r.leaves[i])
			if !ok || r.leaves[i].purpose != toGather {
				continue
			}
			k := slices.IndexFunc(terms, func(t ranksTerm) bool { return sameExpr(t.e, x.term) })
			if k < 0 {
				k = slices.IndexFunc(terms, func(t ranksTerm) bool { return sameExpr(withoutCasts(t.e), withoutCasts(x.term)) })
			}
			m, z, op, worst, kind, sign := h.name("most"), h.name("none"), ">", "-__builtin_inf()", "max", ""
			if x.least {
				op, worst, kind, sign = "<", "__builtin_inf()", "min", "-"
			}
			e := terms[k].at
			decls = append(decls, fmt.Sprintf("double %s = %s, %s = 0;", m, worst, z))
			clauses = append(clauses, fmt.Sprintf("reduction(%s:%s) reduction(+:%s)", kind, m, z))
			takes = append(takes, fmt.Sprintf("%s = %s %s %s ? %s : %s; %s += %s - %s;", m, e, op, m, e, m, z, e, e))
			shares = append(shares, fmt.Sprintf("%s = %shexcc_greatest(%s%s); %s = hexcc_sum(%s);", m, sign, sign, m, z, z))
			tests = append(tests, fmt.Sprintf("%s == 0 && %s != 0 && %s %s %s", z, m, m, op, worst))
			results = append(results, x.apply(m))
		}
		h.line("%s", strings.Join(decls, "\n"))
		h.line("#pragma omp parallel for %s", strings.Join(clauses, " "))
		h.line("%s{ %s }", heads(""), strings.Join(takes, " "))
		h.line("%s", strings.Join(shares, "\n"))
		h.line("if (%s) { %s } else { /* in the order of the program */", strings.Join(tests, " && "), strings.Join(results, " "))
	}
	for _, d := range r.gathered {
		h.line("hexcc_take(&%s, (long)sizeof %s);", d.Name(), d.Name())
	}
	h.line("%s{ %s }", heads(""), strings.Join(apply, " "))
	for _, d := range r.gathered {
		h.line("hexcc_pass(&%s, (long)sizeof %s);", d.Name(), d.Name())
	}
	for _, d := range r.gathered { // behind what the next rank waits for
		h.line("hexcc_share(&%s, (long)sizeof %s);", d.Name(), d.Name())
	}
	if anyOrder {
		h.line("}")
	}
}

// refuseOnRanks tells why the host cannot run s on several ranks.
func (h *hostLoops) refuseOnRanks(s stmt, why, help string) {
	h.failed = true
	h.refused = append(h.refused, &diag.Diagnostic{Code: "HX311", At: h.f.span(firstPart(s)), Msg: why, Help: help})
}

// checkOnRanks refuses a statement that is no nest where ranks would not all do the same: they have the same scalars, and each its part of the arrays.
func (h *hostLoops) checkOnRanks(s stmt) {
	if !h.o.Ranks {
		return
	}
	h.checkPointers(s)
	if ms, moves := h.moves(s); moves && len(ms) > 0 {
		return // pointers, to the first elements of arrays
	}
	if f, ok := s.(forStmt); ok && f.init != nil {
		h.checkOnRanks(f.init)
	}
	for _, e := range exprsOf(s) {
		eachExpr(e, func(e expr) {
			u, is := e.(unary)
			if _, element := e.(index); !h.failed && (element || is && u.op == "*") {
				h.refuseOnRanks(s, "this reads, or sets, an element of an array, which one rank has", "gather what is needed of elements in a nest, as its sum or its greatest")
			}
			if c, ok := e.(call); ok && !h.failed && len(h.callsOfNests(exprStmt{c.where, c})) == 0 {
				f, named := c.fun.(ident)
				if _, known := scop.Computable(f.name); !named || !known && !h.ofScalars(c) {
					h.refuseOnRanks(s, fmt.Sprintf("'%s' would be called by each rank", h.spelled(c)), "call it before the region, or behind it: what the loop has found is in its scalars")
				}
			}
		})
	}
}

// checkAllOnRanks does so for a statement without nests that is written as it is, and for all in it. One that leaves the loop by another way than its end would leave ranks without what ends their messages.
func (h *hostLoops) checkAllOnRanks(s stmt) {
	if !h.o.Ranks {
		return
	}
	eachStmt(s, func(s stmt) {
		h.checkOnRanks(s)
		if x, ok := s.(otherStmt); ok && x.what != "'break'" && x.what != "'continue'" && !h.failed {
			h.refuseOnRanks(s, "ranks cannot run "+x.what+" beside nests", "let the condition of the loop, or break, end it, and do the rest behind the region")
		}
	})
}

// refuseCallOnRanks tells that s calls f, whose nests could not be written in its place.
func (h *hostLoops) refuseCallOnRanks(s stmt, f ident) {
	h.refuseOnRanks(s, fmt.Sprintf("ranks cannot run '%s' where it is called: what its nests do would have to be written there", f.name), "write what it does into the region")
	d := h.refused[len(h.refused)-1]
	d.Notes = append(d.Notes, diag.Note{Msg: "allowed: functions of this file, in C, without static variables, where they are always called, and where their names mean the same"})
}

// ofScalars reports whether c calls a function of the file, without loops, that gets numbers and addresses of pointers, and no pointers to elements,
// and that neither uses elements by those pointers nor calls what does more.
func (h *hostLoops) ofScalars(c call) bool {
	f, _ := c.fun.(ident)
	fd := h.definition(f)
	if fd == nil || h.calling[fd] || contains(h.bodyOf(fd), isLoop) {
		return false
	}
	for i, d := range parameters(fd) {
		p, points := d.Type().(*cc.PointerType)
		if i >= len(c.args) || points && p.Elem().Kind() != cc.Ptr {
			return false
		}
		if u, address := c.args[i].(unary); isPointer(d) && !(address && u.op == "&") {
			return false
		}
	}
	ok, in := true, h.inside(fd)
	eachStmt(h.bodyOf(fd), func(s stmt) { ok = ok && !leadsInside(s) })
	eachExprIn(h.bodyOf(fd), func(e expr) {
		switch x := e.(type) {
		case index:
			var of expr = x
			for i, is := of.(index); is; i, is = of.(index) {
				of = i.base
			}
			d := variableOf(of)
			ok = ok && d != nil && !isPointer(d)
		case unary:
			d := variableOf(x.x)
			ok = ok && (x.op != "*" || d != nil && leadsToPointers(d))
		case memberExpr:
			ok = ok && !x.arrow
		case call:
			g, named := x.fun.(ident)
			_, known := scop.Computable(g.name)
			ok = ok && named && (known || in.ofScalars(x))
		}
	})
	return ok
}

// leadsToPointers reports whether d is a pointer to pointers.
func leadsToPointers(d *cc.Declarator) bool {
	p, points := d.Type().(*cc.PointerType)
	return points && p.Elem().Kind() == cc.Ptr
}

// together reports whether steps of a chunk may be a region: ranks do not set back what they have computed, nor test after some steps only.
func (h *hostLoops) together(c *chunk) bool {
	return !h.o.Ranks || !h.o.InSteps && len(c.goals) == 0 && len(c.saves) == 0 && c.every == 0
}

// holdsSteps reports whether f is a loop over time steps around another one, which is a loop of the host: ranks have such loops wherever there is one, others where no region holds it.
func (h *hostLoops) holdsSteps(f forStmt) bool {
	steps := func(f forStmt) bool { return h.timeLike(f) && (h.o.Ranks || !placesElements(f)) }
	return (h.o.Ranks || h.o.nested) && steps(f) && contains(f.body, func(s stmt) bool {
		in, ok := s.(forStmt)
		return ok && steps(in) && setsElements(in)
	})
}

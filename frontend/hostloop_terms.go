package frontend

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file has what a nest gathers go by way of memory: the nest stores a term at each point, and another one gathers the terms, in the order of the program.
// So a term may be made of what only its own iteration knows, such as an element before it is overwritten:
//
//	for (i..) for (j..) { old = a[i][j]; a[i][j] = ..; e = fmax(e, fabs(a[i][j] - old)); }
//
//	=>  for (i..) for (j..) { old = a[i][j]; a[i][j] = ..; { hexcc_term1[i][j] = fabs(a[i][j] - old); } }
//	    for (i..) for (j..) e = fmax(e, hexcc_term1[i][j]);
//
// What is gathered under a condition has a term that says whether it holds. Only scalars are taken of whose values a term holds all.

// gatheredTerms are the terms of a nest.
type gatheredTerms struct {
	of       *reduction
	loops    []forStmt // that gather
	box      []extentOf
	terms    []gatheredTerm
	leaves   []termLeaf
	anyOrder bool // each leaf takes the greatest or the least of terms
}

// A gatheredTerm is what a leaf of a nest gathers that is no scalar which it gathers, or, without an expression, whether it does.
type gatheredTerm struct {
	e     expr
	name  string
	typ   string // of the elements
	at    string // the element that holds it
	text  string // its value
	holds bool   // all values of e, as C has them
}

// A termLeaf is how a leaf gathers.
type termLeaf struct {
	*gatherLeaf
	own   []int    // its terms
	when  int      // the term that says whether it gathers, -1: always
	apply string   // the statement that gathers what terms hold
	most  *extreme // of term, if it takes that
	term  int
}

const notOfBox = "is gathered by loops whose bounds are not those of a box, from a number up"

// termsOf returns what nest r gathers as terms, or why it cannot be.
func (h *hostLoops) termsOf(r *reduction) (g *gatheredTerms, why string) {
	g = &gatheredTerms{of: r, anyOrder: true}
	if !r.separable() {
		return nil, "is used by another statement of the nest"
	}
	for i := range r.leaves {
		l := &r.leaves[i]
		if l.purpose != toGather {
			continue
		}
		if g.loops == nil {
			var ok bool
			g.loops = mapAll(l.loops, r.outside)
			if g.box, ok = h.box(g.loops); !ok {
				return nil, notOfBox
			}
		}
		if !slices.EqualFunc(g.loops, l.loops, func(f, g forStmt) bool { return f.head == g.head }) {
			return nil, "is gathered by loops in each other"
		}
		if why := g.add(h, l); why != "" {
			return nil, why
		}
	}
	return g, ""
}

// outside returns f with the values of variables of the nest in its head, such as one that a row begins at.
func (r *reduction) outside(f forStmt) forStmt {
	put := func(e expr) expr {
		for range r.leaves { // values may be made of such variables
			with := r.values.in(e)
			if sameExpr(with, e) {
				break
			}
			e = with
			if b, ok := e.(binary); ok {
				b.where = where{} // it is no text of the user's
				e = b
			}
		}
		return e
	}
	switch s := f.init.(type) {
	case declStmt:
		if len(s.vars) == 1 {
			v := s.vars[0]
			v.init = put(v.init)
			f.init = declStmt{s.where, []varDecl{v}}
		}
	case exprStmt:
		if a, ok := s.x.(assign); ok && a.op == "=" {
			a.y = put(a.y)
			f.init = exprStmt{s.where, a}
		}
	}
	if c, ok := f.cond.(binary); ok {
		if with := put(c.y); !sameExpr(with, c.y) {
			f.cond = binary{where{}, c.op, c.x, with}
		}
	}
	return f
}

// add adds what leaf l gathers; it returns why that cannot be made of terms.
func (g *gatheredTerms) add(h *hostLoops, l *gatherLeaf) (why string) {
	typ, number := storedType(l.to.Type())
	if !number || typ.IsComplex() || typ == scop.LongDouble {
		return "is of a type that double does not hold"
	}
	if !l.plainly() {
		return "is gathered by a statement that sets something else, too"
	}
	if len(l.more) > 0 {
		return "is gathered with others, under one condition"
	}
	leaf := termLeaf{gatherLeaf: l, when: -1}
	if len(l.under) > 0 {
		leaf.when = g.condition(h, l.under)
	}
	// What the type of a term is not needed for: it is turned into double wherever it is used, or used once, and rounded then.
	plain, operations, steady := true, 0, true
	var apart func(e expr) expr
	apart = func(e expr) expr {
		if !mentionsAny([]expr{e}, g.of.gathered) {
			if _, constant := literal(e); constant {
				return e
			}
			k := slices.IndexFunc(leaf.own, func(k int) bool { return sameExpr(g.terms[k].e, e) })
			if k < 0 {
				k, leaf.own = len(leaf.own), append(leaf.own, g.term(h, e))
			}
			return ident{e.at(), g.terms[leaf.own[k]].text, nil}
		}
		switch x := e.(type) {
		case ident:
			steady = steady && slices.Contains(g.of.gathered, x.decl)
		case index, memberExpr, assign, comma, literalExpr, otherExpr:
			steady = false
		case binary, unary:
			operations++
		case cast:
			_, same := storedType(x.typ)
			steady, plain = steady && same, false
		case call:
			operations++
			f, _ := x.fun.(ident)
			plain = plain && mathType(f.name) == scop.Double && h.definition(f) == nil
			x.args = mapAll(x.args, apart)
			return x
		}
		return mapChildren(e, apart)
	}
	assignment := func(a assign) string {
		if a.y == nil {
			return h.printed(a)
		}
		if a.op != "=" {
			operations++
		}
		return a.x.(ident).name + " " + a.op + " " + h.printed(apart(a.y))
	}
	switch s := l.stmt.(type) {
	case exprStmt:
		leaf.apply = assignment(s.x.(assign)) + ";"
	case ifStmt:
		then := flatten([]stmt{s.then})[0].(exprStmt).x.(assign)
		c := apart(s.cond)
		operations = 0 // which compared, and computed nothing
		leaf.apply = "if (" + h.printed(c) + ") " + assignment(then) + ";"
	default:
		return "is gathered by a declaration"
	}
	if !steady {
		return "is gathered by more than one operation"
	}
	plain = plain && (typ == scop.Double || typ == scop.Float && operations == 1)
	for _, k := range leaf.own {
		if t := &g.terms[k]; !t.holds && !plain {
			return "is gathered of terms whose type is not known"
		}
	}
	if x, ok := g.of.extreme(l); ok && !x.counts && x.typ.IsFloat() && x.apply != nil {
		for _, k := range leaf.own {
			if sameExpr(g.terms[k].e, x.term) || sameExpr(withoutCasts(g.terms[k].e), withoutCasts(x.term)) {
				leaf.most, leaf.term = &x, k
			}
		}
	}
	g.anyOrder = g.anyOrder && leaf.most != nil
	g.leaves = append(g.leaves, leaf)
	return ""
}

// condition returns the number of the term that says whether all of under hold.
func (g *gatheredTerms) condition(h *hostLoops, under []expr) int {
	for _, l := range g.leaves {
		if slices.EqualFunc(l.under, under, func(a, b expr) bool { return a.at() == b.at() && sameExpr(a, b) }) {
			return l.when
		}
	}
	return g.term(h, nil)
}

// term returns the number of a new term.
func (g *gatheredTerms) term(h *hostLoops, e expr) int {
	t := gatheredTerm{e: e, name: h.name("term"), typ: "double"}
	typ, known := scop.Int, true
	if e != nil {
		typ, known = h.valueType(e)
	}
	t.at = t.name
	if !h.o.Ranks {
		t.at = "(*" + t.name + "_)" // an array with all of its extents
	}
	for _, x := range g.box {
		t.at += "[" + x.sub + "]"
	}
	t.text = t.at
	switch c, ok := cNames[typ]; {
	case !known || !ok:
	case !h.o.Ranks:
		t.typ, t.holds = c, true
	case typ == scop.Double:
		t.holds = true
	case typ.Size() <= 4:
		t.text, t.holds = "(("+c+")"+t.at+")", true
	}
	g.terms = append(g.terms, t)
	return len(g.terms) - 1
}

// cNames are the types of terms that are kept as they are.
var cNames = map[scop.Type]string{scop.Double: "double", scop.Float: "float", scop.Int: "int", scop.Uint: "unsigned", scop.Long: "long", scop.Ulong: "unsigned long"}

// edits returns what becomes of the nest, between two offsets: it stores the terms.
func (g *gatheredTerms) edits(h *hostLoops) []edit {
	instead := map[int]string{}
	var clear strings.Builder
	cleared := map[int]bool{}
	for _, l := range g.leaves {
		var stores strings.Builder
		for _, k := range l.own {
			fmt.Fprintf(&stores, " %s = %s;", g.terms[k].at, h.byPointers(h.spelled(g.terms[k].e)))
		}
		if l.when >= 0 {
			fmt.Fprintf(&stores, " %s = 1;", g.terms[l.when].at)
			if !cleared[l.when] {
				cleared[l.when] = true
				fmt.Fprintf(&clear, " %s = 0;", g.terms[l.when].at)
			}
		}
		instead[l.order] = "{" + stores.String() + " }"
	}
	edits := h.without(g.of, toGather, instead)
	if clear.Len() == 0 {
		return edits
	}
	body := g.loops[len(g.loops)-1].body
	from, to := h.extent(body)
	if _, braces := body.(block); braces && h.f.text[from] == '{' {
		edits = append(edits, edit{from + 1, from + 1, clear.String()})
	} else {
		edits = append(edits, edit{from, from, "{" + clear.String() + " "}, edit{to, to, " }"})
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	return edits
}

// gatherTerms writes loops that gather the terms of a nest: on ranks, of their own points, and what makes the result the same on all of them. If each leaf takes the greatest or the least of terms,
// all threads, and ranks, do so at once; the order matters only where some are no numbers, or where the result is 0, which has two signs.
func (h *hostLoops) gatherTerms(g *gatheredTerms) {
	if g.anyOrder {
		h.gatherAnyOrder(g)
	}
	share := func(call string) {
		for _, d := range g.of.gathered {
			if h.o.Ranks {
				h.line("hexcc_%s(&%s, (long)sizeof %s);", call, d.Name(), d.Name())
			}
		}
	}
	share("take")
	heads := h.head(g.loops[0]) + " "
	if h.o.Ranks {
		heads = fmt.Sprintf("%s\nif (hexcc_mine((long)%s)) ", h.head(g.loops[0]), iteratorOf(g.loops[0]).Name())
	}
	for _, f := range g.loops[1:] {
		heads += h.head(f) + " "
	}
	var apply []string
	for _, l := range g.leaves {
		apply = append(apply, g.guarded(l, l.apply))
	}
	h.line("%s{ %s }", heads, strings.Join(apply, " "))
	share("pass")
	share("share") // behind what the next rank waits for
	if g.anyOrder {
		h.line("}")
	}
}

// guarded returns text, which stands for leaf l, where that gathers.
func (g *gatheredTerms) guarded(l termLeaf, text string) string {
	if l.when < 0 {
		return text
	}
	return fmt.Sprintf("if (%s != 0) { %s }", g.terms[l.when].at, text)
}

// A taking is how the greatest, or the least, of terms is taken in any order: by all threads, in vectors.
type taking struct {
	most, none string // variables: what is taken; 0 unless a term is no number
	op, sign   string
	decl       string
	clause     string // of OpenMP
	test       string // whether the order makes no difference
}

// taking returns how the greatest of terms is taken, or the least.
func (h *hostLoops) taking(least bool) taking {
	op, worst, kind, sign := ">", "-__builtin_inf()", "max", ""
	if least {
		op, worst, kind, sign = "<", "__builtin_inf()", "min", "-"
	}
	m, z := h.name("most"), h.name("none")
	return taking{m, z, op, sign, fmt.Sprintf("double %s = %s, %s = 0;", m, worst, z), fmt.Sprintf("reduction(%s:%s) reduction(+:%s)", kind, m, z),
		fmt.Sprintf("%s == 0 && %s != 0 && %s %s %s", z, m, m, op, worst)}
}

// of returns the statement that takes term.
func (t taking) of(term string) string {
	return fmt.Sprintf("%[1]s = %[2]s %[3]s %[1]s ? %[2]s : %[1]s; %[4]s += %[2]s - %[2]s;", t.most, term, t.op, t.none)
}

// gatherAnyOrder writes loops that gather in any order, up to the else behind which the order is that of the program.
func (h *hostLoops) gatherAnyOrder(g *gatheredTerms) {
	var decls, clauses, takes, shares, tests, results []string
	for _, l := range g.leaves {
		t := h.taking(l.most.least)
		decls, clauses, tests = append(decls, t.decl), append(clauses, t.clause), append(tests, t.test)
		takes = append(takes, g.guarded(l, t.of(g.terms[l.term].at)))
		shares = append(shares, fmt.Sprintf("%[1]s = %[2]shexcc_greatest(%[2]s%[1]s); %[3]s = hexcc_sum(%[3]s);", t.most, t.sign, t.none))
		results = append(results, l.most.apply(t.most))
	}
	how, inner := strings.Join(clauses, " "), g.loops[1:]
	h.line("%s", strings.Join(decls, "\n"))
	switch {
	case h.o.Ranks:
		h.line("%s", directive("parallel for "+how))
		h.line("%s\nif (hexcc_mine((long)%s)) ", h.head(g.loops[0]), iteratorOf(g.loops[0]).Name())
	case len(inner) == 0:
		h.line("%s\n%s", directive("parallel for simd "+how), h.head(g.loops[0]))
	default:
		h.line("%s\n%s", directive("parallel for "+how), h.head(g.loops[0]))
	}
	for i, f := range inner {
		if i == len(inner)-1 && !h.o.Ranks {
			h.line("{\n%s", directive("simd "+how))
		}
		h.line("%s", h.head(f))
	}
	h.line("{ %s }", strings.Join(takes, " "))
	switch {
	case h.o.Ranks:
		h.line("%s", strings.Join(shares, "\n"))
	case len(inner) > 0:
		h.line("}")
	}
	h.line("if (%s) { %s } else { /* in the order of the program */", strings.Join(tests, " && "), strings.Join(results, " "))
}

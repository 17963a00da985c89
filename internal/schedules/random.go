package schedules

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// This file makes random schedules: up to three statements with up to three dimensions, of domains with strides, floors and unions,
// under relations or trees of all kinds of nodes, with options.

// Random returns the text of the schedule that a seed stands for.
func Random(seed uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 77))}
	g.params = [][]string{nil, {"N"}, {"N", "M"}}[g.IntN(3)]
	for i := range 1 + g.IntN(3) {
		g.stmts = append(g.stmts, g.statement(fmt.Sprintf("S%d", i)))
	}
	if g.IntN(3) == 0 {
		return g.relation()
	}
	return g.tree()
}

type generator struct {
	*rand.Rand
	params []string
	stmts  []statement
	marks  int
}

// A statement has the text of its domain after its tuple.
type statement struct {
	name   string
	dims   []string
	domain []string // conjunctions, of which one holds
}

func (s statement) tuple() string { return s.name + "[" + strings.Join(s.dims, ", ") + "]" }

// pick returns one of list.
func pick[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }

// one reports true once in n times.
func (g *generator) one(n int) bool { return g.IntN(n) == 0 }

func (g *generator) statement(name string) statement {
	s := statement{name: name, dims: []string{"i", "j", "k"}[:g.IntN(4)]}
	for range pick(g, 1, 1, 1, 2) {
		s.domain = append(s.domain, g.domain(s.dims))
	}
	return s
}

// domain returns a conjunction that bounds all dims.
func (g *generator) domain(dims []string) string {
	var all []string
	for at, d := range dims {
		lo, hi := fmt.Sprint(g.IntN(6)-2), fmt.Sprint(2+g.IntN(8))
		if len(g.params) > 0 && !g.one(3) {
			hi = pick(g, "%s", "%s - 1", "%s + 2", "2%s", "floor(%s/2)")
			hi = fmt.Sprintf(hi, pick(g, g.params...))
		}
		if at > 0 && g.one(3) {
			lo = fmt.Sprintf(pick(g, "%s", "%s - 2", "-%s", "floor(%s/2)"), dims[g.IntN(at)])
		} else if at > 0 && g.one(3) {
			hi = fmt.Sprintf(pick(g, "%s", "%s + 3", "%s"), dims[g.IntN(at)])
		}
		all = append(all, fmt.Sprintf("%s <= %s <= %s", lo, d, hi))
		if g.one(4) {
			all = append(all, g.stride(d, dims[:at]))
		}
	}
	if len(g.params) > 0 && g.one(5) {
		all = append(all, fmt.Sprintf("%s >= %d", pick(g, g.params...), g.IntN(6)))
	}
	if len(dims) > 1 && g.one(4) {
		all = append(all, fmt.Sprintf("%d <= %s + %s <= %d", g.IntN(4)-1, dims[0], dims[1], 3+g.IntN(9)))
	}
	if len(all) == 0 {
		return "true"
	}
	return strings.Join(all, " and ")
}

// stride returns a constraint on the remainders of d.
func (g *generator) stride(d string, before []string) string {
	m := 2 + g.IntN(4)
	with := fmt.Sprint(g.IntN(m))
	if len(before) > 0 && g.one(2) {
		with = fmt.Sprintf("(%s) mod %d", before[0], m)
	} else if len(g.params) > 0 && g.one(3) {
		with = fmt.Sprintf("(%s) mod %d", g.params[0], m)
	}
	return pick(g,
		fmt.Sprintf("(%s) mod %d = %s", d, m, with),
		fmt.Sprintf("(exists e : %s = %de + %d)", d, m, g.IntN(m)),
		fmt.Sprintf("%s - %d*floor(%s/%d) >= 1", d, m, d, m))
}

// condition returns a constraint on the dims of s.
func (g *generator) condition(dims []string) string {
	if len(dims) == 0 || g.one(5) {
		if len(g.params) == 0 {
			return "true"
		}
		return fmt.Sprintf("%s %s %d", pick(g, g.params...), pick(g, ">=", "<"), g.IntN(8))
	}
	d := pick(g, dims...)
	switch g.IntN(4) {
	case 0:
		return fmt.Sprintf("(%s) mod %d = %d", d, 2+g.IntN(2), g.IntN(2))
	case 1:
		if len(g.params) > 0 {
			return fmt.Sprintf("%s %s %s - %d", d, pick(g, ">=", "<"), pick(g, g.params...), g.IntN(4))
		}
	}
	return fmt.Sprintf("%s %s %d", d, pick(g, ">=", "<", "<="), g.IntN(6))
}

// value returns an expression over dims.
func (g *generator) value(dims []string) string {
	if len(dims) == 0 || g.one(6) {
		return fmt.Sprint(g.IntN(4))
	}
	d := pick(g, dims...)
	switch g.IntN(10) {
	case 0:
		return fmt.Sprintf("floor(%s/%d)", d, 2+g.IntN(4))
	case 1:
		return fmt.Sprintf("%s mod %d", d, 2+g.IntN(3))
	case 2:
		return fmt.Sprintf("%d%s + %d", 2+g.IntN(2), d, g.IntN(3))
	case 3:
		return "-" + d
	case 4:
		if len(g.params) > 0 {
			return d + " + " + pick(g, g.params...)
		}
	case 5, 6:
		return fmt.Sprintf("%s + %d", d, g.IntN(5)-2)
	case 7:
		if e := pick(g, dims...); e != d {
			return d + pick(g, " + ", " - ", " + 2") + e
		}
	}
	return d
}

// text returns braces of pieces, with parameters.
func (g *generator) text(pieces ...string) string {
	prefix := ""
	if len(g.params) > 0 {
		prefix = "[" + strings.Join(g.params, ", ") + "] -> "
	}
	return prefix + "{ " + strings.Join(pieces, "; ") + " }"
}

// context returns conditions on parameters, which keep them small.
func (g *generator) context(tuple string) string {
	var all []string
	for _, p := range g.params {
		all = append(all, fmt.Sprintf("%d <= %s <= %d", pick(g, 0, 0, 1, 3, -5), p, 12+g.IntN(9)))
	}
	if len(g.params) == 2 && g.one(3) {
		all = append(all, "N <= M")
	}
	return g.text(tuple + " : " + strings.Join(append(all, "true"), " and "))
}

func dimNames(prefix string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%s%d", prefix, i)
	}
	return names
}

// relation returns a relation, a context and options.
func (g *generator) relation() string {
	n := 1 + g.IntN(4)
	var pieces []string
	for i, s := range g.stmts {
		for _, d := range s.domain {
			times := make([]string, n)
			for at := range times {
				times[at] = g.value(s.dims)
				if at == n-1 && g.one(2) {
					times[at] = fmt.Sprint(i)
				}
			}
			pieces = append(pieces, fmt.Sprintf("%s -> [%s] : %s", s.tuple(), strings.Join(times, ", "), d))
		}
	}
	if g.one(8) && len(g.stmts[0].dims) > 0 { // an instance has several times
		rest := strings.Repeat(", 0", n-1)
		pieces = append(pieces, fmt.Sprintf("%s -> [t%s] : %s <= t <= %s + 2 and %s", g.stmts[0].tuple(), rest, "i", "i", g.stmts[0].domain[0]))
	}
	outer := "[" + strings.Join(dimNames("t", n), ", ") + "]"
	var options []string
	for _, kind := range []string{"separate", "atomic", "unroll"} {
		if !g.one(3) || kind == "unroll" && len(g.params) > 0 {
			continue
		}
		where := pick(g, "", fmt.Sprintf(" : x = %d", g.IntN(n)), fmt.Sprintf(" : x = %d and t0 >= 3", g.IntN(n)))
		options = append(options, fmt.Sprintf("%s -> %s[x]%s", outer, kind, where))
		break
	}
	return fmt.Sprintf("%s\n%s\n%s\n", g.text(pieces...), g.context(""), g.text(options...))
}

// tree returns a tree.
func (g *generator) tree() string {
	var pieces []string
	for _, s := range g.stmts {
		for _, d := range s.domain {
			pieces = append(pieces, s.tuple()+" : "+d)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "domain: %q\nchild:\n", g.text(pieces...))
	fmt.Fprintf(&b, "  context: %q\n", g.context("[]"))
	fmt.Fprintf(&b, "  child:\n%s", g.node("    ", "    ", 3, 0, g.stmts))
	return b.String()
}

// node returns the text of a node over stmts, and below it as many levels as depth, "" for a leaf. outer is the number of dimensions of time.
func (g *generator) node(first, indent string, depth, outer int, stmts []statement) string {
	if depth == 0 {
		return g.ordered(first, indent, stmts)
	}
	child := func(outer int, stmts []statement) string {
		if c := g.node(indent+"  ", indent+"  ", depth-1, outer, stmts); c != "" {
			return indent + "child:\n" + c
		}
		return indent + "child: leaf\n"
	}
	switch g.IntN(10) {
	case 0, 1:
		return g.split(first, indent, depth, outer, stmts)
	case 2:
		g.marks++
		return fmt.Sprintf("%smark: \"m%d\"\n%s", first, g.marks, child(outer, stmts))
	case 3:
		if !g.one(3) {
			break
		}
		times := "[" + strings.Join(dimNames("t", outer), ", ") + "]"
		x := statement{name: fmt.Sprintf("X%d", depth), dims: []string{"i"}}
		piece := fmt.Sprintf("%s -> %s : 0 <= i <= %d and %s", times, x.tuple(), g.IntN(3), g.condition(dimNames("t", outer)))
		return fmt.Sprintf("%sextension: %q\n%s", first, g.text(piece), child(outer, append(slices.Clip(stmts), x)))
	case 4:
		if !g.one(3) {
			break
		}
		times := "[" + strings.Join(dimNames("t", outer), ", ") + "]"
		return fmt.Sprintf("%sguard: %q\n%s", first, g.text(times+" : "+g.condition(dimNames("t", outer))), child(outer, stmts))
	}
	n := 1 + g.IntN(2)
	text := first + "schedule: " + fmt.Sprintf("%q\n", g.multi(n, stmts))
	if o := g.options(n, outer); o != "" {
		text += fmt.Sprintf("%soptions: %q\n", indent, o)
	}
	return text + child(outer+n, stmts)
}

// multi returns the times of a band with n dimensions.
func (g *generator) multi(n int, stmts []statement) string {
	members := make([]string, n)
	for i := range members {
		var pieces []string
		for _, s := range stmts {
			pieces = append(pieces, fmt.Sprintf("%s -> [%s]", s.tuple(), g.value(s.dims)))
		}
		members[i] = "{ " + strings.Join(pieces, "; ") + " }"
	}
	text := "[" + strings.Join(members, ", ") + "]"
	if len(g.params) > 0 {
		return "[" + strings.Join(g.params, ", ") + "] -> " + text
	}
	return text
}

// options returns options of a band with n dimensions, "" for none.
func (g *generator) options(n, outer int) string {
	kinds := []string{"separate", "atomic"}
	if len(g.params) == 0 {
		kinds = append(kinds, "unroll")
	}
	kind := func() string {
		return fmt.Sprintf("%s[%s]", pick(g, kinds...), pick(g, "x", fmt.Sprint(g.IntN(n))))
	}
	switch g.IntN(5) {
	case 0, 1:
		return ""
	case 2:
		times := dimNames("x", n)
		piece := fmt.Sprintf("isolate[[%s] -> [%s]] : %s", strings.Join(dimNames("t", outer), ", "), strings.Join(times, ", "), g.condition(times))
		if !g.one(3) {
			piece += fmt.Sprintf(" and %d <= %s <= %d", g.IntN(3), times[0], 3+g.IntN(4))
		}
		if g.one(2) {
			return g.text(piece, "[isolate[] -> "+kind()+"]")
		}
		return g.text(piece)
	}
	return g.text(kind())
}

// split returns a sequence or set over stmts, one filter for each, or of two parts of one.
func (g *generator) split(first, indent string, depth, outer int, stmts []statement) string {
	var filters [][]string
	var of [][]statement
	for _, s := range stmts {
		if c := g.condition(s.dims); g.one(3) && c != "true" {
			filters = append(filters, []string{s.tuple() + " : " + c}, []string{s.tuple() + " : not (" + c + ")"})
			of = append(of, []statement{s}, []statement{s})
			continue
		}
		if len(filters) > 0 && len(filters[0]) > 0 && g.one(3) {
			last := len(filters) - 1
			filters[last], of[last] = append(filters[last], s.tuple()), append(slices.Clip(of[last]), s)
			continue
		}
		filters, of = append(filters, []string{s.tuple()}), append(of, []statement{s})
	}
	text := first + pick(g, "sequence", "sequence", "set") + ":\n"
	for i, f := range filters {
		text += fmt.Sprintf("%s- filter: %q\n", indent, g.text(f...))
		if c := g.node(indent+"    ", indent+"    ", depth-1, outer, of[i]); c != "" {
			text += indent + "  child:\n" + c
		}
	}
	return text
}

// ordered returns the statements one after the other, or nothing.
func (g *generator) ordered(first, indent string, stmts []statement) string {
	if len(stmts) < 2 || g.one(2) {
		return ""
	}
	text := first + "sequence:\n"
	for _, s := range stmts {
		text += fmt.Sprintf("%s- filter: %q\n", indent, g.text(s.tuple()))
	}
	return text
}

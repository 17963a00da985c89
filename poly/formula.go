package poly

import (
	"errors"
	"fmt"
	"slices"
)

// This file gives trees of formulas their meaning.

// ParseSet parses a set in isl's notation, such as [N] -> { S[i] : 0 <= i < N and exists e: i = 2e }.
// The error is a *ParseError, or a *LimitError if the text describes a set that is too complicated.
func ParseSet(text string) (Set, error) {
	record(text, "")
	parts, err := parse(text, 1)
	return Set{parts}, err
}

// MustSet is ParseSet for text that is known to be right.
func MustSet(text string) Set {
	record(text, "")
	s, err := ParseSet(text)
	if err != nil {
		panic(misuse("MustSet: %v", err))
	}
	return s
}

// ParseMap parses a relation in isl's notation, such as { S[t, i] -> A[t mod 2, i + 1] }.
func ParseMap(text string) (Map, error) {
	record(text, "")
	parts, err := parse(text, 2)
	return Map{parts}, err
}

// MustMap is ParseMap for text that is known to be right.
func MustMap(text string) Map {
	record(text, "")
	m, err := ParseMap(text)
	if err != nil {
		panic(misuse("MustMap: %v", err))
	}
	return m
}

// ParseMulti parses a list of relations over the same parameters, as isl writes functions to several values:
//
//	[N] -> [{ S[i, j] -> [i]; T[i] -> [N] }, { S[i, j] -> [i + j]; T[i] -> [i] }]
//
// A name before the list has no meaning.
func ParseMulti(text string) (list []Map, err error) {
	err = parsed(func() {
		for _, u := range parseMulti(text) {
			list = append(list, Map{u.parts(text, 2)})
		}
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// parse returns the parts of a text whose pieces have the given number of tuples; a set may have none.
func parse(text string, tuples int) (parts []Basic, err error) {
	if err := parsed(func() { parts = parseUnion(text).parts(text, tuples) }); err != nil {
		return nil, err
	}
	return parts, nil
}

// parsed calls f and returns the error that it panics with.
func parsed(f func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *ParseError:
			err = r
		case *LimitError:
			err = errors.Join(r)
		default:
			panic(r)
		}
	}()
	f()
	return nil
}

// parts returns the parts of u, whose pieces have the given number of tuples.
func (u unionNode) parts(text string, tuples int) (parts []Basic) {
	work := &meter{op: "parse"}
	defer work.end()
	for _, c := range u.pieces {
		if len(c.tuples) != tuples && !(tuples == 1 && len(c.tuples) == 0) {
			panic(parseError(text, c.pos, "expected %s", []string{1: "a set: one tuple", 2: "a relation: tuple -> tuple"}[tuples]))
		}
		parts = unite(parts, newMeaning(text, u.params, work).piece(c))
	}
	return parts
}

// A meaning evaluates formulas over a space whose columns have names.
type meaning struct {
	text   string
	space  Space // variables of exists are further dimensions of Out
	names  []binding
	meter  *meter
	values bool // dimensions of Out are called like what they equal, and meant by their places only
}

// A binding gives a column its name; later ones hide earlier ones.
type binding struct {
	name string
	col  int
}

func newMeaning(text string, params []string, work *meter) *meaning {
	m := &meaning{text: text, meter: work, space: setSpace(slices.Clip(params), noTuple)}
	for i, name := range params {
		m.names = append(m.names, binding{name, 1 + i})
	}
	return m
}

func (m *meaning) fail(pos int, format string, args ...any) {
	panic(parseError(m.text, pos, format, args...))
}

// lookup returns the column of a name, or -1.
func (m *meaning) lookup(name string) int {
	for _, b := range slices.Backward(m.names) {
		if b.name == name {
			return b.col
		}
	}
	return -1
}

// piece returns the points of one disjunct.
func (m *meaning) piece(c pieceNode) []Basic {
	all := &node{kind: andNode, pos: c.pos}
	var tuples []Tuple
	next := m.space.cols()
	for _, t := range c.tuples {
		tuple := m.tuple(t, next, all)
		tuples = append(tuples, tuple)
		next += len(tuple.Dims)
	}
	switch len(tuples) {
	case 1:
		m.space.Out = tuples[0]
	case 2:
		m.space = mapSpace(m.space.Params, tuples[0], tuples[1])
	}
	if c.where != nil {
		all.args = append(all.args, c.where)
	}
	return m.eval(all)
}

// tuple returns the tuple of t, whose dimensions start at column first, binds their names, and adds what t says about
// them to all.
func (m *meaning) tuple(t *tupleNode, first int, all *node) Tuple {
	if t.pair != nil {
		x := m.tuple(t.pair[0], first, all)
		return PairOf(t.name, x, m.tuple(t.pair[1], first+len(x.Dims), all))
	}
	tuple := Tuple{Name: t.name}
	for i, e := range t.entries {
		tuple.Dims = append(tuple.Dims, m.dimension(e, first+i, tuple.Dims, all))
	}
	return tuple
}

// dimension binds the dimension at column col, of the tuple that has the dimensions before, and returns its name. What e
// says of its value goes to all. An entry that is a name with a meaning already is a value.
func (m *meaning) dimension(e entryNode, col int, before []string, all *node) string {
	name, value := e.name, e.value
	switch {
	case name != "" && m.lookup(name) >= 0:
		m.fail(e.pos, "%s is defined already", name)
	case name == "" && value != nil && value.kind == nameNode && m.lookup(value.name) < 0:
		name, value = value.name, nil
	}
	if name != "" {
		m.names = append(m.names, binding{name, col})
	}
	m.names = append(m.names, binding{hidden(col), col})
	require := func(op string, bound *node) {
		if bound != nil {
			all.args = append(all.args, comparison(hidden(col), op, bound, e.pos))
		}
	}
	require("=", value)
	require(">=", e.low)
	require("<=", e.high)
	if name == "" && value != nil && value.kind == nameNode && !slices.Contains(before, value.name) {
		return value.name
	}
	return name
}

// hidden returns a name for a column that no text can use.
func hidden(col int) string { return fmt.Sprintf("#%d", col) }

func comparison(name, op string, value *node, pos int) *node {
	return &node{kind: compareNode, pos: pos, name: op, args: []*node{{kind: nameNode, pos: pos, name: name}, value}}
}

// eval returns the points that satisfy a formula.
func (m *meaning) eval(n *node) []Basic {
	switch n.kind {
	case boolNode:
		if n.num.isZero() {
			return nil
		}
		return []Basic{universe(m.space)}
	case andNode:
		return m.evalAnd(n)
	case orNode:
		return unite(m.eval(n.args[0]), m.eval(n.args[1]))
	case notNode:
		return subtract([]Basic{universe(m.space)}, m.eval(n.args[0]))
	case existsNode:
		return m.evalExists(n)
	case compareNode:
		return m.evalAnd(&node{kind: andNode, pos: n.pos, args: []*node{n}})
	}
	panic(fmt.Sprintf("poly: eval: a node of kind %d", n.kind))
}

// evalAnd conjoins all comparisons in one system, then the other formulas one by one.
func (m *meaning) evalAnd(n *node) []Basic {
	s := newSystem(m.space.cols(), 0)
	s.meter = m.meter
	var others []*node
	flat := flatten(n, nil)
	for _, f := range flat {
		if f.kind != compareNode {
			others = append(others, f)
		} else if split := splitExtreme(f); split != nil {
			others = append(others, split)
		} else if f.name == "!=" {
			others = append(others, unequal(f))
		} else {
			m.compare(s, f)
		}
	}
	b, ok := s.finish(m.space)
	if !ok {
		return nil
	}
	parts := []Basic{b}
	for _, f := range others {
		parts = intersect(parts, m.eval(f))
	}
	return parts
}

// flatten appends the conjuncts of n.
func flatten(n *node, list []*node) []*node {
	if n.kind != andNode {
		return append(list, n)
	}
	for _, a := range n.args {
		list = flatten(a, list)
	}
	return list
}

// unequal returns a < b or a > b for a != b.
func unequal(f *node) *node {
	less, more := *f, *f
	less.name, more.name = "<", ">"
	return &node{kind: orNode, pos: f.pos, args: []*node{&less, &more}}
}

// compare adds the row of a comparison other than !=.
func (m *meaning) compare(s *system, f *node) {
	a, b := m.value(s, f.args[0]), m.value(s, f.args[1])
	v := a.minus(b, s.width())
	switch f.name {
	case "<", "<=":
		v.scale(minusOne)
	}
	if f.name == "<" || f.name == ">" {
		v[0] = v[0].Sub(one) // v is scaled to integers
	}
	s.addRow(f.name == "=", v)
}

// evalExists evaluates the body over the space with the variables as further dimensions, and projects.
func (m *meaning) evalExists(n *node) []Basic {
	inner := &meaning{text: m.text, meter: m.meter, space: m.space, names: slices.Clip(m.names)}
	all := &node{kind: andNode, pos: n.pos}
	dims := slices.Clip(m.space.Out.Dims)
	for _, v := range n.vars {
		col := inner.space.cols()
		name := v
		if v.kind == compareNode {
			name = v.args[0]
			inner.names = append(inner.names, binding{hidden(col), col})
			all.args = append(all.args, comparison(hidden(col), "=", v.args[1], v.pos))
		}
		dims = append(dims, name.name)
		inner.space.Out.Dims = dims
		inner.names = append(inner.names, binding{name.name, col})
	}
	all.args = append(all.args, n.args[0])
	to := seq(nil, 0, m.space.cols())
	to = appendRepeated(to, -1, len(n.vars))
	var parts []Basic
	for _, b := range inner.eval(all) {
		parts = append(parts, b.project(m.space, to)...)
	}
	return tidy("exists", parts)
}

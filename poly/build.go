package poly

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
)

// This file builds sets and relations from sums of named integers. It is what programs use; text is for people.
//
//	i, n := affine.Var("i"), affine.Var("n")
//	NewSet([]string{"n"}, Tuple{Name: "S", Dims: []string{"i"}}, AtMost(affine.Num(0), i), Less(i, n))
//
// is [n] -> { S[i] : 0 <= i < n }. A variable is the parameter or the dimension of that name, which must be the only one; In and Out
// are dimensions by their place, whether they have names or not. Names are any text, as nobody reads them.

// In returns dimension i of the first tuple of a relation.
func In(i int) affine.Sum { return affine.Var(inName(i)) }

// Out returns dimension i of the tuple of a set, or of the second tuple of a relation.
func Out(i int) affine.Sum { return affine.Var(outName(i)) }

// Ins and Outs return the first n of In and Out.
func Ins(n int) []affine.Sum  { return places(In, n) }
func Outs(n int) []affine.Sum { return places(Out, n) }

func places(at func(int) affine.Sum, n int) []affine.Sum {
	xs := make([]affine.Sum, n)
	for i := range xs {
		xs[i] = at(i)
	}
	return xs
}

// inName and outName return names that belong to a place, and to nothing in a program.
func inName(i int) string  { return placeName("in#", i) }
func outName(i int) string { return placeName("out#", i) }

func placeName(prefix string, i int) string {
	if i < 10 {
		return prefix + "0123456789"[i:i+1]
	}
	return fmt.Sprint(prefix, i)
}

// Dims returns n dimensions without names.
func Dims(n int) []string { return make([]string, n) }

// A Formula is a condition on named integers. The zero Formula always holds.
type Formula struct{ n *node }

// True and False return the formulas that always hold, and that never do.
func True() Formula  { return Formula{} }
func False() Formula { return Formula{&node{kind: boolNode}} }

// IsTrue and IsFalse report whether f is that formula: not whether it has that meaning.
func (f Formula) IsTrue() bool  { return f.n == nil }
func (f Formula) IsFalse() bool { return f.n != nil && f.n.kind == boolNode }

// Less is x < y, AtMost x <= y, Equal x = y, Unequal x != y, and NotNegative x >= 0.
func Less(x, y affine.Expr) Formula     { return compared(x, "<", y) }
func AtMost(x, y affine.Expr) Formula   { return compared(x, "<=", y) }
func Equal(x, y affine.Expr) Formula    { return compared(x, "=", y) }
func Unequal(x, y affine.Expr) Formula  { return compared(x, "!=", y) }
func NotNegative(x affine.Expr) Formula { return compared(x, ">=", affine.Sum{}) }
func compared(x affine.Expr, op string, y affine.Expr) Formula {
	return Formula{&node{kind: compareNode, name: op, args: []*node{exprNode(x), exprNode(y)}}}
}

// And returns the formula that holds where all of fs do.
func And(fs ...Formula) Formula {
	all := &node{kind: andNode}
	for _, f := range fs {
		if f.IsFalse() {
			return f
		}
		if !f.IsTrue() {
			all.args = append(all.args, f.n)
		}
	}
	switch len(all.args) {
	case 0:
		return True()
	case 1:
		return Formula{all.args[0]}
	}
	return Formula{all}
}

// Or returns the formula that holds where one of fs does.
func Or(fs ...Formula) Formula {
	any := False()
	for _, f := range fs {
		switch {
		case f.IsTrue():
			return f
		case any.IsFalse():
			any = f
		case !f.IsFalse():
			any = Formula{&node{kind: orNode, args: []*node{any.n, f.n}}}
		}
	}
	return any
}

// Not returns the formula that holds where f does not.
func Not(f Formula) Formula {
	switch {
	case f.IsTrue():
		return False()
	case f.IsFalse():
		return True()
	case f.n.kind == notNode:
		return Formula{f.n.args[0]}
	}
	return Formula{&node{kind: notNode, args: []*node{f.n}}}
}

// Exists returns the formula that holds where f does for some integers of these names, which hide others of theirs.
func Exists(names []string, f Formula) Formula {
	if len(names) == 0 || f.IsTrue() || f.IsFalse() {
		return f
	}
	n := &node{kind: existsNode, args: []*node{f.n}}
	for _, name := range names {
		n.vars = append(n.vars, &node{kind: nameNode, name: name})
	}
	return Formula{n}
}

// exprNode returns x as the parser would.
func exprNode(x affine.Expr) *node {
	of := func(kind nodeKind, name string, args ...*node) *node {
		return &node{kind: kind, name: name, args: args}
	}
	number := func(c int64) *node { return &node{kind: numberNode, num: NewInt(c)} }
	all := func(xs []affine.Expr) (ns []*node) {
		for _, x := range xs {
			ns = append(ns, exprNode(x))
		}
		return ns
	}
	switch x := x.(type) {
	case affine.Sum:
		return &node{kind: affineNode, affine: x}
	case affine.FloorDiv:
		return of(callNode, "floor", of(quotNode, "", exprNode(x.X), number(x.D)))
	case affine.Mod:
		return of(callNode, "mod", exprNode(x.X), number(x.D))
	case affine.Min:
		return of(callNode, "min", all(x.Args)...)
	case affine.Max:
		return of(callNode, "max", all(x.Args)...)
	case affine.Linear:
		n := exprNode(x.Sum)
		for _, p := range x.Parts {
			n = of(sumNode, "", n, of(productNode, "", number(p.Coef), exprNode(p.X)))
		}
		return n
	}
	panic(misuse("an expression of %T", x))
}

// NewSet returns the points of tuple for which all of where hold.
func NewSet(params []string, tuple Tuple, where ...Formula) Set {
	return Set{newMeaning("", slices.Clone(params), nil).build([]Tuple{tuple}, where)}
}

// NewParamSet returns the values of the parameters for which all of where hold.
func NewParamSet(params []string, where ...Formula) Set {
	return Set{newMeaning("", slices.Clone(params), nil).build(nil, where)}
}

// NewMap returns the pairs of points of in and out for which all of where hold.
func NewMap(params []string, in, out Tuple, where ...Formula) Map {
	return Map{newMeaning("", slices.Clone(params), nil).build([]Tuple{in, out}, where)}
}

// NewFunction returns the relation of the points of in for which all of where hold to the points of out whose dimensions have these values.
// A nil value leaves its dimension free. Names of out are for people: values and where know its dimensions as Out. One without a name that
// equals a variable is called like it, and out.Dims may be nil.
func NewFunction(params []string, in, out Tuple, values []affine.Expr, where ...Formula) Map {
	names := make([]string, len(values))
	copy(names, out.Dims)
	out.Dims = names
	all := make([]Formula, 0, len(values)+len(where))
	for i, x := range values {
		if x == nil {
			continue
		}
		all = append(all, Equal(Out(i), x))
		s, ok := x.(affine.Sum)
		if !ok || names[i] != "" || s.Const != 0 || len(s.Terms) != 1 || s.Terms[0].Coef != 1 {
			continue
		}
		if name := nameOf(s.Terms[0].Var, in, out); !slices.Contains(names[:i], name) {
			names[i] = name
		}
	}
	m := newMeaning("", slices.Clone(params), nil)
	m.values = true
	return Map{m.build([]Tuple{in, out}, append(all, where...))}
}

// nameOf returns the name of a variable: of a dimension by its place that of the dimension, which may have none.
func nameOf(variable string, in, out Tuple) string {
	for i, name := range in.Dims {
		if variable == inName(i) {
			return name
		}
	}
	for i, name := range out.Dims {
		if variable == outName(i) {
			return name
		}
	}
	return variable
}

// NewPoint returns the set of one point.
func NewPoint(name string, x ...int64) Set {
	where := make([]Formula, len(x))
	for i, v := range x {
		where[i] = Equal(Out(i), affine.Num(v))
	}
	return NewSet(nil, Tuple{Name: name, Dims: Dims(len(x))}, where...)
}

// ambiguous is the column of a name that several dimensions have.
const ambiguous = -2

// build returns the points of tuples for which all of where hold.
func (m *meaning) build(tuples []Tuple, where []Formula) []Basic {
	m.meter = &meter{op: "build"}
	defer m.meter.end()
	switch len(tuples) {
	case 1:
		m.space.Out = tuples[0]
	case 2:
		m.space = mapSpace(m.space.Params, tuples[0], tuples[1])
	}
	m.bind(m.space.In.Dims, m.space.inCol(), inName, true)
	m.bind(m.space.Out.Dims, m.space.outCol(), outName, !m.values)
	all := &node{kind: andNode}
	for _, f := range where {
		if !f.IsTrue() {
			all.args = append(all.args, f.n)
		}
	}
	return m.eval(all)
}

// bind gives the dimensions that begin at column first their places, and their names if named is set.
func (m *meaning) bind(dims []string, first int, place func(int) string, named bool) {
	for i, name := range dims {
		if name != "" && named {
			col := first + i
			if m.lookup(name) != -1 {
				col = ambiguous
			}
			m.names = append(m.names, binding{name, col})
		}
		m.names = append(m.names, binding{place(i), first + i})
	}
}

// affine evaluates a sum.
func (m *meaning) affine(width int, x affine.Sum) vec {
	v := newVec(width)
	v[0] = NewInt(x.Const)
	for _, t := range x.Terms {
		col := m.lookup(t.Var)
		switch {
		case col == ambiguous:
			panic(misuse("%s is the name of several dimensions of %v", t.Var, m.space))
		case col < 0:
			panic(misuse("%s is no dimension of %v", t.Var, m.space))
		}
		v[col] = v[col].Add(NewInt(t.Coef))
	}
	return v
}

// String returns f in isl's notation.
func (f Formula) String() string {
	if f.IsTrue() {
		return "true"
	}
	return f.n.String()
}

// String returns the text of a formula or an expression that was built.
func (n *node) String() string {
	texts := make([]string, len(n.args))
	for i, a := range n.args {
		texts[i] = a.String()
		if a.kind == andNode || a.kind == orNode || a.kind == existsNode {
			texts[i] = "(" + texts[i] + ")"
		}
	}
	switch n.kind {
	case boolNode:
		return fmt.Sprint(!n.num.isZero())
	case numberNode:
		return n.num.String()
	case affineNode:
		return n.affine.String()
	case quotNode:
		return "(" + texts[0] + ") / " + texts[1]
	case callNode:
		if n.name == "mod" {
			return "(" + texts[0] + ") mod " + texts[1]
		}
		return n.name + "(" + strings.Join(texts, ", ") + ")"
	case compareNode:
		return texts[0] + " " + n.name + " " + texts[1]
	case andNode:
		return strings.Join(texts, " and ")
	case orNode:
		return strings.Join(texts, " or ")
	case notNode:
		return "not (" + n.args[0].String() + ")"
	case existsNode:
		names := make([]string, len(n.vars))
		for i, v := range n.vars {
			names[i] = v.name
		}
		return "exists (" + strings.Join(names, ", ") + " : " + n.args[0].String() + ")"
	}
	panic(fmt.Sprintf("poly: String: a node of kind %d", n.kind))
}

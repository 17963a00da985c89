package frontend

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file writes conditions as formulas in isl notation, for the check of stores (reach.go): once more, and
// otherwise than the conditions that split nests are read.

// A truth is what is known of a condition: the formula sure implies it, and it implies maybe. Where it is affine the two are one.
type truth struct {
	sure, maybe string
	data        bool // it depends on elements of arrays, or on numbers that are not integers
	other       bool // it depends on something else that is no sum of variables
}

var (
	always = truth{sure: "true", maybe: "true"}
	never  = truth{sure: "false", maybe: "false"}
)

// unknownTruth returns what is known of a condition of which nothing is.
func unknownTruth(data bool) truth { return truth{"false", "true", data, !data} }

func exactly(formula string) truth { return truth{sure: formula, maybe: formula} }

// isExact reports whether t says just where the condition holds.
func (t truth) isExact() bool { return !t.data && !t.other }

func (t truth) not() truth {
	return truth{notText(t.maybe), notText(t.sure), t.data, t.other}
}

func (t truth) and(u truth) truth {
	return truth{andText(t.sure, u.sure), andText(t.maybe, u.maybe), t.data || u.data, t.other || u.other}
}

func (t truth) or(u truth) truth { return t.not().and(u.not()).not() }

func notText(a string) string {
	switch a {
	case "true":
		return "false"
	case "false":
		return "true"
	}
	if inner, ok := strings.CutPrefix(a, "not ("); ok && strings.HasSuffix(a, ")") && closes(inner) {
		return "(" + inner
	}
	return "not (" + a + ")"
}

// closes reports whether the last character of text, behind an open parenthesis, is what closes it.
func closes(text string) bool {
	depth := 1
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return i == len(text)-1
		}
	}
	return false
}

func andText(a, b string) string {
	switch {
	case a == "false" || b == "false":
		return "false"
	case a == "true":
		return b
	case b == "true" || a == b:
		return a
	}
	return "(" + a + ") and (" + b + ")"
}

// A sum is the integer c + of[x]*x over names x.
type sum struct {
	c  int64
	of map[string]int64
}

// plus returns a + k*b.
func (a sum) plus(k int64, b sum) sum {
	r := sum{a.c + k*b.c, map[string]int64{}}
	maps.Copy(r.of, a.of)
	for x, c := range b.of {
		if r.of[x] += k * c; r.of[x] == 0 {
			delete(r.of, x)
		}
	}
	return r
}

func (a sum) String() string {
	text := fmt.Sprint(a.c)
	for _, x := range slices.Sorted(maps.Keys(a.of)) {
		text += fmt.Sprintf(" + %d*%s", a.of[x], x)
	}
	return text
}

// sumOf returns x op y, if that is a sum.
func sumOf(op string, x, y sum) (sum, bool) {
	if !x.isSmall() || !y.isSmall() {
		return sum{}, false
	}
	numbers := len(x.of) == 0 && len(y.of) == 0
	switch {
	case op == "+":
		return x.plus(1, y), true
	case op == "-":
		return x.plus(-1, y), true
	case op == "*" && len(x.of) == 0:
		return sum{}.plus(x.c, y), true
	case op == "*" && len(y.of) == 0:
		return sum{}.plus(y.c, x), true
	case op == "<<" && len(y.of) == 0 && 0 <= y.c && y.c < 20:
		return sum{}.plus(1<<y.c, x), true
	case op == ">>" && numbers && 0 <= y.c && y.c < 63:
		return sum{c: x.c >> y.c}, true
	case op == "/" && numbers && y.c != 0:
		return sum{c: x.c / y.c}, true
	case op == "%" && numbers && y.c != 0:
		return sum{c: x.c % y.c}, true
	}
	return sum{}, false
}

// isSmall reports whether products of a with another such sum do not overflow.
func (a sum) isSmall() bool {
	small := abs(a.c) < 1<<30
	for _, c := range a.of {
		small = small && abs(c) < 1<<30
	}
	return small
}

// A sumWhere is a value where a formula holds.
type sumWhere struct {
	when  string
	value sum
}

// A choiceOfSums is an integer that has one of several values.
type choiceOfSums []sumWhere

func oneSum(v sum) choiceOfSums { return choiceOfSums{{"true", v}} }

// compared returns the condition x op y.
func compared(op string, x, y choiceOfSums) truth {
	if op == "==" {
		op = "="
	}
	t := never
	for _, a := range x {
		for _, b := range y {
			t = t.or(exactly(andText(andText(a.when, b.when), fmt.Sprintf("%v %s 0", a.value.plus(-1, b.value), op))))
		}
	}
	return t
}

func isComparison(op string) bool {
	return slices.Contains([]string{"<", "<=", ">", ">=", "==", "!="}, op)
}

// each returns the values f(a, b) of x and y.
func (x choiceOfSums) each(y choiceOfSums, f func(a, b sum) (sum, bool)) (all choiceOfSums, ok bool) {
	for _, a := range x {
		for _, b := range y {
			v, ok := f(a.value, b.value)
			if !ok {
				return nil, false
			}
			all = append(all, sumWhere{andText(a.when, b.when), v})
		}
	}
	return all, len(all) <= maxExtremes
}

func (x choiceOfSums) negated() (all choiceOfSums) {
	for _, a := range x {
		all = append(all, sumWhere{a.when, sum{}.plus(-1, a.value)})
	}
	return all
}

// where returns the values of x where test holds, and those of y elsewhere.
func (x choiceOfSums) where(test string, y choiceOfSums) (all choiceOfSums) {
	for _, a := range x {
		all = append(all, sumWhere{andText(test, a.when), a.value})
	}
	for _, b := range y {
		all = append(all, sumWhere{andText(notText(test), b.when), b.value})
	}
	return all
}

// maxReads bounds the expressions that are looked at for the conditions of a statement, or of a region: values of locals are
// looked at wherever these are used.
const maxReads = 100_000

// A formulaReader reads the conditions in the body of a statement of the program.
type formulaReader struct {
	lets  map[string]scop.Expr // the values of what is set once
	olds  []oldValue
	reads int
}

func newFormulaReader(s *scop.Stmt, olds []oldValue) *formulaReader {
	r := &formulaReader{lets: map[string]scop.Expr{}, olds: olds}
	twice := map[string]bool{}
	for _, a := range s.Body {
		if l, ok := a.(scop.Let); ok {
			twice[l.Name] = r.lets[l.Name] != nil
			r.lets[l.Name] = l.Value
		}
	}
	maps.DeleteFunc(r.lets, func(name string, _ scop.Expr) bool { return twice[name] })
	return r
}

// stores returns where a sets a new value, and not the old one again: see join.
func (r *formulaReader) stores(a scop.Store) truth { return r.fresh(a.Value, a.To) }

func (r *formulaReader) fresh(x scop.Expr, to *scop.Access) truth {
	switch x := x.(type) {
	case scop.Cond:
		if c := r.truth(x.C); r.mayBeOld(x, to) {
			return c.and(r.fresh(x.X, to)).or(c.not().and(r.fresh(x.Y, to)))
		}
	case scop.Read:
		if r.isOld(x, to) {
			return never
		}
	}
	return always
}

// isOld reports whether x is what to held before.
func (r *formulaReader) isOld(x scop.Read, to *scop.Access) bool {
	return slices.Contains(r.olds, oldValue{to, x.From})
}

// mayBeOld reports whether x, one of two values, or a part of them, is what to held before.
func (r *formulaReader) mayBeOld(x scop.Cond, to *scop.Access) bool {
	for _, y := range []scop.Expr{x.X, x.Y} {
		switch y := y.(type) {
		case scop.Cond:
			if r.mayBeOld(y, to) {
				return true
			}
		case scop.Read:
			if r.isOld(y, to) {
				return true
			}
		}
	}
	return false
}

// named returns x, or the value of the local that it reads.
func (r *formulaReader) named(x scop.Expr) scop.Expr {
	for r.reads < maxReads {
		r.reads++
		v, ok := x.(scop.Var)
		if !ok || v.Kind != scop.LocalVar || r.lets[v.Name] == nil {
			break
		}
		x = r.lets[v.Name]
	}
	return x
}

// truth returns what is known of condition x.
func (r *formulaReader) truth(x scop.Expr) truth {
	switch x := r.named(x).(type) {
	case scop.Cond:
		c := r.truth(x.C)
		return c.and(r.truth(x.X)).or(c.not().and(r.truth(x.Y)))
	case scop.Unary:
		if x.Op == "!" {
			return r.truth(x.X).not()
		}
	case scop.Binary:
		switch x.Op {
		case "&&":
			return r.truth(x.X).and(r.truth(x.Y))
		case "||":
			return r.truth(x.X).or(r.truth(x.Y))
		}
		if !isComparison(x.Op) {
			break
		}
		if c, ok := r.condition(x.X); ok && isZero(x.Y) && x.Op == "!=" {
			return r.truth(c)
		} else if ok && isZero(x.Y) && x.Op == "==" {
			return r.truth(c).not()
		}
		a, ok1 := r.value(x.X)
		b, ok2 := r.value(x.Y)
		if ok1 && ok2 {
			return compared(x.Op, a, b)
		}
	}
	if v, ok := r.value(x); ok {
		return compared("!=", v, oneSum(sum{}))
	}
	return unknownTruth(r.isData(x))
}

// isData reports whether x is computed from elements of arrays, or from numbers that are no integers.
func (r *formulaReader) isData(x scop.Expr) (found bool) {
	scop.Visit(x, func(x scop.Expr) {
		switch x := x.(type) {
		case scop.Read:
			found = true
		case scop.Var:
			if v := r.named(x); v != scop.Expr(x) {
				found = found || r.isData(v)
			}
		}
		found = found || x.Type().IsFloat()
	})
	return found
}

func isZero(x scop.Expr) bool {
	c, ok := x.(scop.Const)
	return ok && c.I == 0 && c.F == 0
}

// condition returns the condition of which x is the value, 1 or 0.
func (r *formulaReader) condition(x scop.Expr) (scop.Expr, bool) {
	for {
		x = r.named(x)
		c, ok := x.(scop.Cast)
		if !ok {
			return x, x.Type() == scop.Bool
		}
		x = c.X
	}
}

// value returns integer x over iterators and parameters.
func (r *formulaReader) value(x scop.Expr) (choiceOfSums, bool) {
	switch x := r.named(x).(type) {
	case scop.Const:
		return oneSum(sum{c: x.I}), !x.T.IsFloat()
	case scop.Var:
		return oneSum(sum{0, map[string]int64{x.Name: 1}}), x.Kind == scop.IterVar || x.Kind == scop.ParamVar
	case scop.Cast:
		v, ok := r.value(x.X)
		return v, ok && !x.T.IsFloat() && !x.T.IsNarrow() && x.X.Type() != scop.Bool
	case scop.Unary:
		v, ok := r.value(x.X)
		return v.negated(), ok && x.Op == "-"
	case scop.Binary:
		a, ok1 := r.value(x.X)
		b, ok2 := r.value(x.Y)
		if !ok1 || !ok2 {
			return nil, false
		}
		return a.each(b, func(a, b sum) (sum, bool) { return sumOf(x.Op, a, b) })
	case scop.Cond:
		c := r.truth(x.C)
		a, ok1 := r.value(x.X)
		b, ok2 := r.value(x.Y)
		return a.where(c.maybe, b), c.isExact() && ok1 && ok2
	}
	return nil, false
}

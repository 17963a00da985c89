package frontend

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// A linear is the integer c + sum of v[x]*x over iterators and parameters x.
// No coefficient is zero. Linears do not change.
type linear struct {
	c int64
	v map[*cc.Declarator]int64
}

// maxCoefficient bounds what a program may hold, so that sums never overflow.
const maxCoefficient = 1 << 40

func constant(c int64) linear          { return linear{c: c} }
func variable(d *cc.Declarator) linear { return linear{v: map[*cc.Declarator]int64{d: 1}} }

func (a linear) isConstant() bool { return len(a.v) == 0 }

// plus returns a + k*b.
func (a linear) plus(k int64, b linear) linear {
	r := linear{a.c + k*b.c, map[*cc.Declarator]int64{}}
	maps.Copy(r.v, a.v)
	for d, c := range b.v {
		if r.v[d] += k * c; r.v[d] == 0 {
			delete(r.v, d)
		}
	}
	return r
}

func (a linear) add(b linear) linear  { return a.plus(1, b) }
func (a linear) sub(b linear) linear  { return a.plus(-1, b) }
func (a linear) addc(c int64) linear  { return a.plus(1, constant(c)) }
func (a linear) scale(k int64) linear { return constant(0).plus(k, a) }

func (a linear) equal(b linear) bool { return a.c == b.c && maps.Equal(a.v, b.v) }

// small reports whether all of a is within maxCoefficient.
func (a linear) small() bool {
	ok := a.c < maxCoefficient && a.c > -maxCoefficient
	for _, c := range a.v {
		ok = ok && c < maxCoefficient && c > -maxCoefficient
	}
	return ok
}

// A frame gives iterators and parameters their columns and names.
type frame struct {
	iters, params         []*cc.Declarator
	iterNames, paramNames []string
}

// affine returns a by the columns of fr, which has all its variables.
func (fr frame) affine(a linear) scop.Affine {
	r := scop.Affine{Const: a.c}
	if len(fr.iters) > 0 {
		r.Iters = make([]int64, len(fr.iters))
	}
	if len(fr.params) > 0 {
		r.Params = make([]int64, len(fr.params))
	}
	for d, c := range a.v {
		if i := slices.Index(fr.iters, d); i >= 0 {
			r.Iters[i] = c
		} else if i := slices.Index(fr.params, d); i >= 0 {
			r.Params[i] = c
		} else {
			panic(fmt.Sprintf("frontend: affine: %s is neither an iterator nor a parameter", d.Name()))
		}
	}
	return r
}

// text returns a in isl notation.
func (fr frame) text(a linear) string {
	var terms []string
	add := func(c int64, name string) {
		switch {
		case c == 1:
			terms = append(terms, name)
		case c == -1:
			terms = append(terms, "-"+name)
		case c != 0:
			terms = append(terms, fmt.Sprintf("%d*%s", c, name))
		}
	}
	for i, d := range fr.iters {
		add(a.v[d], fr.iterNames[i])
	}
	for i, d := range fr.params {
		add(a.v[d], fr.paramNames[i])
	}
	if a.c != 0 || len(terms) == 0 {
		terms = append(terms, fmt.Sprint(a.c))
	}
	return strings.ReplaceAll(strings.Join(terms, " + "), "+ -", "- ")
}

// relation returns a >= 0 for people, such as "n >= m + 1" or "T <= 2".
func (fr frame) relation(a linear) string {
	positive, negative := linear{}, linear{v: map[*cc.Declarator]int64{}}
	for d, c := range a.v {
		if c > 0 {
			positive = positive.plus(c, variable(d))
		} else {
			negative = negative.plus(-c, variable(d))
		}
	}
	if positive.isConstant() {
		return fr.text(negative) + " <= " + fr.text(constant(a.c))
	}
	return fr.text(positive) + " >= " + fr.text(negative.addc(-a.c))
}

// conditions returns "rows >= 0" in isl notation, or "" for none.
func (fr frame) conditions(rows []linear) string {
	var cs []string
	for _, r := range rows {
		cs = append(cs, fr.text(r)+" >= 0")
	}
	return strings.Join(cs, " and ")
}

// params returns the parameters in isl notation: "[n, T]".
func (fr frame) paramTuple() string { return "[" + strings.Join(fr.paramNames, ", ") + "]" }

// set returns { tuple : conditions } in isl notation.
func (fr frame) set(tuple, conditions string) string {
	text := strings.TrimSpace(tuple + " : " + conditions)
	return fmt.Sprintf("%s -> { %s }", fr.paramTuple(), strings.TrimSuffix(text, " :"))
}

package frontend

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file turns sums over iterators and parameters into what other packages know: columns of a scop.Affine, sets, and
// text for people; and it proves that a sum is not negative wherever others are not. A frame says which column is whose.

// A frame gives iterators and parameters their columns and names.
type frame struct {
	iters, params         []*cc.Declarator
	iterNames, paramNames []string
	paramTexts            []string // the parameters for people, where these differ from the names

	empty map[string]bool // whether constraints exclude each other, by key; nil: it is found out anew
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
	for d, c := range a.v.all() {
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

// text returns a for people.
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
		add(a.v.of(d), fr.iterNames[i])
	}
	for i, d := range fr.params {
		name := fr.paramNames[i]
		if i < len(fr.paramTexts) && fr.paramTexts[i] != "" {
			if name = fr.paramTexts[i]; a.v.of(d) != 1 {
				name = "(" + name + ")"
			}
		}
		add(a.v.of(d), name)
	}
	if a.c != 0 || len(terms) == 0 {
		terms = append(terms, fmt.Sprint(a.c))
	}
	return strings.ReplaceAll(strings.Join(terms, " + "), "+ -", "- ")
}

// product returns the product of factors for people.
func (fr frame) product(factors []linear) string {
	var texts []string
	for _, f := range factors {
		text := fr.text(f)
		if strings.Contains(text, " ") {
			text = "(" + text + ")"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, " * ")
}

// relation returns a >= 0 for people, such as "n >= m + 1" or "T <= 2".
func (fr frame) relation(a linear) string {
	positive, negative := linear{}, linear{}
	for d, c := range a.v.all() {
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

// sum returns a by the names of fr, which has all its variables.
func (fr frame) sum(a linear) affine.Sum {
	x := affine.Sum{Const: a.c}
	for d, c := range a.v.all() {
		x.Terms = append(x.Terms, affine.Term{Coef: c, Var: fr.name(d)})
	}
	slices.SortFunc(x.Terms, func(s, t affine.Term) int { return strings.Compare(s.Var, t.Var) })
	return x
}

// name returns the name of d, an iterator or a parameter.
func (fr frame) name(d *cc.Declarator) string {
	if i := slices.Index(fr.iters, d); i >= 0 {
		return fr.iterNames[i]
	}
	if i := slices.Index(fr.params, d); i >= 0 {
		return fr.paramNames[i]
	}
	panic(fmt.Sprintf("frontend: %s is neither an iterator nor a parameter", d.Name()))
}

// value returns s by the names of fr.
func (fr frame) value(s subscript) affine.Expr {
	if s.mod > 0 {
		return affine.Modulo(fr.sum(s.linear), s.mod)
	}
	return fr.sum(s.linear)
}

// negative is the formula that a is less than 0.
func (fr frame) negative(a linear) poly.Formula { return poly.Less(fr.sum(a), affine.Num(0)) }

// hold returns the formulas of constraints.
func (fr frame) hold(constraints []linear) (all []poly.Formula) {
	for _, r := range constraints {
		all = append(all, poly.NotNegative(fr.sum(r)))
	}
	return all
}

// parse returns the values of the parameters for which a condition in isl notation holds, as a user states it.
func (fr frame) parse(condition string) (poly.Set, error) {
	return poly.ParseSet(fmt.Sprintf("[%s] -> { : %s }", list(fr.paramNames), condition))
}

// with returns fr with the iterators of loops.
func (fr frame) with(loops []loop) frame {
	for _, l := range loops {
		fr.iters = append(fr.iters[:len(fr.iters):len(fr.iters)], l.decl)
		fr.iterNames = append(fr.iterNames[:len(fr.iterNames):len(fr.iterNames)], l.name)
	}
	return fr
}

// proves reports whether claim >= 0 wherever constraints hold. It is exact.
func (fr frame) proves(constraints []linear, claim linear) bool {
	return plainlyProves(constraints, claim) || fr.none(append(constraints[:len(constraints):len(constraints)], claim.scale(-1).addc(-1)))
}

// none reports whether no instances and parameters satisfy constraints. Of the many subscripts of a stencil, the same is asked again and again.
func (fr frame) none(constraints []linear) bool {
	if fr.empty == nil {
		return fr.points(constraints).IsEmpty()
	}
	key := fr.key(constraints)
	empty, known := fr.empty[key]
	if !known {
		empty = fr.points(constraints).IsEmpty()
		fr.empty[key] = empty
	}
	return empty
}

// key returns what constraints say but for names: equal ones are as good as each other, in any order.
func (fr frame) key(constraints []linear) string {
	rows := make([]string, len(constraints))
	var row []byte
	for i, r := range constraints {
		row = strconv.AppendInt(row[:0], r.c, 10)
		for _, list := range [][]*cc.Declarator{fr.params, fr.iters} {
			for k, d := range list {
				if c := r.v.of(d); c != 0 {
					row = strconv.AppendInt(append(strconv.AppendInt(append(row, ' '), int64(k), 10), ':'), c, 10)
				}
			}
			row = append(row, '|')
		}
		rows[i] = string(row)
	}
	slices.Sort(rows)
	return strings.Join(slices.Compact(rows), "\n")
}

// plainlyProves looks for constraints that add up to the claim. True is certain, false is not.
func plainlyProves(constraints []linear, claim linear) bool {
	if claim.isConstant() && claim.c >= 0 {
		return true
	}
	for i, r := range constraints {
		if claim.atLeast(r) {
			return true
		}
		if slices.ContainsFunc(constraints[i:], func(q linear) bool { return claim.atLeastSum(r, q) }) {
			return true
		}
	}
	return false
}

// points returns the instances of constraints for which all of where hold.
func (fr frame) points(constraints []linear, where ...poly.Formula) poly.Set {
	return poly.NewSet(fr.paramNames, poly.Tuple{Name: "X", Dims: fr.iterNames}, append(where[:len(where):len(where)], fr.hold(constraints)...)...)
}

// negation returns constraints that, where facts hold, hold exactly where s does
// not hold, if s is a union of single half-spaces of the parameters.
func (fr frame) negation(s poly.Set, facts []linear) (constraints []linear, ok bool) {
	for _, basic := range s.Basics() {
		cs := basic.Constraints()
		if len(cs) != 1 || len(basic.Divs()) > 0 {
			return nil, false
		}
		constraint := fr.linear(basic, cs[0])
		switch {
		case !cs[0].Eq:
			constraint = constraint.scale(-1)
		case fr.proves(facts, constraint):
		case fr.proves(facts, constraint.scale(-1)):
			constraint = constraint.scale(-1)
		default:
			return nil, false
		}
		constraints = append(constraints, constraint.addc(-1))
	}
	return constraints, true
}

// beyond returns, for each conjunction of s, a constraint of parameters that, where facts hold, does not hold in it and that is large; ok is
// false if there are none such.
func (fr frame) beyond(s poly.Set, facts []linear, large func(linear) bool) (constraints []linear, ok bool) {
	for _, basic := range s.Basics() {
		found := false
		for _, c := range basic.Constraints() {
			if slices.ContainsFunc(c.Divs, func(k int64) bool { return k != 0 }) {
				continue
			}
			holds := fr.linear(basic, c)
			opposite := holds.scale(-1).addc(-1)
			if c.Eq && !fr.proves(facts, holds.scale(-1)) {
				opposite = holds.addc(-1)
				if !fr.proves(facts, holds) {
					continue
				}
			}
			if found = large(opposite); found {
				constraints = append(constraints, opposite)
				break
			}
		}
		if !found {
			return nil, false
		}
	}
	return constraints, true
}

// at returns the value of a at a point.
func (fr frame) at(a linear, params, point []int64) int64 {
	v := a.c
	for i, d := range fr.params {
		v += a.v.of(d) * params[i]
	}
	for i, d := range fr.iters {
		v += a.v.of(d) * point[i]
	}
	return v
}

// example returns a point of s as "n = 3, t = 0, i = 2".
func (fr frame) example(s poly.Set) string {
	params, point := smallSample(s)
	var parts []string
	for i, v := range params {
		parts = append(parts, fmt.Sprintf("%s = %d", fr.paramNames[i], v))
	}
	for i, v := range point {
		parts = append(parts, fmt.Sprintf("%s = %d", fr.iterNames[i], v))
	}
	return strings.Join(parts, ", ")
}

// smallSample returns a point of s, which has one, with small values if it can.
func smallSample(s poly.Set) (params, point []int64) {
	for _, bound := range []int64{4, 16, 64} {
		var inside []poly.Formula
		for _, p := range s.Params() {
			inside = append(inside, poly.AtMost(affine.Num(-bound), affine.Var(p)), poly.AtMost(affine.Var(p), affine.Num(bound)))
		}
		if len(inside) == 0 {
			break
		}
		box := poly.NewParamSet(s.Params(), inside...)
		if params, point, ok := s.IntersectParams(box).Sample(); ok {
			return params, point
		}
	}
	params, point, ok := s.Sample()
	if !ok {
		panic(fmt.Sprintf("frontend: smallSample: no point in %v", s))
	}
	return params, point
}

// rowsOf returns the constraints of s, which has no dimensions, if s is one conjunction.
func (fr frame) rowsOf(s poly.Set) (constraints []linear, ok bool) {
	basics := s.Basics()
	if len(basics) != 1 || len(basics[0].Divs()) > 0 {
		return nil, false
	}
	for _, c := range basics[0].Constraints() {
		constraint := fr.linear(basics[0], c)
		constraints = append(constraints, constraint)
		if c.Eq {
			constraints = append(constraints, constraint.scale(-1))
		}
	}
	return constraints, true
}

// implied returns constraints that hold for all values of parameters in s, where they are plain.
func (fr frame) implied(s poly.Set) []linear {
	constraints, _ := fr.rowsOf(s.SimpleHull())
	return constraints
}

// linear returns constraint c of a set, which is over parameters only.
func (fr frame) linear(b poly.Basic, c poly.Constraint) linear {
	constraint := constant(c.Const)
	for i, k := range c.Params {
		at := slices.Index(fr.paramNames, b.Space().Params[i])
		constraint = constraint.plus(k, variable(fr.params[at]))
	}
	return constraint
}

// A context is the parameters of a region, and what is known of them.
type context struct {
	frame
	known []linear
}

package rewrite

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"github.com/hexcc/hexcc/scop"
)

// This file looks for columns: parts that terms have in common with terms beside them along a loop. The terms of a sum that are the same part at several offsets along it
// are a class. Classes at the same offsets, with coefficients of one ratio at all of them, are one common part, which is their sum by those ratios, times the coefficients of one of them:
//
//	w2*a[i-1][j-1] + w1*a[i-1][j] + w2*a[i-1][j+1]              =>     w2*(p[j-1] + p[j+1]) + w1*p[j]     where p[j] = a[i-1][j] + a[i+1][j]
//	+ w2*a[i+1][j-1] + w1*a[i+1][j] + w2*a[i+1][j+1]
//
// It is a sum again, whose terms may have columns along another loop.

// A class is the terms of one part, by offset along a loop.
type class struct {
	at     []int64 // where it is, in ascending order
	terms  map[int64]term
	key    string // of the part at offset 0
	double bool   // two terms are at one offset
}

// A column is classes with one ratio to the first of them.
type column struct {
	classes []*class
	ratios  []*big.Rat
}

// grouped returns terms with their columns along the first loop of order as parts, which are made of columns along the others; and what is in none in columns along the others.
func (c *collector) grouped(terms []term, order []int) []term {
	if len(order) == 0 || len(terms) < 3 {
		return terms
	}
	classes, left := c.classes(terms, order[0])
	var out []term
	for _, col := range c.columns(classes) {
		first := col.classes[0]
		if len(col.classes) < 2 || len(first.at) < 2 {
			for _, x := range col.classes {
				for _, o := range x.at {
					left = append(left, x.terms[o])
				}
			}
			continue
		}
		for _, o := range first.at {
			var parts []term
			for i, x := range col.classes {
				parts = append(parts, term{col.ratios[i], nil, x.terms[o].part})
			}
			out = append(out, term{first.terms[o].num, first.terms[o].syms, c.combine(c.grouped(parts, order[1:]))})
		}
	}
	return append(out, c.grouped(left, order[1:])...)
}

// classes returns those of terms along loop d, and the terms that are in none.
func (c *collector) classes(terms []term, d int) (all []*class, left []term) {
	byKey := map[string]*class{}
	for _, t := range terms {
		o, ok := offset(t.part, c.stmt, d)
		if !ok {
			left = append(left, t)
			continue
		}
		k := key(t.part, d, -o)
		x := byKey[k]
		if x == nil {
			x = &class{key: k, terms: map[int64]term{}}
			byKey[k] = x
			all = append(all, x)
		}
		if _, twice := x.terms[o]; twice { // their numbers have no sum in the type
			left, x.double = append(left, t), true
			continue
		}
		x.at, x.terms[o] = append(x.at, o), t
	}
	for _, x := range all {
		slices.Sort(x.at)
		if x.double {
			for _, o := range x.at {
				left = append(left, x.terms[o])
			}
		}
	}
	return slices.DeleteFunc(all, func(x *class) bool { return x.double }), left
}

// columns returns classes by those of one ratio.
func (c *collector) columns(classes []*class) (all []*column) {
	slices.SortStableFunc(classes, func(x, y *class) int { // ratios are to the least
		a, b := x.terms[x.at[0]].num, y.terms[y.at[0]].num
		return new(big.Rat).Abs(a).Cmp(new(big.Rat).Abs(b))
	})
next:
	for _, x := range classes {
		for _, col := range all {
			if r := ratio(x, col.classes[0], c.t); r != nil {
				col.classes, col.ratios = append(col.classes, x), append(col.ratios, r)
				continue next
			}
		}
		all = append(all, &column{[]*class{x}, []*big.Rat{one()}})
	}
	return all
}

// ratio returns what the coefficients of x are of those of y, nil if that is not one number of type t.
func ratio(x, y *class, t scop.Type) (r *big.Rat) {
	if !slices.Equal(x.at, y.at) {
		return nil
	}
	for _, o := range x.at {
		a, b := x.terms[o], y.terms[o]
		if keyOfSymbols(a.syms) != keyOfSymbols(b.syms) {
			return nil
		}
		q := new(big.Rat).Quo(a.num, b.num)
		if r != nil && r.Cmp(q) != 0 || !representable(q, t) {
			return nil
		}
		r = q
	}
	return r
}

// combine returns the sum of terms, with each coefficient taken out of the terms that have it; nil for none.
func (c *collector) combine(terms []term) scop.Expr {
	var sum signedSum
	for _, bySymbols := range alike(terms, func(t term) string { return keyOfSymbols(t.syms) }) {
		var inner signedSum
		for _, byNumber := range alike(bySymbols, func(t term) string { return new(big.Rat).Abs(t.num).RatString() }) {
			var parts signedSum
			for _, t := range byNumber {
				parts.add(t.num.Sign() < 0, t.part)
			}
			negative, e := parts.value()
			inner.add(negative, c.scaled(new(big.Rat).Abs(byNumber[0].num), e))
		}
		negative, e := inner.value()
		for _, s := range slices.Backward(bySymbols[0].syms) {
			e = scop.Binary{Op: "*", X: s.e, Y: e}
		}
		sum.add(negative, e)
	}
	negative, e := sum.value()
	if negative {
		return scop.Unary{Op: "-", X: e}
	}
	return e
}

// scaled returns x * e.
func (c *collector) scaled(x *big.Rat, e scop.Expr) scop.Expr {
	if x.Cmp(one()) == 0 {
		return e
	}
	f, exact := x.Float64()
	if !exact || !representable(x, c.t) {
		panic(fmt.Sprintf("rewrite: %v is no number of type %v", x, c.t))
	}
	return scop.Binary{Op: "*", X: scop.Const{T: c.t, F: f}, Y: e}
}

// alike returns terms by key, each in the order of its first.
func alike(terms []term, key func(term) string) (all [][]term) {
	at := map[string]int{}
	for _, t := range terms {
		k := key(t)
		i, ok := at[k]
		if !ok {
			i = len(all)
			at[k], all = i, append(all, nil)
		}
		all[i] = append(all[i], t)
	}
	return all
}

// A signedSum is a sum of values and negatives of values.
type signedSum struct{ plus, minus []scop.Expr }

func (s *signedSum) add(negative bool, e scop.Expr) {
	if negative {
		s.minus = append(s.minus, e)
	} else {
		s.plus = append(s.plus, e)
	}
}

// value returns the sum, or what it is the negative of. That is nil for no values.
func (s *signedSum) value() (negative bool, sum scop.Expr) {
	if len(s.plus) == 0 {
		return len(s.minus) > 0, chained("+", nil, s.minus)
	}
	return false, chained("-", chained("+", nil, s.plus), s.minus)
}

func chained(op string, sum scop.Expr, all []scop.Expr) scop.Expr {
	for _, e := range all {
		if sum == nil {
			sum = e
		} else {
			sum = scop.Binary{Op: op, X: sum, Y: e}
		}
	}
	return sum
}

// offset returns where part lies along loop d of s: by how much the loop moved for it to be what it is at 0. ok is false where it is made of more than elements that move with the loop.
func offset(part scop.Expr, s *scop.Stmt, d int) (o int64, ok bool) {
	moves := true
	scop.Visit(part, func(e scop.Expr) {
		switch e := e.(type) {
		case scop.Var:
			moves = moves && e.Kind != scop.LocalVar && (e.Kind != scop.IterVar || e.Name != s.Iters[d])
		case scop.Read:
			for _, x := range e.From.Index {
				if c := at(x.Iters, d); !ok && x.Mod == 0 && (c == 1 || c == -1) {
					o, ok = x.Const*c, true
				}
			}
		}
	})
	return o, ok && moves
}

// at returns x[i], 0 behind its end.
func at(x []int64, i int) int64 {
	if i < len(x) {
		return x[i]
	}
	return 0
}

// key returns what expressions share that are the same where iterator d of their instance is moved by that much. It is not moved where by is 0.
func key(e scop.Expr, d int, by int64) string {
	of := func(e scop.Expr) string { return key(e, d, by) }
	switch e := e.(type) {
	case scop.Const:
		return fmt.Sprintf("%v:%x:%d", e.T, e.F, e.I)
	case scop.Var:
		return fmt.Sprintf("%v:%d:%s", e.T, e.Kind, e.Name)
	case scop.Read:
		text := e.From.Array.Name
		for _, x := range e.From.Index {
			text += subscriptKey(x, d, by)
		}
		return text
	case scop.Unary:
		return e.Op + "(" + of(e.X) + ")"
	case scop.Binary:
		x, y := of(e.X), of(e.Y)
		if (e.Op == "+" || e.Op == "*") && cmp.Less(y, x) {
			x, y = y, x
		}
		return "(" + x + ")" + e.Op + "(" + y + ")"
	case scop.Cast:
		return fmt.Sprintf("%v(%s)", e.T, of(e.X))
	case scop.Call:
		text := fmt.Sprintf("%v:%s", e.T, e.Func)
		for _, x := range e.Args {
			text += "(" + of(x) + ")"
		}
		return text
	case scop.Cond:
		return "(" + of(e.C) + ")?(" + of(e.X) + "):(" + of(e.Y) + ")"
	}
	panic(fmt.Sprintf("rewrite: unknown expression %T", e))
}

// subscriptKey returns what equal subscripts share, moved as by key.
func subscriptKey(x scop.Index, d int, by int64) string {
	c := x.Const + by*at(x.Iters, d)
	if x.Mod > 0 {
		c = (c%x.Mod + x.Mod) % x.Mod
	}
	return fmt.Sprintf("[%d %v %v %d]", c, trimmed(x.Iters), trimmed(x.Params), x.Mod)
}

// trimmed returns x without zeros at the end.
func trimmed(x []int64) []int64 {
	for len(x) > 0 && x[len(x)-1] == 0 {
		x = x[:len(x)-1]
	}
	return x
}

package rewrite

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/hexcc/hexcc/scop"
)

// This file takes sums apart: each term is a number, which is exactly one of the type of the sum, times symbols, which are the same for all instances, times a part, which is not.
// Terms of equal symbols and parts are one where the sum of their numbers is a number of the type.

// A term of a sum.
type term struct {
	num  *big.Rat
	syms []symbol // by key
	part scop.Expr
}

// A symbol is an expression that is the same for all instances.
type symbol struct {
	key string
	e   scop.Expr
}

// A collector collects the terms of a sum of type t.
type collector struct {
	*grouper
	t     scop.Type
	terms []term
}

// add adds the terms of num * syms * e.
func (c *collector) add(e scop.Expr, num *big.Rat, syms []symbol) {
	switch x := e.(type) {
	case scop.Unary:
		if x.Op == "-" {
			num = new(big.Rat).Neg(num)
		}
		c.add(x.X, num, syms)
		return
	case scop.Binary:
		switch x.Op {
		case "+", "-":
			c.add(x.X, num, syms)
			if x.Op == "-" {
				num = new(big.Rat).Neg(num)
			}
			c.add(x.Y, num, syms)
			return
		case "*", "/":
			if !invariant(e) {
				c.product(x, num, syms)
				return
			}
		}
	}
	c.term(num, syms, c.parts(e))
}

// product adds num * syms * e, which is a product or a quotient: of sums times what may go into them, each term.
func (c *collector) product(e scop.Binary, num *big.Rat, syms []symbol) {
	dividend := scop.Expr(e)
	if e.Op == "/" {
		if dividend = e.X; invariant(dividend) {
			c.term(num, syms, c.parts(e))
			return
		}
	}
	var rest []scop.Expr
	for _, f := range factors(dividend, nil) {
		if u, ok := f.(scop.Unary); ok && u.Op == "-" && invariant(f) {
			num, f = new(big.Rat).Neg(num), u.X
		}
		switch v := constant(f); {
		case v != nil && representable(new(big.Rat).Mul(num, v), c.t):
			num = new(big.Rat).Mul(num, v)
		case invariant(f):
			syms = append(slices.Clone(syms), symbol{key(f, 0, 0), f})
		default:
			rest = append(rest, f)
		}
	}
	slices.SortStableFunc(syms, func(a, b symbol) int { return cmp.Compare(a.key, b.key) })
	switch {
	case e.Op == "/":
		c.term(num, syms, scop.Binary{Op: "/", X: c.times(rest), Y: c.expr(e.Y)})
	case len(rest) == 1 && isSum(rest[0]):
		c.add(rest[0], num, syms)
	default:
		c.term(num, syms, c.times(rest))
	}
}

// times returns the product of factors, in an order that does not depend on that of the source.
func (c *collector) times(all []scop.Expr) scop.Expr {
	slices.SortStableFunc(all, func(x, y scop.Expr) int { return cmp.Compare(key(x, 0, 0), key(y, 0, 0)) })
	product := c.expr(all[0])
	for _, f := range all[1:] {
		product = scop.Binary{Op: "*", X: product, Y: c.expr(f)}
	}
	return product
}

// factors returns what e is the product of, behind those that there are, the sign of each negative as a factor.
func factors(e scop.Expr, all []scop.Expr) []scop.Expr {
	switch x := e.(type) {
	case scop.Binary:
		if x.Op == "*" {
			return factors(x.Y, factors(x.X, all))
		}
	case scop.Unary:
		if x.Op == "-" && !invariant(e) && x.Type().IsFloat() {
			return factors(x.X, append(all, scop.Const{T: x.Type(), F: -1}))
		}
	}
	return append(all, e)
}

// term adds a term, or its number to one like it. One of 0, from which sums in a variable start, is none.
func (c *collector) term(num *big.Rat, syms []symbol, part scop.Expr) {
	if v := constant(part); num.Sign() == 0 || v != nil && v.Sign() == 0 {
		return
	}
	for i, t := range c.terms {
		if keyOfSymbols(t.syms) != keyOfSymbols(syms) || key(t.part, 0, 0) != key(part, 0, 0) {
			continue
		}
		if sum := new(big.Rat).Add(t.num, num); representable(sum, c.t) {
			if c.terms[i].num = sum; sum.Sign() == 0 {
				c.terms = slices.Delete(c.terms, i, i+1)
			}
			return
		}
	}
	c.terms = append(c.terms, term{num, syms, part})
}

func keyOfSymbols(syms []symbol) (text string) {
	for _, s := range syms {
		text += s.key + "*"
	}
	return text
}

func one() *big.Rat { return big.NewRat(1, 1) }

// representable reports whether x is a number of type t.
func representable(x *big.Rat, t scop.Type) (exact bool) {
	if t == scop.Float {
		_, exact = x.Float32()
	} else {
		_, exact = x.Float64()
	}
	return exact
}

// constant returns the value of e if it is a literal, with a sign or converted; else nil.
func constant(e scop.Expr) *big.Rat {
	switch e := e.(type) {
	case scop.Const:
		switch {
		case e.T.IsComplex() || e.T == scop.Bool || e.T == scop.Half || e.T == scop.LongDouble:
			return nil
		case e.T == scop.Float:
			return new(big.Rat).SetFloat64(float64(float32(e.F)))
		case e.T == scop.Double:
			return new(big.Rat).SetFloat64(e.F)
		case e.T.IsUnsigned() && e.I < 0:
			return nil
		}
		return new(big.Rat).SetInt64(e.I)
	case scop.Unary:
		if x := constant(e.X); x != nil && e.Op == "-" && e.Type().IsFloat() {
			return x.Neg(x)
		}
	case scop.Cast:
		x := constant(e.X)
		if x == nil || e.T != scop.Float && e.T != scop.Double {
			return nil
		}
		if e.T == scop.Float && e.X.Type() == scop.Double { // rounded
			f, _ := x.Float64()
			return new(big.Rat).SetFloat64(float64(float32(f)))
		}
		if representable(x, e.T) {
			return x
		}
	}
	return nil
}

package poly

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
)

// A polynomial is a sum of monomials with rational coefficients, in falling order of monomials; the zero polynomial
// has none. Variables are numbers: columns, from 1 on, of the system whose divs it uses, or, while a sum is under way,
// negative numbers for the variables still to be summed over. An infinite polynomial stands for infinity.
// Polynomials are immutable.
type polynomial struct {
	terms    []term
	infinite bool
}

// A term is a monomial with its coefficient, which is not zero.
type term struct {
	mono monomial
	coef *big.Rat
}

// A monomial is a product of powers, in rising order of variables; the empty product is 1.
type monomial []power

// A power is a variable to the exponent exp > 0.
type power struct{ id, exp int }

// infinity is the value of a sum that has none.
var infinity = polynomial{infinite: true}

// constant returns the polynomial p/q.
func constant(p, q int64) polynomial { return scalar(big.NewRat(p, q)) }

// scalar returns the constant polynomial x.
func scalar(x *big.Rat) polynomial {
	if x.Sign() == 0 {
		return polynomial{}
	}
	return polynomial{terms: []term{{nil, x}}}
}

// variable returns the polynomial that is a variable.
func variable(id int) polynomial {
	return polynomial{terms: []term{{monomial{{id, 1}}, big.NewRat(1, 1)}}}
}

func (p polynomial) isZero() bool { return len(p.terms) == 0 && !p.infinite }

// degree returns the sum of exponents.
func (m monomial) degree() (d int) {
	for _, x := range m {
		d += x.exp
	}
	return d
}

// compare orders monomials: higher degree first, then the higher power of the first variable that differs.
func (m monomial) compare(n monomial) int {
	if c := cmp.Compare(n.degree(), m.degree()); c != 0 {
		return c
	}
	for i := range min(len(m), len(n)) {
		if m[i] != n[i] {
			return cmp.Or(cmp.Compare(m[i].id, n[i].id), cmp.Compare(n[i].exp, m[i].exp))
		}
	}
	return cmp.Compare(len(m), len(n))
}

// times returns the product of m and n.
func (m monomial) times(n monomial) monomial {
	product := make(monomial, 0, len(m)+len(n))
	for len(m) > 0 && len(n) > 0 {
		switch {
		case m[0].id < n[0].id:
			product, m = append(product, m[0]), m[1:]
		case m[0].id > n[0].id:
			product, n = append(product, n[0]), n[1:]
		default:
			product = append(product, power{m[0].id, m[0].exp + n[0].exp})
			m, n = m[1:], n[1:]
		}
	}
	return append(append(product, m...), n...)
}

// plus returns p + q.
func (p polynomial) plus(q polynomial) polynomial {
	if p.infinite || q.infinite {
		return infinity
	}
	sum := make([]term, 0, len(p.terms)+len(q.terms))
	x, y := p.terms, q.terms
	for len(x) > 0 && len(y) > 0 {
		switch c := x[0].mono.compare(y[0].mono); {
		case c < 0:
			sum, x = append(sum, x[0]), x[1:]
		case c > 0:
			sum, y = append(sum, y[0]), y[1:]
		default:
			if coef := new(big.Rat).Add(x[0].coef, y[0].coef); coef.Sign() != 0 {
				sum = append(sum, term{x[0].mono, coef})
			}
			x, y = x[1:], y[1:]
		}
	}
	return polynomial{terms: append(append(sum, x...), y...)}.bounded()
}

// bounded returns p, unless it is too long.
func (p polynomial) bounded() polynomial {
	if len(p.terms) > maxTerms {
		panic(&LimitError{Op: "count", What: "terms of a polynomial", Bound: maxTerms})
	}
	return p
}

// scaled returns k*p.
func (p polynomial) scaled(k *big.Rat) polynomial {
	if k.Sign() == 0 {
		return polynomial{}
	}
	if p.infinite {
		return infinity
	}
	terms := make([]term, len(p.terms))
	for i, t := range p.terms {
		terms[i] = term{t.mono, new(big.Rat).Mul(k, t.coef)}
	}
	return polynomial{terms: terms}
}

// minus returns p - q.
func (p polynomial) minus(q polynomial) polynomial { return p.plus(q.scaled(big.NewRat(-1, 1))) }

// times returns p * q; infinity times zero is zero.
func (p polynomial) times(q polynomial) polynomial {
	switch {
	case p.isZero() || q.isZero():
		return polynomial{}
	case p.infinite || q.infinite:
		return infinity
	case len(p.terms) == 1 && len(p.terms[0].mono) == 0:
		return q.scaled(p.terms[0].coef)
	}
	products := make([]term, 0, len(p.terms)*len(q.terms))
	for _, t := range p.terms {
		for _, u := range q.terms {
			products = append(products, term{t.mono.times(u.mono), new(big.Rat).Mul(t.coef, u.coef)})
		}
		if len(products) > 16*maxTerms {
			polynomial{terms: products}.bounded()
		}
	}
	return collect(products)
}

// collect returns the sum of terms, in any order, which it takes over.
func collect(terms []term) polynomial {
	slices.SortFunc(terms, func(t, u term) int { return t.mono.compare(u.mono) })
	sum := terms[:0]
	for i := 0; i < len(terms); {
		t := terms[i]
		coef := new(big.Rat).Set(t.coef)
		for i++; i < len(terms) && terms[i].mono.compare(t.mono) == 0; i++ {
			coef.Add(coef, terms[i].coef)
		}
		if coef.Sign() != 0 {
			sum = append(sum, term{t.mono, coef})
		}
	}
	return polynomial{terms: sum}.bounded()
}

// equal reports whether p and q are the same polynomial.
func (p polynomial) equal(q polynomial) bool {
	return p.infinite == q.infinite && slices.EqualFunc(p.terms, q.terms, func(t, u term) bool {
		return slices.Equal(t.mono, u.mono) && t.coef.Cmp(u.coef) == 0
	})
}

// byPower returns the coefficients, without the variable id, of its powers 0, 1, .. in p, which is finite.
func (p polynomial) byPower(id int) []polynomial {
	var coefs []polynomial
	for _, t := range p.terms {
		at := slices.IndexFunc(t.mono, func(x power) bool { return x.id == id })
		exp, rest := 0, t.mono
		if at >= 0 {
			exp, rest = t.mono[at].exp, slices.Delete(slices.Clone(t.mono), at, at+1)
		}
		for len(coefs) <= exp {
			coefs = append(coefs, polynomial{})
		}
		coefs[exp].terms = append(coefs[exp].terms, term{rest, t.coef})
	}
	for i := range coefs {
		coefs[i] = collect(coefs[i].terms)
	}
	return coefs
}

// uses reports whether the variable id appears in p.
func (p polynomial) uses(id int) bool {
	return slices.ContainsFunc(p.terms, func(t term) bool {
		return slices.ContainsFunc(t.mono, func(x power) bool { return x.id == id })
	})
}

// substitute returns p with the variable id replaced by q, which may use id itself.
func (p polynomial) substitute(id int, q polynomial) polynomial {
	if p.infinite || !p.uses(id) {
		return p
	}
	return horner(p.byPower(id), q)
}

// horner returns the sum of coefs[k] * x^k.
func horner(coefs []polynomial, x polynomial) polynomial {
	var sum polynomial
	for _, c := range slices.Backward(coefs) {
		sum = sum.times(x).plus(c)
	}
	return sum
}

// eval returns the value of p, which is finite, at the point x by columns.
func (p polynomial) eval(x vec) *big.Rat {
	sum := new(big.Rat)
	for _, t := range p.terms {
		product := new(big.Rat).Set(t.coef)
		for _, f := range t.mono {
			pow := new(big.Int).Exp(x[f.id].Big(), big.NewInt(int64(f.exp)), nil)
			product.Mul(product, new(big.Rat).SetInt(pow))
		}
		sum.Add(sum, product)
	}
	return sum
}

// sumOver returns the sum of p over all integers from lo to hi in place of the variable id, where lo <= hi + 1.
func (p polynomial) sumOver(id int, lo, hi polynomial) polynomial {
	if p.infinite {
		return infinity
	}
	var anti []polynomial // by powers of n: the sum of p from 1 to n
	for k, c := range p.byPower(id) {
		for j, f := range powerSum(k) {
			for len(anti) <= j {
				anti = append(anti, polynomial{})
			}
			anti[j] = anti[j].plus(c.scaled(f))
		}
	}
	return horner(anti, hi).minus(horner(anti, lo.minus(constant(1, 1))))
}

// powerSum returns the coefficients, by powers of n, of Faulhaber's polynomial S(n) = 1^k + 2^k + ... + n^k, which
// satisfies S(n) - S(n-1) = n^k for all n:
//
//	S(n) = 1/(k+1) * sum over j of binomial(k+1, j) * B(j) * n^(k+1-j), with Bernoulli's numbers, B(1) = 1/2
func powerSum(k int) []*big.Rat {
	if k > maxDegree {
		panic(&LimitError{Op: "count", What: "as the degree of a polynomial", Bound: maxDegree})
	}
	b := bernoulli(k)
	coefs := make([]*big.Rat, k+2)
	coefs[0] = new(big.Rat)
	for j := range k + 1 {
		c := new(big.Rat).SetFrac(new(big.Int).Binomial(int64(k+1), int64(j)), big.NewInt(int64(k+1)))
		coefs[k+1-j] = c.Mul(c, b[j])
	}
	return coefs
}

// bernoulli returns B(0) to B(n), with B(1) = 1/2, by the recurrence sum over j <= m of binomial(m+1, j) * B(j) = m + 1.
func bernoulli(n int) []*big.Rat {
	b := make([]*big.Rat, n+1)
	for m := range b {
		rest := big.NewRat(int64(m+1), 1)
		for j := range m {
			c := new(big.Rat).SetInt(new(big.Int).Binomial(int64(m+1), int64(j)))
			rest.Sub(rest, c.Mul(c, b[j]))
		}
		b[m] = rest.Quo(rest, big.NewRat(int64(m+1), 1))
	}
	return b
}

// String prints p with variables as x1, x2: for messages.
func (p polynomial) String() string {
	return p.print(func(id int) string { return fmt.Sprintf("x%d", id) })
}

package poly

import (
	"math/big"
	"slices"
)

// This file finds out where quasi-polynomials that look different have the same values. With f = floor(L/m) for an
// expression L without constant, and e = L - m*f, which is one of 0, .., m-1:
//
//   - floor((L+r)/m) is f, or f + 1 where e >= m - r, and that condition is a polynomial in e;
//   - the product of all e - r for r = 0, .., m-1 is zero, so that powers f^m and higher are polynomials of lower ones.

// Bounds on what canonical rewrites: the m of floor(L/m), which gives polynomials of degree m - 1, and the terms.
const (
	maxPeriod    = 4
	maxCanonical = 200
)

// canonical returns a quasi-polynomial with the values of p that is the same for all p with these values, as far as
// floors with small denominators go; p itself if it is long.
func (c *counter) canonical(p polynomial) polynomial {
	if p.infinite || len(p.terms) > maxCanonical {
		return p
	}
	q := p
	tooLong := Limited(func() error {
		q = c.rewritten(p)
		return nil
	})
	if tooLong != nil {
		return p
	}
	return q
}

func (c *counter) rewritten(p polynomial) polynomial {
	for i := 0; i < len(c.table.locals); i++ { // it may grow
		id := c.known + i
		d := c.table.locals[i]
		if d.num[0].isZero() || d.den.Cmp(NewInt(maxPeriod)) > 0 || !p.uses(id) {
			continue
		}
		r, _ := d.num[0].Int64()
		m, _ := d.den.Int64()
		base := d.num.clone()
		base[0] = Int{}
		f := linear(c.table.floor(base, d.den))
		e := linear(base).minus(f.scaled(big.NewRat(m, 1)))
		p = p.substitute(id, f.plus(horner(stepPolynomial(m-r, m), e)))
	}
	for i, d := range slices.Backward(c.table.locals) {
		if m, small := d.den.Int64(); small && m <= maxPeriod {
			p = c.lowerPowers(p, c.known+i, d.num, m)
		}
	}
	return p
}

// stepPolynomial returns the coefficients of the polynomial of degree m-1 that is 0 at 0, .., t-1 and 1 at t, .., m-1.
func stepPolynomial(t, m int64) []polynomial {
	const x = 1
	var sum polynomial
	for v := t; v < m; v++ {
		product := constant(1, 1)
		for u := range m {
			if u != v {
				product = product.times(variable(x).minus(constant(u, 1))).scaled(big.NewRat(1, v-u))
			}
		}
		sum = sum.plus(product)
	}
	return sum.byPower(x)
}

// lowerPowers returns p with powers of f = floor(num/m) lower than m only.
func (c *counter) lowerPowers(p polynomial, f int, num vec, m int64) polynomial {
	coefs := p.byPower(f)
	if int64(len(coefs)) <= m {
		return p
	}
	relation := constant(1, 1) // product of num - r - m*f over r: zero at all integers
	for r := range m {
		e := linear(num).minus(variable(f).scaled(big.NewRat(m, 1)))
		relation = relation.times(e.minus(constant(r, 1)))
	}
	rule := relation.byPower(f)
	lead := new(big.Rat).Inv(rule[m].terms[0].coef) // a constant, plus or minus m^m
	for k := int64(len(coefs)) - 1; k >= m; k-- {
		top := coefs[k].scaled(lead)
		for j := range m + 1 {
			coefs[k-m+j] = coefs[k-m+j].minus(top.times(rule[j]))
		}
	}
	return horner(coefs[:m], variable(f))
}

// at returns p where column col is expr, in floors as well.
func (c *counter) at(p polynomial, col int, expr vec) polynomial {
	images := make([]vec, c.table.width())
	for i := range images {
		switch {
		case i == col:
			images[i] = expr
		case i < c.known:
			images[i] = unitVec(c.table.width(), i)
		default:
			images[i] = c.table.floor(combined(c.table.locals[i-c.known].num, images), c.table.locals[i-c.known].den)
		}
	}
	return p.mapped(func(id int) polynomial { return linear(images[id]) })
}

// combined returns v with its columns replaced by images.
func combined(v vec, images []vec) vec {
	var sum vec
	for i, k := range v {
		if !k.isZero() {
			sum = sum.grown(len(images[i]))
			sum.addMul(k, images[i])
		}
	}
	return sum
}

// isZeroAll reports whether all of v is zero.
func (v vec) isZeroAll() bool {
	return !slices.ContainsFunc(v, func(x Int) bool { return !x.isZero() })
}

// columnRange returns bounds of a column on the rational points of b, which has points, if there are any.
func columnRange(b Basic, col int) (lo, hi Int, ok bool) {
	t := newTableau(b.width()-1, b.meter)
	if !t.addAll(b.allRows()) {
		return lo, hi, false
	}
	x := unitVec(b.width(), col)
	p, q, o := t.maximize(x)
	if o != bounded {
		return lo, hi, false
	}
	r, s, u := t.maximize(x.negated())
	if u != bounded {
		return lo, hi, false
	}
	return r.FloorDiv(s).Neg(), p.FloorDiv(q), true
}

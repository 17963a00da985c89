package frontend

import (
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// This file computes with products of variables, as they stand in subscripts
// such as p[(i*nj + j)*nk + k].

// A polynomial is a sum of products of variables: the factor of each product, by
// the numbers of its variables in ascending order. No factor is zero.
// Polynomials do not change.
type polynomial map[string]int64

// variables gives variables their numbers, in order of appearance.
type variables struct {
	list []*cc.Declarator
	// remainders are the values of those that stand for remainders, such as t%2.
	remainders map[*cc.Declarator]subscript
}

func (v *variables) number(d *cc.Declarator) string {
	i := slices.Index(v.list, d)
	if i < 0 {
		i = len(v.list)
		v.list = append(v.list, d)
	}
	return string(rune(i))
}

// remainder returns the variable that stands for s.
func (v *variables) remainder(s subscript) *cc.Declarator {
	for _, d := range v.list {
		if r, ok := v.remainders[d]; ok && r.mod == s.mod && r.linear.equal(s.linear) && sameLinear(r.left, s.left) {
			return d
		}
	}
	d := &cc.Declarator{}
	v.remainders[d] = s
	return d
}

func sameLinear(x, y *linear) bool { return x == y || x != nil && y != nil && x.equal(*y) }

// of returns the variables of monomial m.
func (v *variables) of(m string) (ds []*cc.Declarator) {
	for _, r := range m {
		ds = append(ds, v.list[r])
	}
	return ds
}

// polynomial returns l.
func (v *variables) polynomial(l linear) polynomial {
	p := polynomial{}
	for d, c := range l.v.all() {
		p[v.number(d)] = c
	}
	if l.c != 0 {
		p[""] = l.c
	}
	return p
}

// linear returns p, if no product is in it.
func (v *variables) linear(p polynomial) (linear, bool) {
	l := constant(0)
	for m, c := range p {
		switch ds := v.of(m); len(ds) {
		case 0:
			l = l.addc(c)
		case 1:
			l = l.plus(c, variable(ds[0]))
		default:
			return linear{}, false
		}
	}
	return l, true
}

// plus returns p + k*m*q, for a monomial m.
func (p polynomial) plus(k int64, m string, q polynomial) polynomial {
	r := maps.Clone(p)
	for n, c := range q {
		mn := times(m, n)
		if r[mn] += k * c; r[mn] == 0 {
			delete(r, mn)
		}
	}
	return r
}

func (p polynomial) times(q polynomial) polynomial {
	r := polynomial{}
	for m, c := range p {
		r = r.plus(c, m, q)
	}
	return r
}

func (p polynomial) equal(q polynomial) bool { return maps.Equal(p, q) }

// small reports whether the factors and products of p are within bounds.
func (p polynomial) small() bool {
	for m, c := range p {
		if abs(c) >= 1<<30 || len([]rune(m)) > 8 {
			return false
		}
	}
	return len(p) <= 100
}

// times returns the product of two monomials.
func times(m, n string) string {
	rs := []rune(m + n)
	slices.Sort(rs)
	return string(rs)
}

// over returns m without the factors of n, if it has them.
func over(m, n string) (string, bool) {
	rs := []rune(m)
	for _, r := range n {
		i := slices.Index(rs, r)
		if i < 0 {
			return "", false
		}
		rs = slices.Delete(rs, i, i+1)
	}
	return string(rs), true
}

// ordered returns the monomials of p, those with most variables first.
func (p polynomial) ordered() []string {
	return slices.SortedFunc(maps.Keys(p), func(m, n string) int {
		if d := len([]rune(n)) - len([]rune(m)); d != 0 {
			return d
		}
		return strings.Compare(m, n)
	})
}

// divide returns q and r with p = q*s + r, such that no product of r holds the
// leading one of s; with plain, q is a sum of single variables.
func (p polynomial) divide(s polynomial, plain bool) (q, r polynomial) {
	lead := s.ordered()[0]
	q, r = polynomial{}, p
	for again := true; again; {
		again = false
		for _, m := range r.ordered() {
			rest, ok := over(m, lead)
			if !ok || plain && len([]rune(rest)) > 1 {
				continue
			}
			if k := r[m] / s[lead]; k != 0 {
				q, r, again = q.plus(k, rest, polynomial{"": 1}), r.plus(-k, rest, s), true
				break
			}
		}
	}
	return q, r
}

// quotient returns p/s, if s divides p.
func (p polynomial) quotient(s polynomial) (polynomial, bool) {
	q, r := p.divide(s, false)
	return q, len(r) == 0
}

// hasRemainder reports whether p is more than a remainder, and holds one.
func (ar *affineReader) hasRemainder(p polynomial) bool {
	for m := range p {
		for _, d := range ar.vars.of(m) {
			if _, ok := ar.vars.remainders[d]; ok {
				return len(p) > 1 || p[m] != 1
			}
		}
	}
	return false
}

// coefficients returns what each variable of loops, or remainder, is multiplied with in p;
// ok is false if two are multiplied with each other.
func (ar *affineReader) coefficients(p polynomial, loops []loop) (cs []polynomial, ok bool) {
	by := map[string]polynomial{}
	for _, m := range p.ordered() {
		var params, iters []rune
		for _, r := range m {
			d := ar.vars.list[r]
			if _, is := ar.vars.remainders[d]; is || inLoops(loops, d) {
				iters = append(iters, r)
			} else {
				params = append(params, r)
			}
		}
		if len(iters) > 1 {
			return nil, false
		}
		if len(iters) == 1 {
			key := string(iters)
			if by[key] == nil {
				by[key] = polynomial{}
			}
			by[key][string(params)] = p[m]
		}
	}
	for _, c := range by {
		if c[c.ordered()[0]] < 0 {
			c = polynomial{}.plus(-1, "", c)
		}
		cs = append(cs, c)
	}
	return cs, true
}

func (p polynomial) isConstant() bool { _, ok := p[""]; return ok && len(p) == 1 }

// sums reports whether p is a sum of multiples of strides.
func (p polynomial) sums(strides []polynomial) bool {
	for _, s := range strides {
		lead := s.ordered()[0]
		p = p.plus(-(p[lead] / s[lead]), "", s)
	}
	return len(p) == 0
}

package frontend

import (
	"cmp"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// This file finds what strides arrays with one subscript may have: what loop variables are multiplied with, and what the program names rows by.

// chains returns the strides that the accesses may have, largest first, best
// choice first, or why there are none; likely are the same, best choice first where facts are to hold.
func (dm *dimensions) chains(xs []flatAccess) (chains, likely [][]polynomial, why string) {
	var all, more []polynomial // those of loop variables, and those of components with numbers for variables, too
	for _, x := range xs {
		cs, ok := dm.coefficients(x.poly, x.nest.loops)
		if !ok {
			return nil, nil, "two loop variables are multiplied with each other"
		}
		for _, c := range cs {
			if !slices.ContainsFunc(all, c.equal) {
				all = append(all, c)
			}
		}
		if len(dm.components) > 0 {
			more = append(more, slices.DeleteFunc(dm.sizes(x), dm.holdsPlace)...)
		}
	}
	if more = slices.DeleteFunc(more, func(c polynomial) bool { return slices.ContainsFunc(all, c.equal) }); len(more) > 0 {
		chains, _ = chainsOf(slices.Concat(all, more), true)
	}
	if len(dm.components) > 0 {
		for _, c := range dm.planeSizes(xs, all) {
			planes, _ := chainsOf(append(slices.Clone(all), c), true)
			chains = append(chains, planes...)
		}
	}
	others, why := chainsOf(all, false)
	chains = append(chains, others...)
	with := func(strides [][]polynomial) (more [][]polynomial) {
		for _, c := range strides {
			some, _ := chainsOf(append(slices.Clone(all), c...), true)
			more = append(more, some...)
		}
		return more
	}
	rows, sums, same := dm.rowSizes(xs)
	likely = slices.Concat(chains, with(same), with(rows), with(sums))
	return slices.Concat(chains, with(rows), with(sums)), likely, why
}

// rowSizes returns strides that no loop variable is multiplied with, as that of a row which the program names: of i + (n-2)*m what
// is left of products of parameters without one of them, and of i + (n+1)*(m+2) what a parameter is multiplied with, alone and with another one that divides it.
// same are those of the latter that are the same wherever the parameter is in a product.
func (dm *dimensions) rowSizes(xs []flatAccess) (rows, sums, same [][]polynomial) {
	var all, factors, steady []polynomial
	add := func(to *[]polynomial, p polynomial) {
		if !slices.ContainsFunc(*to, p.equal) {
			*to = append(*to, p)
		}
	}
	of := map[*cc.Declarator][]polynomial{} // what parameters are multiplied with
	for _, x := range xs {
		for _, p := range dm.sizes(x) {
			m := p.ordered()[0]
			for _, d := range dm.vars.of(m) {
				if rest, ok := over(m, dm.vars.number(d)); ok && rest != "" {
					add(&all, polynomial{rest: 1})
					if p := dm.factorOf(x, d); len(p) > 0 {
						with := of[d]
						add(&with, p)
						of[d] = with
					}
				}
			}
		}
	}
	for _, d := range inOrder(dm.source, of) {
		for _, p := range of[d] {
			add(&factors, p)
			if len(of[d]) == 1 {
				add(&steady, p)
			}
		}
	}
	slices.SortStableFunc(steady, func(p, q polynomial) int { return cmp.Compare(len(p), len(q)) })
	for _, p := range steady {
		same = append(same, []polynomial{p})
	}
	return withDivisors(all), withDivisors(slices.DeleteFunc(factors, func(p polynomial) bool { return slices.ContainsFunc(all, p.equal) })), same
}

// factorOf returns what parameter d is multiplied with in x, where that is no loop variable.
func (dm *dimensions) factorOf(x flatAccess, d *cc.Declarator) polynomial {
	factor := polynomial{}
	for m, c := range x.poly {
		rest, ok := over(m, dm.vars.number(d))
		if ok && dm.isFixed(x, rest) && !slices.Contains(dm.vars.of(rest), d) {
			factor[rest] = c
		}
	}
	return factor
}

// withDivisors returns each of all alone, and with another one that divides it; none if there are too many.
func withDivisors(all []polynomial) (strides [][]polynomial) {
	slices.SortFunc(all, compareStrides)
	if len(all) > maxRowSizes {
		return nil
	}
	for _, c := range all {
		strides = append(strides, []polynomial{c})
	}
	for _, c := range all {
		for _, d := range all {
			if _, ok := c.quotient(d); ok && !c.equal(d) {
				strides = append(strides, []polynomial{c, d})
			}
		}
	}
	return strides
}

// maxRowSizes bounds the sizes of rows that are tried.
const maxRowSizes = 8

// sizes returns the products of parameters that a number in x is multiplied with.
func (dm *dimensions) sizes(x flatAccess) (all []polynomial) {
	for m := range x.poly {
		if m != "" && dm.isFixed(x, m) {
			all = append(all, polynomial{m: 1})
		}
	}
	return all
}

// isFixed reports whether m, a product of x, has no loop variable and no remainder in it.
func (dm *dimensions) isFixed(x flatAccess, m string) bool {
	return !slices.ContainsFunc(dm.vars.of(m), func(d *cc.Declarator) bool {
		_, remainder := dm.vars.remainders[d]
		return remainder || inLoops(x.nest.loops, d)
	})
}

// chainsOf returns the chains of strides, best choice first, or why there are none. A stride that is a multiple of
// another, such as 3*n*m of n*m, is one of its own only if multiples is set.
func chainsOf(all []polynomial, multiples bool) (chains [][]polynomial, why string) {
	all = slices.Clone(all)
	slices.SortFunc(all, compareStrides)
	all = slices.CompactFunc(all, polynomial.equal)
	for _, constants := range []bool{true, false} {
		chain := []polynomial{{"": 1}}
		ok := true
		for _, c := range all {
			_, divides := c.quotient(chain[0])
			switch sums := c.sums(chain); {
			case sums && (!divides || !constants || !c.isConstant() && !multiples), c.equal(chain[0]):
			case divides:
				chain = append([]polynomial{c}, chain...)
			default:
				ok = false
			}
		}
		if ok && !slices.ContainsFunc(chains, func(o []polynomial) bool { return slices.EqualFunc(o, chain, polynomial.equal) }) {
			chains = append(chains, chain)
		}
	}
	if len(chains) == 0 {
		return nil, "what the loop variables are multiplied with is not a chain in which each divides the next"
	}
	return chains, ""
}

// compareStrides orders strides by the number of variables multiplied, then by terms and factors.
func compareStrides(p, q polynomial) int {
	m, n := p.ordered(), q.ordered()
	if d := len([]rune(m[0])) - len([]rune(n[0])); d != 0 {
		return d
	}
	if d := len(m) - len(n); d != 0 {
		return d
	}
	for i := range m {
		if d := strings.Compare(n[i], m[i]); d != 0 {
			return d
		}
		if d := p[m[i]] - q[n[i]]; d != 0 {
			return int(max(-1, min(d, 1)))
		}
	}
	return 0
}

package poly

import "slices"

// pieces returns what was found as pieces with disjoint domains: contributions whose conditions overlap are added.
func (c *counter) pieces() []countPiece { return c.tidy(c.partition(c.found)) }

// joinEqual joins the domains of pieces with equal values.
func joinEqual(pieces []countPiece) []countPiece {
	var joined []countPiece
	for _, p := range pieces {
		same := func(q countPiece) bool { return q.value.equal(p.value) }
		if i := slices.IndexFunc(joined, same); i >= 0 {
			joined[i].dom = slices.Concat(joined[i].dom, p.dom)
		} else {
			joined = append(joined, p)
		}
	}
	return joined
}

// tidy returns pieces without those of value 0, joined where their values agree, with domains of few parts.
func (c *counter) tidy(pieces []countPiece) []countPiece {
	for i, p := range pieces {
		pieces[i].dom = coalesce(p.dom)
		if value := c.canonical(p.value); len(value.terms) < len(p.value.terms) {
			pieces[i].value = value
		}
	}
	pieces = joinEqual(c.absorb(pieces))
	pieces = slices.DeleteFunc(pieces, func(p countPiece) bool { return p.value.isZero() })
	for i := range pieces {
		pieces[i].dom = coalesce(pieces[i].dom)
	}
	return pieces
}

// Bounds on the pieces, and on the terms of their values, that are compared with each other.
const (
	maxAbsorb   = 60
	maxCompared = 60
)

// absorb gives pieces the value of another one that agrees with theirs on their domain, where the domains together have
// fewer parts: n on n >= 2 takes in the piece 1 on n = 1.
func (c *counter) absorb(pieces []countPiece) []countPiece {
	if len(pieces) > maxAbsorb {
		return pieces
	}
	for i := 0; i < len(pieces); i++ {
		for j, q := range pieces {
			if i == j || !c.agree(pieces[i], q.value) {
				continue
			}
			dom := coalesce(slices.Concat(q.dom, pieces[i].dom))
			if len(dom) < len(q.dom)+len(pieces[i].dom) {
				pieces[j].dom = dom
				pieces = slices.Delete(pieces, i, i+1)
				i = -1 // the larger domain may take in others
				break
			}
		}
	}
	return pieces
}

// agree reports whether value is that of p on all of its domain. True is certain, false is not.
func (c *counter) agree(p countPiece, value polynomial) bool {
	if p.value.infinite || value.infinite || len(p.value.terms)+len(value.terms) > maxCompared {
		return false
	}
	diff := p.value.minus(value)
	for _, b := range p.dom {
		if x, ok := b.sample(); ok && diff.eval(c.extended(x[:c.known])).Sign() != 0 {
			return false
		}
	}
	return !slices.ContainsFunc(p.dom, func(b Basic) bool { return !c.vanishes(diff, b, 0) })
}

// extended returns the columns x of a point and the values of the divs of the table.
func (c *counter) extended(x vec) vec {
	x = x.clone()
	for _, l := range c.table.locals {
		x = append(x, l.num.eval(x).FloorDiv(l.den))
	}
	return x
}

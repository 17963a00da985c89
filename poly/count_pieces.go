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

// extended returns the columns x of a point and the values of the divs of the table.
func (c *counter) extended(x vec) vec {
	x = x.clone()
	for _, l := range c.table.locals {
		x = append(x, l.num.eval(x).FloorDiv(l.den))
	}
	return x
}

package poly

import "slices"

// pieces returns what was found as pieces with disjoint domains: contributions whose conditions overlap are added.
func (c *counter) pieces() []countPiece {
	var pieces []countPiece
	for _, f := range c.found {
		pieces = c.addPiece(pieces, f)
	}
	return c.tidy(pieces)
}

// addPiece returns pieces, which are disjoint, plus f.
func (c *counter) addPiece(pieces []countPiece, f countPiece) []countPiece {
	var sum []countPiece
	rest := f.dom
	for _, p := range pieces {
		both := intersect(p.dom, rest)
		if allEmpty(both) {
			sum = append(sum, p)
			continue
		}
		sum = append(sum, countPiece{both, p.value.plus(f.value)})
		if apart := subtract(p.dom, rest); len(apart) > 0 {
			sum = append(sum, countPiece{apart, p.value})
		}
		rest = subtract(rest, both)
	}
	if len(rest) > 0 {
		sum = append(sum, countPiece{rest, f.value})
	}
	sum = joinEqual(sum)
	if len(sum) > maxPieces {
		panic(&LimitError{Op: "count", What: "pieces", Bound: maxPieces})
	}
	return sum
}

// maxPieces bounds the pieces of a count.
const maxPieces = 1000

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
	return !slices.ContainsFunc(p.dom, func(b Basic) bool { return !c.vanishes(diff, b, 0) })
}

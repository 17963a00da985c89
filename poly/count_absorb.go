package poly

import "slices"

// This file gives pieces of a count the value of others that agrees with theirs where they are: n on n >= 2 takes in the
// piece 1 on n = 1. Sums leave many such pieces where cells meet, on lines and strips of parameters.

// Bounds on the pieces, and on the terms of two values, that are compared with each other.
const (
	maxAbsorb   = 300
	maxCompared = 600
)

// An absorption is under way. Pieces have numbers: a value keeps its own, and a domain that changes gets a new one.
type absorption struct {
	c       *counter
	list    []*absorbed
	domains int
	agree   map[[2]int]bool // by domain and value, whether the value is that of the domain
	apart   map[[2]int]bool // domains that have no fewer parts together
}

// An absorbed piece may still take in others.
type absorbed struct {
	countPiece
	domain, number int
	points         []vec // one in each part of the domain, with the values of divs
	scaled         scaledPolynomial
}

// absorb returns pieces of which as many as it can find have taken in others, first those that give domains of fewer
// parts.
func (c *counter) absorb(pieces []countPiece) []countPiece {
	if len(pieces) < 2 || len(pieces) > maxAbsorb {
		return pieces
	}
	a := &absorption{c: c, agree: make(map[[2]int]bool), apart: make(map[[2]int]bool)}
	for i, p := range pieces {
		q := &absorbed{countPiece: p, number: i}
		if !p.value.infinite {
			q.scaled = p.value.integral()
		}
		a.list = append(a.list, q)
		a.place(q, p.dom)
	}
	a.run(a.joined)
	a.run(func(p, q *absorbed) []Basic {
		if p.number < q.number {
			return slices.Concat(p.dom, q.dom)
		}
		return slices.Concat(q.dom, p.dom)
	})
	pieces = pieces[:0]
	for _, p := range a.list {
		pieces = append(pieces, p.countPiece)
	}
	return pieces
}

// place makes dom the domain of p.
func (a *absorption) place(p *absorbed, dom []Basic) {
	a.domains++
	p.dom, p.domain, p.points = dom, a.domains, nil
	for _, b := range dom {
		if x, ok := b.sample(); ok {
			p.points = append(p.points, a.c.extended(x[:a.c.known]))
		}
	}
}

// run lets pieces q take in pieces p, while there are any whose value agrees and for which join returns a domain.
func (a *absorption) run(join func(p, q *absorbed) []Basic) {
	for i := 0; i < len(a.list); i++ {
		p := a.list[i]
		for _, q := range a.list {
			if p == q || !a.agrees(p, q) {
				continue
			}
			if dom := join(p, q); dom != nil {
				a.place(q, dom)
				a.list = slices.Delete(a.list, i, i+1)
				i = -1 // the larger domain may take in others
				break
			}
		}
	}
}

// joined returns the domains of p and q together, if these have fewer parts than apart, or nil.
func (a *absorption) joined(p, q *absorbed) []Basic {
	pair := [2]int{p.domain, q.domain}
	if a.apart[pair] {
		return nil
	}
	if dom := coalesce(slices.Concat(q.dom, p.dom)); len(dom) < len(q.dom)+len(p.dom) {
		return dom
	}
	a.apart[pair] = true
	return nil
}

// agrees reports whether the value of q is that of p on all of p's domain. True is certain, false is not.
func (a *absorption) agrees(p, q *absorbed) bool {
	if p.value.infinite || q.value.infinite || len(p.value.terms)+len(q.value.terms) > maxCompared {
		return false
	}
	pair := [2]int{p.domain, q.number}
	agree, known := a.agree[pair]
	if !known {
		agree = a.proves(p, q)
		a.agree[pair] = agree
	}
	return agree
}

func (a *absorption) proves(p, q *absorbed) bool {
	for _, x := range p.points {
		if !p.scaled.at(x).Mul(q.scaled.den).Equal(q.scaled.at(x).Mul(p.scaled.den)) {
			return false
		}
	}
	proof := *a.c // with floors of its own
	proof.table = a.c.table.clone()
	diff := p.value.minus(q.value)
	agree := !slices.ContainsFunc(p.dom, func(b Basic) bool { return !proof.vanishes(diff, b, 0) })
	a.c.effort = proof.effort
	return agree
}

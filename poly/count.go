package poly

import (
	"errors"
	"math/big"
	"slices"
)

// A Count is a number of integer points for all values of the parameters, and, when it counts what a relation relates
// each point to, for all points of its domain: a piecewise quasi-polynomial. Its pieces have disjoint domains; outside
// of them the number is 0. In isl's notation:
//
//	[n] -> { 1/2*n + 1/2*n^2 : n > 0 }
//
// Counts are immutable; the zero Count is 0 everywhere.
type Count struct {
	groups []countGroup // of different tuples
	method Method
}

// A countGroup has the pieces of one tuple, over the same divs.
type countGroup struct {
	space  Space // of a set: the parameters, and in Out the point that is counted for
	divs   []div // over the columns of space
	pieces []countPiece
}

// A countPiece is a value where dom holds. Values use the columns of the space and divs of its group.
type countPiece struct {
	dom   []Basic
	value polynomial
}

// A Method says how a Count was found. All are exact.
type Method uint8

const (
	Symbolic    Method = iota // summed dimension by dimension
	Enumeration               // point by point: the sum would have passed a bound, and there are no parameters
)

func (m Method) String() string { return [...]string{"symbolic", "enumeration"}[m] }

// Method returns how c was found.
func (c Count) Method() Method { return c.method }

// Card returns the number of points of s, of all tuples together, as a function of the parameters. It is infinite
// where s is not bounded. The error is a *LimitError, when the sum would pass a stated bound and s has parameters or
// too many points to enumerate.
func (s Set) Card() (Count, error) {
	record(s, "")
	return card(s.parts, Space.inCol)
}

// Card returns, for each first point of m, the number of points that m relates it to, as a function of that point and
// the parameters. It is infinite where there are infinitely many. The error is as for Set.Card.
func (m Map) Card() (Count, error) {
	record(m, "")
	return card(m.parts, Space.outCol)
}

// card counts the values of the columns from first(space) on, for all values of the columns before.
func card(parts []Basic, first func(Space) int) (count Count, err error) {
	symbolic := func() error {
		parts := parts
		defer begin("count", &parts).end()
		for _, group := range byDomain(parts, first) {
			count.groups = append(count.groups, countGroupOf(group, first))
		}
		return nil
	}
	err = Limited(symbolic)
	if limit := (*LimitError)(nil); err == nil || !errors.As(err, &limit) || !countable(parts, first) {
		return count, err
	}
	count = Count{method: Enumeration}
	tooMany := Limited(func() error {
		n := enumerate(parts)
		count.groups = []countGroup{constantGroup(n)}
		return nil
	})
	if tooMany != nil {
		return Count{}, err // the bound that the sum passed says more
	}
	return count, nil
}

// countable reports whether there is one number to find.
func countable(parts []Basic, first func(Space) int) bool {
	return !slices.ContainsFunc(parts, func(b Basic) bool { return first(b.space) > 1 })
}

// constantGroup returns the group of a number that depends on nothing.
func constantGroup(n *big.Int) countGroup {
	value := scalar(new(big.Rat).SetInt(n))
	if value.isZero() {
		return countGroup{}
	}
	space := setSpace(nil, noTuple)
	return countGroup{space: space, pieces: []countPiece{{[]Basic{universe(space)}, value}}}
}

// byDomain returns parts grouped by the tuple that columns before first belong to: that of a relation's first points,
// or none.
func byDomain(parts []Basic, first func(Space) int) [][]Basic {
	return groupBy(parts, func(a, b Basic) bool { return domainSpace(a.space, first).sameTuples(domainSpace(b.space, first)) })
}

// groupBy returns parts that belong together in groups, in order of their first members.
func groupBy(parts []Basic, together func(a, b Basic) bool) [][]Basic {
	var groups [][]Basic
next:
	for _, b := range parts {
		for i, g := range groups {
			if together(g[0], b) {
				groups[i] = append(g, b)
				continue next
			}
		}
		groups = append(groups, []Basic{b})
	}
	return groups
}

// domainSpace returns the space of the set of what is counted for.
func domainSpace(s Space, first func(Space) int) Space {
	t := setSpace(s.Params, noTuple)
	if first(s) == s.outCol() {
		t.Out = s.In
	}
	return t
}

// countGroupOf counts parts of the same domain tuple.
func countGroupOf(parts []Basic, first func(Space) int) countGroup {
	space := domainSpace(parts[0].space, first)
	same := groupBy(parts, func(a, b Basic) bool { return a.space.sameTuples(b.space) })
	c := newCounter(space.cols())
	for _, parts := range same {
		for _, b := range disjoint(parts) {
			c.count(b, first(b.space), 1)
		}
	}
	pieces := c.pieces()
	if size := sizeOf(pieces); size > maxShort && len(same) < len(parts) {
		d := newCounter(space.cols())
		if other, ok := d.overlapping(same, first); ok && sizeOf(other) < size {
			return d.group(space, other)
		}
	}
	return c.group(space, pieces)
}

// disjoint returns the points of parts, of one space, in parts that do not overlap.
func disjoint(parts []Basic) []Basic {
	var apart []Basic
	for i, b := range parts {
		apart = append(apart, subtract([]Basic{b}, parts[:i])...)
	}
	if len(apart) > maxParts {
		panic(&LimitError{Op: "count", What: "parts", Bound: maxParts})
	}
	return apart
}

// At returns the value for values of the parameters and a point, in the first tuple of its length that has one, or false
// if it is infinite. params has the values of all parameters of c. A number of points is an integer.
func (c Count) At(params map[string]int64, point ...int64) (*big.Rat, bool) {
	for _, g := range c.groups {
		if len(g.space.In.Dims)+len(g.space.Out.Dims) != len(point) {
			continue
		}
		if value := g.at(g.space.point(params, point)); value.infinite {
			return nil, false
		} else if !value.isZero() {
			return value.terms[0].coef, true
		}
	}
	return new(big.Rat), true
}

// at returns the value, a constant, at the point x, whose x[0] is 1.
func (g countGroup) at(x vec) polynomial {
	for _, p := range g.pieces {
		if !slices.ContainsFunc(p.dom, func(b Basic) bool { return b.contains(x) }) {
			continue
		}
		if p.value.infinite {
			return infinity
		}
		return scalar(p.value.eval(Basic{space: g.space, divs: g.divs}.extend(x)))
	}
	return polynomial{}
}

// Domain returns where c is not 0, as far as its pieces show: the domains of its pieces.
func (c Count) Domain() Set {
	var all Set
	for _, g := range c.groups {
		for _, p := range g.pieces {
			all = all.Union(Set{p.dom})
		}
	}
	return all
}

// Pieces returns the pieces of c in the order in which String prints them: domains, which do not overlap, and values.
func (c Count) Pieces() []Piece {
	var list []Piece
	for _, g := range c.groups {
		for _, p := range g.pieces {
			list = append(list, Piece{Set{p.dom}, g.print(p.value)})
		}
	}
	return list
}

// A Piece of a Count is its value on a domain, printed, with floors: 1/2*n + floor(n/2).
type Piece struct {
	Domain Set
	Value  string
}

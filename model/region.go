package model

import (
	"fmt"
	"slices"
	"strings"
)

// This file counts in closed form what tiles compute and read. A tile that owns a box of w0 x w1 x .. points needs of a statement, or of an array, a
// region: all points at one of some offsets from one that it owns. Along a dimension whose offsets are from a to b, b - a apart at most, such a region has
// b - a columns of points at its left, as many at its right, each of them at some of the offsets only, and w - (b - a) between them that are at all
// of them. So the count is a sum over the dimensions that are between, each of which gives a factor w - (b - a):
//
//	offsets -1, 0, 1 in either dimension (a star):  (w0-2)(w1-2) + 4(w0-2) + 4(w1-2) + 4·3 = w0 w1 + 2 w0 + 2 w1
//
// It holds where w is at least b - a. Narrower boxes may leave gaps: they are counted by cells between all bounds of boxes.

// A region is what a box covers that is moved by offsets.
type region struct {
	lo, hi []int64   // the least and greatest offset, by dimension
	at     [][]int64 // the offsets, in order; nil: all between lo and hi
}

// owned returns what a tile owns.
func owned(dims int, exact bool) region {
	r := region{make([]int64, dims), make([]int64, dims), nil}
	if exact {
		r.at = [][]int64{r.lo}
	}
	return r
}

// moved returns r, by an offset away.
func (r region) moved(by []int64) region {
	m := region{sum2(r.lo, by), sum2(r.hi, by), nil}
	for _, o := range r.at {
		m.at = append(m.at, sum2(o, by))
	}
	return m
}

func sum2(x, y []int64) []int64 {
	z := slices.Clone(x)
	for p := range z {
		z[p] += y[p]
	}
	return z
}

// with returns r and s; r may be the zero value, which covers nothing.
func (r region) with(s region) region {
	if r.lo == nil {
		return s
	}
	u := region{slices.Clone(r.lo), slices.Clone(r.hi), nil}
	for p := range u.lo {
		u.lo[p], u.hi[p] = min(u.lo[p], s.lo[p]), max(u.hi[p], s.hi[p])
	}
	if r.at != nil && s.at != nil {
		u.at = slices.Concat(r.at, s.at)
		slices.SortFunc(u.at, slices.Compare)
		u.at = slices.CompactFunc(u.at, slices.Equal)
	}
	return u
}

// along returns r less the dimensions that follows leaves out: along those it has one point.
func (r region) along(follows []bool) region {
	if !slices.Contains(follows, false) {
		return r
	}
	s := region{slices.Clone(r.lo), slices.Clone(r.hi), nil}
	for _, o := range r.at {
		s.at = append(s.at, slices.Clone(o))
	}
	for p, f := range follows {
		if !f {
			s.lo[p], s.hi[p] = 0, 0
			for _, o := range s.at {
				o[p] = 0
			}
		}
	}
	slices.SortFunc(s.at, slices.Compare)
	s.at = slices.CompactFunc(s.at, slices.Equal)
	return s
}

// Polynomial is one in the widths of a tile, linear in each of them: coefficients by the set of widths that they multiply, bit p for width p.
type Polynomial []int64

// At returns the value for some widths.
func (x Polynomial) At(w []int64) (value float64) {
	for set, c := range x {
		term := float64(c)
		for p, n := range w {
			if set>>p&1 != 0 {
				term *= float64(n)
			}
		}
		value += term
	}
	return value
}

// Plus returns x + y; either may be nil, which is 0.
func (x Polynomial) Plus(y Polynomial) Polynomial {
	if len(x) < len(y) {
		x, y = y, x
	}
	z := slices.Clone(x)
	for set, c := range y {
		z[set] += c
	}
	return z
}

// Times returns k·x.
func (x Polynomial) Times(k int64) Polynomial {
	z := slices.Clone(x)
	for set := range z {
		z[set] *= k
	}
	return z
}

// String returns x as in "w0 w1 + 4 w0 + 4 w1 - 12".
func (x Polynomial) String() string {
	var b strings.Builder
	for set := range slices.Backward(x) {
		c := x[set]
		if c == 0 {
			continue
		}
		sign := " + "
		switch {
		case c < 0 && b.Len() == 0:
			sign = "-"
		case c < 0:
			sign = " - "
		case b.Len() == 0:
			sign = ""
		}
		b.WriteString(sign)
		var factors []string
		if c = max(c, -c); c != 1 || set == 0 {
			factors = append(factors, fmt.Sprint(c))
		}
		for p := range 63 {
			if set>>p&1 != 0 {
				factors = append(factors, fmt.Sprint("w", p))
			}
		}
		b.WriteString(strings.Join(factors, " "))
	}
	if b.Len() == 0 {
		return "0"
	}
	return b.String()
}

// polynomial returns the points of r, along the dimensions that follows has, for widths of at least least.
func (r region) polynomial(follows []bool) (x Polynomial, least []int64) {
	dims := len(r.lo)
	least = make([]int64, dims)
	for p := range least {
		least[p] = max(1, r.hi[p]-r.lo[p])
	}
	if r.at == nil {
		x = one(dims)
		for p := range dims {
			if follows[p] {
				x = x.timesWidth(p, r.hi[p]-r.lo[p])
			}
		}
		return x, least
	}
	x = make(Polynomial, 1<<dims)
	// A column is told by the offsets that it is at: the first ones in their order along the dimension, or the last ones; nil: between.
	var visit func(p int, at [][]int64, term Polynomial)
	visit = func(p int, at [][]int64, term Polynomial) {
		if len(at) == 0 {
			return
		}
		if p == dims {
			x = x.Plus(term)
			return
		}
		if !follows[p] {
			visit(p+1, at, term)
			return
		}
		spread := r.hi[p] - r.lo[p]
		visit(p+1, at, term.timesWidth(p, -spread))
		for column := range spread { // at offset lo + column, and at width + lo + column
			visit(p+1, atMost(at, p, r.lo[p]+column), term)
			visit(p+1, above(at, p, r.lo[p]+column), term)
		}
	}
	visit(0, r.at, one(dims))
	return x, least
}

func one(dims int) Polynomial {
	x := make(Polynomial, 1<<dims)
	x[0] = 1
	return x
}

// timesWidth returns x·(w_p + c), where x is without w_p.
func (x Polynomial) timesWidth(p int, c int64) Polynomial {
	z := make(Polynomial, len(x))
	for set, k := range x {
		z[set] += k * c
		if k != 0 {
			z[set|1<<p] += k
		}
	}
	return z
}

func atMost(at [][]int64, p int, most int64) (some [][]int64) {
	for _, o := range at {
		if o[p] <= most {
			some = append(some, o)
		}
	}
	return some
}

func above(at [][]int64, p int, least int64) (some [][]int64) {
	for _, o := range at {
		if o[p] > least {
			some = append(some, o)
		}
	}
	return some
}

// size returns the points of r for any widths, by cells: between two bounds of boxes next to each other all points of a column are at the same offsets.
func (r region) size(w []int64, follows []bool) float64 {
	if r.at == nil {
		n := 1.0
		for p, width := range w {
			if follows[p] {
				n *= float64(width + r.hi[p] - r.lo[p])
			}
		}
		return n
	}
	var visit func(p int, at [][]int64) float64
	visit = func(p int, at [][]int64) (n float64) {
		switch {
		case len(at) == 0:
			return 0
		case p == len(w):
			return 1
		case !follows[p]:
			return visit(p+1, at)
		}
		var bounds []int64
		for _, o := range at {
			bounds = append(bounds, o[p], o[p]+w[p])
		}
		slices.Sort(bounds)
		bounds = slices.Compact(bounds)
		for i, from := range bounds[:len(bounds)-1] {
			there := slices.DeleteFunc(slices.Clone(at), func(o []int64) bool { return from < o[p] || o[p]+w[p] <= from })
			n += float64(bounds[i+1]-from) * visit(p+1, there)
		}
		return n
	}
	return visit(0, r.at)
}

// An Amount is how many points or elements a tile needs of something.
type Amount struct {
	Polynomial Polynomial
	Least      []int64 // the least widths for which Polynomial holds
	region     region
	follows    []bool
}

// amountOf returns the points of r along the dimensions that follows has.
func amountOf(r region, follows []bool) Amount {
	r = r.along(follows)
	x, least := r.polynomial(follows)
	return Amount{x, least, r, follows}
}

// At returns the amount for tiles of some widths, all at least 1.
func (a Amount) At(w []int64) float64 {
	for p, least := range a.Least {
		if w[p] < least {
			return a.region.size(w, a.follows)
		}
	}
	return a.Polynomial.At(w)
}

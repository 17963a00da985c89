package poly

import "slices"

// This file makes the search for an integer point finite where a polyhedron P is unbounded. Let C be its recession cone,
// the directions in which P goes on for ever. A constraint of P that does not grow along any direction of C is bounded
// on P; let k be the rank of the bounded constraints. In coordinates y, with x = U*y for a unimodular U, in which they only use
// the first k, these k coordinates are bounded on P. For each value of them the rest of P has a cone of full
// dimension, which contains arbitrarily large boxes: so that rest has an integer point iff it has a rational one, and only
// the first k coordinates need to be searched.

// boundedRows returns the rows that are bounded on the points that satisfy all of them, which there are; the rows have n
// unknowns. Rows with fewer values come first: there a search branches less.
func boundedRows(rows []vec, n int, m *meter) []rangedRow {
	t := newTableau(n, m)
	for _, r := range rows {
		t.add(r)
	}
	var list []rangedRow
	for _, r := range rows {
		if p, q, o := t.maximize(r); o == bounded {
			r = r.clone()
			r[0] = Int{}
			list = append(list, rangedRow{r, p.FloorDiv(q)})
		}
	}
	slices.SortStableFunc(list, func(x, y rangedRow) int { return x.width.Cmp(y.width) })
	return list
}

// A basis is a change of coordinates x = U*y: image[i] is x[i] as an expression of y, with columns 1 to n. The first
// rank coordinates of y are those that the rows it was made for use.
type basis struct {
	image []vec
	rank  int
}

// basisOf returns coordinates of which the given rows over n unknowns use as few as possible.
func basisOf(rows []rangedRow, n int) basis {
	b := basis{image: make([]vec, n)}
	for i := range b.image {
		b.image[i] = unitVec(1+n, 1+i)
	}
	for _, r := range rows {
		b.extend(b.mapped(r.row))
	}
	return b
}

// mapped returns the expression v of x in terms of y.
func (b basis) mapped(v vec) vec {
	w := newVec(len(v))
	w[0] = v[0]
	for i, k := range v[1:] {
		if !k.isZero() {
			w.addMul(k, b.image[i])
		}
	}
	return w
}

// extend changes the coordinates from rank on so that v, which is in terms of y, uses at most one of them,
// which then counts.
func (b *basis) extend(v vec) {
	for {
		least, count := 0, 0
		for c := 1 + b.rank; c < len(v); c++ {
			if !v[c].isZero() {
				count++
				if least == 0 || v[c].Abs().Cmp(v[least].Abs()) < 0 {
					least = c
				}
			}
		}
		if count <= 1 {
			if count == 1 {
				b.swap(least, 1+b.rank)
				b.rank++
			}
			return
		}
		b.reduceBy(v, least)
	}
}

// reduceBy replaces the coordinate at column c by one that makes the coefficients of v at other free columns remainders.
func (b *basis) reduceBy(v vec, c int) {
	expr := unitVec(len(v), c) // y_c = z_c - sum(q*y)
	for d := 1 + b.rank; d < len(v); d++ {
		if d != c && !v[d].isZero() {
			expr[d] = v[d].FloorDiv(v[c]).Neg()
		}
	}
	v.substitute(c, expr)
	for _, x := range b.image {
		x.substitute(c, expr)
	}
}

// swap exchanges two coordinates.
func (b *basis) swap(c, d int) {
	for _, x := range b.image {
		x[c], x[d] = x[d], x[c]
	}
}

// inflate returns an integer point of rows, whose cone has full dimension in the coordinates after rank, for the integer
// values that the first rank ones have in y: a rational point so far inside that rounding up its coordinates stays inside.
func inflate(rows []vec, y vec, rank int, m *meter) vec {
	n := len(y) - 1
	t := newTableau(n-rank, m)
	for _, r := range rows {
		inner := newVec(1 + n - rank)
		inner[0] = r[:1+rank].eval(y)
		for j, k := range r[1+rank:] {
			inner[1+j] = k
			if k.Sign() < 0 {
				inner[0] = inner[0].Add(k)
			}
		}
		if !t.add(inner) {
			panic("poly: inflate: the cone is not of full dimension")
		}
	}
	point := y.clone()
	for j := range n - rank {
		p, q := t.value(j)
		point[1+rank+j] = p.CeilDiv(q)
	}
	return point
}

package poly

import (
	"math/big"
	"slices"
)

// A vec holds the coefficients of an affine expression by column; column 0 is the constant.
type vec []Int

func newVec(width int) vec { return make(vec, width, width+1) }

// A slab has memory for vecs to come, which cost less together than one by one.
type slab []Int

// slabVecs is the number of vecs that a slab has room for where nobody has said how many there will be.
const slabVecs = 4

// reserve makes room for so many vecs, with room to grow by spare columns each.
func (m *slab) reserve(vecs, width, spare int) {
	if n := vecs * (width + spare); len(*m) < n {
		*m = make(slab, n)
	}
}

// vec returns a zero vec with room to grow by spare columns.
func (m *slab) vec(width, spare int) vec {
	n := width + spare
	if len(*m) < n {
		m.reserve(slabVecs, width, spare)
	}
	v := vec((*m)[:width:n])
	*m = (*m)[n:]
	return v
}

// unitVec returns the expression that is column col.
func unitVec(width, col int) vec {
	v := newVec(width)
	v[col] = one
	return v
}

// addMul adds k*w to v, in place. w may be shorter than v.
func (v vec) addMul(k Int, w vec) {
	for i, x := range w {
		if x.small != 0 || x.big != nil {
			v[i] = v[i].Add(k.Mul(x))
		}
	}
}

// combine makes v = a*v + b*w, in place. The lengths are equal.
func (v vec) combine(a, b Int, w vec) {
	if a.isOne() {
		v.addMul(b, w)
		return
	}
	var scratch scratch
	for i, x := range w {
		y := v[i]
		if !x.isZero() && !y.isZero() && (a.big != nil || b.big != nil || x.big != nil || y.big != nil) {
			v[i] = scratch.sum(a, y, b, x)
			continue
		}
		if !y.isZero() {
			y = a.Mul(y)
		}
		if !x.isZero() {
			y = y.Add(b.Mul(x))
		}
		v[i] = y
	}
}

// A scratch has room for the products of a sum, so that only the sum itself takes memory of its own.
type scratch struct{ x, y, p, q big.Int }

// sum returns a*x + b*y.
func (s *scratch) sum(a, x, b, y Int) Int {
	s.p.Mul(a.in(&s.x), x.in(&s.y))
	s.q.Mul(b.in(&s.x), y.in(&s.y))
	s.p.Add(&s.p, &s.q)
	if s.p.IsInt64() {
		return Int{small: s.p.Int64()}
	}
	return fromBig(new(big.Int).Set(&s.p))
}

// in returns a as a big.Int, which the caller must not change: its own, or room.
func (a Int) in(room *big.Int) *big.Int {
	if a.big != nil {
		return a.big
	}
	return room.SetInt64(a.small)
}

// scale multiplies v by k, in place.
func (v vec) scale(k Int) {
	for i := range v {
		v[i] = v[i].Mul(k)
	}
}

// negated returns -v.
func (v vec) negated() vec {
	w := newVec(len(v))
	for i := range v {
		w[i] = v[i].Neg()
	}
	return w
}

// complement returns -v - 1: the row that holds exactly where v >= 0 does not.
func (v vec) complement() vec {
	w := v.negated()
	w[0] = w[0].Sub(one)
	return w
}

func (v vec) clone() vec {
	w := newVec(len(v))
	copy(w, v)
	return w
}

// grown returns v with zeros appended up to width.
func (v vec) grown(width int) vec {
	for len(v) < width {
		v = append(v, Int{})
	}
	return v
}

func (v vec) equal(w vec) bool { return slices.EqualFunc(v, w, Int.Equal) }

// isConst reports whether v has no variable.
func (v vec) isConst() bool { return v.lead() < 0 }

// lead returns the first column after the constant that is not zero, or -1.
func (v vec) lead() int {
	for i := 1; i < len(v); i++ {
		if v[i].small != 0 || v[i].big != nil {
			return i
		}
	}
	return -1
}

// divisor returns the gcd of v without its constant, and of g.
func (v vec) divisor(g Int) Int {
	for _, x := range v[1:] {
		if g.isOne() {
			return g
		}
		if !x.isZero() {
			g = g.gcd(x)
		}
	}
	return g
}

// substitute replaces column col of v by expr, in place. expr may use col itself.
func (v vec) substitute(col int, expr vec) {
	k := v[col]
	if k.isZero() {
		return
	}
	v[col] = Int{}
	v.addMul(k, expr)
}

// eval returns the value of v at the point x, whose x[0] is 1.
func (v vec) eval(x vec) Int {
	var sum Int
	for i, k := range v {
		if !k.isZero() {
			sum = sum.Add(k.Mul(x[i]))
		}
	}
	return sum
}

// hash returns a number that is equal for v and -v and does not depend on the constant.
func (v vec) hash() uint64 {
	h, sign := uint64(14695981039346656037), int64(0)
	for _, x := range v[1:] {
		y := x.small
		if x.big != nil {
			y = int64(x.big.Bits()[0]) * int64(x.big.Sign())
		}
		if sign == 0 && (y != 0 || x.big != nil) {
			sign = int64(x.Sign())
		}
		h = (h ^ uint64(y*sign)) * 1099511628211
		h ^= h >> 29
	}
	return h
}

// A row is the constraint c >= 0, or c = 0 when eq.
type row struct {
	eq bool
	c  vec
}

func (r row) clone() row { return row{r.eq, r.c.clone()} }

// normalized returns rows without those that always hold, the others divided by the gcds of their coefficients, in place;
// ok is false if one never holds.
func normalized(rows []row) (kept []row, ok bool) {
	kept = rows[:0]
	for _, r := range rows {
		switch r.normalize() {
		case never:
			return rows, false
		case unclear:
			kept = append(kept, r)
		}
	}
	return kept, true
}

// holds reports whether the point x, whose x[0] is 1, satisfies r.
func (r row) holds(x vec) bool {
	s := r.c.eval(x).Sign()
	return s == 0 || s > 0 && !r.eq
}

// A truth is what normalize found out about a row.
type truth uint8

const (
	unclear truth = iota
	always
	never
)

// normalize divides r by the gcd of its coefficients, in place, rounding the constant of an inequality down,
// which no integer point can tell.
func (r row) normalize() truth {
	g := r.c.divisor(Int{})
	if g.isZero() {
		if s := r.c[0].Sign(); s == 0 || s > 0 && !r.eq {
			return always
		}
		return never
	}
	if g.isOne() {
		return unclear
	}
	if r.eq && !g.divides(r.c[0]) {
		return never
	}
	r.c[0] = r.c[0].FloorDiv(g)
	for i := 1; i < len(r.c); i++ {
		if !r.c[i].isZero() {
			r.c[i] = r.c[i].quo(g)
		}
	}
	return unclear
}

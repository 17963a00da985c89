package poly

import "math/big"

// MaxRatio returns the supremum of num/den over the rational points of m (a relaxation of its integer points), and
// false where it is unbounded. den must be at least 1 on m. The supremum over the empty relation is nil, true.
//
// It solves a linear program in y = z*x and z >= 0 (Charnes and Cooper 1962): where den(y, z) = 1, num(y, z) is the
// ratio at x = y/z. The points with z = 0 are limits of the ratio along unbounded directions.
func (m Map) MaxRatio(num, den Affine) (*big.Rat, bool) {
	record(m, [2]Affine{num, den})
	var best *big.Rat
	for _, b := range m.parts {
		if b.isEmpty() {
			continue
		}
		r, ok := b.maxRatio(num, den)
		if !ok {
			return nil, false
		}
		if best == nil || r.Cmp(best) > 0 {
			best = r
		}
	}
	return best, true
}

// maxRatio is MaxRatio for a part with points. The unknowns of the tableau are z, then the columns of b times z.
func (b Basic) maxRatio(num, den Affine) (*big.Rat, bool) {
	width := b.width()
	t := newTableau(width, b.meter)
	shifted := func(v vec) vec { // the homogenized row, which has no constant
		h := newVec(1 + width)
		copy(h[1:], v)
		return h
	}
	z := newVec(1 + width)
	z[1] = one
	t.add(z)
	for _, r := range b.allRows() {
		t.addAll([]row{{r.eq, shifted(r.c)}})
	}
	unit := shifted(b.space.vec(den))
	unit[0] = minusOne
	if !t.addAll([]row{{true, unit}}) {
		panic(misuse("MaxRatio: the denominator is not positive on %v", b))
	}
	p, q, o := t.maximize(shifted(b.space.vec(num)))
	if o == unbounded {
		return nil, false
	}
	return ratOf(p, q), true
}

package poly

// IsDisjoint reports whether s and t have no point in common, for any values of the parameters: whether their intersection is
// empty, but without making it where two or three of their constraints contradict each other, such as i <= 0, i >= n - 1 and n >= 2.
func (s Set) IsDisjoint(t Set) bool {
	record(s, t)
	x, y := align(s.parts, t.parts)
	defer begin("intersect", &x, &y).end()
	for _, a := range x {
		for _, b := range y {
			if !a.space.sameTuples(b.space) || contradict(a, b) {
				continue
			}
			if both, ok := a.intersect(b); ok && !both.isEmpty() {
				return false
			}
		}
	}
	return true
}

// contradict reports whether a row of a and one of b, added up, say of parameters what is never so, or what a row over
// parameters alone contradicts. a and b are over the same columns but for divs, of which rows are left out. True is certain, false is not.
func contradict(a, b Basic) bool {
	a.meter.spend(len(a.rows) * len(b.rows))
	params, n := a.space.inCol(), a.space.cols()
	for _, r := range a.rows {
		if r.c.usesFrom(n) {
			continue
		}
		for _, q := range b.rows {
			if q.c.usesFrom(n) {
				continue
			}
			if opposite(r.c, q.c, params, n) && (negative(a, b, r.c, q.c, one) || r.eq && q.eq && negative(a, b, r.c.negated(), q.c.negated(), one)) {
				return true
			}
			if (r.eq || q.eq) && equalColumns(r.c, q.c, params, n) {
				if q.eq && negative(a, b, r.c, q.c, minusOne) || r.eq && negative(a, b, q.c, r.c, minusOne) {
					return true
				}
			}
		}
	}
	return false
}

// equalColumns reports whether v and w are the same from column from to before.
func equalColumns(v, w vec, from, before int) bool {
	for c := from; c < before; c++ {
		if !v[c].Equal(w[c]) {
			return false
		}
	}
	return true
}

// opposite reports whether v is -w from column from to before.
func opposite(v, w vec, from, before int) bool {
	for c := from; c < before; c++ {
		if v[c].small == 0 && v[c].big == nil && w[c].small == 0 && w[c].big == nil {
			continue
		}
		if !v[c].Equal(w[c].Neg()) {
			return false
		}
	}
	return true
}

// negative reports whether v + k*w, which uses parameters alone, is below 0 by itself, or by one row over parameters of a or b.
func negative(a, b Basic, v, w vec, k Int) bool {
	params := a.space.inCol()
	var room [maxGuessed]Int
	f := append(vec(room[:0]), v[:params]...)
	f.addMul(k, w[:params])
	if f.isConst() {
		return f[0].Sign() < 0
	}
	for _, rows := range [...][]row{a.rows, b.rows} {
		for _, p := range rows {
			if !p.c.usesFrom(params) && opposite(p.c, f, 1, params) && f[0].Add(p.c[0]).Sign() < 0 {
				return true
			}
		}
	}
	return false
}

package poly

// This file shows by single points that two parts do not become one. It saves coalesce the proof that they do, which takes much longer.

// A probed is two parts of one space, with a point of each.
type probed struct {
	a, b   Basic
	pa, pb vec
	// Which halves of rows of a hold at pb, and of b at pa: of what hullIfUnion keeps, the rows are among them.
	keptA, keptB []kept
}

// kept says which halves of a row may hold on the other part: row >= 0, and row <= 0 of an equality.
type kept struct{ up, down bool }

// plainlyNoUnion reports whether some point near pa, a point of a, or pb, one of b, or on the line through both, satisfies all constraints
// that each part has and the other one may satisfy, but lies in neither. Then hullIfUnion fails; false says nothing.
func plainlyNoUnion(a, b Basic, pa, pb vec) bool {
	p := probed{a: a, b: b, pa: pa, pb: pb, keptA: keptRows(a, pb), keptB: keptRows(b, pa)}
	a.meter.spend(len(a.rows) + len(b.rows))
	x := pa.clone()
	for c := 1; c < len(x); c++ {
		for _, from := range []vec{pa, pb} {
			for _, d := range []Int{one, minusOne} {
				copy(x, from)
				x[c] = x[c].Add(d)
				if p.between(x) {
					return true
				}
			}
		}
	}
	return p.betweenOnLine(x)
}

// maxOnLine bounds the number of points between pa and pb that are looked at.
const maxOnLine = 8

// betweenOnLine looks at points of the line through pa and pb. x is memory for one.
func (p *probed) betweenOnLine(x vec) bool {
	var g Int
	for c := 1; c < len(x); c++ {
		g = g.gcd(p.pb[c].Sub(p.pa[c]))
	}
	steps, small := g.Int64()
	if g.isZero() || !small {
		return false
	}
	// pa + k/g*(pb - pa), for k from 1 on between them, and one step beyond each
	for k := int64(-1); k <= min(steps+1, maxOnLine); k++ {
		if k == 0 || k == steps {
			continue
		}
		for c := 1; c < len(x); c++ {
			x[c] = p.pa[c].Add(p.pb[c].Sub(p.pa[c]).quo(g).Mul(NewInt(k)))
		}
		if p.between(x) {
			return true
		}
	}
	return false
}

// keptRows returns which halves of the rows of b hold at x.
func keptRows(b Basic, x vec) []kept {
	x = b.extend(x)
	list := make([]kept, len(b.rows))
	for i, r := range b.rows {
		sign := r.c.eval(x).Sign()
		list[i] = kept{up: sign >= 0, down: r.eq && sign <= 0}
	}
	return list
}

// between reports whether x satisfies what is kept of both parts, and lies in neither.
func (p *probed) between(x vec) bool {
	p.a.meter.spend(len(p.a.rows) + len(p.b.rows))
	in, ok := satisfies(p.a, p.keptA, x)
	if in || !ok {
		return false
	}
	in, ok = satisfies(p.b, p.keptB, x)
	return ok && !in
}

// satisfies reports whether x lies in b, and whether it satisfies what is kept of it.
func satisfies(b Basic, list []kept, x vec) (in, ok bool) {
	x = b.extend(x)
	in = true
	for i, r := range b.rows {
		sign := r.c.eval(x).Sign()
		if sign < 0 && list[i].up || sign > 0 && list[i].down {
			return false, false
		}
		in = in && sign >= 0 && (!r.eq || sign == 0)
	}
	return in, true
}

package poly

import "math/big"

// MaxRatio returns the supremum of num/den over the rational points of m (a relaxation of its integer points), and
// false where it is unbounded. den must be at least 1 on m. The supremum over the empty relation is nil, true.
func (m Map) MaxRatio(num, den Affine) (*big.Rat, bool) {
	record(m, [2]Affine{num, den})
	return m.Ratios().Max(num, den)
}

// Ratios finds suprema of ratios over one relation, one after the other, which is less work than MaxRatio for each. It is not for several
// goroutines at once.
type Ratios struct {
	of    Map
	parts []*ratioPart
}

// Ratios returns what finds suprema of ratios over m.
func (m Map) Ratios() *Ratios {
	r := &Ratios{of: m}
	for _, b := range m.parts {
		if !b.isEmpty() {
			r.parts = append(r.parts, newRatioPart(b))
		}
	}
	return r
}

// Max returns what MaxRatio does.
func (r *Ratios) Max(num, den Affine) (*big.Rat, bool) {
	record(r.of, [2]Affine{num, den})
	var best *big.Rat
	for _, p := range r.parts {
		x, ok := p.max(num, den)
		if !ok {
			return nil, false
		}
		if best == nil || x.Cmp(best) > 0 {
			best = x
		}
	}
	return best, true
}

// A ratioPart is a part with points. Columns that equalities give are replaced by what they are, so that a ratio may turn out to be a
// number; else it solves a linear program in y = z*x and z >= 0 (Charnes and Cooper 1962): where den(y, z) = 1, num(y, z) is the ratio at
// x = y/z. The points with z = 0 are limits of the ratio along unbounded directions.
type ratioPart struct {
	part  Basic
	rows  []row  // without the equalities that were used
	trail []step // the columns that were replaced, and by what
	live  []int  // the columns that are left, after the constant

	program *tableau // of rows, over z and y; nil: no ratio has asked for it
	mark    int      // where the denominator begins
	den     vec      // the denominator that is 1 in program; nil: none
	inverse *big.Rat // the supremum of 1/den; nil: not asked for yet
}

func newRatioPart(b Basic) *ratioPart {
	p := &ratioPart{part: b}
	for _, r := range b.allRows() {
		p.rows = append(p.rows, row{r.eq, r.c.clone().grown(b.width())})
	}
	gone := make([]bool, b.width())
	for i := 0; i < len(p.rows); i++ {
		r := p.rows[i]
		if !r.eq {
			continue
		}
		col := unitColumn(r.c)
		if col < 0 {
			continue
		}
		b.meter.spend(len(p.rows) * r.c.steps())
		expr := solveFor(r.c, col)
		gone[col] = true
		p.trail = append(p.trail, step{col: col, expr: expr})
		p.rows = append(p.rows[:i], p.rows[i+1:]...)
		for _, q := range p.rows {
			q.c.substitute(col, expr)
		}
		i = -1 // what was no unit before may be one now
	}
	for c := 1; c < len(gone); c++ {
		if !gone[c] {
			p.live = append(p.live, c)
		}
	}
	return p
}

// unitColumn returns the last column after the constant whose coefficient is a unit, or -1.
func unitColumn(v vec) int {
	for c := len(v) - 1; c > 0; c-- {
		if v[c].isUnit() {
			return c
		}
	}
	return -1
}

// max is Max for the part.
func (p *ratioPart) max(num, den Affine) (*big.Rat, bool) {
	n, d := p.reduced(num), p.reduced(den)
	if d.isConst() {
		if d[0].Sign() <= 0 {
			panic(misuse("MaxRatio: the denominator is not positive on %v", p.part))
		}
		if n.isConst() {
			return ratOf(n[0], d[0]), true
		}
	}
	if n.isConst() && n[0].isZero() {
		return new(big.Rat), true
	}
	p.divideBy(d)
	if n.isConst() && n[0].Sign() > 0 { // as of all dependences at one distance: the denominators are the same
		if p.inverse == nil {
			unit := newVec(len(n))
			unit[0] = one
			x, y, o := p.program.maximize(p.homogeneous(unit))
			if o == unbounded {
				return nil, false
			}
			p.inverse = ratOf(x, y)
		}
		return new(big.Rat).Mul(p.inverse, ratOf(n[0], one)), true
	}
	x, y, o := p.program.maximize(p.homogeneous(n))
	if o == unbounded {
		return nil, false
	}
	return ratOf(x, y), true
}

// reduced returns the expression a without the columns that were replaced.
func (p *ratioPart) reduced(a Affine) vec {
	v := p.part.space.vec(a).grown(p.part.width())
	for _, s := range p.trail {
		v.substitute(s.col, s.expr)
	}
	return v
}

// homogeneous returns v, times z, over the unknowns of the program.
func (p *ratioPart) homogeneous(v vec) vec {
	h := newVec(2 + len(p.live))
	h[1] = v[0]
	for i, c := range p.live {
		h[2+i] = v[c]
	}
	return h
}

// divideBy makes the program one whose denominator is d.
func (p *ratioPart) divideBy(d vec) {
	if p.program == nil {
		t := newTableau(1+len(p.live), p.part.meter)
		p.program = t
		z := newVec(2 + len(p.live))
		z[1] = one
		t.add(z)
		for _, r := range p.rows {
			t.addAll([]row{{r.eq, p.homogeneous(r.c)}})
		}
		p.mark = t.mark()
	}
	if p.den != nil {
		if p.den.equal(d) {
			return
		}
		p.program.rollback(p.mark)
	}
	unit := p.homogeneous(d)
	unit[0] = minusOne
	if !p.program.addAll([]row{{true, unit}}) {
		panic(misuse("MaxRatio: the denominator is not positive on %v", p.part))
	}
	p.den, p.inverse = d, nil
}

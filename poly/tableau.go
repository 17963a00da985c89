package poly

// A tableau answers questions about the rational points of a conjunction of affine inequalities over n unknowns,
// of any sign. It is the one mutable structure of the package, with mark and rollback.
//
// Its variables are the unknowns and the values of the constraints, which must not be negative. Each row states one
// variable as an affine expression of the variables at the columns. The sample, where all columns are 0, satisfies
// all constraints unless infeasible is set. With the constraint 1 + 2x + 3y >= 0, called c, and columns x and y, there
// is a row c = 1 + 2x + 3y; a pivot of c and x makes it x = (-1 + c - 3y) / 2.
type tableau struct {
	vars       []tabVar // the unknowns, then the constraints in the order in which they were added
	rows       []tabRow
	cols       []int // the variable at each column
	infeasible bool
	meter      *meter
}

// A tabVar is a variable of a tableau: where it is, and whether it is a constraint.
type tabVar struct {
	inRow    bool
	at       int
	nonneg   bool
	integral bool // integer at all integer points
}

// A tabRow says that den times its variable is c[0] + c[1+j] * (the variable at column j); den > 0.
type tabRow struct {
	den Int
	c   vec
	v   int
}

func newTableau(unknowns int, m *meter) *tableau {
	t := &tableau{meter: m, vars: make([]tabVar, unknowns, 4*unknowns+16), cols: make([]int, unknowns)}
	for i := range unknowns {
		t.vars[i] = tabVar{at: i, integral: true}
		t.cols[i] = i
	}
	return t
}

// mark returns a point to roll back to.
func (t *tableau) mark() int { return len(t.vars) }

// rollback removes the constraints added since mark, which must have been feasible then.
func (t *tableau) rollback(mark int) {
	for v := len(t.vars) - 1; v >= mark; v-- {
		if !t.vars[v].inRow {
			t.vars[v].nonneg = false
			t.toRow(v)
		}
		t.deleteRow(t.vars[v].at)
		t.vars = t.vars[:v]
	}
	t.infeasible = false
}

// toRow moves the unrestricted variable v from its column to a row, and keeps the sample feasible.
func (t *tableau) toRow(v int) {
	j := t.vars[v].at
	for _, dir := range [...]int{1, -1} {
		if i := t.leaving(j, dir, -1); i >= 0 {
			t.pivot(i, j)
			return
		}
	}
	for i := range t.rows {
		if !t.rows[i].c[1+j].isZero() {
			t.pivot(i, j)
			return
		}
	}
	panic("poly: tableau: a column is independent of all unknowns")
}

func (t *tableau) deleteRow(r int) {
	last := len(t.rows) - 1
	t.rows[r] = t.rows[last]
	t.vars[t.rows[r].v].at = r
	t.rows = t.rows[:last]
}

// express returns the row of the expression k over the constant and the unknowns.
func (t *tableau) express(k vec) tabRow {
	r := tabRow{den: one, c: newVec(1 + len(t.cols))}
	r.c[0] = k[0]
	for u, x := range k[1:] {
		if x.isZero() {
			continue
		}
		if at := t.vars[u].at; t.vars[u].inRow {
			q := t.rows[at]
			den := r.den.lcm(q.den)
			r.c.combine(den.quo(r.den), den.quo(q.den).Mul(x), q.c)
			r.den = den
		} else {
			r.c[1+at] = r.c[1+at].Add(x.Mul(r.den))
		}
	}
	r.reduce()
	return r
}

// reduce divides a row by its gcd.
func (r *tabRow) reduce() {
	if r.den.isOne() {
		return
	}
	g := r.c.divisor(r.den)
	if g.isOne() {
		return
	}
	if g = g.gcd(r.c[0]); g.isOne() {
		return
	}
	for i, x := range r.c {
		if !x.isZero() {
			r.c[i] = x.quo(g)
		}
	}
	r.den = r.den.quo(g)
}

// push adds a row for a new variable, which it returns.
func (t *tableau) push(r tabRow, nonneg, integral bool) int {
	r.v = len(t.vars)
	t.vars = append(t.vars, tabVar{true, len(t.rows), nonneg, integral})
	t.rows = append(t.rows, r)
	return r.v
}

// add conjoins k >= 0, where k is an expression over the constant and the unknowns, and reports whether the
// conjunction is feasible. Once it is not, only rollback helps.
func (t *tableau) add(k vec) bool {
	t.meter.spend(2 * k.steps())
	return t.addRow(t.express(k))
}

// addRow is add for a row in terms of the columns. Its value must be integer at integer points.
func (t *tableau) addRow(r tabRow) bool {
	v := t.push(r, true, true)
	t.infeasible = t.infeasible || !t.restore(v)
	return !t.infeasible
}

// addAll conjoins constraints and reports whether the conjunction is feasible.
func (t *tableau) addAll(rows []row) bool {
	for _, r := range rows {
		if !t.add(r.c) || r.eq && !t.add(r.c.negated()) {
			return false
		}
	}
	return true
}

// restore raises the variable v, at a row, to 0 or more. It returns false if that is impossible.
func (t *tableau) restore(v int) bool {
	for t.vars[v].inRow {
		r := t.vars[v].at
		if t.rows[r].c[0].Sign() >= 0 {
			return true
		}
		j, dir := t.entering(r, 1)
		if j < 0 {
			return false
		}
		i := t.leaving(j, dir, r)
		if i < 0 || t.firstToZero(r, i, j) {
			i = r
		}
		t.pivot(i, j)
	}
	return true
}

// firstToZero reports whether row r, whose value rises with column j from below 0, reaches 0 no later than row i
// falls to 0.
func (t *tableau) firstToZero(r, i, j int) bool {
	a, b := t.rows[r].c[1+j].Abs(), t.rows[i].c[1+j].Abs()
	return t.rows[r].c[0].Abs().Mul(b).Cmp(t.rows[i].c[0].Mul(a)) <= 0
}

// entering returns a column that moves row r in direction up (1 or -1) when it moves in direction dir, or -1.
// Unknowns go first: once in a row they stay there. Otherwise Bland's rule prevents cycles.
func (t *tableau) entering(r, up int) (j, dir int) {
	best, bestDir := -1, 0
	for c, v := range t.cols {
		sign := t.rows[r].c[1+c].Sign() * up
		if sign == 0 {
			continue
		}
		if !t.vars[v].nonneg {
			return c, sign
		}
		if sign > 0 && (best < 0 || v < t.cols[best]) {
			best, bestDir = c, 1
		}
	}
	return best, bestDir
}

// leaving returns the row, other than except, that first reaches 0 when column j moves in direction dir, or -1.
func (t *tableau) leaving(j, dir, except int) int {
	best := -1
	var bestC, bestA Int
	for i := range t.rows {
		r := &t.rows[i]
		if i == except || !t.vars[r.v].nonneg || r.c[1+j].Sign()*dir >= 0 {
			continue
		}
		a := r.c[1+j].Abs()
		if best >= 0 {
			cmp := r.c[0].Mul(bestA).Cmp(bestC.Mul(a))
			if cmp > 0 || cmp == 0 && r.v > t.rows[best].v {
				continue
			}
		}
		best, bestC, bestA = i, r.c[0], a
	}
	return best
}

// pivot exchanges the variables of row r and column j.
func (t *tableau) pivot(r, j int) {
	pivots.Add(1)
	t.meter.spend(t.steps(r))
	p := t.rows[r]
	a := p.c[1+j]
	k := minusOne
	if a.Sign() < 0 {
		k, a = one, a.Neg()
	}
	p.c[1+j] = p.den.Neg()
	if k.small < 0 {
		p.c.scale(minusOne)
	}
	p.den = a
	p.reduce()
	p.v, t.cols[j] = t.cols[j], p.v
	t.vars[p.v] = tabVar{true, r, t.vars[p.v].nonneg, t.vars[p.v].integral}
	c := &t.vars[t.cols[j]]
	c.inRow, c.at = false, j
	t.rows[r] = p
	for i := range t.rows {
		q := &t.rows[i]
		b := q.c[1+j]
		if i == r || b.isZero() {
			continue
		}
		q.c[1+j] = Int{}
		q.c.combine(p.den, b, p.c)
		q.den = q.den.Mul(p.den)
		q.reduce()
	}
}

// steps returns about how much arithmetic a pivot at row r is.
func (t *tableau) steps(r int) int {
	return len(t.rows) * t.rows[r].c.steps()
}

// An outcome is what maximize found.
type outcome uint8

const (
	bounded outcome = iota
	unbounded
)

// maximize returns the maximum p/q of the expression k over the constant and the unknowns. The tableau is feasible.
func (t *tableau) maximize(k vec) (p, q Int, o outcome) {
	mark := t.mark()
	defer t.rollback(mark)
	v := t.push(t.express(k), false, false)
	for {
		r := t.vars[v].at // an unrestricted row never leaves
		j, dir := t.entering(r, 1)
		if j < 0 {
			return t.rows[r].c[0], t.rows[r].den, bounded
		}
		i := t.leaving(j, dir, r)
		if i < 0 {
			return Int{}, Int{}, unbounded
		}
		t.pivot(i, j)
	}
}

// redundant reports whether the constraint v is at least 0 wherever the other constraints hold at integer points, as
// far as rational ones show. A redundant constraint is given up.
func (t *tableau) redundant(v int) bool {
	t.vars[v].nonneg = false
	if !t.vars[v].inRow {
		j := t.vars[v].at
		i := t.leaving(j, -1, -1)
		if i < 0 {
			t.vars[v].nonneg = true
			return false
		}
		t.pivot(i, j)
	}
	for {
		r := t.vars[v].at
		if t.rows[r].c[0].Add(t.rows[r].den).Sign() <= 0 {
			break
		}
		j, dir := t.entering(r, -1)
		if j < 0 {
			return true
		}
		i := t.leaving(j, dir, r)
		if i < 0 {
			break
		}
		t.pivot(i, j)
	}
	t.vars[v].nonneg = true
	t.restore(v)
	return false
}

// value returns the sample value p/q of the variable v.
func (t *tableau) value(v int) (p, q Int) {
	if !t.vars[v].inRow {
		return Int{}, one
	}
	r := t.rows[t.vars[v].at]
	return r.c[0], r.den
}

// fractional returns one of the first n unknowns whose sample value is no integer, or -1.
func (t *tableau) fractional(n int) int {
	for u := range n {
		if p, q := t.value(u); !q.divides(p) {
			return u
		}
	}
	return -1
}

// sample returns the constant 1 and the sample values of the unknowns, rounded down where they are no integers.
func (t *tableau) sample() vec {
	x := newVec(1 + len(t.cols))
	x[0] = one
	for u := range len(t.cols) {
		p, q := t.value(u)
		x[1+u] = p.FloorDiv(q)
	}
	return x
}

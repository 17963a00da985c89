package poly

import "slices"

// A solver searches an integer point of a conjunction, exactly. It solves equalities over the integers and eliminates
// columns as long as that is exact and free, then asks a tableau for a rational point, cuts and branches. What is left
// undecided after a bounded effort goes to the Omega test, which ends for unbounded sets as well.
type solver struct {
	width  int
	rows   []row
	trail  []step
	effort *effort
	plain  int // branches before the search changes coordinates
	meter  *meter
	slab   slab
	memory *workspace
	merge  merger
	counts []census
}

// effort counts the subproblems of a search.
type effort struct{ splinters int }

// A step tells how to find the value of a column that was eliminated: it is expr, or any value that satisfies rows.
type step struct {
	col  int
	expr vec
	rows []row
}

// newSolver returns a search for a point of all the rows, which it copies.
func newSolver(width int, rows ...[]row) *solver {
	s := &solver{width: width, effort: new(effort), plain: maxBranches}
	n := 0
	for _, list := range rows {
		n += len(list)
	}
	const more = 8 // rows that it makes
	s.memory = borrowWorkspace(n+more, (n+more)*width)
	s.slab, s.rows, s.merge = s.memory.ints, s.memory.rows[:0], s.memory.merge
	for _, list := range rows {
		s.copyRows(list)
	}
	return s
}

// copyRows appends copies of rows.
func (s *solver) copyRows(rows []row) {
	for _, r := range rows {
		v := s.slab.vec(s.width, 0)
		copy(v, r.c)
		s.rows = append(s.rows, row{r.eq, v})
	}
}

// solve returns an integer point, with the constant 1 at column 0, and whether there is one.
func (s *solver) solve() (vec, bool) {
	if !s.meter.runs() {
		s.meter = &meter{op: "search", scope: s.meter.part()}
	}
	if !s.presolve() {
		return nil, false
	}
	x := newVec(s.width)
	x[0] = one
	if len(s.rows) == 0 {
		return s.retrace(x), true
	}
	switch s.search(x) {
	case yes:
		return s.retrace(x), true
	case no:
		return nil, false
	}
	return s.omega()
}

// retrace fills in the values of the eliminated columns, last one first.
func (s *solver) retrace(x vec) vec {
	for _, st := range slices.Backward(s.trail) {
		if st.expr != nil {
			x[st.col] = st.expr.eval(x)
		} else {
			x[st.col] = within(st.rows, st.col, x)
		}
	}
	return x
}

// within returns a value for column col so that x satisfies rows, near 0 if possible.
func within(rows []row, col int, x vec) Int {
	x[col] = Int{}
	var lo, hi *Int
	for _, r := range rows {
		a, rest := r.c[col], r.c.eval(x)
		if a.Sign() > 0 {
			if b := rest.Neg().CeilDiv(a); lo == nil || b.Cmp(*lo) > 0 {
				lo = &b
			}
		} else if b := rest.FloorDiv(a.Neg()); hi == nil || b.Cmp(*hi) < 0 {
			hi = &b
		}
	}
	switch {
	case lo != nil && lo.Sign() > 0:
		return *lo
	case hi != nil && hi.Sign() < 0:
		return *hi
	}
	return Int{}
}

// presolve eliminates columns while that is exact and does not add rows. It returns false if there is no point.
func (s *solver) presolve() bool {
	for {
		s.meter.spend(len(s.rows) * (2*s.width + len(s.rows)/8))
		kept, ok := normalized(s.rows)
		if !ok {
			return false
		}
		s.rows = kept
		if s.solveEquality() {
			continue
		}
		kept, found, ok := s.merge.rows(nil, s.rows)
		if !ok {
			return false
		}
		s.rows = kept
		if !found && !s.eliminateColumn() {
			return true
		}
	}
}

// solveEquality uses up an equality, or makes its coefficients smaller. It returns false if there is none.
func (s *solver) solveEquality() bool {
	best, col := -1, 0
	for i, r := range s.rows {
		if !r.eq {
			continue
		}
		if c := leastCoefficient(r.c); best < 0 || r.c[c].Abs().Cmp(s.rows[best].c[col].Abs()) < 0 {
			best, col = i, c
		}
	}
	if best < 0 {
		return false
	}
	v := s.rows[best].c
	if v[col].isUnit() {
		if v[col].Sign() > 0 {
			v.scale(minusOne)
		}
		v[col] = Int{} // v is now the value of the column
		s.rows = slices.Delete(s.rows, best, best+1)
		s.substitute(col, v)
		return true
	}
	// x = y - sum(q*z): the coefficients of the z become remainders of that of x.
	expr := unitVec(s.width, col)
	for c := range v {
		if c != col && !v[c].isZero() {
			expr[c] = v[c].nearest(v[col].Abs()).Neg()
			if v[col].Sign() < 0 {
				expr[c] = expr[c].Neg()
			}
		}
	}
	s.substitute(col, expr)
	return true
}

// leastCoefficient returns the column of the smallest coefficient of v that is not zero.
func leastCoefficient(v vec) int {
	best := -1
	for c := 1; c < len(v); c++ {
		if v[c].isUnit() {
			return c
		}
		if !v[c].isZero() && (best < 0 || v[c].Abs().Cmp(v[best].Abs()) < 0) {
			best = c
		}
	}
	return best
}

// substitute replaces column col by expr, which may use col itself.
func (s *solver) substitute(col int, expr vec) {
	s.meter.spend(len(s.rows) * expr.steps())
	for _, r := range s.rows {
		r.c.substitute(col, expr)
	}
	s.trail = append(s.trail, step{col: col, expr: expr})
}

// A census counts how the rows bound a column.
type census struct {
	lower, upper         int
	wideLower, wideUpper bool // a coefficient is no unit
}

// count returns the census of each column, until the next call.
func (s *solver) count() []census {
	if s.counts == nil {
		s.counts = make([]census, s.width)
	}
	counts := s.counts
	clear(counts)
	for _, r := range s.rows {
		for c := 1; c < s.width; c++ {
			x := r.c[c]
			switch n := &counts[c]; {
			case x.isZero():
			case x.Sign() > 0:
				n.lower++
				n.wideLower = n.wideLower || !x.isOne()
			default:
				n.upper++
				n.wideUpper = n.wideUpper || !x.isUnit()
			}
		}
	}
	return counts
}

// eliminateColumn eliminates columns that are unbounded from one side, as long as there are any, and then one by
// Fourier-Motzkin if that is exact and makes no more rows than it removes. There are no equalities.
// It returns false if it found nothing to do that makes new rows.
func (s *solver) eliminateColumn() bool {
	for {
		best, least, dropped := 0, 1, false
		for c, n := range s.count() {
			cost := n.lower*n.upper - n.lower - n.upper
			switch {
			case n.lower+n.upper == 0:
			case n.lower == 0 || n.upper == 0:
				s.dropColumn(c)
				dropped = true
			case cost < least && (!n.wideLower || !n.wideUpper || s.exact(c)):
				best, least = c, cost
			}
		}
		if dropped {
			continue
		}
		if best == 0 {
			return false
		}
		s.combineBounds(best, Int{})
		return true
	}
}

// dropColumn removes the rows of column c, which bound it from one side at most.
func (s *solver) dropColumn(c int) {
	var bounds []row
	kept := s.rows[:0]
	for _, r := range s.rows {
		if r.c[c].isZero() {
			kept = append(kept, r)
		} else {
			bounds = append(bounds, r)
		}
	}
	s.rows = kept
	s.trail = append(s.trail, step{col: c, rows: bounds})
}

// exact reports whether Fourier-Motzkin elimination of column c is exact for the integers.
func (s *solver) exact(c int) bool {
	s.meter.spend(len(s.rows) * s.width)
	for _, lo := range s.rows {
		if lo.c[c].Sign() <= 0 {
			continue
		}
		for _, up := range s.rows {
			if up.c[c].Sign() < 0 && !exactPair(lo.c, up.c, c) {
				return false
			}
		}
	}
	return true
}

// combineBounds replaces the rows of column c by those that say that its lower and upper bounds are so far apart that
// an integer lies between them, where exact elimination needs that: with dark. Otherwise it must be exact anyway.
func (s *solver) combineBounds(c int, dark Int) {
	var lower, upper []row
	kept := s.rows[:0]
	for _, r := range s.rows {
		switch r.c[c].Sign() {
		case 1:
			lower = append(lower, r)
		case -1:
			upper = append(upper, r)
		default:
			kept = append(kept, r)
		}
	}
	s.rows = kept
	for _, lo := range lower {
		for _, up := range upper {
			v := s.slab.vec(s.width, 0)
			copy(v, up.c)
			v.combine(lo.c[c], up.c[c].Neg(), lo.c)
			s.meter.spend(v.steps())
			if !dark.isZero() {
				v[0] = v[0].Sub(lo.c[c].Sub(one).Mul(up.c[c].Neg().Sub(one)))
			}
			s.rows = append(s.rows, row{c: v})
		}
	}
	if len(s.rows) > maxRows {
		panic(&LimitError{Op: "search", What: "rows", Bound: maxRows})
	}
	s.trail = append(s.trail, step{col: c, rows: append(lower, upper...)})
}

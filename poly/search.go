package poly

// A verdict is the outcome of a bounded search.
type verdict uint8

const (
	no verdict = iota
	yes
	undecided
)

// Bounds on the search before it changes to other coordinates (lattice.go), after which the Omega test takes over.
const (
	maxCuts     = 8
	maxBranches = 100
)

// search looks for an integer point of the rows, which have no equalities, and writes it to x. It branches at as few
// coordinates as cone.go finds necessary.
func (s *solver) search(x vec) verdict {
	live := s.liveColumns()
	n := len(live)
	rows := make([]vec, len(s.rows))
	for i, r := range s.rows {
		rows[i] = newVec(1 + n)
		rows[i][0] = r.c[0]
		for j, c := range live {
			rows[i][1+j] = r.c[c]
		}
	}
	t := newTableau(n, s.meter)
	for _, r := range rows {
		if !t.add(r) {
			return no
		}
	}
	point, v := t.sample(), yes
	if t.fractional(n) >= 0 {
		point, v = s.searchBounded(rows, n)
	}
	if v == yes {
		for i, c := range live {
			x[c] = point[1+i]
		}
	}
	return v
}

// searchBounded looks for an integer point of rows over n unknowns, which have a rational one.
func (s *solver) searchBounded(rows []vec, n int) (vec, verdict) {
	bounded := boundedRows(rows, n, s.meter)
	b := basisOf(bounded, n)
	t, moved := b.tableau(rows, s.meter)
	if !t.cut(b.rank) {
		return nil, no
	}
	budget := s.plain
	v := t.branch(b.rank, &budget)
	if v == undecided && b.rank > 1 {
		b = b.reduced(bounded, s.meter)
		t, moved = b.tableau(rows, s.meter)
		budget = maxNodes
		v = t.enumerate(0, b.rank, &budget)
	}
	if v != yes {
		return nil, v
	}
	y := inflate(moved, t.sample(), b.rank, s.meter)
	x := newVec(1 + n)
	x[0] = one
	for i, image := range b.image {
		x[1+i] = image.eval(y)
	}
	return x, yes
}

// tableau returns a tableau of rows in the coordinates of b, and those rows.
func (b basis) tableau(rows []vec, m *meter) (*tableau, []vec) {
	t := newTableau(len(b.image), m)
	moved := make([]vec, len(rows))
	for i, r := range rows {
		moved[i] = b.mapped(r)
		t.add(moved[i])
	}
	return t, moved
}

// liveColumns returns the columns that rows use.
func (s *solver) liveColumns() []int {
	used := make([]bool, s.width)
	for _, r := range s.rows {
		for c := 1; c < s.width; c++ {
			used[c] = used[c] || !r.c[c].isZero()
		}
	}
	var live []int
	for c, u := range used {
		if u {
			live = append(live, c)
		}
	}
	return live
}

// cut adds Gomory cuts until the sample values of the first n unknowns are integers or the bound is reached.
// It returns false if no integer point is left.
func (t *tableau) cut(n int) bool {
	for range maxCuts {
		u := t.fractional(n)
		if u < 0 {
			return true
		}
		row, ok := t.gomory(t.rows[t.vars[u].at])
		if !ok {
			return true
		}
		cuts.Add(1)
		if !t.addRow(row) {
			return false
		}
	}
	return true
}

// gomory returns the cut of a row whose variable must be integer: den*x = c0 + sum(c_j * y_j) with y_j >= 0 integer
// gives sum((c_j mod den) * y_j) >= -c0 mod den. It fails where a column of any sign has a fractional coefficient.
func (t *tableau) gomory(r tabRow) (tabRow, bool) {
	g := tabRow{den: r.den, c: newVec(len(r.c))}
	g.c[0] = r.c[0].Neg().Mod(r.den).Neg()
	for j, v := range t.cols {
		x := r.c[1+j].Mod(r.den)
		if x.isZero() {
			continue
		}
		if !t.vars[v].nonneg || !t.vars[v].integral {
			return tabRow{}, false
		}
		g.c[1+j] = x
	}
	g.reduce()
	return g, true
}

// branch looks for a sample where the first n unknowns are integers by branching at those that are not.
// With yes the sample is one.
func (t *tableau) branch(n int, budget *int) verdict {
	u := t.fractional(n)
	if u < 0 {
		return yes
	}
	if *budget--; *budget < 0 {
		return undecided
	}
	branches.Add(1)
	p, q := t.value(u)
	down := newVec(1 + len(t.cols)) // x <= floor(p/q)
	down[0], down[1+u] = p.FloorDiv(q), minusOne
	for _, side := range []vec{down, down.complement()} {
		mark := t.mark()
		if t.add(side) {
			if v := t.branch(n, budget); v != no {
				return v
			}
		}
		t.rollback(mark)
	}
	return no
}

// omega eliminates one column by the Omega test (Pugh 1991): a point with room for it, in the dark shadow, or one
// close to a lower bound.
func (s *solver) omega() (vec, bool) {
	c := s.easiest()
	dark := s.branchOff()
	dark.combineBounds(c, one)
	if x, ok := dark.solve(); ok {
		return x, true
	}
	var widest Int
	for _, r := range s.rows {
		if b := r.c[c].Neg(); b.Cmp(widest) > 0 {
			widest = b
		}
	}
	for i, r := range s.rows {
		if r.c[c].Sign() <= 0 {
			continue
		}
		last := lastSplinter(r.c[c], widest)
		for k := (Int{}); k.Cmp(last) <= 0; k = k.Add(one) {
			near := s.branchOff()
			near.rows[i].eq = true
			near.rows[i].c[0] = near.rows[i].c[0].Sub(k)
			if x, ok := near.solve(); ok {
				return x, true
			}
		}
	}
	return nil, false
}

// branchOff returns a copy of s for a subproblem.
func (s *solver) branchOff() *solver {
	s.effort.splinters++
	splinters.Add(1)
	if s.effort.splinters > maxSplinters {
		panic(&LimitError{Op: "search", What: "splinters", Bound: maxSplinters})
	}
	c := newSolver(s.width, s.rows)
	c.meter = s.meter
	c.effort = s.effort
	c.trail = append(c.trail, s.trail...)
	return c
}

// easiest returns the column whose elimination needs the fewest splinters and rows.
func (s *solver) easiest() int {
	best, least := 0, 0.0
	for c, n := range s.count() {
		if n.lower+n.upper == 0 {
			continue
		}
		cost := float64(n.lower*n.upper) + 10*s.splinterEstimate(c)
		if best == 0 || cost < least {
			best, least = c, cost
		}
	}
	return best
}

// splinterEstimate returns about how many splinters the elimination of column c needs.
func (s *solver) splinterEstimate(c int) float64 {
	var lower, widest float64
	for _, r := range s.rows {
		x, _ := r.c[c].Big().Float64()
		if x > 0 {
			lower += x - 1
		} else {
			widest = max(widest, -x)
		}
	}
	if widest <= 1 {
		return 0
	}
	return lower
}

package poly

// This file looks for an integer point where a conjunction plainly has one, which is cheaper than a search. It begins at 0
// and raises a dimension for each row that does not hold: of "1 <= i <= n - 2" first i, then n. Rows that bound
// dimensions by others in this way, as those of domains do, are satisfied after a few rounds. What it cannot find may exist.

// maxGuessed is the number of columns that a guess has room for, and guessRounds how often it goes over the rows.
const (
	maxGuessed  = 48
	guessRounds = 4
)

// A guess is a conjunction of rows over dimensions, the constant being one, and divs.
type guess struct {
	dims int
	divs []div // one with den 0 stands for a column that no row uses
	rows []row
}

func (b Basic) guess() guess { return guess{b.space.cols(), b.divs, b.rows} }

// guess returns s as a guess, or false if it has unknowns, or divs that come before what they use.
func (s *system) guess() (guess, bool) {
	g := guess{dims: s.known, rows: s.rows}
	if len(s.locals) == 0 {
		return g, true
	}
	g.divs = make([]div, len(s.locals))
	for i, l := range s.locals {
		switch {
		case l.kind == unknown || l.kind == defined && l.num.usesFrom(s.known+i):
			return g, false
		case l.kind == defined:
			g.divs[i] = l.div
		}
	}
	return g, true
}

func (g guess) width() int { return g.dims + len(g.divs) }

// solve returns whether it found values for the columns, which it writes to x.
func (g guess) solve(x vec) bool {
	clear(x)
	x[0] = one
	for range guessRounds {
		for i, d := range g.divs {
			if !d.den.isZero() {
				x[g.dims+i] = d.num.eval(x).FloorDiv(d.den)
			}
		}
		moved := false
		for _, r := range g.rows {
			v := r.c.eval(x)
			if sign := v.Sign(); sign == 0 || sign > 0 && !r.eq {
				continue
			}
			if !g.raise(x, r.c, v) {
				return false
			}
			moved = true
		}
		if !moved {
			return true
		}
	}
	return false
}

// raise raises the last dimension that brings the expression v, which has the value now, to 0 or beyond. Beside divs, one
// more is what may change a remainder. It returns false if no dimension would do.
func (g guess) raise(x, v vec, now Int) bool {
	remainder := v.usesFrom(g.dims)
	for c := g.dims - 1; c > 0; c-- {
		switch k := v[c]; {
		case remainder && !k.isZero():
			x[c] = x[c].Add(one)
			return true
		case k.Sign()*now.Sign() < 0:
			x[c] = x[c].Add(now.Neg().CeilDiv(k))
			return true
		}
	}
	return false
}

// usesFrom reports whether v has a column from c on.
func (v vec) usesFrom(c int) bool {
	for ; c < len(v); c++ {
		if !v[c].isZero() {
			return true
		}
	}
	return false
}

// sample returns a point of b, all columns.
func (b Basic) sample() (vec, bool) {
	x := newVec(b.width())
	if b.guess().solve(x) {
		return x, true
	}
	return b.solver().only()
}

// solver returns the search for a point of b.
func (b Basic) solver() *solver {
	s := newSolver(b.width(), b.allRows())
	s.meter = b.meter
	return s
}

// isEmpty reports whether b has no integer points.
func (b Basic) isEmpty() bool {
	if b.known&inhabited != 0 {
		return false
	}
	var x [maxGuessed]Int
	if g := b.guess(); g.width() <= maxGuessed && g.solve(x[:g.width()]) {
		return false
	}
	_, ok := b.solver().only()
	return !ok
}

// sample returns a point of s, all columns.
func (s *system) sample() (vec, bool) {
	if g, ok := s.guess(); ok {
		if x := newVec(s.width()); g.solve(x) {
			return x, true
		}
	}
	return s.solver().only()
}

// empty reports whether s has no integer points.
func (s *system) empty() bool {
	_, ok := s.sample()
	return !ok
}

package poly

import (
	"fmt"
	"slices"
)

// This file asks what to do about a cell: what its rows leave to choose.

// unbounded reports whether x, which has no divs that use variables, has infinitely many points wherever it has one:
// whether its recession cone has a direction along variables, parameters being fixed.
func (x cell) unbounded(known int) bool {
	t := newTableau(len(x.vars), x.b.meter)
	for _, r := range x.b.rows {
		h := newVec(1 + len(x.vars))
		copy(h[1:], r.c[known:known+len(x.vars)])
		t.addAll([]row{{r.eq, h}})
	}
	for i := range x.vars {
		up := unitVec(1+len(x.vars), 1+i)
		for _, dir := range []vec{up, up.negated()} {
			if _, _, o := t.maximize(dir); o == unbounded {
				return true
			}
		}
	}
	return false
}

// factors returns the variables of x, by index, in groups that no row connects.
func (x cell) factors(known int) [][]int {
	group := make([]int, len(x.vars))
	for i := range group {
		group[i] = i
	}
	for _, r := range x.b.rows {
		first := -1
		for i := range x.vars {
			switch {
			case r.c[known+i].isZero():
			case first < 0:
				first = group[i]
			default:
				for j, g, old := 0, first, group[i]; j < len(group); j++ {
					if group[j] == old {
						group[j] = g
					}
				}
			}
		}
	}
	var parts [][]int
	for g := range group {
		var vars []int
		for i := range group {
			if group[i] == g {
				vars = append(vars, i)
			}
		}
		if len(vars) > 0 {
			parts = append(parts, vars)
		}
	}
	return parts
}

// factor returns the cell of some variables of x that no row connects with others, with the number of its points to sum.
// Rows about parameters only are in each factor.
func (c *counter) factor(x cell, vars []int) cell {
	space := c.space(len(vars))
	s := newSystem(space.cols(), 0)
	s.meter = x.b.meter
	images := make([]image, x.b.space.cols(), x.b.width())
	for i := range c.known {
		images[i].col = i
	}
	for i, v := range vars {
		images[c.known+v].col = c.known + i
	}
	for _, d := range x.b.divs {
		images = append(images, s.addDiv(s.mapped(d.num, images), d.den))
	}
	for _, r := range x.b.rows {
		mine := func(v int) bool { return !r.c[c.known+v].isZero() }
		if slices.ContainsFunc(vars, mine) || r.c[c.known:x.b.space.cols()].isZeroAll() {
			s.addRow(r.eq, s.mapped(r.c, images))
		}
	}
	return cell{s.finishOrEmpty(space), c.variables(len(vars)), constant(1, 1), false}
}

// equality returns the index of an equality that uses a variable, with the smallest coefficients, or -1.
func (x cell) equality(known int) int {
	best, least := -1, Int{}
	for i, r := range x.b.rows {
		if !r.eq {
			continue
		}
		for _, k := range r.c[known : known+len(x.vars)] {
			if !k.isZero() && (best < 0 || k.Abs().Cmp(least) < 0) {
				best, least = i, k.Abs()
			}
		}
	}
	return best
}

// pinned returns a variable u that two rows leave one value, 0 <= f - d*u <= d-1 with f of parameters only, and the row
// that is its upper bound. In a set as it was given, the range may be narrower.
func (x cell) pinned(known int) (v int, upper vec, ok bool) {
	for v := range x.vars {
		col := known + v
		for _, up := range x.b.rows {
			if up.c[col].Sign() >= 0 || !up.c.usesOnly(col, known, known+len(x.vars)) {
				continue
			}
			for _, lo := range x.b.rows {
				if lo.c[col].Sign() > 0 && parallel(lo.c, up.c) < 0 {
					room := lo.c[0].Add(up.c[0]).Add(one)
					if c := room.Cmp(lo.c[col]); c == 0 || c < 0 && !x.split {
						return v, up.c, true
					}
				}
			}
		}
	}
	return 0, nil, false
}

// usesOnly reports whether of the columns from first to before last, v uses only col.
func (v vec) usesOnly(col, first, last int) bool {
	for i := first; i < last; i++ {
		if i != col && !v[i].isZero() {
			return false
		}
	}
	return true
}

// cheapest returns the variable that makes the fewest cells. All are bounded.
func (x cell) cheapest(known int) (v int) {
	var least Int
	for i := range x.vars {
		var lower, upper Int // classes of remainders that the bounds tell apart
		for _, r := range x.b.rows {
			switch k := r.c[known+i]; k.Sign() {
			case 1:
				lower = lower.Add(x.classes(r.c, known, i))
			case -1:
				upper = upper.Add(x.classes(r.c, known, i))
			}
		}
		cost := lower.Mul(upper)
		if cost.isZero() {
			panic(fmt.Sprintf("poly: count: variable %d is not bounded: %v", i, x.b))
		}
		if i == 0 || cost.Cmp(least) < 0 {
			v, least = i, cost
		}
	}
	return v
}

// classes returns how many remainders the other variables of the row r leave modulo the coefficient of variable i.
func (x cell) classes(r vec, known, i int) Int {
	a := r[known+i].Abs()
	g := a
	for j := range x.vars {
		g = g.gcd(r[known+j])
	}
	return a.quo(g)
}

package astgen

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
)

// This file finds the loops over tiles: for each tile index the range that
// holds every tile with an instance in it. A range is the hull over the slices
// of a tile of what their rows allow, so it may hold tiles without an instance,
// at the first and last time tile and where the domain is empty; the guards of
// partial tiles keep them idle.

// A shadow is what the rows of one slice say of tile indices: the slice has no
// point where one of them is negative.
type shadow []affine.Sum

// shadowOf relaxes each row of s to the best point of the box.
func shadowOf(s Slice, n Names) shadow {
	var sh shadow
	for _, r := range s.Rows {
		sh = sh.with(s.overBox(r, n.Points, -1).Tighten())
	}
	return sh
}

// with adds a row, unless a row at least as strong is there.
func (sh shadow) with(row affine.Sum) shadow {
	for i, r := range sh {
		if r.Parallel(row) {
			if row.Const < r.Const {
				sh = slices.Clone(sh)
				sh[i] = row
			}
			return sh
		}
	}
	return append(slices.Clip(sh), row)
}

// eliminate returns rows without the variable, which hold wherever some
// rational value of it makes all rows of sh hold (Fourier and Motzkin).
func (sh shadow) eliminate(name string) shadow {
	var rest, lower, upper shadow
	for _, r := range sh {
		switch c := r.Coef(name); {
		case c == 0:
			rest = rest.with(r)
		case c > 0:
			lower = append(lower, r)
		default:
			upper = append(upper, r)
		}
	}
	for _, l := range lower {
		for _, u := range upper {
			row := l.Times(-u.Coef(name)).Plus(u.Times(l.Coef(name)))
			rest = rest.with(row.Tighten())
		}
	}
	return rest
}

// WithRow returns rows with one more, unless a row at least as strong is there; of parallel ones the strongest stays.
func WithRow(rows []affine.Sum, row affine.Sum) []affine.Sum { return shadow(rows).with(row) }

// Eliminate returns rows without the variable, which hold wherever some rational
// value of it makes all of rows hold (Fourier and Motzkin).
func Eliminate(rows []affine.Sum, name string) []affine.Sum { return shadow(rows).eliminate(name) }

// only returns sh without the variables.
func (sh shadow) only(without []string) shadow {
	for _, name := range without {
		sh = sh.eliminate(name)
	}
	return sh
}

// bound is one range of a variable: it is at least each of lo, at most each of hi.
type bound struct{ lo, hi []affine.Expr }

// hull returns the range of the variable over all shadows: nothing if none of them holds anywhere.
func hull(shadows []shadow, name string) (lo, hi affine.Expr) {
	shadows = slices.DeleteFunc(slices.Clone(shadows), shadow.contradicts)
	if len(shadows) == 0 {
		return affine.Num(0), affine.Num(-1)
	}
	var los, his []affine.Expr
	for _, sh := range undominated(shadows, name, 1) {
		los = append(los, affine.MaxOf(sh.bounds(name).lo...))
	}
	for _, sh := range undominated(shadows, name, -1) {
		his = append(his, affine.MinOf(sh.bounds(name).hi...))
	}
	return affine.MinOf(los...), affine.MaxOf(his...)
}

// bounds solves the rows of sh for the variable.
func (sh shadow) bounds(name string) bound {
	var b bound
	for _, r := range sh {
		lo, hi := affine.Solve(r, name)
		if lo != nil {
			b.lo = append(b.lo, lo)
		}
		if hi != nil {
			b.hi = append(b.hi, hi)
		}
	}
	return b
}

// undominated drops shadows whose bounds on one side (sign 1: below) of the
// variable are nowhere weaker than another's; of the steps of a tile few remain.
func undominated(shadows []shadow, name string, sign int64) []shadow {
	var kept []shadow
	for _, sh := range shadows {
		side := sh.side(name, sign)
		if slices.ContainsFunc(kept, func(k shadow) bool { return k.covers(side) }) {
			continue
		}
		kept = slices.DeleteFunc(kept, func(k shadow) bool { return side.covers(k) })
		kept = append(kept, side)
	}
	return kept
}

// side returns the rows of sh in which the variable has that sign.
func (sh shadow) side(name string, sign int64) shadow {
	var rows shadow
	for _, r := range sh {
		if r.Coef(name)*sign > 0 {
			rows = append(rows, r)
		}
	}
	return rows
}

// covers reports whether each row of sh is implied by one of other with the same terms.
func (sh shadow) covers(other shadow) bool {
	for _, r := range sh {
		if !slices.ContainsFunc(other, func(o affine.Sum) bool { return o.Parallel(r) && o.Const <= r.Const }) {
			return false
		}
	}
	return true
}

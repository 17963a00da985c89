package astgen

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/scop"
)

// This file separates full tiles. In a full tile every slice lies in the domain
// of its statement: for each row, even the worst point of the box makes it >= 0.
// A statement for which that can never be, such as a nest of lower depth that
// runs on one plane only, counts as full where it has no instance in the tile.

// maxAlternatives bounds the conjunctions of a full-tile condition; tiles beyond count as partial.
const maxAlternatives = 8

// A separation says which tiles are full, and which statements run in those.
type separation struct {
	cond   Cond // over tile indices and parameters
	absent map[*scop.Stmt]bool
}

// writes reports whether a full tile writes a: by a slice of a statement that is not absent there.
func (sep separation) writes(all []Slice, a *scop.Array) bool {
	return slices.ContainsFunc(all, func(at Slice) bool {
		return !sep.absent[at.Stmt] && slices.ContainsFunc(at.Stmt.Accesses, func(x *scop.Access) bool { return x.Write && x.Array == a })
	})
}

// separate returns the separation for the slices of a phase; cond is false where no tile is full.
func separate(slices []Slice, n Names, k Known) separation {
	sep := separation{cond: Cond{}, absent: map[*scop.Stmt]bool{}}
	all := []shadow{{}}
	var absent [][]Slice
	for _, own := range byStmt(slices) {
		if sh := present(own, n); sh.contradicts() {
			absent = append(absent, own)
			sep.absent[own[0].Stmt] = true
		} else {
			all = product(all, []shadow{sh})
		}
	}
	if len(sep.absent) == len(byStmt(slices)) {
		return sep // nothing would run
	}
	for _, own := range absent {
		all = k.without(all, absences(own, n))
	}
	for _, sh := range all {
		if sh = sh.irredundant(k); sh != nil {
			sep.cond = append(sep.cond, exprs(sh))
		}
	}
	return sep
}

// without returns conditions that hold where one of all does and also, where k holds, one of the others, at most
// maxAlternatives. Where a condition implies one of the others it stays as it is: a boundary
// is absent wherever the stencil inside of it is present.
func (k Known) without(all, others []shadow) (both []shadow) {
	for _, sh := range all {
		if slices.ContainsFunc(others, func(o shadow) bool { return k.implied(sh, o) }) {
			both = append(both, sh)
			continue
		}
		for _, more := range product([]shadow{sh}, others) {
			if len(both) < maxAlternatives && !k.empty(more) {
				both = append(both, more)
			}
		}
	}
	return both
}

// implied reports whether, where k and sh hold, other does.
func (k Known) implied(sh, other shadow) bool {
	return !slices.ContainsFunc(other, func(r affine.Sum) bool {
		return !k.Implies(r) && !k.empty(append(slices.Clone(sh), r.Negated()))
	})
}

// FullSlices returns the slices of a full tile: all but those of statements
// that count as full where they are absent.
func FullSlices(all []Slice, n Names) []Slice {
	var full []Slice
	for _, own := range byStmt(all) {
		if !present(own, n).contradicts() {
			full = append(full, own...)
		}
	}
	slices.SortFunc(full, inOrder)
	return full
}

// byStmt groups slices by statement, in the order of the first slice of each.
func byStmt(all []Slice) [][]Slice {
	var groups [][]Slice
	for _, s := range all {
		i := slices.IndexFunc(groups, func(g []Slice) bool { return g[0].Stmt == s.Stmt })
		if i < 0 {
			groups = append(groups, nil)
			i = len(groups) - 1
		}
		groups[i] = append(groups[i], s)
	}
	return groups
}

// present holds where all points of the slices are instances.
func present(own []Slice, n Names) shadow {
	var sh shadow
	for _, s := range own {
		for _, r := range slices.Concat(s.Rows, s.Whole) {
			sh = sh.with(s.overBox(r, n.Points, 1).Tighten())
		}
	}
	return sh
}

// absences returns conditions for no point of the slices being an instance:
// some one row is negative on all of them.
func absences(own []Slice, n Names) []shadow {
	var all []shadow
	for i := range own[0].Rows {
		var sh shadow
		for _, s := range own {
			most := s.overBox(s.Rows[i], n.Points, -1)
			sh = sh.with(most.Times(-1).Add(-1).Tighten())
		}
		if !sh.contradicts() {
			all = append(all, sh)
		}
	}
	return all
}

// product returns the conjunctions of one of each, less those plainly false, at most maxAlternatives.
func product(xs, ys []shadow) []shadow {
	var all []shadow
	for _, x := range xs {
		for _, y := range ys {
			both := x
			for _, r := range y {
				both = both.with(r)
			}
			if !both.contradicts() && len(all) < maxAlternatives {
				all = append(all, both)
			}
		}
	}
	return all
}

// contradicts reports whether a row is a negative number or two rows exclude each other. True is certain, false is not.
func (sh shadow) contradicts() bool {
	for i, r := range sh {
		if r.IsNum() && r.Const < 0 {
			return true
		}
		for _, q := range sh[:i] {
			if sum := r.Plus(q); sum.IsNum() && sum.Const < 0 {
				return true
			}
		}
	}
	return false
}

// exprs returns the rows as expressions.
func exprs(rows []affine.Sum) []affine.Expr {
	out := make([]affine.Expr, len(rows))
	for i, r := range rows {
		out[i] = r
	}
	return out
}

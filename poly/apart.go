package poly

// This file finds at a glance, without a tableau, that a Basic has points, and only constraints that it needs.

// Conjunctions with more rows or columns than these are not looked at.
const (
	apartRows = 12
	apartCols = 20
)

// apartRow is an inequality. Optional ones need not be needed.
type apartRow struct {
	c        [apartCols]int64
	optional bool
}

// plainlyApart reports whether b has integer points, satisfies no equality but its own, and has no inequality that the others imply,
// as far as that shows from one column after the other. True is certain, false is not.
//
// A column that is used up takes rows with it, and any values of the other columns can be extended to it:
//
//   - One equality has it, with a unit coefficient, and no other row.
//   - One inequality has it, and no other row: it can be satisfied, with room to spare, and violated.
//   - Two inequalities have it, with unit coefficients that differ in sign: l <= x <= u. Both can be violated while the other holds
//     as soon as their sum u - l, which is less than 0 by at most 1 then, allows it, and there are two values for x where u - l >= 1,
//     which stays as a row that is optional: it need not be needed.
//   - Optional rows alone have it, and its coefficients have one sign: all hold where it is large, or small, enough.
func (b Basic) plainlyApart() bool {
	if len(b.rows) > apartRows || b.width() > apartCols {
		return false
	}
	var rows [apartRows]apartRow
	var pinned [apartCols]bool // columns that divs use, and divs
	for i, d := range b.divs {
		pinned[b.space.cols()+i] = true
		for c, x := range d.num {
			pinned[c] = pinned[c] || !x.isZero()
		}
	}
	n := 0
	for i, r := range b.rows {
		if r.eq {
			if !b.apartEquality(i, &pinned) {
				return false
			}
			continue
		}
		for c, x := range r.c {
			if x.big != nil || x.small > 1<<40 || x.small < -1<<40 {
				return false
			}
			rows[n].c[c] = x.small
		}
		n++
	}
	left := rows[:n]
	for progress := true; progress && len(left) > 0; {
		progress = false
		for c := b.space.cols() - 1; c > 0 && len(left) > 0; c-- {
			if pinned[c] {
				continue
			}
			rest, used, ok := useColumn(left, c)
			if !ok {
				return false
			}
			left, progress = rest, progress || used
		}
	}
	return len(left) == 0
}

// apartEquality reports whether the equality i of b can be satisfied whatever the columns of other rows are.
func (b Basic) apartEquality(i int, pinned *[apartCols]bool) bool {
	v := b.rows[i].c
	for c := 1; c < b.space.cols(); c++ {
		if v[c].isUnit() && !pinned[c] && !b.usedBeside(i, c) {
			return true
		}
	}
	return b.plainStride(i)
}

// usedBeside reports whether a row other than i has column c.
func (b Basic) usedBeside(i, c int) bool {
	for j, r := range b.rows {
		if j != i && !r.c[c].isZero() {
			return true
		}
	}
	return false
}

// plainStride reports whether the equality i of b is num = den*floor(num/den) and has a column with a unit coefficient that nothing else has.
func (b Basic) plainStride(i int) bool {
	v := b.rows[i].c
	at := -1
	for j := range b.divs {
		if !v[b.space.cols()+j].isZero() {
			if at >= 0 {
				return false
			}
			at = j
		}
	}
	if at < 0 {
		return false
	}
	d := b.divs[at]
	k := v[b.space.cols()+at]
	if !k.Abs().Equal(d.den) {
		return false
	}
	private := false
	for c := range b.space.cols() {
		x := d.num[c]
		if k.Sign() > 0 {
			x = x.Neg()
		}
		if !v[c].Equal(x) {
			return false
		}
		private = private || c > 0 && x.isUnit() && !b.usedBeside(i, c) && !b.usedByDiv(c, at)
	}
	return private
}

// usedByDiv reports whether a div other than the one at a position has column c.
func (b Basic) usedByDiv(c, but int) bool {
	for j, d := range b.divs {
		if j != but && c < len(d.num) && !d.num[c].isZero() {
			return true
		}
	}
	return false
}

// useColumn returns the rows that are left when column c is used up, and whether it is. It is not ok where that shows rows that have
// no room.
func useColumn(rows []apartRow, c int) (rest []apartRow, used, ok bool) {
	lower, upper, required, unit := -1, -1, 0, true
	count := 0
	for i := range rows {
		x := rows[i].c[c]
		if x == 0 {
			continue
		}
		count++
		unit = unit && (x == 1 || x == -1)
		if x > 0 {
			lower = i
		} else {
			upper = i
		}
		if !rows[i].optional {
			required++
		}
	}
	switch {
	case count == 0:
		return rows, false, true
	case lower >= 0 && upper >= 0 && (count > 2 || !unit):
		return rows, false, true
	case lower >= 0 && upper >= 0:
		sum := apartRow{optional: true}
		plain := true
		for i := range sum.c {
			sum.c[i] = rows[lower].c[i] + rows[upper].c[i]
			plain = plain && (i == 0 || sum.c[i] == 0)
		}
		sum.c[0]--
		if plain {
			if sum.c[0] < 0 {
				return rows, false, false
			}
			return without(without(rows, max(lower, upper)), min(lower, upper)), true, true
		}
		rows[lower] = sum
		return without(rows, upper), true, true
	case required > 1 || required == 1 && count > 1:
		return rows, false, true
	}
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i].c[c] != 0 {
			rows = without(rows, i)
		}
	}
	return rows, true, true
}

// without returns rows without row i, in another order.
func without(rows []apartRow, i int) []apartRow {
	rows[i] = rows[len(rows)-1]
	return rows[:len(rows)-1]
}

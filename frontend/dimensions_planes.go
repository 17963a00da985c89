package frontend

import (
	"cmp"
	"slices"

	"modernc.org/cc/v4"
)

// This file finds how far planes lie apart whose numbers the program writes out, as those of channels do in
//
//	a[(c*(h + 2) + y)*(w + 2) + x]
//
// with a loop over c that is one over components: c is 0, 1, .., and no variable is multiplied with the size of a plane.

// planeSizes returns sizes that planes may have, as multiples of the largest of strides, those of most accesses first: what is left of a subscript without its loop variables,
// in rows of that stride.
func (dm *dimensions) planeSizes(xs []flatAccess, strides []polynomial) (sizes []polynomial) {
	if len(strides) == 0 {
		return nil
	}
	row := slices.MaxFunc(strides, compareStrides)
	type counted struct {
		size     polynomial
		accesses int
	}
	var all []counted
	for _, x := range xs {
		fixed := polynomial{}
		for m, k := range x.poly {
			if dm.isFixed(x, m) {
				fixed[m] = k
			}
		}
		rows, _ := fixed.divide(row, true)
		if _, ok := dm.vars.linear(rows); !ok || len(rows) == 0 || rows.isConstant() {
			continue
		}
		size := rows.times(row)
		if dm.holdsPlace(size) {
			continue
		}
		at := slices.IndexFunc(all, func(c counted) bool { return size.equal(c.size) })
		if at < 0 {
			at = len(all)
			all = append(all, counted{size: size})
		}
		all[at].accesses++
	}
	slices.SortStableFunc(all, func(x, y counted) int {
		return cmp.Or(cmp.Compare(lead(x.size), lead(y.size)), cmp.Compare(y.accesses, x.accesses))
	})
	for _, c := range all[:min(len(all), maxRowSizes)] {
		sizes = append(sizes, c.size)
	}
	return sizes
}

// lead returns the factor of the largest product of p: of a plane it is less than of several.
func lead(p polynomial) int64 { return abs(p[p.ordered()[0]]) }

// holdsPlace reports whether in some product of size there is a parameter that no loop has in a bound, nor multiplied with its variable: as sy in sy*m + sx, that
// is the place of an element, such as a source of waves.
func (dm *dimensions) holdsPlace(size polynomial) bool {
	for m := range size {
		if ds := dm.vars.of(m); len(ds) > 1 && slices.ContainsFunc(ds, func(d *cc.Declarator) bool { return !dm.extends(d) }) {
			return true
		}
	}
	return false
}

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
	count := map[int]int{}
	for _, x := range xs {
		fixed := polynomial{}
		for m, k := range x.poly {
			if !slices.ContainsFunc(dm.vars.of(m), func(d *cc.Declarator) bool {
				_, remainder := dm.vars.remainders[d]
				return remainder || inLoops(x.nest.loops, d)
			}) {
				fixed[m] = k
			}
		}
		rows, _ := fixed.divide(row, true)
		if _, ok := dm.vars.linear(rows); !ok || len(rows) == 0 || rows.isConstant() {
			continue
		}
		size := rows.times(row)
		at := slices.IndexFunc(sizes, size.equal)
		if at < 0 {
			at = len(sizes)
			sizes = append(sizes, size)
		}
		count[at]++
	}
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(lead(sizes[i]), lead(sizes[j])), cmp.Compare(count[j], count[i]))
	})
	var best []polynomial
	for _, i := range order[:min(len(order), maxRowSizes)] {
		best = append(best, sizes[i])
	}
	return best
}

// lead returns the factor of the largest product of p: of a plane it is less than of several.
func lead(p polynomial) int64 { return abs(p[p.ordered()[0]]) }

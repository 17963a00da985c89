package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// This file begins the stage that gives arrays dimensions which their declarations leave open: in dimensions_delinear.go those that
// the program addresses with one subscript, as p[i * m + j], in dimensions_extent.go the outermost of pointers. Both change
// arrays and subscripts, so the stage works on copies of what was read.

// dimensions are what was read of a region, on the way to arrays that have all their dimensions.
type dimensions struct {
	*facts
	guessed bool // the extent of a pointer is taken from the accesses
}

// newDimensions returns copies of what was read.
func newDimensions(fs *facts) *dimensions {
	own, nr, st := *fs, *fs.nestReader, *fs.storage
	own.nestReader, nr.storage = &nr, &st
	arrays := map[*array]*array{}
	arrayOf := func(a *array) *array {
		if arrays[a] == nil {
			c := *a
			c.extents, c.rows = slices.Clone(a.extents), slices.Clone(a.rows)
			arrays[a] = &c
		}
		return arrays[a]
	}
	st.arrays, st.used = map[*cc.Declarator]*array{}, map[*array][]usedMember{}
	for d, a := range fs.arrays {
		st.arrays[d] = arrayOf(a)
	}
	for a, used := range fs.used {
		st.used[arrayOf(a)] = used
	}
	accesses := map[*access]*access{}
	accessesOf := func(xs []*access) (copies []*access) {
		for _, x := range xs {
			if accesses[x] == nil {
				c := *x
				c.array, c.index = arrayOf(x.array), slices.Clone(x.index)
				accesses[x] = &c
			}
			copies = append(copies, accesses[x])
		}
		return copies
	}
	nr.nests = nil
	for _, n := range fs.nests {
		c := *n
		c.accesses, c.early, c.unused = accessesOf(n.accesses), accessesOf(n.early), accessesOf(n.unused)
		nr.nests = append(nr.nests, &c)
	}
	return &dimensions{facts: &own}
}

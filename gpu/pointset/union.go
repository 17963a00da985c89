package pointset

import (
	"cmp"
	"slices"
)

// Union returns how many points lie in some of the boxes, of dimensions d and on.
func Union(boxes []Box, d int) int64 {
	boxes = differing(boxes, d)
	if len(boxes) == 1 {
		return Box{boxes[0].Lo[d:], boxes[0].Hi[d:]}.Count()
	}
	var cuts []int64
	for _, b := range boxes {
		cuts = append(cuts, b.Lo[d], b.Hi[d]+1)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var n, each int64
	var last []Box
	for i, lo := range cuts[:len(cuts)-1] {
		var here []Box
		for _, b := range boxes {
			if b.Lo[d] <= lo && lo <= b.Hi[d] {
				here = append(here, b)
			}
		}
		switch {
		case len(here) == 0:
			continue
		case d == len(boxes[0].Lo)-1:
			each = 1
		default:
			if here = differing(here, d+1); !slices.EqualFunc(here, last, func(b, c Box) bool { return b.compareFrom(c, d+1) == 0 }) {
				each, last = Union(here, d+1), here
			}
		}
		n += (cuts[i+1] - lo) * each
	}
	return n
}

// differing returns the boxes that differ in dimensions d and on, in order.
func differing(boxes []Box, d int) []Box {
	boxes = slices.Clone(boxes)
	slices.SortFunc(boxes, func(b, c Box) int { return b.compareFrom(c, d) })
	return slices.CompactFunc(boxes, func(b, c Box) bool { return b.compareFrom(c, d) == 0 })
}

// compareFrom orders boxes by dimensions d and on.
func (b Box) compareFrom(c Box, d int) int {
	return cmp.Or(slices.Compare(b.Lo[d:], c.Lo[d:]), slices.Compare(b.Hi[d:], c.Hi[d:]))
}

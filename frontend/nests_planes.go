package frontend

import "slices"

// This file numbers the planes of arrays whose pointers rotate, when all nests are read.

// orderPlanes numbers the planes of each cycle such that the pointer that the
// region names first begins with plane 0.
func (nr *nestReader) orderPlanes() {
	for _, d := range inOrder(nr.source, nr.arrays) {
		if a := nr.arrays[d]; len(a.planes) > 0 && nr.cycles[a.planes[0]] != nil && !nr.cycles[a.planes[0]].fixed {
			nr.orderCycle(a)
		}
	}
}

func (nr *nestReader) orderCycle(a *array) {
	count, _, _ := nr.steps()
	r := int64(len(a.planes))
	shift := int64(-1)
	for _, n := range nr.nests {
		for _, x := range n.accesses {
			if x.array != a {
				continue
			}
			at := x.index[0].linear.c - count.c
			if shift < 0 {
				shift = at
			}
			x.index[0].linear = count.addc((at - shift + r) % r)
		}
	}
	if shift > 0 {
		a.planes = append(slices.Clone(a.planes[shift:]), a.planes[:shift]...)
	}
	a.Name = nr.nameOf(a.planes[0])
	a.Pos = nr.f.span(tokenAt(a.planes[0].NameTok()))
}

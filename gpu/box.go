package gpu

import "slices"

// A box is the points lo <= x <= hi, by dimension.
type box struct{ lo, hi []int64 }

// count returns the number of points of b.
func (b box) count() int64 {
	n := int64(1)
	for d := range b.lo {
		n *= max(0, b.hi[d]-b.lo[d]+1)
	}
	return n
}

// meets reports whether b and c have a common point.
func (b box) meets(c box) bool {
	for d := range b.lo {
		if b.hi[d] < c.lo[d] || c.hi[d] < b.lo[d] {
			return false
		}
	}
	return true
}

// only returns b in the given dimensions.
func (b box) only(dims []int) box {
	c := box{make([]int64, len(dims)), make([]int64, len(dims))}
	for i, k := range dims {
		c.lo[i], c.hi[i] = b.lo[k], b.hi[k]
	}
	return c
}

// grow makes b the least box around b and c, where it is nil c. It changes b.
func (b *box) grow(c box) {
	if b.lo == nil {
		*b = c.clone()
		return
	}
	for d := range b.lo {
		b.lo[d], b.hi[d] = min(b.lo[d], c.lo[d]), max(b.hi[d], c.hi[d])
	}
}

func (b box) clone() box { return box{slices.Clone(b.lo), slices.Clone(b.hi)} }

// merged returns fewer boxes with the same points: those that differ in one
// dimension only, and meet or adjoin there, become one.
func merged(boxes []box) []box {
	if len(boxes) == 0 {
		return nil
	}
	boxes = slices.Clone(boxes)
	for d := len(boxes[0].lo) - 1; d >= 0; d-- {
		slices.SortFunc(boxes, func(b, c box) int { return b.compareBut(c, d) })
		kept := boxes[:1]
		for _, b := range boxes[1:] {
			last := &kept[len(kept)-1]
			if last.sameBut(b, d) && b.lo[d] <= last.hi[d]+1 {
				if b.hi[d] > last.hi[d] {
					*last = box{last.lo, slices.Clone(last.hi)}
					last.hi[d] = b.hi[d]
				}
				continue
			}
			kept = append(kept, b)
		}
		boxes = kept
	}
	return boxes
}

// compareBut orders boxes by all dimensions but d, then by their start in d.
func (b box) compareBut(c box, d int) int {
	for k := range b.lo {
		if k == d {
			continue
		}
		if x := b.lo[k] - c.lo[k]; x != 0 {
			return int(x)
		}
		if x := b.hi[k] - c.hi[k]; x != 0 {
			return int(x)
		}
	}
	return int(b.lo[d] - c.lo[d])
}

// sameBut reports whether b and c agree in all dimensions but d.
func (b box) sameBut(c box, d int) bool {
	for k := range b.lo {
		if k != d && (b.lo[k] != c.lo[k] || b.hi[k] != c.hi[k]) {
			return false
		}
	}
	return true
}

// shape returns how many points b has along each dimension.
func (b box) shape() []int64 {
	n := make([]int64, len(b.lo))
	for d := range n {
		n[d] = b.hi[d] - b.lo[d] + 1
	}
	return n
}

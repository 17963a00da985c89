// Package pointset calculates with finite sets of integer points, given as boxes of numbers: the
// elements of an array that a tile uses. It counts, joins and subtracts them on grids (Cells), and
// finds few convex regions that they are made of, for loops to run through (Region).
package pointset

import "slices"

// A Box is the points lo <= x <= hi, by dimension.
type Box struct{ Lo, Hi []int64 }

// Count returns the number of points of b.
func (b Box) Count() int64 {
	n := int64(1)
	for d := range b.Lo {
		n *= max(0, b.Hi[d]-b.Lo[d]+1)
	}
	return n
}

// Meets reports whether b and c have a common point.
func (b Box) Meets(c Box) bool {
	for d := range b.Lo {
		if b.Hi[d] < c.Lo[d] || c.Hi[d] < b.Lo[d] {
			return false
		}
	}
	return true
}

// Only returns b in the given dimensions.
func (b Box) Only(dims []int) Box {
	c := Box{make([]int64, len(dims)), make([]int64, len(dims))}
	for i, k := range dims {
		c.Lo[i], c.Hi[i] = b.Lo[k], b.Hi[k]
	}
	return c
}

// Grow makes b the least box around b and c, where it is nil c. It changes b.
func (b *Box) Grow(c Box) {
	if b.Lo == nil {
		*b = c.Clone()
		return
	}
	for d := range b.Lo {
		b.Lo[d], b.Hi[d] = min(b.Lo[d], c.Lo[d]), max(b.Hi[d], c.Hi[d])
	}
}

func (b Box) Clone() Box { return Box{slices.Clone(b.Lo), slices.Clone(b.Hi)} }

// Merged returns fewer boxes with the same points: those that differ in one
// dimension only, and meet or adjoin there, become one.
func Merged(boxes []Box) []Box {
	if len(boxes) == 0 {
		return nil
	}
	boxes = slices.Clone(boxes)
	for d := len(boxes[0].Lo) - 1; d >= 0; d-- {
		slices.SortFunc(boxes, func(b, c Box) int { return b.compareBut(c, d) })
		kept := boxes[:1]
		for _, b := range boxes[1:] {
			last := &kept[len(kept)-1]
			if last.sameBut(b, d) && b.Lo[d] <= last.Hi[d]+1 {
				if b.Hi[d] > last.Hi[d] {
					*last = Box{last.Lo, slices.Clone(last.Hi)}
					last.Hi[d] = b.Hi[d]
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
func (b Box) compareBut(c Box, d int) int {
	for k := range b.Lo {
		if k == d {
			continue
		}
		if x := b.Lo[k] - c.Lo[k]; x != 0 {
			return int(x)
		}
		if x := b.Hi[k] - c.Hi[k]; x != 0 {
			return int(x)
		}
	}
	return int(b.Lo[d] - c.Lo[d])
}

// sameBut reports whether b and c agree in all dimensions but d.
func (b Box) sameBut(c Box, d int) bool {
	for k := range b.Lo {
		if k != d && (b.Lo[k] != c.Lo[k] || b.Hi[k] != c.Hi[k]) {
			return false
		}
	}
	return true
}

// Shape returns how many points b has along each dimension.
func (b Box) Shape() []int64 {
	n := make([]int64, len(b.Lo))
	for d := range n {
		n[d] = b.Hi[d] - b.Lo[d] + 1
	}
	return n
}

// Times returns the product of b and c.
func (b Box) Times(c Box) Box { return Box{slices.Concat(b.Lo, c.Lo), slices.Concat(b.Hi, c.Hi)} }

package gpu

import (
	"github.com/hexcc/hexcc/scop"
)

// This file puts barriers between the parts of a tile. There is one just where
// an earlier part, run since the last barrier, and the next part use a common
// element and one of them writes it.

// A work is a part of a tile between two possible barriers.
type work struct {
	node    Node
	touches []effect
}

// An effect is the use of the elements of a box of an array: by their x if the
// array has a layout, else all of it.
type effect struct {
	array  *scop.Array
	shared bool // of its buffer
	write  bool
	whole  bool // the box is not known
	box
}

// conflicts reports whether the order of e and f matters.
func (e effect) conflicts(f effect) bool {
	return e.array == f.array && e.shared == f.shared && (e.write || f.write) && (e.whole || f.whole || e.meets(f.box))
}

// synchronize returns the nodes of the parts in order, with barriers. If the
// tile is in a loop, the next tile starts after a barrier.
func synchronize(parts []work, loop bool) []Node {
	var nodes []Node
	var pending []effect
	for _, w := range parts {
		if conflict(pending, w.touches) {
			nodes = append(nodes, Barrier{})
			pending = nil
		}
		nodes = append(nodes, w.node)
		pending = append(pending, w.touches...)
	}
	if loop && len(pending) > 0 {
		nodes = append(nodes, Barrier{Note: "before the next tile"})
	}
	return nodes
}

func conflict(xs, ys []effect) bool {
	for _, x := range xs {
		for _, y := range ys {
			if x.conflicts(y) {
				return true
			}
		}
	}
	return false
}

package ptx

import (
	"fmt"

	"github.com/hexcc/hexcc/gpu"
)

// Updates returns how many points the first thread of a block computes in the
// straight code of a full tile of k; 0 if its full tiles are no straight code.
func Updates(k *gpu.Kernel) int { return fullUpdates(k.Body) }

func fullUpdates(nodes []gpu.Node) int {
	for _, n := range nodes {
		switch n := n.(type) {
		case gpu.For:
			if u := fullUpdates(n.Body); u > 0 {
				return u
			}
		case gpu.If:
			if n.Role.Kind == gpu.FullTile {
				u, straight := updates(n.Then)
				if !straight {
					return 0
				}
				return u
			}
			if u := fullUpdates(n.Then); u > 0 {
				return u
			}
			if u := fullUpdates(n.Else); u > 0 {
				return u
			}
		case gpu.Test, gpu.Barrier, gpu.Threads, gpu.Await, gpu.Signal, gpu.Arrive:
		default:
			panic(fmt.Sprintf("ptx: unknown node %T", n))
		}
	}
	return 0
}

// updates returns the statements in nodes, and whether they stand in no loop.
func updates(nodes []gpu.Node) (n int, straight bool) {
	straight = true
	for _, node := range nodes {
		switch node := node.(type) {
		case gpu.For:
			if u, _ := updates(node.Body); u > 0 {
				return 0, false
			}
		case gpu.If:
			for _, side := range [][]gpu.Node{node.Then, node.Else} {
				u, ok := updates(side)
				n, straight = n+u, straight && ok
			}
		case gpu.Threads:
			u := 0
			for _, op := range node.Body {
				if _, ok := op.(gpu.Compute); ok {
					u++
				}
			}
			for _, l := range node.Loops {
				lo, fixed := number(l.Lo)
				hi, fixedToo := number(l.Hi)
				once := fixed && fixedToo && (l.Axis >= 0 || lo == hi)
				straight = straight && (once || u == 0)
			}
			n += u
		}
	}
	return n, straight
}

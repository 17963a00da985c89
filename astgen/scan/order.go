package scan

import (
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule/tree"
)

// This file finds what must run before what.

// components returns the numbers from 0 to n - 1 in groups, those of which no one runs before all of another where after says so of
// both ways round, and a group after those whose members its own run after; of groups of which none is after another the one with the
// least number comes first (Tarjan 1972, in the order that Kahn's algorithm gives).
func components(n int, after func(i, j int) bool) [][]int {
	reach := make([][]bool, n) // i runs after j, by others, too
	for i := range reach {
		reach[i] = make([]bool, n)
		for j := range reach[i] {
			reach[i][j] = i != j && after(i, j)
		}
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	done := make([]bool, n)
	var groups [][]int
	for len(groups) < n {
		found := false
		for i := 0; i < n && !found; i++ {
			if done[i] {
				continue
			}
			var group []int
			ready := true
			for j := range n {
				switch {
				case j == i || reach[i][j] && reach[j][i]:
					group = append(group, j)
				case reach[i][j] && !done[j]:
					ready = false
				}
			}
			if ready {
				for _, j := range group {
					done[j] = true
				}
				groups = append(groups, group)
				found = true
			}
		}
		if !found {
			break
		}
	}
	return groups
}

// runsAfter reports whether some instance of a may have to run after one of b, where both have the same times in all bands around
// node n: true may be wrong.
func runsAfter(n tree.Node, a, b poly.Set) bool {
	if a.IsEmpty() || b.IsEmpty() {
		return false
	}
	switch n := n.(type) {
	case nil:
		return false
	case *tree.Context:
		return runsAfter(n.Child, a, b)
	case *tree.Guard:
		return runsAfter(n.Child, a, b)
	case *tree.Mark:
		return runsAfter(n.Child, a, b)
	case *tree.Filter:
		return runsAfter(n.Child, a.Intersect(n.Set), b.Intersect(n.Set))
	case *tree.Band:
		x, y := n.Times.IntersectDomain(a), n.Times.IntersectDomain(b)
		return later(x, y, n.Child)
	case *tree.Sequence:
		for i, f := range n.Children {
			in := a.Intersect(f.Set)
			if in.IsEmpty() {
				continue
			}
			for _, g := range n.Children[:i] {
				if !b.Intersect(g.Set).IsEmpty() {
					return true
				}
			}
			if runsAfter(f, in, b) {
				return true
			}
		}
		return false
	case *tree.Set:
		for _, f := range n.Children {
			if runsAfter(f, a, b) {
				return true
			}
		}
		return false
	}
	return true // of extensions, expansions: instances may become any
}

// maxPairs is how many pairs of parts of two unions are compared; of more the hulls are.
const maxPairs = 16

// later reports whether some instance of x may have to run after one of y, by its times or else by what is below.
func later(x, y poly.Map, below tree.Node) bool {
	tx, ty := x.Range(), y.Range()
	if len(tx.Basics())*len(ty.Basics()) > maxPairs {
		hx, okx := hulled(tx)
		hy, oky := hulled(ty)
		if !okx || !oky {
			return true
		}
		tx, ty = hx, hy
	}
	if !ty.LexLess(tx).IsEmpty() {
		return true
	}
	same := tx.Intersect(ty)
	if same.IsEmpty() {
		return false
	}
	return below != nil && runsAfter(below, x.IntersectRange(same).Domain(), y.IntersectRange(same).Domain())
}

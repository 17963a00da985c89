package frontend

import "slices"

// This file writes subscripts by the loops that run once. Where a nest is split at borders, a part may have i = 0 or
// i = n - 1 only, and there a subscript 0 or n - 1 is also i: the same element, but by its distance
// from what the part writes, which is what tiles are made of. So the clamped reads of
//
//	A[(t+1)%2][i] = f(A[t%2][i > 0 ? i-1 : 0], A[t%2][i < n-1 ? i+1 : n-1])
//
// are at distance 0 at the borders, not at one that grows with n.

// byLoops returns subscript number k of a, an access of n, which no space loop changes. If in all iterations of n it is a constant
// away from that of another access to the array, which one does, it is written as that plus the constant.
func (pr *prover) byLoops(n *nest, a *access, k int, fr frame) linear {
	s := a.index[k]
	if s.mod > 0 || n.variesInSpace(s.linear) {
		return s.linear
	}
	for _, other := range n.accesses {
		near := other.index
		if other.array != a.array || near[k].mod > 0 || !n.variesInSpace(near[k].linear) {
			continue
		}
		params, point, ok := n.stmt.Domain.Sample()
		if !ok {
			break
		}
		far := s.sub(near[k].linear)
		far = far.addc(-fr.at(far, params, point))
		if rows := slices.Concat(n.rows, pr.known()); fr.proves(rows, far) && fr.proves(rows, far.scale(-1)) {
			return s.sub(far)
		}
	}
	return s.linear
}

// variesInSpace reports whether x changes along a space loop of n.
func (n *nest) variesInSpace(x linear) bool {
	return slices.ContainsFunc(n.loops[1:], func(l loop) bool { return x.v[l.decl] != 0 })
}

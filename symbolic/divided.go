package symbolic

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/poly"
)

// This file compares areas whose subscripts have different symbols, as A[i] and A[n-1-i] in tiles of a folded program. Where the condition
// under which tiles are full says that one lies below the other, for any two full tiles of a run, they have no element in common.

// own makes the span of area a along dimension d hold subscript e, compiled as s, in loops whose variables have these ranges.
func (c *compiler) own(a *area, d int, e affine.Expr, s *subscript, around map[string][2]int64) {
	if a.buffer != nil {
		return
	}
	for len(a.own) <= d {
		a.own = append(a.own, span{})
	}
	sum, ok := e.(affine.Sum)
	if !ok || s.mod > 0 {
		return
	}
	first := *s
	first.slots, first.coefs = nil, nil
	for i, slot := range s.slots { // of the first tile
		if slot != i0 {
			first.slots, first.coefs = append(first.slots, slot), append(first.coefs, s.coefs[i])
		}
	}
	lo, hi := first.ends(c.slots, around)
	_, symbols := c.split(sum)
	at := span{affine.Sum{Terms: symbols}, lo, hi, true}
	if have := a.own[d]; have.known {
		at.lo, at.hi = min(at.lo, have.lo), max(at.hi, have.hi)
	}
	a.own[d] = at
}

// divided reports whether, along some dimension, no element of a in a full tile is one of b in a full tile of the same run.
func (c *compiler) divided(a, b *area) bool {
	for d := range a.own {
		x, y := a.own[d], b.own[d]
		if x.known && y.known && (c.below(x, y) || c.below(y, x)) {
			return true
		}
	}
	return false
}

// below reports whether x ends before y begins, for any two full tiles of a run.
func (c *compiler) below(x, y span) bool {
	gap := func(u, v int64) affine.Sum {
		return c.later(y.from, v).Add(y.lo).Minus(c.later(x.from, u)).Add(-x.hi - 1)
	}
	for far := int64(1 - most); far < most; far++ {
		for _, full := range c.full {
			for _, other := range c.full {
				var where []poly.Formula
				for _, r := range full {
					where = append(where, poly.NotNegative(r))
				}
				for _, r := range other {
					where = append(where, poly.NotNegative(c.later(r, far)))
				}
				where = append(where, poly.NotNegative(gap(0, far).Negated()))
				tile := poly.Tuple{Dims: append([]string{c.names.T}, c.names.Tiles...)}
				if !poly.NewSet(c.scop.ParamNames(), tile, where...).IntersectParams(c.scop.Context).IsEmpty() {
					return false
				}
			}
		}
	}
	return len(c.full) > 0
}

// later returns r, over tile indices, for the tile so many behind in the loop around tiles.
func (c *compiler) later(r affine.Sum, by int64) affine.Sum {
	v := c.body.loop
	if v == "" {
		return r
	}
	return r.Subst(map[string]affine.Sum{v: affine.Var(v).Add(by)})
}

// fullWhere returns the alternatives of the condition under which tiles of a phase are full; nil if there are none, or they are no sums.
func fullWhere(loops *astgen.Program, phase int) (alternatives [][]affine.Sum) {
	var find func(n astgen.Node)
	find = func(n astgen.Node) {
		switch n := n.(type) {
		case astgen.Block:
			for _, x := range n {
				find(x)
			}
		case astgen.For:
			find(n.Body)
		case astgen.Launch:
			if n.Phase == phase {
				find(n.Body)
			}
		case astgen.If:
			for _, rows := range n.Cond {
				var all []affine.Sum
				for _, e := range rows {
					r, ok := e.(affine.Sum)
					if !ok {
						continue // one condition less
					}
					all = append(all, r)
				}
				alternatives = append(alternatives, all)
			}
		}
	}
	find(loops.Body)
	return alternatives
}

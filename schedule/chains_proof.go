package schedule

import (
	"fmt"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// This file proves that waits keep the order that legality is proved of. What a chain waits for is next to it; the order
// is what several waits in a row imply, by way of chains that may lie outside of the grid. So it is asked
// of the chains that there are, all those whose indices lie between any two numbers: a chain that has to be before
// another one is one that this waits for, or has to be before one of those. By induction over the phases
// between two chains that is all of it, and places along the chains follow: each wait adds its lag.

// ProveWaits proves that the waits of c imply its order, whatever the range of the indices of chains.
func ProveWaits(s *Schedule, c Chains) Proof {
	return prove(s, "waits", "tiles wait for what they need", func(p prover) {
		for from := range c.Steps {
			for to := range c.Steps {
				p.Ask(fmt.Sprintf("chains of phase %d after those of phase %d wait for them, or for others that do", to, from), func() string {
					if bad := c.existing(c.path(from, to)).Subtract(c.implied(from, to)); !p.empty(bad) {
						_, in, out, _ := bad.Sample()
						return fmt.Sprintf("chain %v needs chain %v, and nothing makes it wait", out, in)
					}
					return ""
				})
			}
		}
	})
}

// implied returns the pairs of chains of two phases, the second of which waits for the first, or for one that is behind it in the order.
func (c Chains) implied(from, to int) poly.Map {
	w := c.Steps[to]
	last := c.existing(c.pairs(w.Time, true, w, c.zero()))
	all := c.existing(c.path(from, w.From)).ApplyRange(last)
	if w.From == from {
		all = all.Union(last)
	}
	if c.Along {
		next := c.existing(c.along(1, 1))
		if all = all.Union(c.existing(c.path(from, to)).ApplyRange(next)); from == to {
			all = all.Union(next)
		}
	}
	return all
}

// along relates chains [T, .., S] of one time tile, the second lo places further than the first along the last dimension, or more if hi is less.
func (c Chains) along(lo, hi int64) poly.Map {
	d := poly.Out(c.Blocks).Minus(poly.In(c.Blocks))
	rows := []poly.Formula{poly.AtMost(affine.Num(lo), d)}
	for i := range c.Blocks {
		rows = append(rows, poly.Equal(poly.In(i), poly.Out(i)))
	}
	if lo <= hi {
		rows = append(rows, poly.AtMost(d, affine.Num(hi)))
	}
	v := poly.Tuple{Dims: poly.Dims(1 + c.Blocks)}
	return poly.NewMap(nil, v, v, rows...)
}

// path relates the chains of two phases that the order of c has one after the other.
func (c Chains) path(from, to int) poly.Map {
	p := c.sum(from, to)
	m := c.pairs(soonest(from, to), false, p.base, p.full)
	if c.Along && from == to {
		m = m.Union(c.along(1, 0))
	}
	return m
}

// pairs relates chains [T, S..] of two phases that lie so many time tiles apart, exactly or at least, and within the bounds of
// a wait and another one for each time tile between them. Where chains of a phase wait for each other, the last is bounded from above of exactly one wait only.
func (c Chains) pairs(apart int64, exactly bool, base, full Wait) poly.Map {
	time := poly.Out(0).Minus(poly.In(0))
	rows := []poly.Formula{poly.AtMost(affine.Num(apart), time)}
	if exactly {
		rows = append(rows, poly.Equal(affine.Num(apart), time))
	}
	for i := range c.Blocks {
		d := poly.Out(1 + i).Minus(poly.In(1 + i))
		rows = append(rows, poly.AtMost(time.Times(full.Lo[i]).Add(base.Lo[i]), d))
		if exactly || !c.open(i) {
			rows = append(rows, poly.AtMost(d, time.Times(full.Hi[i]).Add(base.Hi[i])))
		}
	}
	v := poly.Tuple{Dims: poly.Dims(1 + c.Blocks)}
	return poly.NewMap(nil, v, v, rows...)
}

// existing returns m for chains of which each index lies between two parameters.
func (c Chains) existing(m poly.Map) poly.Map {
	names := []string{"t", "u"}
	between := []poly.Formula{poly.AtMost(affine.Var("t"), poly.Out(0)), poly.AtMost(poly.Out(0), affine.Var("u"))}
	for i := range c.Blocks {
		lo, hi := fmt.Sprint("l", i), fmt.Sprint("h", i)
		names = append(names, lo, hi)
		between = append(between, poly.AtMost(affine.Var(lo), poly.Out(1+i)), poly.AtMost(poly.Out(1+i), affine.Var(hi)))
	}
	grid := poly.NewSet(names, poly.Tuple{Dims: poly.Dims(1 + c.Blocks)}, between...)
	return m.IntersectDomain(grid).IntersectRange(grid)
}

package schedule

import (
	"fmt"
	"math"
	"strings"

	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file writes the tiles of a schedule as a relation. A tile is the integer
// points of a polygon in each space dimension, so that an instance at
// [tau, s0, .., sn] lies in tile [T, S0, .., Sn] of a phase just where
//
//	a   = tau + TimeShift - Height·T,               0 <= a < Height
//	b_p = s_p - Stride·S_p - Drift·T - Offset,      A·a + B·b_p + C >= 0 for each side of dimension p
//
// T and S_p need no rounding divisions: the constraints have them at coefficients
// that leave one value. That they do for all instances is the proof of partition.

// between returns d with sides, and their rows in a tile of that many steps.
func (d TileDim) between(height int64, sides ...HalfPlane) TileDim {
	d.Sides = sides
	for a := range height {
		lo, hi := rowOf(sides, a)
		d.Lo, d.Hi = append(d.Lo, lo), append(d.Hi, hi)
	}
	return d
}

// rowOf returns the least and the greatest b that lie on all sides at step a; lo > hi: there is none.
func rowOf(sides []HalfPlane, a int64) (lo, hi int64) {
	lo, hi = math.MinInt64, math.MaxInt64
	none := false
	for _, p := range sides {
		switch rest := p.A*a + p.C; { // B·b + rest >= 0
		case p.B > 0:
			lo = max(lo, -floorDiv(rest, p.B))
		case p.B < 0:
			hi = min(hi, floorDiv(rest, -p.B))
		default:
			none = none || rest < 0
		}
	}
	if lo == math.MinInt64 || hi == math.MaxInt64 {
		panic(fmt.Sprintf("schedule: no two sides of %v bound the row of step %d", sides, a))
	}
	if none {
		hi = lo - 1
	}
	return lo, hi
}

// Relate sets Map to the relation that the phases of s describe.
func (s *Schedule) Relate() {
	s.Map = poly.Map{}
	for _, st := range s.Canonical.Scop.Stmts {
		for phase := range s.Phases {
			s.Map = s.Map.Union(poly.MustMap(s.relation(st, phase)).IntersectDomain(st.Domain))
		}
	}
}

// relation returns, in isl notation, where the instances of st lie that run in a phase.
func (s *Schedule) relation(st *scop.Stmt, phase int) string {
	c, ph := s.Canonical, s.Phases[phase]
	name := func(text string) form { return variable(fresh(text, c.Scop, st)) }
	v := c.vector(st, st.Iters)
	T := name("T")
	a := v[0].plus(ph.TimeShift).minus(T.times(s.Height))
	out := []form{T, number(int64(phase))}
	rows := []string{a.ge0(), a.times(-1).plus(s.Height - 1).ge0()}
	for p, d := range ph.Space {
		S := name(d.Tile)
		out = append(out, S)
		b := v[1+p].minus(S.times(d.Stride)).minus(T.times(d.Drift)).plus(-d.Offset)
		for _, side := range d.Sides {
			rows = append(rows, a.times(side.A).add(b.times(side.B)).plus(side.C).ge0())
		}
	}
	out = append(out, v[0])
	if c.ranked() {
		out = append(out, number(int64(c.Ranks[st.Order])))
	}
	return fmt.Sprintf("%s{ %s[%s] -> [%s] : %s }", paramPrefix(c.Scop), st.Name, strings.Join(st.Iters, ", "),
		join(append(out, v[1:]...)), strings.Join(rows, " and "))
}

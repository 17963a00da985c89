package report

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/hexcc/hexcc/schedule"
)

// A bound is one of the six inequalities of a hexagonal tile, in the local
// coordinates (a, b) of "Hybrid Hexagonal/Classical Tiling for GPUs":
// A*a + B*b <= C, or >= C where Least is set. All are integers: an inequality
// with a rational slope is multiplied by its denominator.
type bound struct {
	Number  string // in the paper: 6, 7, 8, 10, 12 or 13
	Least   bool
	A, B, C int64
	General string // as the paper writes it, with f0 = floor(delta0*h), f1 = floor(delta1*h)
	Slope   string // delta0 or delta1 of a slanted side; "" of a flat one
}

// slopes are the numbers that make a hexagon: delta0 = n0/d0, delta1 = n1/d1.
type slopes struct{ h, w0, n0, d0, n1, d1, f0, f1 int64 }

func slopesOf(s *schedule.Schedule, cone schedule.Cone) slopes {
	if len(cone.Hi) == 0 || len(cone.Lo) == 0 || len(s.Sizes.W) == 0 || cone.Hi[0] == nil {
		return slopes{d0: 1, d1: 1}
	}
	g := slopes{
		h: s.Sizes.H, w0: s.Sizes.W[0],
		n0: cone.Hi[0].Num().Int64(), d0: cone.Hi[0].Denom().Int64(),
		n1: cone.Lo[0].Num().Int64(), d1: cone.Lo[0].Denom().Int64(),
	}
	g.f0, g.f1 = floorDiv(g.n0*g.h, g.d0), floorDiv(g.n1*g.h, g.d1)
	return g
}

// bounds returns the six inequalities in the paper's order.
func (g slopes) bounds() []bound {
	return []bound{
		{"6", false, g.n0, -g.d0, (2*g.h+1)*g.n0 - g.d0*g.f0,
			"delta0*a - b <= (2h+1)*delta0 - f0", "delta0"},
		{"7", false, 1, 0, 2*g.h + 1, "a <= 2h+1", ""},
		{"8", false, g.n1, g.d1, (2*g.h+1)*g.n1 + g.d1*(g.f0+g.w0),
			"delta1*a + b <= (2h+1)*delta1 + f0 + w0", "delta1"},
		{"10", true, g.n1, g.d1, g.h*g.n1 - (g.d1 - 1),
			"delta1*a + b >= h*delta1 - (d1-1)/d1", "delta1"},
		{"12", true, g.n0, -g.d0, g.h*g.n0 - g.d0*(g.f0+g.w0+g.f1) - (g.d0 - 1),
			"delta0*a - b >= h*delta0 - f0 - w0 - f1 - (d0-1)/d0", "delta0"},
		{"13", true, 1, 0, 0, "a >= 0", ""},
	}
}

// hexagonOf returns the inequalities of the tiles of s if they are what its
// rows say, in every phase: pictures and texts show them only then.
func hexagonOf(s *schedule.Schedule, cone schedule.Cone) ([]bound, bool) {
	g := slopesOf(s, cone)
	if len(s.Sizes.W) == 0 || s.Height != 2*g.h+2 {
		return nil, false
	}
	bs := g.bounds()
	for _, phase := range s.Phases {
		d := phase.Space[0]
		for a := range s.Height {
			lo, hi := rowOf(bs, a)
			if lo != d.Lo[a] || hi != d.Hi[a] {
				return nil, false
			}
		}
	}
	return bs, true
}

// rowOf returns the smallest and largest b that satisfy the slanted bounds at a.
func rowOf(bs []bound, a int64) (lo, hi int64) {
	first := [2]bool{true, true}
	for _, b := range bs {
		if b.B == 0 {
			continue
		}
		rest := b.C - b.A*a // B*b <= rest, or >=
		if b.Least == (b.B > 0) {
			if v := ceilDiv(rest*sign(b.B), abs(b.B)); first[0] || v > lo {
				lo, first[0] = v, false
			}
		} else if v := floorDiv(rest*sign(b.B), abs(b.B)); first[1] || v < hi {
			hi, first[1] = v, false
		}
	}
	return lo, hi
}

// String writes the bound with its numbers, such as "a - 2b <= 3".
func (b bound) String() string {
	op := "<="
	if b.Least {
		op = ">="
	}
	return fmt.Sprintf("%s %s %d", linear([]int64{b.A, b.B}, []string{"a", "b"}), op, b.C)
}

// linear writes a sum such as "a - 2b"; "0" if all coefficients are.
func linear(coefs []int64, names []string) string {
	var out strings.Builder
	for i, c := range coefs {
		if c == 0 {
			continue
		}
		switch {
		case out.Len() == 0 && c < 0:
			out.WriteString("-")
		case out.Len() > 0 && c < 0:
			out.WriteString(" - ")
		case out.Len() > 0:
			out.WriteString(" + ")
		}
		if abs(c) != 1 {
			fmt.Fprintf(&out, "%d", abs(c))
		}
		out.WriteString(names[i])
	}
	if out.Len() == 0 {
		return "0"
	}
	return out.String()
}

// crossing is where the lines of two bounds meet, as (b, a); false if they are parallel.
func crossing(p, q bound) (point, bool) {
	det := float64(p.A*q.B - q.A*p.B)
	if det == 0 {
		return point{}, false
	}
	return point{
		x: float64(p.A*q.C-q.A*p.C) / det,
		y: float64(p.C*q.B-q.C*p.B) / det,
	}, true
}

// ratText writes a rational as 2 or 1/2.
// ratText returns a slope, inf for one that is not bounded.
func ratText(r *big.Rat) string {
	if r == nil {
		return "inf"
	}
	return r.RatString()
}

func abs(x int64) int64 { return max(x, -x) }

func sign(x int64) int64 {
	if x < 0 {
		return -1
	}
	return 1
}

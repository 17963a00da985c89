package report

import (
	"math/big"

	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A shape is a hexagonal tiling by the numbers of the paper, for tests that
// need no program. delta0 = n0/d0 and delta1 = n1/d1.
type shape struct{ h, w0, n0, d0, n1, d1 int64 }

// jacobi and skewed are the symmetric and the asymmetric example of the paper.
var (
	jacobi = shape{h: 2, w0: 3, n0: 1, d0: 1, n1: 1, d1: 1}
	skewed = shape{h: 2, w0: 3, n0: 1, d0: 1, n1: 2, d1: 1}
)

// legal reports whether w0 is at least what (1) asks for.
func (g shape) legal() bool {
	frac := func(n, d int64) *big.Rat {
		f := big.NewRat(n*g.h, d)
		return f.Sub(f, big.NewRat(floorDiv(n*g.h, d), 1))
	}
	for _, nd := range [][2]int64{{g.n0, g.d0}, {g.n1, g.d1}} {
		least := new(big.Rat).Add(big.NewRat(nd[0], nd[1]), frac(nd[0], nd[1]))
		if big.NewRat(g.w0+1, 1).Cmp(least) < 0 {
			return false
		}
	}
	return true
}

func (g shape) cone() schedule.Cone {
	return schedule.Cone{Lo: []*big.Rat{big.NewRat(g.n1, g.d1)}, Hi: []*big.Rat{big.NewRat(g.n0, g.d0)}}
}

// schedule finds the rows by trying every (a, b) of the box against (6), (8),
// (10) and (12), each times the denominator of its slope.
func (g shape) schedule() *schedule.Schedule {
	f0, f1 := floorDiv(g.n0*g.h, g.d0), floorDiv(g.n1*g.h, g.d1)
	W, H := 2*g.w0+2+f0+f1, 2*g.h+2
	inside := func(a, b int64) bool {
		return g.n0*a-g.d0*b <= (2*g.h+1)*g.n0-g.d0*f0 && // (6)
			g.n1*a+g.d1*b <= (2*g.h+1)*g.n1+g.d1*(f0+g.w0) && // (8)
			g.n1*a+g.d1*b >= g.h*g.n1-(g.d1-1) && // (10)
			g.n0*a-g.d0*b >= g.h*g.n0-g.d0*(f0+g.w0+f1)-(g.d0-1) // (12)
	}
	dim := schedule.TileDim{Tile: "S0", Point: "s0", Role: schedule.Block, Stride: W, Drift: f0 - f1}
	for a := range H {
		lo, hi := int64(1), int64(0)
		for b := W; b >= 0; b-- {
			if inside(a, b) {
				lo = b
			}
		}
		for b := range W + 1 {
			if inside(a, b) {
				hi = b
			}
		}
		dim.Lo, dim.Hi = append(dim.Lo, lo), append(dim.Hi, hi)
	}
	early := dim
	early.Offset = -(f0 + g.w0 + 1)
	return &schedule.Schedule{
		Canonical: &schedule.Canonical{K: 1, Space: []string{"s0"}, Levels: []int{0}, Ranks: []int{0}, Scop: &scop.Program{Time: "t", Stmts: []*scop.Stmt{{Name: "S0"}}}},
		Scheme:    "hybrid",
		Height:    H,
		Phases: []schedule.Phase{
			{TimeShift: g.h + 1, Space: []schedule.TileDim{early}},
			{TimeShift: 0, Space: []schedule.TileDim{dim}},
		},
		Sizes: schedule.Sizes{H: g.h, W: []int64{g.w0}},
	}
}

package oracle

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/hexcc/hexcc/scop"
)

// extents are tried for parameters that size arrays, steps for the others: less
// than a tile, no multiple of any tile, several tiles.
var (
	extents = [][]int64{{1, 2, 3}, {4, 7}, {13, 17}, {33, 37}, {47, 71}, {64, 90}}
	steps   = []int64{3, 0, 7, 1, 13, 12}
)

// RandomParams returns values for the parameters of p that its context allows: small
// ones first, zero steps among them.
func RandomParams(p *scop.Program, rng *rand.Rand, try int) []int64 {
	dims := 0
	for _, s := range p.Stmts {
		dims = max(dims, len(s.Iters)-1)
	}
	for tries := range mostTries {
		params := make([]int64, len(p.Params))
		for i := range p.Params {
			choice := extents[min(try, len(extents)-max(dims, 1))] // three dimensions: smaller
			params[i] = choice[rng.IntN(len(choice))]
			switch {
			case tries > mostTries/2: // relations among parameters that these values have not
				params[i] = rng.Int64N(40)
			case isTime(p, i):
				params[i] = steps[try%len(steps)]
			}
		}
		if p.Allows(params) {
			return params
		}
		try = max(try, 1+rng.IntN(len(extents)))
	}
	panic(fmt.Sprintf("no values of the parameters are found that the program allows: %v", p.Context))
}

// mostTries bounds the values that are tried.
const mostTries = 20_000

// isTime reports whether parameter i bounds the time loop.
func isTime(p *scop.Program, i int) bool {
	return slices.ContainsFunc(p.Stmts, func(s *scop.Stmt) bool {
		return slices.ContainsFunc(s.Bounds, func(a scop.Affine) bool {
			return len(a.Params) > i && a.Params[i] != 0 && len(a.Iters) > 0 && a.Iters[0] != 0
		})
	})
}

// Sized returns parameters of p, steps for those that bound the time loop and extent for the others, and whether
// the program allows them.
func Sized(p *scop.Program, extent, steps int64) (params []int64, ok bool) {
	for i := range p.Params {
		v := extent
		if isTime(p, i) {
			v = steps
		}
		params = append(params, v)
	}
	return params, p.Allows(params)
}

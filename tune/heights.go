package tune

import (
	"maps"
	"math"
	"slices"
)

// This file finds out how to run a number of time steps by tiles of several heights, where one height leaves a rest:
//
//	opt(T) = 0 for T = 0, else the least f(x) + opt(T-x) over all heights x <= T
//
// as in Rawat et al., "On optimizing complex stencils on GPUs" (ARTEMIS), IPDPS 2019, section VI-A. f(x) is what x steps take in tiles of that height.

// A Share is how many times tiles of a height run.
type Share struct{ Height, Times int64 }

// Heights returns how many times tiles of which heights run T time steps in the least time, the highest first, and that time, given
// what one pass of each takes. It is infinite where the heights do not add up to T.
func Heights(T int64, f map[int64]float64) (plan []Share, least float64) {
	heights := slices.Sorted(maps.Keys(f))
	opt, last := make([]float64, T+1), make([]int64, T+1)
	for t := int64(1); t <= T; t++ {
		opt[t] = math.Inf(1)
		for _, x := range heights {
			if x >= 1 && x <= t && f[x]+opt[t-x] < opt[t] {
				opt[t], last[t] = f[x]+opt[t-x], x
			}
		}
	}
	if math.IsInf(opt[T], 1) {
		return nil, opt[T]
	}
	times := map[int64]int64{}
	for t := T; t > 0; t -= last[t] {
		times[last[t]]++
	}
	for _, x := range slices.Backward(slices.Sorted(maps.Keys(times))) {
		plan = append(plan, Share{x, times[x]})
	}
	return plan, opt[T]
}

package cases

import (
	"fmt"
	"maps"
	"slices"
	"testing"
)

// pipelines are the shapes of pipelines of warps in which cases run whose rows stream, by case: columns, steps, warps and period. They have few columns and steps, so
// that small arrays have full turns.
var pipelines = map[string][][4]int{
	"jacobi-2d": {{2, 1, 2, 1}, {2, 2, 2, 2}, {3, 2, 4, 1}, {4, 4, 2, 1}},
	"heat-2d":   {{2, 1, 2, 1}, {3, 2, 4, 1}},
	"life":      {{2, 2, 2, 2}, {3, 2, 4, 1}},
	"wave-2d":   {{2, 2, 2, 2}, {3, 2, 4, 1}},
	"star-2d-2": {{2, 2, 2, 2}, {4, 4, 2, 1}},
	"fdtd-2d":   {{2, 2, 2, 2}, {4, 4, 2, 1}},
	"em-2d":     {{2, 2, 2, 2}},
	"rician-2d": {{4, 4, 2, 1}},
}

// EachPipeline runs f for each case and shape of pipelines; unless HEXCC_TESTS=all, the first shape of each case, and all of jacobi-2d, in CI those whose round it is.
func EachPipeline(t *testing.T, f func(t *testing.T, base string, shape [4]int)) {
	for k, base := range slices.Sorted(maps.Keys(pipelines)) {
		for i, shape := range pipelines[base] {
			if !Due(k+i, Rounds) || i > 0 && !Every() && base != "jacobi-2d" {
				continue
			}
			t.Run(fmt.Sprint(base, shape), func(t *testing.T) { f(t, base, shape) })
		}
	}
}

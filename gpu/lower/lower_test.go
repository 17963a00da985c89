package lower_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// handmade returns schedules of programs made by hand.
func handmade() map[string]*schedule.Schedule {
	one, two, f := pipeline.Jacobi(1), pipeline.Jacobi(2), fdtd()
	return map[string]*schedule.Schedule{
		"jacobi-1d h=0": pipeline.Hexagonal(one, pipeline.Straight(one, 1), 0, 0),
		"jacobi-1d":     pipeline.Hexagonal(one, pipeline.Straight(one, 1), 2, 3),
		"jacobi-2d":     pipeline.Hexagonal(two, pipeline.Straight(two, 2), 1, 2, 7),
		"fdtd-2d":       pipeline.Hexagonal(f, fdtdPlaces(f), 3, 2, 6),
	}
}

// TestMapComputesTheSame runs kernels at many sizes, with watch on races.
func TestMapComputesTheSame(t *testing.T) {
	for name, s := range handmade() {
		for _, o := range []lower.Options{{}, {Strategy: lower.Global}, {Threads: [3]int{32, 3, 1}}} {
			t.Run(fmt.Sprintf("%s %+v", name, o), func(t *testing.T) {
				p := pipeline.Map(t, s, pipeline.Device(t, "sm_80"), o)
				for _, params := range [][]int64{{0, 9}, {1, 1}, {1, 2}, {1, 7}, {5, 3}, {7, 11}, {13, 29}, {6, 0}} {
					want := original(p.Scop, params)
					m := runGPU(p, params)
					require.Empty(t, m.fault, "%v\n%v", params, p)
					require.Empty(t, differs(want, m.global), "%v\n%v", params, p)
				}
			})
		}
	}
}

// rowwise reports whether n copies rows that start each with thread 0, wherever that is.
func rowwise(n gpu.Threads) bool {
	_, copies := n.Body[0].(gpu.Copy)
	last := n.Loops[len(n.Loops)-1]
	starts := false
	affine.Vars(last.Lo, func(name string) { starts = starts || name == n.Loops[0].Var })
	return copies && starts
}

// TestEveryBarrierCounts drops one barrier at a time.
func TestEveryBarrierCounts(t *testing.T) {
	for name, s := range handmade() {
		if s.Height == 2 {
			continue // one thread does all
		}
		t.Run(name, func(t *testing.T) {
			p := pipeline.Map(t, s, pipeline.Device(t, "sm_80"), lower.Options{})
			for i := 0; ; i++ {
				less, next, ok := withoutBarrier(p, i)
				if !ok {
					require.Positive(t, i)
					return
				}
				fault := ""
				for _, params := range [][]int64{{5, 11}, {7, 17}, {13, 29}, {22, 33}} {
					if fault = runGPU(less, params).fault; fault != "" {
						break
					}
				}
				if next, ok := next.(gpu.Threads); ok && rowwise(next) {
					continue // it may do no harm: which thread copies an element depends on its row
				}
				require.NotEmpty(t, fault, "barrier %d of\n%v", i, p)
			}
		})
	}
}

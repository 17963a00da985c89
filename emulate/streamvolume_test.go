package emulate_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
)

// volumeShapes are shapes of small pipelines in three dimensions.
var volumeShapes = []stream.Shape{
	{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 2},
	{Columns: 2, Steps: 1, Warps: 4, Period: 2, Lines: 3},
	{Columns: 1, Steps: 3, Warps: 2, Period: 1, Lines: 5},
	{Columns: 2, Steps: 1, Warps: 2, Period: 1, Lines: 4},
}

// TestVolumes runs the streams of cases in three dimensions at odd sizes. Cubes that have full turns are large: those are left to the cases whose sides are not equal.
func TestVolumes(t *testing.T) {
	n := 0
	for _, x := range pipeline.Some(t) {
		if len(x.Space.Space) != 3 {
			continue
		}
		n++
		for i, shape := range volumeShapes {
			if i != n%len(volumeShapes) && !cases.Every() {
				continue
			}
			t.Run(fmt.Sprint(x.Name, i), func(t *testing.T) {
				s, why := pipeline.Streaming(t, x.Name, x.Scop, shape)
				if why != "" {
					t.Log(why)
					return
				}
				r := emulate.Request{Program: s.Program, Schedule: s.Schedule, OneVersion: true, Points: 20_000}
				if len(s.Scop.Params) < 4 && !cases.Every() {
					r.Sizes = []emulate.Size{{"T": 7, "n": 13}, {"T": 3, "n": 22}, {"T": 1, "n": 5}, {"T": 2, "n": 3}, {"T": 0, "n": 9}}
				}
				v, err := emulate.Verify(r)
				require.NoError(t, err)
				require.True(t, v.OK(), v)
				t.Log(v)
			})
		}
	}
	require.Positive(t, n)
}

// TestVolumeMutants spoils the pipeline of a case in three dimensions.
func TestVolumeMutants(t *testing.T) {
	x := pipeline.Case(t, "gradient-3d")
	for _, mutant := range append(pipeline.StreamMutants(40), pipeline.VolumeMutants(40)...) {
		t.Run(mutant.Name, func(t *testing.T) {
			t.Parallel()
			mustFind(t, mutant, func(seed int64) (*gpu.Program, []int64) {
				s, why := pipeline.Streaming(t, x.Name, x.Scop, stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1, Lines: 3})
				require.Empty(t, why)
				oftener(s.Program)
				return s.Program, []int64{9 + seed, 10 + seed, 17 + seed, 131 + seed}
			})
		})
	}
}

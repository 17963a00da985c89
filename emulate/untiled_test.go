package emulate_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/schedule"
)

// TestUntiled runs the loops of cases as they are written, in blocks of several shapes: a thread for each point, columns of points, widths
// that are no multiple of anything, and as many points as no block has threads for. What they compute is compared bit for bit.
func TestUntiled(t *testing.T) {
	shapes := [][4][]int64{
		{{32}, {1, 32}, {1, 4, 32}, {1, 1, 2, 32}},
		{{7}, {3, 5}, {2, 3, 7}, {2, 1, 3, 5}},
		{{600}, {9, 70}, {10, 5, 33}, {9, 2, 2, 8}},
	}
	cases.Each(t, func(t *testing.T, base, text string) {
		t.Parallel()
		for _, shape := range shapes {
			compile := func(tile *schedule.Sizes, stop string) *hexcc.Result {
				res, err := hexcc.Compile(hexcc.Source{Name: base + ".c", Text: []byte(text)},
					hexcc.Options{Strategy: hexcc.Untiled, Tile: tile, NoAlias: true, Stop: stop})
				require.NoError(t, err)
				return res
			}
			dims := len(compile(nil, "space").Space.Space)
			for i, r := range compile(&schedule.Sizes{H: schedule.NoHeight, W: shape[dims-1]}, "").Regions {
				require.Equal(t, hexcc.Untiled, r.Strategy)
				for _, k := range r.GPU.Kernels {
					require.Empty(t, k.Shared)
				}
				v, err := emulate.Verify(emulate.Request{Program: r.GPU, Schedule: r.Schedule, Proofs: r.Proofs, Points: 20_000, Seed: uint64(i)})
				require.NoError(t, err)
				require.True(t, v.OK(), fmt.Sprint(shape[dims-1], v))
			}
		}
	})
}

package lower_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// TestMoves: a tile of jacobi-2d after a full tile finds 16 or 62 rows of its two planes in shared memory, with at most 2*h+3 columns to be kept of each.
// Lanes take rows, so that a thread moves an element of each column and not of each row: each element once, and no two lanes want different words of a bank.
func TestMoves(t *testing.T) {
	x := stencil{pipeline.Case(t, "jacobi-2d")}
	for _, c := range []struct{ h, w0, operations, moved int64 }{
		{2, 3, 2 * 7, 106},
		{7, 14, 2 * 17, 878},
	} {
		_, p := x.mapped(t, schedule.Sizes{H: c.h, W: []int64{c.w0, 32}}, lower.Options{})
		for _, k := range p.Kernels {
			operations, places := int64(0), map[int64]bool{}
			eachInFullTile(k, func(n gpu.Threads) {
				if n.Role.Kind != gpu.Move {
					return
				}
				lanes := n.Loops[0].Hi.(affine.Sum).Const + 1
				for _, op := range n.Body {
					operations++
					m := op.(gpu.Copy)
					banks := map[int64]bool{}
					for lane := range lanes {
						env := map[string]int64{n.Loops[0].Var: lane}
						if !n.Guard.Holds(env) {
							continue
						}
						off := int64(0)
						for d, e := range m.To.Index {
							off = off*m.To.Buffer.Shape[d] + affine.Eval(e, env)
						}
						require.False(t, places[off], "%v: moved twice", m.To)
						require.False(t, banks[off%32], "%v: two lanes want different words of a bank", m.To)
						places[off], banks[off%32] = true, true
					}
					require.True(t, lanes == 1 || m.To.Index[2].(affine.Sum).IsNum(), "%v: lanes take columns", m.To)
				}
			})
			require.Equal(t, []int64{c.operations, c.moved}, []int64{operations, int64(len(places))})
		}
	}
}

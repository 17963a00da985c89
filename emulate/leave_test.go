package emulate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/cases"
)

// TestLeave leaves each array of each case in global memory, with the uses of shared
// memory by turns for the others, and verifies what comes out.
func TestLeave(t *testing.T) {
	uses := []lower.Strategy{lower.Moved, lower.Static, lower.Staged, lower.Interleaved, lower.Aligned}
	eachCase(t, func(t *testing.T, name string, p plan) {
		sizes := p.moving(t)
		for i, array := range p.Space.Scop.Arrays {
			st := uses[(i+len(name))%len(uses)]
			r := p.requestWith(t, sizes, lower.Options{Strategy: st, Leave: lower.Leave{array.Name: "that is asked for"}})
			require.Contains(t, r.Program.Remarks, array.Name+" stays in global memory: that is asked for")
			for _, k := range r.Program.Kernels {
				for _, b := range k.Shared {
					require.NotEqual(t, array, b.Array)
				}
			}
			some, ok := r.Typical(func(params []int64) []int64 { return params })
			require.True(t, ok)
			size := emulate.Size{}
			for i, v := range r.Program.Scop.Params {
				size[v.Name] = some.Params[i]
			}
			r.Sizes = []emulate.Size{size}
			v, err := emulate.Verify(r)
			require.NoError(t, err)
			require.True(t, v.OK(), "%s, %v: %v", array.Name, st, v)
		}
	})
}

// TestLeaveMutants leaves out barriers of kernels whose arrays are in both memories.
func TestLeaveMutants(t *testing.T) {
	for name, array := range map[string]string{"fdtd-2d": "ey", "em-2d": "ez", "rician-2d": "u"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlan(t, name, cases.Input(t, name))
			r := p.requestWith(t, p.tiny(), lower.Options{Leave: lower.Leave{array: "that is asked for"}})
			r.Points = 30_000
			dropBarriers(t, fullSize(t, r))
		})
	}
}

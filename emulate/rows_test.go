package emulate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// TestRows verifies kernels in which a thread runs two rows along y, with as many
// registers as a device has and with so few that values are loaded again, under uses of shared memory that differ in what is kept.
func TestRows(t *testing.T) {
	// The cube of heat-3d gets an extent for each dimension, as wave-3d has: a few full tiles then need no cube of the longest.
	box := strings.NewReplacer("int n,", "int n, int m, int l,", "[n][n][n]", "[n][m][l]", "j < n", "j < m", "k < n", "k < l")
	for _, name := range []string{"heat-3d", "wave-3d"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := cases.Input(t, name)
			if name == "heat-3d" {
				text = box.Replace(text)
			}
			p := newPlan(t, name, text)
			require.Len(t, p.Scop.Params, 4)
			h := int64(p.Space.K) - 1
			s := p.Schedule(t, schedule.Sizes{H: h, W: []int64{schedule.MinW0(p.Cone, h), 16, 32}})
			for _, st := range []lower.Strategy{lower.Global, lower.Staged, lower.Moved, lower.Static} {
				d := pipeline.Device(t, "sm_80")
				if st == lower.Moved || st == lower.Global {
					d.RegistersPerThread = 82
				}
				r := emulate.Request{Program: pipeline.Map(t, s, d, lower.Options{Strategy: st}), Schedule: s, Points: 200_000}
				require.Equal(t, [3]int{32, 8, 1}, r.Program.Kernels[0].Threads)
				again := 0
				edited(r.Program, -1, func(x place) bool {
					if n, ok := x.node().(gpu.Threads); ok {
						for _, op := range n.Body {
							if l, ok := op.(gpu.Load); ok && strings.Contains(l.Reg, "_again") {
								again++
							}
						}
					}
					return false
				}, nil)
				require.Equal(t, d.RegistersPerThread == 82, again > 0, "%v: %d values are loaded again", st, again)
				some, ok := r.Typical(func(params []int64) []int64 { return params })
				require.True(t, ok, st)
				size := emulate.Size{}
				for i, v := range r.Program.Scop.Params {
					size[v.Name] = some.Params[i]
				}
				r.Sizes = append(r.Sizes, size)
				v, err := emulate.Verify(r)
				require.NoError(t, err)
				require.True(t, v.OK(), "%v: %v", st, v)
			}
		})
	}
}

package emulate_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// streamed runs kernels, and returns what was found and how what they leave differs from what the program leaves.
func streamed(t testing.TB, p *gpu.Program, params []int64, o emulate.Options) (*emulate.Report, scop.Difference) {
	mem, err := scop.NewMemory(p.Scop, params, o.Seed)
	require.NoError(t, err)
	want := mem.Clone()
	require.NoError(t, scop.Run(p.Scop, want))
	r, err := emulate.Run(p, mem, o)
	require.NoError(t, err)
	return r, mem.Compare(want)
}

// sizes returns values of the parameters: so many steps, rows and columns.
func (m *maker) sizes(steps, rows, cols int64) (params []int64) {
	for i, v := range m.scop.Params {
		switch {
		case v.Name == "T":
			params = append(params, steps)
		case i == len(m.scop.Params)-1:
			params = append(params, cols)
		default:
			params = append(params, rows)
		}
	}
	return params
}

// TestStreams runs streams at sizes that fit no tile.
func TestStreams(t *testing.T) {
	for _, x := range []hand{
		{columns: 2, steps: 2, warps: 2, period: 1, width: 9, every: 1},
		{columns: 4, steps: 2, warps: 4, period: 2, width: 21, every: 2},
		{columns: 3, steps: 2, warps: 4, period: 1, width: 85, every: 1},
		{columns: 2, steps: 1, warps: 4, period: 2, width: 7, every: 3},
	} {
		for _, name := range []string{"jacobi-2d", "heat-2d"} {
			m := newMaker(t, name, x)
			p := m.program()
			h := m.height()
			for i, s := range [][3]int64{{0, 9, 9}, {1, 3, 3}, {2, 1, 5}, {1, 2, 2}, {2, 3, 7}, {h, 5, 40}, {h - 1, 37, 4}, {2*h + 1, 41, 61}, {3 * h, 23, 2*x.width + 19}, {4 * h, 67, 131}} {
				t.Run(fmt.Sprint(x, name, s), func(t *testing.T) {
					r, d := streamed(t, p, m.sizes(s[0], s[1], s[2]), emulate.Options{Seed: uint64(i)})
					require.True(t, r.OK(), "%v %v", r.Counts, r.Findings)
					require.Zero(t, d.Differ, d)
					t.Log(r.Branches, r.Total)
				})
			}
		}
	}
}

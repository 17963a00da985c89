package e2e_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
	testcases "github.com/hexcc/hexcc/internal/cases"
)

// fields are programs of weather codes, seismic waves, fluids and image pipelines.
var fields = []string{
	"advection-uv",
	"wind-divergence",
	"fast-waves",
	"hyperbolic-flux",
	"elastic-waves",
	"supergrid-damping",
	"denoise",
}

// TestFieldsByEveryStrategy translates each program of fields by every strategy, for a GPU and for a CPU, and verifies what runs; in CI by
// strategies in turn.
func TestFieldsByEveryStrategy(t *testing.T) {
	strategies := []hexcc.Strategy{hexcc.Hybrid, hexcc.Space, hexcc.Overlapped, hexcc.Wavefront}
	for i, f := range fields {
		x := testcases.ReadIdiom(t, f)
		for k, target := range []hexcc.Target{hexcc.CUDA, hexcc.OpenMP} {
			for _, s := range testcases.Turn(strategies, i+k+2) {
				t.Run(f+"/"+string(target)+"/"+string(s), func(t *testing.T) {
					t.Parallel()
					res, err := hexcc.Compile(hexcc.Source{Name: x.Name + ".c", Text: []byte(x.Text)}, hexcc.Options{Target: target, Strategy: s})
					require.NoError(t, err)
					q := emulate.Request{Schedule: res.Schedule, Proofs: res.Proofs, Points: 1500}
					if q.Program = res.GPU; target == hexcc.OpenMP {
						q.Program, q.CPU = nil, res.CPU
					}
					v, err := emulate.Verify(q)
					require.NoError(t, err)
					require.True(t, v.OK(), "%v", v)
				})
			}
		}
	}
}

package stream_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/pipeline"
)

// TestInactive: warps are inactive in the chains in which none of their steps is a time step, by counting; a pipeline where they are in others is refused.
func TestInactive(t *testing.T) {
	for _, name := range []string{"jacobi-2d", "wave-2d", "fdtd-2d", "laplacian-3d"} {
		t.Run(name, func(t *testing.T) {
			x := pipeline.Case(t, name)
			shape := stream.Shape{Columns: 4, Steps: 2, Warps: 4, Period: 1}
			if name == "laplacian-3d" {
				shape = stream.Shape{Columns: 2, Steps: 2, Warps: 2, Period: 1, Lines: 2}
			}
			made := func() (*gpu.Program, *gpu.Pipeline) {
				s, why := pipeline.Streaming(t, name, x.Scop, shape)
				require.Empty(t, why)
				return s.Program, s.Program.Pipeline()
			}
			program, p := made()
			require.NoError(t, program.Verify())
			env := map[string]int64{}
			for _, q := range x.Scop.Params {
				env[q.Name] = 50
			}
			env["T"] = 7
			seen := map[bool]int{}
			for i := range p.Stages {
				st := &p.Stages[i]
				require.NotNil(t, st.Inactive)
				for q := st.First; q < st.First+st.Count; q++ {
					for time := int64(-20); time < 20; time++ {
						env[p.Vars.Time], env[p.Vars.Warp] = time, int64(q)
						runs := false
						for _, op := range st.Beats[0] {
							if e, ok := op.(gpu.Evaluate); ok {
								runs = runs || inTime(p, e.Domain).Holds(env)
							}
						}
						require.Equal(t, !runs, st.Inactive.Holds(env), "warp %d, time %d", q, time)
						seen[runs]++
					}
				}
			}
			require.Greater(t, min(seen[true], seen[false]), 10)
			for k := range 2 {
				program, p := made()
				st := &p.Stages[0]
				rows := append([]affine.Expr{}, st.Inactive[k]...)
				rows[0] = rows[0].(affine.Sum).Add(1)
				st.Inactive = astgen.Cond{rows}
				require.ErrorContains(t, program.Verify(), "may have instances in warp")
			}
		})
	}
}

// inTime returns what a condition says of time.
func inTime(p *gpu.Pipeline, c astgen.Cond) (out astgen.Cond) {
	for _, rows := range c {
		var all []affine.Expr
		for _, e := range rows {
			if e.(affine.Sum).Coef(p.Vars.Time) != 0 {
				all = append(all, e)
			}
		}
		out = append(out, all)
	}
	return out
}

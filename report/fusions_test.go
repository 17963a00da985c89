package report

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
)

// TestFusions ranks the launches of horizontal diffusion: the best first, all in one and each alone among them, and says why others lost.
func TestFusions(t *testing.T) {
	x := pipeline.Read(t, "fused-diffusion.c", cases.ReadIdiom(t, "fused-diffusion").Text)
	grid, err := model.NewGrid(x.Space, model.Typical{"l": 64, "n": 256, "m": 256})
	require.NoError(t, err)
	p := Products{Scop: x.Scop, Deps: x.Deps, Space: x.Space, Outlook: &model.Outlook{Grid: grid}}
	require.Empty(t, fusionsOf(p, graphOf(p)), "no device is known")
	d, _ := machine.LookupDevice("sm_90")
	p.GPU = &gpu.Program{Device: d}
	all := fusionsOf(p, graphOf(p))
	require.Equal(t, "[S0,S1,S2,S3]", all[0].Groups)
	require.Equal(t, "[S0],[S1],[S2],[S3]", all[len(all)-1].Groups)
	seen := map[string]bool{}
	for i, f := range all {
		require.Equal(t, i == 0, f.Why == "", f.Groups)
		require.False(t, seen[f.Groups])
		seen[f.Groups] = true
		require.Len(t, f.Launches, strings.Count(f.Groups, "["))
		us, bytes := 0.0, int64(0)
		for _, l := range f.Launches {
			us, bytes = us+l.Microseconds, bytes+l.Bytes
		}
		require.InEpsilon(t, f.Microseconds, us, 1e-9)
		require.LessOrEqual(t, math.Abs(float64(f.Bytes-bytes)), 4.0)
		require.GreaterOrEqual(t, f.Microseconds, all[0].Microseconds)
	}
	in := &Inspection{Graph: &Graph{Fusions: all}}
	w := &writer{}
	in.textFusions(w)
	text := strings.Join(strings.Fields(w.String()), " ")
	require.Contains(t, text, "Launches of an iteration")
	require.Contains(t, text, "[S0,S1,S2,S3] bound by memory")
	require.Contains(t, text, "[S0],[S1],[S2],[S3] takes")
	blurred := pipeline.Case(t, "jacobi-2d")
	q := Products{Scop: blurred.Scop, Deps: blurred.Deps, Space: blurred.Space, Outlook: p.Outlook, GPU: p.GPU}
	require.Empty(t, fusionsOf(q, graphOf(q)), "its only statement reads no other one")
}

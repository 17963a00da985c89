package emulate

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/pipeline"
	devices "github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// TestRanksGPU runs kernels as ranks with memory of their own would. A plan by which ranks have a row less beside their own, or that leaves a strip out, is
// found: by accesses outside of the part, or by values.
func TestRanksGPU(t *testing.T) {
	for _, name := range []string{"jacobi-1d", "fdtd-2d"} {
		c := pipeline.Case(t, name)
		s, err := schedule.Hybrid(c.Space, c.Cone, pipeline.Narrow.Of(c.Space, c.Cone))
		require.NoError(t, err)
		loops, err := astgen.Generate(s)
		require.NoError(t, err)
		prog, err := lower.Lower(loops, devices.DeviceOf("sm_80"), lower.Options{})
		require.NoError(t, err)
		plan, err := ranks.Make(ranks.OfGPU(prog, s), "border")
		require.NoError(t, err)
		require.True(t, plan.Prove().Holds)
		for _, count := range []int{1, 2, 3} {
			report, differ := kernelsOnRanks(t, prog, plan, count)
			require.Empty(t, report.Findings, "%s, %d ranks", name, count)
			require.Zero(t, differ, "%s, %d ranks", name, count)
		}
		for i := range plan.Arrays {
			mutant := *plan
			mutant.Arrays = append([]ranks.Array{}, plan.Arrays...)
			mutant.Arrays[i].Lo++
			report, _ := kernelsOnRanks(t, prog, &mutant, 2)
			require.NotZero(t, report.Counts[OutOfBounds], "%s: array %d", name, i)
		}
		mutant := *plan
		mutant.After = []ranks.Exchange{{Up: plan.After[0].Up}, plan.After[1]}
		_, differ := kernelsOnRanks(t, prog, &mutant, 2)
		require.NotZero(t, differ, name)
	}
}

// kernelsOnRanks returns what is seen of so many ranks, and how many elements differ that they leave.
func kernelsOnRanks(t *testing.T, prog *gpu.Program, plan *ranks.Plan, count int) (*Report, int64) {
	params, ok := oracle.Sized(prog.Scop, 57, 9)
	require.True(t, ok)
	mem, err := scop.NewMemory(prog.Scop, params, 3)
	require.NoError(t, err)
	want := mem.Clone()
	require.NoError(t, scop.Run(prog.Scop, want))
	report, ok, err := RunRanksGPU(prog, plan, count, mem, Options{Seed: 1})
	require.NoError(t, err)
	require.True(t, ok)
	return report, want.Compare(mem).Differ
}

package hexcc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/gpu/lower"
	testcases "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// TestLaunch lets tiles wait for each other where there are few of them for the cores of a CPU, or the blocks that a GPU holds, unless phases are asked for.
func TestLaunch(t *testing.T) {
	cpu := func(cores int64) *machine.CPU {
		x := machine.AnyCPU
		x.Cores = cores
		return &x
	}
	tile := &schedule.Sizes{H: 4, W: []int64{8, 8, 128}}
	differ := false // the sizes that are chosen for each order
	for _, x := range []struct {
		name  string
		o     hexcc.Options
		ready bool
	}{
		{"heat-3d", hexcc.Options{Target: hexcc.OpenMP, CPU: cpu(64)}, true},
		{"heat-3d", hexcc.Options{Target: hexcc.OpenMP, CPU: cpu(64), Launch: hexcc.AnyLaunch}, true},
		{"heat-3d", hexcc.Options{Target: hexcc.OpenMP, CPU: cpu(64), Tile: tile}, true},
		{"heat-3d", hexcc.Options{Target: hexcc.OpenMP, CPU: cpu(64), Launch: hexcc.Phases}, false},
		{"heat-3d", hexcc.Options{Target: hexcc.OpenMP, CPU: cpu(64), Strategy: hexcc.Space}, false},
		{"heat-3d", hexcc.Options{Target: hexcc.OpenMP, CPU: cpu(1)}, false},
		{"heat-3d", hexcc.Options{Target: hexcc.C, CPU: cpu(64)}, false},
		{"heat-3d", hexcc.Options{Strategy: hexcc.Hybrid}, true},
		{"heat-3d", hexcc.Options{Strategy: hexcc.Hybrid, Launch: hexcc.Phases}, false},
		{"heat-3d", hexcc.Options{Strategy: hexcc.Hybrid, Tile: &schedule.Sizes{H: 1, W: []int64{4, 8, 32}}}, true},
		{"heat-3d", hexcc.Options{Strategy: hexcc.Hybrid, Tile: &schedule.Sizes{H: 1, W: []int64{4, 8, 32}}, Launch: hexcc.Phases}, false},
		{"heat-3d", hexcc.Options{Strategy: hexcc.Hybrid, Target: hexcc.PTX, Stop: "kernels"}, true},
		{"heat-3d", hexcc.Options{Strategy: hexcc.Hybrid, Target: hexcc.OpenCL}, false},
		{"heat-3d", hexcc.Options{Strategy: hexcc.Hybrid, Arch: "sm_61"}, false},
		{"heat-3d", hexcc.Options{Strategy: hexcc.Space}, false},
		{"jacobi-1d", hexcc.Options{Strategy: hexcc.Hybrid}, false},
		{"jacobi-1d", hexcc.Options{Strategy: hexcc.Hybrid, Launch: hexcc.Ready}, true},
		{"jacobi-1d", hexcc.Options{Target: hexcc.OpenMP, CPU: cpu(4)}, true}, // as good in phases
		{"jacobi-1d", hexcc.Options{Target: hexcc.OpenMP, CPU: cpu(1)}, false},
		{"jacobi-1d", hexcc.Options{Target: hexcc.OpenMP, CPU: cpu(4), Launch: hexcc.Ready}, true},
	} {
		x.o.NoAlias = true
		res, err := hexcc.Compile(hexcc.Source{Name: x.name + ".c", Text: []byte(testcases.Input(t, x.name))}, x.o)
		require.NoError(t, err)
		require.Equal(t, x.ready, res.Schedule.Waits != nil, "%s %+v", x.name, x.o)
		if x.o.Target == hexcc.OpenMP {
			require.Equal(t, x.ready, len(res.Proofs) > 3, "waits are proved")
			const said = ", each tile when those that it needs have ended\n"
			if x.ready {
				require.Contains(t, res.C.Text, said)
			} else {
				require.NotContains(t, res.C.Text, said)
			}
		}
		if choice := res.Choice; choice != nil {
			require.Equal(t, x.ready, choice.Ready)
			require.Equal(t, x.o.Launch == "" && x.o.Target != hexcc.OpenCL && x.o.Arch == "", choice.Other != nil)
			if x.o.Tile == nil && choice.Other != nil {
				require.NotEqual(t, choice.Ready, choice.Other.Ready)
				differ = differ || choice.Sizes().String() != choice.Other.Sizes.String()
			}
		}
		if x.o.Launch != hexcc.Ready && x.ready && x.o.Tile == nil {
			require.Contains(t, res.Outlook.String(), "tiles of space and time, each when those that it needs have ended, ")
		}
	}
	require.True(t, differ, "sizes are chosen for each order")
}

// TestBothOrders: what is chosen when both orders are weighed is what is chosen for that order alone; also of an array with mirrored parts, of which tiles that
// wait for each other copy nothing.
func TestBothOrders(t *testing.T) {
	for _, x := range []struct {
		name, text string
		mirrored   bool
	}{
		{"heat-3d", testcases.Input(t, "heat-3d"), false},
		{"ring", `void ring(int T, int n, int m, float A[2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = 0.3f * (A[t % 2][i][j] + A[t % 2][(i + 1) % n][j - 1] + A[t % 2][(i + n - 1) % n][j + 1]);
#pragma endscop
}
`, true},
	} {
		chosen := func(l hexcc.Launch) *model.Choice {
			o := hexcc.Options{Strategy: hexcc.Hybrid, Arch: "sm_90", NoAlias: true, Launch: l, Stop: "kernels"}
			res, err := hexcc.Compile(hexcc.Source{Name: x.name + ".c", Text: []byte(x.text)}, o)
			require.NoError(t, err)
			require.Equal(t, !x.mirrored, lower.NewCounter(res.Space, machine.DeviceOf("sm_90"), lower.Options{}).Ordered())
			return res.Choice
		}
		both := chosen(hexcc.AnyLaunch)
		require.NotNil(t, both.Other)
		of := map[bool]*model.Choice{false: chosen(hexcc.Phases), true: chosen(hexcc.Ready)}
		require.Equal(t, of[both.Ready].Best, both.Best)
		require.Equal(t, of[!both.Ready].Sizes().String(), both.Other.Sizes.String())
	}
}

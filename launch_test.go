package hexcc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	testcases "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/machine"
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
		{"jacobi-1d", hexcc.Options{Target: hexcc.OpenMP, CPU: cpu(4)}, false},
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

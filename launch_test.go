package hexcc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	testcases "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// TestLaunch lets tiles of a CPU wait for each other where there are few of them for its cores, unless phases are asked for.
func TestLaunch(t *testing.T) {
	cpu := func(cores int64) *machine.CPU {
		x := machine.AnyCPU
		x.Cores = cores
		return &x
	}
	tile := &schedule.Sizes{H: 4, W: []int64{8, 8, 128}}
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
		{"heat-3d", hexcc.Options{Strategy: hexcc.Hybrid}, false},
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
		if x.o.Launch != hexcc.Ready && x.ready && x.o.Tile == nil {
			require.Contains(t, res.Outlook.String(), "tiles of space and time, each when those that it needs have ended, ")
		}
	}
}

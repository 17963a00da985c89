package ptx_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/scop"
)

var volumes = []struct {
	base  string
	arch  string
	shape stream.Shape
}{
	{"heat-3d", "sm_80", stream.Shape{Columns: 1, Steps: 1, Warps: 2, Period: 1, Lines: 3}},
	{"gradient-3d", "sm_70", stream.Shape{Columns: 1, Steps: 2, Warps: 2, Period: 1, Lines: 3}},
}

func TestVolumeStreamRuns(t *testing.T) {
	for _, c := range volumes {
		t.Run(fmt.Sprint(c.base, "/", c.arch, "/", c.shape), func(t *testing.T) {
			now := time.Now()
			step := func(s string) { t.Log(s, time.Since(now)); now = time.Now() }
			res := streaming(t, c.base, cases.Input(t, c.base), c.arch, c.shape)
			step("compiled")
			trial, err := res.PTX.Trial(0, res.GPU)
			require.NoError(t, err)
			p := res.GPU.Scop
			t.Log(p.ParamNames(), trial.Kernels[0].Dynamic)
			for i, size := range [][]int64{{3, 9}, {7, 13}, {1, 5}, {2, 3}, {3, 22}, {7, 7, 11, 71}, {5, 12, 9, 41}} {
				if len(size) > len(p.Params) {
					continue
				}
				params := size
				for len(params) < len(p.Params) {
					params = append(params, params[len(params)-1])
				}
				n := fullTurns(res.GPU, params)
				mem, err := scop.NewMemory(p, params, uint64(i))
				require.NoError(t, err)
				x := oracle.Trial{Before: mem, After: oracle.CompileC(t, p).Run(t, mem)}
				trial.Seed = 10 + uint64(i)
				compareRun(t, trial, x, trial.Seed)
				step(fmt.Sprint("ran ", params, " ", n))
			}
		})
	}
}

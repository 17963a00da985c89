package e2e_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// jacobi7 is a stencil of seven points in two planes of a volume.
const jacobi7 = `void f(int T, int n, int m, int l, float A[restrict 2][n][m][l])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        for (int k = 1; k < l - 1; k++)
          A[(t + 1) % 2][i][j][k] = 0.4f * A[t % 2][i][j][k] + 0.1f * (A[t % 2][i - 1][j][k] + A[t % 2][i + 1][j][k] +
            A[t % 2][i][j - 1][k] + A[t % 2][i][j + 1][k] + A[t % 2][i][j][k - 1] + A[t % 2][i][j][k + 1]);
#pragma endscop
}
`

// TestPlanes runs tiles that stream, as each target for GPUs prints them, and compares the results with the interpreter's, bit for bit.
func TestPlanes(t *testing.T) {
	all, missing := targets()
	for _, m := range missing {
		t.Log(m)
	}
	for _, x := range []struct {
		name, text string
		tile       schedule.Sizes
		params     [][]int64
	}{
		{"jacobi7", jacobi7, schedule.Sizes{H: 2, W: []int64{6, 4, 8}, Stream: new(0)}, [][]int64{{5, 9, 7, 11}, {2, 3, 12, 6}, {3, 8, 14, 26}}},
		{"jacobi7 along the last", jacobi7, schedule.Sizes{H: 1, W: []int64{3, 4, 9}, Stream: new(2)}, [][]int64{{3, 7, 6, 13}, {2, 9, 11, 13}}},
		{"diffusion", cases.ReadIdiom(t, "fused-diffusion").Text, schedule.Sizes{H: 1, W: []int64{5, 3, 8}, Stream: new(0)}, nil},
	} {
		for _, to := range all {
			if to.to == hexcc.OpenMP || to.to == hexcc.C {
				continue
			}
			t.Run(fmt.Sprintf("%s, %s", x.name, to.name), func(t *testing.T) {
				res, err := hexcc.Compile(hexcc.Source{Name: "f.c", Text: []byte(x.text)}, hexcc.Options{Target: to.to, Arch: "sm_80", Strategy: hexcc.Overlapped, Tile: &x.tile, Base: "f"})
				require.NoError(t, err)
				run, err := to.build(t.TempDir(), "f", res, true)
				require.NoError(t, err)
				p := res.GPU.Scop // with the second versions of arrays, which host files have for themselves
				if to.name == "cuda" {
					p = res.Scop
				}
				none := res.Schedule.Temporaries
				for _, v := range res.Schedule.Versions {
					none = append(none, v.Next)
				}
				params := x.params
				if params == nil {
					at := make([]int64, len(p.Params))
					for i := range at {
						at[i] = 9 + int64(i)
					}
					params = [][]int64{at}
				}
				for _, at := range params {
					mem, err := scop.NewMemory(p, at, 3)
					require.NoError(t, err)
					want := mem.Clone()
					require.NoError(t, scop.Run(p, want))
					require.NoError(t, run([]*scop.Memory{mem}))
					d := want.Compare(mem, none...)
					require.Zero(t, d.Differ, "%v: %v", at, d)
				}
			})
		}
	}
}

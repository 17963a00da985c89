package emulate_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// turned are programs whose lanes run along another dimension of an array than the last.
var turned = []string{`
void f(int T, int n, int m, float A[2][n][m], float B[m][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = B[j][i] * (A[t % 2][i][j] + A[t % 2][i - 1][j] + A[t % 2][i + 1][j] + B[j - 1][i] + A[t % 2][i][j + 1]);
#pragma endscop
}
`, `
void f(int T, int n, float A[2][n][n][n], float B[n][n][n], float C[n][n][4])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int k = 1; k < n - 1; k++)
          A[(t + 1) % 2][i][j][k] = B[k][j][i] * A[t % 2][i][j][k] + B[k - 1][j][i] * A[t % 2][i - 1][j][k] + A[t % 2][i + 1][j][k] + A[t % 2][i][j - 1][k]
            + A[t % 2][i][j + 1][k] + A[t % 2][i][j][k - 1] + A[t % 2][i][j][k + 1] + C[j][k][0] * C[j][k][1] * C[j - 1][k][2] * C[j][k][3] * C[j][k][0];
#pragma endscop
}
`}

// TestBanks: no warp waits for a bank in the steps of full tiles, whatever the order
// of dimensions, for elements of 4 and of 8 bytes, and blocks whose warps hold several rows.
func TestBanks(t *testing.T) {
	for i, text := range turned {
		for _, elem := range []string{"float", "double"} {
			for _, threads := range [][3]int{{}, {16, 4, 1}, {8, 8, 1}} {
				if i == 0 && threads[1] > 1 {
					threads[1] = 1 // the hexagonal dimension
				}
				t.Run(fmt.Sprint(i, elem, threads), func(t *testing.T) {
					t.Parallel()
					p := newPlan(t, "f", strings.ReplaceAll(text, "float", elem))
					sizes := schedule.Sizes{H: 1, W: [][]int64{{3, 32}, {2, 6, 32}}[i]}
					sizes.W[0] = max(sizes.W[0], schedule.MinW0(p.Cone, 1))
					r := p.requestWith(t, sizes, lower.Options{Threads: threads})
					some, ok := r.Typical(func(params []int64) []int64 { return params })
					require.True(t, ok)
					mem, err := scop.NewMemory(some.Program.Scop, some.Params, 1)
					require.NoError(t, err)
					did, err := emulate.Run(some.Program, mem, emulate.Options{Profile: true})
					require.NoError(t, err)
					steps := did.Profile[emulate.Full][emulate.Step].Shared()
					require.Positive(t, steps.Requests)
					for _, b := range r.Program.Kernels[0].Shared {
						t.Logf("%s %v", b.Name, b.Shape)
					}
					t.Logf("%d conflicts of %d requests, copies %+v", steps.Conflicts(), steps.Requests, did.Profile[emulate.Full][emulate.CopyInAfter].SharedStores)
					require.Zero(t, steps.Conflicts())
				})
			}
		}
	}
}

// TestBanksLackRoom: where a block has too little shared memory for a layout without
// conflicts, it gets one with, and hears of it.
func TestBanksLackRoom(t *testing.T) {
	p := newPlan(t, "f", turned[0])
	s, d := p.Schedule(t, schedule.Sizes{H: 1, W: []int64{3, 32}}), pipeline.Device(t, "sm_80")
	whole := pipeline.Map(t, s, d, lower.Options{})
	require.Empty(t, whole.Remarks)
	d.SharedBytes = int(whole.Kernels[0].SharedBytes()) - 1
	bare := pipeline.Map(t, s, d, lower.Options{})
	require.Equal(t, []string{fmt.Sprintf("shared_B has bank conflicts: without, a tile needs %d bytes of shared memory, and a block has %d",
		d.SharedBytes+1, d.SharedBytes)}, bare.Remarks)
	counts := lower.NewCounter(p.Space, d, lower.Options{})
	require.Equal(t, bare.Kernels[0].SharedBytes(), counts.Counts(s)[0].SharedBytes)
	require.Equal(t, bare.Kernels[0].SharedBytes(), counts.Rough(s, 0).SharedBytes)
	v, err := emulate.Verify(emulate.Request{Program: bare, Schedule: s, Points: 20_000})
	require.NoError(t, err)
	require.True(t, v.OK(), v)
}

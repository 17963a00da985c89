package hexcc_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
	programs "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/report"
	"github.com/hexcc/hexcc/schedule"
)

// smoothed has a box of equal weights, and a nest that reads a temporary at one place.
const smoothed = `void smooth(int T, int n, float A[restrict 2][n][n], float c[restrict n][n])
{
  float sum[n][n];
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        sum[i][j] = A[t % 2][i - 1][j - 1] + A[t % 2][i - 1][j] + A[t % 2][i - 1][j + 1] + A[t % 2][i][j - 1] + A[t % 2][i][j] + A[t % 2][i][j + 1]
                  + A[t % 2][i + 1][j - 1] + A[t % 2][i + 1][j] + A[t % 2][i + 1][j + 1];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[(t + 1) % 2][i][j] = 0.111f * sum[i][j] * c[i][j];
  }
#pragma endscop
}
`

// TestReassociate runs regrouped sums as each kind of kernel, with products fused and temporaries in registers as well: bit for bit what the program with regrouped sums does, near the source.
func TestReassociate(t *testing.T) {
	heat := programs.Input(t, "heat-2d")
	for _, x := range []struct {
		name, text, along, want string
		o                       hexcc.Options
	}{
		{"streaming", heat, hexcc.AnyLoop, "j", hexcc.Options{Strategy: hexcc.Hybrid, Kernel: hexcc.Streaming}},
		{"tiles", heat, hexcc.AnyLoop, "i", hexcc.Options{Strategy: hexcc.Hybrid, Kernel: hexcc.Tiles}},
		{"fused", heat, "j", "j", hexcc.Options{Strategy: hexcc.Hybrid, Kernel: hexcc.Tiles, FMA: true}},
		{"cpu", heat, hexcc.AnyLoop, "i", hexcc.Options{Target: hexcc.C}},
		{"registers", smoothed, hexcc.AnyLoop, "i", hexcc.Options{Strategy: hexcc.Space, Kernel: hexcc.Tiles}},
		{"overlapped", smoothed, hexcc.AnyLoop, "i", hexcc.Options{Strategy: hexcc.Overlapped, Fuse: "[sum,A]", FMA: true}},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			o := x.o
			o.NoAlias, o.Reassociate = true, x.along
			res, err := hexcc.Compile(source([]byte(x.text)), o)
			require.NoError(t, err)
			require.NotNil(t, res.Regrouped)
			require.Equal(t, x.want, res.Regrouped.Stmts[0].Along)
			require.True(t, res.Scop.Rounded())
			require.Nil(t, res.Scop.AsWritten().Unregrouped)
			require.NotNil(t, res.Scop.Original().Unregrouped)
			at := slices.IndexFunc(res.Proofs, func(p schedule.Proof) bool { return p.Name == "sums" })
			require.True(t, at >= 0 && res.Proofs[at].Holds, "%v", res.Proofs)
			in := report.Inspect(res.Products())
			require.NotEqual(t, in.Regrouped.Before, in.Regrouped.Text)
			require.Contains(t, in.Text(), "Sums regrouped (--reassociate)")
			r := emulate.Request{Program: res.GPU, CPU: res.CPU, Schedule: res.Schedule, Proofs: res.Proofs, Points: 3000}
			v, err := emulate.Verify(r)
			require.NoError(t, err)
			require.True(t, v.OK(), v)
			require.True(t, v.Trials[0].Regrouped)
			differ := int64(0)
			for _, trial := range v.Trials {
				if trial.Version == 0 { // others leave the same
					differ += trial.Rounding.Differ
				}
			}
			require.Positive(t, differ, "sums are rounded otherwise")
		})
	}
}

// TestReassociateNothing: where no form is smaller, a remark says so, and the program is the one without.
func TestReassociateNothing(t *testing.T) {
	text := programs.Input(t, "jacobi-2d")
	res, err := hexcc.Compile(source([]byte(text)), hexcc.Options{NoAlias: true, Reassociate: hexcc.AnyLoop, Stop: "scop"})
	require.NoError(t, err)
	require.Nil(t, res.Regrouped)
	require.False(t, res.Scop.Rounded())
	require.Len(t, res.Warnings, 1)
	require.Contains(t, res.Warnings[0].Error(), "sums stay as they are")
	clause := strings.Replace(programs.Input(t, "heat-2d"), "#pragma scop", "#pragma hexcc reassociate(i)\n#pragma scop", 1)
	res, err = hexcc.Compile(source([]byte(clause)), hexcc.Options{NoAlias: true, Stop: "scop"})
	require.NoError(t, err)
	require.Equal(t, "i", res.Regrouped.Stmts[0].Along)
	res, err = hexcc.Compile(source([]byte(programs.Input(t, "heat-3d-27"))), hexcc.Options{NoAlias: true, Reassociate: hexcc.AnyLoop, Order: []string{"j", "i", "k"}, Stop: "scop"})
	require.NoError(t, err)
	require.Equal(t, "j", res.Regrouped.Stmts[0].Along)
	_, err = hexcc.Compile(source([]byte(text)), hexcc.Options{NoAlias: true, Reassociate: "q", Stop: "scop"})
	require.ErrorContains(t, err, "there are the loops i, j")
}

package hexcc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/emulate"
	programs "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/report"
)

// severalOutputs has a time loop, and a nest that writes three arrays.
const severalOutputs = `void f(int T, int n, float A[restrict 2][n][n], float B[restrict 2][n][n], float C[restrict n][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        float x = A[t % 2][i - 1][j] + B[t % 2][i][j + 1];
        A[(t + 1) % 2][i][j] = x * 0.5f;
        C[i][j] = A[(t + 1) % 2][i][j] + C[i][j];
        B[(t + 1) % 2][i][j] = x - C[i][j];
      }
#pragma endscop
}
`

// TestFission: nests that are several leave the same bits by every strategy that takes them, also with temporaries in registers.
func TestFission(t *testing.T) {
	for _, x := range []struct {
		text, name string
		want       int
	}{
		{severalOutputs, "S0", 3},
		{severalOutputs, "C", 3},
		{programs.ReadIdiom(t, "elastic-waves").Text, "all", 3},
	} {
		for _, strategy := range []hexcc.Strategy{hexcc.Auto, hexcc.Hybrid, hexcc.Space, hexcc.Overlapped} {
			if x.name == "all" && strategy != hexcc.Auto {
				continue // it takes long
			}
			res, err := hexcc.Compile(source([]byte(x.text)), hexcc.Options{NoAlias: true, Strategy: strategy, Kernel: hexcc.Tiles, Fission: []string{x.name}})
			var list diag.List
			if err != nil {
				require.ErrorAs(t, err, &list)
				require.NotEqual(t, hexcc.Auto, strategy, "%v", err)
				continue
			}
			if x.want > 0 {
				require.Len(t, res.Scop.Stmts, x.want)
				in := report.Inspect(res.Products())
				require.Len(t, in.Fission.Nests[0].Parts, x.want)
				require.Contains(t, in.Text(), "Fission: a nest for each array")
			}
			if x.name == "all" {
				continue // package rewrite runs it
			}
			v, err := emulate.Verify(emulate.Request{Program: res.GPU, Schedule: res.Schedule, Proofs: res.Proofs, Points: 3000})
			require.NoError(t, err)
			require.True(t, v.OK(), v)
		}
	}
	_, err := hexcc.Compile(source([]byte(severalOutputs)), hexcc.Options{Fission: []string{"Q"}})
	require.ErrorContains(t, err, "'Q' is no statement")
}

// TestNamesOfOneRegion: a name that one region of a file alone has is about that region, without --region; one that none has is one error.
func TestNamesOfOneRegion(t *testing.T) {
	other := `void g(int n, const float P[restrict n], const float q[restrict n], float R[restrict n])
{
#pragma scop
  for (int i = 1; i < n - 1; i++)
    R[i] = P[i - 1] * q[i - 1] - P[i + 1] * q[i + 1];
#pragma endscop
}
`
	compile := func(o hexcc.Options) (*hexcc.Result, error) {
		o.NoAlias, o.Stop = true, "scop"
		return hexcc.Compile(source([]byte(severalOutputs+other)), o)
	}
	res, err := compile(hexcc.Options{Fission: []string{"C"}, Fold: []string{"P", "q"}})
	require.NoError(t, err)
	require.Len(t, res.Regions, 2)
	require.Len(t, res.Regions[0].Scop.Stmts, 3)
	require.Nil(t, res.Regions[0].Folded)
	require.Nil(t, res.Regions[1].Fission)
	require.Len(t, res.Regions[1].Folded.Folds, 1)

	res, err = compile(hexcc.Options{Fission: []string{"S0"}}) // which both have, and one cannot be several
	require.Error(t, err)
	require.Len(t, res.Regions[0].Scop.Stmts, 3)
	for _, o := range []hexcc.Options{{Fission: []string{"Z"}}, {Fold: []string{"Z"}}} {
		_, err := compile(o)
		var list diag.List
		require.ErrorAs(t, err, &list)
		require.Len(t, list, 1)
		require.Contains(t, list[0].Msg, "Z")
	}
}

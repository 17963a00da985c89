package frontend_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
)

// TestInlinedArguments: what a function is passed has the value that it has at the call, in the type of the parameter, also where its body, which ranks run in place of
// the call, changes what the argument is made of; and a name of the file is not taken for a variable around the call.
func TestInlinedArguments(t *testing.T) {
	const text = `int k;
static void step(int n, int c, double a[restrict n][n], double b[restrict n][n])
{
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) + c;
  k = k + 3;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      a[i][j] = b[i][j] - 0.5 * c;
}
void f(int n, int T, double a[restrict n][n], double b[restrict n][n], double *s)
{
  k = 0;
  double most = 0;
#pragma scop
  for (int t = 0; t < T; t++) {
    step(n, k, a, b);
    most = 0;
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        most = a[i][j] > most ? a[i][j] : most;
    if (most > 1e9)
      break;
  }
#pragma endscop
  *s = most;
}
`
	read := func(old, new string) (*frontend.Result, error) {
		require.Contains(t, text, old)
		return frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(strings.Replace(text, old, new, 1))}, frontend.Options{Ranks: true})
	}
	for old, new := range map[string]string{"step(n, k, a, b)": "step(n, k, a, b)", "(n, k, ": "(n, 2.7, ", "k, a, b);": "k + 1, a, b);"} {
		res, err := read(old, new)
		require.NoError(t, err)
		seen := 0
		for _, p := range res.Programs {
			for _, q := range p.Scalars {
				require.NotEqual(t, "k", q.Source(), new)
				seen++
			}
		}
		require.Equal(t, 2, seen, new)
	}
	res, err := read("  k = k + 3;\n", "")
	require.NoError(t, err)
	require.Equal(t, "k", res.Programs[0].Scalars[0].Source(), "nothing changes it there")
	_, err = read("  k = 0;", "  int k = 0;")
	require.ErrorContains(t, err, "ranks cannot run 'step' where it is called")
}

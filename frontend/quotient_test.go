package frontend_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
)

// TestQuotientsInTexts reads what must hold of quotients of parameters: people read them as they are written.
func TestQuotientsInTexts(t *testing.T) {
	for _, x := range []struct{ sub, text string }{
		{"n / 2", "n / 2 >= 1"},
		{"(n - 2) / 2", "(n - 2) / 2 >= 0"},
	} {
		res, err := frontend.Parse(frontend.Source{Name: "f.c", Text: fmt.Appendf(nil, `double sin(double);
void f(int n, int m, int T, double (*restrict u)[m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int j = 0; j < n; j++)
      u[0][j] = t * 0.1;
    for (int i = 1; i < n; i++)
      for (int j = 1; j < n; j++)
        u[i][j] = 0.5 * u[i][j];
    if (n > 4)
      u[%s][n / 3] += sin(0.3 * t);
  }
#pragma endscop
}`, x.sub)}, frontend.Options{})
		require.NoError(t, err, x.sub)
		var facts []string
		for _, f := range res.Programs[0].Facts {
			facts = append(facts, f.Text)
		}
		require.Contains(t, facts, x.text)
	}
}

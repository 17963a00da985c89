package e2e_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
)

// TestDescendingLoops checks that dependences follow the order of a loop that counts down:
// a[i + 1] was written before it is read.
func TestDescendingLoops(t *testing.T) {
	for head, want := range map[string]string{
		"for (int i = n - 2; i >= 0; i--)": "the i loop carries a flow dependence: a[i] and then a[i + 1] touch the same element at distance (t, i) = (0, -1)",
		"for (int i = 0; i < n - 1; i++)":  "the i loop carries an anti dependence: a[i + 1] and then a[i] touch the same element at distance (t, i) = (0, 1)",
	} {
		text := "void f(int T, int n, double *restrict a)\n{\n#pragma scop\n  for (int t = 0; t < T; t++)\n    " + head + "\n      a[i] = 0.5 * a[i + 1];\n#pragma endscop\n}\n"
		res, err := hexcc.Compile(source([]byte(text)), hexcc.Options{})
		require.NoError(t, err)
		require.Len(t, res.Warnings, 1)
		require.Contains(t, res.Warnings[0].Msg, want)
	}
}

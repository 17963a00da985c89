package hexcc_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
)

// TestHiddenSizes: where a function that a loop of ranks calls has a variable with the name of one around the region, the nests in it are of sizes that may change, and what they read of rows of others depends on these.
func TestHiddenSizes(t *testing.T) {
	const text = `
#include <math.h>
static void smooth(int m, double *a, double *b)
{
    int LOCAL = m;
    LOCAL -= 2;
    for (int i = 1; i < m - 1; i++)
        for (int j = 1; j < LOCAL; j++)
            b[i * m + j] = a[(i - 1) * m + j] + a[(i + 1) * m + j];
}

void f(int n, int m, double tol, double *A, double *B)
{
    double e = 1;
#pragma scop
    while (e > tol) {
        smooth(m, A, B);
        e = 0;
        for (int i = 1; i < m - 1; i++)
            for (int j = 1; j < n; j++)
                e = fmax(e, B[(i - 1) * m + j]);
        for (int i = 1; i < m - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[i * m + j] = 0.1 * B[i * m + j];
    }
#pragma endscop
}
`
	for _, local := range []string{"n", "inside"} {
		res, err := hexcc.Compile(hexcc.Source{Name: "s.c", Text: []byte(text)}, hexcc.Options{Target: hexcc.MPI, Base: "s", Defines: []string{"LOCAL=" + local}})
		require.NoError(t, err)
		loop := res.Regions[0].Together
		require.NotNil(t, loop)
		sized := []bool{}
		for _, h := range loop.Halos {
			sized = append(sized, h.Sized)
		}
		require.Equal(t, map[string][]bool{"n": {true, true, true}, "inside": {true, true, false}}[local], sized, "%v", loop)
	}
}

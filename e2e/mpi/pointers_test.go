package mpi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
)

// This file runs loops on ranks that lead a pointer to the array of another one.

// sameArray has a pointer that leads to A in every second step, in a nest that writes both: a row of A is read by the one name after the other one has written it.
const sameArray = `
#include <math.h>
void loop0(int n, int m, int steps, double A[n][m], double B[n][m], double C[n][m], void **last)
{
    double e = 0;
    int k = 0, s = 0;
#pragma scop
    while (e < 1e30 && k < steps) {
        double (*q)[m] = C;
        if (k % 2 == ODD)
            q = A;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m; j++)
                B[i][j] = 0.5 * A[i - 1][j] + 0.25 * A[i + 1][j - 1];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                q[i][j] = 0.5 * q[i][j] + B[i][j];
        e = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                e = fmax(e, A[i][j] - C[i][j]);
        k++;
    }
#pragma endscop
    last[0] = A, last[1] = B, last[2] = C;
}
`

// TestMPIPointersToOneArray runs it, where the pointer leads to A in no step, with the results of the original, and in some: then all ranks stop, and say why.
func TestMPIPointersToOneArray(t *testing.T) {
	for i, l := range theMPIsByTurns(t) {
		size := []int{3, 5}[i]
		for _, odd := range []string{"2", "1"} {
			p := compileLoops(t, l, strings.ReplaceAll(sameArray, "ODD", odd), func(header string) string { return mainOf(t, header, 1) }, asIs)
			said, err := p.run(size, 1, "23", "5", "6")
			if odd == "2" {
				require.NoError(t, err, said)
				continue
			}
			require.Error(t, err)
			require.Equal(t, 1, strings.Count(said, "'A' and 'q' lead to the same array, and the loops rely on two"), said)
		}
	}
}

// TestMPIHeaderOfTurns: a header says which parameters the name of an array is for, and where the source's pointers would lead.
func TestMPIHeaderOfTurns(t *testing.T) {
	res := translated(t, "turns.c", `void f(int n, int T, double *restrict a, double *restrict b, double *restrict c)
{
#pragma scop
  for (int t = 1; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      c[i] = b[i - 1] + b[i + 1] - a[i];
    double *tmp = a; a = b; b = c; c = tmp;
  }
#pragma endscop
}
`, hexcc.Options{Base: "turns"})
	header := ""
	for _, f := range res.C.Named("turns") {
		if f.Name == "turns.hex.h" {
			header = f.Text
		}
	}
	require.Contains(t, header, "int f_mpi(MPI_Comm hexcc_comm, int n, int T, double *a, double *b, double *c);")
	require.Contains(t, header, `
// f_mpi_b is for b, c and a, of which each is an array of its own, with parts alike. The region of the source exchanges these pointers
// k times, where k is T - 1, or 0 if that is negative; here they stay, and so do elements. What b leads to behind that region is, by k % 3,
// in b where it is 0, in c where it is 1, in a where it is 2; the others follow in this order.
enum { f_mpi_b };
`)
}

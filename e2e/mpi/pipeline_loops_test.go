package mpi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file runs loops on ranks with sweeps in place in them, nests whose points need others of the same step, beside nests that do not.

// sweepLoops has a sweep that ends by its greatest change, beside a nest that reads what it leaves; sweeps of two arrays, one of them under a condition; some
// sweeps in a row, which are a time loop, with a sum behind them; a sweep there and one back, with a norm between them; and one back alone.
const sweepLoops = `
#include <math.h>

void loop0(int n, int m, int steps, double A[n][m], double B[n][m], double C[n][m], void **last)
{
    double e = 1;
    int k = 0;
#pragma scop
    do {
        e = 0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                double old = A[i][j];
                A[i][j] = 0.25 * (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]) - 0.1 * C[i][j];
                double d = fabs(A[i][j] - old);
                if (d > e)
                    e = d;
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                B[i][j] = 0.5 * B[i][j] + A[i - 1][j] - A[i + 1][j];
        k++;
    } while (e > 1e-9 && k < steps);
#pragma endscop
    last[0] = A, last[1] = B, last[2] = C;
}

void loop1(int n, int m, int steps, double A[n][m], double B[n][m], double C[n][m], void **last)
{
    double e = 0;
    int k = 0;
#pragma scop
    while (e < 1e30 && k < steps) {
        for (int i = 2; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[i][j] = 0.25 * (A[i - 2][j + 1] + A[i - 1][j] + A[i][j - 1] + A[i + 1][j]) + 0.05 * B[i + 1][j];
        if (k % 3 == 1)
            for (int i = 1; i < n; i++)
                for (int j = 1; j < m; j++)
                    B[i][j] = 0.5 * B[i - 1][j] - 0.25 * B[i][j - 1] + 0.125 * A[i - 1][j];
        else
            for (int i = 0; i < n - 1; i++)
                for (int j = 0; j < m; j++)
                    C[i][j] = 0.5 * C[i][j] + 0.25 * A[i + 1][j];
        e = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                e = fmax(e, B[i][j] + C[i][j]);
        k++;
    }
#pragma endscop
    last[0] = A, last[1] = B, last[2] = C;
}

void loop2(int n, int m, int steps, double A[n][m], double B[n][m], double C[n][m], void **last)
{
    double e = 0;
    int k = 0;
#pragma scop
    while (e < 1e30 && k < steps) {
        for (int q = 0; q < 5; q++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    A[i][j] = 0.25 * (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]) - 0.1 * B[i][j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                C[i][j] = 0.5 * (A[i - 1][j] + A[i + 1][j]) - B[i][j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                B[i][j] = 0.25 * (C[i - 1][j] + C[i + 1][j]);
        e = 0;
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                e += A[i][j] * C[i - 1][j];
        k++;
    }
#pragma endscop
    last[0] = A, last[1] = B, last[2] = C;
}

void loop3(int n, int m, int steps, double A[n][m], double B[n][m], double C[n][m], void **last)
{
    double e = 0;
    int k = 0;
#pragma scop
    while (e < 1e30 && k < steps) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[i][j] = 0.25 * (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]) - 0.1 * B[i + 1][j];
        e = 0;
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                e = fmax(e, fabs(A[i][j] - C[i - 1][j]));
        for (int i = n - 2; i >= 1; i--)
            for (int j = m - 2; j >= 1; j--)
                A[i][j] = 0.25 * (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]) - 0.1 * B[i - 1][j];
        if (k % 3 == 1)
            for (int i = 1; i < n - 2; i++)
                for (int j = 0; j < m; j++)
                    B[i][j] = 0.5 * A[i + 2][j] - 0.25 * A[i - 1][j];
        else
            for (int i = 0; i < n; i++)
                for (int j = 0; j < m; j++)
                    C[i][j] = A[i][j];
        k++;
    }
#pragma endscop
    last[0] = A, last[1] = B, last[2] = C;
}

void loop4(int n, int m, int steps, double A[n][m], double B[n][m], double C[n][m], void **last)
{
    double e = 0;
    int k = 0;
#pragma scop
    while (e < 1e30 && k < steps) {
        for (int i = n - 3; i >= 1; i--)
            for (int j = 1; j < m; j++)
                B[i + 1][j] = 0.25 * (B[i + 2][j] + B[i + 1][j - 1] + B[i][j]) + 0.1 * A[i - 1][j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                A[i][j] = 0.5 * C[i][j] + 0.25 * (B[i - 1][j] - B[i + 1][j]);
        e = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                e = fmax(e, A[i][j] + B[i][j]);
        k++;
    }
#pragma endscop
    last[0] = A, last[1] = B, last[2] = C;
}
`

func sweepMain(t *testing.T) func(header string) string {
	return func(header string) string { return mainOf(t, header, strings.Count(sweepLoops, "void loop")) }
}

// TestMPISweepLoops compares them with the originals, on 1, 2, 3, 4 and 7 ranks, and what is sent with what follows from the plans.
func TestMPISweepLoops(t *testing.T) {
	for i, l := range theMPIsByTurns(t) {
		p := compileLoops(t, l, sweepLoops, sweepMain(t), asIs)
		require.Len(t, p.loops, 5)
		for k, loop := range p.loops {
			require.NotNil(t, loop.Plans[0].Pipeline, k)
		}
		for _, size := range [][]int{{1, 2, 7}, {3, 4}}[i] {
			for k, args := range [][]string{{"131", "9", "10"}, {"123", "301", "7"}} {
				p.requireSame(t, size, 1+k%2, args...)
			}
		}
	}
}

// TestMPISweepLoopMutants breaks what sweeps and other nests know of each other: each must leave something else, or send something else.
func TestMPISweepLoopMutants(t *testing.T) {
	l := theMPIs(t)[0]
	compile := func(change func(string) string) haloProgram {
		return compileLoops(t, l, sweepLoops, sweepMain(t), change)
	}
	loopMutantsCaught(t, compile, []loopMutant{
		{"never stale", `(?m)^( *)\*(loop0_mpi_0_halo\(.*\)) = 0;`, `$1(void)$2;`},
		{"never there", `(?m)(_halo\(.*\)) = 1;$`, "$1 = 0;"},
		{"nothing before a sweep", `loop0_mpi_0_nest0_send\(&loop0_mpi_0_nest0_kept, 0\);`, `;`},
		{"nothing up", `loop1_mpi_1_nest0_turn_send\(&loop1_mpi_1_nest0_kept, 0, T, hexcc_above\);`, `;`},
		{"ranks in their order", `loop4_mpi_4_nest0_kept.rank = loop4_mpi_4_nest0_kept.size - 1 - loop4_mpi_4_nest0_kept.rank;`, `;`},
		{"a tile of a rank never", `hexcc_hi\s+\+ 1,\s+hexcc_begin`, `hexcc_hi, hexcc_begin`},
	}, "131", "301", "7")
}

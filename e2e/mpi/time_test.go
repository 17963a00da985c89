package mpi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/schedule"
)

// This file runs loops on ranks with time loops in them, which are tiled in time, beside nests that share out single rows.

// timeLoops has a time loop with borders in a loop that ends by a maximum; steps between two tests of a norm, with pointers that exchange; the same with values that are copied back, on a line of columns; and two time loops that
// reach as far, one of them over a number of steps that changes; and one in which pointers exchange three times.
const timeLoops = `
#include <math.h>

void loop0(int n, int m, int steps, double A[n][m], double B[n][m], double C[n][m], void **last)
{
    double e = 0;
    int k = 0;
#pragma scop
    while (e < 1e30 && k < steps) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                C[i][j] = 0.5 * C[i][j] + 0.25 * (A[i + 1][j] - A[i - 1][j]);
        for (int q = 0; q < 11; q++) {
            for (int i = 0; i < n; i++)
                for (int j = 0; j < m; j++)
                    B[i][j] = A[i][j];
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    A[i][j] = 0.25 * (B[i - 1][j] + B[i + 1][j] + B[i][j - 1] + B[i][j + 1]) - 0.1 * C[i][j];
            for (int i = 0; i < n; i++) {
                A[i][m - 1] = A[i][m - 2];
                A[i][0] = A[i][1];
            }
            for (int j = 0; j < m; j++) {
                A[0][j] = A[1][j];
                A[n - 1][j] = 0.5;
            }
        }
        e = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                e = fmax(e, A[i][j] + C[i][j]);
        k++;
    }
#pragma endscop
    last[0] = A, last[1] = B, last[2] = C;
}

void loop1(int n, int m, int steps, double A[n][m], double B[n][m], double C[n][m], void **last)
{
    double e = 0;
    int k = 0;
#pragma scop
    while (e < 1e30 && k < steps) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                B[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]) + 0.01 * C[i][j];
        k++;
        if (k % 5 == 0) {
            e = 0;
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    e = fmax(e, fabs(B[i][j] - A[i - 1][j]));
        }
        double (*t)[m] = A;
        A = B;
        B = t;
    }
#pragma endscop
    last[0] = A, last[1] = B, last[2] = C;
}

void loop2(int n, int m, int steps, double A[n][m], double B[n][m], double C[n][m], void **last)
{
    double e = 0;
    int k = 0;
#pragma scop
    while (k < steps) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                B[i][j] = 0.3 * (A[i - 1][j] + A[i + 1][j] + A[i][j]) + 0.01 * C[i][j];
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                A[i][j] = B[i][j];
        k++;
        if (k % 6 == 2) {
            e = 0;
            for (int i = 1; i < n; i++)
                for (int j = 0; j < m; j++)
                    e += A[i][j] * A[i - 1][j];
            if (e > 1e30)
                break;
        }
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
        int some = 1 + k % 4 * 3;
        for (int q = 0; q < some; q++) {
            for (int i = 1; i < n - 1; i++)
                for (int j = 0; j < m; j++)
                    B[i][j] = 0.3 * (A[i - 1][j] + A[i + 1][j] + A[i][j]);
            for (int i = 1; i < n - 1; i++)
                for (int j = 0; j < m; j++)
                    A[i][j] = B[i][j];
        }
        for (int i = 2; i < n; i++)
            for (int j = 0; j < m; j++)
                C[i][j] = 0.5 * (C[i][j] + A[i - 1][j] * B[i - 2][j]);
        for (int q = 0; q < 7; q++) {
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m; j++)
                    B[i][j] = 0.5 * (C[i - 1][j - 1] + C[i + 1][j]);
            for (int i = 1; i < n - 1; i++)
                for (int j = 0; j < m; j++)
                    C[i][j] = B[i][j];
        }
        e = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                e = fmax(e, A[i][j] + C[i][j]);
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
        for (int q = 0; q < 3; q++) {
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    B[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]) - 0.1 * C[i][j];
            double (*t)[m] = A;
            A = B;
            B = t;
        }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                C[i][j] = 0.5 * C[i][j] + 0.1 * A[i + 1][j] - 0.2 * B[i - 1][j];
        e = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                e = fmax(e, A[i][j] + C[i][j]);
        k++;
    }
#pragma endscop
    last[0] = A, last[1] = B, last[2] = C;
}
`

// timeMain is mainOf for them: of some of the functions there is another order of scalars, or there are fewer arrays.
func timeMain(t *testing.T) func(header string) string {
	return func(header string) string { return mainOf(t, header, strings.Count(timeLoops, "void loop")) }
}

// smallTiles has tiles of 14 rows.
var smallTiles = hexcc.Options{Tile: &schedule.Sizes{H: 5, W: []int64{1, 8}}}

// TestMPITimeLoops compares them with the originals, on 1, 2, 3, 4 and 7 ranks, in tiles of few rows and in those that are chosen, and what is sent with what follows from the plans.
func TestMPITimeLoops(t *testing.T) {
	for i, l := range theMPIsByTurns(t) {
		p := compileLoopsAs(t, l, timeLoops, smallTiles, timeMain(t), asIs)
		require.Len(t, p.loops, 5)
		for k, loop := range p.loops {
			require.False(t, loop.Plans[loop.Widest].OneByOne(), k)
			require.Equal(t, int64(14), loop.Plans[loop.Widest].Width(), k)
		}
		for _, size := range [][]int{{1, 2, 7}, {3, 4}}[i] {
			for k, args := range [][]string{{"113", "9", "10"}, {"107", "19", "23"}} {
				p.requireSame(t, size, 1+k%2, args...)
			}
		}
		if i == 0 {
			p = compileLoops(t, l, timeLoops, timeMain(t), asIs)
			p.requireSame(t, 2, 2, "403", "31", "64")
		}
	}
}

// TestMPITimeLoopMutants breaks what tiles of time and single rows know of each other: each must leave something else, or send something else.
func TestMPITimeLoopMutants(t *testing.T) {
	l := theMPIs(t)[0]
	compile := func(change func(string) string) haloProgram {
		return compileLoopsAs(t, l, timeLoops, smallTiles, timeMain(t), change)
	}
	loopMutantsCaught(t, compile, []loopMutant{
		{"a nest's rows begin at another border", `_kept.rank > 0 \? loop0_mpi_0_all.begin \* 14 : `, `_kept.rank > 0 ? loop0_mpi_0_all.begin * 14 + 1 : `},
		{"tiles of time leave all as it was", `memset\(loop1_mpi_1_has, 0, sizeof loop1_mpi_1_has\);`, `;`},
		{"never stale", `(?m)^( *)\*(loop0_mpi_0_halo\(.*\)) = 0;`, `$1(void)$2;`},
		{"never there", `(?m)(_halo\(.*\)) = 1;$`, "$1 = 0;"},
		{"a phase sends nothing", `loop2_mpi_2_nest0_send\(&loop2_mpi_2_nest0_kept, 1\);`, `;`},
	}, "113", "9", "10")
}

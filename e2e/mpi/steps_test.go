package mpi

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/mpirun"
	"github.com/hexcc/hexcc/schedule"
)

// This file runs on several ranks what is not tiled in time: regions step by step, and loops that end by values, with nests that gather scalars.

// inSteps returns a change of options: boxes of so many rows, one step after the other.
func inSteps(rows int64) func(*hexcc.Options) {
	return func(o *hexcc.Options) {
		w := []int64{rows}
		for range len(o.Tile.W) - 1 {
			w = append(w, 8)
		}
		o.Strategy, o.Tile = hexcc.Space, &schedule.Sizes{H: schedule.NoHeight, W: w}
	}
}

// TestMPIStepByStep runs regions whose time is not tiled, of boxes of as few rows as they reach: what is sent after each step is what the plan says.
func TestMPIStepByStep(t *testing.T) {
	var all []mpiCase
	for _, c := range append(mpiTexts, cases.Case{Name: "jacobi-2d", Text: cases.Input(t, "jacobi-2d")}) {
		rows := int64(1)
		if strings.HasPrefix(c.Name, "leans") || strings.HasPrefix(c.Name, "cells-") {
			rows = 3
		}
		m, ok := newMPICase(t, hexcc.MPI, c, len(all), inSteps(rows))
		require.True(t, ok, c.Name)
		require.True(t, m.res.Ranks.OneByOne(), c.Name)
		all = append(all, m)
	}
	trials, of, want := trialsOf(all)
	for i, l := range theMPIsByTurns(t) {
		prog := compileMPI(t, l, all, asIs)
		for _, ranks := range [][]int{{1, 2, 7}, {3, 4}}[i] {
			results, err := prog.Run(context.Background(), ranks, trials, "OMP_NUM_THREADS=1", "HEXCC_DELAY="+map[bool]string{true: "1"}[ranks == 3])
			require.NoError(t, err)
			sameOnRanks(t, all, of, trials, want, results, inRow(ranks))
		}
	}
}

// mpiLoops has loops that end by values: by a maximum, of which a history is kept that no nest uses, with a nest that stores and gathers under a condition; by a sum, that is taken in the order of the program, and a number of points, both under one condition; and one that exchanges pointers, with a step that follows
// from all points, in functions, and borders that touch rows and columns in one nest, and a table of constants in a function.
const mpiLoops = `
#include <math.h>
#include <stdio.h>

#define AT(i, j) ((i) * m + (j))

int by_most(int n, int m, int most, double A[n][m], double B[n][m], double tol, double *found, double *history)
{
    int iter = 0;
    double err = 1.0;
#pragma scop
    while (err > tol && iter < most) {
        err = 0.0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++) {
                B[i][j] = 0.25 * (A[i][j + 1] + A[i][j - 1] + A[i - 1][j] + A[i + 1][j]);
                if (j != 3)
                    err = fmax(err, fabs(B[i][j] - A[i][j]));
            }
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                A[i][j] = B[i][j];
        history[iter % 4] = err;
        iter++;
    }
#pragma endscop
    *found = err;
    return iter;
}

double by_sum(int n, int m, int most, float A[n][m], float B[n][m], int *moved)
{
    double sum = 0.0, last = 1e30;
    int count = 0, step = 0;
#pragma scop
    do {
        for (int i = 2; i < n - 2; i++)
            for (int j = 1; j < m - 1; j++)
                B[i][j] = 0.5f * A[i][j] + 0.125f * (A[i - 2][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
        last = sum;
        sum = 0.0;
        count = 0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                double d = B[i][j] - A[i][j];
                if (i + j != 7 && d != 0) {
                    sum += d * d;
                    count += d > 0.01;
                }
            }
        for (int i = 2; i < n - 2; i++)
            for (int j = 1; j < m - 1; j++)
                A[i][j] = B[i][j] + (float)sqrt(sum) * 1e-3f;
        step++;
    } while (step < most && sqrt(sum) > 1e-3);
#pragma endscop
    *moved = count;
    return sum + last;
}

static void borders(int n, int m, double *q)
{
    for (int j = 0; j < m; j++) {
        q[AT(0, j)] = q[AT(1, j)];
        q[AT(n - 1, j)] = q[AT(n - 2, j)];
    }
    for (int i = 0; i < n; i++)
        q[AT(i, 0)] = q[AT(i, m - 1)] = 0.5;
}

static double fastest(int n, int m, const double *q)
{
    double most = 0.0;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            most = fmax(most, fabs(q[i * m + j]));
    return most;
}

static void exchange(double **a, double **b) { double *t = *a; *a = *b; *b = t; }

static const double weights[2][2] = { { 0.5, 1.0 }, { 0.25, 2.0 } };
const double least = 1e-3;
static double scaled(int k, double dt) { return dt < least ? dt : dt * weights[k & 1][k & 1]; }

double *by_steps(int n, int m, int steps, double *q, double *r, double *time)
{
    double at = 0.0;
#pragma scop
    for (int k = 0; k < steps; k++) {
        borders(n, m, q);
        double dt = 0.3 / fastest(n, m, q);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                r[i * m + j] = q[i * m + j] - dt * q[i * m + j] * (q[(i + 1) * m + j] - q[(i - 1) * m + j] + q[i * m + j] - q[i * m + j - 1]);
        exchange(&q, &r);
        at += scaled(k, dt);
    }
#pragma endscop
    *time = at;
    return q;
}
`

// mpiLoopsMain runs the three on ranks, and the originals on rank 0, and compares all bits.
const mpiLoopsMain = `
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "loops.hex.h"
int by_most(int n, int m, int most, double *A, double *B, double tol, double *found, double *history);
double by_sum(int n, int m, int most, float *A, float *B, int *moved);
double *by_steps(int n, int m, int steps, double *q, double *r, double *time);
static int rank, wrong;
static void *filled(size_t count, int bytes)
{
  char *x = malloc(count * 8);
  for (size_t k = 0; k < count; k++)
    if (bytes == 8) ((double *)x)[k] = rand() % 1000 * 1e-3 + 0.1; else ((float *)x)[k] = rand() % 1000 * 1e-3f;
  return x;
}
static void *copied(const void *x, size_t bytes) { return memcpy(malloc(bytes), x, bytes); }
static void *part(const hexcc_mpi_part *p) { return memset(malloc(p->bytes + 1), 0xff, p->bytes); }
static void check(const char *what, int same)
{
  if (rank == 0 && !same)
    printf("%s differs\n", what), wrong = 1;
}
#define SHARE(f, k, whole, mine) do { hexcc_mpi_part p; if (f##_part(MPI_COMM_WORLD, n, m, k, &p)) { MPI_Finalize(); return 3; } \
  mine = part(&p); f##_scatter(MPI_COMM_WORLD, n, m, k, whole, mine); } while (0)
int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int n = atoi(argv[1]), m = atoi(argv[2]), steps = atoi(argv[3]);
  const size_t all = (size_t)n * m;
  srand(7);
  {
    double *A = filled(all, 8), *B = filled(all, 8), *a, *b, err = 1, found = 0, history[4] = {0}, history2[4] = {0};
    int iter = 0;
    if (argc > 4) A[m + 1] = 0.0 / 0.0 * A[0];
    double *A2 = copied(A, 8 * all), *B2 = copied(B, 8 * all);
    SHARE(by_most_mpi_0, by_most_mpi_0_A, A, a);
    SHARE(by_most_mpi_0, by_most_mpi_0_B, B, b);
    if (by_most_mpi_0(MPI_COMM_WORLD, n, m, steps, a, b, 1e-3, history, &err, &iter)) return 2;
    by_most_mpi_0_gather(MPI_COMM_WORLD, n, m, by_most_mpi_0_A, a, A);
    by_most_mpi_0_gather(MPI_COMM_WORLD, n, m, by_most_mpi_0_B, b, B);
    int it = by_most(n, m, steps, A2, B2, 1e-3, &found, history2);
    check("iterations by maximum", it == iter && !memcmp(&err, &found, 8) && !memcmp(history, history2, sizeof history));
    check("arrays by maximum", !memcmp(A, A2, 8 * all) && !memcmp(B, B2, 8 * all));
  }
  {
    float *A = filled(all, 4), *B = filled(all, 4), *A2 = copied(A, 4 * all), *B2 = copied(B, 4 * all), *a, *b;
    double sum = 0, last = 1e30;
    int count = 0, step = 0, moved = 0;
    SHARE(by_sum_mpi_1, by_sum_mpi_1_A, A, a);
    SHARE(by_sum_mpi_1, by_sum_mpi_1_B, B, b);
    if (by_sum_mpi_1(MPI_COMM_WORLD, n, m, steps, a, b, BY_SUM)) return 2;
    by_sum_mpi_1_gather(MPI_COMM_WORLD, n, m, by_sum_mpi_1_A, a, A);
    by_sum_mpi_1_gather(MPI_COMM_WORLD, n, m, by_sum_mpi_1_B, b, B);
    const double both = by_sum(n, m, steps, A2, B2, &moved);
    check("scalars by sum", both == sum + last && moved == count);
    check("arrays by sum", !memcmp(A, A2, 4 * all) && !memcmp(B, B2, 4 * all));
  }
  {
    double *q = filled(all, 8), *r = filled(all, 8), *q2 = copied(q, 8 * all), *r2 = copied(r, 8 * all), *a, *b, at = 0, time = 0;
    SHARE(by_steps_mpi_2, by_steps_mpi_2_q, q, a);
    SHARE(by_steps_mpi_2, by_steps_mpi_2_r, r, b);
    if (by_steps_mpi_2(MPI_COMM_WORLD, n, m, steps, &a, &b, &at)) return 2;
    by_steps_mpi_2_gather(MPI_COMM_WORLD, n, m, by_steps_mpi_2_q, a, q);
    double *end = by_steps(n, m, steps, q2, r2, &time);
    check("time", at == time);
    check("what pointers lead to", !memcmp(q, end, 8 * all));
  }
  MPI_Finalize();
  return wrong;
}
`

// loopsOnRanks translates mpiLoops and compiles it for an MPI, with a change of what is printed. It returns the program.
func loopsOnRanks(t *testing.T, l mpirun.Library, change func(string) string) string {
	res := translated(t, "loops.c", mpiLoops, hexcc.Options{Base: "loops"})
	dir := t.TempDir()
	text, bySum := change(res.C.Text), "&sum, &last, &count, &step"
	files := map[string]string{"loops.hex.c": text, "loops.c": mpiLoops, "main.c": mpiLoopsMain}
	for _, f := range res.C.Named("loops") {
		if strings.HasSuffix(f.Name, ".h") {
			files[f.Name] = f.Text
			for line := range strings.Lines(f.Text) { // the order of what is set is that in which it is used
				if strings.HasPrefix(line, "int by_sum_mpi_1(") {
					bySum = ""
					for _, name := range []string{"sum", "last", "count", "step"} {
						require.Contains(t, line, "*"+name)
					}
					for _, p := range strings.Split(line[strings.Index(line, "float *B, ")+len("float *B, "):strings.LastIndex(line, ")")], ", ") {
						bySum += ", &" + p[strings.Index(p, "*")+1:]
					}
					bySum = strings.TrimPrefix(bySum, ", ")
				}
			}
		}
	}
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	program := filepath.Join(dir, "loops")
	cmd := exec.Command(l.Compiler, "-O0", "-w", "-ffp-contract=off", "-DBY_SUM="+bySum, "-o", program, "main.c", "loops.c", "loops.hex.c", "-lm")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}

// runLoops starts a program on ranks.
func runLoops(l mpirun.Library, program, ranks string, args ...string) (string, error) {
	return runLoopsFor("60", l, program, ranks, args...)
}

// runLoopsFor ends it after so many seconds.
func runLoopsFor(seconds string, l mpirun.Library, program, ranks string, args ...string) (string, error) {
	cmd := exec.Command("timeout", append([]string{seconds, l.Starter, "-n", ranks, program}, args...)...)
	cmd.Env = append(append(os.Environ(), mpirun.Environment()...), "OMP_NUM_THREADS=1")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestMPILoops compares loops that ranks run with the originals: on 1, 2, 3, 4 and 7 ranks, with a number that is none, with a row for each rank, and with more ranks than rows.
func TestMPILoops(t *testing.T) {
	for i, l := range theMPIsByTurns(t) {
		program := loopsOnRanks(t, l, asIs)
		for _, ranks := range [][]string{{"1", "2", "7"}, {"3", "4"}}[i] {
			for _, args := range [][]string{{"23", "14", "7"}, {"23", "9", "3", "nan"}} {
				out, err := runLoops(l, program, ranks, args...)
				require.NoError(t, err, "%s ranks, %v: %s", ranks, args, out)
			}
		}
		if i == 0 {
			out, err := runLoops(l, program, "4", "8", "5", "3")
			require.NoError(t, err, out)
			out, err = runLoops(l, program, "7", "6", "5", "3")
			require.Error(t, err)
			require.Contains(t, out, "7 ranks are too many for arrays of this size: at most")
		}
	}
}

// TestMPILoopMutants breaks what ranks do in loops: each must leave something else, or end.
func TestMPILoopMutants(t *testing.T) {
	l := theMPIs(t)[0]
	for i, m := range []mpiMutant{
		{"no common maximum", "  MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_MAX, by_most_mpi_0_all.comm);\n", ""},
		{"each rank sums by itself", "    MPI_Recv(x, (int)bytes, MPI_BYTE, by_sum_mpi_1_all.rank - 1, 99, by_sum_mpi_1_all.comm, MPI_STATUS_IGNORE);", "    ;"},
		{"a strip one row short", "static const int hexcc_since_lo[] = {-2};", "static const int hexcc_since_lo[] = {-1};"},
		{"a row of nobody", "return row >= by_sum_mpi_1_all.first", "return row > by_sum_mpi_1_all.first"},
	} {
		if !cases.Due(i, cases.Rounds) {
			continue
		}
		program := loopsOnRanks(t, l, func(text string) string {
			require.Contains(t, text, m.old, m.name)
			return strings.ReplaceAll(text, m.old, m.new)
		})
		_, err := runLoopsFor("15", l, program, "3", "23", "14", "7") // one waits for what is never sent
		require.Error(t, err, m.name)
	}
}

// TestMPILoopsQuiet: compilers have no warning of what is printed for loops.
func TestMPILoopsQuiet(t *testing.T) {
	l, dir := theMPIs(t)[0], t.TempDir()
	for _, f := range translated(t, "loops.c", mpiLoops, hexcc.Options{Base: "loops"}).C.Named("loops") {
		require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o666))
	}
	flags := []string{"-Wall", "-Wextra", "-Werror", "-fopenmp", "-O2", "-c", "loops.hex.c"}
	tool.RunIn(t, dir, l.Compiler, flags...)
	if clang := os.Getenv("HEXCC_CLANG"); clang != "" {
		tool.RunIn(t, dir, clang, append(flags, mpiIncludes(t, l)...)...)
	}
}

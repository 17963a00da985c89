package mpi

import "github.com/hexcc/hexcc/mpirun"

// This file has loops whose nests read rows that other ranks own, and the program that runs them.

// haloLoops reads arrays in several nests: one that nothing writes; nests under if, else, continue and break; three pointers that take turns, some of the time; columns up to one that changes; rows at the ends alone.
const haloLoops = `
#include <math.h>

double branches(int n, int m, int steps, double A[n][m], double B[n][m], double C[n][m], double D[n][m])
{
    double most = 2.0;
    int k = 0;
#pragma scop
    while (most > 1e-9 && k < steps) {
        k++;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                B[i][j] = 0.5 * A[i][j] + 0.125 * (A[i - 1][j] * C[i - 1][j] + A[i + 1][j] * C[i + 1][j]);
        if (k % 3 == 1) {
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    D[i][j] += A[i + 1][j] - C[i - 1][j];
            continue;
        }
        most = 0.0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                most = fmax(most, fabs(B[i][j] - D[i - 1][j]));
        if (k % 3 == 2)
            for (int i = 0; i < n; i++)
                for (int j = 2; j < m; j++)
                    A[i][j] = 0.75 * B[i][j];
        else if (k == 9)
            break;
        else
            for (int i = 0; i < n; i++)
                A[i][0] = D[i][0];
    }
#pragma endscop
    return most;
}

void *turns(int n, int m, int steps, double (*p)[m], double (*q)[m], double (*r)[m], double *top)
{
    double most = 0.0;
#pragma scop
    for (int k = 0; k < steps; k++) {
        for (int j = 0; j < m; j++)
            p[0][j] = p[1][j];
        for (int i = 0; i < n; i++)
            p[i][m - 1] = 0.5;
        most = 0.0;
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++)
                most = fmax(most, p[i][j]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m - 1; j++)
                q[i][j] = 0.3 * (p[i - 1][j] + p[i + 1][j] + r[i - 1][j]) + 0.01 * most;
        if (k % 4 != 1) {
            double (*t)[m] = p;
            p = q;
            q = r;
            r = t;
        }
    }
#pragma endscop
    *top = most;
    return p;
}

double columns(int n, int m, int steps, double A[n][m], double B[n][m])
{
    double sum = 0.0;
#pragma scop
    for (int k = 0; k < steps; k++) {
        int most = 2 + (k / 2 * 5 + 3) % (m - 2);
        for (int i = 1; i < n; i++)
            for (int j = 0; j < most; j++)
                B[i][j] += A[i - 1][j];
        sum = 0.0;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                sum += B[i][j];
        if (k % 3 == 2)
            for (int i = 1; i < n; i++)
                for (int j = 0; j < m; j++)
                    A[i][j] = 0.5 * A[i][j] + sum * 1e-3;
    }
#pragma endscop
    return sum;
}
`

// sentHead stands between a program and MPI: it counts messages and bytes, and lets those of every second rank be late where HEXCC_DELAY says so.
const sentHead = `
static long long sent[2];
static int counting, rank, wrong;
static void delay(void) // every second rank, where HEXCC_DELAY says so
{
  if (counting && rank % 2 && getenv("HEXCC_DELAY"))
    usleep(1000);
}
` + mpirun.Counters

// haloMain runs the three on ranks, and the originals on rank 0, and compares all bits. Each rank prints how many messages and bytes it has sent in each of them; nothing is in memory but what ranks own, or have been sent.
const haloMain = `
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "halos.hex.h"
double branches(int n, int m, int steps, double *A, double *B, double *C, double *D);
void *turns(int n, int m, int steps, void *p, void *q, void *r, double *top);
double columns(int n, int m, int steps, double *A, double *B);
` + sentHead + `static double *filled(size_t count)
{
  double *x = malloc(count * 8);
  for (size_t k = 0; k < count; k++)
    x[k] = rand() % 1000 * 1e-3 + 0.1;
  return x;
}
static double *copied(const double *x, size_t count) { return memcpy(malloc(8 * count), x, 8 * count); }
static void check(const char *what, const double *x, const double *y, size_t count)
{
  if (rank == 0 && memcmp(x, y, 8 * count))
    printf("%s differs\n", what), wrong = 1;
}
static double *scattered(const hexcc_mpi_part *p) { return p->bytes ? memset(malloc(p->bytes), 0xff, p->bytes) : 0; }
static void start(void) { MPI_Barrier(MPI_COMM_WORLD), sent[0] = sent[1] = 0, counting = 1; }
static void end(int which)
{
  counting = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  fprintf(stderr, "sent %d %d %lld %lld\n", which, rank, sent[0], sent[1]);
}
#define SHARE(f, k, whole, mine) do { hexcc_mpi_part part; if (f##_part(MPI_COMM_WORLD, n, m, k, &part)) { MPI_Finalize(); return 3; } \
  mine = scattered(&part); f##_scatter(MPI_COMM_WORLD, n, m, k, whole, mine); } while (0)
int main(int argc, char **argv)
{
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int n = atoi(argv[1]), m = atoi(argv[2]), steps = atoi(argv[3]);
  const size_t all = (size_t)n * m;
  srand(7);
  double *A = filled(all), *B = filled(all), *C = filled(all), *D = filled(all), *A2 = copied(A, all), *B2 = copied(B, all), *C2 = copied(C, all), *D2 = copied(D, all), *a, *b, *c, *d;
  {
    double most = 2.0;
    int k = 0;
    SHARE(branches_mpi_0, branches_mpi_0_A, A, a);
    SHARE(branches_mpi_0, branches_mpi_0_B, B, b);
    SHARE(branches_mpi_0, branches_mpi_0_C, C, c);
    SHARE(branches_mpi_0, branches_mpi_0_D, D, d);
    start();
    if (branches_mpi_0(BRANCHES)) return 2;
    end(0);
    branches_mpi_0_gather(MPI_COMM_WORLD, n, m, branches_mpi_0_A, a, A);
    branches_mpi_0_gather(MPI_COMM_WORLD, n, m, branches_mpi_0_B, b, B);
    branches_mpi_0_gather(MPI_COMM_WORLD, n, m, branches_mpi_0_D, d, D);
    const double found = branches(n, m, steps, A2, B2, C2, D2);
    check("maximum", &found, &most, 1), check("A", A, A2, all), check("B", B, B2, all), check("D", D, D2, all);
  }
  {
    double top = 0, found = 0;
    SHARE(turns_mpi_1, turns_mpi_1_p, A, a);
    SHARE(turns_mpi_1, turns_mpi_1_q, B, b);
    SHARE(turns_mpi_1, turns_mpi_1_r, C, c);
    start();
    if (turns_mpi_1(TURNS)) return 2;
    end(1);
    turns_mpi_1_gather(MPI_COMM_WORLD, n, m, turns_mpi_1_p, a, A);
    check("what p leads to", A, turns(n, m, steps, A2, B2, C2, &found), all), check("top", &top, &found, 1);
  }
  {
    double sum = 0;
    memcpy(A2, A, 8 * all), memcpy(B2, B, 8 * all);
    SHARE(columns_mpi_2, columns_mpi_2_A, A, a);
    SHARE(columns_mpi_2, columns_mpi_2_B, B, b);
    start();
    if (columns_mpi_2(COLUMNS)) return 2;
    end(2);
    columns_mpi_2_gather(MPI_COMM_WORLD, n, m, columns_mpi_2_A, a, A);
    columns_mpi_2_gather(MPI_COMM_WORLD, n, m, columns_mpi_2_B, b, B);
    const double found = columns(n, m, steps, A2, B2);
    check("sum", &found, &sum, 1), check("A of columns", A, A2, all), check("B of columns", B, B2, all);
  }
  MPI_Finalize();
  return wrong;
}
`

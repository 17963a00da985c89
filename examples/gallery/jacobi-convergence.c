/*
 * Laplace's equation  u_xx + u_yy = 0  on the unit square with Dirichlet
 * sides: a standing wave sin(3 pi x) on the top side, a half sine on the left
 * and zero elsewhere.  Jacobi iteration on an n x n grid until the largest
 * change of a sweep is below the tolerance.
 *
 * Usage: jacobi-convergence [n] [maxiter] [picture.pgm]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#define TOL 2.0e-5

static void init(int n, double (*A)[n], double (*Anew)[n])
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            A[j][i] = 0.0;

    for (int i = 0; i < n; i++) {
        double s = (double)i / (n - 1);
        A[0][i] = sin(3.0 * M_PI * s);      /* top */
        A[i][0] = 0.7 * sin(M_PI * s);      /* left */
    }

    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            Anew[j][i] = A[j][i];
}

static int solve(int n, double (*A)[n], double (*Anew)[n],
                 double tol, int iter_max, double *final_err)
{
    int iter = 0;
    double err = 1.0;

#pragma scop
    while (err > tol && iter < iter_max) {
        err = 0.0;

#pragma omp parallel for reduction(max:err)
        for (int j = 1; j < n - 1; j++) {
            for (int i = 1; i < n - 1; i++) {
                Anew[j][i] = 0.25 * (A[j][i + 1] + A[j][i - 1]
                                   + A[j - 1][i] + A[j + 1][i]);
                err = fmax(err, fabs(Anew[j][i] - A[j][i]));
            }
        }

#pragma omp parallel for
        for (int j = 1; j < n - 1; j++) {
            for (int i = 1; i < n - 1; i++) {
                A[j][i] = Anew[j][i];
            }
        }

        iter++;
    }
#pragma endscop

    *final_err = err;
    return iter;
}

static void write_pgm(const char *name, int n, double (*A)[n])
{
    FILE *fp = fopen(name, "wb");
    int skip = (n + 399) / 400, w = (n + skip - 1) / skip;
    double lo = A[0][0], hi = A[0][0];

    if (!fp) {
        perror(name);
        exit(EXIT_FAILURE);
    }
    for (int j = 0; j < n; j += skip)
        for (int i = 0; i < n; i += skip) {
            lo = fmin(lo, A[j][i]);
            hi = fmax(hi, A[j][i]);
        }
    fprintf(fp, "P5\n%d %d\n255\n", w, w);
    for (int j = 0; j < n; j += skip)
        for (int i = 0; i < n; i += skip)
            fputc(hi > lo ? (int)(255.0 * (A[j][i] - lo) / (hi - lo)) : 0, fp);
    fclose(fp);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 160;
    int iter_max = argc > 2 ? atoi(argv[2]) : 10000;
    if (n < 3 || iter_max < 0) {
        fprintf(stderr, "usage: %s [n >= 3] [maxiter] [picture.pgm]\n", argv[0]);
        return EXIT_FAILURE;
    }

    double (*A)[n] = malloc(sizeof(double[n][n]));
    double (*Anew)[n] = malloc(sizeof(double[n][n]));
    if (!A || !Anew) {
        fprintf(stderr, "out of memory\n");
        return EXIT_FAILURE;
    }

    init(n, A, Anew);

    double err;
    int iter = solve(n, A, Anew, TOL, iter_max, &err);

    double sum = 0.0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            sum += A[j][i];
    printf("Jacobi %d x %d: %d iterations, max change %.17g\n", n, n, iter, err);
    printf("mean value %.17g\n", sum / ((double)n * n));

    if (argc > 3)
        write_pgm(argv[3], n, A);
    free(A);
    free(Anew);
    return 0;
}

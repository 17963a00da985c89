// Ghost cells of a periodic grid are set in the array that is read, which the last step wrote; the loop ends by the largest change.
// RUN 1 1 0.01|1 3 0.01|1 3 -1|2 3 0.01|2 9 0.05|3 30 0.02|17 33 0.02|40 30 0.001
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), steps = atoi(argv[2]);
    double tol = argc > 3 ? atof(argv[3]) : 0;
    double (*u)[n + 2] = malloc(sizeof(double[n + 2][n + 2]));
    double (*next)[n + 2] = malloc(sizeof(double[n + 2][n + 2]));
    for (int i = 0; i < n + 2; i++)
        for (int j = 0; j < n + 2; j++) {
            u[i][j] = (i * 7 + j * 13) % 101 / 101.0;
            next[i][j] = (i * 5 + j * 3) % 97 / 97.0;
        }

    double err = 1;
    int t = 0;
#pragma scop
    while (err > tol && t < steps) {
        err = 0;
        for (int j = 1; j < n + 1; j++) {
            u[0][j] = u[n][j];
            u[n + 1][j] = u[1][j];
        }
        for (int i = 1; i < n + 1; i++) {
            u[i][0] = u[i][n];
            u[i][n + 1] = u[i][1];
        }
        for (int i = 1; i < n + 1; i++)
            for (int j = 1; j < n + 1; j++) {
                next[i][j] = 0.5 * u[i][j] + 0.125 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
                err = fmax(err, fabs(next[i][j] - u[i][j]));
            }
        double (*tmp)[n + 2] = u;
        u = next;
        next = tmp;
        t++;
    }
#pragma endscop
    printf("%d steps, %a\n", t, err);
    for (int i = 0; i < n + 2; i++)
        for (int j = 0; j < n + 2; j++)
            printf("%a %a\n", u[i][j], next[i][j]);
    return 0;
}

#include <stdio.h>
#include <stdlib.h>

enum { SOURCES = 4, HOURS = 3 };

struct source {
    float rate;
    int i, j;
};

static const double profile[HOURS] = {0.25, 1.5, 0.125};

/* Sources at the borders, which no other nest of a step changes, and in the middle: the last ones in any order of rows. */
int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 40, m = argc > 2 ? atoi(argv[2]) : 9, steps = argc > 3 ? atoi(argv[3]) : 12, hour = argc > 4 ? atoi(argv[4]) : 2;
    struct source s[SOURCES] = {{1.5f, n - 1, 0}, {0.75f, n / 2, m / 2}, {0.3f, 0, m - 1}, {2.0f, n / 3, m / 2}};
    double (*a)[m] = malloc(sizeof(double) * n * m), (*b)[m] = malloc(sizeof(double) * n * m);

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = b[i][j] = (i * 31 + j * 17) % 23 / 23.0;
#pragma scop
    for (int t = 0; t < steps; t++) {
        const double strength = 0.5 * profile[(t / hour) % HOURS];
        for (int i = 1; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                b[i][j] = 0.5 * a[i][j] + 0.25 * (a[i - 1][j] + a[i + 1][j]);
        for (int k = 0; k < SOURCES; k++)
            b[s[k].i][s[k].j] += strength * s[k].rate;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i][j] = b[i][j];
    }
#pragma endscop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            printf("%d %d %.17g\n", i, j, a[i][j]);
    free(a);
    free(b);
    return 0;
}

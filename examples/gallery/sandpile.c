/*
 * Abelian sandpile (Bak, Tang, Wiesenfeld), synchronous toppling.
 *
 * A site holding four grains or more topples: it sends a quarter of its grains
 * (rounded down) to each of its four neighbours.  All sites topple at once.
 * Grains that leave the table are lost; the table is framed by a rim that stays
 * empty.  Starting from one tall pile the well known fractal develops.
 *
 * usage: sandpile [n] [sweeps] [picture.pgm]
 */
#include <stdio.h>
#include <stdlib.h>

/* rows and columns 0..n+1, all zero */
static int **new_table(int n)
{
    int **a = malloc((n + 2) * sizeof *a);
    for (int i = 0; i <= n + 1; i++)
        a[i] = calloc(n + 2, sizeof *a[i]);
    return a;
}

static void free_table(int **a, int n)
{
    for (int i = 0; i <= n + 1; i++)
        free(a[i]);
    free(a);
}

static void topple(int **z, int **znew, int n)
{
    int i, j;

#pragma omp parallel for private(j)
    for (i = 1; i <= n; i++)
        for (j = 1; j <= n; j++)
            znew[i][j] = z[i][j] % 4
                       + z[i - 1][j] / 4 + z[i + 1][j] / 4
                       + z[i][j - 1] / 4 + z[i][j + 1] / 4;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 121;
    int sweeps = argc > 2 ? atoi(argv[2]) : 5000;
    int grains = n * n + n * n / 4;

    int **z = new_table(n);
    int **znew = new_table(n);
    z[(n + 1) / 2][(n + 1) / 2] = grains;

#pragma scop
    for (int t = 0; t < sweeps; t++) {
        topple(z, znew, n);
        int **tmp = z;
        z = znew;
        znew = tmp;
    }
#pragma endscop

    long left = 0, unstable = 0, count[4] = { 0, 0, 0, 0 };
    unsigned checksum = 0;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) {
            left += z[i][j];
            checksum = 31u * checksum + (unsigned)z[i][j];
            if (z[i][j] > 3)
                unstable++;
            else
                count[z[i][j]]++;
        }
    printf("%d grains dropped, %ld on the table after %d sweeps, %ld sites unstable\n",
           grains, left, sweeps, unstable);
    printf("heights 0..3: %ld %ld %ld %ld checksum %08x\n",
           count[0], count[1], count[2], count[3], checksum);

    if (argc > 3) {
        FILE *fp = fopen(argv[3], "wb");
        if (!fp) {
            perror(argv[3]);
            return 1;
        }
        int s = (n + 399) / 400, m = (n + s - 1) / s;
        fprintf(fp, "P5\n%d %d\n255\n", m, m);
        for (int i = 1; i <= n; i += s)
            for (int j = 1; j <= n; j += s)
                fputc(z[i][j] > 3 ? 255 : 80 * z[i][j], fp);
        fclose(fp);
    }
    free_table(z, n);
    free_table(znew, n);
    return 0;
}

/*
 * Greenberg-Hastings cellular automaton, a model of excitable media (1978).
 *
 * Cells are resting (0), excited (1) or refractory (2 .. STATES-1).  A resting
 * cell becomes excited if at least THRESHOLD of its eight neighbours are; an
 * excited or refractory cell goes on to the next state and finally back to
 * rest.  On a torus, an initial state of random tiles organises itself into
 * square spiral waves.
 *
 * usage: greenberg-hastings [n] [steps] [picture.pgm]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { REST = 0, EXCITED = 1, STATES = 8, THRESHOLD = 1, TILE = 6 };

static void step(unsigned n, uint8_t old[n][n], uint8_t new[n][n])
{
#pragma omp parallel for schedule(static)
    for (unsigned i = 0; i < n; i++) {
        for (unsigned j = 0; j < n; j++) {
            uint8_t s = old[i][j];
            if (s == REST) {
                int excited = 0;
                for (int di = -1; di <= 1; di++)
                    for (int dj = -1; dj <= 1; dj++)
                        if (old[(i + di + n) % n][(j + dj + n) % n] == EXCITED)
                            excited++;
                new[i][j] = excited >= THRESHOLD ? EXCITED : REST;
            } else {
                new[i][j] = (s + 1) % STATES;
            }
        }
    }
}

/* tiles of side TILE, each in a random state */
static void init(unsigned n, uint8_t a[n][n])
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) {
            uint32_t r = (i / TILE) * 73856093u ^ (j / TILE) * 19349663u;
            r = (r ^ r >> 13) * 0x5bd1e995u;
            a[i][j] = (r >> 15) % STATES;
        }
}

static void write_pgm(const char *path, unsigned n, uint8_t a[n][n])
{
    unsigned s = (n + 399) / 400, m = (n + s - 1) / s;
    FILE *fp = fopen(path, "wb");
    if (!fp) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    fprintf(fp, "P5\n%u %u\n255\n", m, m);
    for (unsigned i = 0; i < n; i += s)
        for (unsigned j = 0; j < n; j += s)
            fputc(a[i][j] == REST ? 0 : 255 - 255 * (a[i][j] - 1) / (STATES - 1), fp);
    fclose(fp);
}

int main(int argc, char **argv)
{
    unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 400;
    int steps = argc > 2 ? atoi(argv[2]) : 300;

    uint8_t (*cur)[n] = malloc(sizeof(uint8_t[n][n]));
    uint8_t (*nxt)[n] = malloc(sizeof(uint8_t[n][n]));
    if (!cur || !nxt) {
        fputs("out of memory\n", stderr);
        return EXIT_FAILURE;
    }
    init(n, cur);

#pragma scop
    for (int t = 0; t < steps; t++) {
        step(n, cur, nxt);
        uint8_t (*tmp)[n] = cur;
        cur = nxt;
        nxt = tmp;
    }
#pragma endscop

    long count[STATES] = { 0 };
    uint32_t sum = 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) {
            count[cur[i][j]]++;
            sum = sum * 31u + cur[i][j];
        }
    printf("Greenberg-Hastings %ux%u after %d steps, checksum %08x\n", n, n, steps, (unsigned)sum);
    printf("states:");
    for (int s = 0; s < STATES; s++)
        printf(" %ld", count[s]);
    printf("\n");
    if (argc > 3)
        write_pgm(argv[3], n, cur);
    free(cur);
    free(nxt);
    return 0;
}

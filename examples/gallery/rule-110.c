/*
 * Elementary cellular automaton, rule 110 (Wolfram's numbering).
 *
 * The new state of a cell is bit 4*left + 2*centre + right of the rule number;
 * the row of cells is a ring.  All generations are kept, one per row, so that
 * the array is the space-time diagram (time runs downwards).
 *
 * usage: rule-110 [cells] [generations] [picture.pgm]
 */
#include <stdio.h>
#include <stdlib.h>

#define RULE 110

static void evolve(int n, int gens, unsigned char (*cell)[n])
{
    int t, i;

#pragma scop
    for (t = 0; t < gens; t++) {
#pragma omp parallel for
        for (i = 0; i < n; i++) {
            int left  = cell[t][i == 0 ? n - 1 : i - 1];
            int mid   = cell[t][i];
            int right = cell[t][i == n - 1 ? 0 : i + 1];
            cell[t + 1][i] = (RULE >> (left << 2 | mid << 1 | right)) & 1;
        }
    }
#pragma endscop
}

/* the last generations and the rightmost cells of the diagram */
static int write_pgm(const char *path, int n, int rows, unsigned char (*cell)[n])
{
    int w = n < 400 ? n : 400;
    int h = rows < 400 ? rows : 400;
    FILE *fp = fopen(path, "wb");
    if (!fp)
        return -1;
    fprintf(fp, "P5\n%d %d\n255\n", w, h);
    for (int t = rows - h; t < rows; t++)
        for (int i = n - w; i < n; i++)
            fputc(cell[t][i] ? 0 : 255, fp);
    return fclose(fp);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 6000;
    int gens = argc > 2 ? atoi(argv[2]) : 6000;

    if (n < 1 || gens < 1) {
        fprintf(stderr, "usage: %s [cells] [generations] [picture.pgm]\n", argv[0]);
        return 1;
    }

    unsigned char (*cell)[n] = calloc(gens + 1, sizeof *cell);
    if (!cell) {
        fprintf(stderr, "cannot allocate %d x %d cells\n", gens + 1, n);
        return 1;
    }

    /* random first generation */
    unsigned r = 110;
    for (int i = 0; i < n; i++) {
        r = r * 69069u + 1u;
        cell[0][i] = r >> 31;
    }

    evolve(n, gens, cell);

    long last = 0, total = 0;
    unsigned hash = 2166136261u;
    for (int i = 0; i < n; i++) {
        last += cell[gens][i];
        hash = (hash ^ cell[gens][i]) * 16777619u;
    }
    for (int t = 0; t <= gens; t++)
        for (int i = 0; i < n; i++)
            total += cell[t][i];
    printf("rule %d, %d cells, %d generations\n", RULE, n, gens);
    printf("ones in the last row %ld, in all rows %ld, density %.17g, hash %08x\n", last, total,
           (double)total / ((double)n * (gens + 1)), hash);

    if (argc > 3 && write_pgm(argv[3], n, gens + 1, cell) != 0)
        perror(argv[3]);
    free(cell);
    return 0;
}

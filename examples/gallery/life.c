/*
 * Conway's Game of Life (B3/S23) on a torus.
 *
 * A cell is born with exactly three live neighbours and survives with two or
 * three.  The board starts as a random soup of about one third live cells with
 * a few gliders thrown into an empty strip.
 *
 * usage: life [n] [generations] [board.pgm]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void next_generation(const uint8_t *cur, uint8_t *next, int w, int h)
{
#pragma omp parallel for
    for (int y = 0; y < h; y++) {
        int ym = (y + h - 1) % h;
        int yp = (y + 1) % h;
        for (int x = 0; x < w; x++) {
            int xm = x == 0 ? w - 1 : x - 1;
            int xp = x == w - 1 ? 0 : x + 1;
            int n = cur[ym * w + xm] + cur[ym * w + x] + cur[ym * w + xp]
                  + cur[y  * w + xm]                   + cur[y  * w + xp]
                  + cur[yp * w + xm] + cur[yp * w + x] + cur[yp * w + xp];
            next[y * w + x] = n == 3 || (n == 2 && cur[y * w + x]);
        }
    }
}

static void soup(uint8_t *board, int w, int h)
{
    uint32_t r = 0x9e3779b9u;
    for (int i = 0; i < w * h; i++) {
        r = r * 1664525u + 1013904223u;
        board[i] = (r >> 24) % 3 == 0;
    }
}

static void glider(uint8_t *board, int w, int h, int y0, int x0)
{
    static const char *const shape[3] = { ".O.", "..O", "OOO" };
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < 3; x++)
            board[(y0 + y) % h * w + (x0 + x) % w] = shape[y][x] == 'O';
}

static void save_board(const char *name, const uint8_t *board, int w, int h)
{
    FILE *f = fopen(name, "wb");
    if (!f) {
        perror(name);
        exit(1);
    }
    int pw = w < 400 ? w : 400, ph = h < 400 ? h : 400;     /* a corner of a big board */
    fprintf(f, "P5\n%d %d\n255\n", pw, ph);
    for (int y = 0; y < ph; y++)
        for (int x = 0; x < pw; x++)
            fputc(board[y * w + x] ? 255 : 0, f);
    fclose(f);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 384;
    int generations = argc > 2 ? atoi(argv[2]) : 300;
    int w = n, h = n;

    uint8_t *cur = malloc((size_t)w * h);
    uint8_t *next = malloc((size_t)w * h);
    if (!cur || !next)
        return 1;

    soup(cur, w, h);
    memset(cur, 0, (size_t)(h / 4) * w);
    for (int x = 0; x + 8 < w; x += 12)
        glider(cur, w, h, 2 + x % 5, x);

#pragma scop
    for (int gen = 0; gen < generations; gen++) {
        next_generation(cur, next, w, h);
        uint8_t *tmp = cur;
        cur = next;
        next = tmp;
    }
#pragma endscop

    long alive = 0;
    uint32_t hash = 2166136261u;
    for (int i = 0; i < w * h; i++) {
        alive += cur[i];
        hash = (hash ^ cur[i]) * 16777619u;
    }
    printf("generation %d: %ld of %ld cells alive, hash %08x\n", generations, alive,
           (long)w * h, (unsigned)hash);
    if (argc > 3)
        save_board(argv[3], cur, w, h);
    free(cur);
    free(next);
    return 0;
}

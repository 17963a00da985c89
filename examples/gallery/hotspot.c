/*
 * Transient temperature of a processor die.  The chip is cut into row x col
 * cells; each cell exchanges heat with its four neighbours (thermal resistances
 * Rx, Ry) and with the ambient through the package (Rz), stores heat (Cap) and
 * is heated by its share of the power map:
 *     Cap dT/dt = P + (T_E + T_W - 2T)/Rx + (T_N + T_S - 2T)/Ry + (T_amb - T)/Rz
 * Explicit Euler steps.  Cells at the rim have no neighbour outside.
 *
 * Usage: hotspot [n] [steps] [picture.pgm]
 */
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

typedef float FLOAT;

#define MAX_PD       (3.0e6)    /* maximum power density, W/m^2 */
#define PRECISION    0.004
#define SPEC_HEAT_SI 1.75e6
#define K_SI         100
#define FACTOR_CHIP  0.5        /* capacitance fitting factor */

static const FLOAT t_chip = 0.0005, chip_height = 0.016, chip_width = 0.016;
static const FLOAT amb_temp = 80.0;

static void single_iteration(FLOAT *result, FLOAT *temp, FLOAT *power, int row, int col,
                             FLOAT Cap_1, FLOAT Rx_1, FLOAT Ry_1, FLOAT Rz_1)
{
    int r, c;
    FLOAT delta;

#pragma omp parallel for private(r, c, delta)
    for (r = 0; r < row; r++) {
        for (c = 0; c < col; c++) {
            if (r == 0 && c == 0) {                         /* corners */
                delta = Cap_1 * (power[0] + (temp[1] - temp[0]) * Rx_1 +
                        (temp[col] - temp[0]) * Ry_1 + (amb_temp - temp[0]) * Rz_1);
            } else if (r == 0 && c == col - 1) {
                delta = Cap_1 * (power[c] + (temp[c - 1] - temp[c]) * Rx_1 +
                        (temp[c + col] - temp[c]) * Ry_1 + (amb_temp - temp[c]) * Rz_1);
            } else if (r == row - 1 && c == col - 1) {
                delta = Cap_1 * (power[r * col + c] +
                        (temp[r * col + c - 1] - temp[r * col + c]) * Rx_1 +
                        (temp[(r - 1) * col + c] - temp[r * col + c]) * Ry_1 +
                        (amb_temp - temp[r * col + c]) * Rz_1);
            } else if (r == row - 1 && c == 0) {
                delta = Cap_1 * (power[r * col] +
                        (temp[r * col + 1] - temp[r * col]) * Rx_1 +
                        (temp[(r - 1) * col] - temp[r * col]) * Ry_1 +
                        (amb_temp - temp[r * col]) * Rz_1);
            } else if (r == 0) {                            /* edges */
                delta = Cap_1 * (power[c] +
                        (temp[c + 1] + temp[c - 1] - 2.0f * temp[c]) * Rx_1 +
                        (temp[col + c] - temp[c]) * Ry_1 + (amb_temp - temp[c]) * Rz_1);
            } else if (c == col - 1) {
                delta = Cap_1 * (power[r * col + c] +
                        (temp[(r + 1) * col + c] + temp[(r - 1) * col + c] - 2.0f * temp[r * col + c]) * Ry_1 +
                        (temp[r * col + c - 1] - temp[r * col + c]) * Rx_1 +
                        (amb_temp - temp[r * col + c]) * Rz_1);
            } else if (r == row - 1) {
                delta = Cap_1 * (power[r * col + c] +
                        (temp[r * col + c + 1] + temp[r * col + c - 1] - 2.0f * temp[r * col + c]) * Rx_1 +
                        (temp[(r - 1) * col + c] - temp[r * col + c]) * Ry_1 +
                        (amb_temp - temp[r * col + c]) * Rz_1);
            } else if (c == 0) {
                delta = Cap_1 * (power[r * col] +
                        (temp[(r + 1) * col] + temp[(r - 1) * col] - 2.0f * temp[r * col]) * Ry_1 +
                        (temp[r * col + 1] - temp[r * col]) * Rx_1 +
                        (amb_temp - temp[r * col]) * Rz_1);
            } else {                                        /* inside */
                delta = Cap_1 * (power[r * col + c] +
                        (temp[(r + 1) * col + c] + temp[(r - 1) * col + c] - 2.0f * temp[r * col + c]) * Ry_1 +
                        (temp[r * col + c + 1] + temp[r * col + c - 1] - 2.0f * temp[r * col + c]) * Rx_1 +
                        (amb_temp - temp[r * col + c]) * Rz_1);
            }
            result[r * col + c] = temp[r * col + c] + delta;
        }
    }
}

static FLOAT *compute_tran_temp(FLOAT *result, int num_iterations, FLOAT *temp,
                                FLOAT *power, int row, int col)
{
    FLOAT grid_height = chip_height / row, grid_width = chip_width / col;
    FLOAT Cap = FACTOR_CHIP * SPEC_HEAT_SI * t_chip * grid_width * grid_height;
    FLOAT Rx = grid_width / (2.0 * K_SI * t_chip * grid_height);
    FLOAT Ry = grid_height / (2.0 * K_SI * t_chip * grid_width);
    FLOAT Rz = t_chip / (K_SI * grid_height * grid_width);
    FLOAT step = PRECISION / (MAX_PD / (FACTOR_CHIP * t_chip * SPEC_HEAT_SI));
    if (step > 0.2f * Cap * Rx)     /* stability on fine grids */
        step = 0.2f * Cap * Rx;
    FLOAT Rx_1 = 1.f / Rx, Ry_1 = 1.f / Ry, Rz_1 = 1.f / Rz, Cap_1 = step / Cap;
    FLOAT *r = result, *t = temp;

#pragma scop
    for (int i = 0; i < num_iterations; i++) {
        single_iteration(r, t, power, row, col, Cap_1, Rx_1, Ry_1, Rz_1);
        FLOAT *tmp = t;
        t = r;
        r = tmp;
    }
#pragma endscop

    return t;
}

static void write_pgm(const char *name, const FLOAT *t, int n)
{
    FILE *fp = fopen(name, "wb");
    int s = (n + 399) / 400, w = (n + s - 1) / s;
    FLOAT lo = t[0], hi = t[0];
    for (int i = 0; i < n * n; i++) {
        lo = t[i] < lo ? t[i] : lo;
        hi = t[i] > hi ? t[i] : hi;
    }
    if (!fp) exit(1);
    fprintf(fp, "P5\n%d %d\n255\n", w, w);
    for (int r = 0; r < n; r += s)
        for (int c = 0; c < n; c += s)
            fputc(hi > lo ? (int)(255.0f * (t[r * n + c] - lo) / (hi - lo)) : 0, fp);
    fclose(fp);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 400, steps = argc > 2 ? atoi(argv[2]) : 400;
    if (n < 2 || steps < 0)
        return fprintf(stderr, "usage: %s [n] [steps] [picture.pgm]\n", argv[0]), 1;
    size_t bytes = sizeof(FLOAT) * n * n;
    FLOAT *temp = malloc(bytes), *result = malloc(bytes), *power = malloc(bytes);
    if (!temp || !result || !power) return 1;

    /* floor plan: four cores, a shared cache and a memory controller, W/m^2 */
    static const FLOAT unit[6][5] = {
        { .06, .06, .28, .30, 3.0e6 }, { .06, .42, .28, .66, 2.2e6 }, { .06, .76, .28, .95, 0.8e6 },
        { .36, .06, .55, .30, 2.6e6 }, { .36, .40, .90, .95, 0.4e6 }, { .66, .06, .94, .22, 1.2e6 } };
    FLOAT cell = chip_height / n * (chip_width / n);
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) {
            FLOAT y = (r + 0.5f) / n, x = (c + 0.5f) / n, pd = 0.1e6;
            for (int u = 0; u < 6; u++)
                if (y > unit[u][0] && x > unit[u][1] && y < unit[u][2] && x < unit[u][3])
                    pd = unit[u][4];
            power[r * n + c] = pd * cell;
            temp[r * n + c] = amb_temp;
        }

    FLOAT *t = compute_tran_temp(result, steps, temp, power, n, n);

    double sum = 0.0;
    FLOAT peak = t[0];
    for (int i = 0; i < n * n; i++)
        sum += t[i], peak = t[i] > peak ? t[i] : peak;
    printf("%d x %d cells, %d steps: mean %.17g, peak %.9g\n", n, n, steps, sum / ((double)n * n), peak);
    if (argc > 3)
        write_pgm(argv[3], t, n);
    free(temp), free(result), free(power);
    return 0;
}

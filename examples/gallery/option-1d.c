/*
 * American put option by explicit finite differences.  The Black-Scholes
 * equation  V_t + s^2 S^2 V_SS / 2 + r S V_S - r V = 0  is marched from expiry
 * back to today on a uniform grid of asset prices; after each step the value is
 * kept at or above the payoff (early exercise).
 *
 * Usage: option-1d [asset steps] [time steps] [picture.pgm]
 * (default: the time steps of one year; the picture shows the time value
 * V - payoff, price to the right, time to expiry downwards)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#define max(a, b) ((a) > (b) ? (a) : (b))
#define PICROWS 200

static const double strike = 100.0, rate = 0.05, sigma = 0.25;

struct pricer {
    int nas;                    /* asset steps, S = 0 .. 2 strike */
    double dS, dt;
    double *V, *Vold, *payoff;
};

static void swap(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

/* From time level hi back to time level lo. */
static void march(struct pricer *o, int hi, int lo)
{
    const int n = o->nas;
    const double dS = o->dS, dt = o->dt;

#pragma scop
    for (int m = hi - 1; m >= lo; m--) {
        swap(&o->V, &o->Vold);
        double *V = o->V, *Vold = o->Vold, *payoff = o->payoff;

#pragma omp parallel for
        for (int i = 1; i < n; i++) {
            double S = i * dS;
            double delta = (Vold[i + 1] - Vold[i - 1]) / (2.0 * dS);
            double gamma = (Vold[i + 1] - 2.0 * Vold[i] + Vold[i - 1]) / (dS * dS);
            double theta = rate * Vold[i] - 0.5 * sigma * sigma * S * S * gamma - rate * S * delta;
            V[i] = max(Vold[i] - dt * theta, payoff[i]);
        }
        V[0] = strike;                          /* exercised at once */
        V[n] = max(2.0 * V[n - 1] - V[n - 2], 0.0);     /* gamma = 0 */
    }
#pragma endscop
}

int main(int argc, char **argv)
{
    struct pricer o;
    o.nas = argc > 1 ? atoi(argv[1]) : 800;
    if (o.nas < 4) {
        fprintf(stderr, "usage: %s [asset steps >= 4] [time steps] [picture.pgm]\n", argv[0]);
        return 1;
    }
    o.dS = 2.0 * strike / o.nas;
    o.dt = 0.9 / (sigma * sigma * o.nas * o.nas);       /* stability */
    int nts = argc > 2 ? atoi(argv[2]) : (int)(1.0 / o.dt) + 1;

    int np = o.nas + 1;
    o.V = malloc(np * sizeof(double));
    o.Vold = malloc(np * sizeof(double));
    o.payoff = malloc(np * sizeof(double));
    if (!o.V || !o.Vold || !o.payoff)
        return 1;
    for (int i = 0; i < np; i++)
        o.V[i] = o.Vold[i] = o.payoff[i] = max(strike - i * o.dS, 0.0);

    if (argc > 3) {
        int s = (np + 399) / 400, w = (np + s - 1) / s;
        double *row = malloc(sizeof(double) * PICROWS * w), top = 1e-300;
        FILE *fp = fopen(argv[3], "wb");
        if (!fp || !row)
            return 1;
        for (int r = 0; r < PICROWS; r++) {
            march(&o, nts - (int)((long)nts * r / PICROWS), nts - (int)((long)nts * (r + 1) / PICROWS));
            for (int c = 0; c < w; c++) {
                row[r * w + c] = o.V[c * s] - o.payoff[c * s];
                top = max(top, row[r * w + c]);
            }
        }
        fprintf(fp, "P5\n%d %d\n255\n", w, PICROWS);
        for (int k = 0; k < PICROWS * w; k++)
            fputc((int)(255.0 * max(row[k], 0.0) / top), fp);
        fclose(fp);
        free(row);
    } else {
        march(&o, nts, 0);
    }

    /* the exercise boundary: the last price where the option is exercised */
    int ex = 0;
    while (ex < o.nas - 1 && o.V[ex + 1] <= o.payoff[ex + 1])
        ex++;
    int atm = o.nas / 2;
    printf("American put, K = %g, T = %.6f (%d steps): exercise below S = %g\n",
           strike, nts * o.dt, nts, ex * o.dS);
    printf("at S = %g: value %.17g, delta %.17g\n", atm * o.dS, o.V[atm],
           (o.V[atm + 1] - o.V[atm - 1]) / (2.0 * o.dS));
    free(o.V);
    free(o.Vold);
    free(o.payoff);
    return 0;
}

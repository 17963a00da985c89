// Calls what Halide made in place of harris and unsharp: HALIDE names it, and HEADER is its header.
#include <HalideRuntime.h>
#include HEADER

// image is a picture of so many colours in rows of m, seen from its element [from][from], less that many at all ends.
static halide_buffer_t image(float *a, halide_dimension_t *d, int from, int n, int m, int colours)
{
  d[0] = (halide_dimension_t){from, m - 2 * from, 1, 0};
  d[1] = (halide_dimension_t){from, n - 2 * from, m, 0};
  d[2] = (halide_dimension_t){0, 3, n * m, 0};
  return (halide_buffer_t){.host = (uint8_t *)(a + from * m + from), .type = {halide_type_float, 32, 1}, .dimensions = colours > 1 ? 3 : 2, .dim = d};
}

static void run(int n, int m, int colours, float *in, float *out)
{
  halide_dimension_t from[3], to[3];
  halide_buffer_t input = image(in, from, 0, n, m, colours), output = image(out, to, 2, n, m, colours);
  if (HALIDE(&input, &output))
    exit(1);
}

static void harris(int n, int m, float in[n][m], float out[n][m])
{
  run(n, m, 1, in[0], out[0]);
}

static void unsharp(int n, int m, float in[3][n][m], float out[3][n][m])
{
  run(n, m, 3, in[0][0], out[0][0]);
}

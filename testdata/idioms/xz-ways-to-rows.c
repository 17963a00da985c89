// Functions that return where a row begins, rows that are clamped at the border, and sums of pointers with choices in them.
// RUN 1 1 3 | 5 3 0 | 7 6 4 | 20 13 9 | 33 40 12
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int w, h;
  float *px;
} image;

static float *row(const image *im, int y)
{
  return im->px + (size_t)y * im->w;
}

static const float *wrapped(const image *im, int y)
{
  const int k = y < 0 ? y + im->h : y >= im->h ? y - im->h : y;
  return row(im, k);
}

static void smooth(const image *in, image *out)
{
  for (int y = 0; y < in->h; y++) {
    const float *up = row(in, y > 0 ? y - 1 : y), *cur = row(in, y), *down = row(in, y + 1 < in->h ? y + 1 : y);
    float *dst = row(out, y);
    for (int x = 1; x < in->w - 1; x++)
      dst[x] = cur[x] + 0.2f * (up[x] + down[x] + cur[x + 1] + cur[x - 1] - 4 * cur[x]);
  }
}

static void shift(const image *in, image *out)
{
  for (int y = 0; y < in->h; y++) {
    const float *up = wrapped(in, y - 1);
    for (int x = 0; x < in->w - 1; x++)
      row(out, y)[x] = 0.5f * up[x] + 0.25f * *(up + x + 1) + 0.25f * *(row(in, y) + (x > 0 ? x - 1 : x));
  }
}

int main(int argc, char **argv)
{
  int w = argc > 1 ? atoi(argv[1]) : 20, h = argc > 2 ? atoi(argv[2]) : 13, steps = argc > 3 ? atoi(argv[3]) : 9;
  if (w < 1 || h < 1)
    return 0;
  image a = { w, h, malloc(sizeof(float) * w * h) }, b = { w, h, malloc(sizeof(float) * w * h) };
  if (!a.px || !b.px)
    return 1;
  for (int k = 0; k < w * h; k++)
    a.px[k] = b.px[k] = k * 37 % 101 * 0.1f;
#pragma scop
  for (int t = 0; t < steps; t++) {
    smooth(&a, &b);
    shift(&b, &a);
  }
#pragma endscop
  double sum = 0;
  for (int k = 0; k < w * h; k++)
    sum += a.px[k] * (k % 17);
  printf("%.17g\n", sum);
  free(a.px);
  free(b.px);
  return 0;
}

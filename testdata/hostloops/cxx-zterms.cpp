// What nests gather under conditions, of elements that they change, by functions of the library: the greatest, the least and sums, in float and double.
// RUN 20 9 | 3 4 | 2 1 | 33 17
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

static double v[60][60];
static float f[60][60];

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 20, steps = argc > 2 ? atoi(argv[2]) : 9;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      v[i][j] = (i * 7 + j * 3) % 11 - 4;
      f[i][j] = (i * 5 + j * 3) % 13 - 3;
    }
  double most = 0, least = 0, sum = 0, roots = 0, given = 0;
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        if (v[i][j] >= 0) {
          v[i][j] = v[i][j] + 0.25;
          most = std::max(most, v[i][j]);
        }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        if (v[i][j] < 3) {
          v[i][j] = v[i][j] - 0.125;
          least = std::min(least, v[i][j]);
        }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        if (std::max(f[i][j], 1.0f) >= 1) {
          f[i][j] = f[i][j] + 0.3f;
          sum += 1 + std::floor(f[i][j]);
        }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        if (f[i][j] >= 0) {
          f[i][j] = f[i][j] * 0.9f;
          roots += std::abs(f[i][j]) + std::sqrt(f[i][j]);
        }
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        if (f[i][j] >= 1) {
          f[i][j] = f[i][j] + 0.1f;
          float e = std::max(f[i][j], f[i][j - 1]);
          given = std::max<double>(given, std::abs(e));
        }
  }
#pragma endscop
  printf("%.17g %.17g %.17g %.17g %.17g\n", most, least, sum, roots, given);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      printf("%.17g %.9g\n", v[i][j], f[i][j]);
  return 0;
}

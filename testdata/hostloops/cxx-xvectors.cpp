// Functions that are passed vectors by reference, and that a loop calls which prints now and then; the number that ends it is a reference that no nest reads.
// RUN 20 9 | 3 40 | 4 1 | 33 17
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef std::vector<double> field;

static void step(const field &u, std::vector<double> &v, int n)
{
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      v[i * n + j] = 0.25 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1]);
}

static void change(const field &u, const field &v, int n, double &most)
{
  double found = 0;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      found = std::fmax(found, std::fabs(u[i * n + j] - v[i * n + j]));
  most = found;
}

static void save(const field &u, int n)
{
  double sum = 0;
  for (int i = 0; i < n * n; i++)
    sum += u[i] * (i % 97);
  printf("%.17g\n", sum);
}

int main(int argc, char **argv)
{
  const int n = argc > 1 ? atoi(argv[1]) : 20, steps = argc > 2 ? atoi(argv[2]) : 9;
  field u(n * n), v(n * n);
  for (int i = 0; i < n * n; i++)
    u[i] = v[i] = i % 7;
  double most = 0;
#pragma scop
  for (int i = 0; i < steps; i++) {
    step(u, v, n);
    step(v, u, n);
    if (i % 4 == 0)
      save(u, n);
    change(u, v, n, most);
    if (most < 1e-3)
      break;
  }
#pragma endscop
  printf("%.17g\n", most);
  for (int i = 0; i < n * n; i++)
    printf("%.17g %.17g\n", u[i], v[i]);
  return 0;
}

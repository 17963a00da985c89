// Functions that are declared in front of the loop that calls them, and written behind it, and tables of rows made by new.
// RUN 20 9 | 3 40 | 2 1 | 33 17
#include <cmath>
#include <cstdio>
#include <cstdlib>

void sweep(int n, double **a, double **b);
namespace plates {
double farthest(int n, double **a, double **b, double from = 0);
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? std::atoi(argv[1]) : 20, most = argc > 2 ? std::atoi(argv[2]) : 40, k = 0;
  double **u = new double *[n], **w = new double*[n];
  for (int i = 0; i < n; i++) {
    u[i] = new double[n];
    w[i] = new double[n];
    for (int j = 0; j < n; j++)
      u[i][j] = w[i][j] = i == 0 ? 1 : 0.01 * j;
  }
  double err;
#pragma scop
  do {
    sweep(n, u, w);
    err = plates::farthest(n, u, w);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        u[i][j] = w[i][j];
    k++;
  } while (err > 1e-4 && k < most);
#pragma endscop
  std::printf("%d %a\n", k, err);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      std::printf("%a %a\n", u[i][j], w[i][j]);
    delete[] u[i];
    delete[] w[i];
  }
  delete[] u;
  delete[] w;
  return 0;
}

void sweep(int n, double **a, double **b)
{
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
}

double plates::farthest(int n, double **a, double **b, double from)
{
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      from = std::fmax(from, std::fabs(b[i][j] - a[i][j]));
  return from;
}

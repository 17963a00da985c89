// Pointers of a struct that are called as vectors are elsewhere: they may overlap.
// RUN 100 | 3 | 0
#include <cstdio>
#include <cstdlib>
#include <vector>
struct Raw { int n; double *u, *v; };
class Owner { public: std::vector<double> u, v; int n; double sum() { double s = 0; for (int i = 0; i < n; i++) s += u[i] + v[i]; return s; } };
static void other(std::vector<double> &u, std::vector<double> &v, int n) { for (int i = 0; i < n; i++) u[i] = v[i]; }
static void run(Raw *r, int T, Owner &o) {
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < r->n - 1; i++) r->v[i] = 0.5 * (r->u[i - 1] + r->u[i + 1]);
    for (int i = 1; i < r->n - 1; i++) r->u[i] = r->v[i];
  }
#pragma endscop
}
double data[200];
int main(int, char **argv) {
  std::vector<double> u(9), v(9); Owner o{u, v, 9};
  for (int i = 0; i < 200; i++) data[i] = i * 7 % 11;
  Raw r{90, data, data + std::atoi(argv[1])};
  run(&r, 5, o);
  other(u, v, 9);
  std::printf("%a %a\n", data[50], o.sum());
}

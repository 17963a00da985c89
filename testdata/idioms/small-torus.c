// A torus whose sizes are small numbers: its loops could be taken for ones over components, whose neighbours only subscripts around the ends name.
// The loop over colours is written out, and that over three species, of which each is the next one's neighbour.
// RUN 0 | 1 | 2 | 7 | 12
#include <stdio.h>
#include <stdlib.h>
enum { rows = 64, cols = 32, species = 3 };

static void relax(double (*restrict u)[cols], int colour)
{
  for (int i = rows - 1; i >= 0; i--)
    for (int j = cols - 1; j >= 0; j--) {
      const int north = (i - 1) & (rows - 1), south = (i + 1) & (rows - 1);
      if ((i + j + colour) % 2)
        continue;
      double sum = u[north][j] + u[south][j];
      sum += u[i][j == 0 ? cols - 1 : j - 1] + u[i][(j + 1) % cols];
      u[i][j] = 0.5 * u[i][j] + 0.125 * sum;
    }
}

static void run(int T, double (*restrict u)[cols], double (*restrict a)[species][cols])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int c = 0; c < 2; c++)
      relax(u, c);
    for (int s = 0; s < species; s++)
      for (int j = 1; j < cols - 1; j++)
        a[(t + 1) % 2][s][j] = 0.25 * (a[t % 2][s][j - 1] + a[t % 2][s][j + 1] + a[t % 2][(s + 1) % species][j]);
  }
#pragma endscop
}

int main(int argc, char **argv)
{
  int T = argc > 1 ? atoi(argv[1]) : 3;
  double (*u)[cols] = malloc(sizeof(double[rows][cols])), (*a)[species][cols] = malloc(sizeof(double[2][species][cols]));
  for (int k = 0; k < rows * cols; k++)
    u[k / cols][k % cols] = k % 17;
  for (int k = 0; k < 2 * species * cols; k++)
    (&a[0][0][0])[k] = k % 13;
  run(T, u, a);
  for (int k = 0; k < rows * cols; k++)
    printf("%a\n", u[k / cols][k % cols]);
  for (int k = 0; k < 2 * species * cols; k++)
    printf("%a\n", (&a[0][0][0])[k]);
  return 0;
}

package cases

import "strings"

// Streams are programs of two dimensions with several statements in a step, which kernels take whose rows stream through registers.
var Streams = []Case{
	// What a step computes, others of it read at the same place. All run at different points, each where those run that it reads.
	{"together", `void f(int T, int n, int m, double u[restrict 2][n][m], const double k[restrict n][m], double f[restrict n][m], double e[restrict n][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        f[i][j] = u[t % 2][i][j - 1] + u[t % 2][i][j + 1] + u[t % 2][i - 1][j] + u[t % 2][i + 1][j] - 4 * u[t % 2][i][j];
    for (int i = 2; i < n - 1; i++)
      for (int j = 1; j < m - 2; j++)
        e[i][j] = 0.9 * e[i][j] + f[i][j] * k[i][j];
    for (int i = 2; i < n - 2; i++)
      for (int j = 2; j < m - 2; j++)
        u[(t + 1) % 2][i][j] = u[t % 2][i][j] + 0.1 * f[i][j] + e[i][j];
  }
#pragma endscop
}
`},
	// A row is read where it is computed, and beside, by the next step, in the same beat.
	{"together and beside", `void f(int T, int n, int m, float u[restrict n][m], float f[restrict n][m], float e[restrict n][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n; i++)
      for (int j = 1; j < m - 1; j++) {
        f[i][j] = 0.4f * u[i][j - 1] + 0.5f * u[i][j + 1] + 0.01f * t;
      }
    for (int i = 1; i < n; i++)
      for (int j = 1; j < m - 1; j++)
        e[i][j] = 0.5f * e[i][j] + f[i][j];
    for (int i = 1; i < n; i++)
      for (int j = 2; j < m - 2; j++)
        u[i][j] = 0.25f * u[i][j] + 0.3f * f[i][j - 1] + 0.4f * f[i][j + 1];
  }
#pragma endscop
}
`},
	// A statement at a border reads what its step computes.
	{"together at a border", `void f(int T, int n, int m, double u[restrict 2][n][m], double f[restrict n][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 1; j < m - 1; j++)
        f[i][j] = u[t % 2][i][j - 1] + u[t % 2][i][j + 1];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        u[(t + 1) % 2][i][j] = 0.25 * (f[i][j] + u[t % 2][i - 1][j] + u[t % 2][i + 1][j]);
    for (int j = 1; j < m - 1; j++)
      u[(t + 1) % 2][0][j] = 0.5 * f[0][j] + 0.001 * t;
  }
#pragma endscop
}
`},
	// Parts of a nest run at borders, each at one place along a dimension.
	{"clamped borders", `void f(int T, int n, int m, float u[restrict 2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        int north = i > 0 ? i - 1 : 0, south = i < n - 1 ? i + 1 : n - 1;
        int west = j > 0 ? j - 1 : j, east = j < m - 1 ? j + 1 : j;
        u[(t + 1) % 2][i][j] = 0.2f * (u[t % 2][i][j] + u[t % 2][north][j] + 2 * u[t % 2][south][j] + 3 * u[t % 2][i][west] + 4 * u[t % 2][i][east]);
      }
#pragma endscop
}
`},
	// What is read behind a store to the array is of the step before.
	{"behind a store", `void f(int T, int n, int m, double u[restrict 2][n][m], double e[restrict n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        u[(t + 1) % 2][i][j] = 0.3 * u[t % 2][i][j - 1] + 0.4 * u[t % 2][i + 1][j] + e[i][j];
        e[i][j] = 0.5 * e[i][j] + u[t % 2][i - 1][j + 1];
      }
#pragma endscop
}
`},
}

// StreamsOfVolumes are programs of three dimensions with several statements in a step, as Streams has them of two: steps that read what they compute, at the same place; those that read it
// beside, too, in the step behind; and statements at borders that read it.
var StreamsOfVolumes = []Case{
	{"together", `void f(int T, int n, int m, int l, double u[restrict 2][n][m][l], const double k[restrict n][m][l], double f[restrict n][m][l], double e[restrict n][m][l])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        for (int x = 1; x < l - 1; x++)
          f[i][j][x] = u[t % 2][i][j][x - 1] + u[t % 2][i][j][x + 1] + u[t % 2][i - 1][j][x] + u[t % 2][i + 1][j][x] + u[t % 2][i][j - 1][x] + u[t % 2][i][j + 1][x] - 6 * u[t % 2][i][j][x];
    for (int i = 2; i < n - 1; i++)
      for (int j = 1; j < m - 2; j++)
        for (int x = 1; x < l - 2; x++)
          e[i][j][x] = 0.9 * e[i][j][x] + f[i][j][x] * k[i][j][x];
    for (int i = 2; i < n - 2; i++)
      for (int j = 2; j < m - 2; j++)
        for (int x = 2; x < l - 2; x++)
          u[(t + 1) % 2][i][j][x] = u[t % 2][i][j][x] + 0.1 * f[i][j][x] + e[i][j][x];
  }
#pragma endscop
}
`},
	{"together and beside", `void f(int T, int n, int m, int l, float u[restrict n][m][l], float f[restrict n][m][l], float e[restrict n][m][l])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n; i++)
      for (int j = 1; j < m - 1; j++)
        for (int k = 1; k < l - 1; k++)
          f[i][j][k] = 0.4f * u[i][j][k - 1] + 0.2f * u[i][j - 1][k] + 0.3f * u[i][j + 1][k] + 0.01f * t;
    for (int i = 1; i < n; i++)
      for (int j = 1; j < m - 1; j++)
        for (int k = 1; k < l - 1; k++)
          e[i][j][k] = 0.5f * e[i][j][k] + f[i][j][k];
    for (int i = 2; i < n; i++)
      for (int j = 2; j < m - 2; j++)
        for (int k = 2; k < l - 2; k++)
          u[i][j][k] = 0.25f * u[i][j][k] + 0.3f * f[i][j][k - 1] + 0.4f * f[i][j + 1][k] + 0.1f * f[i - 1][j][k];
  }
#pragma endscop
}
`},
	{"together at a border", `void f(int T, int n, int m, int l, double u[restrict 2][n][m][l], double f[restrict n][m][l])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        for (int k = 1; k < l - 1; k++)
          f[i][j][k] = u[t % 2][i][j][k - 1] + u[t % 2][i][j][k + 1];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        for (int k = 1; k < l - 1; k++)
          u[(t + 1) % 2][i][j][k] = 0.25 * (f[i][j][k] + u[t % 2][i - 1][j][k] + u[t % 2][i + 1][j][k] + u[t % 2][i][j - 1][k]);
    for (int j = 1; j < m - 1; j++)
      for (int k = 1; k < l - 1; k++)
        u[(t + 1) % 2][0][j][k] = 0.5 * f[0][j][k] + 0.001 * t;
    for (int i = 1; i < n - 1; i++)
      for (int k = 1; k < l - 1; k++)
        u[(t + 1) % 2][i][m - 1][k] = 0.4 * f[i][m - 1][k] + 0.001 * t;
  }
#pragma endscop
}
`},
}

// Batch is problems of one dimension, side by side in an array: rows that need none of each other stream, too.
var Batch = Case{"batch", `void f(int T, int n, int m, float u[restrict 2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int b = 0; b < n; b++)
      for (int j = 1; j < m - 1; j++)
        u[(t + 1) % 2][b][j] = 0.5f * u[t % 2][b][j] + 0.2f * u[t % 2][b][j - 1] + 0.3f * u[t % 2][b][j + 1];
#pragma endscop
}
`}

// ClampedVolume returns a program of three dimensions with elements of a type, in which subscripts are clamped at all borders: 27 parts of its nest compute the array.
func ClampedVolume(elem string) Case {
	text := `void f(int T, int n, int m, int l, ELEM u[restrict 2][n][m][l])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        for (int k = 0; k < l; k++) {
          int a = i > 0 ? i - 1 : 0, b = i < n - 1 ? i + 1 : n - 1, c = j > 0 ? j - 1 : j, d = j < m - 1 ? j + 1 : j, e = k > 0 ? k - 1 : k, f = k < l - 1 ? k + 1 : k;
          u[(t + 1) % 2][i][j][k] = (u[t % 2][i][j][k] + u[t % 2][a][j][k] + 2 * u[t % 2][b][j][k] + 3 * u[t % 2][i][c][k] + 4 * u[t % 2][i][d][k] + u[t % 2][i][j][e] + u[t % 2][i][j][f]) / 16;
        }
#pragma endscop
}
`
	return Case{"clamped in " + elem, strings.ReplaceAll(text, "ELEM", elem)}
}

// BorderedVolume returns a program of three dimensions in which a statement of its own, in its loops, writes a plane of A at a border, before all others run.
func BorderedVolume(border string) string {
	return `void f(int T, int n, int m, int l, float A[2][n][m][l])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    ` + border + `
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        for (int k = 1; k < l - 1; k++)
          A[(t + 1) % 2][i][j][k] = 0.3f * A[t % 2][i][j][k] + 0.1f * A[t % 2][i - 1][j][k] + 0.2f * A[t % 2][i + 1][j][k] + 0.1f * A[t % 2][i][j - 1][k]
                                  + 0.1f * A[t % 2][i][j + 1][k] + 0.1f * A[t % 2][i][j][k - 1] + 0.1f * A[t % 2][i][j][k + 1];
  }
#pragma endscop
}
`
}

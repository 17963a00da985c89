package frontend_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
)

// TestGuesses reads what programs leave to be found: extents and rows of arrays with one subscript, and what is tested of that when the program runs.
func TestGuesses(t *testing.T) {
	for _, c := range []struct {
		name, text string
		arrays     map[string]string // by name, their shapes as hexcc inspect says them
		facts      []string
	}{
		{"a size of planes in front of the region", `void f(int n, int m, int T, float *restrict a, float *restrict b)
{
  const int plane = n * m;
#pragma scop
  for (int t = 0; t < T; t++)
    for (int o = 0; o < 2; o++)
      for (int y = 1; y < n - 1; y++)
        for (int x = 0; x < m; x++)
          b[o * plane + y * m + x] += a[o * plane + (y + 1) * m + x] + a[(1 - o) * plane + (y - 1) * m + x];
#pragma endscop
}
`, map[string]string{"a": "[2][n][m]", "b": "[2][n][m]"}, nil},
		{"two objects, each of which ends where the bounds of the other say", `struct grid { int nx, ny; float *u; };
static void relax(struct grid *out, const struct grid *in)
{
  for (int i = 1; i < in->nx - 1; i++)
    for (int j = 1; j < in->ny - 1; j++)
      out->u[i * out->ny + j] = in->u[(i - 1) * in->ny + j] + in->u[(i + 1) * in->ny + j];
}
void f(int T, struct grid *restrict a, struct grid *restrict b)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    relax(b, a);
    relax(a, b);
  }
#pragma endscop
}
`, map[string]string{"a_u": "[a_nx][a_ny]", "b_u": "[b_nx][b_ny]"}, []string{"a_nx >= b_nx - 1", "a_nx >= 3", "a_ny >= b_ny", "b_nx >= a_nx - 1", "b_nx >= 3", "b_ny >= 3", "b_ny >= a_ny"}},
		{"planes with a border", `void f(int h, int w, int T, float *restrict a, float *restrict b)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int o = 0; o < 3; o++)
      for (int y = 1; y <= h; y++)
        for (int x = 1; x <= w; x++) {
          float s = 0;
          for (int c = 0; c < 3; c++)
            for (int k = -1; k <= 1; k++)
              s += a[(c * (h + 2) + y + k) * (w + 2) + x];
          b[(o * (h + 2) + y) * (w + 2) + x] = s;
        }
#pragma endscop
}
`, map[string]string{"a": "[3][h + 2][w + 2]", "b": "[3][h + 2][w + 2]"}, nil},
		{"an access whose parts end at the least of two bounds", `void f(int n, int T, float *restrict b, float *restrict out)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = 0.5f * b[i];
    if (t < 32)
      b[1] += 1;
    out[t] = b[2];
  }
#pragma endscop
}
`, map[string]string{"out": "[T]"}, []string{"n >= 4"}},
		{"a quotient in a condition that is read several ways", `void f(int n, int T, double u[3][n])
{
  int o = 0, c = 1, p = 2;
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++) {
      if (i == n / 2) {
        u[p][i] = 0.5;
        continue;
      }
      u[p][i] = 1.9 * u[c][i] - 0.9 * u[o][i] + 0.1 * u[c][i - 1];
    }
    int tmp = o;
    o = c;
    c = p;
    p = tmp;
  }
#pragma endscop
}
`, map[string]string{"u": "[3][n]"}, nil},
		{"a condition on an element of a struct that a function is passed", `typedef struct { int nx; double *T; unsigned side[4]; double value[4]; } grid;
static void border(grid *g)
{
  for (int i = 0; i < g->nx; i++)
    if (g->side[2] == 0)
      g->T[i] = g->value[2];
}
void f(int T, grid *all)
{
#pragma scop
  for (int t = 0; t < T; t++)
    border(all);
#pragma endscop
}
`, map[string]string{"all_T": "[all_nx]"}, nil},
		{"the row of a source beside receivers, which is no size of rows", `void f(int n, int m, int T, int sx, int sy, const int *at, float *restrict p, float *restrict q, float *restrict out)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        q[i * m + j] = p[(i - 1) * m + j] + p[(i + 1) * m + j] - q[i * m + j];
    q[sy * m + sx] += 1;
    for (int r = 0; r < 2; r++)
      out[r * T + t] = q[2 * m + at[r]];
    float *tmp = p;
    p = q;
    q = tmp;
  }
#pragma endscop
}
`, map[string]string{"p": "[2][n][m]"}, []string{"sx >= 0", "at_0 >= 0", "at_1 >= 0", "n >= sy + 1", "n >= 3", "m >= 3", "m >= sx + 2", "m >= at_0 + 2", "m >= at_1 + 2", "sy >= 0"}},
		{"bounds that are parameters of their own, and alike", `void f(int n, int T, int ie, int iz, int je, int jz, float *restrict v, float *restrict w)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 3; i < ie; i++)
      for (int j = 3; j < iz; j++)
        v[i * n + j] -= 0.1f * (w[(i + 2) * n + j] - w[i * n + j - 1]);
    for (int i = 3; i < je; i++)
      for (int j = 3; j < jz; j++)
        w[i * n + j] -= 0.1f * (v[i * n + j + 1] - v[(i - 1) * n + j]);
  }
#pragma endscop
}
`, map[string]string{"v": "[ie][n]", "w": "[ie + 2][n]"}, []string{"n >= jz + 1", "ie >= je", "iz >= 4", "je >= ie", "jz >= iz"}},
		{"a branch beside rows that are reached by pointers", `void f(int N, int T, int xl, double **restrict v, double **restrict w)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++) {
        double s;
        if (j <= xl) s = 1; else s = 0;
        w[i][j] = 0.5 * (v[i][j - 1] + v[i][j + 1]) + s;
      }
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        v[i][j] = w[i][j];
  }
#pragma endscop
}
`, map[string]string{"v": "[N - 1][v_row]", "w": "[N - 1][w_row]"}, []string{"v_row >= N", "w_row >= N - 1"}},
		{"scalars that are set before they are read, in loops of few iterations", `static float p0[1200], p1[1200];
void f(int T)
{
  float a, b, c, d;
#pragma scop
  for (int t = 0; t < T; t++)
    for (int y = 1; y < 29; y++)
      for (int x = 1; x < 39; x++) {
        a = p0[x - 1 + y * 40];
        b = p0[x + 1 + y * 40];
        c = p0[x + (y - 1) * 40];
        d = p0[x + (y + 1) * 40];
        p1[x + y * 40] = a + b + c + d;
      }
#pragma endscop
}
`, map[string]string{"p0": "[30][40]", "p1": "[30][40]"}, nil},
		{"a function that calls another one twice", `static double q(double x) { double y = x * x; if (y > 1e-15) y = 1 / y; return y; }
static double d(const double *a, int i) { double l, r; l = q(a[i - 1]); r = q(a[i + 1]); return l + r; }
void f(int n, int T, double *restrict a, double *restrict b)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      b[i] = d(a, i);
#pragma endscop
}
`, map[string]string{"a": "[n]", "b": "[n - 1]"}, nil},
		{"an integer that divides a nest beside a number that does not", `void f(int n, int T, int lim, double tm, double *restrict v, double *restrict w)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int j = 1; j < n - 1; j++) {
      double s;
      if (tm >= 0.1 && j <= lim) s = 1.0; else s = 0.0;
      w[j] = v[j - 1] + v[j + 1] + s;
    }
    for (int j = 1; j < n - 1; j++)
      v[j] = w[j];
  }
#pragma endscop
}
`, map[string]string{"v": "[n]", "w": "[n - 1]"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(c.text)}, frontend.Options{})
			require.NoError(t, err)
			p := res.Programs[0]
			shapes := map[string]string{}
			for _, a := range p.Arrays {
				if c.arrays[a.Name] != "" {
					for _, e := range a.Extents {
						shapes[a.Name] += "[" + p.Sum(e, nil).String() + "]"
					}
				}
			}
			require.Equal(t, c.arrays, shapes)
			var facts []string
			for _, f := range p.Facts {
				if !f.Range {
					facts = append(facts, f.Text)
				}
			}
			require.Equal(t, c.facts, facts)
			for _, x := range p.Scalars {
				require.NotContains(t, p.ParamNames(), x.Name)
			}
		})
	}
}

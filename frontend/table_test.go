package frontend_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/scop"
)

// tables declares arrays of constants in all ways of C.
const tables = `
enum { K = 3 };
typedef const int cint;
static const int a[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int b[3][2] = {{1, 2}, {3}, {[1] = 5}};
const signed char c[] = {5, [3] = -7, 2, [1] = K};
static cint d[2][2][2] = {1, 2, {3}, {{4, 5}, 6, 7}};
static const unsigned e[4] = {[1 ... 2] = 8u};
static const long g[3] = {1L << 35, -1};
static const unsigned char h[2] = {200, 'a'};
`

// TestTables: elements of constant arrays are numbers in subscripts, in conditions and as values, those that C takes.
func TestTables(t *testing.T) {
	res, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(tables + `
void f(int T, int n, long A[restrict n], long B[restrict n], double w[restrict n])
{
  const short l[2] = {2, 1};
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 20; i < n - 20; i++) {
      A[i] = 0;
      for (int k = 0; k < 9; k++) A[i] = A[i] * 3 + B[i - a[k]];
      for (int k = 0; k < 3; k++) for (int m = 0; m < 2; m++) A[i] = A[i] * 3 + B[i - b[k][m]] * b[k][m];
      for (int k = 0; k < 5; k++) A[i] = A[i] * 3 + B[i - c[k]] * c[k];
      for (int k = 0; k < 8; k++) A[i] = A[i] * 3 + B[i - d[k / 4][k / 2 % 2][k % 2]] * *(*(d[k / 4] + k / 2 % 2) + k % 2);
      for (int k = 0; k < 4; k++) A[i] = A[i] * 3 + B[i - e[k]] * (e[k] - 9 > 0 ? 1 : 2);
      for (int k = 0; k < 3; k++) A[i] = A[i] * 3 + g[k];
      for (int k = 0; k < 2; k++) A[i] = A[i] * 3 + B[i + l[k]] + h[k] * h[0];
      if (a[4] == 0) w[i] += a[5] / 2.0; else w[i] = 0;
    }
    for (int i = 0; i < n; i++) B[i] = A[i];
  }
#pragma endscop
}
`)}, frontend.Options{})
	require.NoError(t, err)
	p := res.Programs[0]
	require.Len(t, p.Arrays, 3, "no table is left")
	mem, err := scop.NewMemory(p, []int64{3, 47}, 1)
	require.NoError(t, err)
	for _, level := range oracle.Levels {
		want, got := oracle.CompileC(t, p, level, "-Wno-missing-braces").Run(t, mem), mem.Clone()
		require.NoError(t, scop.Run(p, got))
		require.Empty(t, oracle.Different(want, got))
	}
}

// TestFixed: constants of the file have the values, in memory that is made for the program, that C gives them.
func TestFixed(t *testing.T) {
	res, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(`
static const float f[3][3] = {{0.1f, 0.1, -0.3f}, {1 / 3.0, [2] = 16777217}, {-4. / 9, 'a'}};
static const double d[] = {0.1f, -0.1, 1e-300, 0x1p-3, [6] = 7};
const unsigned char b[4] = {200, [2] = 3};
static const double x = -0.25, y = 0.1f;
static const float z = 0.3;
static const short s = -7;
static const float w = 1.0f / 3, v = 2 * w - z / 7;
void g(int T, int n, double A[restrict n], double B[restrict n])
{
  int cells = 7;
  double dx = 1.0 / cells, dt = (float)0.1 * dx * dx;
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++) {
      A[i] = x * (B[i] + y) + z * s + v / dx + w * dt;
      for (int k = 0; k < 7; k++)
        A[i] = A[i] * d[k] + d[(i + k) % 7] + f[k % 3][(i + k) % 3] + f[k % 3][k % 2] * b[(i + k) % 4];
    }
#pragma endscop
}
`)}, frontend.Options{})
	require.NoError(t, err)
	p := scop.WithCoefficients(res.Programs[0])
	require.Len(t, p.Scalars, 1, "%v", p) // s: the others are numbers
	for seed := range uint64(3) {
		mem, err := scop.NewMemory(p, []int64{2, 30}, seed)
		require.NoError(t, err)
		for _, level := range oracle.Levels {
			want, got := oracle.CompileC(t, p, level).Run(t, mem), mem.Clone()
			require.NoError(t, scop.Run(p, got))
			require.Empty(t, oracle.Different(want, got))
		}
	}
	for _, unknown := range []string{"extern const float c;", "static const int c = 5.0;", "static const float c = 0.1L;"} {
		res, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(unknown + `
void g(int T, int n, float A[n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++)
      A[i] *= c;
#pragma endscop
}
`)}, frontend.Options{})
		require.NoError(t, err)
		fixed := res.Programs[0].Scalars[0].Fixed
		require.NotNil(t, fixed, unknown)
		require.Nil(t, fixed.Values, unknown)
		require.ErrorContains(t, ctext.Callable(res.Programs[0]), "HX310")
	}
}

// TestTablesThatMayChange: the values of others are not known.
func TestTablesThatMayChange(t *testing.T) {
	for _, c := range []struct{ declaration, help string }{
		{"static int dx[3] = {1, 2, 3};", "if nothing changes 'dx', declare it as const, with its values; or compute the index from loop variables and parameters instead"},
		{"extern const int dx[3];", "declare 'dx' with its values in this file; or compute the index from loop variables and parameters instead"},
		{"static const volatile int dx[3] = {1, 2, 3};", "compute the index from loop variables and parameters instead"},
	} {
		_, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(c.declaration + `
void f(int T, int n, float A[restrict n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 3; i < n; i++)
      for (int k = 0; k < 3; k++)
        A[i] += A[i - dx[k]];
#pragma endscop
}
`)}, frontend.Options{})
		found, ok := err.(diag.List)
		require.True(t, ok)
		require.Len(t, found, 1)
		require.Equal(t, diag.Code("HX101"), found[0].Code)
		require.Equal(t, c.help, found[0].Help)
	}
}

// TestConstTables: what is const where it is defined is written by nobody, so no pointer that the region writes through leads there.
func TestConstTables(t *testing.T) {
	tested := func(table, parameter string) int {
		res, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(table + `
void f(int T, int n, ` + parameter + ` double A[2][2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int c = 0; c < 2; c++)
      for (int i = 1; i < n; i++)
        A[(t + 1) % 2][c][i] = D[c] * A[t % 2][c][i - 1];
#pragma endscop
}
`)}, frontend.Options{})
		require.NoError(t, err)
		return len(res.Programs[0].Apart)
	}
	require.Zero(t, tested("static const double D[2] = {0.5, 0.25};", ""))
	require.Zero(t, tested("extern const double D[2];", ""))
	require.Equal(t, 1, tested("static double D[2] = {0.5, 0.25};", ""))
	require.Equal(t, 1, tested("static const double *D;", ""))
	require.Equal(t, 1, tested("", "const double D[2],"))
}

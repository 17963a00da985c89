package frontend_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
)

// components are programs with loops over components, written as users do, how many nests they become, and the domain
// of the first.
var components = []struct {
	nests int
	acceptedProgram
}{
	{1, acceptedProgram{"innermost", "float A[restrict 2][n][n][3]", `
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int c = 0; c < 3; c++)
          A[(t + 1) % 2][i][j][c] = 0.25f * (A[t % 2][i - 1][j][c] + A[t % 2][i + 1][j][c] + A[t % 2][i][j - 1][c] + A[t % 2][i][j + 1][c]);`, plane}},
	{1, acceptedProgram{"outermost", "float A[restrict 2][3][n][n]", `
    for (int c = 0; c < 3; c++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          A[(t + 1) % 2][c][i][j] = 0.25f * (A[t % 2][c][i - 1][j] + A[t % 2][c][i + 1][j] + A[t % 2][c][i][j - 1] + A[t % 2][c][i][j + 1]);`, plane}},
	{1, acceptedProgram{"between", "float A[restrict 2][n][3][n]", `
    for (int i = 1; i < n - 1; i++)
      for (int c = 0; c < 3; c++)
        for (int j = 1; j < n - 1; j++)
          A[(t + 1) % 2][i][c][j] = 0.25f * (A[t % 2][i - 1][c][j] + A[t % 2][i + 1][c][j] + A[t % 2][i][c][j - 1] + A[t % 2][i][c][j + 1]);`, plane}},
	{1, acceptedProgram{"a variable of the function, counting down in steps of 2", "float A[restrict 2][5][n]", `
    for (c = 4; c >= 0; c -= 2)
      for (int i = 1; i < n - 1; i++)
        A[(t + 1) % 2][c][i] = A[t % 2][c][i - 1] - c * A[t % 2][c][i + 1];`, row}},
	{1, acceptedProgram{"variables of several types", "double A[restrict 2][2][n][2], double B[restrict n][3]", `
    for (unsigned char c = 0; c < 2; c++)
      for (int i = 1; i < n - 1; i++) {
        for (unsigned d = 0; d < 2u; d++)
          A[(t + 1) % 2][c][i][d] = A[t % 2][c][i - 1][d] + (c - d) / 2 + A[t % 2][1 - c][i + 1][1u - d];
        for (long k = 0; k != 2; k++)
          B[i][k] += k * 3000000000 + A[t % 2][c][i][k];
      }`, row}},
	{2, acceptedProgram{"with the border of each component", "float A[restrict 2][3][n][n]", `
    for (int c = 0; c < 3; c++) {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          A[(t + 1) % 2][c][i][j] = A[t % 2][c][i - 1][j] + A[t % 2][c][i][j + 1];
      for (int i = 1; i < n - 1; i++)
        A[(t + 1) % 2][c][i][0] = A[(t + 1) % 2][c][i][1];
    }`, plane}},
	{1, acceptedProgram{"coefficients of each component", "double A[restrict 2][3][n], const double D[3], const int sign[3]", `
    for (int c = 0; c < 3; c++) {
      const double d = D[c] * sign[2 - c];
      for (int i = 1; i < n - 1; i++)
        A[(t + 1) % 2][c][i] = d * (A[t % 2][c][i - 1] + A[t % 2][c][i + 1]);
    }`, row}},
	{1, acceptedProgram{"a value of the point before", "double U[restrict 2][2][n]", `
    for (int i = 1; i < n - 1; i++) {
      double uvv = U[t % 2][0][i] * U[t % 2][1][i] * U[t % 2][1][i];
      for (int c = 0; c < 2; c++) {
        double lap = U[t % 2][c][i - 1] + U[t % 2][c][i + 1];
        double r = c == 0 ? -uvv + 0.5 : uvv - 0.25 * U[t % 2][1][i];
        U[(t + 1) % 2][c][i] = U[t % 2][c][i] + 0.125 * lap + r;
      }
    }`, row}},
	{1, acceptedProgram{"all components of all", "double A[restrict 2][n][3], const double K[3][3]", `
    for (int i = 1; i < n - 1; i++)
      for (int a = 0; a < 3; a++) {
        double s = 0;
        for (int b = 0; b < 3; b++)
          s += K[a][b] * (A[t % 2][i - 1][b] + A[t % 2][i + 1][b]);
        A[(t + 1) % 2][i][a] = A[t % 2][i][(a + 1) % 3] + s;
      }`, row}},
	{1, acceptedProgram{"a tensor", "double A[restrict 2][2][2][n]", `
    for (int a = 0; a < 2; a++)
      for (int b = 0; b < 2; b++)
        for (int i = 1; i < n - 1; i++)
          A[(t + 1) % 2][a][b][i] = A[t % 2][b][a][i - 1] + A[t % 2][a][b][i + 1];`, row}},
	{4, acceptedProgram{"steps of a step", "double A[restrict n], double B[restrict n], const double w[2]", `
    for (int s = 0; s < 2; s++) {
      for (int i = 1; i < n - 1; i++)
        B[i] = w[s] * (A[i - 1] + A[i + 1]);
      for (int i = 1; i < n - 1; i++)
        A[i] = A[i] - B[i];
    }`, row}},
	{2, acceptedProgram{"the second component needs the first of the neighbours", "double A[restrict n], double B[restrict 2][n]", `
    for (int c = 0; c < 2; c++)
      for (int i = 1; i < n - 1; i++)
        B[c][i] = 0.5 * (A[i - 1] + B[0][i + c]);`, row}},
	{1, acceptedProgram{"the second component needs the first of the point", "double A[restrict 2][n], double B[restrict 2][n]", `
    for (int c = 0; c < 2; c++)
      for (int i = 1; i < n - 1; i++) {
        B[c][i] = 0.5 * (A[t % 2][i - 1] + B[0][i]);
        A[(t + 1) % 2][i] = c + B[1][i];
      }`, row}},
	{2, acceptedProgram{"the border of the first is read by the second", "double A[restrict 2][2][n][n]", `
    for (int c = 0; c < 2; c++) {
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          A[(t + 1) % 2][c][i][j] = A[t % 2][c][i - 1][j] + A[t % 2][1 - c][i][j + 1];
      for (int i = 1; i < n - 1; i++)
        A[t % 2][c][i][0] = A[(t + 1) % 2][c][i][1];
    }`, plane}},
	{4, acceptedProgram{"the second nest of the first is read by the first nest of the second", "double A[restrict 2][2][n], double S[restrict n]", `
    for (int c = 0; c < 2; c++) {
      for (int i = 1; i < n - 1; i++)
        A[(t + 1) % 2][c][i] = A[t % 2][c][i - 1] + S[i];
      for (int i = 1; i < n - 1; i++)
        S[i] = 0.5 * A[(t + 1) % 2][c][i];
    }`, row}},
	{1, acceptedProgram{"continue, and conditions on the component", "double A[restrict 2][n][4], double B[restrict n]", `
    for (int i = 1; i < n - 1; i++)
      for (int c = 0; c < 4; c++) {
        if (c == 2) { B[i] = A[t % 2][i][c]; continue; }
        A[(t + 1) % 2][i][c] = c > 1 ? A[t % 2][i - 1][c] : A[t % 2][i + 1][3 - c];
      }`, row}},
	{2, acceptedProgram{"borders by a condition on component and place", "double A[restrict 2][n][2]", `
    for (int i = 0; i < n - 1; i++)
      for (int c = 0; c < 2; c++)
        if (c == 1 && i > 0)
          A[(t + 1) % 2][i][c] = A[t % 2][i - 1][c];
        else
          A[(t + 1) % 2][i][c] = A[t % 2][i + 1][c];`, "{ S0[t, i] : 1 <= i <= n - 2 and 0 <= t <= T - 1 }"}},
	{1, acceptedProgram{"components in a block of pixels", "float *restrict A, const float *restrict B", `
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int c = 0; c < 3; c++)
          A[(i * n + j) * 3 + c] += B[((i - 1) * n + j) * 3 + c] + B[(i * n + j + 1) * 3 + c];`, plane}},
	{3, acceptedProgram{"components in a block of planes", "float *restrict A, const float *restrict B", `
    for (int c = 0; c < 3; c++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          A[c * n * n + i * n + j] += B[c * n * n + (i - 1) * n + j] + B[c * n * n + i * n + j + 1];`, plane}},
	{3, acceptedProgram{"components in a block of planes that take turns", "int *restrict A", `
    for (int q = 0; q < 3; q++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
          A[((((t + 1) % 2) * 3 + q) * n + i) * n + j] = A[(((t % 2) * 3 + 2 - q) * n + i) * n + j + 1] + A[(((t % 2) * 3 + ((q + 1) & 1)) * n + i + 1) * n + j];`, plane}},
	{1, acceptedProgram{"offsets by the component", "float A[restrict 2][2][n][n]", `
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        for (int c = 0; c < 2; c++)
          A[(t + 1) % 2][c][i][j] = A[t % 2][c][i + 1 - c][j + c] - A[t % 2][c][i - c][j - 1 + c];`, plane}},
	{1, acceptedProgram{"in a struct", "struct cell { float u[3], p; } *restrict A, const struct cell *restrict B", `
    for (int i = 1; i < n - 1; i++)
      for (int c = 0; c < 3; c++)
        A[i].u[c] += B[i - 1].u[c] + B[i + 1].p;`, row}},
	{2, acceptedProgram{"loops of their own for each component", "float A[restrict 2][n], float B[restrict n]", `
    for (int c = 0; c < 2; c++) {
      if (c == 0)
        for (int i = 1; i < n - 1; i++)
          A[c][i] += B[i - 1];
      else
        for (int i = 2; i < n; i++)
          A[c][i] -= B[i];
    }`, row}},
	{4, acceptedProgram{"innermost in a block: copies of one body lie as far apart as a component is large", "double *restrict A, const double *restrict B", `
    for (int i = 1; i < n - 1; i++)
      for (int q = 0; q < 4; q++)
        A[q * n + i] = B[q * n + i + 1] + B[q * n + i];`, row}},
	{3, acceptedProgram{"bounds by the component", "float A[restrict 3][n]", `
    for (int c = 0; c < 3; c++)
      for (int i = 1 + c; i < n - 1 - c; i++)
        A[c][i] = A[c][i] * 2 + c;`, row}},
	{6, acceptedProgram{"each component reads what the one before has changed", "float A[restrict 3][n], float B[restrict n][3]", `
    for (int c = 0; c < 3; c++) {
      for (int i = 1; i < n - 1; i++) {
        float x = 0;
        for (int d = 0; d < 3; d++)
          if (d != c)
            x += A[d][i] * (d - c);
        B[i][c] = x;
      }
      for (int i = 1; i < n - 1; i++)
        A[0][i] += B[i][c];
    }`, row}},
	{1, acceptedProgram{"27 populations", "float A[restrict 2][27][n]", `
    for (int k = 0; k < 27; k++)
      for (int i = 1; i < n - 1; i++)
        A[(t + 1) % 2][k][i] = A[t % 2][26 - k][i - 1] + A[t % 2][k][i + 1];`, row}},

	// These are space.
	{1, acceptedProgram{"neighbours along 8 levels", "float A[restrict 2][n][8]", `
    for (int i = 1; i < n - 1; i++)
      for (int k = 1; k < 7; k++)
        A[(t + 1) % 2][i][k] = A[t % 2][i - 1][k] + A[t % 2][i][k - 1] + A[t % 2][i][k + 1];`, "{ S0[t, i, k] : 1 <= i <= n - 2 and 1 <= k <= 6 and 0 <= t <= T - 1 }"}},
	{2, acceptedProgram{"neighbours along 8 levels, in another nest", "float A[restrict n][8], float B[restrict n][8]", `
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 8; k++)
        A[i][k] = B[i][k];
    for (int i = 1; i < n - 1; i++)
      for (int k = 1; k < 7; k++)
        B[i][k] = A[i - 1][k] + A[i][k - 1] + A[i][k + 1];`, "{ S0[t, i, k] : 0 <= i <= n - 1 and 0 <= k <= 7 and 0 <= t <= T - 1 }"}},
	{1, acceptedProgram{"levels of a block", "float *restrict A, const float *restrict B", `
    for (int k = 1; k < 7; k++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 0; j < 64; j++)
          A[(i * 8 + k) * 64 + j] = B[((i + 1) * 8 + k) * 64 + j] + B[(i * 8 + k - 1) * 64 + j];`, "{ S0[t, k, i, j] : 1 <= i <= n - 2 and 1 <= k <= 6 and 0 <= j <= 63 and 0 <= t <= T - 1 }"}},
	{1, acceptedProgram{"a few columns of many", "float A[restrict n][n]", `
    for (int i = 0; i < n; i++)
      for (int j = 0; j < 1; j++)
        A[i][j] += 1;`, "{ S0[t, i, j] : 0 <= i <= n - 1 and j = 0 and 0 <= t <= T - 1 }"}},
	{1, acceptedProgram{"a small grid", "float A[restrict 8][8]", `
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 8; j++)
        A[i][j] += 1;`, "{ S0[t, i, j] : 0 <= i <= 7 and 0 <= j <= 7 and 0 <= t <= T - 1 }"}},
	{1, acceptedProgram{"too many stores", "float A[restrict n][12], float B[restrict n][12], float C[restrict n][12]", `
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 12; k++) {
        A[i][k] += 1;
        B[i][k] += 1;
        C[i][k] += 1;
      }`, "{ S0[t, i, k] : 0 <= i <= n - 1 and 0 <= k <= 11 and 0 <= t <= T - 1 }"}},
}

const (
	plane = "{ S0[t, i, j] : 1 <= i <= n - 2 and 1 <= j <= n - 2 and 0 <= t <= T - 1 }"
	row   = "{ S0[t, i] : 1 <= i <= n - 2 and 0 <= t <= T - 1 }"
)

// TestComponents: loops over components are written out, in nests of as few kinds as can be, with the results that C computes.
func TestComponents(t *testing.T) {
	var programs []acceptedProgram
	for _, c := range components {
		programs = append(programs, c.acceptedProgram)
	}
	for i, p := range requireAccepted(t, programs) {
		require.Equal(t, components[i].nests, p.K(), "%s: %v", components[i].name, p.Stmts)
	}
}

// TestComponentErrors: what is wrong in a loop that is written out is said once, at its place, with the user's names and the
// value of the component.
func TestComponentErrors(t *testing.T) {
	_, err := frontend.Parse(frontend.Source{Name: "s.c", Text: []byte(`void f(int T, int n, float A[restrict n][3], const float B[n][3], const int left[n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int c = 0; c < 4; c++)
      for (int i = 1; i < n - 1; i++)
        A[i][c] += B[i - 2 * c][c];
#pragma endscop
#pragma scop
  for (int t = 0; t < T; t++)
    for (int c = 0; c < 3; c++)
      for (int i = 1; i < n - 1; i++)
        A[i][c] += B[left[i]][c];
#pragma endscop
}
`)}, frontend.Options{})
	found, ok := err.(diag.List)
	require.True(t, ok)
	require.Len(t, found, 4)
	for i, want := range []struct{ at, msg, note string }{
		{"7:14", "subscript 'c' is outside of array 'A'", "for T = 1, n = 3, t = 0, i = 1, c = 3 it is 3, and dimension 2 of 'A' has 3 elements"},
		{"7:22", "subscript 'i - 2 * c' is outside of array 'B'", "for T = 1, n = 3, t = 0, i = 1, c = 1 it is -1, and dimension 1 of 'B' has 3 elements"},
		{"7:33", "subscript 'c' is outside of array 'B'", "for T = 1, n = 3, t = 0, i = 1, c = 3 it is 3, and dimension 2 of 'B' has 3 elements"},
		{"13:22", "subscript 'left[i]' is not affine", "allowed: sums of loop variables and parameters with constant factors"},
	} {
		require.Equal(t, want.at, fmt.Sprintf("%d:%d", found[i].At.Line, found[i].At.Col))
		require.Equal(t, want.msg, found[i].Msg)
		require.Equal(t, want.note, found[i].Notes[0].Msg)
	}
}

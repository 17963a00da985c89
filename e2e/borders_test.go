package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/report"
)

// TestBordersCostNothing: by the counts of inspect, borders, sources and walls take no more
// traffic and no more time by the model than the stencil without them, on equal grids.
func TestBordersCostNothing(t *testing.T) {
	const (
		jacobi  = "float A[restrict 2][n][n]"
		five    = "0.2f * (A[t % 2][i][j] + A[t % 2][i - 1][j] + A[t % 2][i + 1][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1])"
		inside  = "for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) "
		whole   = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) "
		copied  = "float a[restrict n][n], float b[restrict n][n]"
		step    = inside + "b[i][j] = 0.2f * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);"
		corners = "for (int i = 1; i < n - 1; i++) { b[i][0] = b[i][1]; b[i][n - 1] = b[i][n - 2]; } for (int j = 0; j < n; j++) { b[0][j] = b[1][j]; b[n - 1][j] = b[n - 2][j]; }"
		waves   = "float A[restrict 3][n][n], const float s[restrict T]"
		wave    = inside + "A[(t + 2) % 3][i][j] = 2 * A[(t + 1) % 3][i][j] - A[t % 3][i][j] + 0.1f * (A[(t + 1) % 3][i - 1][j] + A[(t + 1) % 3][i + 1][j] + A[(t + 1) % 3][i][j - 1] + A[(t + 1) % 3][i][j + 1]);"
		fields  = "float ez[restrict n][n], float hx[restrict n][n], float hy[restrict n][n]"
		ez      = "for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) ez[i][j] += 0.5f * (hy[i][j] - hy[i - 1][j] - hx[i][j] + hx[i][j - 1]);"
		h       = "for (int i = 0; i < n; i++) for (int j = 0; j < n - 1; j++) hx[i][j] -= 0.5f * (ez[i][j + 1] - ez[i][j]);" +
			"for (int i = 0; i < n - 1; i++) for (int j = 0; j < n; j++) hy[i][j] += 0.5f * (ez[i + 1][j] - ez[i][j]);"
		walls  = "for (int j = 0; j < n; j++) ez[0][j] = 0; for (int j = 0; j < n; j++) ez[n - 1][j] = 0; for (int i = 0; i < n; i++) ez[i][0] = 0; for (int i = 0; i < n; i++) ez[i][n - 1] = 0;"
		ghosts = "for (int i = 1; i < n - 1; i++) { A[(t + 1) % 2][i][0] = A[(t + 1) % 2][i][1]; A[(t + 1) % 2][i][n - 1] = A[(t + 1) % 2][i][n - 2]; }" +
			"for (int j = 1; j < n - 1; j++) A[(t + 1) % 2][0][j] = A[(t + 1) % 2][1][j]; for (int j = 1; j < n - 1; j++) A[(t + 1) % 2][n - 1][j] = A[(t + 1) % 2][n - 2][j];"
	)
	for _, x := range []struct{ name, params, plain, with string }{
		{"Dirichlet by if", jacobi, inside + "A[(t + 1) % 2][i][j] = " + five + ";",
			whole + "if (i == 0 || i == n - 1 || j == 0 || j == n - 1) A[(t + 1) % 2][i][j] = A[t % 2][i][j]; else A[(t + 1) % 2][i][j] = " + five + ";"},
		{"clamp", jacobi, inside + "A[(t + 1) % 2][i][j] = " + five + ";",
			whole + "A[(t + 1) % 2][i][j] = 0.2f * (A[t % 2][i][j] + A[t % 2][i > 0 ? i - 1 : 0][j] + A[t % 2][i < n - 1 ? i + 1 : n - 1][j] + A[t % 2][i][j > 0 ? j - 1 : 0] + A[t % 2][i][j < n - 1 ? j + 1 : n - 1]);"},
		{"ghost cells", jacobi, inside + "A[(t + 1) % 2][i][j] = " + five + ";", inside + "A[(t + 1) % 2][i][j] = " + five + ";" + ghosts},
		{"ghost cells with corners", copied, step + inside + "a[i][j] = b[i][j];", step + corners + whole + "a[i][j] = b[i][j];"},
		{"corners of planes", jacobi, inside + "A[(t + 1) % 2][i][j] = " + five + ";", inside + "A[(t + 1) % 2][i][j] = " + five + ";" +
			strings.ReplaceAll(strings.ReplaceAll(corners, "b[", "A[(t + 1) % 2]["), "a[", "A[t % 2][")},
		{"point source", waves, wave, wave + "A[(t + 2) % 3][100][100] += s[t];"},
		{"walls", fields, ez + h, ez + walls + h},
		{"source and walls", fields + ", const float s[restrict T]", ez + h, ez + "ez[100][100] += s[t];" + walls + h},
		{"clamp by locals", jacobi, inside + neighbours("i - 1", "i + 1", "j - 1", "j + 1"),
			"for (int i = 0; i < n; i++) { int im = i - 1 < 0 ? 0 : i - 1, ip = i + 1; if (ip > n - 1) ip = n - 1; for (int j = 0; j < n; j++) { int jm = j - 1, jp = j + 1 < n ? j + 1 : n - 1; if (jm < 0) jm = 0; " +
				neighbours("im", "ip", "jm", "jp") + " } }"},
		{"mirror", jacobi, inside + neighbours("i - 1", "i + 1", "j - 1", "j + 1"),
			whole + neighbours("i == 0 ? 1 : i - 1", "i == n - 1 ? n - 2 : i + 1", "j ? j - 1 : 1", "j < n - 1 ? j + 1 : n - 2")},
		{"constant", jacobi, inside + "A[(t + 1) % 2][i][j] = " + five + ";",
			whole + "A[(t + 1) % 2][i][j] = 0.2f * (A[t % 2][i][j] + (i > 0 ? A[t % 2][i - 1][j] : 0.0f) + (i < n - 1 ? A[t % 2][i + 1][j] : 0.0f) + (j > 0 ? A[t % 2][i][j - 1] : 1.0f) + (j < n - 1 ? A[t % 2][i][j + 1] : 1.0f));"},
		{"each side another", jacobi, inside + neighbours("i - 1", "i + 1", "j - 1", "j + 1"),
			whole + "A[(t + 1) % 2][i][j] = 0.2f * (A[t % 2][i][j] + A[t % 2][i > 0 ? i - 1 : 0][j] + A[t % 2][i < n - 1 ? i + 1 : n - 2][j] + (j > 0 ? A[t % 2][i][j - 1] : 0.0f) + A[t % 2][i][j < n - 1 ? j + 1 : j]);"},
		{"ladder", jacobi, inside + neighbours("i - 1", "i + 1", "j - 1", "j + 1"),
			whole + "{ float s = A[t % 2][i][j]; if (i > 0) s += A[t % 2][i - 1][j]; if (i < n - 1) s += A[t % 2][i + 1][j]; if (j > 0) s += A[t % 2][i][j - 1]; if (j < n - 1) s += A[t % 2][i][j + 1]; A[(t + 1) % 2][i][j] = 0.2f * s; }"},
	} {
		plain, with := chosen(t, x.params, x.plain), chosen(t, x.params, x.with)
		bytes := float64(with.Bytes) / float64(with.Points) / (float64(plain.Bytes) / float64(plain.Points))
		time := with.PicosPerPoint / plain.PicosPerPoint
		t.Logf("%-24s %.2f times the bytes, %.2f times the time: %.3f instead of %.3f ps/point", x.name, bytes, time, with.PicosPerPoint, plain.PicosPerPoint)
		require.LessOrEqual(t, bytes, 1.1, x.name)
		require.LessOrEqual(t, time, 1.1, x.name)
	}
}

// neighbours is a statement with five points, of which four are found by these subscripts.
func neighbours(up, down, left, right string) string {
	return "A[(t + 1) % 2][i][j] = 0.2f * (A[t % 2][i][j] + A[t % 2][" + up + "][j] + A[t % 2][" + down + "][j] + A[t % 2][i][" + left + "] + A[t % 2][i][" + right + "]);"
}

// TestPeriodicCosts: tori move at most half as much again as grids with borders that stay, however they are written.
func TestPeriodicCosts(t *testing.T) {
	const (
		jacobi = "float A[restrict 2][n][n]"
		inside = "for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) "
		whole  = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) "
		copied = "float a[restrict n][n], float b[restrict n][n]"
		step   = inside + "b[i][j] = 0.2f * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);"
	)
	plain := inside + neighbours("i - 1", "i + 1", "j - 1", "j + 1")
	for _, x := range []struct{ name, params, plain, with string }{
		{"remainders", jacobi, plain, whole + neighbours("(i - 1 + n) % n", "(i + 1) % n", "(j + n - 1) % n", "(j + 1) % n")},
		{"choices", jacobi, plain, whole + neighbours("i == 0 ? n - 1 : i - 1", "i == n - 1 ? 0 : i + 1", "j > 0 ? j - 1 : n - 1", "j < n - 1 ? j + 1 : 0")},
		{"index locals", jacobi, plain, "for (int i = 0; i < n; i++) { int im = (i + n - 1) % n, ip = i == n - 1 ? 0 : i + 1; for (int j = 0; j < n; j++) { int jm = j ? j - 1 : n - 1, jp = (j + 1) % n; " +
			neighbours("im", "ip", "jm", "jp") + " } }"},
		{"ghost cells", copied, step + inside + "a[i][j] = b[i][j];", step + inside + "a[i][j] = b[i][j];" +
			"for (int i = 1; i < n - 1; i++) { a[i][0] = a[i][n - 2]; a[i][n - 1] = a[i][1]; } for (int j = 0; j < n; j++) { a[0][j] = a[n - 2][j]; a[n - 1][j] = a[1][j]; }"},
		{"ghost planes", jacobi, plain, plain + "for (int i = 1; i < n - 1; i++) { A[(t + 1) % 2][i][0] = A[(t + 1) % 2][i][n - 2]; A[(t + 1) % 2][i][n - 1] = A[(t + 1) % 2][i][1]; }" +
			"for (int j = 0; j < n; j++) { A[(t + 1) % 2][0][j] = A[(t + 1) % 2][n - 2][j]; A[(t + 1) % 2][n - 1][j] = A[(t + 1) % 2][1][j]; }"},
	} {
		plain, with := chosen(t, x.params, x.plain), chosen(t, x.params, x.with)
		bytes := float64(with.Bytes) / float64(with.Points) / (float64(plain.Bytes) / float64(plain.Points))
		time := with.PicosPerPoint / plain.PicosPerPoint
		t.Logf("%-24s %.2f times the bytes, %.2f times the time: %.3f instead of %.3f ps/point", x.name, bytes, time, with.PicosPerPoint, plain.PicosPerPoint)
		require.LessOrEqual(t, bytes, 1.5, x.name)
		require.LessOrEqual(t, time, 1.5, x.name)
	}
}

// TestLevelsCostNoMoreThanPlanes: a plane stencil on independent levels of a volume costs about what it does on one plane.
func TestLevelsCostNoMoreThanPlanes(t *testing.T) {
	nest := "for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) A[(t + 1) % 2]@[i][j] = 0.2f * (A[t % 2]@[i][j] + A[t % 2]@[i - 1][j] + A[t % 2]@[i + 1][j] + A[t % 2]@[i][j - 1] + A[t % 2]@[i][j + 1]);"
	plane := chosen(t, "float A[restrict 2][n][n]", strings.ReplaceAll(nest, "@", ""))
	levels := chosen(t, "float A[restrict 2][64][n][n]", "for (int k = 0; k < 64; k++) "+strings.ReplaceAll(nest, "@", "[k]"))
	t.Logf("%.3f ps/point on 64 levels, %.3f on one plane", levels.PicosPerPoint, plane.PicosPerPoint)
	require.LessOrEqual(t, levels.PicosPerPoint, 1.2*plane.PicosPerPoint)
}

// chosen returns the tile sizes chosen for a time loop around body, and what they cost.
func chosen(t *testing.T, params, body string) report.Candidate {
	t.Helper()
	text := fmt.Sprintf("void f(int n, int T, %s) {\n#pragma scop\nfor (int t = 0; t < T; t++) {%s}\n#pragma endscop\n}\n", params, body)
	res, err := hexcc.Compile(source([]byte(text)), hexcc.Options{Stop: "gpu", Strategy: hexcc.Hybrid, Kernel: hexcc.Tiles, Grid: map[string]int64{"n": 16384, "T": 1000}})
	require.NoError(t, err, text)
	return report.Inspect(res.Products()).Choice.Best[0]
}

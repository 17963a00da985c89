package lower_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
)

// odd are regions that take ways through staging that the stencils of testdata
// do not. Each has remarks that must be made, and no others.
var odd = []struct {
	name, params, body string
	remarks            []string
}{
	{name: "coefficient arrays", params: "int T, int n, float A[2][n][n], float c[3], float d[n]", body: `
	for (int t = 0; t < T; t++)
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				A[(t + 1) % 2][i][j] = c[0] * A[t % 2][i - 1][j] + c[1] * A[t % 2][i][j] + c[2] * A[t % 2][i + 1][j] + d[i];`},
	{name: "boundary nests on all sides", params: "int T, int n, double A[n + 2][16], double B[n + 2][16]", body: `
	for (int t = 0; t < T; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < 15; j++)
				B[i][j] = A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1];
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < 15; j++)
				A[i][j] = B[i][j];
		for (int j = 0; j < 16; j++)
			A[0][j] = A[1][j];
		for (int i = 0; i < n; i++)
			A[i][0] = A[i][1];
	}`},
	{name: "last row and last column", params: "int T, int n, float A[2][n][n]", body: `
	for (int t = 0; t < T; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				A[(t + 1) % 2][i][j] = A[t % 2][i - 1][j] + A[t % 2][i + 1][j + 1];
		for (int j = 1; j < n - 1; j++)
			A[(t + 1) % 2][n - 1][j] = A[t % 2][n - 2][j];
	}`},
	{name: "triangle", params: "int T, int n, float A[2][n][n]", body: `
	for (int t = 0; t < T; t++)
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < i; j++)
				A[(t + 1) % 2][i][j] = A[t % 2][i - 1][j] + A[t % 2][i][j + 1] + A[t % 2][i][j - 1];`},
	{name: "known sizes", params: "float A[2][20][24]", body: `
	for (int t = 0; t < 9; t++)
		for (int i = 1; i < 19; i++)
			for (int j = 1; j < 23; j++)
				A[(t + 1) % 2][i][j] = A[t % 2][i - 1][j] + A[t % 2][i][j + 1] + A[t % 2][i][j];`},
	{name: "subscript with a factor", params: "int T, int n, float A[2][n], float B[2 * n]", body: `
	for (int t = 0; t < T; t++)
		for (int i = 1; i < n - 1; i++)
			A[(t + 1) % 2][i] = A[t % 2][i - 1] + A[t % 2][i + 1] + B[2 * i + 1];`,
		remarks: []string{"B stays in global memory: subscript 0 of B[2 * i + 1] is not one loop variable plus a constant"}},
	{name: "subscript of two loops", params: "int T, int n, float A[2][n][n], float B[2 * n]", body: `
	for (int t = 0; t < T; t++)
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				A[(t + 1) % 2][i][j] = A[t % 2][i - 1][j] + A[t % 2][i + 1][j - 1] + B[i + j];`,
		remarks: []string{"B stays in global memory: subscript 0 of B[i + j] is not one loop variable plus a constant"}},
	{name: "read once", params: "int T, int n, float A[2][n], float B[T][n]", body: `
	for (int t = 0; t < T; t++)
		for (int i = 1; i < n - 1; i++)
			A[(t + 1) % 2][i] = A[t % 2][i - 1] + A[t % 2][i + 1] + B[t][i];`,
		remarks: []string{"B stays in global memory: a full tile uses"}},
	{name: "fields in one array", params: "int T, int n, float A[2][n][2]", body: `
	for (int t = 0; t < T; t++)
		for (int i = 1; i < n - 1; i++) {
			A[(t + 1) % 2][i][0] = A[t % 2][i - 1][1] + A[t % 2][i + 1][0];
			A[(t + 1) % 2][i][1] = A[t % 2][i][0] + A[t % 2][i - 1][0];
		}`},
	{name: "store read back", params: "int T, int n, float A[2][n], float B[n]", body: `
	for (int t = 0; t < T; t++)
		for (int i = 1; i < n - 1; i++) {
			B[i] = A[t % 2][i - 1] * 0.5f;
			A[(t + 1) % 2][i] = B[i] + A[t % 2][i + 1];
		}`},
}

// read returns the stencil of a region, as a function with those parameters.
func read(t *testing.T, params, body string) stencil {
	text := "void f(" + params + ")\n{\n#pragma scop" + body + "\n#pragma endscop\n}\n"
	return stencil{pipeline.Read(t, "odd", text)}
}

// TestOddRegions runs them in the emulator.
func TestOddRegions(t *testing.T) {
	for _, c := range odd {
		t.Run(c.name, func(t *testing.T) {
			x := read(t, c.params, c.body)
			for n := range 3 {
				s, p := x.mapped(t, x.small(n), lower.Options{})
				v, err := emulate.Verify(emulate.Request{Program: p, Schedule: s, Points: 1 << 13})
				require.NoError(t, err)
				require.True(t, v.OK(), "%v\n%v\n%v", s.Sizes, v, p)
				if n < 1 { // tiles of few steps gain nothing
					continue
				}
				require.Len(t, p.Remarks, len(c.remarks), "%v: %q", s.Sizes, p.Remarks)
				for i, r := range c.remarks {
					require.True(t, strings.HasPrefix(p.Remarks[i], r), "%v: %q", s.Sizes, p.Remarks)
				}
			}
		})
	}
}

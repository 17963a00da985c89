package model_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// some returns all in CI, and elsewhere a fifth of them.
func some(all []pipeline.Stencil) (few []pipeline.Stencil) {
	for i, x := range all {
		if os.Getenv("CI") == "true" || i%5 == 0 {
			few = append(few, x)
		}
	}
	return few
}

// more returns programs that testdata lacks: four dimensions, two to four nests,
// doubles beside floats, coefficients of lower rank, an array that is not staged.
func more(t testing.TB) []pipeline.Stencil {
	function := func(params, body string) string {
		return fmt.Sprintf("void f(int T, int n%s)\n{\n#pragma scop\n  for (int t = 0; t < T; t++) {\n%s\n  }\n#pragma endscop\n}\n", params, body)
	}
	nest := func(vars, body string) string {
		text := ""
		for _, v := range strings.Split(vars, "") {
			text += fmt.Sprintf("    for (int %[1]s = 1; %[1]s < n - 1; %[1]s++)\n", v)
		}
		return text + "      " + body + "\n"
	}
	return []pipeline.Stencil{
		pipeline.Read(t, "four", function(", float A[2][n][n][n][n]", nest("ijkl",
			"A[(t+1)%2][i][j][k][l] = A[t%2][i-1][j][k][l] + A[t%2][i][j+1][k][l] + A[t%2][i][j][k-1][l] + A[t%2][i][j][k][l+1];"))),
		pipeline.Read(t, "two", function(", double A[n][n], double B[n][n]", nest("ij", "B[i][j] = A[i-1][j] + A[i+1][j] + A[i][j+1];")+nest("ij", "A[i][j] = B[i][j];"))),
		pipeline.Read(t, "three", function(", float A[n], float B[n], float C[n]",
			nest("i", "B[i] = A[i-1] + A[i+1];")+nest("i", "C[i] = B[i] + B[i+1];")+nest("i", "A[i] = C[i];"))),
		pipeline.Read(t, "four-nests", function(", float A[n][n], float B[n][n]", nest("ij", "A[i][j] = B[i-1][j] + B[i][j];")+nest("ij", "B[i][j] = A[i][j] + A[i][j-1];")+
			nest("ij", "A[i][j] += B[i][j+1];")+nest("ij", "B[i][j] += A[i+1][j];"))),
		pipeline.Read(t, "coefficients", function(", float A[2][n][n], double c[n], float once[n][n]", nest("ij",
			"A[(t+1)%2][i][j] = c[j] * (A[t%2][i-1][j] + A[t%2][i+1][j]) + c[i];"))),
		pipeline.Read(t, "history", function(", float A[3][n]", nest("i", "A[(t+2)%3][i] = A[(t+1)%3][i-1] + A[t%3][i+1];"))),
	}
}

// TestChoose checks that every choice is legal, fits, and is counted as it is mapped.
func TestChoose(t *testing.T) {
	devices := machine.Devices()
	for i, x := range some(pipeline.All(t)) {
		for _, d := range []machine.Device{devices[i%len(devices)], devices[(i+len(devices)/2)%len(devices)]} {
			c, err := model.Choose(x.Space, x.Cone, d, nil, model.Asked{})
			require.NoError(t, err, x.Name)
			require.NoError(t, c.Verify(), x.Name)
			for _, k := range pipeline.Map(t, x.Schedule(t, c.Sizes()), d, lower.Options{}).Kernels {
				require.Equal(t, c.Best[0].Counts.SharedBytes, k.SharedBytes(), x.Name)
			}
			t.Logf("%s: %v", x.Name, c)
		}
	}
}

// TestAdvise asks for tiles that are too large.
func TestAdvise(t *testing.T) {
	d := pipeline.Device(t, "sm_80")
	for _, x := range some(pipeline.All(t)) {
		if len(x.Space.Space) < 2 {
			continue
		}
		sizes := schedule.Sizes{H: schedule.LegalH(x.Space.K)[0] + int64(x.Space.K)*3}
		for range x.Space.Space {
			sizes.W = append(sizes.W, 320)
		}
		_, err := lower.Lower(pipeline.Loops(t, x.Schedule(t, sizes)), d, lower.Options{})
		require.ErrorContains(t, err, "HX401", x.Name)
		var list diag.List
		require.ErrorAs(t, model.Advise(err, x.Space, x.Cone, d, sizes, model.Asked{}), &list)
		require.Contains(t, list[0].Help, "--tile=h=", x.Name)
		require.Contains(t, list[0].Msg, "166912", x.Name)

		fit, ok := model.Fit(x.Space, x.Cone, d, sizes, model.Asked{})
		require.True(t, ok)
		pipeline.Map(t, x.Schedule(t, fit), d, lower.Options{})
		t.Log(x.Name, list[0].Msg, list[0].Help)
	}
}

func BenchmarkChoose(b *testing.B) {
	for _, x := range pipeline.All(b) {
		b.Run(x.Name, func(b *testing.B) {
			d := pipeline.Device(b, "sm_80")
			for b.Loop() {
				_, err := model.Choose(x.Space, x.Cone, d, nil, model.Asked{})
				require.NoError(b, err)
			}
		})
	}
}

// TestSmallGrid chooses for grids of known size, down to those that no tile fits whole.
func TestSmallGrid(t *testing.T) {
	d := pipeline.Device(t, "sm_80")
	var points []int64
	for _, n := range []int{3, 8, 70, 200, 5000, 50000} {
		text := fmt.Sprintf(`float A[2][%d][%d];
void f(int T)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < %[1]d - 1; i++)
      for (int j = 1; j < %[1]d - 1; j++)
        A[(t + 1) %% 2][i][j] = A[t %% 2][i - 1][j] + A[t %% 2][i + 1][j] + A[t %% 2][i][j - 1] + A[t %% 2][i][j + 1];
#pragma endscop
}
`, n, n)
		x := pipeline.Read(t, "small", text)
		c, err := model.Choose(x.Space, x.Cone, d, nil, model.Asked{})
		require.NoError(t, err, n)
		require.NoError(t, c.Verify(), n)
		if n < 70 || n > 200 { // between, one partial tile may do as well as several
			require.Equal(t, n < 70, c.Best[0].Rough, "n = %d: %v", n, c)
		}
		points = append(points, c.Best[0].Counts.Points)
	}
	require.IsNonDecreasing(t, points[:len(points)-1], "where there are few blocks, a smaller grid gets tiles that are no larger")
	require.Less(t, points[0], points[len(points)-1])
}

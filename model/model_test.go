package model_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// A stencil is a case of testdata, up to its cone.
type stencil struct {
	name  string
	space *schedule.Canonical
	cone  schedule.Cone
}

func stencils(t testing.TB) []stencil {
	files, err := filepath.Glob("../testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var all []stencil
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		all = append(all, parse(t, strings.TrimSuffix(filepath.Base(f), ".txtar"), string(txtar.Parse(text).Files[0].Data)))
	}
	return all
}

// some returns all in CI, and elsewhere a fifth of them.
func some(all []stencil) (few []stencil) {
	for i, x := range all {
		if os.Getenv("CI") == "true" || i%5 == 0 {
			few = append(few, x)
		}
	}
	return few
}

// parse takes a program up to its cone.
func parse(t testing.TB, name, text string) stencil {
	r, err := frontend.Parse(frontend.Source{Name: name + ".c", Text: []byte(text)}, frontend.Options{NoAlias: true})
	require.NoError(t, err, name)
	deps, err := schedule.Dependences(r.Programs[0])
	require.NoError(t, err, name)
	x := stencil{name: name}
	x.space, err = schedule.Canonicalize(r.Programs[0], deps)
	require.NoError(t, err, name)
	x.cone, err = schedule.BoundCone(x.space, deps)
	require.NoError(t, err, name)
	return x
}

// more returns programs that testdata lacks: four dimensions, two to four nests,
// doubles beside floats, coefficients of lower rank, an array that is not staged.
func more(t testing.TB) []stencil {
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
	return []stencil{
		parse(t, "four", function(", float A[2][n][n][n][n]", nest("ijkl",
			"A[(t+1)%2][i][j][k][l] = A[t%2][i-1][j][k][l] + A[t%2][i][j+1][k][l] + A[t%2][i][j][k-1][l] + A[t%2][i][j][k][l+1];"))),
		parse(t, "two", function(", double A[n][n], double B[n][n]", nest("ij", "B[i][j] = A[i-1][j] + A[i+1][j] + A[i][j+1];")+nest("ij", "A[i][j] = B[i][j];"))),
		parse(t, "three", function(", float A[n], float B[n], float C[n]",
			nest("i", "B[i] = A[i-1] + A[i+1];")+nest("i", "C[i] = B[i] + B[i+1];")+nest("i", "A[i] = C[i];"))),
		parse(t, "four-nests", function(", float A[n][n], float B[n][n]", nest("ij", "A[i][j] = B[i-1][j] + B[i][j];")+nest("ij", "B[i][j] = A[i][j] + A[i][j-1];")+
			nest("ij", "A[i][j] += B[i][j+1];")+nest("ij", "B[i][j] += A[i+1][j];"))),
		parse(t, "coefficients", function(", float A[2][n][n], double c[n], float once[n][n]", nest("ij",
			"A[(t+1)%2][i][j] = c[j] * (A[t%2][i-1][j] + A[t%2][i+1][j]) + c[i];"))),
		parse(t, "history", function(", float A[3][n]", nest("i", "A[(t+2)%3][i] = A[(t+1)%3][i-1] + A[t%3][i+1];"))),
	}
}

// TestChoose checks that every choice is legal, fits, and is counted as it is mapped.
func TestChoose(t *testing.T) {
	devices := gpu.Devices()
	for i, x := range some(stencils(t)) {
		for _, d := range []gpu.Device{devices[i%len(devices)], devices[(i+len(devices)/2)%len(devices)]} {
			c, err := model.Choose(x.space, x.cone, d, nil)
			require.NoError(t, err, x.name)
			require.NoError(t, c.Verify(), x.name)
			s, err := schedule.Hybrid(x.space, x.cone, c.Sizes())
			require.NoError(t, err, x.name)
			loops, err := astgen.Generate(s)
			require.NoError(t, err, x.name)
			require.NoError(t, loops.Verify(), x.name)
			p, err := gpu.Map(loops, d, gpu.Options{})
			require.NoError(t, err, x.name)
			require.NoError(t, p.Verify(), x.name)
			for _, k := range p.Kernels {
				require.Equal(t, c.Best[0].Counts.SharedBytes, k.SharedBytes(), x.name)
			}
			t.Logf("%s: %v", x.name, c)
		}
	}
}

// TestAdvise asks for tiles that are too large.
func TestAdvise(t *testing.T) {
	d, _ := gpu.LookupDevice("sm_80")
	for _, x := range some(stencils(t)) {
		if len(x.space.Space) < 2 {
			continue
		}
		sizes := schedule.Sizes{H: schedule.LegalH(x.space.K)[0] + int64(x.space.K)*3}
		for range x.space.Space {
			sizes.W = append(sizes.W, 320)
		}
		s, err := schedule.Hybrid(x.space, x.cone, sizes)
		require.NoError(t, err, x.name)
		loops, err := astgen.Generate(s)
		require.NoError(t, err, x.name)
		_, err = gpu.Map(loops, d, gpu.Options{})
		require.ErrorContains(t, err, "HX401", x.name)
		var list diag.List
		require.ErrorAs(t, model.Advise(err, x.space, x.cone, d, sizes), &list)
		require.Contains(t, list[0].Help, "--tile=h=", x.name)
		require.Contains(t, list[0].Msg, "166912", x.name)

		fit, ok := model.Fit(x.space, x.cone, d, sizes)
		require.True(t, ok)
		s, err = schedule.Hybrid(x.space, x.cone, fit)
		require.NoError(t, err, x.name)
		loops, err = astgen.Generate(s)
		require.NoError(t, err, x.name)
		_, err = gpu.Map(loops, d, gpu.Options{})
		require.NoError(t, err, "%s %v", x.name, fit)
		t.Log(x.name, list[0].Msg, list[0].Help)
	}
}

func BenchmarkChoose(b *testing.B) {
	for _, x := range stencils(b) {
		b.Run(x.name, func(b *testing.B) {
			d, _ := gpu.LookupDevice("sm_80")
			for b.Loop() {
				_, err := model.Choose(x.space, x.cone, d, nil)
				require.NoError(b, err)
			}
		})
	}
}

// TestSmallGrid chooses for grids of known size, down to those that no tile fits whole.
func TestSmallGrid(t *testing.T) {
	d, _ := gpu.LookupDevice("sm_80")
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
		r, err := frontend.Parse(frontend.Source{Name: "small.c", Text: []byte(text)}, frontend.Options{})
		require.NoError(t, err)
		deps, err := schedule.Dependences(r.Programs[0])
		require.NoError(t, err)
		space, err := schedule.Canonicalize(r.Programs[0], deps)
		require.NoError(t, err)
		cone, err := schedule.BoundCone(space, deps)
		require.NoError(t, err)
		c, err := model.Choose(space, cone, d, nil)
		require.NoError(t, err, n)
		require.NoError(t, c.Verify(), n)
		if n < 70 || n > 200 { // between, one partial tile may do as well as several
			require.Equal(t, n < 70, c.Best[0].Rough, "n = %d: %v", n, c)
		}
		points = append(points, c.Best[0].Counts.Points)
	}
	require.IsNonDecreasing(t, points, "a smaller grid gets tiles that are no larger")
	require.Less(t, points[0], points[len(points)-1])
}

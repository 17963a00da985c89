package openmp_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
)

// halvesFlags compile for processors with vectors of 32 bytes, and find loads and stores outside of arrays.
var halvesFlags = []string{cases.Level("-O2"), "-fopenmp", "-DHEXCC_GRAIN=0", "-mavx", "-DHEXCC_HALVES=1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g0"}

// runsHalves reports whether a compiler makes programs with such vectors that run here. In CI it must.
func runsHalves(t *testing.T, compiler string) bool {
	program := filepath.Join(t.TempDir(), "probe")
	text := "int main(void) { return !__builtin_cpu_supports(\"avx\"); }\n"
	require.NoError(t, os.WriteFile(program+".c", []byte(text), 0o666))
	out, err := exec.Command(compiler, append(slices.Clone(halvesFlags), program+".c", "-o", program)...).CombinedOutput()
	if err == nil {
		err = exec.Command(program).Run()
	}
	if err != nil {
		require.NotEqual(t, "true", os.Getenv("CI"), "%s: %v %s", compiler, err, out)
	}
	return err == nil
}

// ofLines are bodies with more rows than a cache keeps lines of the same place: all operations, locals that change, values that are the same for
// all points, and values read after they were stored.
const ofLines = `
void lines(int T, int n, %[1]s A[restrict 2][n][n], %[1]s B[restrict n][n], %[1]s C[restrict n][n], const %[1]s c[restrict 3], %[1]s x)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 3; i < n - 3; i++)
      for (int j = 3; j < n - 3; j++) {
        const %[1]s scale = c[0] * x + t;
        %[1]s sum = -A[t %% 2][i][j], far = x;
        B[i][j] = scale - (A[t %% 2][i - 1][j] / (A[t %% 2][i + 1][j] * A[t %% 2][i + 1][j] + 2));
        sum = sum * (c[1] + t) - (+A[t %% 2][i - 2][j] - (A[t %% 2][i + 2][j] - (B[i][j] - (A[t %% 2][i][j - 3] - (A[t %% 2][i][j + 2] - 1)))));
        far = far - A[t %% 2][i - 3][j] * A[t %% 2][i + 3][j] / c[2];
        C[i][j] = x;
        A[(t + 1) %% 2][i][j] = %[2]s * sum / (far * far + 1) + -(C[i][j] * %[2]s) + (scale + x) * %[2]s;
      }
#pragma endscop
}
`

// TestHalves runs rows in lines of two halves, in tiles whose rows end anywhere, and compares all arrays with what the original program makes of
// them: in CI each compiler has tiles of one width, and every second case, unless HEXCC_TESTS=all.
func TestHalves(t *testing.T) {
	texts := map[string]string{"lines": fmt.Sprintf(ofLines, "double", "0.25"), "lines-float": fmt.Sprintf(ofLines, "float", "0.25f")}
	for i, base := range []string{"star-2d-4", "star-3d-2", "wave-3d", "em-3d"} {
		if cases.Whole() || i%2 == 0 {
			texts[base] = cases.Input(t, base)
		}
	}
	for base, text := range texts {
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			o := hexcc.Options{Target: hexcc.OpenMP, NoAlias: true}
			require.Contains(t, compile(t, base, text, o, true).C.Text, "\n#if HEXCC_HALVES\n")
			for i, compiler := range compilers(t) {
				if runsHalves(t, compiler) {
					compareBy(t, compiler, base, text, o, halvesFlags, cases.Turn(vectorWidths, i+len(base))...)
				}
			}
		})
	}
}

// TestHalvesText reads what a line of points is where it is computed in halves, and which programs have such lines: those whose rows are many and run
// one by one.
func TestHalvesText(t *testing.T) {
	o := hexcc.Options{Target: hexcc.OpenMP, NoAlias: true}
	text := compile(t, "star-2d-4", cases.Input(t, "star-2d-4"), o, true).C.Text
	loop := regexp.MustCompile(`(?s)#if HEXCC_HALVES\n *for \(; start <= end - 7; start \+= 8\) \{.*?\n *\}\n#endif\n`).FindString(text)
	for name, want := range map[string]int{"load": 17, "store": 1, "sum": 16, "product": 6, "all": 6} {
		require.Len(t, regexp.MustCompile(`hexcc_`+name+`8\(`).FindAllString(loop, -1), want, name)
	}
	for _, base := range []string{"jacobi-2d", "heat-2d", "fdtd-2d", "heat-3d-27"} {
		require.NotRegexp(t, `#if HEXCC_HALVES\n +for`, compile(t, base, cases.Input(t, base), o, true).C.Text, base)
	}
	o.FMA = true
	require.NotContains(t, compile(t, "star-2d-4", cases.Input(t, "star-2d-4"), o, true).C.Text, "HEXCC_HALVES")
}

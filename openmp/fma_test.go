package openmp_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/internal/whole"
	"github.com/hexcc/hexcc/scop"
)

// fusedWays are ways with products fused.
func fusedWays() []way {
	all := slices.Clone(ways)
	for i := range all {
		all[i].o.FMA = true
	}
	return all
}

// TestFused compiles cases with products fused, and compares all arrays with what the interpreter makes of
// the same calls of fma, bit for bit.
func TestFused(t *testing.T) {
	for _, base := range []string{"asymmetric", "fdtd-2d", "rician-2d"} {
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			compare(t, base, cases.Input(t, base), fusedWays()...)
		})
	}
}

// mixed has sums of two products of doubles, or floats, with a coefficient that is the same everywhere as the number that is added.
const mixed = `
void f(int T, int n, int m, REAL a, REAL b, REAL c, REAL A[restrict 2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = a * A[t % 2][i][j - 1] + b * A[t % 2][i - 1][j] - (c - A[t % 2][i][j] * A[t % 2][i + 1][j + 1]) * (REAL)0.25 + (a * b + c);
#pragma endscop
}
`

// TestFusedVectors runs vectors with products fused, spelled for all lanes one by one, as for processors without such vectors, and what
// compilers have for them where the processor does.
func TestFusedVectors(t *testing.T) {
	for name, text := range map[string]string{"double": strings.ReplaceAll(mixed, "REAL", "double"), "float": strings.ReplaceAll(mixed, "REAL", "float")} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i, compiler := range compilers(t) {
				if compilesVectors(t, compiler) {
					compareVectors(t, compiler, "mixed", text, hexcc.Options{Target: hexcc.OpenMP, NoAlias: true, FMA: true}, cases.Turn(vectorWidths, i+len(name))...)
				}
			}
		})
	}
}

// TestFusedInstructions compiles vectors for AVX-512, with a warning of none, and looks at the instructions: full rows have no call of
// fma, and as many fused multiply-adds as there are.
func TestFusedInstructions(t *testing.T) {
	fused := regexp.MustCompile(`\tvfn?m(?:add|sub)\d*p[sd]\t.*%zmm`)
	other := regexp.MustCompile(`\tv(?:add|sub)p[sd]\t.*%zmm`)
	for _, name := range []string{"double", "float"} {
		res := whole.Compile(t, name, strings.ReplaceAll(mixed, "REAL", name), hexcc.Options{Target: hexcc.OpenMP, NoAlias: true, FMA: true})
		require.Contains(t, res.C.Text, "HEXCC_FMA")
		dir := whole.Write(t, res.C.Named(name)...)
		for _, compiler := range compilers(t) {
			text := filepath.Join(dir, name+".s")
			tool.Quiet(t, compiler, slices.Concat(tool.Strict, []string{"-O3", "-mavx512f", "-DHEXCC_VECTORS=1", "-fopenmp", "-DHEXCC_GRAIN=0", "-Wno-unused-function", "-S", filepath.Join(dir, name+".hex.c"), "-o", text})...)
			assembly, err := os.ReadFile(text)
			require.NoError(t, err)
			require.Positive(t, len(fused.FindAll(assembly, -1)), compiler)
			require.NotRegexp(t, `call\S*\s+fmaf?\b`, string(assembly), compiler)
			require.LessOrEqual(t, len(other.FindAll(assembly, -1)), len(fused.FindAll(assembly, -1)), compiler)
		}
	}
}

// TestFusedNative compiles a case for the processor at hand, which may have fused multiply-adds and vectors of them: results are those of
// the calls of fma that others make.
func TestFusedNative(t *testing.T) {
	for _, real := range []string{"double", "float"} {
		res := whole.Compile(t, "mixed", strings.ReplaceAll(mixed, "REAL", real), hexcc.Options{Target: hexcc.OpenMP, NoAlias: true, FMA: true})
		translated := *res.Scop
		translated.Source = []byte(res.C.Text)
		trials := oracle.Trials(t, res.Scop, 4)
		mem, err := scop.NewMemory(res.Scop, []int64{9, 30, 200}, 1)
		require.NoError(t, err)
		trials = append(trials, oracle.Trial{Before: mem, After: oracle.Original(t, res.Scop)(mem)})
		for _, compiler := range compilers(t) {
			if out, err := exec.Command(compiler, "-march=native", "-E", "-x", "c", "/dev/null").CombinedOutput(); err != nil {
				t.Logf("%s: %s", compiler, out)
				continue
			}
			ours := oracle.CompileWith(t, compiler, &translated, "-O3", "-march=native", "-fopenmp", "-DHEXCC_GRAIN=0")
			for _, x := range trials {
				x.Check(t, compiler, ours.Run(t, x.Before))
			}
		}
	}
}

// TestFusedHead checks what the head of a file says.
func TestFusedHead(t *testing.T) {
	const says = "// Made with --fma: products are fused with the sums that they feed. Results differ from those of mixed.c by rounding.\n"
	text := strings.ReplaceAll(mixed, "REAL", "double")
	for _, target := range []hexcc.Target{hexcc.OpenMP, hexcc.C} {
		res := whole.Compile(t, "mixed", text, hexcc.Options{Target: target, NoAlias: true, FMA: true})
		require.Contains(t, res.C.Text, says)
		require.Contains(t, res.C.Text, "the results are those of the program with products fused, bit for bit")
		require.Contains(t, res.C.Text, "-march=native")
		res = whole.Compile(t, "mixed", text, hexcc.Options{Target: target, NoAlias: true})
		require.NotContains(t, strings.ToLower(res.C.Text), "--fma")
		require.NotContains(t, res.C.Text, "HEXCC_FMA")
		require.Contains(t, res.C.Text, "the results are those of the original program")
	}
}

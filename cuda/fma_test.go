package cuda_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/internal/whole"
)

// TestFusedRunsOnCPU compiles cases with products fused, and compares all arrays with what the interpreter makes of the same
// calls of fma, bit for bit.
func TestFusedRunsOnCPU(t *testing.T) {
	for _, base := range cases.Turn([]string{"rician-2d", "wave-2d"}, 0) { // others by compilers of other targets
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			compareOnCPU(t, load(t, base, variant{Variant: pipeline.Fused}), 3)
		})
	}
}

// rounding has products that are rounded, in every type that has some, and an array that is called like the function that fuses them.
const rounding = `
void f(int T, int n, TYPE FMA[restrict 2][n], unsigned K[restrict 2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++) {
      FMA[(t + 1) % 2][i] = (TYPE)0.3 * FMA[t % 2][i - 1] + (TYPE)0.31 * FMA[t % 2][i] + (TYPE)0.32 * FMA[t % 2][i + 1];
      K[(t + 1) % 2][i] = K[t % 2][i - 1] * 3 + K[t % 2][i + 1];
    }
#pragma endscop
}
`

// TestFusedCheck runs programs of --check where products are fused: they differ from the original, though within the
// tolerance, and kernels beyond that, or with other integers, are found out.
func TestFusedCheck(t *testing.T) {
	o := hexcc.Options{FMA: true, Strategy: hexcc.Hybrid}
	for name, fma := range map[string]string{"double": "fma", "float": "fmaf", "_Float16": "fmaf"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := strings.NewReplacer("TYPE", name, "FMA", fma).Replace(rounding)
			program := checkedWith(t, "f", text, o, func(kernel string) string { return kernel })
			out, status := run(t, program)
			require.Zero(t, status, out)
			require.Contains(t, out, "\nall equal within the tolerance\n")
			furthest := regexp.MustCompile(`elements equal within the tolerance \((\S+) of 1024 units\); original`).FindAllStringSubmatch(out, -1)
			require.Greater(t, len(furthest), 4, out)
			if name != "_Float16" { // which hides most
				require.NotEqual(t, "0", furthest[len(furthest)-1][1], "rounding once is something else")
			}
			for what, change := range map[string]map[string][2]string{
				"double":   {"much": {"0.32", "0.3200000001"}, "whole": {"* 3", "* 4"}},
				"float":    {"much": {"0.32", "0.321"}},
				"_Float16": {"little": {"0.32", "0.3201"}, "much": {"0.32", "0.35"}},
			}[name] {
				program := checkedWith(t, "f", text, o, func(kernel string) string {
					require.Contains(t, kernel, change[0])
					return strings.ReplaceAll(kernel, change[0], change[1])
				})
				out, status := run(t, program, "n=200", "T=6")
				if what == "little" {
					require.Zero(t, status, "%s\n%s", what, out)
					continue
				}
				require.Equal(t, 1, status, "%s\n%s", what, out)
				require.Contains(t, out, "elements DIFFER")
				require.Equal(t, what == "much", strings.Contains(out, "differs by more than the tolerance"), out)
			}
		})
	}
}

// TestFusedHeads checks that all files say that products are fused.
func TestFusedHeads(t *testing.T) {
	text := cases.Input(t, "heat-2d")
	for _, o := range cases.Turn([]hexcc.Options{{Launch: hexcc.Ready}, {Lines: true}, {}}, 0) {
		o.NoAlias, o.Strategy, o.Check = true, hexcc.Hybrid, true
		for _, o.FMA = range []bool{true, false} {
			res := whole.Compile(t, "heat", text, o)
			for _, f := range res.Files.Named("heat") {
				require.Equal(t, o.FMA, strings.Contains(f.Text, "Made with --fma: products are fused with the sums that they feed. Results differ from those of heat.c by rounding."), f.Name)
			}
			require.Equal(t, o.FMA, strings.Contains(res.Check, "Products are fused with sums (--fma)"))
			require.Equal(t, o.FMA, strings.Contains(res.Files.Kernel, "fmaf("))
			require.Contains(t, res.Files.Kernel, fmt.Sprintf("// The results are those of the original program%s, bit for bit", map[bool]string{true: " with products fused"}[o.FMA]))
		}
	}
}

// TestRegroupedCheck runs a program of --check where sums are regrouped: kernels are within the tolerance of the original, and others are found out.
func TestRegroupedCheck(t *testing.T) {
	text := `void f(int T, int n, double A[restrict 2][n][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[(t + 1) % 2][i][j] = 0.11 * A[t % 2][i - 1][j - 1] + 0.11 * A[t % 2][i][j - 1] + 0.11 * A[t % 2][i + 1][j - 1] + 0.11 * A[t % 2][i - 1][j + 1] + 0.11 * A[t % 2][i][j + 1]
                             + 0.11 * A[t % 2][i + 1][j + 1] + 0.3 * A[t % 2][i][j];
#pragma endscop
}
`
	o := hexcc.Options{Reassociate: hexcc.AnyLoop, Strategy: hexcc.Hybrid}
	out, status := run(t, checkedWith(t, "f", text, o, func(kernel string) string {
		require.Contains(t, kernel, "with sums regrouped, bit for bit")
		return kernel
	}))
	require.Zero(t, status, out)
	require.Contains(t, out, "\nall equal within the tolerance\n")
	out, status = run(t, checkedWith(t, "f", text, o, func(kernel string) string {
		require.Contains(t, kernel, "0.11")
		return strings.ReplaceAll(kernel, "0.11", "0.1100000001")
	}), "n=60", "T=6")
	require.Equal(t, 1, status, out)
	require.Contains(t, out, "differs by more than the tolerance")
}

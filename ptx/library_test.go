package ptx_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/ptx"
	"github.com/hexcc/hexcc/ptx/asm"
	"github.com/hexcc/hexcc/scop"
)

// withFunctions calls functions of libdevice in both types, some with arguments for which they take slow ways.
var withFunctions = `
#include <math.h>
void f(int T, int n, float a[restrict 2][n], double b[restrict 2][n], float w)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++) {
      float p = a[t % 2][i - 1], q = a[t % 2][i + 1];
      double x = b[t % 2][i - 1], y = b[t % 2][i + 1];
      a[(t + 1) % 2][i] = 0.3f * expf(-p * p) + sinf(q * 1e6f) + cosf(p) + powf(fabsf(q) + 0.1f, w) + logf(1 + fabsf(p)) + tanhf(q);
      b[(t + 1) % 2][i] = 0.3 * exp(-x * x) + sin(y * 1e12) + cos(x) + pow(fabs(y) + 0.1, 1.5) + log(1 + fabs(x)) + atan2(x, y) + sqrt(fabs(y)) / 3;
    }
#pragma endscop
}
`

// library returns the path of libdevice for a program. Without one the test is skipped, except in CI, where it fails.
func library(t *testing.T, p *scop.Program) string {
	t.Helper()
	path, err := ptx.FindLibrary(p, os.Getenv("HEXCC_LIBDEVICE"))
	if err != nil {
		tool.Missing(t, "%v", err)
	}
	return path
}

// against runs the PTX of a part and the original program with the functions of
// the library, and compares bit for bit.
func against(t *testing.T, part ptx.Part, kernels []ptx.Kernel, m *asm.Module, functions scop.Functions) {
	t.Helper()
	m.Approximate = true
	trial := &ptx.Trial{Program: part.Program, Kernels: kernels, Module: m, Seed: 1}
	request := emulate.Request{Program: part.Program, Seed: 1, Functions: functions}
	for i, params := range [][]int64{{7, 40}, {12, 3}, {4, 77}, {0, 9}} {
		diff, err := request.Against(params, uint64(i), trial.Run)
		require.NoError(t, err)
		require.Zero(t, diff.Differ, "T, n = %v: %v: %v and %v", params, diff.First, diff.A, diff.B)
		require.Positive(t, diff.Elements)
	}
}

// TestLibrary runs PTX with functions of libdevice, made by each LLVM that there is;
// and what nvcc makes of the CUDA text, which takes them from there too: all give the same bits.
func TestLibrary(t *testing.T) {
	part := mapped(t, "functions", withFunctions, pipeline.Staged)
	path := library(t, part.Program.Scop)
	module := ptx.Lower([]ptx.Part{part})
	require.Equal(t, []string{"atan2", "cos", "cosf", "exp", "expf", "log", "logf", "pow", "powf", "sin", "sinf", "tanhf"}, module.Library)
	var functions scop.Functions
	for version, tools := range allLLVM(t) {
		tools.Library = path
		text, err := tools.Compile(module.Text, "sm_80")
		require.NoError(t, err)
		files := ptx.PrintAll([]ptx.Part{part}, module, text, "sm_80", tools)
		for _, text := range []string{files.PTX, files.Loader} {
			require.Contains(t, text, "// The last bits of atan2, cos, cosf, exp, expf, log, logf, pow, powf, sin, sinf, tanhf are those of NVIDIA's library, and not of a C library.\n")
		}
		functions, err = files.Functions()
		require.NoError(t, err)
		t.Run(version, func(t *testing.T) { against(t, part, module.Kernels[0], parse(t, text), functions) })
		said := assemble(t, "sm_80", text)
		require.Len(t, entries.FindAllString(said, -1), 2*len(part.Program.Versions()), said)
	}
	t.Run("nvcc", func(t *testing.T) {
		m, kernels := nvccPTX(t, "functions", part.Program)
		against(t, part, kernels, m, functions)
	})
}

// TestFunctions compares each function of libdevice with Go's, which like it are
// right up to a few units in the last place: a wrong function, argument or type would be far off.
func TestFunctions(t *testing.T) {
	one := map[string]func(float64) float64{
		"exp": math.Exp, "exp2": math.Exp2, "expm1": math.Expm1, "log": math.Log, "log2": math.Log2, "log10": math.Log10, "log1p": math.Log1p,
		"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
		"sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh, "asinh": math.Asinh, "acosh": math.Acosh, "atanh": math.Atanh,
		"erf": math.Erf, "erfc": math.Erfc, "tgamma": math.Gamma, "lgamma": func(x float64) float64 { v, _ := math.Lgamma(x); return v }, "cbrt": math.Cbrt,
	}
	two := map[string]func(x, y float64) float64{
		"fmod": math.Mod, "remainder": math.Remainder, "pow": math.Pow, "hypot": math.Hypot, "atan2": math.Atan2,
	}
	module := ptx.Module{}
	for name := range one {
		module.Library = append(module.Library, name, name+"f")
	}
	for name := range two {
		module.Library = append(module.Library, name, name+"f")
	}
	part := mapped(t, "functions", withFunctions, pipeline.Staged)
	tools := llvm(t, "sm_80")
	tools.Library = library(t, part.Program.Scop)
	lowered := ptx.Lower([]ptx.Part{part})
	module.Kernels, module.Wide = lowered.Kernels, lowered.Wide
	functions, err := ptx.PrintAll([]ptx.Part{part}, module, "", "sm_80", tools).Functions()
	require.NoError(t, err)
	require.Len(t, functions, 2*(len(one)+len(two)))
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		x, y := float64(float32(rng.Float64()*5-1.5)), float64(float32(rng.Float64()*3))
		if rng.IntN(10) == 0 {
			x = float64(float32(rng.NormFloat64() * 1e4 * math.Exp2(rng.Float64()*40)))
		}
		for name := range functions {
			base := name
			if one[name] == nil && two[name] == nil {
				base = strings.TrimSuffix(name, "f")
			}
			var want float64
			if f := one[base]; f != nil {
				want = f(x)
			} else {
				want = two[base](x, y)
			}
			got, off := 0.0, 1e-12
			if base == name {
				got = math.Float64frombits(functions[name]([]uint64{math.Float64bits(x), math.Float64bits(y)}))
			} else {
				bits := []uint64{uint64(math.Float32bits(float32(x))), uint64(math.Float32bits(float32(y)))}
				got, want, off = float64(math.Float32frombits(uint32(functions[name](bits)))), float64(float32(want)), 2e-6
			}
			if math.IsNaN(want) || math.IsInf(want, 0) {
				require.True(t, math.IsNaN(got) == math.IsNaN(want) && math.IsInf(got, 0) == math.IsInf(want, 0), "%s(%v, %v) = %v, want %v", name, x, y, got, want)
				continue
			}
			require.InDelta(t, want, got, off*max(1, math.Abs(want)), "%s(%v, %v)", name, x, y)
		}
	}
}

// TestNoLibrary checks what is said where libdevice or the linker is missing or wrong.
func TestNoLibrary(t *testing.T) {
	part := mapped(t, "functions", withFunctions, pipeline.Staged)
	p := part.Program.Scop
	at, name, uses := ptx.Uses(p)
	require.True(t, uses)
	require.Equal(t, "expf", name)
	refused := func(err error, code diag.Code) *diag.Diagnostic {
		t.Helper()
		var list diag.List
		require.ErrorAs(t, err, &list)
		require.Len(t, list, 1)
		require.Equal(t, code, list[0].Code)
		require.NotEmpty(t, list[0].Help)
		return list[0]
	}
	for _, path := range []string{ptx.NoLibrary, filepath.Join(t.TempDir(), "missing.bc"), t.TempDir()} {
		_, err := ptx.FindLibrary(p, path)
		d := refused(err, "HX301")
		require.Equal(t, at, d.At)
		require.Contains(t, d.Notes[0].Msg, path)
		require.Contains(t, d.Help, "pip install nvidia-nvvm")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("HEXCC_NVCC", filepath.Join(dir, "bin", "nvcc"))
	t.Setenv("CUDA_HOME", filepath.Join(dir, "home"))
	for _, file := range []string{"nvvm/libdevice/libdevice.10.bc", "home/nvvm/libdevice/libdevice.10.bc", "bin/nvcc"} {
		file = filepath.Join(dir, file)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
		require.NoError(t, os.WriteFile(file, []byte("no bitcode"), 0o777))
	}
	found, err := ptx.FindLibrary(p, "")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "home/nvvm/libdevice/libdevice.10.bc"), found)
	require.NoError(t, os.Remove(found))
	found, err = ptx.FindLibrary(p, "")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "nvvm/libdevice/libdevice.10.bc"), found)

	tools := llvm(t, "sm_80")
	tools.Library = found
	module := ptx.Lower([]ptx.Part{part})
	_, err = tools.Compile(module.Text, "sm_80")
	require.Contains(t, refused(err, "HX503").Msg, "llvm-link")

	for tool, path := range map[string]string{"llc": tools.LLC, "opt": tools.Opt} {
		require.NoError(t, os.Symlink(path, filepath.Join(dir, "bin", tool)))
	}
	tools.LLC = filepath.Join(dir, "bin", "llc-copy")
	text, err := os.ReadFile(cases.File(t, "go.mod"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(tools.LLC, text, 0o777))
	_, err = tools.Compile(module.Text, "sm_80")
	require.Contains(t, refused(err, "HX501").Help, "apt-get install llvm-"+strings.Split(tools.Version, ".")[0])
}

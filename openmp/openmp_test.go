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
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/internal/whole"
)

// TestMain keeps threads that wait from taking the time of those that work.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{"OMP_NUM_THREADS": "3", "OMP_WAIT_POLICY": "passive"} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// compilers returns the C compilers at hand, gcc first. In CI both must be there.
func compilers(t *testing.T) []string {
	gcc, err := exec.LookPath("gcc")
	require.NoError(t, err)
	if clang := clang(t); clang != "" {
		return []string{gcc, clang}
	}
	return []string{gcc}
}

// clang returns the path of clang, with OpenMP, "" if there is none: then what
// needs it is left out, but not in CI.
func clang(t *testing.T) string {
	for _, name := range []string{os.Getenv("HEXCC_CLANG"), "clang", "clang-19"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	require.NotEqual(t, "true", os.Getenv("CI"), "no clang: set HEXCC_CLANG")
	return ""
}

// compile translates C text, with small tiles unless auto.
func compile(t *testing.T, base, text string, o hexcc.Options, auto bool) *hexcc.Result {
	t.Helper()
	if auto {
		return whole.Compile(t, base, text, o)
	}
	return whole.Narrow(t, base, text, o)
}

// A way is a target and how it is compiled.
type way struct {
	name    string
	o       hexcc.Options
	auto    bool // sizes of tiles chosen by hexcc
	threads bool
}

var ways = []way{
	{"parallel", hexcc.Options{Target: hexcc.OpenMP, NoAlias: true, Strategy: hexcc.Hybrid}, false, true},
	{"sequential", hexcc.Options{Target: hexcc.C, NoAlias: true, Strategy: hexcc.Hybrid}, false, false},
	{"auto", hexcc.Options{Target: hexcc.OpenMP, NoAlias: true}, true, true},
}

// TestCases translates every case of testdata, and compares all arrays with what
// the original program makes of them, bit for bit, at many sizes; in CI every second one.
func TestCases(t *testing.T) {
	cases.EachNth(t, 2, 1, func(t *testing.T, base, text string) {
		t.Parallel()
		compare(t, base, text, ways...)
	})
}

// TestSpaceOnly does so with tiles of space alone.
func TestSpaceOnly(t *testing.T) {
	for _, base := range []string{"jacobi-1d", "em-2d", "fdtd-2d", "heat-3d"} {
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			o := hexcc.Options{Target: hexcc.OpenMP, NoAlias: true, Strategy: hexcc.Space}
			compare(t, base, cases.Input(t, base), way{"space", o, true, true})
		})
	}
}

// sizes is how many sizes each translation runs at.
const sizes = 6

// compare runs the translations of text and the original at several sizes; in CI compilers take turns, unless HEXCC_TESTS=all.
func compare(t *testing.T, base, text string, ways ...way) {
	t.Helper()
	var trials []oracle.Trial
	for i, w := range ways {
		res := compile(t, base, text, w.o, w.auto)
		inner(t, res.C.Text)
		if trials == nil {
			trials = oracle.Trials(t, res.Scop, sizes)
		}
		for _, compiler := range cases.Turn(compilers(t), i+len(base)) {
			ours := built(t, compiler, base, w, res)
			for _, x := range trials {
				x.Check(t, w.name+" "+compiler, ours.Run(t, x.Before))
			}
		}
	}
}

// optimized are the cases that are compiled with optimization even where tests are not Whole. Of the others it is one of three in CI.
var optimized = []string{"asymmetric", "wave-2d"}

// built compiles a translation, of which there must be no warning.
func built(t *testing.T, compiler, base string, w way, res *hexcc.Result) *oracle.Binary {
	flags := []string{"-O2"}
	if !slices.Contains(optimized, base) {
		flags[0] = cases.Level("-O2")
		if cases.InTurns() && len(base)%3 > 0 {
			flags[0] = "-O0"
		}
	}
	if w.threads {
		flags = append(flags, "-fopenmp", "-DHEXCC_GRAIN=0")
	} else {
		require.NotContains(t, res.C.Text, "pragma omp")
	}
	source := filepath.Join(tool.Write(t, map[string]string{base + ".hex.c": res.C.Text}), base+".hex.c")
	tool.Quiet(t, compiler, slices.Concat(tool.Strict, flags, []string{"-Wno-unused-function", "-fsyntax-only", source})...)
	translated := *res.Scop
	translated.Source = []byte(res.C.Text)
	return oracle.CompileWith(t, compiler, &translated, flags...)
}

// inner checks that no remainder is taken in an innermost loop of the tiles.
func inner(t *testing.T, text string) {
	text = text[:strings.Index(text, "#line 1 ")]
	loop := regexp.MustCompile(`(?s)\n *for \([^\n]*\{\n[^{}]*\}`)
	found := loop.FindAllString(text, -1)
	require.NotEmpty(t, found)
	for _, body := range found {
		require.NotContains(t, body, "_mod(")
		require.NotRegexp(t, `& 1\)`, body)
	}
}

// TestCompileLine checks what the head of a file says of flags: where there are calls, that they need not set errno.
func TestCompileLine(t *testing.T) {
	for base, calls := range map[string]bool{"jacobi-2d": false, "gradient-2d": true} {
		for target, omp := range map[hexcc.Target]string{hexcc.OpenMP: " -fopenmp", hexcc.C: ""} {
			text := compile(t, base, cases.Input(t, base), hexcc.Options{Target: target, NoAlias: true}, true).C.Text
			flags := omp
			if calls {
				flags += " -fno-math-errno"
			}
			require.Contains(t, text, "// Compile with: cc -O3 -march=native"+flags+" -ffp-contract=off -c ")
			require.Equal(t, calls, strings.Contains(text, "// -fno-math-errno changes no result"))
		}
	}
}

// TestSource checks that the text outside of the region stays byte for byte.
func TestSource(t *testing.T) {
	text := cases.Input(t, "jacobi-2d")
	res := compile(t, "jacobi-2d", text, hexcc.Options{Target: hexcc.OpenMP}, true)
	r := res.Scop.Region
	_, user, found := strings.Cut(res.C.Text, "#line 1 \"jacobi-2d.c\"\n")
	require.True(t, found)
	require.True(t, strings.HasPrefix(user, text[:r.Start]))
	require.True(t, strings.HasSuffix(user, text[r.End:]))
}

// TestIdioms builds each program of testdata/idioms as it is and translated: all print the same. gcc compiles the
// parallel programs, clang the others, of every eighth idiom, and with HEXCC_TESTS=all of each. Where it says that a fact does not hold, the original loops run.
func TestIdioms(t *testing.T) {
	cases.EachNthIdiom(t, 8, 3, sameOnCPU)
}

// TestCPUIdioms does so with those that only CPUs run, and verifies their loops as hexcc verify does.
func TestCPUIdioms(t *testing.T) {
	cases.EachCPUIdiom(t, func(t *testing.T, x cases.Idiom) {
		sameOnCPU(t, x)
		res := compile(t, x.Name, x.Text, hexcc.Options{Target: hexcc.OpenMP}, true)
		v, err := emulate.Verify(emulate.Request{CPU: res.CPU, Schedule: res.Schedule, Proofs: res.Proofs, Points: 3000})
		require.NoError(t, err)
		require.True(t, v.OK(), "%v", v)
		require.Contains(t, v.String(), " where the program has ")
		_, err = hexcc.Compile(hexcc.Source{Name: "s.c", Text: []byte(x.Text)}, hexcc.Options{Target: hexcc.PTX})
		require.ErrorContains(t, err, "in which no GPU calculates")
	})
}

var said = regexp.MustCompile(`it does not hold that (.*): the original loops run instead of the tiled ones\n`)

// sameOnCPU builds an idiom as it is and translated.
func sameOnCPU(t *testing.T, x cases.Idiom) {
	plain := build(t, "gcc", t.TempDir(), "plain", x.Text, "-Wno-unknown-pragmas")
	by := compilers(t)
	if x.GCC {
		by = by[:1]
	}
	for i, w := range ways[:2] {
		o, solver := forIdiom(x, w.o)
		translated := compile(t, x.Name, x.Text, o, solver).C.Text
		ours := build(t, by[i%len(by)], t.TempDir(), x.Name, translated, "-fopenmp", "-DHEXCC_GRAIN=0")
		violated := []string{}
		for _, args := range x.Runs {
			errs := tool.SameOutput(t, plain, ours, args...)
			for _, fact := range said.FindAllStringSubmatch(errs, -1) {
				violated = append(violated, fact[1])
			}
			require.Equal(t, len(said.FindAllString(errs, -1)), strings.Count(errs, "\n"), errs)
		}
		slices.Sort(violated)
		require.ElementsMatch(t, x.Violated, slices.Compact(violated))
	}
}

// forIdiom returns o, by which hexcc chooses the strategy where values travel along a column in one step, which hexagons do not allow.
func forIdiom(x cases.Idiom, o hexcc.Options) (of hexcc.Options, solver bool) {
	probe := o
	probe.Stop = "cone"
	if _, err := hexcc.Compile(hexcc.Source{Name: x.Name + ".c", Text: []byte(x.Text)}, probe); err != nil && strings.Contains(err.Error(), "[HX201]") {
		o.Strategy, solver = "", true
	}
	return o, solver
}

// TestOnlyInC refuses a type of which functions are overloaded in C++.
func TestOnlyInC(t *testing.T) {
	const text = `#include <cmath>
void f(int T, int n, long double (*a)[100])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < 99; i++)
      a[(t + 1) % 2][i] = std::sqrt(a[t % 2][i - 1]);
#pragma endscop
}
`
	_, err := hexcc.Compile(hexcc.Source{Name: "s.cpp", Text: []byte(text)}, hexcc.Options{Target: hexcc.OpenMP})
	require.ErrorContains(t, err, "s.cpp:7:27: 'a' has elements of type 'long double', whose functions are not told from those of double in C++")
	var list diag.List
	require.ErrorAs(t, err, &list)
	require.Equal(t, "put the region into a C file, and let CPUs run it: --target=openmp or --target=c", list[0].Help)
}

// TestIdiomsTall translates these programs with the tiles that hexcc chooses, which may have many steps.
func TestIdiomsTall(t *testing.T) {
	cases.EachNthIdiom(t, 12, 2, func(t *testing.T, x cases.Idiom) {
		for _, w := range ways[1:] {
			o, _ := forIdiom(x, w.o)
			compile(t, x.Name, x.Text, o, true)
		}
	})
}

// build compiles C text and returns the program.
func build(t *testing.T, compiler, dir, base, text string, more ...string) string {
	source := filepath.Join(dir, base+".c")
	require.NoError(t, os.WriteFile(source, []byte(text), 0o666))
	return tool.Build(t, compiler, filepath.Join(dir, base), append([]string{cases.Level("-O1"), source}, more...)...)
}

// TestFacts runs a program for which what is assumed holds, and does not: then
// the original loops run, or the program stops.
func TestFacts(t *testing.T) {
	o := hexcc.Options{Target: hexcc.OpenMP, NoAlias: true, Assume: []string{"n <= 90"}}
	for _, refuse := range []bool{false, true} {
		o.Refuse = refuse
		dir := t.TempDir()
		ours := build(t, "gcc", dir, "facts", compile(t, "facts", cases.Apart, o, false).C.Text, "-fopenmp", "-DHEXCC_GRAIN=0")
		plain := build(t, "gcc", dir, "plain", cases.Apart, "-Wno-unknown-pragmas")
		for args, violated := range map[string]string{
			"9 80 100": "", "9 80 80": "", "0 3 3": "", "9 91 100": "n <= 90", "9 80 79": "arrays A and B do not overlap",
		} {
			want, _, _ := tool.Output(t, plain, strings.Fields(args)...)
			got, errs, status := tool.Output(t, ours, strings.Fields(args)...)
			switch {
			case violated == "":
				require.Equal(t, want, got, args)
				require.Empty(t, errs)
			case refuse:
				require.Empty(t, got)
				require.NotZero(t, status)
				require.Contains(t, errs, violated+": the program stops\n")
			default:
				require.Equal(t, want, got, args)
				require.Regexp(t, `^facts\.c:\d+: hexcc: it does not hold that `+violated+`: the original loops run instead of the tiled ones\n$`, errs)
			}
		}
	}
}

// TestMacros compiles with macros on the command line that have the names of loops,
// and with several regions, in which indices are int and long.
func TestMacros(t *testing.T) {
	o := hexcc.Options{Target: hexcc.OpenMP, NoAlias: true, Defines: []string{"T=7", "S0=33", "b0=2", "x=3"}}
	dir := t.TempDir()
	flags := []string{"-DT=7", "-DS0=33", "-Db0=2", "-Dx=3", "-Wno-unknown-pragmas"}
	ours := build(t, "gcc", dir, "macros", compile(t, "macros", macros, o, true).C.Text, append(flags, "-fopenmp", "-DHEXCC_GRAIN=0")...)
	tool.SameOutput(t, build(t, "gcc", dir, "plain", macros, flags...), ours)
}

const macros = `
#define _GNU_SOURCE
#include <math.h>
#include <stdio.h>
#define min(a, b) ((a) < (b) ? (a) : (b))
#define phase 1
static double A[2][S0 + b0], B[2][S0][S0];
static int dprintf_(void) { return x; }
static void second(long n)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (long i = 1; i < n - 1; i++)
      for (long j = 1; j < n - 1; j++)
        B[(t + 1) % 2][i][j] = sqrt(B[t % 2][i - 1][j] * 0.5 + B[t % 2][i][j + 1] * 0.25);
#pragma endscop
}
int main(void)
{
  double sum = dprintf_();
  for (int i = 0; i < S0; i++) {
    A[0][i] = A[1][i] = i * 0.1;
    for (int j = 0; j < S0; j++)
      B[0][i][j] = B[1][i][j] = i * 0.3 + j;
  }
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < S0 - 1; i++)
      A[(t + 1) % 2][i] = fabs(A[t % 2][i - 1] - A[t % 2][i + 1]) + 0.1;
#pragma endscop
  second(31);
  for (int i = 0; i < S0; i++)
    for (int j = 0; j < S0; j++)
      sum += A[1][i] + B[1][i][j] * j;
  printf("%.17g\n", sum);
  return 0;
}
`

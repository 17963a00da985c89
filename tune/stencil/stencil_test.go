package stencil

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/tune"
)

const heat = `void heat(int T, int n, double A[restrict 2][n][n])
{
  int i, j;
#pragma scop
  for (int t = 0; t < T; t++)
    for (i = 1; i < n - 1; i++)
      for (j = 1; j < n - 1; j++)
        A[(t + 1) % 2][i][j] = 0.2 * (A[t % 2][i][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1] + A[t % 2][i + 1][j] + A[t % 2][i - 1][j]);
#pragma endscop
}
`

// tuner is one of text at small sizes, with cc as the compiler.
func tuner(t *testing.T, text, cc string, target hexcc.Target) *Tuner {
	t.Helper()
	u, err := New(Request{
		Source: hexcc.Source{Name: "heat.c", Text: []byte(text)}, Options: hexcc.Options{Target: target, Base: "heat", Grid: map[string]int64{"n": 150, "T": 20}},
		Compiler: cc, Optimize: []string{"-O1"}, Repetitions: 2, Seed: 1,
	})
	require.NoError(t, err)
	require.NoError(t, u.Prepare())
	t.Cleanup(func() { require.NoError(t, u.Close()) })
	return u
}

// TestTuneCUDA measures kernels, with a g++ in the place of nvcc: the header of hexcc shim runs the text on the CPU.
func TestTuneCUDA(t *testing.T) {
	tool.CXX(t)
	dir := t.TempDir()
	// What the device says that kernels took is what counts.
	shim := regexp.MustCompile(`(cudaError_t cudaEventElapsedTime\(float \*ms, [^)]*\)\n\{)`).ReplaceAllString(cuda.Shim, "$1 *ms = 7; return cudaSuccess;")
	require.NotEqual(t, cuda.Shim, shim)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cuda_runtime.h"), []byte(shim), 0o666))
	nvcc := filepath.Join(dir, "nvcc")
	script := "#!/bin/sh\nfor last; do :; done\nexec g++ -std=c++17 -O1 -ffp-contract=off -w -fPIC -shared -I " + dir + " -x c++ kernel.cu -o \"$last\"\n"
	require.NoError(t, os.WriteFile(nvcc, []byte(script), 0o777))
	u, err := New(Request{
		Source:  hexcc.Source{Name: "heat.c", Text: []byte(strings.ReplaceAll(heat, "double", "float"))},
		Options: hexcc.Options{Target: hexcc.CUDA, Base: "heat", Grid: map[string]int64{"n": 70, "T": 9}}, GPU: "a CPU",
		Compiler: compiler(t), NVCC: nvcc, Optimize: []string{"-O1"}, Repetitions: 1, Seed: 1,
	})
	require.NoError(t, err)
	require.NoError(t, u.Prepare())
	defer u.Close()
	r := run(t, u, 2)
	require.GreaterOrEqual(t, len(r.Outcomes), 4)
	for _, o := range r.Outcomes {
		require.Nil(t, o.Rejected, "%s: %v", o.Name, o.Rejected)
		if o.Name != Plain {
			require.InDelta(t, 0.007, o.Best(), 1e-6, o.Name)
		}
	}
	require.Contains(t, u.Key().Device, "a CPU, sm_80")
	names := map[string]bool{}
	for _, c := range u.rest(r.Outcomes) {
		w, _ := u.way(c.Name)
		_, err := w.With(u.Options)
		require.NoError(t, err)
		require.False(t, names[c.Name])
		names[c.Name] = true
	}

	require.NoError(t, os.WriteFile(nvcc, []byte("#!/bin/sh\necho kernel.cu: error: spoilt >&2\nexit 1\n"), 0o777))
	_, err = u.Build(t.Context(), u.candidate(u.First))
	require.ErrorContains(t, err, "does not compile: exit status 1: kernel.cu: error: spoilt")
}

func compiler(t *testing.T) string {
	cc, err := crun.Compiler()
	if err != nil {
		tool.Missing(t, "%v", err)
	}
	return cc
}

// run searches with all levels but those that the test leaves out.
func run(t *testing.T, u *Tuner, levels int) *tune.Result {
	t.Helper()
	s := tune.Search{Runner: u, Levels: u.Levels()[:levels], Budget: 5 * time.Minute, Jobs: 2, Limit: time.Minute, Least: 5 * time.Second}
	r, err := s.Run(t.Context())
	require.NoError(t, err)
	require.Empty(t, r.Ended)
	return r
}

// TestTune measures all that there is for a small grid, on two targets: everything has the results of the program as it is.
func TestTune(t *testing.T) {
	for target, least := range map[hexcc.Target]int{hexcc.OpenMP: 12, hexcc.C: 4} {
		u := tuner(t, heat, compiler(t), target)
		levels := len(u.Levels())
		if target == hexcc.C {
			levels = 2 // the others are the same
		}
		r := run(t, u, levels)
		require.GreaterOrEqual(t, len(r.Outcomes), least)
		groups := map[string]int{}
		for _, o := range r.Outcomes {
			require.Nil(t, o.Rejected, "%s: %v", o.Name, o.Rejected)
			require.True(t, len(o.Seconds) >= 2 && len(o.Seconds) <= mostRuns, "%v", o.Seconds)
			groups[o.Group]++
		}
		require.NotNil(t, r.Of(Plain))
		require.Equal(t, target == hexcc.OpenMP, r.Of(Parallel) != nil)
		require.NotNil(t, r.Of(u.First.Flags()), "the model's choice is measured")
		require.Positive(t, groups["hybrid"])
		require.Positive(t, groups["space"])
		best := r.Best()
		require.Contains(t, u.Pragma(best.Name), "#pragma hexcc strategy(")
		choice := u.Choice(*best)
		back, err := hexcc.ParseWay(choice.Flags)
		require.NoError(t, err)
		require.Equal(t, choice.Flags, back.Flags())
	}
}

// wrapper writes a compiler that spoils what it is given where a shell condition on the source holds.
func wrapper(t *testing.T, script string) string {
	path := filepath.Join(t.TempDir(), "cc")
	text := "#!/bin/sh\nexport REAL=" + compiler(t) + "\n" + script + "\nexec $REAL \"$@\"\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o777))
	return path
}

// TestFaults has a compiler spoil what hexcc makes with boxes of space, and nothing else: that is rejected, with what is wrong.
func TestFaults(t *testing.T) {
	if _, err := exec.LookPath("sed"); err != nil {
		tool.Missing(t, "%v", err)
	}
	for _, c := range []struct {
		name, spoil string // of input.c, for sed
		kind        tune.Kind
		why         string
	}{
		{"does not compile", `1s/^/#error spoilt\n/`, tune.Uncompile, "spoilt"},
		{"crash", `s/^void heat(.*/&/;s/^{/{ __builtin_trap();/`, tune.Crashed, "signal: "},
		{"exit", `1s/^/void exit(int);\n/;s/^{/{ exit(3);/`, tune.Crashed, "exit status 3"},
		{"hang", `s/^{/{ for (volatile int k = 0; k < 1; ) {}/`, tune.TimedOut, "it ran longer than "}, // 2 s, or more where the original takes long
		{"wrong", `s/0\.2 \*/0.25 */`, tune.Wrong, "at element A["},
		{"says", `1s/^/int puts(const char *);\n/;s/^{/{ puts("it does not hold that n is small");/`, tune.NotRun, "it does not hold that n is small"},
	} {
		cc := wrapper(t, `if grep -q "tiling of space only" input.c 2>/dev/null; then sed '`+c.spoil+`' input.c >spoilt.c && mv spoilt.c input.c; fi`)
		u := tuner(t, heat, cc, hexcc.C)
		s := tune.Search{Runner: u, Levels: u.Levels()[:2], Budget: time.Minute, Jobs: 2, Limit: time.Minute, Least: 2 * time.Second}
		r, err := s.Run(t.Context())
		require.NoError(t, err, c.name)
		seen := 0
		for _, o := range r.Outcomes {
			if o.Group != "space" {
				require.Nil(t, o.Rejected, "%s: %s: %v", c.name, o.Name, o.Rejected)
				continue
			}
			seen++
			require.NotNil(t, o.Rejected, c.name)
			require.Equal(t, c.kind, o.Rejected.Kind, "%s: %v", c.name, o.Rejected)
			require.Contains(t, o.Rejected.Why, c.why)
		}
		require.Positive(t, seen)
		require.NotEqual(t, "space", r.Best().Group)
	}
}

// TestOriginalFails: where the program as it is does not run, nothing can be measured, and that is said.
func TestOriginalFails(t *testing.T) {
	for spoil, code := range map[string]string{`1s/^/#error spoilt\n/`: "HX503", `s/^{/{ __builtin_trap();/`: "HX511"} {
		cc := wrapper(t, `if ! grep -q hexcc_heat input.c 2>/dev/null; then sed '`+spoil+`' input.c >spoilt.c && mv spoilt.c input.c; fi`)
		u := tuner(t, heat, cc, hexcc.C)
		s := tune.Search{Runner: u, Levels: u.Levels(), Budget: time.Minute, Jobs: 2, Limit: time.Minute, Least: time.Second}
		_, err := s.Run(t.Context())
		require.ErrorContains(t, err, code)
	}
}

// TestEnded checks that a program that runs, and its compiler, end with the search.
func TestEnded(t *testing.T) {
	u := tuner(t, heat, compiler(t), hexcc.C)
	endless := strings.Replace(heat, "int i, j;", "int i, j; for (volatile int k = 0; k < 1; ) {}", 1)
	u.Ways.Source.Text = []byte(endless)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	p, err := u.Build(ctx, tune.Candidate{Name: Plain})
	require.NoError(t, err)
	start := time.Now()
	_, err = p.Run(ctx)
	require.Error(t, err)
	require.Less(t, time.Since(start), 6*time.Second)
	_, err = u.Build(ctx, tune.Candidate{Name: Plain})
	require.Error(t, err)
}

// TestParallelLoops checks where the pragma stands, with which private variables, and that what is no code is not read.
func TestParallelLoops(t *testing.T) {
	for _, c := range []struct{ name, region, want string }{
		{"c89", "for (t = 0; t < T; t++)\n for (i = 1; i < n; i++)\n  for (j = 1; j < n; j++)\n   A[i] = 0;\n",
			"for (t = 0; t < T; t++)\n \n#pragma omp parallel for private(j)\nfor (i = 1; i < n; i++)\n  for (j = 1; j < n; j++)\n   A[i] = 0;\n"},
		{"nests", "for (int t = 0; t < T; t++) { /* for (;;) { */ x = \"for(\"; if (t) for (int i = 0; i < n; i++) a[i] = 1; else { for (int i = 0; i < n; i++) { b[i] = (1); } } }\n",
			"for (int t = 0; t < T; t++) { /* for (;;) { */ x = \"for(\"; if (t) \n#pragma omp parallel for\nfor (int i = 0; i < n; i++) a[i] = 1; else { \n#pragma omp parallel for\nfor (int i = 0; i < n; i++) { b[i] = (1); } } }\n"},
		{"written", "#pragma omp parallel for\nfor (int t = 0; t < T; t++) for (int i = 0; i < n; i++) ;\n", ""},
	} {
		r := loopReader{text: blank([]byte(c.region)), outer: 1}
		r.statements(0)
		p := *tuner(t, heat, compiler(t), hexcc.C).Scop
		p.Source, p.Region.Start, p.Region.End = []byte(c.region), 0, len(c.region)
		got, err := parallelLoops(&p)
		require.NoError(t, err, c.name)
		if c.want == "" {
			c.want = c.region
		}
		require.Equal(t, c.want, string(got), c.name)
	}
	p := *tuner(t, heat, compiler(t), hexcc.C).Scop
	p.Source, p.Region.Start, p.Region.End = []byte("while (x) step();"), 0, 17
	_, err := parallelLoops(&p)
	require.Error(t, err)
}

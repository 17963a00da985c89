package e2e_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/crun"
	testcases "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/scop"
)

// headers are those that programs of host loops include.
const headers = "../testdata/hostloops"

// A probedProgram is a whole program with probes around its regions.
type probedProgram struct {
	*crun.Whole
	name string
}

func buildProbed(t *testing.T, res *hexcc.Result, source []byte, more ...string) probedProgram {
	t.Helper()
	cc, err := crun.Compiler()
	require.NoError(t, err)
	made, err := crun.CompileWhole(t.Context(), cc, t.TempDir(), res.Scop.Cxx, source, append([]string{"-fopenmp", "-DHEXCC_GRAIN=0", "-I", headers}, more...)...)
	require.NoError(t, err)
	return probedProgram{made, t.Name()}
}

// run runs it, and returns the file of what its regions find and leave, and what it says on both streams.
func (p probedProgram) run(t *testing.T, args []string) (memory string, said crun.Said) {
	t.Helper()
	memory = filepath.Join(t.TempDir(), "memory")
	require.NoError(t, os.WriteFile(memory, nil, 0o666))
	said, err := p.Run(context.Background(), memory, strings.Join(args, " "), "OMP_NUM_THREADS=3", "ASAN_OPTIONS=detect_leaks=1")
	require.NoError(t, err)
	require.Zero(t, said.Status, "%s %v", p.name, args)
	return memory, said
}

// compareProbed compares what the regions of two runs leave. The error is that they do not run the same regions.
func compareProbed(res *hexcc.Result, a, b string) ([]crun.Comparison, error) {
	sites := res.Probed.Sites
	return crun.CompareRecordings(a, b, len(sites), func(site, array int) (string, scop.Type) { return sites[site].Named(array) })
}

func probed(t *testing.T, name, text string) *hexcc.Result {
	t.Helper()
	res, err := hexcc.Compile(hexcc.Source{Name: name, Text: []byte(text)}, hexcc.Options{Target: hexcc.OpenMP, Probes: true, IncludeDirs: []string{headers}})
	require.NoError(t, err)
	require.NotNil(t, res.Probed)
	return res
}

// TestProbes runs idioms as they are and translated, as hexcc verify --run does: the regions leave the same, and elements are compared wherever the facts hold.
func TestProbes(t *testing.T) {
	each := func(t *testing.T, x testcases.Idiom, name string) {
		res := probed(t, name, x.Text)
		plain, ours := buildProbed(t, res, res.Probed.Source), buildProbed(t, res, []byte(res.C.Text))
		elements := int64(0)
		for _, args := range x.Runs {
			want, said := plain.run(t, args)
			got, saidToo := ours.run(t, args)
			require.Equal(t, said.Out, saidToo.Out)
			if saidToo.Err != said.Err {
				require.Contains(t, saidToo.Err, "it does not hold that")
				continue
			}
			all, err := compareProbed(res, want, got)
			require.NoError(t, err)
			for _, c := range all {
				require.Zero(t, c.Differ, "%v: %+v", args, c.First)
				require.Equal(t, c.Runs[0], c.Runs[1])
				elements += c.Elements
			}
		}
		require.Positive(t, elements)
	}
	testcases.EachNthIdiom(t, 4, 1, func(t *testing.T, x testcases.Idiom) { each(t, x, x.Name+".c") })
	tool.CXX(t)
	testcases.EachCxx(t, func(t *testing.T, x testcases.Idiom) {
		if x.Number%2 == 0 || testcases.Every() {
			each(t, x, x.Name+".cpp")
		}
	})
}

// mutants are programs, and what is written in their regions in place of what: that hexcc reads it, or makes it, otherwise than it is.
var mutants = []struct{ of, from, to string }{
	{"idioms/accessors.c", "0.25", "0.2500000001"},
	{"hostloops/converge-swap.c", "+ 0.2 *", "+ 0.21 *"},
	{"hostloops/cxx-names.cpp", "0.25", "0.26"},
	{"hostloops/time-accumulates.c", "0.01 * source", "0.02 * source"},
}

// TestProbesFindMutants runs programs as they are beside translations of programs that differ from them in a constant of a region: what is compared finds it.
func TestProbesFindMutants(t *testing.T) {
	for _, m := range mutants {
		t.Run(m.of, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile("../testdata/" + m.of)
			require.NoError(t, err)
			runs := hostRuns.FindSubmatch(text)
			require.NotNil(t, runs)
			all := strings.Split(string(runs[1]), "|")
			require.Contains(t, string(text), m.from)
			res := probed(t, m.of, string(text))
			mutant := probed(t, m.of, strings.ReplaceAll(string(text), m.from, m.to))
			plain, ours := buildProbed(t, res, res.Probed.Source), buildProbed(t, res, []byte(mutant.C.Text))
			differ := int64(0)
			for _, args := range all {
				want, _ := plain.run(t, strings.Fields(args))
				got, _ := ours.run(t, strings.Fields(args))
				found, err := compareProbed(res, want, got)
				require.NoError(t, err)
				differ += found[0].Differ
			}
			require.Positive(t, differ)
		})
	}
}

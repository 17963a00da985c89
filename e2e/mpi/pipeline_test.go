package mpi

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/schedule"
)

// This file runs programs whose points need others of the same step, on ranks that are a pipeline.

// pipelineTexts try what the cases do not: values that go two rows at once, from a statement whose rows lie one further than those of another; a loop along columns alone; planes that take turns, and pointers that do, beside an array in place; loops from any sum of sizes on; several nests, one of a wall.
var pipelineTexts = []cases.Case{
	{Name: "two-rows", Text: `void rows(int T, int n, int m, double A[n][m], double B[n][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 2; i < n - 2; i++)
      for (int j = 1; j < m - 1; j++)
        A[i][j] = 0.25 * (A[i - 2][j] + A[i][j - 1] + A[i + 2][j]) - 0.125 * B[i + 1][j];
    for (int i = 1; i < n - 1; i++)
      for (int j = 0; j < m; j++)
        B[i][j] = 0.5 * B[i][j] + 0.25 * A[i - 1][j];
  }
#pragma endscop
}
`},
	{Name: "every-step", Text: `void every(int T, int n, int m, float A[n][m], float B[2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        B[(t + 1) % 2][i][j] = A[i][j] + 0.5f * B[t % 2][i + 1][j];
        A[i][j] = 0.25f * (A[i - 1][j + 1] + A[i][j - 1] + A[i + 1][j - 1]) - 0.125f * B[(t + 1) % 2][i][j];
      }
#pragma endscop
}
`},
	{Name: "down-along-rows", Text: `void down(int T, int n, int m, double A[n][m], double B[n][m], const double c[n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = n - 3; i >= 1; i--)
      for (int j = 1; j < m - 1; j++)
        A[i + 1][j] = 0.25 * (A[i + 2][j] + A[i + 1][j - 1] + A[i][j]) + c[i + 2] * B[i - 1][j];
    for (int i = n - 1; i >= 3; i--)
      for (int j = 0; j < m; j++)
        B[i - 2][j] = 0.5 * B[i - 2][j] + 0.25 * A[i - 1][j];
  }
#pragma endscop
}
`},
	{Name: "exchanged", Text: `void exchanged(int T, int n, int m, double (*u)[m], double (*v)[m], double A[n][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++) {
        A[i][j] = 0.25 * (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + u[i + 1][j]);
        v[i][j] = 0.5 * A[i][j] - 0.25 * u[i - 1][j + 1];
      }
    double (*w)[m] = u;
    u = v;
    v = w;
  }
#pragma endscop
}
`},
	{Name: "from-anywhere", Text: `void anywhere(int first, int T, int top, int n, int m, float A[n][m], const float c[T], const float d[n])
{
#pragma scop
  for (int t = first; t <= T - 2; t++)
    for (int i = top; i < n - 3; i++)
      for (int j = 2; j < m; j++)
        A[i + 1][j - 1] = c[t] * A[i][j] + d[i] * A[i + 1][j - 2] + 0.25f * A[i + 3][j - 1] - d[0];
#pragma endscop
}
`},
	{Name: "three-nests", Text: `void nests(int T, int n, int m, double A[n][m], double B[n][m], double C[n][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[i][j] = 0.25 * (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]) + 0.1 * C[i][j];
    for (int i = 2; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        B[i][j] = 0.5 * B[i - 1][j] + 0.25 * A[i + 1][j] - 0.125 * A[i - 2][j];
    for (int i = 0; i < n - 2; i++)
      for (int j = 0; j < m - 1; j++)
        C[i][j] = 0.5 * C[i][j] + 0.25 * B[i + 2][j + 1];
    for (int j = 0; j < m; j++)
      C[n - 1][j] = 0.5 * A[n - 2][j];
  }
#pragma endscop
}
`},
	{Name: "by-columns", Text: `void columns(int T, int n, int m, float A[n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++)
      for (int j = 1; j < m - 1; j++)
        A[i][j] = 0.5f * A[i][j - 1] + 0.25f * A[i][j + 1];
#pragma endscop
}
`},
}

// pipelineSizes are tiles so narrow that small grids have many, whose rows lean by several points in a time tile; of two dimensions no wider than need be.
func pipelineSizes(dims, k int) schedule.Sizes {
	return schedule.Sizes{H: schedule.LegalH(k)[min(1, len(schedule.LegalH(k))-1)], W: [][]int64{{11}, {9, 16}, {7, 8, 8}}[dims-1]}
}

// pipelineCases are translations of the programs of testdata/wavefront and of these.
func pipelineCases(t *testing.T) (all []mpiCase) {
	paths, err := filepath.Glob(cases.File(t, "testdata/wavefront") + "/*.c")
	require.NoError(t, err)
	list := pipelineTexts
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		list = append(list, cases.Case{Name: strings.TrimSuffix(filepath.Base(path), ".c"), Text: string(text)})
	}
	for i, c := range list {
		if !cases.Due(i, 2) {
			continue
		}
		if m, ok := newPipelineCase(t, c, len(all)); ok {
			all = append(all, m)
		}
	}
	return all
}

func newPipelineCase(t *testing.T, c cases.Case, number int) (mpiCase, bool) {
	t.Helper()
	o := hexcc.Options{Target: hexcc.MPI, NoAlias: true, Base: fmt.Sprintf("case%d", number), Stop: "cone"}
	probe, err := hexcc.Compile(hexcc.Source{Name: c.Name + ".c", Text: []byte(c.Text)}, o)
	require.NoError(t, err, c.Name)
	require.Equal(t, hexcc.Wavefront, probe.Strategy, c.Name)
	sizes := pipelineSizes(len(probe.Space.Space), probe.Space.K)
	for far, ok := schedule.FarthestWait(probe.Space, probe.Cone, sizes); !ok || far > 1; far, ok = schedule.FarthestWait(probe.Space, probe.Cone, sizes) {
		sizes.W[0]++
	}
	o.Stop, o.Tile = "", &sizes
	m, ok := mpiCaseOf(t, c, o, number, 1, 13, 15)
	if ok {
		require.NotNil(t, m.res.Ranks.Pipeline, c.Name)
	}
	return m, ok
}

// TestMPIPipelines runs them on ranks, of one thread and of two, with delays, and counts what they send: what the plan says.
func TestMPIPipelines(t *testing.T) {
	libraries := theMPIs(t)
	all := pipelineCases(t)
	trials, of, want := trialsOf(all)
	for i, l := range libraries {
		prog := compileMPI(t, l, all, asIs)
		for _, ranks := range [][]int{{1, 2, 7}, {3, 4}}[i] {
			results, err := prog.Run(context.Background(), ranks, trials, fmt.Sprint("OMP_NUM_THREADS=", 1+ranks%2), "OMP_WAIT_POLICY=passive", "HEXCC_DELAY="+map[bool]string{true: "1"}[ranks == 3])
			require.NoError(t, err)
			ran := sameOnRanks(t, all, of, trials, want, results, inRow(ranks))
			t.Logf("%d programs, %d of %d trials on %d ranks", len(all), ran, len(results), ranks)
		}
	}
}

// TestMPIPipelineMutants breaks the C of some: each must leave something else, or nothing.
func TestMPIPipelineMutants(t *testing.T) {
	l := theMPIs(t)[0]
	text, err := os.ReadFile(cases.File(t, "testdata/wavefront/seidel-2d.c"))
	require.NoError(t, err)
	c, ok := newPipelineCase(t, cases.Case{Name: "seidel-2d", Text: string(text)}, 0)
	require.True(t, ok)
	mpiMutantsCaught(t, l, []mpiCase{c}, []mpiMutant{
		{"no wait", "    MPI_Wait(m->active, MPI_STATUS_IGNORE);\n", ""},
		{"wrong tag", "m->tag = tag,", "m->tag = receives ? tag : tag ^ 1,"},
		{"a row too few up", "hexcc_row = hexcc_first - 1;", "hexcc_row = hexcc_first;"},
		{"a row too few down", "hexcc_least(hexcc_first + 3, hexcc_border_row)", "hexcc_least(hexcc_first + 2, hexcc_border_row)"},
		{"not down", "hexcc_way == 1", "hexcc_way == 2"},
		{"only the last step goes up", "hexcc_up_to(hexcc_step,", "hexcc_up_to(hexcc_step + 3,"},
		{"up a turn too late", "_turns_arrive(&hexcc_r, 0, T, hexcc_below)", "_turns_arrive(&hexcc_r, 0, T, hexcc_below - 1)"},
		{"down a turn too late", "_turns_arrive(&hexcc_r, 1, T - 1, hexcc_above + ", "_turns_arrive(&hexcc_r, 1, T - 1, hexcc_above - 1 + "},
		{"not what comes down last", "_turns_arrive(&hexcc_r, 1, T_hi, hexcc_r.last_turn);", "_turns_arrive(&hexcc_r, 1, T_hi, hexcc_r.turn + 1);"},
		{"sent before it is computed", "_turn_send(&hexcc_r, 0, T, hexcc_above)", "_turn_send(&hexcc_r, 0, T, hexcc_above + 1)"},
		{"a turn further", "(hexcc_below - hexcc_k)", "(hexcc_below - hexcc_k + 1)"},
		{"the other border", "(way == 0) != receives ? r->end : r->begin, ", "(way == 0) == receives ? r->end : r->begin, "},
	})
}

// TestMPIPipelinesQuiet: compilers have no warning of what is printed for pipelines, with OpenMP or without.
func TestMPIPipelinesQuiet(t *testing.T) {
	l, dir := theMPIs(t)[0], t.TempDir()
	var sources []string
	for _, name := range []string{"seidel-2d", "gauss-seidel-line", "gauss-seidel-3d"} {
		text, err := os.ReadFile(cases.File(t, "testdata/wavefront/"+name+".c"))
		require.NoError(t, err)
		for _, f := range translated(t, name+".c", string(text), hexcc.Options{Base: name}).C.Named(name) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o666))
		}
		sources = append(sources, name+".hex.c")
	}
	for _, f := range translated(t, "sweeps.c", sweepLoops, hexcc.Options{Base: "sweeps"}).C.Named("sweeps") {
		require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o666))
	}
	for _, with := range cases.Turn([]string{"-fopenmp", "-Wno-unknown-pragmas"}, cases.Round()) {
		flags := append([]string{"-Wall", "-Wextra", "-Werror", with, "-O2", "-c", "sweeps.hex.c"}, sources...)
		tool.RunIn(t, dir, l.Compiler, flags...)
		if clang := os.Getenv("HEXCC_CLANG"); clang != "" {
			tool.RunIn(t, dir, clang, append(flags, mpiIncludes(t, l)...)...)
		}
	}
}

package mpi

import (
	"context"
	"fmt"
	"hash/crc32"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/gallery"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/mpirun"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/scop"
)

// This file runs regions on several ranks by MPI, and compares with what gcc makes of the original. All of them are one program, since starting
// ranks takes longer than what they do.

// An mpiCase is a translation, with what it is run on and what then has to be there.
type mpiCase struct {
	name   string
	res    *hexcc.Result
	before []*scop.Memory
	after  []*scop.Memory
}

// mpiCases are translations of the cases and of the gallery that ranks can share out, with tiles so narrow that small grids have many: in CI every
// second case, of these and of the others those whose round it is, with HEXCC_TESTS=all all of them.
func mpiCases(t *testing.T) (all []mpiCase) {
	list := cases.Some(t)
	switch all := cases.All(t); {
	case cases.Every():
		list = all
	case cases.Whole():
		list = nil
		for i := 0; i < len(all); i += 2 {
			list = append(list, all[i])
		}
	}
	list = append(list, mpiTexts...)
	programs, err := gallery.Read(cases.File(t, "examples/gallery"))
	require.NoError(t, err)
	for _, p := range programs {
		if slices.Contains(mpiGallery, p.Name) || cases.Every() && !p.IsCPlusPlus() { // whose headers only the machine has
			text, err := os.ReadFile(p.Path)
			require.NoError(t, err)
			list = append(list, cases.Case{Name: p.Name, Text: string(text)})
		}
	}
	for i, c := range list {
		if !cases.Due(i, cases.Rounds) {
			continue
		}
		if m, ok := newMPICase(t, hexcc.MPI, c, len(all)); ok {
			all = append(all, m)
		}
	}
	return all
}

// mpiTexts try what those do not: dependences that reach further to one side than to the other, in one dimension and two, and tables that tiles read at
// other places, too; three planes in turn, with a source; nests for borders, which overlap the one inside and each other, one of them from the end.
var mpiTexts = []cases.Case{
	{Name: "leans-down", Text: `void leans(int T, int n, float A[2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 3; i < n - 1; i++)
      A[(t + 1) % 2][i] = 0.5f * A[t % 2][i - 3] - 0.25f * A[t % 2][i + 1] + 0.125f * A[t % 2][i];
#pragma endscop
}
`},
	{Name: "leans-up-by-tables", Text: `void leans(int T, int n, int m, float A[2][n][m], const float c[n], const float d[m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n - 2; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = c[i] * A[t % 2][i + 2][j - 1] - c[0] * A[t % 2][i][j + 1] + d[j] * A[t % 2][i][j];
#pragma endscop
}
`},
	{Name: "three-planes", Text: `void waves(int T, int n, int m, float A[3][n][m], const float f[T])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 2) % 3][i][j] = 0.5f * (A[(t + 1) % 3][i - 1][j] + A[(t + 1) % 3][i + 1][j] + A[(t + 1) % 3][i][j - 1]) - A[t % 3][i][j];
    A[(t + 2) % 3][9][7] += f[t];
  }
#pragma endscop
}
`},
	{Name: "borders-in-place", Text: `void borders(int T, int n, int m, float A[n][m], float B[n][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        B[i][j] = A[i][j];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[i][j] = 0.25f * (B[i - 1][j] + B[i + 1][j]) - 0.5f * B[i][j - 1] + B[i][j + 1];
    for (int j = 0; j < m; j++) {
      A[0][j] = 0.5f * B[0][j];
      A[n - 1][j] = 0.25f * B[n - 1][j];
    }
    for (int i = 0; i < n; i++)
      A[i][0] = 1.0f;
    for (int k = 0; k < 5; k++)
      for (int j = 0; j < m; j++)
        A[n - 1 - k][j] *= 0.5f;
  }
#pragma endscop
}
`},
	// copies of what lies around a torus, with a parameter alone as a subscript
	{Name: "ghosts-of-a-torus", Text: `void ghosts(int T, int n, float A[n + 2][n + 2], float B[n + 2][n + 2])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int j = 1; j <= n; j++) {
      A[0][j] = A[n][j];
      A[n + 1][j] = A[1][j];
    }
    for (int i = 0; i <= n + 1; i++) {
      A[i][0] = A[i][n];
      A[i][n + 1] = A[i][1];
    }
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++)
        B[i][j] = 0.25f * (A[i - 1][j] + A[i + 1][j + 1]) - 0.5f * A[i][j - 1];
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++)
        A[i][j] = B[i][j];
  }
#pragma endscop
}
`},
	// cells one after the other in one array, whose values go beyond the ends of rows; rings of numbers, around which a function leads
	{Name: "cells-in-one-array", Text: `void cells(int T, float A[2][36200])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < 299; i++)
      for (int j = 0; j < 40; j++) {
        A[(t + 1) % 2][(i * 40 + j + 41) * 3] = 0.5f * A[t % 2][(i * 40 + j + 40) * 3] - A[t % 2][(i * 40 + j + 42) * 3 + 1];
        A[(t + 1) % 2][(i * 40 + j + 1) * 3 + 1] = A[t % 2][(i * 40 + j + 41) * 3 + 1] + 0.25f * A[t % 2][(i * 40 + j + 1) * 3 + 2];
        A[(t + 1) % 2][(i * 40 + j + 81) * 3 + 2] = 0.125f * A[t % 2][(i * 40 + j + 41) * 3 + 2] - A[t % 2][(i * 40 + j + 81) * 3];
      }
#pragma endscop
}
`},
	{Name: "cells-of-planes", Text: `void cells(int T, float A[2][210000])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < 80; i++)
      for (int j = 0; j < 34; j++)
        for (int k = 0; k < 36; k++) {
          A[(t + 1) % 2][(i * 1224 + j * 36 + k + 1260) * 2] = A[t % 2][(i * 1224 + j * 36 + k + 1261) * 2] + 0.5f * A[t % 2][(i * 1224 + j * 36 + k + 36) * 2 + 1];
          A[(t + 1) % 2][(i * 1224 + j * 36 + k + 2448) * 2 + 1] = 0.25f * A[t % 2][(i * 1224 + j * 36 + k + 1224) * 2 + 1] - A[t % 2][(i * 1224 + j * 36 + k + 1224) * 2];
        }
#pragma endscop
}
`},
	// places that follow from sizes, which no caller is asked for
	{Name: "in-the-middle", Text: `void middle(int T, int n, int m, float A[2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = 0.5f * A[t % 2][i - 1][j] - 0.25f * A[t % 2][i + 1][j] + 0.125f * A[t % 2][i][j + 1];
    A[(t + 1) % 2][n / 2][(m - 1) / 3] += 1.0f;
  }
#pragma endscop
}
`},
	{Name: "rings-of-numbers", Text: `#define N 256
#define AT(i, j) (((i) & (N - 1)) * N + ((j) & (N - 1)))
static float around(const float *a, int i, int j) { return a[AT(i + 1, j)] - 0.5f * a[AT(i - 1, j)] + 0.25f * a[AT(i, j + 2)]; }
void rings(int T, float c[N * N], float d[N * N])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        d[i * N + j] = c[i * N + j] - 0.5f * around(c, i, j);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        c[i * N + j] += 0.125f * around(d, i, j);
  }
#pragma endscop
}
`},
}

func newMPICase(t *testing.T, target hexcc.Target, c cases.Case, number int, change ...func(*hexcc.Options)) (m mpiCase, ok bool) {
	o := hexcc.Options{Target: target, NoAlias: true, Base: fmt.Sprintf("case%d", number), Stop: "cone", RankGrid: hexcc.RowsOfRanks}
	source := hexcc.Source{Name: c.Name + ".c", Text: []byte(c.Text)}
	probe, err := hexcc.Compile(source, o)
	if target == hexcc.MPI {
		refused(t, c.Name, err)
	}
	if err != nil || len(probe.Regions) != 1 || probe.Strategy != hexcc.Hybrid || probe.Cone.Hi == nil {
		if target == hexcc.MPI && err == nil {
			require.Contains(t, otherwiseOnRanks, c.Name)
		}
		return m, false
	}
	sizes := pipeline.Narrow.Of(probe.Space, probe.Cone)
	o.Stop, o.Tile = "", &sizes
	for _, f := range change {
		f(&o)
	}
	return mpiCaseOf(t, c, o, number, 1, 13)
}

// mpiCaseOf translates a case, and runs the original for so many steps.
func mpiCaseOf(t *testing.T, c cases.Case, o hexcc.Options, number int, steps ...int64) (m mpiCase, ok bool) {
	res, err := hexcc.Compile(hexcc.Source{Name: c.Name + ".c", Text: []byte(c.Text)}, o)
	if err != nil {
		if o.Target == hexcc.MPI && !cases.Every() { // else some are tried whose tiles are too narrow so
			refused(t, c.Name, err)
		}
		require.Regexp(t, `\[HX(311|2\d\d)\]`, err.Error(), c.Name)
		t.Logf("%s: %v", c.Name, err)
		return m, false
	}
	m = mpiCase{name: c.Name, res: res}
	var original *oracle.Binary
	if ctext.Callable(res.Scop) == nil {
		original = oracle.CompileC(t, res.Scop)
	}
	for _, steps := range steps {
		extent := []int64{0, 0, 301, 103, 59, 27}[len(res.Scop.Stmts[0].Iters)]
		if steps == 1 {
			extent += 4
		}
		params, ok := oracle.Sized(res.Scop, extent, steps)
		if !ok {
			continue
		}
		mem, err := scop.NewMemory(res.Scop, params, uint64(number)+1)
		require.NoError(t, err)
		var after *scop.Memory
		if original != nil {
			after = original.Run(t, mem)
		} else {
			after = mem.Clone()
			if scop.RunOriginal(res.Scop, after, nil) != nil {
				continue // it calls functions of which other libraries have other bits
			}
		}
		m.before, m.after = append(m.before, mem), append(m.after, after)
	}
	return m, len(m.before) > 0
}

// anMPI are the libraries that tests use: $HEXCC_MPICC and $HEXCC_MPIRUN, or those of Debian.
func theMPIs(t *testing.T) (all []mpirun.Library) {
	for _, name := range []string{"openmpi", "mpich"} {
		l, err := mpirun.Named("mpicc."+name, "mpirun."+name)
		if err != nil {
			tool.Missing(t, "%v", err)
		}
		all = append(all, l)
	}
	return all
}

// theMPIsByTurns returns the number of each MPI and the MPI, in CI for each test that of one of them, in every second round the other one.
func theMPIsByTurns(t *testing.T) iter.Seq2[int, mpirun.Library] {
	all, test := theMPIs(t), crc32.ChecksumIEEE([]byte(t.Name()))
	return func(yield func(int, mpirun.Library) bool) {
		for i, l := range all {
			if cases.Due(i+int(test%2), len(all)) && !yield(i, l) {
				return
			}
		}
	}
}

// compileMPI compiles translations to one program, whose texts change makes.
func compileMPI(t *testing.T, l mpirun.Library, all []mpiCase, change func(string) string) *mpirun.Program {
	dir := t.TempDir()
	var regions []mpirun.Region
	var headers, sources []string
	for i, c := range all {
		unique := regexp.MustCompile(`\b` + c.res.C.MPI[0].Function)
		name := fmt.Sprintf("case%d_mpi", i)
		base := fmt.Sprintf("case%d", i)
		for _, f := range c.res.C.Named(base) {
			text := unique.ReplaceAllString(f.Text, name)
			if strings.HasSuffix(f.Name, ".c") {
				text = change(text)
			}
			require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), []byte(text), 0o666))
		}
		headers, sources = append(headers, base+".hex.h"), append(sources, base+".hex.c")
		regions = append(regions, mpirun.Region{Program: c.res.Scop, Name: name, Args: c.res.C.MPI[0].Args, Grid: c.res.Ranks.Grid != nil})
	}
	prog, err := mpirun.Compile(l, dir, regions, headers, sources, "-O0", "-w")
	require.NoError(t, err)
	return prog
}

func asIs(text string) string { return text }

// trialsOf returns all trials.
func trialsOf(all []mpiCase) (trials []mpirun.Trial, of []int, want []*scop.Memory) {
	for i, c := range all {
		for k, mem := range c.before {
			trials, of, want = append(trials, mpirun.Trial{Region: i, Before: mem}), append(of, i), append(want, c.after[k])
		}
	}
	return trials, of, want
}

// localOf returns the arrays that nobody else sees.
func localOf(p *scop.Program) (list []*scop.Array) {
	for _, a := range p.Arrays {
		if a.Local {
			list = append(list, a)
		}
	}
	return list
}

// A setOut is so many ranks, set out in some way: shares returns what each has and does, at some sizes.
type setOut struct {
	text   string
	shares func(p *ranks.Plan, at []int64) ([]ranks.Share, bool)
}

// sameOnRanks compares what trials left on ranks with what the originals leave, and what was sent with the plans. Trials whose grids have too few tiles have to have failed; it returns how many others there were.
func sameOnRanks(t *testing.T, all []mpiCase, of []int, trials []mpirun.Trial, want []*scop.Memory, results []mpirun.Result, on setOut) (ran int) {
	t.Helper()
	for k, r := range results {
		c, at := all[of[k]], trials[k].Before.Params
		shares, ok := on.shares(c.res.Ranks, at)
		require.Equal(t, !ok, r.Failed == 1, "%s on %s at %v", c.name, on.text, at)
		if !ok {
			continue
		}
		ran++
		require.Zero(t, r.Failed, c.name)
		d := want[k].Compare(r.After, localOf(c.res.Scop)...)
		require.Zero(t, d.Differ, "%s on %s at %v: %+v", c.name, on.text, at, d)
		for rank, s := range shares {
			require.Equal(t, [2]int64{s.Messages, s.Bytes}, r.Sent[rank], "%s, rank %d of %s, at %v", c.name, rank, on.text, at)
		}
	}
	require.NotZero(t, ran)
	return ran
}

// inRow returns so many ranks, which share out one dimension.
func inRow(count int) setOut {
	return setOut{fmt.Sprint(count, " ranks"), func(p *ranks.Plan, at []int64) ([]ranks.Share, bool) { return p.Shares(at, count) }}
}

// TestMPI runs cases and the gallery on ranks, more of them than processors, with delays, and counts what they send: what the plan says.
func TestMPI(t *testing.T) {
	libraries := theMPIs(t)
	all := mpiCases(t)
	trials, of, want := trialsOf(all)
	for i, l := range libraries {
		prog := compileMPI(t, l, all, asIs)
		for _, ranks := range []int{1, 2, 3, 4, 7} {
			if there := [][]int{{1, 2, 7}, {3, 4}}[i]; !cases.Every() && !slices.Contains(there, ranks) {
				continue
			}
			results, err := prog.Run(context.Background(), ranks, trials, "OMP_NUM_THREADS=1", "HEXCC_DELAY="+map[bool]string{true: "1"}[ranks == 3])
			require.NoError(t, err)
			ran := sameOnRanks(t, all, of, trials, want, results, inRow(ranks))
			t.Logf("%d programs, %d of %d trials on %d ranks", len(all), ran, len(results), ranks)
		}
	}
}

// TestMPIMutants breaks the C: each must leave something else, or nothing.
func TestMPIMutants(t *testing.T) {
	l := theMPIs(t)[0]
	colours, err := os.ReadFile(cases.File(t, "examples/gallery/red-black-sor.c"))
	require.NoError(t, err)
	for _, c := range []cases.Case{{Name: "jacobi-2d", Text: cases.Input(t, "jacobi-2d")}, {Name: "red-black-sor", Text: string(colours)}} {
		c, ok := newMPICase(t, hexcc.MPI, c, 0)
		require.True(t, ok)
		mutants := mpiMutants
		if c.name == "red-black-sor" {
			mutants = mpiMutantsOfSteps
		}
		mpiMutantsCaught(t, l, []mpiCase{c}, mutants)
	}
}

// An mpiMutant is a change of the C.
type mpiMutant struct{ name, old, new string }

var (
	mpiMutants = []mpiMutant{
		{"no wait", "    MPI_Wait(m->active, MPI_STATUS_IGNORE);\n", ""},
		{"wrong tag", "m->tag = tag,", "m->tag = receives ? tag : tag ^ 1,"},
		{"wrong neighbour's border", "return (which % 2 == 0) != receives ? r->end : r->begin;", "return (which % 2 == 0) == receives ? r->end : r->begin;"},
		{"not unpacked", "      if (m->bytes > 0)\n", "      if (m->bytes > 0 && which > 3)\n"},
		{"one tile twice, another never", "hexcc_k == 1 ? hexcc_last", "hexcc_k == 1 ? hexcc_first"},
	}
	mpiMutantsOfSteps = []mpiMutant{
		{"the other colour", "return x + (ahead < 0 ? ahead + step : ahead);", "return x + (ahead <= 0 ? ahead + 1 : ahead - 1);"},
		{"every row", "(at[d] += step ? step[d] : 1) > hi[d]", "(at[d] += 1) > hi[d]"},
	}
)

// mpiMutantsCaught runs changed texts of a case.
func mpiMutantsCaught(t *testing.T, l mpirun.Library, all []mpiCase, mutants []mpiMutant) {
	trials, _, want := trialsOf(all)
	for _, m := range mutants {
		prog := compileMPI(t, l, all, func(text string) string {
			require.Contains(t, text, m.old, m.name)
			return strings.ReplaceAll(text, m.old, m.new)
		})
		results, err := prog.Run(context.Background(), 3, trials, "OMP_NUM_THREADS=1", "HEXCC_DELAY=1", "HEXCC_ALARM=5")
		caught := err != nil
		for k, r := range results {
			caught = caught || r.Failed != 0 || want[k].Compare(r.After).Differ > 0
		}
		require.True(t, caught, m.name)
	}
}

package frontend_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/scop"
)

// ranksLoop is a loop that all ranks run, with a function of scalars and one that exchanges pointers.
const ranksLoop = `
#include <math.h>
#include <stdio.h>
static void exchange(double **a, double **b) { double *t = *a; *a = *b; *b = t; }
static double half(double x) { return 0.5 * x; }
static double first(double **a) { return (*a)[0]; }
static double through(double **a) { double *t = *a; return *t; }
static double further(double **a) { double *t = *a; *a = t + 1; return 0; }
static double deeper(double **a) { return first(a); }
static double said(double x) { printf("%g", x); return x; }
static double swept(int n, double *A, double *B)
{
  static int calls;
  calls++;
  for (int i = 1; i < n - 1; i++)
    B[i] = A[i];
  return 1;
}
void f(int n, double tol, double *A, double *B, double **rows, double *unused)
{
  double e = 1;
#pragma scop
  while (e > tol) {
    e = half(0);
    for (int i = 1; i < n - 1; i++) {
      B[i] = A[i - 1] + A[i + 1];
      e = fmax(e, B[i]);
    }
    exchange(&A, &B);
  }
#pragma endscop
}
`

// TestAroundOnRanks refuses what ranks cannot run around nests: each of these would have read what the rank has of an array, or no array at all, or run nothing.
func TestAroundOnRanks(t *testing.T) {
	parse := func(instead string) error {
		text := strings.Replace(ranksLoop, "e = half(0);", instead, 1)
		res, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(text)}, frontend.Options{Ranks: true})
		if err == nil {
			require.Len(t, res.Hosts, 1, instead)
		}
		return err
	}
	for _, allowed := range []string{"e = half(0);", "e = half(half(e));", "exchange(&A, &B); exchange(&A, &B); e = 0;", "double *q = &A[0]; A = tol > 1 ? q : B; B = q; e = 0;", "e = 0; for (int i = 1; i < n - 1; i++) if (A[i] > 1) e += B[i];"} {
		require.NoError(t, parse(allowed), allowed)
	}
	for instead, want := range map[string]string{
		"e = first(&A);":                        "'first(&A)' would be called by each rank [HX311]",
		"e = through(&A);":                      "'through(&A)' would be called by each rank [HX311]",
		"e = deeper(&A);":                       "'deeper(&A)' would be called by each rank [HX311]",
		"e = said(0);":                          "'said(0)' would be called by each rank [HX311]",
		"e = *A;":                               "this reads, or sets, an element of an array, which one rank has [HX311]",
		"e = 0; if (tol > 1) A[2] = tol;":       "this reads, or sets, an element of an array, which one rank has [HX311]",
		"if (tol > 1) e = 0; else e = A[2];":    "this reads, or sets, an element of an array, which one rank has [HX311]",
		"e = 0; if (tol > 1) e = said(0);":      "'said(0)' would be called by each rank [HX311]",
		"e = 0; if (tol > 1) return;":           "ranks cannot run 'return' beside nests [HX311]",
		"e = 0; B = A + 1;":                     "this leads a pointer into an array, of which each rank has its part [HX311]",
		"e = 0; if (tol > 1) A++;":              "this leads a pointer into an array, of which each rank has its part [HX311]",
		"e = 0; double *q = &A[1]; B = q;":      "this leads a pointer into an array, of which each rank has its part [HX311]",
		"e = 0; B = tol > 1 ? A : B - 1;":       "this leads a pointer into an array, of which each rank has its part [HX311]",
		"e = further(&A);":                      "'further(&A)' would be called by each rank [HX311]",
		"e = rows != 0;":                        "'rows' leads to other pointers [HX311]",
		"e = unused != 0;":                      "no nest uses 'unused'",
		"e = swept(n, A, B);":                   "ranks cannot run 'swept' where it is called",
		"e = 0; if (tol > 1) swept(n, A, B);":   "ranks cannot run 'swept' where it is called",
		"e = 0; tol > 1 && swept(n, A, B) > 0;": "ranks cannot run 'swept' where it is called",
	} {
		require.ErrorContains(t, parse(instead), want, instead)
	}
}

// TestWallsOnRanks: conditions on elements that keep reads inside of arrays are walls of the program, whether they stand in the region or in a function, and each iteration of the source is one of the program, or one at which a wall is tested.
func TestWallsOnRanks(t *testing.T) {
	const inRegion = `
#include <stdlib.h>
void f(int n, int m, int steps, const unsigned char *restrict solid)
{
  double *a = malloc(sizeof(double) * n * m), *b = malloc(sizeof(double) * n * m);
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 1; j < m - 1; j++)
        if (!solid[i*m+j])
          b[i*m+j] = a[(i-1)*m+j] + a[(i+1)*m+j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        a[i*m+j] = b[i*m+j];
  }
#pragma endscop
}
`
	inFunction := strings.NewReplacer("void f(", `
static void step(int n, int m, const double *a, double *b, const unsigned char *solid)
{
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m - 1; j++)
      if (!solid[i*m+j])
        b[i*m+j] = a[(i-1)*m+j] + a[(i+1)*m+j];
}
void f(`, `    for (int i = 0; i < n; i++)
      for (int j = 1; j < m - 1; j++)
        if (!solid[i*m+j])
          b[i*m+j] = a[(i-1)*m+j] + a[(i+1)*m+j];
`, "    step(n, m, a, b, solid);\n").Replace(inRegion)
	parse := func(text string, o frontend.Options) (*frontend.Result, error) {
		return frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(text)}, o)
	}
	for _, text := range []string{inRegion, inFunction} {
		res, err := parse(text, frontend.Options{})
		require.NoError(t, err)
		require.Empty(t, res.Programs[0].Walls, "the host tests them")
		for _, o := range []frontend.Options{{Parts: true}, {Parts: true, Ranks: true}} {
			res, err := parse(text, o)
			require.NoError(t, err)
			require.Empty(t, res.Hosts)
			p := res.Programs[0]
			require.NoError(t, p.Verify())
			_, walls, found := strings.Cut(p.String(), "\nwall ")
			require.True(t, found)
			require.Equal(t, `!solid[i*m+j], at all hexcc_at1, hexcc_at2 with
  bound hexcc_at1 >= 0
  bound -hexcc_at1 + n - 1 >= 0
  bound hexcc_at2 - 1 >= 0
  bound -hexcc_at2 + m - 2 >= 0
  bound -hexcc_at1 >= 0
  bound steps - 1 >= 0
  does not stand where ((1 != 0) && !((int)solid[hexcc_at1][hexcc_at2] != 0)) ? 1 : 0

wall !solid[i*m+j], at all hexcc_at1, hexcc_at2 with
  bound -hexcc_at1 + n - 1 >= 0
  bound hexcc_at2 - 1 >= 0
  bound -hexcc_at2 + m - 2 >= 0
  bound hexcc_at1 - 1 >= 0
  bound hexcc_at1 - n + 1 >= 0
  bound steps - 1 >= 0
  does not stand where ((1 != 0) && !((int)solid[hexcc_at1][hexcc_at2] != 0)) ? 1 : 0
`, walls)
			for _, n := range []int64{2, 3, 9} {
				at := map[string]int64{"n": n, "m": 7, "steps": 1}
				var params []int64
				for _, q := range p.Params {
					params = append(params, at[q.Name])
				}
				points := scop.NewNest(p.Stmts[0], params).Count()
				for _, w := range p.Walls {
					points += scop.NewNest(w.Nest, params).Count()
				}
				require.Equal(t, n*5, points, "each once")
			}
		}
	}
	for _, x := range []struct{ old, new, why string }{
		{"#pragma endscop", "  for (int t = 0; t < steps; t++)\n    for (int i = 1; i < n - 1; i++)\n      for (int j = 0; j < m; j++)\n        a[i*m+j] = 2 * b[i*m+j];\n#pragma endscop", "the region is more than one time loop"},
		{"if (!solid", "if (i != 3) if (!solid", "at which points that would have to be so is not understood"},
	} {
		for _, o := range []frontend.Options{{Parts: true}, {Parts: true, Ranks: true}} {
			_, err := parse(strings.Replace(inRegion, x.old, x.new, 1), o)
			require.ErrorContains(t, err, "keeps what it guards inside of arrays: "+x.why)
			require.NotContains(t, err.Error(), "HX105", "nobody tests it")
		}
	}
}

// TestMemoryOfWalls: a memory has walls where a program relies on them, whatever they are compared with; where they cannot stand in all steps that is known.
func TestMemoryOfWalls(t *testing.T) {
	for cond, stand := range map[string]bool{"wall[i] != k": true, "wall[i] < 77": true, "!(wall[i] & 4)": true, "wall[i] != t % 2": false} {
		text := "void f(int T, int n, int *wall, int k, double A[restrict n], double B[restrict n])\n{\n#pragma scop\n  for (int t = 0; t < T; t++) {\n    for (int i = 0; i < n; i++)\n      if (" + cond +
			")\n        B[i] = A[i - 1] + A[i + 2];\n    for (int i = 0; i < n; i++)\n      A[i] = B[i];\n  }\n#pragma endscop\n}\n"
		res, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(text)}, frontend.Options{Parts: true})
		require.NoError(t, err, cond)
		p := res.Programs[0]
		require.NotEmpty(t, p.Walls, cond)
		params := make([]int64, len(p.Params))
		for i := range params {
			params[i] = 9
		}
		mem, err := scop.NewMemory(p, params, 1)
		require.NoError(t, err)
		before := mem.Clone()
		require.Equal(t, stand, mem.BuildWalls(), cond)
		if stand {
			require.Zero(t, before.Compare(mem).Differ, "they have stood before")
		}
	}
}

// TestTablesOnRanks: functions may use tables of constants, which ranks have as they are in the file; those that other files see have names of their own.
func TestTablesOnRanks(t *testing.T) {
	const tables = "static const int up[2] = { 1, 2 }, other[2] = { 3, 4 };\nconst double weight[2][2] = { { 1, 2 }, { 3, 4 } };\nconst double tenth = 0.1;\nstatic const float unused[1] = { 1 };\nstatic double half(double x) { return tenth * weight[x > 1][0] * up[x > 2]; }"
	text := strings.Replace(ranksLoop, "static double half(double x) { return 0.5 * x; }", tables, 1)
	text = strings.Replace(text, "B[i] = A[i - 1]", "B[i] = weight[0][1] * A[i - 1]", 1)
	res, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(text)}, frontend.Options{Ranks: true})
	require.NoError(t, err)
	require.Contains(t, res.Hosts[0].Before, "static const int up[2] = { 1, 2 }, other[2] = { 3, 4 };\nstatic const double weight[2][2] = { { 1, 2 }, { 3, 4 } };\nstatic const double tenth = 0.1;\nstatic double half(")
	for _, v := range res.Hosts[0].Variables {
		require.NotContains(t, []string{"up", "weight", "tenth"}, v.Name)
	}
	_, err = frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(strings.Replace(text, "static const int up", "static int up", 1))}, frontend.Options{Ranks: true})
	require.ErrorContains(t, err, "function 'half', which they call, uses 'up'")
}

// TestSeriesOnRanks: scalars that pass from step to step are computed in front of a time loop, where ranks run nothing: such a loop is refused where nothing is run around
// regions, or is one of the host, with the scalars as they are.
func TestSeriesOnRanks(t *testing.T) {
	const nests = "    for (int i = 1; i < n - 1; i++)\n      A[i] = B[i - 1] + w * B[i + 1];\n    for (int i = 1; i < n - 1; i++)\n      B[i] = A[i];\n"
	of := func(loop string) string {
		return "void f(int n, int T, double tol, double w, double A[restrict n], double B[restrict n])\n{\n#pragma scop\n  " + loop + "\n#pragma endscop\n}\n"
	}
	steps := of("for (int t = 0; t < T; t++) {\n    w = w * 0.99;\n" + nests + "  }")
	inside := of("while (w > tol) {\n    w = w * 0.99;\n    for (int t = 0; t < T; t++) {\n" + strings.ReplaceAll(nests, "w *", "2 *") + "  }\n  }")
	parse := func(text string, o frontend.Options) (*frontend.Result, error) {
		return frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(text)}, o)
	}
	for _, text := range []string{steps, inside} {
		_, err := parse(text, frontend.Options{})
		require.NoError(t, err)
		_, err = parse(text, frontend.Options{Parts: true})
		require.ErrorContains(t, err, "ranks cannot run this loop: what 'w' is at each step would have to be computed before it [HX311]")
	}
	for text, used := range map[string][]string{steps: {"w", "T"}, inside: {"w", "tol", "T"}} {
		res, err := parse(text, frontend.Options{Parts: true, Ranks: true})
		require.NoError(t, err)
		names := []string{}
		for _, v := range res.Hosts[0].Variables {
			names = append(names, v.Name)
		}
		require.Subset(t, names, used)
	}
}

// TestLoopsAroundKernels: kernels of ranks are those of one time loop, and nothing runs what is around it.
func TestLoopsAroundKernels(t *testing.T) {
	for _, o := range []frontend.Options{{}, {Parts: true, Ranks: true}} {
		_, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(ranksLoop)}, o)
		require.NoError(t, err)
	}
	_, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(ranksLoop)}, frontend.Options{Parts: true, NoAlias: true})
	require.EqualError(t, err, "f.c:25:5: ranks run the tiles of one time loop on GPUs, and this region has more than that [HX311]")
}

package frontend

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// storePrograms split nests, leave out what never runs, and store in functions, macros and structs.
var storePrograms = []string{`
void f(int T, int n, double A[restrict n], double B[restrict n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++)
      if (i == 0 || i == n - 1)
        B[i] = 1;
      else
        B[i] = A[i - 1] + A[i + 1];
    for (int i = 0; i < n; i++)
      if (i == 0)
        A[i] = 2;
      else if (i < -3)
        A[i] = 3;
      else
        A[i] = B[i - 1];
  }
#pragma endscop
}
`, `
#define BOTH(i) A[i] = B[i], B[i] = 1
struct cell { double v; int k[3]; };
static void put(double *p, int i) { p[i] = i; if (0) p[i] = 2; }
void f(int T, int n, double A[restrict n], double B[restrict n], struct cell *restrict c)
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++) {
      put(A, i);
      put(B, i);
    }
    for (int i = 0; i < n; i++) {
      BOTH(i);
      c[i].k[1]++;
      (c[i].k[0]) += 2;
      for (int k = 0; k < 0; k++)
        A[i] = k;
      for (int k = 0; k < 3; k++)
        if (k == 5)
          B[i] = 1;
        else
          *(B + i) += k;
    }
  }
#pragma endscop
}
`}

// readRegion builds the program of the first region of text, and what was left out of it.
func readRegion(t *testing.T, text string) (made, *scop.Program) {
	f := newFile(Source{Name: "s.c", Text: []byte(text)})
	u, errs := translate(f, Options{})
	require.Empty(t, errs)
	regions, errs := findRegions(f, u)
	require.Empty(t, errs)
	b := variant{timeless: cannotBeTimeLoop(regions[0].stmts)}.read(f, u, regions[0], Options{})
	require.False(t, b.errs.HasErrors(), "%v", b.errs)
	return b, b.p
}

// check compares p with the source of the region that m was made of.
func (m made) check(p *scop.Program) map[diag.Pos]coverage {
	return (&storeCheck{m.facts}).checkStores(p)
}

// storesAt returns where s stores first.
func storesAt(s *scop.Stmt) diag.Pos {
	i := slices.IndexFunc(s.Body, func(a scop.Action) bool { _, ok := a.(scop.Store); return ok })
	return s.Body[i].(scop.Store).To.Pos.Pos
}

// TestStoresAreChecked forgets each statement in turn, what was left out, and what makes domains disjoint: the check must
// find each.
func TestStoresAreChecked(t *testing.T) {
	for _, text := range storePrograms {
		b, p := readRegion(t, text)
		for _, gone := range p.Stmts {
			less := *p // without it and the other pieces of its nest
			less.Stmts = slices.DeleteFunc(slices.Clone(p.Stmts), func(s *scop.Stmt) bool { return storesAt(s) == storesAt(gone) })
			require.Panics(t, func() { b.check(&less) }, "without %s", gone.Name)
		}
		idles := b.idles
		b.idles = nil
		require.Panics(t, func() { b.check(p) }, "nothing is left out")
		b.idles = idles
		for i := range b.idles {
			b.idles[i].instances = poly.MustSet("{ X[0] }")
		}
		require.Panics(t, func() { b.check(p) }, "what is left out runs")
	}
	b, p := readRegion(t, storePrograms[0])
	for i := range p.Stmts {
		wide := *p.Stmts[i]
		wide.Domain = poly.MustSet("[T, n] -> { " + wide.Name + "[t, i] : 0 <= t < T and 0 <= i < n }")
		more := *p
		more.Stmts = append([]*scop.Stmt{}, p.Stmts...)
		more.Stmts[i] = &wide
		twin := wide
		twin.Name = "S9"
		twin.Domain = poly.MustSet("[T, n] -> { S9[t, i] : 0 <= t < T and 0 <= i < n }")
		more.Stmts = append(more.Stmts, &twin)
		require.Panics(t, func() { b.check(&more) }, "%s twice", wide.Name)
	}
}

// eachProgram calls f with the text of each program of the tests: cases, idioms, PolyBench and examples.
func eachProgram(t *testing.T, f func(name string, text []byte)) {
	t.Helper()
	for _, c := range cases.All(t) {
		f(c.Name+".c", []byte(c.Text))
	}
	for _, c := range cases.Programs {
		f(c.Name+".c", []byte(c.Text))
	}
	for _, pattern := range []string{"testdata/idioms/*.c", "testdata/polybench/*.c", "examples/*.c"} {
		files, err := filepath.Glob(cases.File(t, pattern))
		require.NoError(t, err)
		for _, name := range files {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			f(name, text)
		}
	}
}

// TestStoresOfAll reads all programs of the tests: the check finds nothing.
func TestStoresOfAll(t *testing.T) {
	parse := func(name string, text []byte) {
		_, _ = Parse(Source{Name: name, Text: text}, Options{NoAlias: true}) // panics where the check objects
	}
	eachProgram(t, parse)
}

package frontend

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/internal/randc"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// reachPrograms have loops and conditions of all kinds around their stores. Of those that are named "data" the
// conditions are not all affine.
var reachPrograms = map[string]string{
	"names that the check has, too": `void f(int v0, int v1, float A[restrict 2][v1]) {
#pragma scop
	for (int once0 = 0; once0 < v0; once0++)
		for (int k1 = 1; k1 < v1 - 1; k1 += 2)
			if (once0 != v1) A[(once0 + 1) % 2][k1] = A[once0 % 2][k1 - 1];
#pragma endscop
}`,
	"split in four": `
void f(int T, int n, int m, double A[restrict n][m], double B[restrict n][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        const int up = i - 1;
        if (i < 1 || j == 0)
          B[i][j] = A[i][j];
        else if (!(j != m - 1))
          B[i][j] = A[up][j];
        else
          B[i][j] = A[up][j - 1] + A[up][j + 1];
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        A[i][j] = B[i][j];
  }
#pragma endscop
}`,
	"steps, downwards, several bounds": `
#define MIN(a, b) ((a) < (b) ? (a) : (b))
void f(int T, int n, int m, double A[restrict n + 3], double B[restrict n + 3], double C[restrict 10])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 2; i < n; i += 3)
      A[i] = i;
    for (int i = n; i >= 1; i -= 2)
      A[i] += 1;
    for (int i = n - 1; i > 0; i--)
      B[i] = A[i];
    for (int i = 0; i < MIN(n, m) && i <= 100; i++)
      B[i + 1] += A[i];
    for (int i = 0; i != 10; ++i)
      C[i] = B[0];
  }
#pragma endscop
}`,
	"written out, continue": `
void f(int T, int n, double A[restrict n][4], double B[restrict n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++) {
      B[i] = 0;
      for (int k = 0; k < 4; k++) {
        if (k == 2)
          continue;
        B[i] += A[i][k];
        if (i < 3)
          A[i][k] = i;
      }
    }
#pragma endscop
}`,
	"functions": `
static void put(double *p, int i, int to, double v) { if (i >= to) return; p[i] = v; }
static int row(double *p, int n, double v) { for (int j = 1; j < n; j++) put(p, j, n - 1, v); return p[0] = 3; }
void f(int T, int n, double A[restrict n + 1], double B[restrict n + 1])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    row(A, n, t);
    row(B, n, 1);
    for (int i = 0; i < n; i++) {
      put(A, i, n - 2, B[i]);
      put(B, i, i > 5 ? n : 3, 2);
    }
  }
#pragma endscop
}`,
	"no time loop": `
void f(int n, double A[restrict n], double B[restrict n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    B[i] = 1;
  for (int i = 0; i < n; i++)
    if (i < 4 && !0)
      A[i] = B[n - 1 - i];
    else
      A[i] = 2;
  A[0] = 2;
#pragma endscop
}`,
	"a loop under a condition": `
void f(int T, int n, int flag, double A[restrict n], double B[restrict n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    if (flag > 2)
      for (int i = 0; i < n; i++)
        A[i] = B[i];
    else
      for (int i = 3; i < n; i++)
        A[i] = 2;
    for (int i = 0; i < n; i++)
      B[i] += A[i];
  }
#pragma endscop
}`,
	"data": `
void f(int T, int n, double limit, double A[restrict n], double B[restrict n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n; i++)
      if (A[i] > limit && i > 3)
        B[i] = 1;
      else if (i < 2)
        B[i - 1] = A[i];
    for (int i = 0; i < n; i++) {
      if (A[i] < 1)
        A[i] = B[i];
      else
        A[i] = 2;
      if (i < 7)
        if (B[i] < 2)
          B[i] = 4;
    }
  }
#pragma endscop
}`,
}

// TestReach compares where the stores of programs run with what the check makes of the source.
func TestReach(t *testing.T) {
	for name, text := range reachPrograms {
		b, p := readRegion(t, text)
		for at, c := range b.check(p) {
			want := equalSets
			if name == "data" {
				want = withinSets
			}
			assert.Equal(t, want, c, "%s: %v", name, at)
		}
	}
}

// mutantsOf returns programs that differ from p in where statement k runs.
func mutantsOf(p *scop.Program, k int) map[string]*scop.Program {
	s := p.Stmts[k]
	made := map[string]*scop.Program{}
	with := func(what string, change func(ss []*scop.Stmt) []*scop.Stmt) {
		q := *p
		q.Stmts = change(slices.Clone(p.Stmts))
		made[what] = &q
	}
	domain := func(what string, d poly.Set) {
		with(what, func(ss []*scop.Stmt) []*scop.Stmt {
			other := *s
			other.Domain = d
			ss[k] = &other
			return ss
		})
	}
	with("dropped", func(ss []*scop.Stmt) []*scop.Stmt { return slices.Delete(ss, k, k+1) })
	with("doubled", func(ss []*scop.Stmt) []*scop.Stmt {
		twin := *s
		twin.Name = "S99"
		twin.Domain = s.Domain.RenameTuple(s.Name, twin.Name)
		return append(ss, &twin)
	})
	params := strings.Join(s.Domain.Params(), ", ")
	moved := func(by string, d int) poly.Set {
		to := slices.Clone(s.Iters)
		to[d] += by
		return poly.MustMap(fmt.Sprintf("[%s] -> { %s[%s] -> %s[%s] }", params, s.Name, strings.Join(s.Iters, ", "), s.Name, strings.Join(to, ", "))).Apply(s.Domain)
	}
	first, last := s.Domain.LexMin(), s.Domain.LexMax()
	domain("without the first", s.Domain.Subtract(first))
	domain("without the last", s.Domain.Subtract(last))
	domain("the first only", first)
	for d := range s.Iters {
		for _, by := range []string{" + 1", " - 1"} {
			domain(fmt.Sprintf("%s%s too", s.Iters[d], by), s.Domain.Union(moved(by, d)))
		}
	}
	return made
}

// sameRuns reports whether the stores of p and q, which has as many statements, run at the same places.
func sameRuns(b made, p, q *scop.Program) bool {
	if len(p.Stmts) != len(q.Stmts) {
		return false
	}
	for k, s := range p.Stmts {
		for _, a := range s.Body {
			store, ok := a.(scop.Store)
			if !ok {
				continue
			}
			at := []diag.Pos{store.To.Pos.Pos}
			if !setsOf((&storeCheck{b.facts}).runsOf(s, at), false).union().IsEqual(setsOf((&storeCheck{b.facts}).runsOf(q.Stmts[k], at), false).union()) {
				return false
			}
		}
	}
	return true
}

// TestReachFindsMutants drops, doubles, shrinks and widens what each statement runs: the check must find it.
func TestReachFindsMutants(t *testing.T) {
	tried := 0
	for name, text := range reachPrograms {
		b, p := readRegion(t, text)
		for k, s := range p.Stmts {
			for what, q := range mutantsOf(p, k) {
				if k < len(q.Stmts) && sameRuns(b, p, q) {
					continue // conditions in the body leave nothing of the difference
				}
				tried++
				assert.Panics(t, func() { b.check(q) }, "%s: %s %s: %v", name, s.Name, what, s.Domain)
			}
		}
	}
	t.Log(tried, "mutants")
	require.Greater(t, tried, 200)
}

// TestReachOfAll compares almost all stores of all programs of the tests, and of random ones, with the source.
func TestReachOfAll(t *testing.T) {
	count := map[coverage]int{}
	read := func(name string, text []byte) {
		f := newFile(Source{Name: name, Text: text})
		o := Options{NoAlias: true}
		u, errs := translate(f, o)
		if len(errs) > 0 {
			return
		}
		regions, _ := findRegions(f, u)
		for _, r := range regions {
			for _, dense := range []bool{false, true} {
				b := variant{timeless: cannotBeTimeLoop(r.stmts), dense: dense}.read(f, u, r, o)
				if b.p == nil {
					continue
				}
				for at, c := range b.check(b.p) {
					if count[c]++; c == notCompared {
						t.Logf("%s:%d:%d: not compared", name, at.Line, at.Col)
					}
				}
			}
		}
	}
	eachProgram(t, read)
	for seed := range uint64(20) {
		read("generated.c", []byte(randc.Prelude+randc.Generate(seed+1, "f").String()))
		read("wide.c", []byte(randc.Prelude+randc.Wide(seed+1, "f").String()))
	}
	t.Log(count)
	require.Greater(t, count[equalSets], 350)
	require.Less(t, count[withinSets], count[equalSets]/5)
	require.Zero(t, count[notCompared])
}

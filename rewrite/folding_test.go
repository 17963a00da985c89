package rewrite_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/crun"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/rewrite"
	"github.com/hexcc/hexcc/scop"
)

// foldOf returns the rewrite that folds arrays, those with some names or, without names, all that are in one combination alone, at so many places each, and proves it.
func foldOf(places string, names ...string) func(t testing.TB, p *scop.Program) *scop.Program {
	return func(t testing.TB, p *scop.Program) *scop.Program {
		r := folded(t, p, names...)
		require.NotNil(t, r, "%v", p)
		var all []int
		for _, x := range r.Folds {
			all = append(all, x.Places)
		}
		require.Equal(t, places, strings.Trim(fmt.Sprint(all), "[]"), r)
		before, now := r.Cost()
		require.Less(t, now, before)
		return r.Program
	}
}

func folded(t testing.TB, p *scop.Program, names ...string) *rewrite.Folding {
	t.Helper()
	r, err := rewrite.Fold(p, names)
	require.NoError(t, err, "%v", p)
	if r != nil {
		require.NoError(t, r.Program.Verify(), "%v", r.Program)
		require.True(t, r.Prove().Holds, "%v", r.Prove())
		require.Same(t, p, r.Program.Original())
	}
	return r
}

// pointwiseText is a program with a nest, or several, over inner points of square arrays.
func pointwiseText(body string) string {
	return fmt.Sprintf(`#include <math.h>
void f(int T, int n, double w, double u[restrict n][n], double v[restrict n][n], float c[restrict n][n], double A[restrict 2][n][n], double x[restrict n], double out[restrict n][n], double more[restrict n][n])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++) {
        %s
      }
  }
#pragma endscop
}
`, strings.ReplaceAll(body, "NEXT", "}\n    for (int i = 1; i < n - 1; i++)\n      for (int j = 1; j < n - 1; j++) {\n"))
}

// folds are products, sums and others of elements that are used at several places: of image denoising (ARTEMIS has its g*u), fluids, waves, and of few lines.
func folds(t testing.TB) []trial {
	return []trial{
		{"difference", pointwiseText("out[i][j] += (u[i + 1][j] - v[i + 1][j]) + (u[i - 1][j] - v[i - 1][j]) + (u[i][j + 1] - v[i][j + 1]) - (u[i][j - 1] - v[i][j - 1]);"), foldOf("4")},
		{"denoise-2d", cases.Input(t, "rician-2d"), foldOf("4", "g", "u")},
		{"denoise-3d", cases.Input(t, "rician-3d"), foldOf("6", "g", "u")},
		{"denoise", idiom(t, "denoise"), foldOf("6", "g", "u")},
		{"stiffness", idiom(t, "elastic-waves", "1 / (h * h)", "0.7"), foldOf("13", "mu", "la")},
		{"stretched", idiom(t, "elastic-waves", "1 / (h * h)", "0.7"), foldOf("5", "mu", "strx")},
		{"enthalpy", idiom(t, "hyperbolic-flux"), foldOf("24", "e", "p")},
		{"momentum", idiom(t, "hyperbolic-flux"), foldOf("8 8", "mx", "v", "w")},
		{"flux in time", pointwiseText("A[(t + 1) % 2][i][j] = A[t % 2][i][j] * c[i][j] + 0.1 * (A[t % 2][i + 1][j] * c[i + 1][j] - A[t % 2][i - 1][j] * c[i - 1][j]);"), foldOf("3")},
		{"root", pointwiseText("out[i][j] += sqrt(w * u[i + 1][j] * u[i + 1][j] + v[i + 1][j] * v[i + 1][j]) - sqrt(w * u[i][j - 1] * u[i][j - 1] + v[i][j - 1] * v[i][j - 1]);"), foldOf("2")},
		{"staggered", pointwiseText("out[i][j] += u[i + 1][j] * v[i][j] - u[i][j] * v[i - 1][j];"), foldOf("2")},
		{"quotients in time", pointwiseText("A[(t + 1) % 2][i][j] = A[t % 2][i][j] + 0.1 * (A[t % 2][i - 1][j] / v[i - 1][j] + A[t % 2][i + 1][j] / v[i + 1][j] + A[t % 2][i][j - 1] / v[i][j - 1] + A[t % 2][i][j + 1] / v[i][j + 1]);"), foldOf("4")},
		{"reciprocals", pointwiseText("out[i][j] += 1 / u[i][j] - 1 / u[i][j - 1] + u[i][j];"), foldOf("2", "u")},
		{"two nests", pointwiseText("out[i][j] += u[i][j + 1] * v[i][j + 1] - u[i][j] * v[i][j]; NEXT more[i][j] += u[i + 1][j] * v[i + 1][j] + out[i][j];"), foldOf("2")},
		{"row", pointwiseText("out[i][j] += x[i + 1] * u[i + 1][j] - x[i - 1] * u[i - 1][j] + x[i] * w;"), foldOf("2", "x", "u")},
		{"two of them", pointwiseText("out[i][j] += (u[i + 1][j] - v[i + 1][j]) * w - (u[i][j] - v[i][j]) * w; more[i][j] += c[i][j + 1] * A[t % 2][i][j + 1] - c[i][j] * A[t % 2][i][j];"), foldOf("2 2")},
	}
}

// TestFoldingAuto: arrays are folded without being named only if all their elements are in one combination.
func TestFoldingAuto(t *testing.T) {
	for _, x := range []struct {
		body string
		done bool
	}{
		{"out[i][j] += u[i + 1][j] * v[i + 1][j] - u[i][j] * v[i][j];", true},
		{"out[i][j] += u[i + 1][j] * v[i + 1][j] - v[i][j] * u[i][j];", true},                           // whatever the order
		{"out[i][j] += u[i + 1][j] * v[i + 1][j] - u[i][j] * v[i][j] + u[i][j];", false},                // u is used alone, too
		{"out[i][j] += u[i + 1][j] * v[i + 1][j] - u[i][j] / v[i][j];", false},                          // another combination
		{"out[i][j] += u[i + 1][j] * v[i][j] - u[i][j] * v[i][j];", false},                              // at other distances
		{"out[i][j] += u[i][j] * v[i][j];", false},                                                      // at one place
		{"out[i][j] += u[i + 1][j] - u[i - 1][j];", false},                                              // of one array
		{"out[i][j] += x[i + 1] * x[i + 1] - x[i] * x[i];", false},                                      // no subscript follows j
		{"out[i][j] += u[i + 1][j] * v[i + 1][j] - u[i][j] * v[i][j]; u[i][j] = 1;", true},              // what is stored over is not read any more
		{"out[i][j] += u[i - 1][j] * v[i - 1][j] - u[i][j] * v[i][j]; u[i][j] = 1;", false},             // or is, in another point
		{"v[i][j] = 1; out[i][j] += u[i + 1][j] * v[i + 1][j] - u[i][j] * v[i][j];", false},             // and before
		{"out[i][j] += u[i + 1][j] * v[i + 1][j] - u[i][j] * v[i][j]; NEXT u[i][j] = out[i][j];", true}, // but not behind all uses
		{"out[i][j] += u[i + 1][j] * v[i + 1][j] - u[i][j] * v[i][j]; NEXT u[i][j] = out[i][j]; NEXT more[i][j] += u[i + 1][j] * v[i + 1][j] - u[i][j] * v[i][j];", true},
		{"out[i][j] += (i + u[i + 1][j]) * v[i + 1][j] - (i + u[i][j]) * v[i][j];", false}, // of loops
	} {
		p := program(t, pointwiseText(x.body))
		r := folded(t, p)
		require.Equal(t, x.done, r != nil, "%s\n%v", x.body, r)
		if r != nil {
			require.Empty(t, leaves(t, p, r.Program), x.body)
		}
	}
}

// TestFoldingPays: arrays that are used for other things, too, and single ones, are folded unasked where at most half of the operations are left.
func TestFoldingPays(t *testing.T) {
	for body, want := range map[string]bool{
		"out[i][j] += u[i][j] + sqrt(u[i + 1][j] + v[i + 1][j]) - sqrt(u[i - 1][j] + v[i - 1][j]) + sqrt(u[i][j + 1] + v[i][j + 1]);": true,
		"out[i][j] += u[i][j] + u[i + 1][j] * v[i + 1][j] - u[i - 1][j] * v[i - 1][j] + u[i][j + 1] * v[i][j + 1];":                   false,
		"out[i][j] += 1 / v[i + 1][j] + 1 / v[i - 1][j] + 1 / v[i][j + 1];":                                                           true,
		"out[i][j] += 1 / v[i + 1][j] + w * v[i - 1][j] + 1 / v[i][j + 1];":                                                           false,
		"out[i][j] += 2 * v[i + 1][j] + 2 * v[i - 1][j] + 2 * v[i][j + 1];":                                                           false,
	} {
		p := program(t, pointwiseText(body))
		r := folded(t, p)
		require.Equal(t, want, r != nil, "%s: %v", body, r)
		if r != nil {
			before, now := r.Cost()
			require.LessOrEqual(t, 2*now, before, body)
			require.Empty(t, leaves(t, p, r.Program), body)
		}
	}
}

// leaves returns where two programs leave something else.
func leaves(t testing.TB, p, q *scop.Program) string {
	if leavesElse(t, p, q) {
		return fmt.Sprint(q)
	}
	return ""
}

// TestFoldingRefused: what is named and cannot be folded is an error.
func TestFoldingRefused(t *testing.T) {
	for _, x := range []struct{ body, names, want string }{
		{"out[i][j] += u[i + 1][j] * v[i + 1][j] - u[i][j] * v[i][j];", "q", "'q' is no array of the region"},
		{"out[i][j] += u[i + 1][j] * v[i + 1][j] - u[i][j] * v[i][j];", "u,out", "u is in no combination with elements of out"},
		{"out[i][j] += u[i + 1][j] * v[i][j] - u[i][j] * v[i][j];", "u,v", "u is in no combination with elements of v that is used at several places"},
		{"out[i][j] += u[i + 1][j] * v[i + 1][j] - u[i - 1][j] * v[i - 1][j]; u[i][j] = 1;", "u,v", "which S1 has stored anew"},
	} {
		_, err := rewrite.Fold(program(t, pointwiseText(x.body)), strings.Split(x.names, ","))
		var list diag.List
		require.ErrorAs(t, err, &list, x.body)
		require.Equal(t, diag.Code("HX224"), list[0].Code)
		require.Contains(t, list[0].Msg, x.want)
		require.NotEmpty(t, list[0].Help)
	}
	flat := `void f(int n, int m, const double *restrict u, const double *restrict v, double *restrict out)
{
#pragma scop
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      out[i * m + j] = u[(i + 1) * m + j] * v[(i + 1) * m + j] - u[i * m + j - 1] * v[i * m + j - 1];
#pragma endscop
}
`
	_, err := rewrite.Fold(program(t, flat), []string{"u", "v"}) // the last one that is known is u[(n - 1)*m + m - 2]
	require.NoError(t, err)
	_, err = rewrite.Fold(program(t, strings.ReplaceAll(flat, "j - 1]", "j + 1]")), []string{"u", "v"})
	require.ErrorContains(t, err, "u may have no elements at some places of a box around all")
}

// TestFoldingProof: the proof finds what is wrong with a folded program whatever the data.
func TestFoldingProof(t *testing.T) {
	for _, x := range folds(t) {
		p := program(t, x.text)
		q := x.rewrite(t, p)
		caught := 0
		for _, spoilt := range spoiltOf(rewritten{x.name, p, q}) {
			r := &rewrite.Folding{Program: spoilt}
			for _, a := range spoilt.Arrays {
				if a.Scratch {
					r.Folds = append(r.Folds, rewrite.Folded{Array: a})
				}
			}
			if caught++; caught > 12 {
				break // each takes sets
			}
			require.False(t, r.Prove().Holds, "%s: %v", x.name, spoilt)
		}
		require.Greater(t, caught, 5, x.name)
	}
}

// TestFoldingRandom folds random combinations in random nests, of arrays that are stored to as well: what is folded leaves the same.
func TestFoldingRandom(t *testing.T) {
	done := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 41))
		at := func() string { return fmt.Sprintf("[i + %d][j + %d]", rng.IntN(3)-1, rng.IntN(3)-1) }
		form := []string{"u@ * v@", "(u@ - v@)", "(w * u@ + v@)", "c@ * A[t % 2]@", "A[t % 2]@ * u@", "u@ / (2 + v@ * v@)"}[rng.IntN(6)]
		body := ""
		for nest := range 1 + rng.IntN(3) {
			if nest > 0 {
				body += " NEXT "
			}
			to := []string{"out[i][j]", "more[i][j]", "A[(t + 1) % 2][i][j]", "A[(t + 1) % 2][i][j]", "u[i][j]", "A[t % 2][i][j]"}[rng.IntN(6)]
			body += to + " = 0.5"
			for range 1 + rng.IntN(4) {
				body += " + " + strings.ReplaceAll(form, "@", at())
			}
			if rng.IntN(4) == 0 {
				body += " - u[i][j]"
			}
			body += ";"
		}
		p := program(t, pointwiseText(body))
		for _, names := range [][]string{nil, {"u", "v"}, {"A", "u"}, {"A", "c"}} {
			r, err := rewrite.Fold(p, names)
			if err != nil || r == nil {
				continue
			}
			done++
			require.True(t, r.Prove().Holds, "%v", r.Prove())
			require.Empty(t, leaves(t, p, r.Program), body)
		}
	}
	require.Greater(t, done, 30)
}

// TestFoldingText: what folding makes is shown as C with the new array.
func TestFoldingText(t *testing.T) {
	p := program(t, cases.Input(t, "rician-2d"))
	r := folded(t, p, "g", "u")
	text, err := ctext.Region(r.Program)
	require.NoError(t, err)
	require.Contains(t, text, "float u_g[", text)
	require.True(t, slices.ContainsFunc(r.Program.Arrays, func(a *scop.Array) bool { return a.Name == "u_g" && a.Local && a.Scratch }))
	require.Contains(t, r.String(), "computes a combination of u, g once, which S2 uses at 4 places")

	whole, err := ctext.Rewritten(r.Program) // run as what it is: no program has the array to hand over
	require.NoError(t, err)
	cc, err := crun.Compiler()
	require.NoError(t, err)
	b, err := crun.Compile(cc, t.TempDir(), []*scop.Program{r.Program}, []byte(whole), "-O0")
	require.NoError(t, err)
	mem, err := scop.NewMemory(r.Program, []int64{3, 12, 9}, 2)
	require.NoError(t, err)
	want := mem.Clone()
	require.NoError(t, scop.Run(r.Program, want))
	got, says, err := b.Run([]crun.Input{{Memory: mem}})
	require.NoError(t, err, says)
	require.Zero(t, want.Compare(got[0], local(r.Program)...).Differ)
}

package scop_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/scop"
)

// parsed returns the program of C text, whose arrays do not overlap.
func parsed(t *testing.T, text string) *scop.Program {
	t.Helper()
	res, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(text)}, frontend.Options{NoAlias: true})
	require.NoError(t, err, text)
	return res.Programs[0]
}

// TestCoefficients: which arrays become scalars, what these are called, and what C says for them.
func TestCoefficients(t *testing.T) {
	for _, c := range []struct{ name, before, params, value, scalars string }{
		{"by distance", "", "const float c[restrict 3]", "c[0] * A[t % 2][i] + c[1] * (A[t % 2][i - 1] + A[t % 2][i + 1])", "c_0 c[0], c_1 c[1]"},
		{"in order of place", "", "const float c[restrict 3]", "c[2] * A[t % 2][i] + c[0] + c[2]", "c_0 c[0], c_2 c[2]"},
		{"two dimensions", "", "const double w[restrict 2][2]", "(float)(w[1][0] * A[t % 2][i] + w[0][1])", "w_0_1 w[0][1], w_1_0 w[1][0]"},
		{"a number in brackets", "", "const float c[restrict 4]", "c[2 * 2 - 1] * A[t % 2][i]", "c_3 c[3]"},
		{"a name that is there", "", "const float c[restrict 3], float c_1", "c[1] * A[t % 2][i] + c_1", "c_1 c_1, c_1_ c[1]"},
		{"of the file", "static float c[3];", "int dummy", "c[1] * A[t % 2][i]", "c_1 c[1]"},
		{"by an iterator", "", "const float c[restrict 3]", "c[t % 3] * A[t % 2][i] + c[0]", ""},
		{"by a parameter", "", "const float c[restrict n]", "c[n - 1] * A[t % 2][i]", ""},
		{"by a pointer", "", "const float *restrict c", "c[2] * A[t % 2][i]", "c_2 c[2]"},
		{"kept apart by an assumption", "", "float B[2][n], const float *c", "c[0] * A[t % 2][i]", "c_0 c[0]"},
		{"a whole row", "", "const float c[restrict n]", "c[i] * A[t % 2][i]", ""},
		{"64", "", "const float c[restrict 99]", sum("c", 64), list("c", 64)},
		{"65", "", "const float c[restrict 99]", sum("c", 65), ""},
		{"64 in two, and one more", "", "const float c[restrict 99], const float d[restrict 99], const float e[restrict 1]",
			sum("c", 32) + " + " + sum("d", 33) + " + e[0]", list("c", 32) + ", e_0 e[0]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := parsed(t, strings.ReplaceAll(fmt.Sprintf(`%s
void f(int T, int n, float A[restrict 2][n], %s)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      A[(t + 1) %% 2][i] = 0.001f * (%s);
#pragma endscop
}
`, c.before, c.params, c.value), "A[restrict 2][n], float B[2][n]", "A[2][n]"))
			text := before.String()
			after := scop.WithCoefficients(before)
			require.Equal(t, text, before.String(), "what was given is as before")
			require.NoError(t, after.Verify())
			var got []string
			for _, s := range after.Scalars {
				got = append(got, s.Name+" "+s.Source())
			}
			require.Equal(t, c.scalars, strings.Join(got, ", "))
			for _, a := range after.CoefficientArrays() {
				require.NotContains(t, after.Arrays, a)
				for _, s := range after.Stmts {
					for _, acc := range s.Accesses {
						require.NotSame(t, a, acc.Array)
					}
				}
			}
			require.Len(t, before.Arrays, len(after.Arrays)+len(after.CoefficientArrays()))
			sameResult(t, before, after)
		})
	}
}

// sum returns the sum of the first n elements of an array, list the scalars that they become.
func sum(array string, n int) string {
	terms := make([]string, n)
	for i := range terms {
		terms[i] = fmt.Sprintf("%s[%d]", array, i)
	}
	return strings.Join(terms, " + ")
}

func list(array string, n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("%s_%d %s[%d]", array, i, array, i)
	}
	return strings.Join(all, ", ")
}

// TestCoefficientsOfCases: the cases compute the same with scalars, and some have them.
func TestCoefficientsOfCases(t *testing.T) {
	found := 0
	for _, c := range cases.All(t) {
		before := parsed(t, c.Text)
		after := scop.WithCoefficients(before)
		require.NoError(t, after.Verify(), c.Name)
		found += len(after.CoefficientArrays())
		if before != after {
			sameResult(t, before, after)
		}
	}
	require.Equal(t, 4, found)
}

// sameResult runs both programs on random data, where the scalars of after are elements of before:
// the same comes out, and not if one of them is another number.
func sameResult(t *testing.T, before, after *scop.Program) {
	t.Helper()
	differ, changed := results(t, before, after, -1)
	require.Zero(t, differ)
	require.NotZero(t, changed)
	for i, s := range after.Scalars {
		if s.Of != nil {
			differ, _ := results(t, before, after, i)
			require.NotZero(t, differ, "%s is wrong, and that is not seen", s.Name)
		}
	}
}

// results runs both programs and returns in how many elements they differ, and how many after
// changed. The scalar of the given number, if it is not -1, has a wrong value.
func results(t *testing.T, before, after *scop.Program, wrong int) (differ, changed int64) {
	t.Helper()
	params := make([]int64, len(before.Params))
	for i := range params {
		params[i] = 17 + int64(i)
	}
	x, err := scop.NewMemory(before, params, 3)
	require.NoError(t, err)
	y, err := scop.NewMemory(after, params, 4)
	require.NoError(t, err)
	for i, s := range after.Scalars {
		if s.Of == nil {
			y.Scalars[i] = x.Scalars[i]
			continue
		}
		if y.Scalars[i] = x.Storage(s.Of.Array).Cells[s.Of.Number()]; i == wrong {
			y.Scalars[i] ^= 1 << (8*s.Type.Size() - 1) // the sign
		}
	}
	for _, s := range y.Arrays {
		copy(s.Cells, x.Storage(s.Array).Cells)
	}
	untouched := y.Clone()
	require.NoError(t, scop.Run(before, x))
	require.NoError(t, scop.Run(after, y))
	for _, s := range y.Arrays {
		for k, v := range s.Cells {
			if v != x.Storage(s.Array).Cells[k] {
				differ++
			}
		}
	}
	return differ, untouched.Compare(y).Differ
}

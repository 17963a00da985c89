package frontend_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/scop"
)

// TestExtremesHaveThinBorders clamps neighbours to an array in all ways to write a minimum and a maximum, with < and with <=, and with sides that are locals.
// At the last place both sides are equal: that place belongs to the inside, so that a border is as wide as the distance of the neighbour. All mean what C makes of them.
func TestExtremesHaveThinBorders(t *testing.T) {
	for _, c := range []struct {
		name, before, left, right string
		reach                     int64
	}{
		{name: "strict", left: "(i - 1) > 0 ? (i - 1) : 0", right: "(i + 1) < (n - 1) ? (i + 1) : (n - 1)", reach: 1},
		{name: "not strict", left: "i - 1 >= 0 ? i - 1 : 0", right: "i + 1 <= n - 1 ? i + 1 : n - 1", reach: 1},
		{name: "crossed", left: "0 < i - 1 ? i - 1 : 0", right: "n - 1 > i + 1 ? i + 1 : n - 1", reach: 1},
		{name: "turned", left: "i - 1 <= 0 ? 0 : i - 1", right: "n - 1 <= i + 1 ? n - 1 : i + 1", reach: 1},
		{name: "far", left: "i - 3 > 0 ? i - 3 : 0", right: "i + 3 < n - 1 ? i + 3 : n - 1", reach: 3},
		{name: "locals", before: "const int w = i - 1 > 0 ? i - 1 : 0, e = i + 1 < n - 1 ? i + 1 : n - 1;", left: "w", right: "e", reach: 1},
		{name: "sums in locals", before: "const int l = i - 1, r = i + 1, last = n - 1;", left: "l > 0 ? l : 0", right: "r < last ? r : last", reach: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := extremes(t, fmt.Sprintf("%s\nB[i] = 0.5 * A[%s] + 0.25 * A[%s];", c.before, c.left, c.right))
			inside := int64(0)
			for _, st := range p.Stmts {
				if st.Body[len(st.Body)-1].(scop.Store).To.Array.Name == "B" {
					inside = max(inside, scop.NewNest(st, values(p, 1, 50)).Count())
				}
			}
			require.Equal(t, 50-2*c.reach, inside)
			same(t, p)
		})
	}
}

// TestOthersKeepTheirConditions checks what is no minimum, or is one beside another choice by the same condition: where both sides differ, each place has its own.
func TestOthersKeepTheirConditions(t *testing.T) {
	for _, body := range []string{
		"B[i] = A[i - 1 > 0 ? i - 1 : 0] + ((i - 1 > 0) ? A[0] : A[i]);",
		"B[i] = A[i - 1 > 0 ? i : 0] + A[i + 1 < n - 1 ? i : n - 1];",
		"if (i + 1 < n - 1) B[i] = A[i + 1 < n - 1 ? i + 1 : n - 1]; else B[i] = A[0];",
		"B[i] = A[i - 1 > 0 ? i - 1 : 0] + (i - 1 > 0 ? 1 : 2);",
	} {
		same(t, extremes(t, body))
	}
}

// same checks that p means what C makes of it, for odd sizes.
func same(t *testing.T, p *scop.Program) {
	var mems []*scop.Memory
	for n := int64(1); n < 12; n++ {
		mem, err := scop.NewMemory(p, values(p, 3, n), uint64(n))
		require.NoError(t, err)
		mems = append(mems, mem)
	}
	oracle.SameAsC(t, p, mems...)
}

// values returns the parameters of p for so many steps and places.
func values(p *scop.Program, steps, places int64) (all []int64) {
	for _, q := range p.Params {
		all = append(all, map[string]int64{"T": steps, "n": places}[q.Name])
	}
	return all
}

// extremes returns the program of a loop over i with this body, and one that copies.
func extremes(t *testing.T, body string) *scop.Program {
	text := "void f(int T, int n, double A[restrict n], double B[restrict n])\n{\n#pragma scop\n  for (int t = 0; t < T; t++) {\n    for (int i = 0; i < n; i++) {\n      " +
		strings.ReplaceAll(body, "\n", "\n      ") + "\n    }\n    for (int i = 0; i < n; i++)\n      A[i] = B[i];\n  }\n#pragma endscop\n}\n"
	res, err := frontend.Parse(frontend.Source{Name: "input.c", Text: []byte(text)}, frontend.Options{})
	require.NoError(t, err, text)
	return res.Programs[0]
}

// TestEquationsOfTwoLoops reads colours of a grid that is one row of cells for some sizes: in parts of the nest an equation ties both loops, and how far a subscript reaches is
// no sum of parameters.
func TestEquationsOfTwoLoops(t *testing.T) {
	p := parseOne(t, `void f(int n, double *restrict u, int T) {
#pragma scop
  for (int t = T; t > 0; t--)
    for (int c = 0; c < 2; c++) {
      for (int j = 0; j < n; j++) {
        u[0 * n + j] = u[n * n + j];
        u[(n + 1) * n + j] = u[1 * n + j];
      }
      for (int i = 1; i < n + 1; i++)
        for (int j = 0; j < n; j++) {
          int jm = (j < 1 ? 0 : j - 1);
          int jp = (j < n - 1 ? j + 1 : n - 1);
          if ((i + j + c) % 2 == 0)
            u[i * n + j] = 0.5 * u[i * n + j] + 0.125 * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + jm] + u[i * n + jp]);
        }
    }
#pragma endscop
}
`)
	require.Len(t, p.Arrays, 1)
	same(t, p)
}

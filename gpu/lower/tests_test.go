package lower_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// A tested is a test for full tiles: its rows, and the loops that it stands in.
type tested struct {
	rows   []string
	inside []string
}

// testsOf returns the tests for full tiles of k, the one of the tile itself last.
func testsOf(t *testing.T, k *gpu.Kernel) (all []tested, full gpu.If) {
	given := ""
	var walk func(ns []gpu.Node, inside []string)
	walk = func(ns []gpu.Node, inside []string) {
		for _, n := range ns {
			switch n := n.(type) {
			case gpu.Test:
				require.Equal(t, given, n.Given)
				require.Len(t, n.Cond, 1)
				all, given = append(all, tested{texts(n.Cond[0]), inside}), n.Var
			case gpu.For:
				walk(n.Body, append(slices.Clip(inside), n.Var))
			case gpu.If:
				if n.Role.Kind == gpu.FullTile {
					require.Equal(t, given, n.Given)
					full = n
					if len(n.Cond) == 1 {
						all = append(all, tested{texts(n.Cond[0]), inside})
					}
				}
			}
		}
	}
	walk(k.Body, nil)
	return all, full
}

func texts(rows []affine.Expr) (all []string) {
	for _, r := range rows {
		all = append(all, fmt.Sprint(r))
	}
	return all
}

// TestTestsByHand: the full tiles of jacobi-2d, h=2, w0=3, w1=32. Whether the first
// and the last step exist is for the launch to say, rows are for the block,
// and columns are for each tile.
func TestTestsByHand(t *testing.T) {
	x := stencil{pipeline.Case(t, "jacobi-2d")}
	_, p := x.mapped(t, schedule.Sizes{H: 2, W: []int64{3, 32}}, lower.Options{})
	all, _ := testsOf(t, p.Kernels[0])
	want := []tested{
		{[]string{"T_ - 1", "T - 6*T_ - 3"}, nil},
		{[]string{"S0 - 1", "-12*S0 + n - 3"}, nil},
		{[]string{"S1 - 1", "-32*S1 + n - 33"}, []string{"S1"}},
	}
	assert.Equal(t, want, all)
}

// TestTestsStandOutside: of every case, the tests together are what package astgen
// says tells a full tile, and no row stands in a loop whose variable it has not,
// unless it is one of several alternatives.
func TestTestsStandOutside(t *testing.T) {
	outside, alternatives := 0, 0
	rows := stencil{pipeline.Read(t, "rows", `
void f(int T, int n, int m, int k, float A[2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = A[t % 2][i - 1][j] + A[t % 2][i + 1][j + 1] + A[t % 2][i][j - 1];
    for (int j = 1; j < m - 1; j++)
      A[(t + 1) % 2][k][j] = A[t % 2][k][j - 1];
  }
#pragma endscop
}
`)}
	for _, x := range append(stencils(t), rows) {
		s, p := x.mapped(t, x.small(1), lower.Options{})
		loops, err := astgen.Generate(s)
		require.NoError(t, err)
		for i, k := range p.Kernels {
			want := conditionOf(loops.Body.(astgen.For).Body.(astgen.Block)[i].(astgen.Launch).Body)
			all, full := testsOf(t, k)
			var got []string
			for _, test := range all {
				if got = append(got, test.rows...); len(test.inside) == 0 {
					outside++
					continue
				}
				last := test.inside[len(test.inside)-1]
				for _, r := range test.rows {
					assert.Contains(t, r, last, x.Name)
				}
			}
			if len(want) > 1 {
				alternatives++
				assert.Len(t, full.Cond, len(want), x.Name)
				for n, rows := range full.Cond {
					assert.ElementsMatch(t, texts(want[n]), slices.Concat(got, texts(rows)), x.Name)
				}
				continue
			}
			assert.ElementsMatch(t, texts(want[0]), got, x.Name)
		}
	}
	assert.Greater(t, outside, 50)
	assert.Positive(t, alternatives)
}

// conditionOf returns the test for full tiles in n.
func conditionOf(n astgen.Node) astgen.Cond {
	switch n := n.(type) {
	case astgen.For:
		return conditionOf(n.Body)
	case astgen.If:
		return n.Cond
	}
	return nil
}

package schedule

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
)

func TestAlignment(t *testing.T) {
	full := "0 <= t < T and 1 <= i < N-1 and 1 <= j < N-1"
	for _, x := range []struct {
		name  string
		nests []nest
		want  string
	}{
		{"loops in the order of the array's dimensions",
			[]nest{{"t i j", full, "A[t+1][i][j] = A[t][i][j]"}},
			"S0[t, i, j] -> [t, i, j]"},
		{"loops against that order",
			[]nest{{"t j i", full, "A[t+1][i][j] = A[t][i-1][j]"}},
			"S0[t, j, i] -> [t, i, j]"},
		{"a shifted write changes nothing by itself",
			[]nest{{"t i j", full, "A[t+1][i+3][j-1] = A[t][i+2][j-1]"}},
			"S0[t, i, j] -> [t, i, j]"},
		{"a shifted write meets the others",
			[]nest{{"t i j", full, "B[i][j] = A[i-1][j] A[i+1][j]"}, {"t i j", full, "A[i-1][j+N] = B[i-1][j+N]"}},
			"S0[t, i, j] -> [t, i, j]; S1[t, i, j] -> [t, i - 1, j + N]"},
		{"a shallow nest on a row",
			[]nest{{"t j", "0 <= t < T and 1 <= j < N-1", "A[0][j] = B[0][j]"}, {"t i j", full, "A[i][j] = A[i][j]"}},
			"S0[t, j] -> [t, 0, j]; S1[t, i, j] -> [t, i, j]"},
		{"a shallow nest on a column",
			[]nest{{"t i", "0 <= t < T and 1 <= i < N-1", "A[i][N-1] = A[i][N-2]"}, {"t i j", full, "A[i][j] = A[i][j]"}},
			"S0[t, i] -> [t, i, N - 1]; S1[t, i, j] -> [t, i, j]"},
		{"a shallow nest on an array that the deep nest only reads",
			[]nest{{"t j", "0 <= t < T and 1 <= j < N-1", "B[2][j] = f[t]"}, {"t i j", full, "A[i][j] = B[i][j]"}},
			"S0[t, j] -> [t, 2, j]; S1[t, i, j] -> [t, i, j]"},
		{"a nest without space loops",
			[]nest{{"t", "0 <= t < T", "A[0][4] = f[t]"}, {"t i j", full, "A[i][j] = A[i][j]"}},
			"S0[t] -> [t, 0, 4]; S1[t, i, j] -> [t, i, j]"},
		{"no space loops at all", []nest{{"t", "0 <= t < T", "A[0] = A[0]"}}, "S0[t] -> [t, 0]"},
		{"subscripts that do not tell loops apart",
			[]nest{{"t i j", full, "A[t][i+j] = B[t]"}},
			"S0[t, i, j] -> [t, i, j]"},
		{"an array that lies across another",
			[]nest{{"t i j", full, "B[j][i] = A[i][j]"}, {"t i j", full, "A[i][j] = B[j][i]"}},
			"S0[t, i, j] -> [t, j, i]; S1[t, i, j] -> [t, j, i]"},
		{"an array that lies the other way round",
			[]nest{{"t i", "0 <= t < T and 1 <= i < N-1", "B[i] = A[N-i]"}, {"t i", "0 <= t < T and 1 <= i < N-1", "A[i] = B[N-i]"}},
			"S0[t, i] -> [t, i]; S1[t, i] -> [t, -i + N]"},
		{"an array that is read where the nest writes one of its own",
			[]nest{{"t i j", full, "B[i][j] = A[i][j]"}, {"t i j", full, "C[j][i] = B[i][j]"}, {"t i j", full, "A[i][j] = C[j][i]"}},
			"S0[t, i, j] -> [t, i, j]; S1[t, i, j] -> [t, i, j]; S2[t, i, j] -> [t, i, j]"},
		{"an array that lies N further on",
			[]nest{{"t i", "0 <= t < T and 1 <= i < N-1", "B[i] = A[i+N]"}, {"t i", "0 <= t < T and 1 <= i < N-1", "A[i+N] = B[i]"}},
			"S0[t, i] -> [t, i]; S1[t, i] -> [t, i]"},
		{"an array of another shape",
			[]nest{{"t i", "0 <= t < T and 1 <= i < N-1", "C[i] = f[t]"}, {"t i j", full, "A[i][j] = A[i][j]"}},
			"S0[t, i] -> [t, 0, i]; S1[t, i, j] -> [t, i, j]"},
	} {
		p := program("N T", x.nests...)
		c, err := Canonicalize(p, nil)
		require.NoError(t, err)
		require.NoError(t, c.Verify(), x.name)
		assert.Equal(t, x.want, strings.ReplaceAll(strings.TrimSpace(c.String()), "\n", "; "), x.name)
	}
}

// problems returns what Canonicalize or BoundCone says of a program.
func problems(t *testing.T, nests ...nest) (lines []string) {
	p := program("N T", nests...)
	deps, err := Dependences(p)
	require.NoError(t, err)
	c, err := Canonicalize(p, deps)
	if err == nil {
		_, err = BoundCone(c, deps)
	}
	var list diag.List
	require.True(t, errors.As(err, &list), "%v", err)
	for _, d := range list {
		assert.NotEmpty(t, d.Help)
		line := d.Error()
		for _, n := range d.Notes {
			line += "; note " + n.At.String() + ": " + n.Msg
		}
		lines = append(lines, line)
	}
	return lines
}

func TestSpaceLoopsMustNotCarryDependences(t *testing.T) {
	seidel := problems(t, nest{"t i", "0 <= t < T and 1 <= i < N-1", "A[i] = A[i-1] A[i+1]"})
	assert.Equal(t, []string{
		"test.c:10:1: the i loop carries a flow dependence: A[i] and then A[i-1] touch the same element at distance (t, i) = (0, 1) [HX201]; note test.c:10:2: A[i-1] is read here in a later iteration of the i loop",
		"test.c:10:3: the i loop carries an anti dependence: A[i+1] and then A[i] touch the same element at distance (t, i) = (0, 1) [HX201]; note test.c:10:1: A[i] is written here in a later iteration of the i loop",
	}, seidel)
	inner := problems(t, nest{"t i j", box("t i j"), "A[t+1][i][j] = A[t][i][j] A[t+1][i-1][j+1]"})
	require.Len(t, inner, 1)
	assert.Contains(t, inner[0], "(t, i, j) = (0, 1, -1)")
	scalar := problems(t, nest{"t i", "0 <= t < T and 1 <= i < N-1", "s[0] = A[i]"})
	assert.Contains(t, scalar[0], "output dependence: s[0] and then s[0] touch the same element at distances such as")
	second := problems(t,
		nest{"t i", "0 <= t < T and 1 <= i < N-1", "B[i] = A[i-1]"},
		nest{"t i", "0 <= t < T and 1 <= i < N-1", "A[i] = A[i-2]"})
	require.Len(t, second, 1)
	assert.Contains(t, second[0], "test.c:20:1")
	assert.Contains(t, second[0], "(0, 2)")
}

func TestDistancesMustBeBounded(t *testing.T) {
	far := problems(t, nest{"t i", "0 <= t < T and N <= i < 4*N", "A[t+1 %2][i] = A[t %2][i-N]"})
	for _, line := range far {
		assert.Contains(t, line, "HX202")
		assert.Contains(t, line, "dimension i is ")
		assert.Contains(t, line, "N: it grows with a parameter")
	}
	mirror := problems(t, nest{"t i", "0 <= t < T and 0 <= i < N", "A[t+1][i] = A[t][N-i]"})
	assert.Contains(t, mirror[0], "A[t+1][i] to A[t][N-i]")
	periodic := problems(t,
		nest{"t i", "0 <= t < T and 1 <= i < N-1", "B[i] = A[i-1] A[i+1]"},
		nest{"t i", "0 <= t < T and 1 <= i < N-1", "A[i] = B[i]"},
		nest{"t", "0 <= t < T", "A[0] = A[N-2]"})
	assert.Contains(t, strings.Join(periodic, "\n"), "HX202")
}

// TestParityTightensTheCone checks that the cone uses distances that % 3
// allows, not those that the rationals do.
func TestParityTightensTheCone(t *testing.T) {
	_, _, cone := analyze(t, program("N T", nest{"t i", "0 <= t < T and 1 <= i < N-1", "A[t+2 %3][i] = A[t %3][i-1]"}))
	assert.Equal(t, "-1*dt <= ds0 <= 1/2*dt\n", cone.String())
}

// TestContextLimitsDependences checks that parameter values that cannot occur cause no dependence.
func TestContextLimitsDependences(t *testing.T) {
	p := program("N T", nest{"t i", "0 <= t < T and 0 <= i < 5", "A[i+N] = A[i]"})
	deps, err := Dependences(p)
	require.NoError(t, err)
	assert.Len(t, deps, 3)
	p.Context = poly.MustSet("[N] -> { : N >= 5 }")
	deps, err = Dependences(p)
	require.NoError(t, err)
	require.Len(t, deps, 1)
	assert.Equal(t, Output, deps[0].Kind)
	p.Context = poly.MustSet("[T] -> { : T >= 1 }")
	deps, err = Dependences(p)
	require.NoError(t, err)
	assert.Len(t, deps, 3)
}

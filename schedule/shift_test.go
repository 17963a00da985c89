package schedule

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/scop"
)

// oneLine returns text with its lines between semicolons.
func oneLine(text fmt.Stringer) string {
	return strings.ReplaceAll(strings.TrimSpace(text.String()), "\n", "; ")
}

func TestNestsMoveToNarrowTheCone(t *testing.T) {
	line := func(body string) nest { return nest{"t i", "0 <= t < T and 3 <= i < N-3", body} }
	plane := func(body string) nest { return nest{"t i j", box("t i j"), body} }
	for _, x := range []struct {
		name  string
		nests []nest
		space string
		cone  string
	}{
		{"copy back: no move helps",
			[]nest{line("B[i] = A[i-1] A[i] A[i+1]"), line("A[i] = B[i]")},
			"S0[t, i] -> [2*t, i]; S1[t, i] -> [2*t + 1, i]",
			"-1*dt <= ds0 <= 1*dt"},
		{"staggered: all distances vanish",
			[]nest{line("B[i] = A[i+1]"), line("A[i] = B[i-1]")},
			"S0[t, i] -> [t, i]; S1[t, i] -> [t, i - 1]; # s0: S1 moved by -1 to share a step",
			"-0*dt <= ds0 <= 0*dt"},
		{"half steps to the left and right: either place is as good",
			[]nest{line("B[i] = A[i] A[i+1]"), line("A[i] = B[i-1] B[i]")},
			"S0[t, i] -> [2*t, i]; S1[t, i] -> [2*t + 1, i]",
			"-1*dt <= ds0 <= 1*dt"},
		{"far apart",
			[]nest{line("B[i] = A[i+3] A[i+2]"), line("A[i] = B[i-3] B[i-2]")},
			"S0[t, i] -> [2*t, i]; S1[t, i] -> [2*t + 1, i - 2]; # s0: S1 moved by -2: slopes -1..1 instead of -3..3",
			"-1*dt <= ds0 <= 1*dt"},
		{"one nest never moves",
			[]nest{{"t i", "1 <= t < T and 3 <= i < N-3", "A[t][i] = A[t-1][i-3] A[t-1][i-2]"}},
			"S0[t, i] -> [t, i]",
			"-0*dt <= ds0 <= 3*dt"},
		{"two planes: the slope below counts in the classical dimension",
			[]nest{plane("B[i][j] = A[i][j] A[i][j+1]"), plane("A[i][j] = A[i][j] B[i][j] B[i][j-1]")},
			"S0[t, i, j] -> [2*t, i, j]; S1[t, i, j] -> [2*t + 1, i, j]",
			"-0*dt <= ds0 <= 0*dt; -1*dt <= ds1 <= 1*dt"},
		{"a chain in which the first never reads the last",
			[]nest{{"t i", "1 <= t < T and 3 <= i < N-3", "A[t][i] = A[t-1][i]"}, {"t i", "1 <= t < T and 3 <= i < N-3", "B[t][i] = A[t][i-2] A[t][i-1]"}},
			"S0[t, i] -> [2*t, i]; S1[t, i] -> [2*t + 1, i - 1]; # s0: S1 moved by -1: slopes 0..1 instead of 0..2",
			"-0*dt <= ds0 <= 1*dt"},
		{"a shallow nest moves too",
			[]nest{{"t", "1 <= t < T", "A[t][5] = f[t]"}, {"t i", "1 <= t < T and 3 <= i < 4", "B[t][i] = A[t][i+2]"}},
			"S0[t] -> [t, 3]; S1[t, i] -> [t, i]; # s0: S1 moved by 2 to share a step",
			"-0*dt <= ds0 <= 0*dt"},
		{"an array that a nest runs through slantwise",
			[]nest{line("B[i] = C[i+t+t]"), line("C[i+t+t] = B[i]")},
			"S0[t, i] -> [t, i]; S1[t, i] -> [t, i]",
			"-2*dt <= ds0 <= 0*dt"},
		{"a ghost cell at either end: they go where their values come from",
			[]nest{{"t i", "1 <= t < T and 1 <= i < N", "A[t][i] = A[t-1][i-1] A[t-1][i] A[t-1][i+1]"}, {"t", "1 <= t < T and N >= 3", "A[t][0] = A[t][1]"}, {"t", "1 <= t < T and N >= 3", "A[t][N] = A[t][N-1]"}},
			"S0[t, i] -> [t, i]; S1[t] -> [t, 1]; S2[t] -> [t, N - 1]; # s0: S1 moved by 1, S2 moved by -1 to share a step",
			"-1*dt <= ds0 <= 1*dt"},
		{"a source where the stencil has been",
			[]nest{{"t i", "1 <= t < T and 1 <= i < N", "A[t][i] = A[t-1][i-1] A[t-1][i] A[t-1][i+1]"}, {"t", "1 <= t < T", "A[t][7] = A[t][7] f[t]"}},
			"S0[t, i] -> [t, i]; S1[t] -> [t, 7]",
			"-1*dt <= ds0 <= 1*dt"},
		{"a chain of four, of which two need what lies around them",
			[]nest{line("B[i] = A[i-1] A[i+1]"), line("C[i] = B[i]"), line("D[i] = C[i-1] C[i]"), line("A[i] = D[i]")},
			"S0[t, i] -> [2*t, i]; S1[t, i] -> [2*t, i]; S2[t, i] -> [2*t + 1, i]; S3[t, i] -> [2*t + 1, i]",
			"-1*dt <= ds0 <= 1*dt"},
	} {
		_, c, cone := analyze(t, program("N T", x.nests...))
		assert.Equal(t, x.space, oneLine(c), x.name)
		assert.Equal(t, x.cone, oneLine(cone), x.name)
	}
}

// withMoves returns c with nest i moved by x[i] in one dimension.
func withMoves(c *Canonical, dim int, x []int64) *Canonical {
	d := c.moved(Move{Dim: dim, By: x})
	return &d
}

// unmoved returns the space of p as its arrays align it.
func unmoved(p *scop.Program) *Canonical {
	deps, err := Dependences(p)
	if err != nil {
		panic(err)
	}
	c := &Canonical{Scop: p, Places: align(p)}
	for i := range dimensions(p) {
		c.Space = append(c.Space, fmt.Sprint("s", i))
	}
	c.level(oneIteration(c.Scop, deps), true)
	return c
}

// TestMovesAgainstBruteForce compares with the cones of all moves of up to 5:
// none has a smaller sum of slopes in the hexagonal dimension, nor a smaller
// slope below in a classical one, nor equal ones with smaller moves.
func TestMovesAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	moved := 0
	for n := range 60 {
		p := randomNests(rng)
		deps, c, cone := analyze(t, p)
		by := make([]int64, p.K())
		if i := slices.IndexFunc(c.Moves, func(m Move) bool { return !m.Shares }); i >= 0 {
			by = c.Moves[i].By
			moved++
		}
		got := Slopes{cone.Lo[0], cone.Hi[0]}
		classical := unmoved(p).newShifter(deps, 0)
		start, ok := classical.slopes(make([]int64, p.K()))
		require.True(t, ok)
		low, ok := classical.slopes(classical.best(start, false))
		require.True(t, ok)
		for x := range vectors(p.K()-1, 11) {
			other := make([]int64, p.K())
			for i := range x {
				other[1+i] = x[i] - 5
			}
			if slices.ContainsFunc(c.Together, func(tie [2]int) bool { return other[tie[0]] != other[tie[1]] }) {
				continue
			}
			some, ok := classical.slopes(other)
			require.True(t, ok)
			if rng.IntN(100) == 0 {
				cone, err := BoundCone(withMoves(unmoved(p), 0, other), deps)
				require.NoError(t, err)
				require.Equal(t, Slopes{cone.Lo[0], cone.Hi[0]}.String(), some.String())
			}
			d := some.compare(got)
			require.False(t, d < 0 || d == 0 && total(other) < total(by), "%d: %v by %v, not %v\n%v", n, some, other, got, c)
			d = some.Lo.Cmp(low.Lo)
			require.False(t, d < 0 || d == 0 && some.Hi.Cmp(low.Hi) < 0, "%d: %v by %v, not %v\n%v", n, some, other, low, c)
		}
	}
	require.Greater(t, moved, 20)
}

// randomNests returns two or three nests over lines that read what the others wrote.
func randomNests(rng *rand.Rand) *scop.Program {
	var nests []nest
	k := 2 + rng.IntN(2)
	for n := range k {
		body := fmt.Sprintf("A%d[i] =", n)
		for range 1 + rng.IntN(3) {
			if m := rng.IntN(k); m != n {
				body += fmt.Sprintf(" A%d[i%+d]", m, rng.IntN(7)-3)
			} else {
				body += fmt.Sprintf(" A%d[i]", m)
			}
		}
		nests = append(nests, nest{"t i", "0 <= t < T and 3 <= i < N-3", body})
	}
	return program("N T", nests...)
}

// TestMovesOfCases checks the same of the cases with several nests: no moves of
// up to 2 make hexagons narrower, or classical tiles lean less.
func TestMovesOfCases(t *testing.T) {
	several := 0
	for name, p := range cases(t) {
		if p.K() < 2 {
			continue
		}
		several++
		deps, c, cone := analyze(t, p)
		for dim := range c.Space {
			s := unmoved(p).newShifter(deps, dim)
			got := Slopes{cone.Lo[dim], cone.Hi[dim]}
			for x := range vectors(p.K()-1, 5) {
				by := make([]int64, p.K())
				for i := range x {
					by[1+i] = x[i] - 2
				}
				some, ok := s.slopes(by)
				if !ok {
					continue
				}
				if dim == 0 {
					require.False(t, some.compare(got) < 0, "%s: s%d: %v by %v, not %v", name, dim, some, by, got)
				} else {
					require.False(t, some.Lo.Cmp(got.Lo) < 0, "%s: s%d: %v by %v, not %v", name, dim, some, by, got)
				}
			}
		}
	}
	require.GreaterOrEqual(t, several, 6)
}

// TestMovesAreBounded asks for the moves of nests that lie apart by as many points as the grid has, in either direction: a slope for each would be tried.
func TestMovesAreBounded(t *testing.T) {
	text := `void adi(int T, double u[1000][1000], double v[1000][1000], double p[1000][1000], double a) {
#pragma scop
	for (int t = 0; t < T; t++) {
		for (int i = 1; i < 999; i++) {
			p[i][0] = 0.0;
			for (int j = 1; j < 999; j++)
				p[i][j] = u[j][i - 1] / (a * p[i][j - 1] + u[j][i + 1]);
			v[999][i] = 1.0;
			for (int j = 998; j >= 1; j--)
				v[j][i] = p[i][j] * v[j + 1][i];
		}
		for (int i = 1; i < 999; i++) {
			p[i][0] = 0.0;
			for (int j = 1; j < 999; j++)
				p[i][j] = v[i - 1][j] / (a * p[i][j - 1] + v[i + 1][j]);
			u[i][999] = 1.0;
			for (int j = 998; j >= 1; j--)
				u[i][j] = p[i][j] * u[i][j + 1];
		}
	}
#pragma endscop
}
`
	res, err := frontend.Parse(frontend.Source{Name: "adi.c", Text: []byte(text)}, frontend.Options{NoAlias: true})
	require.NoError(t, err)
	p := res.Programs[0]
	deps, err := Dependences(p)
	require.NoError(t, err)
	c := aligned(p)
	c.level(oneIteration(c.Scop, deps), true)
	passed := false
	for dim := range c.Space {
		s := c.newShifter(deps, dim)
		s.move(dim)
		require.LessOrEqual(t, s.tried, maxTried+1)
		passed = passed || s.tried > maxTried
	}
	require.True(t, passed, "no dimension is hard")
	_, err = Layout{}.Skewed(p, deps)
	require.Error(t, err)
}

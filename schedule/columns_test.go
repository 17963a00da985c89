package schedule

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/scop"
)

// solver is an implicit solver of columns of 6 levels, its sweeps up and down, between stencils across columns.
func solver(t *testing.T) (*Canonical, []Dependence) {
	res, err := frontend.Parse(frontend.Source{Name: "a.c", Text: []byte(`void f(int n, int m, double in[6][n][m], double out[6][n][m])
{
  double rhs[6][n][m], d[6][n][m], x[6][n][m];
#pragma scop
  for (int k = 0; k < 6; k++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        rhs[k][i][j] = in[k][i][j] + in[k][i - 1][j] + in[k][i + 1][j] + in[k][i][j - 1] + in[k][i][j + 1];
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      d[0][i][j] = rhs[0][i][j];
  for (int k = 1; k < 6; k++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        d[k][i][j] = rhs[k][i][j] + d[k - 1][i][j];
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      x[5][i][j] = d[5][i][j];
  for (int k = 4; k >= 0; k--)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        x[k][i][j] = d[k][i][j] + x[k + 1][i][j];
  for (int k = 0; k < 6; k++)
    for (int i = 2; i < n - 2; i++)
      for (int j = 2; j < m - 2; j++)
        out[k][i][j] = x[k][i - 1][j] + x[k][i + 1][j] + x[k][i][j - 1] + x[k][i][j + 1];
#pragma endscop
}
`)}, frontend.Options{NoAlias: true})
	require.NoError(t, err)
	deps, c := columnsOf(t, res.Programs[0])
	return c, deps
}

// columnsOf returns the columns of p.
func columnsOf(t *testing.T, p *scop.Program) ([]Dependence, *Canonical) {
	t.Helper()
	deps, err := Dependences(p)
	require.NoError(t, err)
	c, err := Columns(p, deps)
	require.NoError(t, err)
	return deps, c
}

// TestColumns asks for the proofs of tiles that hold whole columns, in several sizes and all partitions into launches; and of mutants, which have to fail.
func TestColumns(t *testing.T) {
	c, deps := solver(t)
	require.Equal(t, []Way{Any, Any, Up, Any, Down, Any}, c.Ways)
	require.Equal(t, Column{0, 6, true}, c.Column)
	overlap := NewOverlap(c, deps)
	require.Len(t, overlap.temporaries, 3)
	holds := func(s *Schedule) bool {
		return ProvePartition(s).Holds && ProveLegality(s, deps).Holds
	}
	rng := rand.New(rand.NewPCG(1, 2))
	legal := 0
	for _, g := range append(partitions(6)[:16], OneGroup(6), Groups{{0, 1, 2}, {3, 4, 5}}, Groups{{0}, {1, 2, 3, 4}, {5}}) {
		s, err := overlap.In(g).Schedule(Sizes{H: 1, W: []int64{6 + rng.Int64N(3), 1 + rng.Int64N(5), 1 + rng.Int64N(5)}})
		require.NoError(t, err)
		require.NoError(t, s.Verify())
		allowed := g.Check(c, deps) == nil
		require.Equal(t, allowed, holds(s), "%s", g.Text(c.Scop))
		if allowed {
			legal++
		}
	}
	require.Greater(t, legal, 2)
	of := func(c *Canonical) *Schedule {
		s, err := NewOverlap(c, deps).Schedule(Sizes{H: 1, W: []int64{6, 4, 3}})
		require.NoError(t, err)
		return s
	}
	s := of(c)
	require.Equal(t, Box{[]int64{0, -1, -1}, []int64{5, 4, 3}}, s.Phases[0].Boxes[0][0], "a halo across columns, none along them")
	for i, way := range c.Ways {
		for _, other := range []Way{Down, Any, Up} {
			mutant := *c
			mutant.Ways = slices.Clone(c.Ways)
			mutant.Ways[i] = other
			require.Equal(t, way == Any || other == way, holds(of(&mutant)), "S%d %v in place of %v", i, other, way)
		}
	}
	for name, change := range map[string]func(*Schedule){
		"columns in two tiles": func(s *Schedule) {
			for i := range s.Phases {
				s.Phases[i].Space[0] = c.columns(3, s.Height)
			}
			s.Sizes.W[0] = 3
			for _, steps := range s.Phases[0].Boxes {
				for a := range steps {
					steps[a].Hi[0] = min(2, steps[a].Hi[0])
				}
			}
		},
		"columns without their last point": func(s *Schedule) {
			for _, steps := range s.Phases[0].Boxes {
				for a := range steps {
					steps[a].Hi[0] = min(4, steps[a].Hi[0])
				}
			}
		},
		"owners one further across": func(s *Schedule) {
			s.Phases[0].Space[1].Owned = []HalfPlane{{B: 1, C: -1}, {B: -1, C: 4}}
		},
		"owners one further along": func(s *Schedule) {
			s.Phases[0].Space[0].Owned = []HalfPlane{{B: 1, C: -1}, {B: -1, C: 6}}
		},
		"no halo of the sweep back": func(s *Schedule) {
			for a, b := range s.Phases[0].Boxes[4] {
				if b.Lo[0] <= b.Hi[0] {
					s.Phases[0].Boxes[4][a].Lo[1]++
				}
			}
		},
		"no nest after the other": func(s *Schedule) {
			mutant := *s.Canonical
			mutant.Ranks = make([]int, 6)
			s.Canonical = &mutant
			s.Dims = s.dims()
		},
	} {
		s := of(c)
		change(s)
		s.Relate()
		require.False(t, holds(s), name)
	}
}

// TestColumnsApart asks for the proof where a nest reads, in its own step, from a column beside: columns of a step run at once.
func TestColumnsApart(t *testing.T) {
	straight := program("N", nest{"t k i", "t = 0 and 1 <= k < 6 and 1 <= i < N", "p[k][i] = a[k][i] p[k-1][i]"})
	_, c := columnsOf(t, straight)
	slanted := program("N", nest{"t k i", "t = 0 and 1 <= k < 6 and 1 <= i < N", "p[k][i] = a[k][i] p[k-1][i-1]"})
	deps, err := Dependences(slanted)
	require.NoError(t, err)
	_, err = Columns(slanted, deps)
	require.ErrorContains(t, err, "along another dimension")
	mutant := *c
	mutant.Scop = slanted
	s, err := NewOverlap(&mutant, nil).Schedule(Sizes{H: 1, W: []int64{5, 8}})
	require.NoError(t, err)
	legality := ProveLegality(s, deps)
	require.False(t, legality.Holds)
	within := *s // in one tile there are all of a row, and still they run at once
	within.Phases[0].Space[1].Stride, within.Sizes.W[1] = 1000, 1000
	require.NotEmpty(t, prover{&within, &Prover{}}.acrossColumns(slanted.Stmts[0], deps))
}

// TestNoColumns asks for what is refused: columns of programs where nests carry other dependences than along one dimension, and tiles that hold parts of columns.
func TestNoColumns(t *testing.T) {
	for loops, why := range map[string]string{
		"for (int i = 1; i < 6; i++) for (int j = 1; j < n; j++) a[i][j] += a[i - 1][j] + a[i][j - 1];":                                                                  "along another dimension",
		"for (int i = 1; i < 6; i++) for (int j = i; j < n; j++) a[i][j] += a[i - 1][j];":                                                                                "begin or end where",
		"for (int i = 1; i < 6; i++) for (int j = 0; j < n; j++) a[i][j] += a[i - 1][j];\nfor (int i = 0; i < 6; i++) for (int j = 1; j < n; j++) b[i][j] += b[i][j-1];": "along another dimension",
	} {
		text := "void f(int T, int n, double a[n][n], double b[n][n]) {\n#pragma scop\nfor (int t = 0; t < T; t++) {" + loops + "}\n#pragma endscop\n}\n"
		res, err := frontend.Parse(frontend.Source{Name: "a.c", Text: []byte(text)}, frontend.Options{NoAlias: true})
		require.NoError(t, err, loops)
		deps, err := Dependences(res.Programs[0])
		require.NoError(t, err)
		_, err = Columns(res.Programs[0], deps)
		require.ErrorContains(t, err, why, loops)
	}
	deps, c := columnsOf(t, program("N K", nest{"t k i", "t = 0 and 1 <= k < K and 1 <= i < N", "p[k][i] = a[k][i] p[k-1][i]"}))
	_, err := Overlapped(c, deps, Sizes{H: 1, W: []int64{64, 8}})
	require.ErrorContains(t, err, "nobody knows how long")
	c, deps = solver(t)
	for w := range int64(6) {
		_, err = Overlapped(c, deps, Sizes{H: 1, W: []int64{w, 4, 4}})
		require.Error(t, err, fmt.Sprint(w))
	}
}

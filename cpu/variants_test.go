package cpu_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// edges are stencils whose statements have parts at edges: nests are the statements of each that are run together.
var edges = []struct {
	name, text string
	nests      []int
}{
	{"torus", `void f(int T, int n, int m, double A[restrict 2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        A[(t + 1) % 2][i][j] = A[t % 2][(i + 1) % n][j] + A[t % 2][(i + n - 1) % n][j] + A[t % 2][i][(j + 1) % m] + A[t % 2][i][(j + m - 1) % m];
#pragma endscop
}
`, []int{8, 6, 1, 1}},
	{"walls", `void f(int T, int n, int m, double A[restrict 2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++) {
        double c = A[t % 2][i][j];
        double up = i > 0 ? A[t % 2][i - 1][j] : c, down = i < n - 1 ? A[t % 2][i + 1][j] : c;
        double left = j > 0 ? A[t % 2][i][j - 1] : c, right = j < m - 1 ? A[t % 2][i][j + 1] : c;
        A[(t + 1) % 2][i][j] = c + 0.1 * (up + down + left + right - 4 * c);
      }
#pragma endscop
}
`, []int{1, 12, 3}},
	{"inside only", `void f(int T, int n, int m, double A[restrict 2][n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = A[t % 2][i + 1][j] + A[t % 2][i - 1][j];
#pragma endscop
}
`, []int{1}},
}

// TestNests checks that each step is in one nest, that steps which differ in bounds and distances share one, and that a nest runs what its steps are: the same points, whichever way its
// loops count, and a body that, with the accesses of a step in it, stores the same elements, and reads all that the step reads.
func TestNests(t *testing.T) {
	for _, c := range edges {
		x := pipeline.Folded(t, "edges", c.text)
		h := schedule.LegalH(x.Space.K)[1]
		loops, err := astgen.Roll(x.Schedule(t, schedule.Sizes{H: h, W: []int64{schedule.MinW0(x.Cone, h), 32}}))
		require.NoError(t, err, c.name)
		for _, ph := range cpu.Make(loops).Phases {
			for _, tile := range tiles(ph.Body) {
				var all, sizes []int
				for _, numbers := range tile.Nests {
					all, sizes = append(all, numbers...), append(sizes, len(numbers))
					if len(numbers) > 1 {
						checkNest(t, c.name, tile, numbers)
					}
				}
				slices.Sort(all)
				require.Len(t, all, len(tile.Steps), c.name)
				require.Len(t, slices.Compact(all), len(tile.Steps), c.name)
				require.Equal(t, c.nests, sizes, c.name)
			}
		}
	}
}

func checkNest(t *testing.T, name string, tile cpu.Tile, numbers []int) {
	n := tile.Nest(numbers)
	require.NotNil(t, n, name)
	for k, i := range numbers {
		s := tile.Steps[i]
		require.Same(t, s.Stmt, n.Steps[k].Stmt, name)
		for d, l := range s.Loops { // the same places, perhaps backwards
			turned := n.Steps[k].Loops[d]
			if affine.Same(l.Lo, turned.Lo) && affine.Same(l.Hi, turned.Hi) {
				continue
			}
			require.True(t, affine.Same(affine.Negative(l.Lo), turned.Hi) && affine.Same(affine.Negative(l.Hi), turned.Lo), "%s, %s", name, s.Stmt.Name)
		}
		require.Equal(t, stores(s.Stmt.Accesses, nil), stores(n.Lead.Stmt.Accesses, n.Like[k]), "%s, %s", name, s.Stmt.Name)
		for _, a := range s.Stmt.Accesses { // nothing is left out
			require.True(t, slices.ContainsFunc(n.Lead.Stmt.Accesses, func(b *scop.Access) bool { return n.Like[k][b] == a }), "%s, %s: %s", name, s.Stmt.Name, a.Text)
		}
	}
}

// stores returns what accesses store to, with those of like in their place.
func stores(accesses []*scop.Access, like map[*scop.Access]*scop.Access) string {
	var all []string
	for _, a := range accesses {
		if like != nil {
			a = like[a]
		}
		if a.Write {
			all = append(all, a.Text)
		}
	}
	return strings.Join(all, " ")
}

package mpi

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
)

// TestMPIShares shares out tiles by random weights, as the C does: each rank has as many as it needs at least, all together have all, and where weights are
// alike none has more than one more than another.
func TestMPIShares(t *testing.T) {
	l := theMPIs(t)[0]
	for _, grid := range []bool{false, true} {
		m, ok := newMPICase(t, hexcc.MPI, cases.Case{Name: "jacobi-2d", Text: cases.Input(t, "jacobi-2d")}, 0, func(o *hexcc.Options) {
			if grid {
				o.RankGrid = hexcc.AnyRankGrid
			}
		})
		require.True(t, ok)
		dir, name := t.TempDir(), m.res.C.MPI[0].Function
		for _, f := range m.res.C.Named("case0") {
			require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o666))
		}
		r := rand.New(rand.NewPCG(3, 5))
		var ask strings.Builder
		type share struct {
			size, least, all int
			even             bool
		}
		var shares []share
		for range 400 {
			s := share{size: 1 + r.IntN(9), least: 1, even: r.IntN(8) == 0}
			if grid {
				s.least = 1 + r.IntN(4)
			}
			s.all = s.size*s.least + r.IntN(3)*r.IntN(30)
			shares = append(shares, s)
			var weights []string
			for range s.size {
				weights = append(weights, []string{"0", "1", "0.01", "2.5", "1e9", fmt.Sprint(r.Float64())}[r.IntN(6)])
				if s.even {
					weights[len(weights)-1] = "3"
				}
			}
			weights[r.IntN(s.size)] = "3"
			fmt.Fprintf(&ask, "  { static const double w[] = {%s}; %s_weights = w; }\n", strings.Join(weights, ", "), name)
			between := ""
			if grid {
				between = fmt.Sprintf("1, 1, 1, %d, ", s.least)
			}
			fmt.Fprintf(&ask, "  for (int r = 0; r <= %d; r++)\n    printf(\"%%lld \", %[2]s_begin(r, %[1]d, %[3]s7, %[4]d));\n", s.size, name, between, 7+s.all-1)
		}
		main := fmt.Sprintf("#include \"case0.hex.c\"\nint main(void)\n{\n%s  return 0;\n}\n", ask.String())
		require.NoError(t, os.WriteFile(filepath.Join(dir, "main.c"), []byte(main), 0o666))
		tool.RunIn(t, dir, l.Compiler, "-O0", "-w", "main.c", "-lm", "-o", "main")
		said := strings.NewReader(tool.RunIn(t, dir, "./main"))
		for _, s := range shares {
			begin := make([]int, s.size+1)
			for i := range begin {
				_, err := fmt.Fscan(said, &begin[i])
				require.NoError(t, err)
			}
			require.Equal(t, []int{7, 7 + s.all}, []int{begin[0], begin[s.size]})
			for i := range s.size {
				has := begin[i+1] - begin[i]
				require.GreaterOrEqual(t, has, s.least, "%+v: %v", s, begin)
				if s.even {
					require.LessOrEqual(t, has, s.all/s.size+1, "%+v: %v", s, begin)
				}
			}
		}
	}
}

// TestMPIDisagree passes ranks different numbers, grids and weights: all of them fail, with one message.
func TestMPIDisagree(t *testing.T) {
	const text = `void relax(int T, int n, int m, double a[restrict n][m], double b[restrict n][m])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        a[i][j] = b[i][j];
  }
#pragma endscop
}
`
	const main = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "relax.hex.h"
static const double uneven[] = {1, 2}, even[] = {1, 1}, none[] = {0, 0}, below[] = {1, -1};
int main(int argc, char **argv)
{
  int level, rank, what = atoi(argv[argc - 1]), failed;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double *a = calloc(900 * 900, 8), *b = calloc(900 * 900, 8), *whole = calloc(900 * 900, 8);
  int T = 9 + (what == 1) * rank, n = 800, m = 500 - (what == 2) * rank;
  if (what >= 3 && what <= 6)
    relax_mpi_weights = what == 5 ? none : what == 6 ? below : rank == 0 ? even : what == 3 ? uneven : 0;
  if (what == 7)
    relax_mpi_grid[0] = relax_mpi_grid[1] = rank;
  failed = relax_mpi(MPI_COMM_WORLD, T, n, m, a, b);
  failed += 2 * relax_mpi_scatter(MPI_COMM_WORLD, T, n, m, relax_mpi_a, whole, a);
  failed += 4 * relax_mpi_write(MPI_COMM_WORLD, T, n, m, relax_mpi_a, "out", 0, a);
  if (rank == 1)
    printf("failed %d\n", failed);
  MPI_Finalize();
  return 0;
}
`
	l, dir := theMPIs(t)[0], t.TempDir()
	res, err := hexcc.Compile(hexcc.Source{Name: "relax.c", Text: []byte(text)}, hexcc.Options{Target: hexcc.MPI, Base: "relax", RankGrid: hexcc.AnyRankGrid})
	require.NoError(t, err)
	for _, f := range res.C.Named("relax") {
		require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o666))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.c"), []byte(main), 0o666))
	tool.RunIn(t, dir, l.Compiler, "-O1", "-fopenmp", "-Wall", "-Wextra", "-Werror", "main.c", "relax.hex.c", "-lm", "-o", "main")
	for what, says := range []string{"", "ranks have different T", "ranks have different m", "ranks have different relax_mpi_weights", "ranks have different relax_mpi_weights", "all weights are 0",
		"the weight of rank 1 is -1: weights are numbers from 0 to 1e100", "ranks have different relax_mpi_grid[0]"} {
		said := onRanks(t, l, dir, 2, nil, "./main", fmt.Sprint(what))
		if says == "" {
			require.Equal(t, "failed 0\n", said)
			continue
		}
		require.Contains(t, said, "failed 7\n")
		require.Equal(t, 3, strings.Count(said, "relax_mpi: error: "+says+"\n"), said)
	}
}

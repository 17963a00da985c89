package mpi

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/tool"
)

// This file passes one array for two to functions of regions, on all ranks or on one of them.

// overlapping has a region that is tiled, or a loop that ranks run.
const overlapping = `
#include <math.h>
void k(int n, int m, int steps, double A[n][m], double B[n][m], const double C[n][m], const double D[n][m])
{
  double e = 1;
#pragma scop
  LOOP {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        B[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]) + C[i][j] - D[i][j];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[i][j] = B[i][j];
    END
  }
#pragma endscop
}
`

// overlappingMain passes what an argument says: 0, arrays apart from each other; 1, arrays that are only read and overlap; 2, one for two; 3, one for two on the last rank; 4, the end of one for the
// beginning of another one; 5, nothing on one rank.
const overlappingMain = `
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include "k.hex.h"
int main(int argc, char **argv)
{
  const int n = 400, m = 90, steps = 20, how = (MPI_Init(&argc, &argv), atoi(argv[1]));
  int rank, size;
  double e = 1, *of[4];
  hexcc_mpi_part p;
  (void)e, (void)steps;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int k = 0; k < 4; k++) {
    k_mpi_part(MPI_COMM_WORLD, n, m, SIZES k, &p);
    of[k] = (double *)calloc(2, p.bytes);
  }
  double *B = how == 2 || (how == 3 && rank == size - 1) ? of[0] : of[1];
  double *C = how == 4 ? of[1] + p.bytes / 8 - 1 : of[2], *D = how == 1 ? of[2] : how == 5 && rank == 1 ? 0 : of[3];
  const int failed = k_mpi(MPI_COMM_WORLD, n, m, SIZES of[0], B, C, D MORE);
  printf("returned %d\n", failed);
  return MPI_Finalize();
}
`

// TestMPIOverlap has ranks refuse, all of them and with one message, arrays that overlap and of which one is written.
func TestMPIOverlap(t *testing.T) {
	tool.CXX(t)
	for i, l := range theMPIsByTurns(t) {
		for _, c := range []struct {
			name, loop, end, more, sizes string
			target                       hexcc.Target
		}{
			{"tiles", "for (int t = 0; t < steps; t++)", "", "", "steps, ", hexcc.MPI},
			{"a loop that ranks run", "while (e > 1e-9)", "e = 0; for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) e = fmax(e, fabs(A[i][j] - B[i][j]));", ", &e", "", hexcc.MPI},
			{"kernels", "for (int t = 0; t < steps; t++)", "", "", "steps, ", hexcc.MPICUDA},
		} {
			if i > 0 && c.more == "" {
				continue
			}
			t.Run(c.name, func(t *testing.T) {
				dir := t.TempDir()
				text := strings.NewReplacer("LOOP", c.loop, "END", c.end).Replace(overlapping)
				res, err := hexcc.Compile(hexcc.Source{Name: "k.c", Text: []byte(text)}, hexcc.Options{Base: "k", Target: c.target})
				require.NoError(t, err)
				source, compiler := "k.hex.c", []string{l.Compiler, "-O1", "-Wno-unknown-pragmas"}
				files := res.C.Named
				if c.target == hexcc.MPICUDA {
					files, source = res.MPICUDA.Named, cuda.MPIFile("k")
					compiler = slices.Concat([]string{"g++", "-std=c++17", "-O0", "-I.", "-Wno-unknown-pragmas"}, mpiIncludes(t, l))
					require.NoError(t, os.WriteFile(filepath.Join(dir, "cuda_runtime.h"), []byte(cuda.Shim), 0o666))
				}
				for _, f := range files("k") {
					require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o666))
				}
				require.NoError(t, os.WriteFile(filepath.Join(dir, "main.c"), []byte(strings.NewReplacer("MORE", c.more, "SIZES ", c.sizes).Replace(overlappingMain)), 0o666))
				tool.RunIn(t, dir, compiler[0], append(compiler[1:], "-Wall", "-Wextra", "-x", map[bool]string{true: "c++", false: "c"}[c.target == hexcc.MPICUDA], "-c", source, "-o", "k.o")...)
				tool.RunIn(t, dir, l.Compiler, "-O1", "main.c", "k.o", "-lm", "-lstdc++", "-o", "main")
				for how, wrong := range []string{"", "", "'A' and 'B' overlap on a rank, and the tiles rely on two arrays", "'A' and 'B' overlap on a rank, and the tiles rely on two arrays", "'B' and 'C' overlap on a rank, and the tiles rely on two arrays", "a rank is passed NULL for its part of 'D'"} {
					said := onRanks(t, l, dir, 3, nil, "./main", string(rune('0'+how)))
					if wrong == "" {
						require.Equal(t, 3, strings.Count(said, "returned 0"), said)
						continue
					}
					require.Equal(t, 3, strings.Count(said, "returned 1"), said)
					require.Equal(t, 1, strings.Count(said, "k_mpi: error: "+wrong+"\n"), said)
				}
			})
		}
	}
}

package mpi

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/schedule"
)

// This file runs programs of the gallery, and of testdata, whose regions are loops that ranks run: all ranks do what the program does, and have parts of its arrays where the region stands.

// wholePrograms are those, with arguments, macros, and what stands in place of the region.
var wholePrograms = []struct {
	name, region  string
	args, defines []string
	tile          *schedule.Sizes
}{
	{name: "advection-diffusion", args: []string{"45", "60"}, region: `
    double *mine[] = {OWN(main_mpi, u, ny, nx, main_mpi_u), OWN(main_mpi, c, ny, nx, main_mpi_c), OWN(main_mpi, v, ny, nx, main_mpi_v), OWN(main_mpi, cnew, ny, nx, main_mpi_cnew)};
    DO(main_mpi(MPI_COMM_WORLD, nt, ny, nx, mine[0], &mine[1], mine[2], &mine[3], dt, h, K, lambda, steps_per_hour, (double *)stacks));
    BACK(main_mpi, mine[1], c, ny, nx, main_mpi_c);
`},
	{name: "cavity", defines: []string{"N=61", "T=7"}, region: `
    double *mine[] = {OWN(main_mpi, u, main_mpi_u), OWN(main_mpi, v, main_mpi_v), OWN(main_mpi, b, main_mpi_b), OWN(main_mpi, pn, main_mpi_pn), OWN(main_mpi, p, main_mpi_p), OWN(main_mpi, un, main_mpi_un), OWN(main_mpi, vn, main_mpi_vn)};
    DO(main_mpi(MPI_COMM_WORLD, mine[0], mine[1], mine[2], dt, mine[3], mine[4], mine[5], mine[6]));
    BACK(main_mpi, mine[0], u, main_mpi_u), BACK(main_mpi, mine[1], v, main_mpi_v), BACK(main_mpi, mine[4], p, main_mpi_p);
`},
	{name: "euler-2d", args: []string{"45", "33"}, region: `
    double *mine = OWN(main_mpi, q, n, main_mpi_q), *other = OWN(main_mpi, qnew, n, main_mpi_qnew);
    DO(main_mpi(MPI_COMM_WORLD, steps, n, &mine, dx, &other, &time));
    BACK(main_mpi, mine, q, n, main_mpi_q);
`},
	{name: "gauss-seidel", args: []string{"131", "300"}, region: `
    double *mine = OWN(gauss_seidel_mpi, w, nx, ny, gauss_seidel_mpi_w), *load = OWN(gauss_seidel_mpi, b, nx, ny, gauss_seidel_mpi_b);
    DO(gauss_seidel_mpi(MPI_COMM_WORLD, mine, load, nx, ny, maxsweeps, &dmax, &sweep));
    BACK(gauss_seidel_mpi, mine, w, nx, ny, gauss_seidel_mpi_w);
`},
	{name: "jacobi-check-every", args: []string{"1200", "103"}, region: `
    double *mine = OWN(relax_mpi, u, ny, nx, relax_mpi_u), *other = OWN(relax_mpi, unew, ny, nx, relax_mpi_unew);
    DO(relax_mpi(MPI_COMM_WORLD, &mine, &other, ny, nx, tol, maxiter, &diff, &iter));
    BACK(relax_mpi, mine, u, ny, nx, relax_mpi_u);
`},
	{name: "jacobi-convergence", args: []string{"50", "61"}, region: `
    double *mine = OWN(solve_mpi, A, n, solve_mpi_A), *other = OWN(solve_mpi, Anew, n, solve_mpi_Anew);
    DO(solve_mpi(MPI_COMM_WORLD, n, mine, other, tol, iter_max, &err, &iter));
    BACK(solve_mpi, mine, A, n, solve_mpi_A);
`},
	{name: "sources", args: []string{"40", "9", "12", "2"}, region: `
    double *mine[] = {OWN(main_mpi, a, n, m, main_mpi_a), OWN(main_mpi, b, n, m, main_mpi_b)};
    DO(main_mpi(MPI_COMM_WORLD, steps, hour, n, m, mine[1], mine[0], (float *)s));
    BACK(main_mpi, mine[0], a, n, m, main_mpi_a);
`},
	{name: "lbm-d2q9", args: []string{"90", "22"}, tile: &schedule.Sizes{H: 1, W: []int64{4, 32}}, region: `
    double *mine = OWN(main_mpi, f, ny, steps, nx, main_mpi_f), *other = OWN(main_mpi, fnew, ny, steps, nx, main_mpi_f);
    unsigned char *walls = OWN(main_mpi, solid, ny, steps, nx, main_mpi_solid);
    DO(main_mpi(MPI_COMM_WORLD, ny, steps, nx, w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], mine, other, walls));
    BACK(main_mpi, mine, f, ny, steps, nx, main_mpi_f);
`},
}

// wholeHead stands in front of such a program. Rank 0 prints.
const wholeHead = `
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "HEADER"
static void finish(void) { MPI_Finalize(); }
static void start(int *argc, char ***argv)
{
  int level, rank;
  MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  atexit(finish);
  if (rank > 0 && !freopen("/dev/null", "w", stdout))
    exit(3);
}
#define OWN(f, whole, ...) ({ hexcc_mpi_part part; DO(f##_part(MPI_COMM_WORLD, __VA_ARGS__, &part)); void *own = memset(malloc(part.bytes + 1), 0xff, part.bytes); \
  DO(f##_scatter(MPI_COMM_WORLD, __VA_ARGS__, whole, own)); own; })
#define BACK(f, own, whole, ...) DO(f##_gather(MPI_COMM_WORLD, __VA_ARGS__, own, whole))
#define DO(x) ((x) ? exit(2) : (void)0)
#line 1
`

// TestMPIGallery runs them on ranks, and compares what they print, of all elements, with what the originals do.
func TestMPIGallery(t *testing.T) {
	libraries := theMPIs(t)
	for k, p := range wholePrograms {
		text, err := os.ReadFile(filepath.Join("testdata", p.name+".c"))
		if err != nil {
			text, err = os.ReadFile(cases.File(t, "examples/gallery/"+p.name+".c"))
		}
		require.NoError(t, err)
		res := translated(t, p.name+".c", string(text), hexcc.Options{Base: p.name, Defines: p.defines, Tile: p.tile})
		before, rest, found := strings.Cut(string(text), "#pragma scop\n")
		_, after, closed := strings.Cut(rest, "#pragma endscop\n")
		require.True(t, found && closed, p.name)
		open := strings.Index(before+"{"+p.region+"}"+after, "int main(")
		whole := before + "{" + p.region + "}\n" + after
		at := open + strings.Index(whole[open:], "{") + 1
		whole = strings.ReplaceAll(wholeHead, "HEADER", p.name+".hex.h") + whole[:at] + " start(&argc, &argv);" + whole[at:]
		dir := t.TempDir()
		files := map[string]string{"whole.c": whole, "original.c": string(text)}
		for _, f := range res.C.Named(p.name) {
			files[f.Name] = f.Text
		}
		for name, text := range files {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
		}
		flags := []string{"-O1", "-w", "-ffp-contract=off"}
		for _, d := range p.defines {
			flags = append(flags, "-D"+d)
		}
		tool.RunIn(t, dir, "gcc", append(flags, "original.c", "-o", "original", "-lm")...)
		want := tool.RunIn(t, dir, "./original", p.args...)
		counts := []int{3}
		if cases.Whole() {
			counts = cases.Turn([]int{2, 3, 4, 1, 7}, k)
		}
		for i, l := range cases.Turn(libraries, k) {
			program := "ranks" + string(rune('0'+i))
			tool.RunIn(t, dir, l.Compiler, append(flags, "-fopenmp", "whole.c", p.name+".hex.c", "-o", program, "-lm")...)
			for _, count := range counts {
				require.Equal(t, want, onRanks(t, l, dir, count, nil, append([]string{"./" + program}, p.args...)...), "%s on %d ranks", p.name, count)
			}
		}
	}
}

package mpi

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/mpirun"
	"github.com/hexcc/hexcc/schedule"
)

// This file is about conditions on data that keep elements inside of arrays: ranks test them, each the points that it owns.

// wallsProgram makes a program of testdata/walls.c and room.c, whose text change makes, and returns what runs it on ranks, for so many seconds at most, with n, m, T and the rows and columns of ranks.
func wallsProgram(t *testing.T, l mpirun.Library, change func(string) string) func(seconds string, ranks int, env string, args ...string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata")))
	text, err := os.ReadFile("testdata/room.c")
	require.NoError(t, err)
	res := translated(t, "room.c", string(text), hexcc.Options{Base: "room", Tile: &schedule.Sizes{H: 1, W: []int64{2, 8}}, RankGrid: hexcc.GridOfRanks})
	for _, f := range res.C.Named("room") {
		require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), []byte(change(f.Text)), 0o666))
	}
	tool.RunIn(t, dir, "gcc", "-c", "-O1", "-ffp-contract=off", "-Wno-unknown-pragmas", "room.c")
	tool.RunIn(t, dir, l.Compiler, "-O1", "-fopenmp", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "walls.c", "room.hex.c", "room.o", "-lm", "-o", "walls")
	return func(seconds string, ranks int, env string, args ...string) (string, error) {
		cmd := exec.Command("timeout", append([]string{seconds, l.Starter, "-n", fmt.Sprint(ranks), "./walls"}, args...)...)
		cmd.Dir, cmd.Env = dir, slices.Concat(os.Environ(), mpirun.Environment(), []string{"OMP_NUM_THREADS=1", env})
		var out, message strings.Builder // one by one: what starts ranks passes on both in pieces
		cmd.Stdout, cmd.Stderr = &out, &message
		err := cmd.Run()
		return message.String() + out.String(), err
	}
}

// TestMPIWalls runs a room with walls around it on ranks, in rows and in grids, and makes a hole at each place of them: all ranks return, and one says why.
func TestMPIWalls(t *testing.T) {
	for i, l := range theMPIsByTurns(t) {
		run := wallsProgram(t, l, asIs)
		for _, args := range [][]string{{"28 29 5 1 1", "52 29 5 3 1", "28 61 4 2 2", "28 29 0 2 1"}, {"28 61 3 1 2", "2 9 3 2 1", "2 2 3 1 1"}}[i] {
			x := strings.Fields(args)
			rows, _ := strconv.Atoi(x[3])
			columns, _ := strconv.Atoi(x[4])
			said, err := run("60", rows*columns, "", x...)
			require.NoError(t, err, "%s\n%s", args, said)
			const why = "room_mpi: error: the loops rely on 'solid[i * m + j] != kind' where they would reach beyond arrays\n"
			messages := strings.Count(said, why)
			if x[2] == "0" {
				require.Zero(t, messages) // no step: nothing is relied on
				continue
			}
			require.NotZero(t, messages)
			require.Equal(t, fmt.Sprintf("%d holes\n", messages), strings.ReplaceAll(said, why, ""), "one message for each, not one by rank: %s", args)
		}
	}
}

// TestMPIWallsMutants breaks the test of walls: a hole has to stay unseen, or ranks wait for others for ever. All are in one program, and the environment says which of them it is.
func TestMPIWallsMutants(t *testing.T) {
	mutants := []struct{ name, old, new string }{
		{"none", "int hexcc_wrongly = 0;", "int hexcc_wrongly = 0;"},
		{"a rank that does not test", "if (hexcc_owns(", "if (!(MUTANT && hexcc_r.rank == 1) && hexcc_owns("},
		{"the last row of a rank, which nobody tests", "x < p->own_first[d] + p->own_count[d])", "x < p->own_first[d] + p->own_count[d] - MUTANT)"},
		{"a column that nobody tests", "if (hexcc_at2 - m + 2 >= 0)", "if (hexcc_at2 - m + 2 >= MUTANT)"},
		{"ranks that know of their own holes only", "hexcc_wrongly = hexcc_any(hexcc_comm, hexcc_wrongly);\n    static const char *const hexcc_wrongs[] = {\"no memory\"", "if (!MUTANT)\n      hexcc_wrongly = hexcc_any(hexcc_comm, hexcc_wrongly);\n    static const char *const hexcc_wrongs[] = {\"no memory\""},
		{"another element than that of the point", "(hexcc_at1 - hexcc_p1.first[0])", "(hexcc_at1 - !MUTANT * hexcc_p1.first[0])"},
	}
	run := wallsProgram(t, theMPIs(t)[0], func(text string) string {
		if !strings.Contains(text, "room_mpi_run") {
			return text // the header
		}
		for i, m := range mutants {
			require.Contains(t, text, m.old, m.name)
			text = strings.ReplaceAll(text, m.old, strings.ReplaceAll(m.new, "MUTANT", fmt.Sprintf("(*getenv(\"MUTANT\") == 'a' + %d)", i)))
		}
		return "#include <stdlib.h>\n" + text
	})
	for i, m := range mutants {
		seconds := "60"
		if i > 0 {
			seconds = "5" // ranks may wait for ever
		}
		said, err := run(seconds, 3, "MUTANT="+string(rune('a'+i)), "28", "9", "2", "3", "1")
		require.Equal(t, i > 0, err != nil, "%s: %s", m.name, said)
	}
}

// wallsOnDevice stands for the function of the room: it has walls of the device where the environment says so.
const wallsOnDevice = `
extern "C" int case0_mpi(MPI_Comm comm, int T, int n, int m, double *a, double *b, const int *solid, int kind)
{
  hexcc_mpi_part p;
  int *walls;
  if (!getenv("WALLS_ON_DEVICE") || case0_mpi_part(comm, T, n, m, case0_mpi_solid, &p))
    return on_host(comm, T, n, m, a, b, solid, kind);
  cudaMalloc(&walls, p.bytes);
  cudaMemcpy(walls, solid, p.bytes, cudaMemcpyHostToDevice);
  const int wrong = on_host(comm, T, n, m, a, b, walls, kind);
  cudaFree(walls);
  return wrong;
}
`

// TestMPICUDAWalls does so with kernels: with walls in memory of the host, and of the device.
func TestMPICUDAWalls(t *testing.T) {
	text, err := os.ReadFile("testdata/room.c")
	require.NoError(t, err)
	c, ok := newMPICase(t, hexcc.MPICUDA, cases.Case{Name: "room", Text: string(text)}, 0)
	require.True(t, ok)
	trials, of, want := trialsOf([]mpiCase{c})
	holes := trials[len(trials)-1].Before.Clone()
	for i, a := range c.res.Scop.Arrays {
		if a.Name == "solid" {
			cells := holes.Arrays[i].Cells
			cells[len(cells)-1]++ // of the last rank
		}
	}
	prog := compileMPICUDA(t, theMPIs(t)[0], []mpiCase{c}, func(text string) string {
		const before = `extern "C" int case0_mpi(`
		require.Contains(t, text, before)
		return "#include <stdlib.h>\n" + strings.Replace(text, before, "static int on_host(", 1) + wallsOnDevice
	})
	for _, where := range []string{"WALLS_ON_DEVICE=1", "WALLS=1"} {
		results, err := prog.Run(context.Background(), 3, append(slices.Clone(trials), mpirun.Trial{Before: holes}), where, "HEXCC_MPI_CUDA=0", "HEXCC_ALARM=60")
		require.NoError(t, err)
		sameOnRanks(t, []mpiCase{c}, of, trials, want, results[:len(trials)], inRow(3))
		require.Equal(t, 2, results[len(trials)].Failed, where)
	}
}

package mpi

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/mpirun"
	"github.com/hexcc/hexcc/schedule"
)

// This file calls the functions of regions on ranks as users do: from programs of their own, in C.

// onRanks runs a program on ranks of this machine, more of them than processors, and returns what it says.
func onRanks(t *testing.T, l mpirun.Library, dir string, ranks int, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command(l.Starter, append([]string{"-n", fmt.Sprint(ranks)}, args...)...)
	cmd.Dir = dir
	cmd.Env = slices.Concat(os.Environ(), mpirun.Environment(), []string{"OMP_NUM_THREADS=1"}, env)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%v\n%s", cmd.Args, out)
	return string(out)
}

// sanitizers find what is read or written beside arrays, and arithmetic that has no result.
var sanitizers = []string{"-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"}

// userProgram makes a program of testdata/user.c and a region of a file beside it.
func userProgram(t *testing.T, l mpirun.Library, region string, change func(string) string, flags ...string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata")))
	text, err := os.ReadFile(filepath.Join(dir, region+".c"))
	require.NoError(t, err)
	sizes := schedule.Sizes{H: 3, W: []int64{4, 64}}
	res, err := hexcc.Compile(hexcc.Source{Name: region + ".c", Text: text}, hexcc.Options{Target: hexcc.MPI, Base: region, NoAlias: true, Tile: &sizes})
	require.NoError(t, err)
	for _, f := range res.C.Named(region) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), []byte(change(f.Text)), 0o666))
	}
	tool.RunIn(t, dir, "gcc", "-c", "-O1", "-ffp-contract=off", "-Wno-unknown-pragmas", region+".c")
	args := append([]string{"-O1", "-fopenmp", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-DREGION=" + region, "-D" + strings.ToUpper(region), fmt.Sprintf("-DHEADER=%q", region+".hex.h")}, flags...)
	tool.RunIn(t, dir, l.Compiler, append(args, "user.c", region+".hex.c", region+".o", "-lm", "-o", "user")...)
	return dir
}

// TestMPIUser lets a program share out arrays, read and write them by MPI-IO, scatter and gather them, weigh ranks, and make mistakes.
func TestMPIUser(t *testing.T) {
	for i, l := range theMPIsByTurns(t) {
		for _, region := range []string{"plate", "ring"} {
			dir := userProgram(t, l, region, asIs)
			for _, ranks := range []int{1, 2, 3} {
				if ranks == 1 && i > 0 {
					continue
				}
				said := onRanks(t, l, dir, ranks, nil, "./user", ".", "67", "21", "13")
				require.Contains(t, said, region+"_mpi_read: error: cannot read the whole array from ./missing/in")
				require.Equal(t, 3, strings.Count(said, "error: "), "one message for each mistake, not one by rank:\n%s", said)
			}
			require.Regexp(t, region+`_mpi: error: 5 ranks are too many for arrays of this size: at most \d+ ha(s|ve) a tile each`,
				onRanks(t, l, dir, 5, nil, "./user", ".", "9", "21", "13"))
		}
	}
}

// TestMPIUserMutants breaks the functions for users: the program has to say so.
func TestMPIUserMutants(t *testing.T) {
	l := theMPIs(t)[1]
	for _, m := range []struct{ name, old, new string }{
		{"a file from its first byte on", "MPI_File_set_view(file, at,", "MPI_File_set_view(file, 0 * at,"},
		{"a file that is too short", "if (!writes && (", "if (0 && ("},
		{"no weights", "rank >= size || !plate_mpi_weights)", "rank >= size || 1)"},
		{"gathered from one's first row", "at[d] = first[d] - (in_part ? p->first[d] : 0)", "at[d] = in_part ? 0 : first[d]"},
	} {
		found := false
		dir := userProgram(t, l, "plate", func(text string) string {
			found = found || strings.Contains(text, m.old)
			return strings.Replace(text, m.old, m.new, 1)
		}, "-Wno-error")
		require.True(t, found, m.name)
		cmd := exec.Command(l.Starter, "-n", "2", "./user", ".", "67", "21", "13")
		cmd.Dir, cmd.Env = dir, slices.Concat(os.Environ(), mpirun.Environment(), []string{"OMP_NUM_THREADS=1"})
		out, err := cmd.CombinedOutput()
		require.Error(t, err, m.name)
		require.Contains(t, string(out), "rank ", m.name)
	}
}

// TestMPISanitized runs the program under AddressSanitizer and UndefinedBehaviorSanitizer on ranks. What an MPI itself leaves is its own.
func TestMPISanitized(t *testing.T) {
	for i, l := range theMPIsByTurns(t) {
		region := []string{"plate", "ring"}[i]
		dir := userProgram(t, l, region, asIs, sanitizers...)
		require.NoError(t, os.WriteFile(filepath.Join(dir, "leaks"), []byte("leak:libmpi\nleak:libopen-\nleak:libhwloc\nleak:libpmix\nleak:mca_\nleak:libfabric\nleak:libuc\n"), 0o666))
		onRanks(t, l, dir, 3, []string{"ASAN_OPTIONS=detect_leaks=1:leak_check_at_exit=0", "LSAN_OPTIONS=fast_unwind_on_malloc=0:suppressions=" + filepath.Join(dir, "leaks")}, "./user", ".", "67", "21", "13")
	}
}

// TestMPIExample builds examples/heat-mpi by its CMakeLists.txt, and with kernels, which run on the CPU, and compares the file that ranks write, and the image, with what a plain program leaves.
func TestMPIExample(t *testing.T) {
	libraries, cmake, dir := theMPIs(t), tool.CMake(t), t.TempDir()
	binary := tool.Hexcc(t, "../..")
	example, err := filepath.Abs("../../examples/heat-mpi")
	require.NoError(t, err)
	tool.Quiet(t, "gcc", "-O1", "-ffp-contract=off", "-Wno-unknown-pragmas", "testdata/plain.c", filepath.Join(example, "heat.c"), "-o", filepath.Join(dir, "plain"))
	tool.RunIn(t, dir, "./plain", "181", "83", "121")
	want, err := os.ReadFile(filepath.Join(dir, "plate.raw"))
	require.NoError(t, err)
	kernels := filepath.Join(dir, "examples", "kernels")
	require.NoError(t, os.CopyFS(kernels, os.DirFS(example)))
	for path, change := range map[string][]string{"CMakeLists.txt": {"TARGET mpi)", "TARGET mpi+cuda)", "project(heat C)", "project(heat C CXX)"}, "../Hexcc.cmake": nil} {
		text, err := os.ReadFile(filepath.Join(example, path))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(kernels, path), []byte(strings.NewReplacer(change...).Replace(string(text))), 0o666))
	}
	for i, l := range append(libraries, libraries[0]) {
		build, run, from := filepath.Join(dir, fmt.Sprint("build", i)), t.TempDir(), example
		if i == 2 {
			from = kernels
		}
		tool.Run(t, cmake, "-S", from, "-B", build, "-DHEXCC="+binary, "-DHEXCC_SHIM=ON", "-DMPI_C_COMPILER="+l.Compiler)
		tool.Run(t, cmake, "--build", build)
		onRanks(t, l, run, i+1, nil, filepath.Join(build, "heat"), "181", "83", "121")
		got, err := os.ReadFile(filepath.Join(run, "plate.raw"))
		require.NoError(t, err)
		require.Equal(t, want, got, "%v", l)
		image, err := os.ReadFile(filepath.Join(run, "plate.pgm"))
		require.NoError(t, err)
		head := "P5\n83 181\n255\n"
		require.Equal(t, head, string(image[:len(head)]))
		require.Len(t, image, len(head)+181*83)
	}
}

package mpi

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/nvcc"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/internal/whole"
	"github.com/hexcc/hexcc/mpirun"
)

// This file runs kernels on the simulated GPUs of several ranks: CUDA C++ compiled by g++ with the header of hexcc shim, whose streams have what is put into
// them run late, in any order that events allow.

// heatPlanes has a dimension in front of the one that ranks share out, so that planes lie apart what a rank has of them, of each array another number of rows.
const heatPlanes = `
void heat(int n, int m, int steps, float A[2][n][m], float W[3][n][m])
{
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 2; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = 0.25f * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1]) + W[1][i - 2][j] * W[0][i][j] + W[2][i][j];
#pragma endscop
}
`

// onDevice stands for the function of heatPlanes: it has arrays of the device, which it writes to a file, and reads from there.
const onDevice = `
extern "C" int case0_mpi(MPI_Comm comm, int n, int m, int steps, float *A, const float *W)
{
  hexcc_mpi_part p;
  float *a, *w;
  if (case0_mpi_part(comm, n, m, steps, 0, &p))
    return 1;
  const size_t bytes = p.bytes;
  case0_mpi_part(comm, n, m, steps, 1, &p);
  cudaMalloc(&a, bytes);
  cudaMalloc(&w, p.bytes);
  cudaMemcpy(a, A, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(w, W, p.bytes, cudaMemcpyHostToDevice);
  int wrong = case0_mpi_write(comm, n, m, steps, 0, "whole", 8, a);
  cudaMemsetAsync(a, 0xff, bytes);
  wrong |= case0_mpi_read(comm, n, m, steps, 0, "whole", 8, a);
  wrong |= on_host(comm, n, m, steps, a, w);
  cudaMemcpy(A, a, bytes, cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(w);
  return wrong;
}
`

// mpicudaCases are translations for the GPUs of several machines.
func mpicudaCases(t *testing.T, names ...string) (all []mpiCase) {
	for _, name := range names {
		text := heatPlanes
		switch name {
		case "planes":
		case "planes of numbers":
			text = strings.ReplaceAll(text, "[n][m]", "[120][130]")
		case "cells-in-one-array":
			text = mpiTexts[slices.IndexFunc(mpiTexts, func(c cases.Case) bool { return c.Name == name })].Text
		default:
			text = cases.Input(t, name)
		}
		c, ok := newMPICase(t, hexcc.MPICUDA, cases.Case{Name: name, Text: text}, len(all))
		require.True(t, ok, name)
		all = append(all, c)
	}
	return all
}

// mpiIncludes are the flags by which compilers find the header of a library.
func mpiIncludes(t *testing.T, l mpirun.Library) (flags []string) {
	out, err := exec.Command(l.Compiler, "-show").Output() // both libraries have it: gcc -I.. -L.. -lmpi
	require.NoError(t, err)
	for _, word := range strings.Fields(string(out)) {
		if strings.HasPrefix(word, "-I") {
			flags = append(flags, word)
		}
	}
	return flags
}

// compileMPICUDA compiles translations, whose text change makes, to one program for a CPU.
func compileMPICUDA(t *testing.T, l mpirun.Library, all []mpiCase, change func(string) string) *mpirun.Program {
	tool.CXX(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "cuda_runtime.h"), []byte(cuda.Shim), 0o666))
	include := mpiIncludes(t, l)
	var regions []mpirun.Region
	var headers, objects []string
	var wait sync.WaitGroup
	says := make([]string, len(all))
	for i, c := range all {
		base, call := fmt.Sprintf("case%d", i), c.res.MPICUDA.Calls[0]
		name := base + "_mpi"
		for _, f := range c.res.MPICUDA.Named(base) {
			text := strings.ReplaceAll(f.Text, call.Function, name)
			if strings.HasSuffix(f.Name, ".cu") {
				text = change(text)
			}
			require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), []byte(text), 0o666))
		}
		headers, objects = append(headers, base+".hex.h"), append(objects, base+".o")
		regions = append(regions, mpirun.Region{Program: c.res.Scop, Name: name, Args: call.Args})
		wait.Go(func() {
			args := slices.Concat([]string{"-std=c++17", "-O0", "-ffp-contract=off", "-U_FORTIFY_SOURCE", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-I."}, include)
			cmd := exec.Command("g++", append(args, "-x", "c++", "-c", cuda.MPIFile(base), "-o", base+".o")...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				says[i] = fmt.Sprintf("%v: %s", err, out)
			}
		})
	}
	wait.Wait()
	require.Empty(t, strings.Join(says, ""))
	prog, err := mpirun.Compile(l, dir, regions, headers, append(objects, "-lstdc++"), "-O0", "-w")
	require.NoError(t, err)
	return prog
}

// TestMPICUDA runs kernels on ranks, with messages from memory of the device and through that of the host, and counts what they send: what the plan says.
func TestMPICUDA(t *testing.T) {
	for i, l := range theMPIsByTurns(t) {
		all := mpicudaCases(t, [][]string{{"jacobi-1d", "fdtd-2d", "planes", "cells-in-one-array"}, {"planes of numbers"}}[i]...)
		trials, of, want := trialsOf(all)
		change := asIs
		if i == 1 {
			change = func(text string) string {
				const before = `extern "C" int case0_mpi(`
				require.True(t, strings.Contains(text, before))
				return strings.Replace(text, before, "static int on_host(", 1) + onDevice
			}
		}
		prog := compileMPICUDA(t, l, all, change)
		for _, ranks := range [][]int{{2, 4}, {3}}[i] {
			results, err := prog.Run(context.Background(), ranks, trials, fmt.Sprint("HEXCC_MPI_CUDA=", ranks%2), fmt.Sprint("SHIM_SEED=", ranks), "HEXCC_ALARM=60")
			require.NoError(t, err)
			ran := sameOnRanks(t, all, of, trials, want, results, inRow(ranks))
			t.Logf("%d programs, %d of %d trials on %d ranks", len(all), ran, len(results), ranks)
		}
	}
}

// TestMPICUDAMutants breaks the text: each mutant must leave something else, or nothing. Most take away what one stream, or the host, waits for. All are in one
// program, and the environment says which of them it is.
func TestMPICUDAMutants(t *testing.T) {
	l := theMPIs(t)[0]
	all := mpicudaCases(t, "jacobi-1d")
	trials, _, want := trialsOf(all)
	mutants := []struct{ name, old, new string }{
		{"none", "int before, direct;", "int before, direct;"},
		{"messages do not wait for the other tiles", "  HEXCC_GPU(cudaStreamWaitEvent(gpu->side, gpu->others, 0));\n", "  if (!MUTANT)\n    HEXCC_GPU(cudaStreamWaitEvent(gpu->side, gpu->others, 0));\n"},
		{"the host does not wait for what is packed", "  if (error == cudaErrorNotReady)\n    return 1;\n", "  if (error == cudaErrorNotReady)\n    return !MUTANT;\n"},
		{"one tile twice, another never", "gpu->side, hexcc_last, hexcc_last", "gpu->side, MUTANT ? hexcc_first : hexcc_last, MUTANT ? hexcc_first : hexcc_last"},
		{"what is received is not copied to the device", "if (m->bytes > 0 && m->buffer != m->packed)", "if (m->bytes > 0 && m->buffer != m->packed && !(MUTANT && in))"},
		{"what is packed is not copied to the host", "if (m->bytes > 0 && m->buffer != m->packed && !", "if (m->bytes > 0 && m->buffer != m->packed && !(MUTANT && !in) && !"},
		{"boxes begin one row late", "    from += lo[d] * stride;\n", "    from += (lo[d] + (MUTANT && d == 1)) * stride;\n"},
		{"pointers are those of the whole array", " - (uintptr_t)(hexcc_part.first[1]", " - (uintptr_t)(!MUTANT * hexcc_part.first[1]"},
		{"the first phase is not exchanged", "_unpack(gpu, &hexcc_r, 1, ", "_unpack(gpu, &hexcc_r, MUTANT ? 2 : 1, "},
	}
	prog := compileMPICUDA(t, l, all, func(text string) string {
		for i, m := range mutants {
			require.True(t, strings.Contains(text, m.old), m.name)
			text = strings.ReplaceAll(text, m.old, strings.ReplaceAll(m.new, "MUTANT", fmt.Sprintf("(*getenv(\"MUTANT\") == 'a' + %d)", i)))
		}
		return "#include <stdlib.h>\n" + text
	})
	for i, m := range mutants {
		results, err := prog.Run(context.Background(), 3, trials, "HEXCC_MPI_CUDA=0", "HEXCC_ALARM=20", "MUTANT="+string(rune('a'+i)))
		caught := err != nil
		for k, r := range results {
			caught = caught || r.Failed != 0 || want[k].Compare(r.After).Differ > 0
		}
		require.Equal(t, i > 0, caught, m.name)
	}
}

// TestMPICUDAFails has calls of CUDA fail on one rank of three: all return an error, and none waits for another one for ever.
func TestMPICUDAFails(t *testing.T) {
	l := theMPIs(t)[0]
	all := mpicudaCases(t, "jacobi-1d")
	trials, _, _ := trialsOf(all)
	prog := compileMPICUDA(t, l, all, func(text string) string {
		return "#include <stdlib.h>\nstatic int fails = getenv(\"OMPI_COMM_WORLD_RANK\")[0] == '1' || unsetenv(\"SHIM_FAIL\") + unsetenv(\"SHIM_NO_DEVICE\");\n" + text
	})
	for _, how := range []string{"SHIM_NO_DEVICE=1", "SHIM_FAIL=9", "SHIM_FAIL=16", "SHIM_FAIL=40", "SHIM_FAIL=90"} {
		results, err := prog.Run(context.Background(), 3, trials[len(trials)-1:], how, "HEXCC_ALARM=20")
		require.NoError(t, err, how)
		require.Equal(t, 2, results[0].Failed, how)
	}
}

// TestMPICUDACompiles has nvcc compile what is printed.
func TestMPICUDACompiles(t *testing.T) {
	path, err := nvcc.Find()
	if err != nil {
		tool.Missing(t, "%v", err)
	}
	c := mpicudaCases(t, "planes")[0]
	dir := whole.Write(t, c.res.MPICUDA.Named("case0")...)
	args := append([]string{"-arch=sm_80", "-Xptxas", "-O0", "-ccbin", "g++"}, mpiIncludes(t, theMPIs(t)[0])...)
	cmd := exec.Command(path, append(args, "-c", cuda.MPIFile("case0"), "-o", "case0.o")...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NotContains(t, string(out), "warning")
}

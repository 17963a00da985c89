package e2e_test

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/internal/randc"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/internal/whole"
)

// libraryNamed is a program of which what a region uses is called like functions that generated text calls, LOCALS
// in the function around the region too.
const libraryNamed = `#include <stdio.h>
void f(int f, int free, double memcpy[restrict free], double malloc[restrict free], float abort, int exit, long strcmp, double fprintf,
       double memset, unsigned main, int clock_gettime, int timespec, int snprintf, float strlen)
{
  LOCALS
#pragma scop
  for (int t = 0; t < f; t++) {
    for (int i = 1; i < free - 1; i++)
      malloc[i] = 0.25 * (memcpy[i - 1] + memcpy[i + 1]) + abort + exit + fprintf + memset + main + clock_gettime + timespec SUM;
    for (int i = 1; i < free - 1; i++)
      memcpy[i] = malloc[i] + strcmp + snprintf * strlen;
  }
#pragma endscop
}
static double a[100], b[100];
int main(void)
{
  for (int i = 0; i < 100; i++)
    a[i] = i % 7;
  f(3, 100, a, b, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2);
  for (int i = 0; i < 100; i++)
    printf("%g %g\n", a[i], b[i]);
}
`

// TestLibraryNames compiles and runs such a program by every target, and the program that compares.
func TestLibraryNames(t *testing.T) {
	tool.CXX(t)
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		tool.Missing(t, "no gcc: %v", err)
	}
	withLocals := strings.NewReplacer("LOCALS", "int printf = 3, calloc = 1, getenv = 4, fputs = 2; double omp_get_num_threads = 1, cudaMalloc = 2, timespec_get = 5;",
		"SUM", "+ printf + calloc + getenv + fputs + omp_get_num_threads + cudaMalloc + timespec_get").Replace(libraryNamed)
	without := strings.NewReplacer("LOCALS", "", "SUM", "").Replace(libraryNamed)
	for _, text := range []string{withLocals, without} {
		dir := tool.Write(t, map[string]string{"original.c": text})
		plain := filepath.Join(dir, "plain")
		tool.Run(t, gcc, "-w", "-ffp-contract=off", filepath.Join(dir, "original.c"), "-lm", "-o", plain)
		for _, target := range []hexcc.Target{hexcc.OpenMP, hexcc.CUDA, hexcc.OpenCL, hexcc.PTX} {
			require.Empty(t, tryNames(t, gcc, plain, randc.Named{Base: "p", Text: text}, target), target)
		}
	}
	res, err := hexcc.Compile(hexcc.Source{Name: "p.c", Text: []byte(without)}, hexcc.Options{Base: "p", Check: true})
	require.NoError(t, err)
	dir := whole.Write(t, append(res.Files.Named("p"), ctext.File{Name: ctext.CheckFile("p"), Text: res.Check})...)
	object, check := filepath.Join(dir, "kernel.o"), filepath.Join(dir, "check")
	tool.Run(t, "g++", "-w", "-ffp-contract=off", "-I", "../cuda/shim", "-I", dir, "-x", "c++", "-c", filepath.Join(dir, cuda.KernelFile("p")), "-o", object)
	tool.Run(t, gcc, "-w", "-ffp-contract=off", "-I", dir, filepath.Join(dir, ctext.CheckFile("p")), object, "-lstdc++", "-lm", "-o", check)
	require.Contains(t, tool.Run(t, check, "f=3", "free=50"), "elements equal")
}

// TestLibraryVariables refuses a program that compares where headers would declare a variable of the file otherwise.
func TestLibraryVariables(t *testing.T) {
	text := `static double free[300], A[300];
int steps = 5;
void f(void)
{
#pragma scop
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < 299; i++)
      free[i] = A[i - 1] + A[i + 1];
    for (int i = 1; i < 299; i++)
      A[i] = free[i];
  }
#pragma endscop
}
`
	_, err := hexcc.Compile(hexcc.Source{Name: "p.c", Text: []byte(text)}, hexcc.Options{})
	require.NoError(t, err)
	_, err = hexcc.Compile(hexcc.Source{Name: "p.c", Text: []byte(text)}, hexcc.Options{Check: true})
	var list diag.List
	require.True(t, errors.As(err, &list))
	require.Equal(t, diag.Code("HX310"), list[0].Code)
	require.Contains(t, list[0].Msg, "free is a variable of the file")
}

package kerneltext_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/opencl"
)

// TestInexact reads in the heads of kernel files which functions may give other last bits than a C library.
func TestInexact(t *testing.T) {
	const text = `#include <math.h>
void waves(int steps, int n, float A[2][n], double B[2][n]) {
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++) {
      A[(t + 1) % 2][i] = sqrtf(fabsf(A[t % 2][i])) + expf(A[t % 2][i - 1]) + fmaf(A[t % 2][i], 2.f, 1.f);
      B[(t + 1) % 2][i] = floor(B[t % 2][i + 1]) + sin(B[t % 2][i]) + fmod(B[t % 2][i], 2);
    }
#pragma endscop
}
`
	_, g := pipeline.Staged.Map(t, "waves", text)
	require.Equal(t, []string{"expf", "sin"}, kerneltext.Inexact(g))
	require.Contains(t, cuda.Print(g, cuda.Names{Base: "waves"}).Kernel, "\n// But the last bits of expf, sin are those of CUDA's library, and not of a C library.\n")
	require.Equal(t, []string{"expf", "sin"}, opencl.Kernels(kerneltext.Part{Program: g, Names: kerneltext.Names{Base: "waves"}}).Inexact)

	_, g = pipeline.Staged.Map(t, "roots", `#include <math.h>
void roots(int steps, int n, double A[2][n]) {
#pragma scop
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = sqrt(A[t % 2][i - 1]) * A[t % 2][i + 1];
#pragma endscop
}
`)
	require.Empty(t, kerneltext.Inexact(g))
	require.NotContains(t, cuda.Print(g, cuda.Names{Base: "roots"}).Kernel, "last bits")
}

package cuda_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/tool"
)

// hugeMain calls the original f and the kernels, each on its own copy of an array of
// COUNT floats, and compares the parts of LENGTH floats that begin at the elements FROM.
// Pages that nobody touches do not exist.
const hugeMain = `#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include "huge.hex.h"
void f(PARAMS, float *A);
static float *map(void) {
  return mmap(0, sizeof(float) * COUNT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}
int main(void) {
  static const long from[] = {FROM};
  float *want = map(), *got = map();
  if (want == MAP_FAILED || got == MAP_FAILED)
    return puts("no memory"), 1;
  for (unsigned p = 0; p < sizeof from / sizeof *from; p++)
    for (long i = 0; i < LENGTH; i++)
      want[from[p] + i] = got[from[p] + i] = (float)((i * 7919 + p) % 1009);
  f(VALUES, want);
  if (hexcc_huge_0_device(VALUES, got, 0))
    return puts(hexcc_huge_error()), 1;
  long differ = 0, changed = 0;
  for (unsigned p = 0; p < sizeof from / sizeof *from; p++)
    for (long i = 0; i < LENGTH; i++) {
      differ += memcmp(&want[from[p] + i], &got[from[p] + i], sizeof(float)) != 0;
      changed += want[from[p] + i] != (float)((i * 7919 + p) % 1009);
    }
  printf("%ld differ, %s\n", differ, changed > 1000 ? "many changed" : "few changed");
}
`

// TestHugeArrays runs kernels, on the CPU, at the far end of arrays so large that
// the number of an element needs more than 32 bits. In three dimensions a
// plane has more than 2^31 elements, which full tiles still address by numbers of
// 32 bits, or more than 2^32, where all tiles run the code of partial ones.
func TestHugeArrays(t *testing.T) {
	type size struct {
		n     int64
		steps int
	}
	for _, c := range []struct {
		name, array, loops, neighbours string
		planes                         int64 // of n x n elements; rows from n - 41 on are used
		sizes                          []size
	}{
		{"2d", "A[2][n][n]", "", "A[t % 2][i - 1][j] + A[t % 2][i + 1][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1]", 2, []size{{50_000, 13}}},
		{
			"3d", "A[2][26][n][n]", "for (int k = 1; k < 25; k++)", "A[t % 2][k - 1][i][j] + A[t % 2][k + 1][i][j] + A[t % 2][k][i - 1][j] + A[t % 2][k][i][j + 1]",
			52, []size{{60_000, 13}, {70_000, 13}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := "[i][j]"
			if c.loops != "" {
				at = "[k]" + at
			}
			text := fmt.Sprintf("void f(int T, int n, int lo, int m, float %s)\n{\n#pragma scop\n  for (int t = 0; t < T; t++)\n%s"+
				"    for (int i = lo; i < n - 1; i++)\n      for (int j = 1; j < m; j++)\n        A[(t + 1) %% 2]%s = 0.2f * (A[t %% 2]%s + %s);\n#pragma endscop\n}\n",
				c.array, c.loops, at, at, c.neighbours)
			tr := translate(t, "huge", text, staged)
			dir := tr.write(t)
			kernels := tr.buildOnCPU(t, dir)
			original := filepath.Join(dir, "original.c")
			require.NoError(t, os.WriteFile(original, []byte(text), 0o666))
			for _, s := range c.sizes {
				main, program := filepath.Join(dir, "main.c"), filepath.Join(dir, fmt.Sprint("huge", s.n))
				require.NoError(t, os.WriteFile(main, []byte(hugeProgram(s.n, c.planes, s.steps)), 0o666))
				tool.Run(t, "gcc", "-O1", "-ffp-contract=off", "-Wall", "-Wno-unknown-pragmas", "-I", dir, main, original, kernels, "-lstdc++", "-lm", "-o", program)
				require.Equal(t, "0 differ, many changed\n", tool.Run(t, program), s)
			}
		})
	}
}

// TestLargestParameters runs kernels, compiled so that they stop where an int
// overflows, with the largest n for which indices of 32 bits suffice, and with
// the next, which is an error.
func TestLargestParameters(t *testing.T) {
	const text = `void f(int T, int n, int lo, float A[2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = lo; i < n - 1; i++)
      A[(t + 1) % 2][i] = 0.3f * (A[t % 2][i] + A[t % 2][i - 1] + A[t % 2][i + 1]);
#pragma endscop
}
`
	tr := translate(t, "huge", text, staged)
	dir := tr.write(t)
	kernels := tr.buildOnCPU(t, dir)
	original := filepath.Join(dir, "original.c")
	require.NoError(t, os.WriteFile(original, []byte(text), 0o666))
	found := regexp.MustCompile(`\bn <= (\d+)\b`).FindStringSubmatch(tr.files.Kernel)
	require.NotNil(t, found)
	n, err := strconv.ParseInt(found[1], 10, 64)
	require.NoError(t, err)
	require.Greater(t, n, int64(1)<<31-200)
	run := func(n int64) ([]byte, error) {
		main, program := filepath.Join(dir, "main.c"), filepath.Join(dir, "huge")
		text := strings.NewReplacer("COUNT", fmt.Sprint(2*n, "L"), "FROM", fmt.Sprintf("%dL, %dL", n-2000, 2*n-2000), "LENGTH", "2000L",
			"PARAMS", "int T, int n, int lo", "VALUES", fmt.Sprintf("13, %d, %d", n, n-1990)).Replace(hugeMain)
		require.NoError(t, os.WriteFile(main, []byte(text), 0o666))
		tool.Run(t, "gcc", "-O1", "-ffp-contract=off", "-Wall", "-Wno-unknown-pragmas", "-I", dir, main, original, kernels, "-lstdc++", "-lm", "-o", program)
		return exec.Command(program).CombinedOutput()
	}
	out, err := run(n)
	require.NoError(t, err, "%s", out)
	require.Equal(t, "0 differ, many changed\n", string(out))
	out, err = run(n + 1)
	require.Error(t, err)
	require.Contains(t, string(out), "parameters too large for indices of 32 bits")
}

func hugeProgram(n, planes int64, steps int) string {
	var from []string
	for p := range planes {
		from = append(from, fmt.Sprint((p*n+n-41)*n, "L"))
	}
	return strings.NewReplacer("COUNT", fmt.Sprint(planes*n*n, "L"), "FROM", strings.Join(from, ", "), "LENGTH", fmt.Sprint(41*n),
		"PARAMS", "int T, int n, int lo, int m", "VALUES", fmt.Sprintf("%d, %d, %d, 100", steps, n, n-40)).Replace(hugeMain)
}

package cuda_test

import (
	"fmt"
	"math"
	"os"
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

// TestBeyond32Bits runs kernels, compiled so that they stop where an integer overflows, with parts of one-dimensional
// grids around the sizes at which indices need more than 32 bits: with the largest n for which those of 32 bits suffice and with the
// next, with the largest int, with longs around 2^31, 2^32 and 1.2e10 elements, which are 48 GB a plane, and with a number.
func TestBeyond32Bits(t *testing.T) {
	for _, c := range []struct {
		name, declare string
		sizes         []int64 // 0 and 1: beyond the largest for which the text says that 32 bits suffice
	}{
		{"int", "int T, int n, int lo", []int64{0, 1, math.MaxInt32}},
		{"long", "long T, long n, long lo", []int64{0, 1, 1<<31 + 777, 1<<32 + 1, 12_000_000_000}},
		{"mixed", "int T, size_t n, unsigned lo", []int64{0, 1<<31 + 777, 1<<32 - 1}},
		{"fixed", "int T", []int64{3_000_000_000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "#include <stddef.h>\nvoid f(" + c.declare + `, float A[2][n])
{
#pragma scop
  for (long t = 0; t < T; t++)
    for (long i = lo; i < n - 1; i++)
      A[(t + 1) % 2][i] = 0.3f * (A[t % 2][i] + A[t % 2][i - 1] + A[t % 2][i + 1]);
#pragma endscop
}
`
			switch c.name {
			case "int":
				text = strings.ReplaceAll(text, "long ", "int ")
			case "fixed":
				text = "#define n 3000000000\n#define lo (n - 1990)\n" + text
			}
			tr := translate(t, "huge", text, staged)
			dir := tr.write(t)
			kernels := tr.buildOnCPU(t, dir)
			original := filepath.Join(dir, "original.c")
			require.NoError(t, os.WriteFile(original, []byte(text), 0o666))
			for _, n := range c.sizes {
				if n < 2 {
					n += mostNarrow(t, tr.files.Kernel)
				}
				main, program := filepath.Join(dir, "main.c"), filepath.Join(dir, "huge")
				values := fmt.Sprintf("13, %d, %d", n, n-1990)
				if c.name == "fixed" {
					values = "13"
				}
				text := strings.NewReplacer("COUNT", fmt.Sprint(2*n, "L"), "FROM", fmt.Sprintf("%dL, %dL", n-2000, 2*n-2000), "LENGTH", "2000L",
					"PARAMS", c.declare, "VALUES", values).Replace(hugeMain)
				require.NoError(t, os.WriteFile(main, []byte(text), 0o666))
				tool.Run(t, "gcc", "-O1", "-ffp-contract=off", "-Wall", "-Wno-unknown-pragmas", "-I", dir, main, original, kernels, "-lstdc++", "-lm", "-o", program)
				require.Equal(t, "0 differ, many changed\n", tool.Run(t, program), n)
			}
		})
	}
}

// mostNarrow returns the largest n for which indices of 32 bits suffice by the text.
func mostNarrow(t *testing.T, text string) int64 {
	found := regexp.MustCompile(`\bn <= (\d+)\b`).FindStringSubmatch(text)
	require.NotNil(t, found)
	most, err := strconv.ParseInt(found[1], 10, 64)
	require.NoError(t, err)
	require.Greater(t, most, int64(1)<<31-200)
	return most
}

func hugeProgram(n, planes int64, steps int) string {
	var from []string
	for p := range planes {
		from = append(from, fmt.Sprint((p*n+n-41)*n, "L"))
	}
	return strings.NewReplacer("COUNT", fmt.Sprint(planes*n*n, "L"), "FROM", strings.Join(from, ", "), "LENGTH", fmt.Sprint(41*n),
		"PARAMS", "int T, int n, int lo, int m", "VALUES", fmt.Sprintf("%d, %d, %d, 100", steps, n, n-40)).Replace(hugeMain)
}

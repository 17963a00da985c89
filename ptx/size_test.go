package ptx_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/ptx/asm"
)

// TestSizes calls functions with sizes that no memory has: what is wrong is found before the driver is asked for anything.
func TestSizes(t *testing.T) {
	w := buildWhole(t, "sizes", cases.Sizes, hexcc.Options{NoAlias: true, Strategy: hexcc.Hybrid}, cases.SizesMain())
	out, errs, status, g := runProgram(t, w.ours, nil)
	require.Zero(t, status, errs)
	require.Zero(t, g.asked[allocate]+g.asked[copyTo])
	for i, line := range strings.Split(strings.TrimSpace(out), "\n") {
		require.Regexp(t, `^\S*sizes.hex_kernel.c:\d+`+cases.SizeTrials[i].Says, line, cases.SizeTrials[i].Call)
	}
}

// TestManyTiles launches kernels on grids with more tiles than a launch may have blocks, and with one more or less: each tile
// runs once, in the version with indices of 64 bits where 32 do not suffice.
func TestManyTiles(t *testing.T) {
	const text = `void f(int T, long n, float A[2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (long i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = 0.3f * (A[t % 2][i] + A[t % 2][i - 1] + A[t % 2][i + 1]);
#pragma endscop
}
`
	const main = `#include <stdlib.h>
#include "many.hex.h"
int main(int argc, char **argv) { return hexcc_many_0_device(1, atol(argv[argc - 1]), (float *)4096, NULL); }
`
	w := buildWhole(t, "many", text, hexcc.Options{}, main)
	k := w.files.GPU.Kernels[1]
	const most = 1<<31 - 1
	period := int64(0) // of tiles
	blocks := func(n int64) int64 {
		env := map[string]int64{w.files.GPU.T: 0, w.files.Scop.Params[0].Name: 1, "n": n}
		if !k.Work.Holds(env) {
			return 0
		}
		all, _ := k.Blocks(env)
		return all[0]
	}
	for n := int64(1000); blocks(n) < 3; n++ {
		if blocks(n) == 2 {
			period++
		}
	}
	for _, tiles := range []int64{3, most - 1, most, most + 1, 2*most + 5} {
		n := tiles * period
		g := &fakeGPU{arrays: map[uint64][]byte{}, asked: map[uint32]int{}}
		next := int64(0)
		g.record = func(kernel *asm.Kernel, blocks uint32, args []uint64) {
			if !strings.Contains(kernel.Name, "phase1") {
				return
			}
			require.Equal(t, n > most, strings.HasSuffix(kernel.Name, "_long"), n)
			require.Equal(t, next, int64(args[len(args)-1]), fmt.Sprint(n, args))
			require.LessOrEqual(t, blocks, uint32(most))
			next += int64(blocks)
		}
		_, errs, status := g.run(t, w.ours, nil, fmt.Sprint(n))
		require.Zero(t, status, errs)
		require.Empty(t, g.faults)
		require.Equal(t, blocks(n), next)
		require.InDelta(t, tiles, next, 1)
	}
}

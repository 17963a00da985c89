package cuda_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/machine"
)

// This file asks NVIDIA's tools what they know of the architectures of machine.Devices.

// capability returns the compute capability of d, such as 8, 0.
func capability(t *testing.T, d machine.Device) (major, minor int) {
	n, err := strconv.Atoi(strings.TrimPrefix(d.Name, "sm_"))
	require.NoError(t, err)
	return n / 10, n % 10
}

// TestOccupancy compares the table, and Occupancy at limits and at random, with
// the occupancy calculator of the toolkit.
func TestOccupancy(t *testing.T) {
	include := filepath.Join(filepath.Dir(tool.NVCC(t)), "../include")
	program := filepath.Join(t.TempDir(), "occupancy")
	tool.Run(t, "gcc", "-O1", "-Wall", "-I", include, "testdata/occupancy.c", "-o", program)

	type question struct {
		d             machine.Device
		threads, regs int
		shared        int64
	}
	var asked []question
	var input bytes.Buffer
	ask := func(d machine.Device, threads, regs int, shared int64) {
		major, minor := capability(t, d)
		asked = append(asked, question{d, threads, regs, shared})
		fmt.Fprintln(&input, major, minor, d.ThreadsPerBlock, d.ThreadsPerSM, d.RegistersPerBlock, d.Registers, d.SharedBytes,
			d.SharedPerSM, d.SharedReserved, d.SMs, threads, regs, shared)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, d := range machine.Devices() {
		for _, shared := range []int64{0, 1, 1024, int64(d.SharedBytes) - 1, int64(d.SharedBytes), int64(d.SharedBytes) + 1} {
			for _, threads := range []int{1, 32, 33, d.ThreadsPerBlock, d.ThreadsPerBlock + 1} {
				ask(d, threads, 16, shared)
			}
		}
		for _, regs := range []int{1, 8, 9, 64, 65, 128, 168, d.RegistersPerThread} {
			for threads := 32; threads <= d.ThreadsPerBlock; threads *= 2 {
				ask(d, threads, regs, 0)
			}
		}
		for range 300 {
			ask(d, 1+rng.IntN(d.ThreadsPerBlock), 1+rng.IntN(d.RegistersPerThread), rng.Int64N(int64(d.SharedBytes)+2))
		}
	}
	run := exec.Command(program)
	run.Stdin, run.Stderr = &input, os.Stderr
	out, err := run.Output()
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Len(t, lines, len(asked))
	for i, q := range asked {
		var blocks, byShared, byRegisters, byWarps, byBlocks, sharedUnit, registerUnit, partitions int
		_, err := fmt.Sscan(lines[i], &blocks, &byShared, &byRegisters, &byWarps, &byBlocks, &sharedUnit, &registerUnit, &partitions)
		require.NoError(t, err)
		d := q.d
		require.Equal(t, []int{sharedUnit, registerUnit, partitions, byBlocks}, []int{d.SharedUnit, d.RegisterUnit, d.Partitions, d.BlocksPerSM}, d.Name)
		o := d.Occupancy(q.threads, q.regs, q.shared)
		require.Equal(t, blocks, o.Blocks, "%s: %d threads, %d registers, %d bytes: %s; %s", d.Name, q.threads, q.regs, q.shared, o.Limit, lines[i])
		limit := map[string]int{"shared memory": byShared, "registers": byRegisters, "threads": byWarps, "blocks": byBlocks}[o.Limit]
		require.Equal(t, o.Blocks, limit, "%s: limited by %s; %s", d.Name, o.Limit, lines[i])
	}
}

// TestPtxasLimits asks ptxas for a block more than a multiprocessor holds, a
// warp more, a register more and a byte of shared memory more: each is refused
// just where the table ends.
func TestPtxasLimits(t *testing.T) {
	ptxas := filepath.Join(filepath.Dir(tool.NVCC(t)), "ptxas")
	dir := t.TempDir()
	asm := func(d machine.Device, threads, blocks, shared int) string {
		text := fmt.Sprintf(`.version 9.0
.target %s
.address_size 64
.visible .entry k(.param .u64 p)
.maxntid %d
.minnctapersm %d
{
  .shared .align 16 .b8 s[%d];
  .reg .u64 r;
  .reg .u32 x;
  ld.param.u64 r, [p];
  ld.global.u32 x, [r];
  st.shared.u32 [s], x;
  ld.shared.u32 x, [s+4];
  st.global.u32 [r], x;
  ret;
}
`, d.Name, threads, blocks, shared)
		file := filepath.Join(dir, "k.ptx")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		out, err := exec.Command(ptxas, "-arch="+d.Name, file, "-o", filepath.Join(dir, "k.cubin")).CombinedOutput()
		if err != nil {
			require.NotEmpty(t, out)
		}
		return string(out)
	}
	known := 0
	for _, d := range machine.Devices() {
		if said := asm(d, 32, 1, 16); said != "" {
			t.Logf("%s: %s", d.Name, said)
			require.Contains(t, said, "not defined for option 'gpu-name'", d.Name)
			continue
		}
		known++
		const wide = 512
		require.Empty(t, asm(d, wide, d.ThreadsPerSM/wide, 16), d.Name)
		require.Contains(t, asm(d, wide, d.ThreadsPerSM/wide+1, 16), "threads per SM", d.Name)
		require.Empty(t, asm(d, 32, d.BlocksPerSM, 16), d.Name)
		require.Contains(t, asm(d, 32, d.BlocksPerSM+1, 16), "minnctapersm", d.Name)
		require.Empty(t, asm(d, 32, 1, 48<<10), d.Name)
		require.Contains(t, asm(d, 32, 1, 48<<10+16), "too much shared data", d.Name)
	}
	require.GreaterOrEqual(t, known, 9)
}

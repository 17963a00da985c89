package asm_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/ptx/asm"
)

// This file tests blocks that run at the same time.

// together runs so many blocks, of 2 threads each, of a kernel of that body at the same time, which have a number of their own in %a, and returns
// what lies behind out: 32 numbers.
func together(t *testing.T, body string, blocks int, seed uint64) (out []uint64, err error) {
	t.Helper()
	m, err := asm.Parse(kernel("\tmov.u32 %a, %ctaid.x;\n\tcvt.u64.u32 %a, %a;\n\tmov.u32 %b, %tid.x;\n\tcvt.u64.u32 %b, %b;\n" + body))
	require.NoError(t, err)
	code, err := m.Compile(m.Kernels[0])
	require.NoError(t, err)
	memory, bytes := &asm.Memory{}, make([]byte, 256)
	err = code.Run(&asm.Launch{
		Blocks: [3]int{blocks, 1, 1}, Threads: [3]int{2, 1, 1}, AtOnce: blocks, Seed: seed, Memory: memory, Args: []uint64{memory.Alloc(bytes), 0, 0, 0},
	})
	for i := range 32 {
		out = append(out, binary.LittleEndian.Uint64(bytes[8*i:]))
	}
	return out, err
}

// handOver has block 0 write [out] and then set the flag at [out+128], for which block 1 waits; it puts what it finds into [out+8].
const handOver = `
	setp.ne.u64 %p1, %a, 0;
	@%p1 bra taker;
	setp.ne.u64 %p2, %b, 1;
	@%p2 bra barrier;
	st.global.u64 [%out], 7;
barrier:
	bar.sync 0;
	setp.eq.u64 %p3, %b, 0;
	@%p3 st.release.gpu.global.u64 [%out+128], 1;
	ret;
taker:
	setp.ne.u64 %p1, %b, 0;
	@%p1 bra met;
again:
	ld.acquire.gpu.global.u64 %c, [%out+128];
	setp.ne.u64 %p2, %c, 0;
	@%p2 bra met;
	nanosleep.u32 20;
	bra again;
met:
	bar.sync 0;
	ld.global.u64 %d, [%out];
	setp.eq.u64 %p3, %b, 1;
	@%p3 st.global.u64 [%out+8], %d;
`

// TestHandOver checks that what one block writes another one finds, if both do what the memory model asks for, and sooner or later not if not.
func TestHandOver(t *testing.T) {
	found := func(body string) map[uint64]bool {
		all := map[uint64]bool{}
		for seed := range uint64(100) {
			out, err := together(t, body, 2, seed)
			require.NoError(t, err)
			all[out[1]] = true
		}
		return all
	}
	require.Equal(t, map[uint64]bool{7: true}, found(handOver))
	both := map[uint64]bool{0: true, 7: true}
	for _, spoil := range [][2]string{
		{"ld.acquire", "ld.relaxed"},
		{"st.release", "st.relaxed"},
		{"barrier:\n\tbar.sync 0;", "barrier:\n"},
		{"met:\n\tbar.sync 0;", "met:\n"},
	} {
		bad := strings.Replace(handOver, spoil[0], spoil[1], 1)
		require.NotEqual(t, handOver, bad)
		require.Equal(t, both, found(bad), spoil[0])
	}
}

// TestOverwritten checks that a block that reads too late may find what another one wrote later.
func TestOverwritten(t *testing.T) {
	const body = `
	setp.ne.u64 %p1, %a, 0;
	@%p1 bra other;
	atom.global.add.u64 %c, [%out+128], 1;
	ld.global.u64 %d, [%out];
	st.global.u64 [%out+8], %d;
	ret;
other:
	st.global.u64 [%out], 7;
`
	all := map[uint64]bool{}
	for seed := range uint64(100) {
		out, err := together(t, body, 2, seed)
		require.NoError(t, err)
		all[out[1]] = true
	}
	require.Equal(t, map[uint64]bool{0: true, 7: true}, all)
}

// TestAtomic counts threads, each of which has a number of its own.
func TestAtomic(t *testing.T) {
	for _, typ := range []string{"u64", "u32"} {
		for seed := range uint64(20) {
			out, err := together(t, fmt.Sprintf("\tatom.relaxed.gpu.global.add.%[1]s %%c, [%%out+128], 1;\n\tshl.b64 %%d, %%c, 3;\n\tadd.u64 %%d, %%d, %%out;\n\tst.global.%[1]s [%%d], 1;", typ), 5, seed)
			require.NoError(t, err)
			require.Equal(t, uint64(10), out[16])
			for i := range 16 {
				require.Equal(t, i < 10, out[i] == 1, i)
			}
		}
	}
}

// TestHang checks that blocks which wait for each other for ever are found, and told where they are, unless their patience ends before.
func TestHang(t *testing.T) {
	const body = `
again:
	ld.acquire.gpu.global.u64 %c, [%out+128];
	setp.eq.u64 %p1, %c, 1;
	@%p1 ret;
	nanosleep.u32 100;
	mov.u64 %d, %globaltimer;
	setp.lt.u64 %p2, %d, LIMIT;
	@%p2 bra again;
	trap;
`
	for _, blocks := range []int{1, 3} {
		_, err := together(t, strings.ReplaceAll(body, "LIMIT", "1000000000"), blocks, 1)
		require.ErrorContains(t, err, fmt.Sprintf("the %d blocks that run wait for each other for ever", blocks))
		require.Regexp(t, `^k, block \d, thread \[\d 0 0\], at line \d+, `, err.Error())
		_, err = together(t, strings.ReplaceAll(body, "LIMIT", "1000"), blocks, 1)
		require.ErrorContains(t, err, "at line 26, trap;: the kernel says that this is an error")
	}
	const early = "\tsetp.eq.u64 %p1, %a, 2;\n\t@%p1 st.release.gpu.global.u64 [%out+128], 1;\n"
	_, err := together(t, early+strings.ReplaceAll(body, "LIMIT", "1000000000"), 3, 1)
	require.NoError(t, err)
}

// TestOnlyRead checks that an array that a kernel writes is not loaded as one that nothing writes.
func TestOnlyRead(t *testing.T) {
	for _, body := range []string{"\tld.global.nc.u64 %c, [%out];\n\tst.global.u64 [%out+8], %c;", "\tst.global.u64 [%out+8], %a;\n\tld.global.nc.u64 %c, [%out];"} {
		_, err := together(t, body, 1, 1)
		require.ErrorContains(t, err, "an array that the kernel writes is loaded with .nc")
	}
	_, err := together(t, "\tld.global.nc.u64 %c, [%out];", 1, 1)
	require.NoError(t, err)
}

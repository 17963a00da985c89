package asm_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/ptx/asm"
)

// This file tests what lanes of warps do together, and copies that are not waited for.

// threads runs a kernel of that body once for each seed with so many threads, which have their number in %a and 4 times that in %b, and
// returns what each of them left in %d.
func threads(t *testing.T, body string, n int, seed uint64) (found []uint32, err error) {
	t.Helper()
	m, err := asm.Parse(kernel("\tmov.u32 %a, %tid.x;\n\tshl.b32 %b, %a, 2;\n" + body + "\n\tcvt.u64.u32 %c, %b;\n\tadd.u64 %c, %c, %out;\n\tst.global.u32 [%c], %d;"))
	require.NoError(t, err)
	code, err := m.Compile(m.Kernels[0])
	if err != nil {
		return nil, err
	}
	memory, out := &asm.Memory{}, make([]byte, 4*n)
	in := make([]byte, 4*n)
	for i := range n {
		binary.LittleEndian.PutUint32(in[4*i:], uint32(1000+i))
	}
	err = code.Run(&asm.Launch{
		Blocks: [3]int{1, 1, 1}, Threads: [3]int{n, 1, 1}, Seed: seed, Memory: memory, Shared: 1024, Args: []uint64{memory.Alloc(out), memory.Alloc(in), 0, 0},
	})
	for i := range n {
		found = append(found, binary.LittleEndian.Uint32(out[4*i:]))
	}
	return found, err
}

// TestShuffle compares shuffles with what the manual says of them.
func TestShuffle(t *testing.T) {
	for inst, want := range map[string]func(lane int) int{
		"shfl.sync.up.b32 %d, %a, 1, 0, -1;":                                   func(l int) int { return max(l-1, 0) },
		"shfl.sync.up.b32 %d, %a, 3, 0, 0xffffffff;":                           func(l int) int { return map[bool]int{true: l - 3, false: l}[l >= 3] },
		"shfl.sync.down.b32 %d, %a, 1, 31, -1;":                                func(l int) int { return min(l+1, 31) },
		"shfl.sync.down.b32 %d, %a, 2, 0x181f, -1;":                            func(l int) int { return map[bool]int{true: l + 2, false: l}[l%8 < 6] }, // segments of 8 lanes
		"shfl.sync.bfly.b32 %d, %a, 5, 31, -1;":                                func(l int) int { return l ^ 5 },
		"shfl.sync.idx.b32 %d, %a, 7, 31, -1;":                                 func(int) int { return 7 },
		"shfl.sync.up.b32 %d|%p1, %a, 1, 0, -1; @%p1 mov.u32 %d, 50;":          func(l int) int { return map[bool]int{true: 50, false: 0}[l > 0] },
		"mov.u32 %d, %laneid;":                                                 func(l int) int { return l },
		"mov.u32 %d, %a; shfl.sync.down.b32 %d, %d, 31, 31, -1;":               func(l int) int { return map[bool]int{true: 31, false: l}[l == 0] },
		"sub.u32 %c, 31, %a; shfl.sync.idx.b32 %d, %a, %c, 31, -1; // reverse": func(l int) int { return 31 - l },
	} {
		for seed := range uint64(5) {
			found, err := threads(t, "\t"+inst+"\n", 32, seed)
			require.NoError(t, err, inst)
			for l, x := range found {
				require.EqualValues(t, want(l), x, "%s, lane %d", inst, l)
			}
		}
	}
}

// passOn has the lanes of each of two warps pass a number on by shared memory, and then the warps theirs.
const passOn = `	mov.u32 %c, 500;
	xor.b32 %d, %a, 1;
	shl.b32 %d, %d, 2;
	st.shared.u32 [%b+64], %a;
	bar.warp.sync -1;
	ld.shared.u32 %c, [%d+64];
	bar.warp.sync -1;
	st.shared.u32 [%b+64], %c;
	bar.sync 0;
	xor.b32 %d, %b, 128;
	ld.shared.u32 %d, [%d+64];
`

// TestWarps checks that lanes see what others of their warp wrote before a barrier of the warp, and without it sooner or later not; and
// that the same holds of warps and barriers of the block.
func TestWarps(t *testing.T) {
	equal := func(body string) (all bool, often int) {
		for seed := range uint64(40) {
			found, err := threads(t, body, 64, seed)
			require.NoError(t, err)
			same := true
			for i, x := range found {
				same = same && int(x) == i^32^1
			}
			if same {
				often++
			}
		}
		return often == 40, often
	}
	all, _ := equal(passOn)
	require.True(t, all)
	all, _ = equal(strings.Replace(passOn, "bar.warp.sync -1;", "", 1))
	require.False(t, all)
	_, often := equal(strings.Replace(passOn, "bar.sync 0;", "", 1))
	require.Less(t, often, 20)
}

// TestWarpsApart runs warps that have their barriers in code of their own.
func TestWarpsApart(t *testing.T) {
	const body = `	setp.ge.u32 %p1, %a, 32;
	mov.u32 %d, 1;
	@%p1 bra second;
	bar.warp.sync -1;
	st.shared.u32 [%b+64], %a;
	bar.sync 0;
	bra both;
second:
	bar.sync 0;
	ld.shared.u32 %d, [%b+-64];
both:
`
	for seed := range uint64(10) {
		found, err := threads(t, body, 64, seed)
		require.NoError(t, err)
		for i, x := range found {
			require.EqualValues(t, map[bool]int{true: 1, false: i - 32}[i < 32], x)
		}
	}
	_, err := threads(t, strings.Replace(body, "bar.warp.sync -1;", "", 1), 64, 1)
	require.ErrorContains(t, err, "a barrier that not all threads of the block reach", "where warps do nothing together, all threads reach one barrier")
	_, err = threads(t, strings.Replace(body, "%a, 32", "%a, 40", 1), 64, 1)
	require.Error(t, err)
}

// copied has each thread copy a number that it begins to copy early, or reads when it is not there yet.
const copied = `	cvt.u64.u32 %d, %b;
	ld.param.u64 %c, [a];
	add.u64 %c, %c, %d;
	cp.async.ca.shared.global [%b+64], [%c], 4;
	cp.async.commit_group;
	cp.async.ca.shared.global [%b+192], [%c], 4, 0;
	cp.async.commit_group;
	cp.async.wait_group 1;
	bar.sync 0;
	xor.b32 %d, %b, 4;
	ld.shared.u32 %d, [%d+64];
`

// TestCopyAsync checks that copies arrive when they are waited for, or by chance, and others not.
func TestCopyAsync(t *testing.T) {
	arrived := func(body string) (often int) {
		for seed := range uint64(40) {
			found, err := threads(t, body, 32, seed)
			require.NoError(t, err)
			if found[5] == 1004 {
				often++
			} else {
				require.EqualValues(t, 0x7f807f80, found[5])
			}
		}
		return often
	}
	require.Equal(t, 40, arrived(copied))
	require.Equal(t, 40, arrived(strings.Replace(copied, "wait_group 1", "wait_all", 1)))
	for _, spoil := range [][2]string{{"cp.async.wait_group 1;", ""}, {"wait_group 1", "wait_group 2"}, {"cp.async.commit_group;", ""}} {
		require.Contains(t, copied, spoil[0])
		often := arrived(strings.Replace(copied, spoil[0], spoil[1], 1))
		require.Less(t, often, 20)
		require.NotZero(t, often)
	}
	const zero = "\tcp.async.wait_all;\n\tld.shared.u32 %d, [%b+192];\n" // of no bytes: zeros
	found, err := threads(t, copied+zero, 32, 1)
	require.NoError(t, err)
	require.Equal(t, make([]uint32, 32), found)

	const changed = "\tst.global.u32 [%c], %a;\n\tcp.async.wait_group 1;"
	values := map[uint32]bool{}
	for seed := range uint64(20) {
		found, err := threads(t, strings.Replace(copied, "\tcp.async.wait_group 1;", changed, 1), 32, seed)
		require.NoError(t, err)
		values[found[5]] = true
	}
	require.Equal(t, map[uint32]bool{1004: true, 4: true}, values, "what is written meanwhile is copied or not")
}

// TestTogetherFaults checks what lanes of a warp may not do.
func TestTogetherFaults(t *testing.T) {
	const some = "\tsetp.lt.u32 %p1, %a, 16;\n"
	for body, want := range map[string]string{
		some + "\t@%p1 shfl.sync.up.b32 %d, %a, 1, 0, -1;":                                                                         "what not all lanes of the warp reach that do it together",
		some + "\t@%p1 bra on;\n\tret;\non:\n\tbar.warp.sync -1;":                                                                  "what not all lanes of the warp reach that do it together",
		some + "\t@%p1 bra on;\n\tshfl.sync.up.b32 %d, %a, 1, 0, -1;\n\tbra off;\non:\n\tshfl.sync.up.b32 %d, %a, 1, 0, -1;\noff:": "lanes of a warp do other things together",
		some + "\t@%p1 bra on;\n\tbar.sync 0;\n\tbra off;\non:\n\tbar.sync 0;\noff:\n\tbar.warp.sync -1;":                          "a barrier that not all threads of the block reach",
		"\tld.param.u64 %c, [a];\n\tcp.async.ca.shared.global [%b+2], [%c], 4;":                                                    "no multiple of 4",
		"\tld.param.u64 %c, [a];\n\tcp.async.ca.shared.global [64], [%c+4], 8;":                                                    "no multiple of 8",
		"\tcp.async.cg.shared.global [64], [%a], 16;":                                                                              "outside of all arrays",
		"\tld.param.u64 %c, [a];\n\tcp.async.ca.shared.global [64], [%c], 4, 5;":                                                   "a copy of more bytes than it has",
	} {
		_, err := threads(t, body, 64, 3)
		require.ErrorContains(t, err, want, body)
	}
	_, err := threads(t, "\tbar.warp.sync -1;", 40, 1)
	require.ErrorContains(t, err, "a warp of less than 32 lanes")
	for _, inst := range []string{
		"shfl.sync.up.b32 %d, %a, 1, 0, 0xffff;", "shfl.up.b32 %d, %a, 1, 0;", "shfl.sync.up.b64 %d, %a, 1, 0, -1;", "shfl.sync.in.b32 %d, %a, 1, 0, -1;", "bar.warp.sync %a;",
		"cp.async.cg.shared.global [64], [%a], 4;", "cp.async.ca.shared.global [64], [%a], 2;", "cp.async.bulk.commit_group;", "cp.async.wait_group %a;",
	} {
		_, err := threads(t, "\t"+inst, 32, 1)
		require.Error(t, err, inst)
		require.Contains(t, err.Error(), "line 15", fmt.Sprint(inst))
	}
}

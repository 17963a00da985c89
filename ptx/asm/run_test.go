package asm_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/ptx/asm"
)

// kernel returns a module with one kernel, of the parameters a, b and c of 64
// bits, out, where its result goes, and that body.
func kernel(body string) string {
	return `.version 7.0
.target sm_80
.address_size 64
.shared .align 8 .b8 data[64];
.visible .entry k(.param .u64 out, .param .u64 a, .param .u64 b, .param .u64 c)
{
	.reg .pred %p<9>;
	.reg .b64 %a, %b, %c, %d, %out;
	ld.param.u64 %out, [out];
	ld.param.u64 %a, [a];
	ld.param.u64 %b, [b];
	ld.param.u64 %c, [c];
` + body + "\n\tret;\n}\n"
}

// start parses and runs a kernel with so many threads.
func start(t *testing.T, text string, threads int, args ...uint64) (out []byte, err error) {
	t.Helper()
	m, err := asm.Parse(text)
	require.NoError(t, err)
	code, err := m.Compile(m.Kernels[0])
	if err != nil {
		return nil, err
	}
	memory := &asm.Memory{}
	out = make([]byte, 256)
	args = append([]uint64{memory.Alloc(out)}, args...)
	for len(args) < 4 {
		args = append(args, 0)
	}
	return out, code.Run(&asm.Launch{Blocks: [3]int{1, 1, 1}, Threads: [3]int{threads, 1, 1}, Args: args, Memory: memory})
}

// result runs one instruction, which computes %d of %a, %b and %c, and returns %d.
func result(t *testing.T, inst string, args ...uint64) uint64 {
	t.Helper()
	out, err := start(t, kernel("\t"+inst+"\n\tst.global.u64 [%out], %d;"), 1, args...)
	require.NoError(t, err, inst)
	v := uint64(0)
	for i := range 8 {
		v |= uint64(out[i]) << (8 * i)
	}
	return v
}

func f32(f float64) uint64 { return uint64(math.Float32bits(float32(f))) }

var (
	nan     = math.NaN()
	minus0  = math.Copysign(0, -1)
	minus7  = uint64(uint32(0xfffffff9))
	minus8L = ^uint64(7)
)

// TestInstructions compares instructions with what the manual says of them.
func TestInstructions(t *testing.T) {
	for _, c := range []struct {
		inst string
		args []uint64
		want uint64
	}{
		{"add.s32 %d, %a, %b;", []uint64{0x7fffffff, 1}, 0x80000000},
		{"add.s64 %d, %a, -1;", []uint64{0}, math.MaxUint64},
		{"sub.s32 %d, %a, %b;", []uint64{0, 7}, minus7},
		{"mul.lo.s32 %d, %a, %b;", []uint64{minus7, 3}, 0xffffffeb},
		{"mul.hi.s32 %d, %a, %b;", []uint64{minus7, 3}, 0xffffffff},
		{"mul.hi.u32 %d, %a, %b;", []uint64{minus7, 3}, 2},
		{"mul.hi.s64 %d, %a, %b;", []uint64{minus8L, 3}, math.MaxUint64},
		{"mul.hi.u64 %d, %a, %b;", []uint64{minus8L, 3}, 2},
		{"mul.wide.s32 %d, %a, 4;", []uint64{minus7}, ^uint64(27)},
		{"mul.wide.u32 %d, %a, 4;", []uint64{minus7}, 4 * minus7},
		{"mad.lo.s32 %d, %a, %b, %c;", []uint64{minus7, 3, 22}, 1},
		{"mad.wide.s32 %d, %a, %b, %c;", []uint64{minus7, 3, 22}, 1},
		{"div.s32 %d, %a, 2;", []uint64{minus7}, 0xfffffffd},
		{"rem.s32 %d, %a, 2;", []uint64{minus7}, 0xffffffff},
		{"div.u32 %d, %a, 2;", []uint64{minus7}, 0x7ffffffc},
		{"rem.u64 %d, %a, 5;", []uint64{minus8L}, (math.MaxUint64 - 7) % 5},
		{"neg.s32 %d, %a;", []uint64{7}, minus7},
		{"abs.s32 %d, %a;", []uint64{minus7}, 7},
		{"not.b32 %d, %a;", []uint64{minus7}, 6},
		{"and.b32 %d, %a, -8;", []uint64{minus7}, 0xfffffff8},
		{"xor.b64 %d, %a, %b;", []uint64{minus8L, 7}, math.MaxUint64},
		{"shl.b32 %d, %a, %b;", []uint64{3, 31}, 0x80000000},
		{"shl.b32 %d, %a, %b;", []uint64{3, 32}, 0},
		{"shr.s32 %d, %a, %b;", []uint64{minus7, 40}, 0xffffffff},
		{"shr.u32 %d, %a, %b;", []uint64{minus7, 31}, 1},
		{"shr.u32 %d, %a, %b;", []uint64{minus7, 32}, 0},
		{"shr.s64 %d, %a, 3;", []uint64{minus8L}, math.MaxUint64},
		{"min.s32 %d, %a, %b;", []uint64{minus7, 3}, minus7},
		{"min.u32 %d, %a, %b;", []uint64{minus7, 3}, 3},
		{"max.s64 %d, %a, %b;", []uint64{minus8L, 3}, 3},
		{"popc.b32 %d, %a;", []uint64{minus7}, 30},
		{"cvt.s64.s32 %d, %a;", []uint64{minus7}, ^uint64(6)},
		{"cvt.u64.u32 %d, %a;", []uint64{minus7}, minus7},
		{"cvt.u32.u64 %d, %a;", []uint64{minus8L}, 0xfffffff8},
		{"cvt.rn.f32.s32 %d, %a;", []uint64{16777217}, f32(16777216)},
		{"cvt.rn.f32.u32 %d, %a;", []uint64{0xffffffff}, f32(4294967296)},
		{"cvt.rn.f64.s32 %d, %a;", []uint64{minus7}, math.Float64bits(-7)},
		{"cvt.rzi.s32.f32 %d, %a;", []uint64{f32(-7.9)}, minus7},
		{"cvt.rzi.s32.f64 %d, %a;", []uint64{math.Float64bits(1e10)}, 0x7fffffff},
		{"cvt.rzi.u32.f32 %d, %a;", []uint64{f32(-3)}, 0},
		{"cvt.rzi.s64.f32 %d, %a;", []uint64{f32(nan)}, 0},
		{"cvt.rni.f32.f32 %d, %a;", []uint64{f32(2.5)}, f32(2)},
		{"cvt.rmi.f64.f64 %d, %a;", []uint64{math.Float64bits(-2.5)}, math.Float64bits(-3)},
		{"cvt.rpi.f32.f32 %d, %a;", []uint64{f32(-0.5)}, f32(minus0)},
		{"cvt.rn.f32.f64 %d, %a;", []uint64{math.Float64bits(0.1)}, f32(0.1)},
		{"cvt.f64.f32 %d, %a;", []uint64{f32(0.1)}, math.Float64bits(float64(float32(0.1)))},
		{"sqrt.rn.f32 %d, %a;", []uint64{f32(2)}, f32(math.Sqrt2)},
		{"rcp.rn.f64 %d, %a;", []uint64{math.Float64bits(3)}, math.Float64bits(1.0 / 3)},
		{"div.rn.f32 %d, %a, %b;", []uint64{f32(1), f32(3)}, uint64(math.Float32bits(float32(1) / 3))},
		{"neg.f32 %d, %a;", []uint64{f32(0)}, f32(minus0)},
		{"abs.f64 %d, %a;", []uint64{math.Float64bits(-3)}, math.Float64bits(3)},
		{"copysign.f32 %d, %a, %b;", []uint64{f32(-1), f32(3)}, f32(-3)},
		{"min.f32 %d, %a, %b;", []uint64{f32(0), f32(minus0)}, f32(minus0)},
		{"max.f32 %d, %a, %b;", []uint64{f32(nan), f32(3)}, f32(3)},
		{"max.NaN.f32 %d, %a, %b;", []uint64{f32(3), f32(nan)}, 0x7fffffff},
		{"max.NaN.f32 %d, %a, %b;", []uint64{f32(minus0), f32(0)}, f32(0)},
		{"min.NaN.f64 %d, %a, %b;", []uint64{math.Float64bits(2), math.Float64bits(-3)}, math.Float64bits(-3)},
		{"max.f64 %d, %a, %b;", []uint64{math.Float64bits(nan), math.Float64bits(nan)}, 0x7fffffffffffffff},
		{"fma.rn.f64 %d, %a, %b, %c;", []uint64{math.Float64bits(3), math.Float64bits(5), math.Float64bits(-15)}, 0},
		// The sum is a little less than half way between two floats: rounded to double first, it would be half way.
		{"fma.rn.f32 %d, %a, %b, %c;", []uint64{f32(0x1.000002p0), f32(0x1.fffffcp-25), f32(0x1.000002p0)}, f32(0x1.000002p0)},
		{"setp.lt.s32 %p1, %a, %b; selp.b64 %d, 5, 6, %p1;", []uint64{minus7, 3}, 5},
		{"setp.lo.u32 %p1, %a, %b; selp.b64 %d, 5, 6, %p1;", []uint64{minus7, 3}, 6},
		{"setp.neu.f32 %p1, %a, %a; selp.b64 %d, 5, 6, %p1;", []uint64{f32(nan)}, 5},
		{"setp.ne.f32 %p1, %a, %a; selp.b64 %d, 5, 6, %p1;", []uint64{f32(nan)}, 6},
		{"setp.nan.f64 %p1, %a, %b; selp.b64 %d, 5, 6, %p1;", []uint64{math.Float64bits(nan), 0}, 5},
		{"setp.eq.s32 %p1, %a, 7; mov.u64 %d, 1; @!%p1 mov.u64 %d, 2;", []uint64{7}, 1},
		{"setp.eq.s32 %p1, %a, 7; mov.pred %p2, -1; xor.pred %p1, %p1, %p2; selp.b64 %d, 5, 6, %p1;", []uint64{7}, 6},
		{"mov.b64 {%r1, %r2}, %a; mov.b64 %d, {%r2, %r1};", []uint64{0x1122334455667788}, 0x5566778811223344},
		{"{ .reg .b32 tmp; mov.b64 {tmp, %r1}, %a; } mov.b64 {%r2, _}, %a; mov.b64 %d, {%r1, %r2};", []uint64{0x1122334455667788}, 0x5566778811223344},
		{"mov.u64 %r1, 5; { .reg .u64 %r1, %r2; mov.u64 %r1, 7; { .reg .u64 %r1; mov.u64 %r1, 8; } mov.u64 %r2, %r1; mov.u64 %d, %r2; } mad.lo.u64 %d, %d, 10, %r1;", nil, 75},
		{"mov.f32 %d, 0f3E4CCCCD;", nil, f32(0.2)},
		{"mov.f64 %d, 0d3FF8000000000000;", nil, math.Float64bits(1.5)},
		{"mov.u32 %r1, data; st.shared.v2.u32 [%r1+8], {%a, %b}; ld.shared.u64 %d, [data+8];", []uint64{1, 2}, 1 | 2<<32},
		{"st.shared.u8 [data+3], %a; ld.shared.s8 %d, [data+3];", []uint64{0x1fe}, 0xfffffffe},
		{"add.rz.f32 %d, %a, %b;", []uint64{f32(1), f32(-0x1p-60)}, f32(0x1.fffffep-1)},
		{"add.rp.f64 %d, %a, %b;", []uint64{math.Float64bits(1), math.Float64bits(-0x1p-200)}, math.Float64bits(1)},
		{"fma.rm.f32 %d, %a, %b, %c;", []uint64{f32(3), f32(5), f32(-0x1p-60)}, f32(0x1.dffffep3)},
		{"mul.rz.f32 %d, %a, %b;", []uint64{f32(-0x1p127), f32(4)}, f32(-math.MaxFloat32)},
		{"mul.rp.f32 %d, %a, %b;", []uint64{f32(0x1p-149), f32(0.25)}, 1},
		{"cvt.sat.f32.f32 %d, %a;", []uint64{f32(nan)}, 0},
		{"cvt.sat.f32.f32 %d, %a;", []uint64{f32(3)}, f32(1)},
		{"clz.b32 %d, %a;", []uint64{1}, 31},
		{"clz.b64 %d, %a;", []uint64{0}, 64},
		{"bfe.u32 %d, %a, 8, 12;", []uint64{0x12345678}, 0x456},
		{"bfe.u64 %d, %a, %b, 64;", []uint64{minus8L, 60}, 15},
		{"bfi.b32 %d, %a, %b, 8, 8;", []uint64{0xfff12, 0x11223344}, 0x11221244},
		{"bfi.b64 %d, %a, %b, 32, 32;", []uint64{5, 0x1122334455667788}, 0x555667788},
		{"bfi.b32 %d, %a, %b, 24, 64;", []uint64{0xfff12, 0x11223344}, 0x12223344},
		{"st.local.u32 [there+4], %a; ld.local.u32 %d, [there+4]; .local .align 4 .b8 there[8];", []uint64{77}, 77},
		{"mov.u32 %d, %tid.x;", nil, 0},
		{"mov.u32 %d, %nctaid.x;", nil, 1},
	} {
		require.Equal(t, c.want, result(t, c.inst, c.args...), "%s %x", c.inst, c.args)
	}
}

// TestArithmeticRandomly compares operations with Go's on random operands.
func TestArithmeticRandomly(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		a, b := rng.Uint32(), rng.Uint32()>>rng.IntN(32)
		if b == 0 {
			continue
		}
		args := []uint64{uint64(a), uint64(b)}
		x, y := math.Float32frombits(a), math.Float32frombits(b)
		for op, want := range map[string]uint32{
			"add.s32": a + b, "sub.u32": a - b, "mul.lo.s32": a * b, "and.b32": a & b, "or.b32": a | b, "div.u32": a / b, "rem.u32": a % b,
			"min.s32": uint32(min(int32(a), int32(b))), "max.u32": max(a, b), "div.s32": uint32(int64(int32(a)) / int64(int32(b))),
			"mul.hi.s32": uint32(uint64(int64(int32(a))*int64(int32(b))) >> 32),
			"add.rn.f32": math.Float32bits(x + y), "mul.rn.f32": math.Float32bits(x * y), "sub.f32": math.Float32bits(x - y), "div.rn.f32": math.Float32bits(x / y),
		} {
			got := uint32(result(t, op+" %d, %a, %b;", args...))
			if f := math.Float32frombits(want); strings.HasSuffix(op, "f32") && f != f {
				require.True(t, math.IsNaN(float64(math.Float32frombits(got))), "%s %x", op, args)
				continue
			}
			require.Equal(t, want, got, "%s %x", op, args)
		}
	}
}

// TestCarries computes with numbers of 128 bits in words of 32, and compares.
func TestCarries(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for range 100 {
		x, y := rng.Uint64()>>rng.IntN(64), rng.Uint64()>>rng.IntN(64)
		low, _ := bits.Add64(x, y, 0)
		less, borrow := bits.Sub64(x, y, 0)
		hi, _ := bits.Mul64(x, y)
		words := "mov.b64 {%r1, %r2}, %a; mov.b64 {%r3, %r4}, %b;"
		join := " mov.b64 %d, {%r5, %r6};"
		require.Equal(t, low, result(t, words+"add.cc.u32 %r5, %r1, %r3; addc.u32 %r6, %r2, %r4;"+join, x, y))
		require.Equal(t, less, result(t, words+"sub.cc.u32 %r5, %r1, %r3; subc.u32 %r6, %r2, %r4;"+join, x, y))
		require.Equal(t, -borrow, result(t, "sub.cc.u64 %d, %a, %b; subc.u64 %d, %c, %c;", x, y))
		require.Equal(t, hi, result(t, words+"mul.hi.u32 %r7, %r1, %r3;"+
			"mad.lo.cc.u32 %r7, %r1, %r4, %r7; madc.hi.u32 %r8, %r1, %r4, 0;"+
			"mad.lo.cc.u32 %r7, %r2, %r3, %r7; madc.hi.cc.u32 %r8, %r2, %r3, %r8; addc.u32 %r9, 0, 0;"+
			"mad.lo.cc.u32 %r5, %r2, %r4, %r8; madc.hi.u32 %r6, %r2, %r4, %r9;"+join, x, y))
	}
}

// TestCalls runs a kernel that calls a function, which calls another: each has registers, parameters and local memory of its own.
func TestCalls(t *testing.T) {
	text := kernel(`	{ .param .b64 param0; st.param.b64 [param0+0], %a; .param .b32 param1; st.param.b32 [param1+0], %b; .param .align 8 .b8 retval0[16];
	call.uni (retval0), twice, (param0, param1); ld.param.b64 %d, [retval0+0]; ld.param.b32 %c, [retval0+8]; }
	add.u64 %d, %d, %c; st.global.u64 [%out], %d;`)
	text = strings.Replace(text, ".visible", `.global .align 4 .b8 table[8] = {1, 0, 0, 0, 100};
.func (.param .b64 func_retval0) square(.param .b64 square_param_0);
.func (.param .align 8 .b8 func_retval0[16]) twice(.param .b64 twice_param_0, .param .b32 twice_param_1)
{
	.local .align 8 .b8 depot[16];
	.reg .b64 %a, %d;
	ld.param.u64 %a, [twice_param_0];
	st.local.u64 [depot+8], %a;
	{ .param .b64 param0; st.param.b64 [param0], %a; .param .b64 retval0;
	call.uni (retval0), square, (param0); ld.param.b64 %d, [retval0]; }
	ld.local.u64 %a, [depot+8];
	add.u64 %d, %d, %a;
	st.param.b64 [func_retval0+0], %d;
	ld.global.u32 %r1, [table+4];
	ld.param.u32 %r2, [twice_param_1];
	add.u32 %r1, %r1, %r2;
	st.param.b32 [func_retval0+8], %r1;
	ret;
}
.func (.param .b64 func_retval0) square(.param .b64 square_param_0)
{
	.reg .b64 %a;
	ld.param.u64 %a, [square_param_0];
	mul.lo.u64 %a, %a, %a;
	st.param.b64 [func_retval0], %a;
	ret;
}
.visible`, 1)
	out, err := start(t, text, 1, 7, 5)
	require.NoError(t, err)
	require.Equal(t, uint64(7*7+7+100+5), binary.LittleEndian.Uint64(out))

	itself := strings.Replace(text, "mul.lo.u64 %a, %a, %a;", "call.uni (func_retval0), square, (square_param_0);", 1)
	_, err = start(t, itself, 1, 7, 5)
	require.ErrorContains(t, err, "square calls itself")
	_, err = start(t, strings.Replace(text, "mul.lo.u64 %a, %a, %a;", "bar.sync 0;", 1), 1, 7, 5)
	require.ErrorContains(t, err, "a barrier in a function: square")
	_, err = start(t, strings.ReplaceAll(text, "[depot+8]", "[depot+12]"), 1, 7, 5)
	require.ErrorContains(t, err, "8 bytes at local address 12, of 16")
}

// TestApproximations runs them where the module is told to: they flush as they say.
func TestApproximations(t *testing.T) {
	for inst, want := range map[string]uint64{
		"ex2.approx.ftz.f32 %d, 0f40400000;":                           f32(8),
		"rcp.approx.ftz.f32 %d, 0f00000001;":                           f32(math.Inf(1)),
		"rcp.approx.f32 %d, 0f7F000000;":                               f32(0x1p-127),
		"rcp.approx.ftz.f32 %d, 0f7F000000;":                           0,
		"rcp.approx.ftz.f64 %d, 0d4008000000000001;":                   math.Float64bits(1.0/3) >> 32 << 32,
		"lg2.approx.f32 %d, 0f41000000;":                               f32(3),
		"div.approx.f32 %d, 0f40400000, 0f40000000; and.b64 %d,%d,-1;": f32(1.5),
	} {
		m, err := asm.Parse(kernel("\t" + inst + " st.global.u64 [%out], %d;"))
		require.NoError(t, err)
		m.Approximate = true
		code, err := m.Compile(m.Kernels[0])
		require.NoError(t, err, inst)
		memory, out := &asm.Memory{}, make([]byte, 8)
		require.NoError(t, code.Run(&asm.Launch{Blocks: [3]int{1, 1, 1}, Threads: [3]int{1, 1, 1}, Args: []uint64{memory.Alloc(out), 0, 0, 0}, Memory: memory}))
		require.Equal(t, want, binary.LittleEndian.Uint64(out), inst)
	}
}

// TestRefused checks that what is not run exactly is refused, and not run somehow.
func TestRefused(t *testing.T) {
	for _, inst := range []string{
		"ex2.approx.f32 %d, %a;", "add.ftz.f32 %d, %a, %b;", "sqrt.rz.f32 %d, %a;", "rcp.approx.ftz.f64 %d, %a;", "div.full.f32 %d, %a, %b;", "sqrt.approx.f32 %d, %a;",
		"bar.sync 1;", "bar.red.popc.u32 %d, 0, %p1;", "atom.global.exch.b32 %d, [%a], 1;", "atom.shared.add.u32 %d, [%a], 1;", "atom.acquire.gpu.global.add.u32 %d, [%a], 1;",
		"ld.release.gpu.global.u64 %d, [%a];", "st.acquire.gpu.global.u64 [%a], %d;", "add.u64 %d, %globaltimer, 1;", "cvt.f32.f64 %d, %a;", "cvt.rzi.ftz.s32.f32 %d, %a;",
		"setp.lt.and.s32 %p1, %a, %b, %p2;", "ld.u32 %d, [%a];", "bfe.s32 %d, %a, 3, 4;", "call.uni nothing, (%a);", "mov.u32 %d, nothing;", "bra nowhere;", "cvta.param.u64 %d, %a;",
		"ld.param.f32 %d, [a];", "ld.param.u16 %d, [a];", "mul.f16 %d, %a, %b;", "mad.hi.s32 %d, %a, %b;", "frobnicate.b32 %d, %a;",
	} {
		m, err := asm.Parse(kernel("\t" + inst))
		require.NoError(t, err, inst)
		_, err = m.Compile(m.Kernels[0])
		require.Error(t, err, inst)
		require.Contains(t, err.Error(), "line 13", inst)
	}
}

// TestFaults checks that what a kernel may not do ends the launch, and where it says that was.
func TestFaults(t *testing.T) {
	for inst, want := range map[string]string{
		"st.global.u32 [%out+256], %a;": "outside of all arrays",
		"st.global.u32 [%out+-4], %a;":  "outside of all arrays",
		"ld.global.u64 %d, [%a];":       "global address 0x0 is outside",
		"ld.global.u64 %d, [%out+4];":   "no multiple of 8",
		"ld.shared.u32 %d, [data+64];":  "shared address 64 is outside of the 64 bytes",
		"ld.shared.u32 %d, [data+-4];":  "shared address -4 is outside",
		"ld.shared.f64 %d, [data+4];":   "no multiple of 8",
		"div.s32 %d, %a, %b;":           "division by zero",
		"mov.u32 %r1, %tid.x;\nsetp.eq.s32 %p1, %r1, 3;\n@%p1 ret;\nbar.sync 0;": "a barrier that not all threads of the block reach",
	} {
		_, err := start(t, kernel(inst), 8)
		require.Error(t, err, inst)
		require.Contains(t, err.Error(), want, inst)
		require.Regexp(t, `^k, block 0, thread \[\d 0 0\], at line \d+, `, err.Error())
	}
}

// TestBarrier checks that threads see what others wrote before a barrier, and that
// the order of threads is not the same each time.
func TestBarrier(t *testing.T) {
	text := kernel(`	mov.u32 %r1, %tid.x;
	shl.b32 %r2, %r1, 2;
	mov.u32 %r5, data;
	st.shared.u32 [%r2], %r1;
	bar.sync 0;
	xor.b32 %r3, %r2, 60;
	ld.shared.u32 %r4, [%r3];
	cvt.u64.u32 %d, %r2;
	add.s64 %d, %d, %out;
	st.global.u32 [%d], %r4;`)
	out, err := start(t, text, 16)
	require.NoError(t, err)
	for i := range 16 {
		require.EqualValues(t, 15-i, out[4*i])
	}
	without := strings.Replace(text, "bar.sync 0;", "", 1)
	out, err = start(t, without, 16)
	require.NoError(t, err)
	wrong := 0
	for i := range 16 {
		if int(out[4*i]) != 15-i {
			wrong++
		}
	}
	require.NotZero(t, wrong, "without the barrier a thread must see what lay there before")
}

// TestSyntax checks what a file may hold, and what it must not.
func TestSyntax(t *testing.T) {
	m, err := asm.Parse(`// a comment
.version 8.4
.target sm_90a, debug
.address_size 64
.file 1 "x.cu", 12345, 678
.extern .shared .align 16 .b8 rest[];
.const .align 4 .f32 weights[2] = {0f3F800000, 1};
.visible .entry k(
	.param .u64 .ptr .global .align 4 k_param_0,
	.param .f32 k_param_1
)
.maxntid 32, 4
.minnctapersm 3
{ /* another */
	.loc 1 3 5, function_name $L__info, inlined_at 1 2 3
	.pragma "nounroll";
$L_1:
	@!%p<3> bra.uni $L_1;
}
`)
	require.Error(t, err) // %p<3> is no register
	require.Nil(t, m)
	text := `.version 8.4
.target sm_90a
.extern .shared .align 16 .b8 rest[];
.visible .entry k(.param .u64 .ptr .global .align 4 a, .param .f32 b)
.maxntid 32, 4
.minnctapersm 3
{
	.loc 1 3 5, function_name $L__info, inlined_at 1 2 3
	.pragma "nounroll";
$L_1:
	@!%p3 bra.uni $L_1;
	ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [rest+-16];
}
.section .debug_str { .b8 1, 2 }
`
	m, err = asm.Parse(text)
	require.NoError(t, err)
	k := m.Kernel("k")
	require.Equal(t, [3]int{32, 4, 1}, k.Threads)
	require.Equal(t, 3, k.MinBlocks)
	require.Equal(t, "@!%p3 bra.uni $L_1;", k.Insts[0].String())
	require.Equal(t, "ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [rest-16];", k.Insts[1].String())
	require.Equal(t, "sm_90a 8.4", fmt.Sprint(m.Target, " ", m.Version))
	for _, bad := range []string{"", "int main;", ".version 7.0\n.target sm_80\n.alias f, g;", strings.Replace(text, "}", "", 1)[:200], `.version "`, "/* no end"} {
		_, err := asm.Parse(bad)
		require.Error(t, err, bad)
	}
}

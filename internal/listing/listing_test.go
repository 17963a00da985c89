package listing

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGNU(t *testing.T) {
	const text = `	.file	"a.hex.c"
	.text
	.globl	hexcc_a_0
hexcc_a_0:
.LFB0:
	.file 1 "a.hex.c"
	.loc 1 12 3
	pushq	%rbp	# comment
	.file 2 "/usr/include/x.h"
.L3:
	.loc 2 90 1 is_stmt 1
	addl	$1, %eax
	.loc 1 14 3 view .LVU1
	jne	.L3
	.size	hexcc_a_0, .-hexcc_a_0
other:
	ret
`
	require.Equal(t, []Function{{"hexcc_a_0", []Instruction{{"", "pushq %rbp", 12}, {".L3", "addl $1, %eax", 0}, {"", "jne .L3", 14}}}}, GNU(text, "a.hex.c", "hexcc_"))
}

func TestPTX(t *testing.T) {
	const text = `.visible .entry hexcc_a_0(
	.param .u64 p
)
{
	.reg .b32 	%r<5>;
	.loc	1 7 5
	mov.u32 	%r1, %tid.x;
$L__BB0_1:
	.loc	2 7 5, function_name $L__info_string0, inlined_at 1 99 5
	@%p1 bra 	$L__BB0_1;
	ret;
}
	.file	1 "/tmp/a.cu"
	.file	2 "/cuda/x.hpp"
`
	got := PTX(text, "a.cu")
	require.Equal(t, []Function{{"hexcc_a_0", []Instruction{{"", "mov.u32 %r1, %tid.x", 7}, {"$L__BB0_1", "@%p1 bra $L__BB0_1", 99}, {"", "ret", 99}}}}, got)
	require.Equal(t, "bra", got[0].Instructions[1].Operation())
}

func TestSASS(t *testing.T) {
	const text = `	.section	.text.hexcc_a_0,"ax",@progbits
.text.hexcc_a_0:
	//## File "/tmp/a.cu", line 112 inlined at "/tmp/a.cu", line 117
	//## File "/tmp/a.cu", line 117
        /*0000*/                   IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28] ;
.L_x_1:
	//## File "/cuda/x.hpp", line 3 inlined at "/tmp/a.cu", line 20
        /*0010*/              @!P0 BRA ` + "`(.L_x_1)" + ` ;
        /*0020*/                   EXIT ;
	.section	.nv.info,"",@"SHT_CUDA_INFO"
        /*0030*/                   .byte 0x04 ;
`
	got := SASS(text, "a.cu")
	require.Equal(t, []Function{{"hexcc_a_0", []Instruction{
		{"", "IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]", 112}, {".L_x_1", "@!P0 BRA `(.L_x_1)", 20}, {"", "EXIT", 20},
	}}}, got)
	require.Equal(t, "BRA", got[0].Instructions[1].Operation())
}

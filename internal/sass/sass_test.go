package sass

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const listing = `
	.section	.text._Z24hexcc_jacobi_2d_0_phase0Pfiiii,"ax",@progbits
	//## File "kernel.cu", line 7
        /*0000*/                   LDC R1, c[0x0][0x28] ;                                  /* 0x00000a00ff017b82 */
                                                                                           /* 0x000fe20000000800 */
	//## File "kernel.cu", line 26 inlined at "kernel.cu", line 9
	//## File "kernel.cu", line 9
        /*00f0*/              @!P0 STS.64 [R3+0x10], R4 ;                                  /* 0x000000000000894d */
                                                                                           /* 0x0001e20000000800 */
	.section	.text._Z29hexcc_jacobi_2d_0_phase0_longPfllll,"ax",@progbits
        /*0000*/                   EXIT ;                                                  /* 0x000000000000794d */
                                                                                           /* 0x000fea0003800000 */
`

// TestParse reads instructions, their lines and what they wait for. The first stalls for 1 clock and sets no scoreboard; the second
// releases scoreboard 0 when its operands are read.
func TestParse(t *testing.T) {
	all, err := Parse(listing, "hexcc_jacobi_2d_0_phase0")
	require.NoError(t, err)
	require.Equal(t, []Instruction{
		{Line: 7, Lines: []int{7}, Op: "LDC", Args: "R1, c[0x0][0x28]", Stall: 1, Write: 7, Read: 7},
		{At: 1, Line: 26, Lines: []int{26, 9}, Guard: "@!P0", Op: "STS.64", Args: "[R3+0x10], R4", Stall: 1, Write: 7, Read: 0},
	}, all)
	require.EqualValues(t, 8, all[1].Bytes())
	_, err = Parse(listing, "hexcc_jacobi_2d_0_phase1")
	require.Error(t, err)
}

// TestClass: an operation is of one class, whatever its modifiers are; one that is not known is of none.
func TestClass(t *testing.T) {
	count := 0
	for class, names := range classes {
		for _, name := range strings.Fields(names) {
			require.Equal(t, Class(class), Instruction{Op: name + ".E.64"}.Class(), name)
			count++
		}
	}
	require.Len(t, classOf, count, "an operation is in two classes")
	require.Equal(t, Other, Instruction{Op: "HMMA.16816"}.Class())
}

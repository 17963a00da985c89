package sass

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu"
)

const turnsText = `static __device__ __forceinline__ void k_step0(float x)
{
  sum(); // line 3
}
static __device__ __forceinline__ void k_beat0(float x)
{
  step0(); // line 7
  if (!full) {
    load(); // line 9
  }
}
static __device__ __forceinline__ void k_turn0(float x)
{
  beat0(); // line 14
}
static __device__ __forceinline__ void k_turn1(float x)
{
  beat0(); // line 18
}
`

// TestFullTurns finds the turns of two stages, which the code has in the other order, and not one that loads what only other turns do.
func TestFullTurns(t *testing.T) {
	p := &gpu.Pipeline{Turn: 2, Period: 2, Steps: 1, Columns: 1, Stages: make([]gpu.Stage, 2)}
	turn := func(line int, more ...Instruction) []Instruction {
		all := []Instruction{{Line: line, Lines: []int{line}, Op: "MOV"}, {Line: 3, Lines: []int{3, 7, line}, Op: "FADD"}, {Line: 3, Lines: []int{3, 7, line}, Op: "FADD"}}
		return append(append(all, more...), Instruction{Line: line, Lines: []int{line}, Op: "BAR.SYNC"})
	}
	load := Instruction{Line: 9, Lines: []int{9, 14}, Op: "LDG"}
	code := append(append(turn(18), turn(14, load)...), turn(14)...)
	turns, err := FullTurns(code, turnsText, p)
	require.NoError(t, err)
	require.Equal(t, [][]Instruction{turn(14)[1:], turn(18)[1:]}, turns)
	_, err = FullTurns(code[:8], turnsText, p)
	require.ErrorContains(t, err, "of 1 stages are found, of 2")
	_, err = FullTurns(append(turn(14), turn(14)...), turnsText, p)
	require.ErrorContains(t, err, "whose turn that is")
}

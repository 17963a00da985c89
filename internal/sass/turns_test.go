package sass

import (
	"slices"
	"strings"
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
  if (full) {
    beat0(); // line 15
  } else if (steady) {
    beat0(); // line 17
  } else {
    beat0(); // line 19
  }
}
static __device__ __forceinline__ void k_turn1(float x)
{
  if (full) {
    beat0(); // line 25
  } else {
    beat0(); // line 27
  }
}
`

// TestFindTurns finds the full turns of two stages, which the code has in the other order, and the steady ones of one of them, but not those that test what each beat does.
func TestFindTurns(t *testing.T) {
	p := &gpu.Pipeline{Turn: 2, Straight: 2, Period: 2, Steps: 1, Columns: 1, Stages: make([]gpu.Stage, 2)}
	turn := func(line int) []Instruction {
		return []Instruction{
			{Line: line, Lines: []int{line}, Op: "MOV"}, {Line: 3, Lines: []int{3, 7, line}, Op: "FADD"}, {Line: 3, Lines: []int{3, 7, line}, Op: "FADD"},
			{Line: line, Lines: []int{line}, Op: "BAR.SYNC"},
		}
	}
	code := slices.Concat(turn(25), turn(19), turn(17), turn(27), turn(15))
	turns, err := FindTurns(code, turnsText, p)
	require.NoError(t, err)
	require.Equal(t, [][]Instruction{turn(15)[1:], turn(25)[1:]}, turns.Full)
	require.Equal(t, [][]Instruction{turn(17)[1:], nil}, turns.Steady)
	_, err = FindTurns(code[:16], turnsText, p)
	require.ErrorContains(t, err, "of 1 stages are found, of 2")
	_, err = FindTurns(slices.Concat(turn(15), turn(15)), turnsText, p)
	require.ErrorContains(t, err, "whose turn that is")
}

// TestLoopsOfTurns: turns that are a loop are no straight code, and their size is counted as theirs.
func TestLoopsOfTurns(t *testing.T) {
	p := &gpu.Pipeline{Turn: 2, Straight: 2, Period: 2, Steps: 1, Columns: 1, Stages: make([]gpu.Stage, 2)}
	turn := func(line int) []Instruction {
		return []Instruction{{Line: 3, Lines: []int{3, 7, line}, Op: "FADD"}, {Line: 3, Lines: []int{3, 7, line}, Op: "FADD"}, {Line: line, Lines: []int{line}, Op: "BAR.SYNC"}}
	}
	text := strings.Replace(turnsText, "    beat0(); // line 17", "    for (int i = 0; i < 2; i += 1) { beat0(); }", 1)
	rest := Instruction{Line: 33, Lines: []int{33}, Op: "MOV"}
	code := slices.Concat(turn(25), turn(17), turn(15), []Instruction{rest, {Line: 1, Lines: []int{1}, Op: "EXIT"}})
	turns, err := FindTurns(code, text, p)
	require.NoError(t, err)
	require.Equal(t, [][]Instruction{turn(15), turn(25)}, turns.Full)
	require.Equal(t, [][]Instruction{nil, nil}, turns.Steady)
	text += "static __device__ __forceinline__ void k_rest0(float x)\n{\n  for (;;)\n    bring();\n}\n"
	require.Equal(t, CodeSize{Full: 6 * 16, Steady: 3 * 16, Inactive: 16, Other: 16}, SizeOf(code, text))
	require.Equal(t, 16*len(code), SizeOf(code, text).All())
}

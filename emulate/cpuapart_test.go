package emulate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/schedule"
)

// beside is two nests whose rows run side by side, in vectors whose operands are loaded by themselves: points of the first may run twice, those of the second, which
// reads what it stores to, may not.
const beside = `void f(int n, int m, float in[restrict n][m], float out[restrict n][m])
{
  float b[n][m];
#pragma scop
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      b[i][j] = in[i - 1][j - 1] + in[i - 1][j] + in[i - 1][j + 1] + in[i][j - 1] + in[i][j + 1] + in[i + 1][j - 1] + in[i + 1][j] + in[i + 1][j + 1];
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < m - 2; j++)
      out[i][j] = out[i][j] * 0.5f + (b[i - 1][j - 1] + b[i - 1][j] + b[i - 1][j + 1] + b[i][j - 1] + b[i][j + 1] + b[i + 1][j - 1] + b[i + 1][j] + b[i + 1][j + 1]);
#pragma endscop
}
`

// apartVectors are mistakes in vectors whose operands are loaded by themselves.
var apartVectors = []spoiler{
	ofVectors("points run twice that must not", func(_ *cpu.Step, v *cpu.Vectors) bool {
		done := !v.Repeat
		v.Repeat = true
		return done
	}),
	ofVectors("operands from another place", func(_ *cpu.Step, v *cpu.Vectors) bool {
		for i := range v.Windows {
			v.Windows[i].Index.Const++
		}
		return true
	}),
	ofVectors("an operand left out", func(_ *cpu.Step, v *cpu.Vectors) bool {
		w := &v.Windows[0]
		w.Offsets = w.Offsets[:len(w.Offsets)-1]
		return true
	}),
}

// TestApart runs boxes that overlap whose rows run in vectors that start anywhere, in tiles that are no multiple of a vector, and spoils the vectors: the emulator finds out.
func TestApart(t *testing.T) {
	p := newPlan(t, "beside", beside)
	build := func() emulate.Request {
		r, ok := p.buffered(t, schedule.Sizes{H: 1, W: []int64{7, 37}}, nil)
		require.True(t, ok)
		r.Points, r.Seed = 6_000, 5
		return r
	}
	r := build()
	require.NoError(t, r.CPU.Verify())
	for _, s := range steps(r.CPU) {
		require.Len(t, s.Groups, 2)
		require.NotNil(t, s.Groups[0].Vectors, "%v", r.CPU)
		require.True(t, s.Groups[0].Vectors.Apart)
		require.Nil(t, s.Groups[1].Vectors)
	}
	v, err := emulate.Verify(r)
	require.NoError(t, err)
	require.True(t, v.OK(), "%v\n%v", v, r.CPU)
	for _, x := range apartVectors {
		t.Run(x.name, func(t *testing.T) {
			r := build()
			require.True(t, x.do(r.CPU))
			require.Error(t, r.CPU.Verify())
			v, err := emulate.Verify(r)
			require.NoError(t, err)
			require.False(t, v.OK(), "%v", r.CPU)
		})
	}
	for name, spoil := range map[string]func(v *cpu.Vectors){
		"vectors of another length":  func(v *cpu.Vectors) { v.Lanes /= 2 },
		"limits":                     func(v *cpu.Vectors) { v.Limits = append(v.Limits, r.CPU.Buffers[0].Origin[0]) },
		"vectors that start a line":  func(v *cpu.Vectors) { v.Apart = false },
		"halves of lines":            func(v *cpu.Vectors) { v.Halves = true },
		"points run twice, in place": func(v *cpu.Vectors) { v.Repeat = true },
		"a row of another one": func(v *cpu.Vectors) {
			v.Windows[0].Row = 2
			v.Windows[0].Lead = v.Windows[len(v.Windows)-1].Lead
		},
	} {
		r := build()
		all := steps(r.CPU)
		spoil(all[len(all)-1].Groups[0].Vectors)
		require.Error(t, r.CPU.Verify(), name)
	}
}

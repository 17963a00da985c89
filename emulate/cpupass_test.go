package emulate_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// ofPasses are programs whose steps run in one pass: of slopes 1 and 2 across rows, with neighbours of rows that are handed on, and with an
// array that no step writes.
var ofPasses = map[string]string{
	"star":     "0.2 * (A[t % 2][i][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1] + A[t % 2][i + 1][j] + A[t % 2][i - 1][j])",
	"steep":    "0.25 * (A[t % 2][i][j - 1] + A[t % 2][i][j + 1] + A[t % 2][i + 2][j] + A[t % 2][i - 1][j])",
	"diagonal": "A[t % 2][i + 1][j - 2] + A[t % 2][i + 1][j + 1] - A[t % 2][i][j] - A[t % 2][i - 1][j + 3]",
	"one side": "A[t % 2][i + 1][j] + A[t % 2][i][j - 2] + B[i][j + 1] * A[t % 2][i][j]",
}

// passProgram returns a program for CPUs with passes, in tiles that lean by a cache line a step, with so many points along a row.
func passProgram(t *testing.T, name string, h, width int64) (*cpu.Program, *schedule.Schedule, pipeline.Stencil) {
	x := pipeline.Read(t, name, fmt.Sprintf(`
void f(int T, int n, int m, double A[2][n][m], double B[n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 2; i < n - 2; i++)
      for (int j = 3; j < m - 3; j++)
        A[(t + 1) %% 2][i][j] = %s;
#pragma endscop
}
`, ofPasses[name]))
	x.Cone.Lo[1] = big.NewRat(8, 1)
	s := x.Schedule(t, schedule.Sizes{H: h, W: []int64{schedule.MinW0(x.Cone, h) + 1, width}})
	loops, err := astgen.Roll(s)
	require.NoError(t, err)
	p := cpu.Make(loops)
	require.NoError(t, p.Verify(), name)
	return p, s, x
}

// together counts the rows that v ran in passes.
func together(v *emulate.Verification) (n int64) {
	for _, x := range v.Trials {
		n += x.Report.Together
	}
	return n
}

// TestPasses runs steps in one pass over rows, where there is room for it: bit for bit what the source computes.
func TestPasses(t *testing.T) {
	rows := map[string]int64{"star": 1, "steep": 2, "diagonal": 1, "one side": 1}
	for name := range ofPasses {
		for _, h := range []int64{2, 3} {
			p, s, x := passProgram(t, name, h, 16)
			want := schedule.Pass{Steps: 2, Rows: rows[name], Places: 8}
			require.Equal(t, []schedule.Pass{want}, p.Passes(), name)
			require.True(t, schedule.ProvePass(s, x.Deps, want).Holds, name)
			v, err := emulate.Verify(emulate.Request{CPU: p, Schedule: s, Points: 60_000, Jobs: 2})
			require.NoError(t, err, name)
			require.True(t, v.OK(), "%s\n%v\n%v", name, v, p)
			require.Greater(t, together(v), int64(20), name)
		}
	}
}

// TestPassMutants spoils passes: that they keep dependences is proved no more, and each is found out when it is run.
func TestPassMutants(t *testing.T) {
	for what, spoil := range map[string]struct {
		do     func(p *cpu.Pass) bool
		proved bool // what is proved does not depend on it
	}{
		"rows that are one short": {func(p *cpu.Pass) bool { p.Rows--; return true }, false},
		"handed on to none": {func(p *cpu.Pass) bool {
			for i := range p.Sources[1] {
				p.Sources[1][i].Handed = 1 - min(1, p.Sources[1][i].Handed)
			}
			return true
		}, true},
		"handed on to the first step": {func(p *cpu.Pass) bool { p.Sources[0] = p.Sources[1]; return true }, true},
		"handed on from another row": {func(p *cpu.Pass) (done bool) {
			for i, x := range p.Sources[1] {
				if x.Handed > 0 {
					p.Sources[1][i].Handed, done = 3-x.Handed, true
				}
			}
			return done
		}, true},
		"another window is handed on": {func(p *cpu.Pass) bool {
			s := p.Sources[1]
			s[0].Handed, s[len(s)-1].Handed = s[len(s)-1].Handed, s[0].Handed
			return s[0] != s[len(s)-1]
		}, true},
	} {
		found := 0
		for name := range ofPasses {
			p, s, x := passProgram(t, name, 3, 16)
			done := true
			ofTiles(p, func(n *cpu.Tile) { done = spoil.do(n.Pass) && done })
			if !done {
				continue
			}
			require.Error(t, p.Verify(), "%s of %s", what, name)
			require.Equal(t, spoil.proved, schedule.ProvePass(s, x.Deps, p.Passes()[0]).Holds, "%s of %s", what, name)
			v, err := emulate.Verify(emulate.Request{CPU: p, Schedule: s, Points: 60_000})
			require.NoError(t, err)
			require.False(t, v.OK(), "%s of %s", what, name)
			found++
		}
		require.NotZero(t, found, what)
	}
}

package cpu_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// grained returns the program of a stencil, with tiles of that height and rows of 32.
func grained(t *testing.T, x pipeline.Stencil, h int64) *cpu.Program {
	sizes := schedule.Sizes{H: h, W: []int64{schedule.MinW0(x.Cone, h)}}
	for range x.Space.Space[1:] {
		sizes.W = append(sizes.W, 32)
	}
	loops, err := astgen.Roll(x.Schedule(t, sizes))
	require.NoError(t, err)
	p := cpu.Make(loops).Grained()
	require.NoError(t, p.Verify())
	return p
}

// nanoseconds returns the work of a phase for those parameters.
func nanoseconds(p *cpu.Program, params []int64) (ns float64) {
	env := map[string]int64{}
	for i, q := range p.Scop().Params {
		env[q.Name] = params[i]
	}
	for _, l := range p.Grain {
		each := l.Nanoseconds
		for _, f := range l.Factors {
			each *= float64(affine.Eval(f, env))
		}
		ns += each
	}
	return ns
}

// TestGrainCounts compares the work of a phase at two sizes of each case with the instances that there are of one step: it grows as they do.
func TestGrainCounts(t *testing.T) {
	points := func(p *scop.Program, params []int64) (n float64) {
		for _, st := range p.Stmts {
			n += float64(scop.NewNest(st, params).Count())
		}
		return n
	}
	compared := 0
	for _, x := range pipeline.All(t) {
		p := grained(t, x, schedule.LegalH(x.Space.K)[1])
		s := p.Scop()
		extents := [][2]int64{{}, {}, {100_000, 300_000}, {100, 300}, {60, 120}, {30, 50}}[len(s.Stmts[0].Iters)]
		small, ok := oracle.Sized(s, extents[0], 40)
		large, too := oracle.Sized(s, extents[1], 40)
		if !ok || !too || len(p.Grain) == 0 {
			continue
		}
		compared++
		want := points(s, large) / points(s, small)
		require.InEpsilon(t, want, nanoseconds(p, large)/nanoseconds(p, small), 0.15, "%s: %v", x.Name, p.Grain)
	}
	require.Greater(t, compared, 15)
}

// TestGrainText has estimates that are counted by hand: 5 loads, a store and 5 operations in a tenth of a nanosecond each, half of the points in each of two phases.
func TestGrainText(t *testing.T) {
	text := func(size, steps string) string {
		return `void f(int T, int n, float A[restrict 2][` + size + `][` + size + `])
{
#pragma scop
  for (int t = 0; t < ` + steps + `; t++)
    for (int i = 1; i < ` + size + ` - 1; i++)
      for (int j = 1; j < ` + size + ` - 1; j++)
        A[(t + 1) % 2][i][j] = 0.2f * (A[t % 2][i][j] + A[t % 2][i - 1][j] + A[t % 2][i + 1][j] + A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);
#pragma endscop
}
`
	}
	for _, c := range []struct{ size, steps, want string }{
		{"n", "T", "threads where 0.55 * (n - 2) * (n - 2) * min(T, 8) >= 20000 nanoseconds, else one thread"},
		{"n", "1000", "threads where 4.4 * (n - 2) * (n - 2) >= 20000 nanoseconds, else one thread"},
		{"n", "2", "threads where 1.1 * (n - 2) * (n - 2) >= 20000 nanoseconds, else one thread"},
		{"52", "T", "threads where 1375.0 * min(T, 8) >= 20000 nanoseconds, else one thread"},
		{"52", "3", "one thread: a phase takes it about 4125 nanoseconds, threads are for 20000"},
		{"102", "1000", ""}, // 44 microseconds
		{"302", "T", ""},    // 49 of one step
	} {
		p := grained(t, pipeline.Read(t, "grain", text(c.size, c.steps)), 3)
		if c.want == "" {
			require.Empty(t, p.Grain, "%v", c)
			require.NotContains(t, p.String(), "nanoseconds")
			continue
		}
		require.Equal(t, c.want, p.Grain.String())
		require.Contains(t, p.String(), "// "+c.want+"\n")
	}
}

// TestGrainVerified spoils what a program says of its work.
func TestGrainVerified(t *testing.T) {
	p := grained(t, pipeline.Case(t, "heat-2d"), 3)
	require.NotEmpty(t, p.Grain)
	p.Grain = cpu.Grain{{Nanoseconds: 1}}
	require.ErrorContains(t, p.Verify(), "the work of a phase")
}

package emulate_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// TestFused verifies cases, every fifth in CI, with products fused, as kernels and as a CPU would run it: it is what the interpreter makes of the calls of
// fma, bit for bit, and near what the source computes.
func TestFused(t *testing.T) {
	eachNth(t, 5, 1, func(t *testing.T, name string, p plan) {
		fused := scop.Fused(p.Scop)
		if fused == p.Scop {
			t.Log("no product feeds a sum")
			return
		}
		p = plan{pipeline.Of(t, name, fused)}
		for _, r := range []emulate.Request{p.request(t, p.small()), p.onCPU(t)} {
			v, err := emulate.Verify(r)
			require.NoError(t, err)
			t.Log(v)
			require.True(t, v.OK(), v)
			require.Contains(t, v.String(), "verified: bit for bit the program with fused products at ")
			require.Contains(t, v.String(), "; the tolerance is 1024\n")
			for _, x := range v.Trials {
				require.Equal(t, x.Version == 0, x.Rounding != nil)
			}
		}
	})
}

// onCPU returns p as a program for a CPU, ready to verify.
func (p plan) onCPU(t testing.TB) emulate.Request {
	sizes := p.small()
	for i := range sizes.W[1:] {
		sizes.W[1+i] = 40
	}
	s := p.Schedule(t, sizes)
	loops, err := astgen.Roll(s)
	require.NoError(t, err)
	return emulate.Request{CPU: cpu.Make(loops), Schedule: s, Points: 30_000}
}

// mixed has sums of two products, so that it matters which one is fused.
const mixed = `
void f(int T, int n, double a, double b, double A[restrict 2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = a * A[t % 2][i - 1] + b * A[t % 2][i + 1];
#pragma endscop
}
`

// TestFusedOtherwise fuses the other product of a sum in the program that kernels are compared with, or none, or adds a
// negative: each is noticed; and so is a source that lies too far from the program that is fused.
func TestFusedOtherwise(t *testing.T) {
	p := newPlan(t, "mixed", mixed)
	fused := scop.Fused(p.Scop)
	require.Equal(t, 1, fused.Fusions)
	p = plan{pipeline.Of(t, "mixed", fused)}
	r := p.request(t, p.small())
	v, err := emulate.Verify(r)
	require.NoError(t, err)
	require.True(t, v.OK(), v)

	instead := func(f func(a, b, c scop.Expr) scop.Expr) *scop.Program {
		out := *fused
		s := *fused.Stmts[0]
		store := s.Body[0].(scop.Store)
		args := store.Value.(scop.Call).Args
		store.Value = f(args[0], args[1], args[2])
		s.Body, out.Stmts = []scop.Action{store}, []*scop.Stmt{&s}
		return &out
	}
	fma := func(args ...scop.Expr) scop.Expr { return scop.Call{T: scop.Double, Func: "fma", Args: args} }
	for what, mutant := range map[string]*scop.Program{
		"none": fused.AsWritten(),
		"other": instead(func(a, b, c scop.Expr) scop.Expr {
			product := c.(scop.Binary)
			return fma(product.X, product.Y, scop.Binary{Op: "*", X: a, Y: b})
		}),
		"negative": instead(func(a, b, c scop.Expr) scop.Expr { return fma(a, b, scop.Unary{Op: "-", X: c}) }),
	} {
		require.Positive(t, differ(t, r, mutant), what)
	}
	require.Zero(t, differ(t, r, fused))

	far, other := *r.Program, *fused // fused as it is, but from another source
	far.Scop = &other
	other.Unfused = instead(func(a, b, c scop.Expr) scop.Expr {
		return scop.Binary{Op: "*", X: fma(a, b, c), Y: scop.Const{T: scop.Double, F: 1 + 0x1p-30}}
	})
	v, err = emulate.Verify(emulate.Request{Program: &far, Schedule: r.Schedule, Points: r.Points})
	require.NoError(t, err)
	require.False(t, v.OK())
	require.Contains(t, v.String(), "ROUNDING  A[")
	require.Contains(t, v.String(), "\nverification failed\n  the program makes roundings larger: ")
	require.NotContains(t, v.String(), "MISMATCH")
}

// differ returns how many elements kernels leave otherwise than a program does.
func differ(t *testing.T, r emulate.Request, p *scop.Program) int64 {
	mem, err := scop.NewMemory(p, []int64{7, 50}, 1)
	require.NoError(t, err)
	want := mem.Clone()
	require.NoError(t, scop.Run(p, want))
	report, err := emulate.Run(r.Program, mem, emulate.Options{})
	require.NoError(t, err)
	require.True(t, report.OK())
	return mem.Compare(want).Differ
}

// chaotic grows differences by a factor of 4 in a step.
const chaotic = `
void f(int T, int n, double A[restrict 2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++)
      A[(t + 1) % 2][i] = 1 - 1.99 * A[t % 2][i] * A[t % 2][i];
#pragma endscop
}
`

// TestFusedChaos refuses a program whose results depend on how it is rounded, once it runs for long enough.
func TestFusedChaos(t *testing.T) {
	p := plan{pipeline.Of(t, "chaotic", scop.Fused(newPlan(t, "chaotic", chaotic).Scop))}
	r := p.request(t, schedule.Sizes{H: 2, W: []int64{5}})
	for steps, ok := range map[int64]bool{2: true, 60: false} {
		r.Sizes = []emulate.Size{{"T": steps, "n": 50}}
		v, err := emulate.Verify(r)
		require.NoError(t, err)
		require.Equal(t, ok, v.OK(), v)
		require.Equal(t, ok, !strings.Contains(v.String(), "ROUNDING"), v)
		require.Equal(t, ok, v.Trials[0].Rounding.Relative < scop.Tolerance*math.Pow(2, -52))
	}
}

package lower_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// waiting returns kernels of a case whose tiles wait for each other.
func waiting(t *testing.T, name string, w ...int64) *gpu.Program {
	x := pipeline.Case(t, name)
	s := x.Schedule(t, schedule.Sizes{H: schedule.LegalH(x.Space.K)[1], W: w})
	pipeline.Wait(t, x, s)
	return pipeline.Map(t, s, pipeline.Device(t, "sm_80"), lower.Options{})
}

// TestWaitsStand spoils where kernels wait and signal: they are not verified then.
func TestWaitsStand(t *testing.T) {
	loop := func(p *gpu.Program, f func(*gpu.For)) {
		for i, n := range p.Kernels[1].Body {
			if l, ok := n.(gpu.For); ok {
				l.Body = slices.Clone(l.Body)
				f(&l)
				p.Kernels[1].Body[i] = l
			}
		}
	}
	for what, spoil := range map[string]func(p *gpu.Program){
		"no chains": func(p *gpu.Program) { p.Chains = nil },
		"one chain": func(p *gpu.Program) { p.Chains = &schedule.Chains{Blocks: 1, Steps: p.Chains.Steps[:1]} },
		"two axes": func(p *gpu.Program) {
			p.Kernels[1].Grid = append(p.Kernels[1].Grid, gpu.Axis{Var: "other", Lo: affine.Num(0), Hi: affine.Num(0)})
		},
		"a condition":  func(p *gpu.Program) { p.Kernels[0].Work = astgen.Work{} },
		"more threads": func(p *gpu.Program) { p.Kernels[1].Threads[0]++ },
		"other phase":  func(p *gpu.Program) { p.Kernels[1].Phase = 0 },
		"no wait":      func(p *gpu.Program) { loop(p, func(f *gpu.For) { f.Body = f.Body[1:] }) },
		"no signal":    func(p *gpu.Program) { loop(p, func(f *gpu.For) { f.Body = f.Body[:len(f.Body)-1] }) },
		"a signal more": func(p *gpu.Program) {
			loop(p, func(f *gpu.For) { f.Body = slices.Insert(f.Body, 1, gpu.Node(gpu.Signal{Var: f.Var})) })
		},
		"a signal early": func(p *gpu.Program) {
			loop(p, func(f *gpu.For) {
				last := len(f.Body) - 1
				f.Body[last-1], f.Body[last] = f.Body[last], f.Body[last-1]
			})
		},
		"a shorter wait": func(p *gpu.Program) {
			loop(p, func(f *gpu.For) {
				a := f.Body[0].(gpu.Await)
				a.Lag--
				f.Body[0] = a
			})
		},
		"a tile beside": func(p *gpu.Program) {
			loop(p, func(f *gpu.For) {
				full := f.Body[slices.IndexFunc(f.Body, func(n gpu.Node) bool { _, ok := n.(gpu.If); return ok })]
				p.Kernels[1].Body = append([]gpu.Node{full.(gpu.If).Else[0]}, p.Kernels[1].Body...)
			})
		},
	} {
		p := waiting(t, "jacobi-2d", 4, 8)
		require.NoError(t, p.Verify())
		spoil(p)
		require.Error(t, p.Verify(), what)
	}
	p := waiting(t, "jacobi-1d", 8)
	require.Equal(t, gpu.Node(gpu.Await{}), p.Kernels[0].Body[0])
	p.Kernels[0].Body = p.Kernels[0].Body[1:]
	require.ErrorContains(t, p.Verify(), "tiles do not wait")
}

// TestWaitsPrinted prints what waits.
func TestWaitsPrinted(t *testing.T) {
	text := waiting(t, "jacobi-2d", 4, 8).String()
	for _, want := range []string{"chains: (", "[T, 1, S0] waits for [T, 0, S0..S0 + 1], 1 ahead along S1\n", "await S1 + 1\n", "signal S1\n"} {
		require.Contains(t, text, want)
	}
}

package emulate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/schedule"
)

// TestCPUChains runs all cases as chains that wait for each other: bit for bit what the source computes, however threads overtake each other.
func TestCPUChains(t *testing.T) {
	eachOnCPU(t, 3, true, func(name string, p *cpu.Program, s *schedule.Schedule) {
		v, err := emulate.Verify(emulate.Request{CPU: p, Schedule: s, Points: 20_000, Jobs: 2})
		require.NoError(t, err, name)
		require.True(t, v.OK(), "%s\n%v\n%v", name, v, p)
	})
}

// chainSpoilers are mistakes in how chains wait.
var chainSpoilers = []spoiler{
	ofWaits("one chain less before", func(w *schedule.Wait) { w.Hi[0]-- }),
	ofWaits("one chain less behind", func(w *schedule.Wait) { w.Lo[0]++ }),
	ofWaits("one place less, in the order too", func(w *schedule.Wait) { w.Lag-- }),
	ofBodies("one place less", func(f *cpu.For) bool {
		a := f.Body[0].(cpu.Await)
		a.Lag--
		f.Body[0] = a
		return true
	}),
	ofBodies("no wait", func(f *cpu.For) bool {
		f.Body = f.Body[1:]
		return true
	}),
	ofBodies("a signal too early", func(f *cpu.For) bool {
		last := len(f.Body) - 1
		signal := f.Body[last]
		copy(f.Body[2:], f.Body[1:last])
		f.Body[1] = signal
		return true
	}),
}

// ofWaits returns a spoiler of what the chains of a program wait for.
func ofWaits(name string, f func(w *schedule.Wait)) spoiler {
	return spoiler{name, func(p *cpu.Program) bool {
		if len(p.Scop().Stmts[0].Iters) < 3 {
			return false
		}
		for i := range p.Chains.Steps {
			f(&p.Chains.Steps[i])
		}
		return true
	}}
}

// ofBodies returns a spoiler of the loops along chains.
func ofBodies(name string, f func(*cpu.For) bool) spoiler {
	return spoiler{name, func(p *cpu.Program) (done bool) {
		for i := range p.Phases {
			if loop, ok := p.Phases[i].Body[0].(cpu.For); ok {
				done = f(&loop) || done
				p.Phases[i].Body[0] = loop
			}
		}
		return done
	}}
}

// TestCPUChainMutants spoils how chains wait: each mistake is found out in a few runs. A chain that never signals hangs.
func TestCPUChainMutants(t *testing.T) {
	for _, x := range append(chainSpoilers, ofBodies("a signal of more", func(f *cpu.For) bool {
		f.Body = append([]cpu.Node{f.Body[0], cpu.Signal{Var: f.Var}}, f.Body[1:]...)
		return true
	})) {
		found, all := 0, 0
		eachOnCPU(t, 1, true, func(name string, p *cpu.Program, s *schedule.Schedule) {
			if len(s.Canonical.Space) > 2 || !x.do(p) {
				return
			}
			all++
			for seed := range uint64(10) {
				v, err := emulate.Verify(emulate.Request{CPU: p, Schedule: s, Points: 4000, First: true, Seed: seed})
				require.NoError(t, err)
				if !v.OK() {
					found++
					return
				}
			}
			t.Logf("%s of %s is not found", x.name, name)
		})
		require.NotZero(t, all, x.name)
		require.Equal(t, all, found, x.name)
	}
}

package emulate_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// inPlace calls f with each program whose space loops carry dependences, as parallelograms of several sizes.
func inPlace(t *testing.T, f func(name string, p *cpu.Program, s *schedule.Schedule)) {
	cases.EachInPlace(t, func(t *testing.T, name, text string) {
		x := pipeline.InPlace(t, name, text)
		for _, width := range []int64{2, 11} {
			sizes := schedule.Sizes{H: schedule.LegalH(x.Space.K)[1]}
			for p := range x.Space.Space {
				sizes.W = append(sizes.W, width+int64(p))
			}
			s, err := schedule.Wavefront(x.Space, x.Cone, sizes)
			require.NoError(t, err)
			loops, err := astgen.Roll(s)
			require.NoError(t, err)
			p := cpu.Make(loops)
			require.NoError(t, p.Verify(), name)
			proof := astgen.ProveEmission(s, p.Names, p.Read)
			require.True(t, proof.Holds, "%v", proof)
			f(name, p, s)
		}
	})
}

// TestWavefronts runs programs in place by chains that wait for each other: bit for bit what the source computes.
func TestWavefronts(t *testing.T) {
	inPlace(t, func(name string, p *cpu.Program, s *schedule.Schedule) {
		v, err := emulate.Verify(emulate.Request{CPU: p, Schedule: s, Points: 20_000, Jobs: 2})
		require.NoError(t, err, name)
		require.True(t, v.OK(), "%s\n%v\n%v", name, v, p)
	})
}

// TestWavefrontMutants spoils how chains wait, and the order of points: each mistake is found out in a few runs.
func TestWavefrontMutants(t *testing.T) {
	spoilers := []spoiler{
		{"no wait along the phase", func(p *cpu.Program) bool { p.Chains.Along = false; return true }},
		{"one chain less before", func(p *cpu.Program) bool {
			p.Chains.Steps[0].Lo[0]++
			return p.Chains.Steps[0].Lo[0] <= 0
		}},
		{"rows of a group side by side", func(p *cpu.Program) (done bool) {
			for _, st := range steps(p) {
				done = done || len(st.Groups) > 1
				st.Ordered = false
			}
			return done && p.Schedule.Sizes.W[0] > cpu.Behind
		}},
		{"points in any order", func(p *cpu.Program) bool {
			for _, st := range steps(p) {
				st.Ordered = false
				st.Groups = []cpu.Group{{Size: 1}}
			}
			return true
		}},
	}
	spoilers = append(spoilers, chainSpoilers[4:]...)
	spoilers = append(spoilers, ofBodies("one place less of the chain beside", func(f *cpu.For) bool {
		a, waits := f.Body[0].(cpu.Await)
		a.Beside--
		f.Body[0] = a
		return waits
	}))
	for _, x := range spoilers {
		t.Run(x.name, func(t *testing.T) {
			var counting sync.Mutex
			found, all := 0, 0
			t.Run("all", func(t *testing.T) {
				inPlace(t, func(name string, p *cpu.Program, s *schedule.Schedule) {
					if name == "recursive-filter" && x.name == "a signal too early" {
						return // its chains need nothing of those next to them that is as far as they are
					}
					chains := *p.Chains
					chains.Steps = []schedule.Wait{{From: 0, Time: 1, Lo: []int64{chains.Steps[0].Lo[0]}, Hi: []int64{0}, Lag: chains.Steps[0].Lag}}
					if p.Chains = &chains; len(s.Canonical.Space) > 2 || !x.do(p) {
						return
					}
					ok := true
					for seed := uint64(0); ok && seed < 10; seed++ {
						v, err := emulate.Verify(emulate.Request{CPU: p, Schedule: s, Points: 8000, First: true, Seed: seed})
						require.NoError(t, err)
						ok = v.OK()
					}
					counting.Lock()
					defer counting.Unlock()
					if all++; !ok {
						found++
					} else {
						t.Logf("%s of %s is not found", x.name, name)
					}
				})
			})
			require.NotZero(t, all)
			require.Equal(t, all, found)
		})
	}
}

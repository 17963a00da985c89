package emulate_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// eachSwept calls f with each program that sweeps there and back, in boxes that are few columns wide.
func eachSwept(t *testing.T, f func(t *testing.T, name string, p *cpu.Program, s *schedule.Schedule)) {
	cases.EachSwept(t, func(t *testing.T, name, text string) {
		x := pipeline.Swept(t, name, text)
		sizes := schedule.Sizes{H: schedule.NoHeight}
		for p := range x.Space.Space {
			sizes.W = append(sizes.W, 2+int64(p))
		}
		s := x.Schedule(t, sizes)
		loops, err := astgen.Roll(s)
		require.NoError(t, err)
		p := cpu.Make(loops)
		require.NoError(t, p.Verify(), name)
		f(t, name, p, s)
	})
}

// TestSweeps runs sweeps as a CPU and as a GPU would: bit for bit what the source computes, and proved to be the schedule.
func TestSweeps(t *testing.T) {
	eachSwept(t, func(t *testing.T, name string, p *cpu.Program, s *schedule.Schedule) {
		emission := astgen.ProveEmission(s, p.Names, p.Read)
		require.True(t, emission.Holds, "%v", emission)
		v, err := emulate.Verify(emulate.Request{CPU: p, Schedule: s, Points: 5000, Jobs: 2})
		require.NoError(t, err)
		require.True(t, v.OK(), "%s\n%v\n%v", name, v, p)

		kernels := pipeline.Map(t, s, pipeline.Device(t, "sm_80"), lower.Options{})
		emission = proof.Emission(kernels, pipeline.Loops(t, s))
		require.True(t, emission.Holds, "%v", emission)
		v, err = emulate.Verify(emulate.Request{Program: kernels, Schedule: s, Points: 5000, Jobs: 2})
		require.NoError(t, err)
		require.True(t, v.OK(), "%s\n%v\n%v", name, v, kernels)
	})
}

// inOrder returns the loops over tiles along the first dimension of levels in order.
func inOrder(p *cpu.Program, change func(ph *cpu.Phase, f cpu.For) cpu.For) (done bool) {
	for i := range p.Phases {
		if !p.Schedule.Canonical.SweptAt(p.Phases[i].Number) {
			continue
		}
		body := p.Phases[i].Body
		for {
			f, ok := body[len(body)-1].(cpu.For)
			if !ok {
				break
			}
			if f.Var == p.Names.Tiles[0] {
				body[len(body)-1], done = change(&p.Phases[i], f), true
				break
			}
			body = f.Body
		}
	}
	return done
}

// TestSweepMutants spoils how sweeps run: the proof of emission and the emulator both find each mistake out.
func TestSweepMutants(t *testing.T) {
	for _, x := range []spoiler{
		{"threads share a sweep", func(p *cpu.Program) bool {
			return inOrder(p, func(ph *cpu.Phase, f cpu.For) cpu.For {
				ph.Tile, f.Var, ph.Lo, f.Lo, ph.Hi, f.Hi = f.Var, ph.Tile, f.Lo, ph.Lo, f.Hi, ph.Hi
				return f
			})
		}},
		{"a sweep begins late", func(p *cpu.Program) bool {
			return inOrder(p, func(_ *cpu.Phase, f cpu.For) cpu.For { f.Lo = affine.Offset(f.Lo, 1); return f })
		}},
		{"a sweep ends early", func(p *cpu.Program) bool {
			return inOrder(p, func(_ *cpu.Phase, f cpu.For) cpu.For { f.Hi = affine.Offset(f.Hi, -1); return f })
		}},
		{"statements the other way round", func(p *cpu.Program) (done bool) {
			return inOrder(p, func(_ *cpu.Phase, f cpu.For) cpu.For {
				for i, n := range f.Body {
					if tile, ok := n.(cpu.Tile); ok {
						tile.Steps = slices.Clone(tile.Steps)
						slices.Reverse(tile.Steps)
						f.Body[i] = tile
					}
				}
				return f
			})
		}},
	} {
		t.Run(x.name, func(t *testing.T) {
			var counting sync.Mutex
			found, all := 0, 0
			t.Run("all", func(t *testing.T) {
				eachSwept(t, func(t *testing.T, name string, p *cpu.Program, s *schedule.Schedule) {
					if !x.do(p) {
						return
					}
					emission := astgen.ProveEmission(s, p.Names, p.Read)
					if x.name == "statements the other way round" && emission.Holds {
						return // there is one at each step
					}
					require.False(t, emission.Holds)
					ok := true
					for seed := uint64(0); ok && seed < 10; seed++ {
						v, err := emulate.Verify(emulate.Request{CPU: p, Schedule: s, Points: 2000, First: true, Seed: seed})
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

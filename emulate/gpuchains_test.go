package emulate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// ready returns the kernels of p at the given sizes, with tiles that wait for each other.
func (p plan) ready(t testing.TB, sizes schedule.Sizes, o lower.Options) emulate.Request {
	s := p.Schedule(t, sizes)
	pipeline.Wait(t, p.Stencil, s)
	r := requestOf(t, s, o)
	r.Points = 20_000
	return r
}

// TestChains runs every case with tiles that wait for each other: bit for bit what the source computes, however blocks overtake each other.
func TestChains(t *testing.T) {
	eachNth(t, 2, 0, func(t *testing.T, name string, p plan) {
		v, err := emulate.Verify(p.ready(t, p.small(), lower.Options{}))
		require.NoError(t, err)
		t.Log(v)
		require.True(t, v.OK(), v)
	})
}

// TestChainsOfSpace runs every case with tiles of space alone that wait for each other along all dimensions.
func TestChainsOfSpace(t *testing.T) {
	eachCase(t, func(t *testing.T, name string, p plan) {
		widths := [][]int64{{9}, {3, 8}, {2, 3, 8}, {2, 2, 3, 5}}[len(p.Space.Space)-1]
		r := p.ready(t, schedule.Sizes{H: schedule.NoHeight, W: widths}, lower.Options{})
		r.Points = 5000
		v, err := emulate.Verify(r)
		require.NoError(t, err)
		require.True(t, v.OK(), v)
	})
}

// TestChainsOfStrategies runs some cases with each way to use shared memory.
func TestChainsOfStrategies(t *testing.T) {
	tellingCases(t, func(t *testing.T, name string, p plan) {
		for _, strategy := range []lower.Strategy{lower.Global, lower.Moved, lower.Static} {
			sizes := p.small()
			for i := range sizes.W[1:] {
				sizes.W[1+i] = []int64{8, 4, 4}[i]
			}
			r := p.ready(t, sizes, lower.Options{Strategy: strategy})
			r.Points = 40_000
			v, err := emulate.Verify(r)
			require.NoError(t, err)
			require.True(t, v.OK(), "%v: %v", strategy, v)
		}
	})
}

// ofLoopsOnGPU returns a mutant of the loops along chains.
func ofLoopsOnGPU(f func(*gpu.For)) func(*gpu.Program) bool {
	return func(p *gpu.Program) (done bool) {
		for _, k := range p.Kernels {
			for i, n := range k.Body {
				if loop, ok := n.(gpu.For); ok {
					loop.Body = slices.Clone(loop.Body)
					f(&loop)
					k.Body[i], done = loop, true
				}
			}
		}
		return done
	}
}

// chainMutants are mistakes in how chains wait.
var chainMutants = map[string]func(*gpu.Program) bool{
	"one chain less before": pipeline.OfWaits(func(w *schedule.Wait) { w.Hi[0]-- }),
	"one chain less behind": pipeline.OfWaits(func(w *schedule.Wait) { w.Lo[0]++ }),
	"one place less": ofLoopsOnGPU(func(f *gpu.For) {
		a := f.Body[0].(gpu.Await)
		a.Lag--
		f.Body[0] = a
	}),
	"no wait": ofLoopsOnGPU(func(f *gpu.For) { f.Body = f.Body[1:] }),
	"a signal before the last store": ofLoopsOnGPU(func(f *gpu.For) {
		last := len(f.Body) - 1
		f.Body[last-1], f.Body[last] = f.Body[last], f.Body[last-1]
	}),
	"a signal of more": ofLoopsOnGPU(func(f *gpu.For) {
		f.Body = slices.Insert(f.Body, 1, gpu.Node(gpu.Signal{Var: f.Var}))
	}),
	"all copied before the wait": ofLoopsOnGPU(func(f *gpu.For) {
		f.Body = append(f.Body[1:len(f.Body)-1:len(f.Body)-1], f.Body[0], f.Body[len(f.Body)-1])
	}),
}

// TestChainMutants spoils how chains wait: each mistake is found in a few runs.
func TestChainMutants(t *testing.T) {
	for _, name := range []string{"jacobi-2d", "fdtd-2d", "gradient-2d"} {
		p := newPlan(t, name, cases.Input(t, name))
		sizes := p.small()
		sizes.W[1] = 12
		s := p.Schedule(t, sizes)
		needed, ok := schedule.FindChains(s, p.Cone, 1)
		require.True(t, ok)
		pipeline.Wait(t, p.Stencil, s)
		require.Equal(t, needed, *s.Waits, "what tiles copy is no more than what instances need, so that mutants need not be right")
		for what, spoil := range chainMutants {
			t.Run(name+"/"+what, func(t *testing.T) {
				t.Parallel()
				r := p.ready(t, sizes, lower.Options{})
				require.True(t, spoil(r.Program))
				r.OneVersion, r.First, r.Points = true, true, 30_000
				for seed := range uint64(10) {
					r.Seed = seed
					v, err := emulate.Verify(r)
					require.NoError(t, err)
					if !v.OK() {
						return
					}
				}
				t.Error("is not found")
			})
		}
	}
}

// TestChainRunMutants runs chains on machines that get something wrong: they are taken in another order, or who waits sees nothing of
// what others had seen.
func TestChainRunMutants(t *testing.T) {
	p := newPlan(t, "jacobi-2d", cases.Input(t, "jacobi-2d"))
	for what, o := range emulate.WrongMachines {
		found := 0
		for seed := range uint64(8) {
			r := p.ready(t, p.small(), lower.Options{})
			mem, err := scop.NewMemory(p.Scop, []int64{13, 40}, 1)
			require.NoError(t, err)
			o.Seed, o.First = seed, true
			report, err := emulate.Run(r.Program, mem, o)
			require.NoError(t, err)
			if !report.OK() {
				found++
			}
		}
		require.Greater(t, found, 4, what)
	}
}

// TestChainsPassOn runs grids where one phase may have a tile less than the other: chains without tiles signal as often as others of their phase, so that those behind them need not wait
// until all is at its end.
func TestChainsPassOn(t *testing.T) {
	p := newPlan(t, "jacobi-2d", cases.Input(t, "jacobi-2d"))
	wide := schedule.Sizes{H: 1, W: []int64{20, 2}} // a few chains of many tiles
	streams := newMaker(t, "jacobi-2d", hand{columns: 2, steps: 2, warps: 2, period: 1, width: 9, every: 1})
	for what, x := range map[string]struct {
		program *gpu.Program
		height  int64
		params  func(steps, columns int64) []int64
	}{
		"tiles":   {p.ready(t, wide, lower.Options{}).Program, 2 * (wide.H + 1), func(steps, columns int64) []int64 { return []int64{steps, columns} }},
		"streams": {streams.program(), streams.height(), func(steps, columns int64) []int64 { return streams.sizes(steps, 200, columns) }},
	} {
		t.Run(what, func(t *testing.T) {
			for n := int64(20); n < 70; n += 3 {
				signals := map[schedule.Link]int{}
				r, d := streamed(t, x.program, x.params(2*x.height, n), emulate.Heard(emulate.Options{Seed: uint64(n)}, func(of schedule.Link, place int64) { signals[of]++ }))
				require.True(t, r.OK(), "%v %v", r.Counts, r.Findings)
				require.Zero(t, d.Differ, d)
				for of, number := range signals {
					first := of
					first.At = [3]int64{} // which has tiles
					require.Equal(t, signals[first], number, "n=%d: %v", n, of)
					require.Greater(t, number, 1)
				}
			}
		})
	}
}

// TestRandomChains does so with random programs and sizes of tiles. That tiles are in order where they copy common elements is proved too.
func TestRandomChains(t *testing.T) {
	for seed := range uint64(30) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(seed, 9))
			text := randomStencil(rng)
			p := newPlan(t, "random", text)
			r := p.ready(t, p.random(rng), randomMapping(rng, len(p.Space.Space)))
			r.Points, r.Seed = 10_000, seed
			apart := proof.Apart(r.Program, pipeline.Loops(t, r.Schedule))
			require.True(t, apart.Holds, "%s%v\n%v", text, r.Schedule.Sizes, apart)
			v, err := emulate.Verify(r)
			require.NoError(t, err, text)
			require.True(t, v.OK(), "%s%v\n%v\n%v", text, r.Schedule.Sizes, v, r.Program)
		})
	}
}

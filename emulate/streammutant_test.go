package emulate_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
)

// mutantHands are shapes for mutants: lags, ring slots and both halves matter.
var mutantHands = []hand{
	{columns: 2, steps: 2, warps: 4, period: 1, width: 9, every: 1},
	{columns: 4, steps: 4, warps: 2, period: 2, width: 13, every: 1},
}

// TestStreamMutants spoils pipelines that were made by hand: each mistake is found, by findings or by values, in a few runs.
func TestStreamMutants(t *testing.T) {
	for i, x := range mutantHands {
		for k, mutant := range pipeline.StreamMutants(x.lag() % int64(x.every*3*x.period)) { // beats are signalled some at a time
			if !cases.Due(k, cases.Rounds) {
				continue
			}
			t.Run(fmt.Sprint(mutant.Name, i), func(t *testing.T) {
				t.Parallel()
				mustFind(t, mutant, func(seed int64) (*gpu.Program, []int64) {
					m := newMaker(t, []string{"heat-2d", "jacobi-2d"}[seed%2], x)
					return m.program(), m.sizes(2*m.height()+seed, 47+seed, 83+5*seed)
				})
			})
		}
	}
}

// TestStreamMutantsOfCases spoils the pipelines of cases.
func TestStreamMutantsOfCases(t *testing.T) {
	for _, x := range []pipeline.Stencil{
		pipeline.Case(t, "wave-2d"), pipeline.Case(t, "fdtd-2d"), pipeline.Read(t, "plain-pointers", cases.ReadIdiom(t, "plain-pointers").Text),
	} {
		name := x.Name
		for k, mutant := range pipeline.StreamMutants(30) {
			if !cases.Due(k, cases.Rounds) {
				continue
			}
			t.Run(name+" "+mutant.Name, func(t *testing.T) {
				t.Parallel()
				mustFind(t, mutant, func(seed int64) (*gpu.Program, []int64) {
					s, why := pipeline.Streaming(t, x.Name, x.Scop, stream.Shape{Columns: 3, Steps: 2, Warps: 4, Period: 1})
					require.Empty(t, why)
					oftener(s.Program)
					size := roomy(s)
					var params []int64
					for _, p := range s.Scop.Params {
						params = append(params, size[p.Name]+seed)
					}
					return s.Program, params
				})
			})
		}
	}
}

// mustFind requires that a mistake is found in some runs of what is made.
func mustFind(t *testing.T, m pipeline.StreamMutant, make func(seed int64) (*gpu.Program, []int64)) {
	for seed := range int64(6) {
		p, params := make(seed)
		if !m.Spoil(p) {
			t.Log("there is nothing to spoil")
			return
		}
		r, d := streamed(t, p, params, emulate.Options{Seed: uint64(seed), First: true, Last: seed%3 > 0})
		if !r.OK() || d.Differ > 0 {
			if len(r.Findings) > 0 {
				t.Log(r.Findings[0])
			} else {
				t.Log("values differ")
			}
			return
		}
	}
	t.Error("is not found")
}

// oftener has chains look each turn at what others have signalled.
func oftener(p *gpu.Program) {
	line := p.Kernels[0].Pipeline()
	for _, k := range p.Kernels {
		s := k.Body[0].(gpu.Stream)
		s.Lag -= int64(line.Every - line.Turn)
		if s.Behind > 0 {
			s.Behind -= int64(line.Every - line.Turn)
		}
		k.Body[0] = s
	}
	line.Every = line.Turn
}

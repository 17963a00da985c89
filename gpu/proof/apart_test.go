package proof_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// waiting returns kernels of x whose tiles wait for each other, and what they were made of.
func waiting(t *testing.T, x pipeline.Stencil, sizes schedule.Sizes, boxes bool) (*gpu.Program, *schedule.Schedule) {
	s := x.Schedule(t, sizes)
	b := lower.Boxes(s)
	if !boxes {
		b = nil
	}
	chains, ok := schedule.FindChains(s, x.Cone, lower.Axes(s), b...)
	require.True(t, ok, x.Name)
	s.Wait(chains)
	return pipeline.Map(t, s, pipeline.Device(t, "sm_80"), lower.Options{}), s
}

// each calls f with sizes of tiles, small and not, for each case.
func each(t *testing.T, f func(x pipeline.Stencil, sizes schedule.Sizes)) {
	for _, x := range pipeline.All(t) {
		h := schedule.LegalH(x.Space.K)[1]
		for _, w := range []int64{2, 5, 32} {
			if len(x.Space.Space) > 2 {
				w = min(w, 7)
			}
			sizes := schedule.Sizes{H: h, W: []int64{schedule.MinW0(x.Cone, h) + 2}}
			for range x.Space.Space[1:] {
				sizes.W = append(sizes.W, w)
			}
			f(x, sizes)
		}
	}
}

// TestApart proves of every case that tiles are in order that use common elements, in tiles of time and space and of space alone.
func TestApart(t *testing.T) {
	each(t, func(x pipeline.Stencil, sizes schedule.Sizes) {
		p, s := waiting(t, x, sizes, true)
		made := proof.Apart(p, pipeline.Loops(t, s))
		require.True(t, made.Holds, "%s %v %v\n%s", x.Name, sizes, made, p.Waits())
		require.NotZero(t, made.Tests)
		sizes.H, sizes.W[0] = schedule.NoHeight, 4
		p, s = waiting(t, x, sizes, true)
		made = proof.Apart(p, pipeline.Loops(t, s))
		require.True(t, made.Holds, "%s %v %v\n%s", x.Name, sizes, made, p.Waits())
	})
}

// TestApartMutants makes waits too short, and regions too small: the proof fails.
func TestApartMutants(t *testing.T) {
	x := pipeline.Case(t, "box-2d")
	sizes := schedule.Sizes{H: 1, W: []int64{2, 2}}
	fails := func(what string, p *gpu.Program, s *schedule.Schedule) {
		made := proof.Apart(p, pipeline.Loops(t, s))
		require.False(t, made.Holds, what)
		require.Empty(t, made.Undecided, what)
	}
	p, s := waiting(t, x, sizes, false) // for what instances need
	fails("no boxes", p, s)
	for what, spoil := range map[string]func(w *schedule.Wait){
		"first": func(w *schedule.Wait) { w.Lo[0]++ }, "last": func(w *schedule.Wait) { w.Hi[0]-- }, "lag": func(w *schedule.Wait) { w.Lag-- },
	} {
		for i := range 2 {
			p, s = waiting(t, x, sizes, true)
			spoil(&s.Waits.Steps[i])
			s.Wait(*s.Waits)
			fails(what, p, s)
		}
	}
	for d := 1; d < 3; d++ {
		for _, k := range []int{0, 1} {
			p, s = waiting(t, x, sizes, true)
			r := &p.Kernels[k].Copied[0]
			r.Lo[d] = affine.Offset(r.Lo[d], 1)
			fails("less of an array", p, s)
			r.Lo[d] = affine.Offset(r.Lo[d], -1)
			r.Hi[d] = affine.Offset(r.Hi[d], -1)
			fails("less of an array", p, s)
		}
	}
}

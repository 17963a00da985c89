package lower_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// A stencil is a region, up to its cone.
type stencil struct{ pipeline.Stencil }

// stencils reads all cases of testdata.
func stencils(t testing.TB) (all []stencil) {
	for _, x := range pipeline.All(t) {
		all = append(all, stencil{x})
	}
	return all
}

// small returns sizes whose tiles a test can run many of: the n-th of several.
func (x stencil) small(n int) schedule.Sizes {
	h := schedule.LegalH(x.Space.K)[n%2]
	sizes := schedule.Sizes{H: h, W: []int64{schedule.MinW0(x.Cone, h) + int64(n)}}
	for i := range x.Space.Space[1:] {
		sizes.W = append(sizes.W, int64(4+3*i+2*n))
	}
	return sizes
}

// mapped returns the kernels for sm_80.
func (x stencil) mapped(t testing.TB, sizes schedule.Sizes, o lower.Options) (*schedule.Schedule, *gpu.Program) {
	t.Helper()
	s := x.Schedule(t, sizes)
	return s, pipeline.Map(t, s, pipeline.Device(t, "sm_80"), o)
}

// runsRight runs kernels of the n-th sizes in the emulator.
func (x stencil) runsRight(t *testing.T, n int, o lower.Options) {
	t.Helper()
	s, p := x.mapped(t, x.small(n), o)
	v, err := emulate.Verify(emulate.Request{Program: p, Schedule: s, Points: 1 << 13})
	require.NoError(t, err)
	require.True(t, v.OK(), "%v %v\n%v\n%v", s.Sizes, o.Strategy, v, p)
}

// TestCasesRunRight runs kernels of every case in the emulator.
func TestCasesRunRight(t *testing.T) {
	for _, x := range pipeline.Some(t) {
		x := stencil{x}
		t.Run(x.Name, func(t *testing.T) {
			for n, o := range []lower.Options{{}, {}, {Rolled: true}} {
				x.runsRight(t, n, o)
			}
			for n, st := range lower.Strategies() {
				x.runsRight(t, n%3, lower.Options{Strategy: st})
			}
		})
	}
}

package pipeline

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// Streams are kernels whose rows stream through registers, and what they are made of.
type Streams struct {
	Stencil
	Schedule *schedule.Schedule
	Loops    *astgen.Program
	Program  *gpu.Program
}

// StrideOneFirst returns a program in the space in which its rows stream: the hexagons lie over time and the dimension whose neighbours lie side by side in memory.
func StrideOneFirst(t testing.TB, name string, p *scop.Program) Stencil {
	t.Helper()
	return stencil(t, name, p, schedule.Layout{StrideOneFirst: true}.Canonicalize, schedule.BoundCone)
}

// Streaming returns the kernels of a program whose rows stream through pipelines of that shape. why says why there are none.
func Streaming(t testing.TB, name string, p *scop.Program, shape stream.Shape) (s *Streams, why string) {
	t.Helper()
	return streaming(t, name, p, shape, true)
}

// StreamingInPhases is Streaming with a launch for all chains of a phase, which do not wait for each other.
func StreamingInPhases(t testing.TB, name string, p *scop.Program, shape stream.Shape) (s *Streams, why string) {
	t.Helper()
	return streaming(t, name, p, shape, false)
}

// InFronts returns s, whose strips wait for each other, with a launch for each front of strips.
func (s *Streams) InFronts(t testing.TB) *Streams {
	t.Helper()
	launched, why := stream.Diagonals(s.Program)
	require.Empty(t, why)
	require.NoError(t, launched.Verify())
	p := proof.Diagonals(s.Program, launched, s.Schedule)
	require.True(t, p.Holds, p.Text(false))
	out := *s
	out.Program = launched
	return &out
}

func streaming(t testing.TB, name string, p *scop.Program, shape stream.Shape, wait bool) (s *Streams, why string) {
	t.Helper()
	x := StrideOneFirst(t, name, p)
	fit := stream.Fits(x.Space, x.Cone, Device(t, "sm_90"), shape)
	if fit.Why != "" {
		return nil, fit.Why
	}
	s = &Streams{Stencil: x, Schedule: x.Schedule(t, fit.Sizes)}
	if wait {
		c, ok := stream.Chains(s.Schedule, x.Cone)
		require.True(t, ok, name)
		s.Schedule.Wait(c)
	}
	s.Loops = Loops(t, s.Schedule)
	s.Program, why = stream.Lower(s.Loops, Device(t, "sm_90"), shape)
	if why == "" {
		require.NoError(t, s.Program.Verify(), name)
	}
	return s, why
}

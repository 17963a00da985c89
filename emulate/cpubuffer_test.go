package emulate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/schedule"
)

// buffered returns p by boxes that overlap for a CPU, ready to verify; ok is false where tiles cannot have for themselves what they compute. spoil may change the
// schedule before.
func (p plan) buffered(t testing.TB, sizes schedule.Sizes, spoil func(*schedule.Schedule)) (r emulate.Request, ok bool) {
	t.Helper()
	s, err := schedule.OverlappedTiles(p.Space, p.Deps, sizes)
	require.NoError(t, err)
	if _, conflict := s.Conflict(); conflict {
		return r, false
	}
	if _, err := cpu.Buffers(s, astgen.NamesOf(s)); err != nil {
		return r, false
	}
	if spoil != nil {
		spoil(s)
	}
	s.Relate()
	loops, err := astgen.Roll(s)
	require.NoError(t, err)
	return emulate.Request{CPU: cpu.Make(loops), Schedule: s, Points: 20_000}, true
}

// TestRandomBuffers verifies random chains of nests by boxes that overlap on a CPU.
func TestRandomBuffers(t *testing.T) {
	ran, again, buffers := 0, int64(0), 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 23))
		text, dims, most := randomNests(rng)
		p := newPlan(t, "random", text)
		sizes := schedule.Sizes{H: 1 + rng.Int64N(most)}
		for range dims {
			sizes.W = append(sizes.W, 1+rng.Int64N(9))
		}
		r, ok := p.buffered(t, sizes, nil)
		if !ok {
			continue
		}
		require.NoError(t, r.CPU.Verify(), "%s%v", text, r.CPU)
		for _, x := range []schedule.Proof{schedule.ProvePartition(r.Schedule), schedule.ProveLegality(r.Schedule, p.Deps), astgen.ProveEmission(r.Schedule, r.CPU.Names, r.CPU.Read)} {
			require.True(t, x.Holds, "%v\n%s%v", x, text, r.CPU)
		}
		r.Seed = seed
		v, err := emulate.Verify(r)
		require.NoError(t, err, text)
		require.True(t, v.OK(), "%s%v\n%v\n%v", text, sizes, v, r.CPU)
		require.True(t, v.Overlaps)
		ran++
		for _, x := range v.Trials {
			again += x.Report.Again
		}
		buffers += len(r.CPU.Buffers)
	}
	t.Logf("%d programs ran, with %d buffers", ran, buffers)
	require.Greater(t, ran, 10)
	require.Positive(t, again)
	require.Greater(t, buffers, 10)
}

// TestBufferMutants spoils buffers, and boxes of tiles that overlap: cpu.Program.Verify or a proof finds out, and so does the emulator.
func TestBufferMutants(t *testing.T) {
	p := newPlan(t, "diffusion", diffusion)
	sizes := schedule.Sizes{H: 1, W: []int64{4, 8}}
	r, ok := p.buffered(t, sizes, nil)
	require.True(t, ok)
	require.NoError(t, r.CPU.Verify())
	require.Len(t, r.CPU.Buffers, 3)
	find := func(t *testing.T, spoilt emulate.Request, kind emulate.Kind) {
		v, err := emulate.Verify(spoilt)
		require.NoError(t, err)
		require.False(t, v.OK(), "the emulator finds nothing: %v\n%v", v, spoilt.CPU)
		counts := int64(0)
		for _, x := range v.Trials {
			counts += x.Report.Counts[kind]
		}
		require.Positive(t, counts, "%v", v)
	}
	for i, b := range r.CPU.Buffers {
		for k := range b.Shape {
			for name, spoil := range map[string]func(*cpu.Buffer){
				"a shape that is one less":                        func(b *cpu.Buffer) { b.Shape[k]-- },
				"an origin that is one more":                      func(b *cpu.Buffer) { b.Origin[k] = b.Origin[k].Add(1) },
				"an origin that is one less":                      func(b *cpu.Buffer) { b.Origin[k] = b.Origin[k].Add(-1) },
				"an origin that stays where it is":                func(b *cpu.Buffer) { b.Origin[k] = affine.Num(b.Origin[k].Const) },
				"an origin that moves one more from tile to tile": func(b *cpu.Buffer) { b.Origin[k] = b.Origin[k].Plus(affine.Var(r.CPU.Names.Tiles[k])) },
			} {
				t.Run(fmt.Sprintf("%s: %s of dimension %d", b.Array.Name, name, k), func(t *testing.T) {
					spoilt, program := r, *r.CPU
					program.Buffers = slices.Clone(program.Buffers)
					x := &program.Buffers[i]
					x.Shape, x.Origin = slices.Clone(x.Shape), slices.Clone(x.Origin)
					spoil(x)
					spoilt.CPU = &program
					require.ErrorContains(t, program.Verify(), "may be outside of")
					find(t, spoilt, emulate.OutOfBounds)
				})
			}
		}
	}
	for _, x := range []struct {
		name  string
		kind  emulate.Kind
		spoil func(*schedule.Schedule)
	}{
		{"a halo that is one too narrow", emulate.Uninitialised, func(s *schedule.Schedule) { s.Phases[0].Boxes[0][0].Hi[0]-- }},
		{"a halo that is one too narrow to the left", emulate.Uninitialised, func(s *schedule.Schedule) { s.Phases[0].Boxes[0][0].Lo[1]++ }},
	} {
		t.Run(x.name, func(t *testing.T) {
			spoilt, ok := p.buffered(t, sizes, x.spoil)
			require.True(t, ok)
			require.False(t, schedule.ProveLegality(spoilt.Schedule, p.Deps).Holds)
			find(t, spoilt, x.kind)
		})
	}
	t.Run("no buffer", func(t *testing.T) {
		spoilt, program := r, *r.CPU
		program.Buffers = program.Buffers[1:]
		spoilt.CPU = &program
		require.ErrorContains(t, program.Verify(), "2 buffers for 3 arrays")
		find(t, spoilt, emulate.TileRace)
	})
}

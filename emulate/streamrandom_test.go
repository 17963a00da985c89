package emulate_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/symbolic"
)

var (
	randomStreams = flag.Int("streams", 7, "run so many random programs of two dimensions whose rows stream")
	randomVolumes = flag.Int("volumes", 14, "run so many random programs of three dimensions whose planes stream")
	firstStream   = flag.Int("first-stream", 0, "the seed of the first of them")
)

// TestRandomStreams runs and proves random programs of two space dimensions in pipelines of random shapes. Most of them stream.
func TestRandomStreams(t *testing.T) {
	eachRandomStream(t, *randomStreams, func(rng *rand.Rand) (text string, shapes func() stream.Shape) {
		return stencilOf(rng, 2), func() stream.Shape {
			return stream.Shape{Columns: 2 + rng.IntN(5), Steps: 1 + rng.IntN(3), Warps: 1 + rng.IntN(4), Period: 1 + rng.IntN(3)}
		}
	})
}

// TestRandomVolumes is TestRandomStreams in three dimensions of space.
func TestRandomVolumes(t *testing.T) {
	eachRandomStream(t, *randomVolumes, func(rng *rand.Rand) (text string, shapes func() stream.Shape) {
		return volumeOf(rng), func() stream.Shape {
			tall := [][2]int{{1, 2}, {2, 1}, {2, 2}, {1, 4}, {3, 2}, {2, 3}, {4, 1}}[rng.IntN(7)]
			s := stream.Shape{Columns: 1 + rng.IntN(3), Steps: tall[0], Warps: tall[1], Period: 1 + rng.IntN(2), Lines: 1 + rng.IntN(6)}
			if rng.IntN(2) == 0 {
				s.Across = 2 + rng.IntN(3)
			}
			return s
		}
	})
}

// eachRandomStream runs and proves so many programs, in the first shape of several in which they stream: with chains that wait for each other, and in two dimensions with
// a launch for each phase, too; in three, with one for each front of strips. More than a third of them do.
func eachRandomStream(t *testing.T, n int, program func(rng *rand.Rand) (text string, shapes func() stream.Shape)) {
	taken := make([]bool, n)
	t.Run("seeds", func(t *testing.T) {
		for i := range taken {
			seed := uint64(*firstStream + i)
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				rng := rand.New(rand.NewPCG(seed, 18))
				text, shapes := program(rng)
				text = strings.ReplaceAll(text, "float", []string{"float", "double", "int"}[rng.IntN(3)])
				p := pipeline.Read(t, "random", text)
				var s *pipeline.Streams
				var shape stream.Shape
				for try, why := 0, "?"; why != ""; try++ {
					if try == 12 {
						t.Log(why)
						return
					}
					shape = shapes()
					s, why = pipeline.Streaming(t, "random", p.Scop, shape)
				}
				taken[i] = true
				require.Empty(t, proof.Emission(s.Program, s.Loops).Violation, text)
				full := symbolic.ProveStreams(s.Program, s.Schedule)
				require.True(t, full.Holds, "%s%v\n%s", text, shape, full.Text(false))
				r := emulate.Request{Program: s.Program, Schedule: s.Schedule, OneVersion: true, Points: 20_000, Seed: seed}
				if shape.Lines == 0 {
					r.Sizes = []emulate.Size{roomy(s), nil}
				}
				v, err := emulate.Verify(r)
				require.NoError(t, err, text)
				require.True(t, v.OK(), "%s%v\n%v", text, shape, v)
				runAgainst(t, s, rng, text, 6)
				if shape.Lines > 0 {
					runAgainst(t, s.InFronts(t), rng, text, 2)
				} else {
					launched, why := pipeline.StreamingInPhases(t, "random", p.Scop, shape)
					require.Empty(t, why)
					full := symbolic.ProveStreams(launched.Program, launched.Schedule)
					require.True(t, full.Holds, "%s%v\n%s", text, shape, full.Text(false))
					runAgainst(t, launched, rng, text, 6)
				}
			})
		}
	})
	taking := 0
	for _, ok := range taken {
		if ok {
			taking++
		}
	}
	t.Logf("%d of %d stream", taking, n)
	require.Greater(t, taking, n/3)
}

// runAgainst runs a stream at some odd sizes, where the last chains and first warps that can run always do, or the first ones.
func runAgainst(t *testing.T, s *pipeline.Streams, rng *rand.Rand, text string, times int) {
	for range times {
		params := oddSizes(s, rng)
		if params == nil {
			continue
		}
		o := emulate.Options{Seed: rng.Uint64(), Last: rng.IntN(3) > 0}
		r, d := streamed(t, s.Program, params, o)
		require.True(t, r.OK(), "%s%v %v\n%v %v", text, params, o, r.Counts, r.Findings)
		require.Zero(t, d.Differ, "%s%v %v\n%v", text, params, o, d)
	}
}

// oddSizes returns values of parameters about the sizes of tiles, of less than one, and primes; nil if the program does not allow them.
func oddSizes(s *pipeline.Streams, rng *rand.Rand) (params []int64) {
	p := s.Program.Pipeline()
	widths := map[string]int64{"T": s.Schedule.Height, "n": int64(max(p.Lines, 1) * p.Across), "m": int64(p.Turn), "l": s.Schedule.Phases[0].Space[0].Stride}
	named := map[string]int64{}
	for _, v := range s.Scop.Params {
		w := widths[v.Name]
		n := []int64{rng.Int64N(4), w + rng.Int64N(7) - 2, 2*w + rng.Int64N(9), []int64{5, 7, 11, 13, 17, 19}[rng.IntN(6)], 3 + rng.Int64N(w+9)}[rng.IntN(5)]
		named[v.Name] = max(0, n)
		params = append(params, max(0, n))
	}
	if len(s.Scop.Context.Basics()) > 0 && !s.Scop.Context.Contains(named) {
		return nil
	}
	return params
}

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

var randomStreams = flag.Int("streams", 10, "run so many random programs whose rows stream")

// TestRandomStreams runs and proves random programs of two space dimensions in pipelines of random shapes. Most of them stream.
func TestRandomStreams(t *testing.T) {
	taken := make([]bool, *randomStreams)
	t.Run("seeds", func(t *testing.T) {
		for seed := range taken {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				rng := rand.New(rand.NewPCG(uint64(seed), 18))
				text := strings.ReplaceAll(stencilOf(rng, 2), "float", []string{"float", "double", "int"}[rng.IntN(3)])
				p := pipeline.Read(t, "random", text)
				var s *pipeline.Streams
				var shape stream.Shape
				for try, why := 0, "?"; why != ""; try++ {
					if try == 12 {
						t.Log(why)
						return
					}
					shape = stream.Shape{Columns: 2 + rng.IntN(5), Steps: 1 + rng.IntN(3), Warps: 1 + rng.IntN(4), Period: 1 + rng.IntN(3)}
					s, why = pipeline.Streaming(t, "random", p.Scop, shape)
				}
				taken[seed] = true
				require.Empty(t, proof.Emission(s.Program, s.Loops).Violation, text)
				full := symbolic.ProveStreams(s.Program, s.Schedule)
				require.True(t, full.Holds, "%s%v\n%s", text, shape, full.Text(false))
				v, err := emulate.Verify(emulate.Request{Program: s.Program, Schedule: s.Schedule, OneVersion: true, Points: 20_000, Seed: uint64(seed), Sizes: []emulate.Size{roomy(s), nil}})
				require.NoError(t, err, text)
				require.True(t, v.OK(), "%s%v\n%v", text, shape, v)
			})
		}
	})
	n := 0
	for _, ok := range taken {
		if ok {
			n++
		}
	}
	t.Logf("%d of %d stream", n, len(taken))
	require.Greater(t, n, len(taken)/3)
}

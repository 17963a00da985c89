package hexcc_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

var randomPipelines = flag.Int("random-pipelines", 40, "how many random programs in place to run on ranks")

// TestRandomPipelines translates random programs whose points use what others of the same step have written for ranks, in tiles of random sizes, and runs them as some ranks with memory of their own: those that are taken leave
// what the source does, bit for bit.
func TestRandomPipelines(t *testing.T) {
	taken := make([]bool, *randomPipelines)
	t.Run("seeds", func(t *testing.T) {
		for seed := range taken {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				rng := rand.New(rand.NewPCG(uint64(seed), 23))
				text := randomInPlace(rng)
				o := hexcc.Options{NoAlias: true, Strategy: hexcc.Wavefront, Target: hexcc.MPI, Stop: "cone"}
				first, err := hexcc.Compile(source([]byte(text)), o)
				var list diag.List
				if errors.As(err, &list) {
					return
				}
				require.NoError(t, err, text)
				o.Stop, o.Tile = "", smallAtRandom(rng, first.Space)
				for far, ok := schedule.FarthestWait(first.Space, first.Cone, *o.Tile); ok && far > 1; far, ok = schedule.FarthestWait(first.Space, first.Cone, *o.Tile) {
					o.Tile.W[0]++
				}
				res, err := hexcc.Compile(source([]byte(text)), o)
				if errors.As(err, &list) {
					t.Logf("%s%v", text, err)
					require.Contains(t, []diag.Code{"HX202", "HX311", "HX402"}, list[0].Code, text)
					return
				}
				require.NoError(t, err, text)
				require.NotNil(t, res.Ranks.Pipeline, text)
				for _, steps := range []int64{1, 5, 8} {
					params, ok := oracle.Sized(res.Scop, []int64{0, 0, 71, 27, 15}[len(res.Scop.Stmts[0].Iters)], steps)
					if !ok {
						continue
					}
					before, err := scop.NewMemory(res.Scop, params, uint64(seed))
					require.NoError(t, err)
					want := before.Clone()
					require.NoError(t, scop.Run(res.Scop, want))
					for count := 1; count <= 4; count++ {
						mem := before.Clone()
						report, enough, err := emulate.RunRanks(res.CPU, res.Ranks, count, mem, emulate.Options{Seed: uint64(seed)})
						require.NoError(t, err, text)
						if !enough {
							continue
						}
						require.Empty(t, report.Findings, text)
						d := want.Compare(mem)
						require.Zero(t, d.Differ, "%s%v, %d ranks at %v: %+v", text, o.Tile, count, params, d)
						taken[seed] = taken[seed] || count > 1
					}
				}
			})
		}
	})
	n := strings.Count(fmt.Sprint(taken), "true")
	t.Logf("%d of %d are taken", n, len(taken))
	require.Greater(t, 3*n, len(taken))
}

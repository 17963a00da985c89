package emulate_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/schedule"
)

// TestRandomPlanes verifies random chains of nests by boxes that overlap and stream along one of two or three dimensions.
func TestRandomPlanes(t *testing.T) {
	ran, refused, absent, versions := 0, 0, 0, 0
	seeds := uint64(16)
	if cases.Whole() {
		seeds = 60
	}
	t.Run("all", func(t *testing.T) {
		for seed := range seeds {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				rng := rand.New(rand.NewPCG(seed, 23))
				text, dims, most := randomNests(rng)
				for dims < 2 {
					text, dims, most = randomNests(rng)
				}
				p := newPlan(t, "random", text)
				sizes := schedule.Sizes{H: 1 + rng.Int64N(most), Stream: new(rng.IntN(dims))}
				for range dims {
					sizes.W = append(sizes.W, 1+rng.Int64N(9))
				}
				o := lower.Options{Async: rng.IntN(2) == 0}
				if rng.IntN(3) == 0 {
					o.Threads = [3]int{1 + rng.IntN(40), 1 + rng.IntN(3), 1}
				}
				r, loops, ok := p.overlapped(t, sizes, o, nil)
				if !ok {
					refused++
					return
				}
				for _, x := range p.proofs(r, loops) {
					require.True(t, x.Holds, "%v\n%s%v", x, text, r.Program)
				}
				r.Points, r.Seed = 8000, seed
				v, err := emulate.Verify(r)
				require.NoError(t, err, text)
				require.True(t, v.OK(), "%s%v\n%v\n%v", text, sizes, v, r.Program)
				ran++
				absent, versions = absent+len(r.Schedule.Temporaries), versions+len(r.Schedule.Versions)
			})
		}
	})
	require.Greater(t, ran, 4*refused)
	require.Positive(t, absent)
	require.Positive(t, versions)
}

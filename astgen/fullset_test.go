package astgen_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// TestFullTilesAreTheCondition compares the condition under which a tile runs
// the code of a full one with the exact set of full tiles, at all tiles that run.
func TestFullTilesAreTheCondition(t *testing.T) {
	checked := []string{"jacobi-1d ", "asymmetric", "jacobi-2d", "fdtd-2d", "em-2d", "diffusion-2d", "heat-3d "}
	cases(t, func(t *testing.T, s *schedule.Schedule) {
		if !slices.ContainsFunc(checked, func(name string) bool { return strings.Contains(strings.ReplaceAll(t.Name(), "_", " "), "/"+name) }) {
			return
		}
		p, rng := pipeline.Loops(t, s), rand.New(rand.NewPCG(1, 2))
		host := p.Body.(astgen.For)
		full, partial := 0, 0
		for phase, n := range host.Body.(astgen.Block) {
			set := schedule.FullTiles(s, phase)
			for range 400 {
				env := map[string]int64{}
				for _, x := range s.Canonical.Scop.Params {
					env[x.Name] = 1 + rng.Int64N(40)
				}
				params := map[string]int64{}
				for name, v := range env {
					params[name] = v
				}
				var index []int64
				node, empty := astgen.Node(host), false
				for loop, ok := node.(astgen.For); ok && !empty; loop, ok = node.(astgen.For) {
					v, some := inside(rng, loop, env)
					index, env[loop.Var], empty = append(index, v), v, !some
					if node = loop.Body; loop.Var == host.Var {
						node = n.(astgen.Launch).Body
					}
				}
				if empty {
					continue
				}
				runs := false
				if cond, ok := node.(astgen.If); ok {
					runs = cond.Cond.Holds(env)
				}
				require.Equal(t, runs, set.Contains(params, index...), "phase %d, tile %v for %v\n%v", phase, index, params, set)
				if runs {
					full++
				} else {
					partial++
				}
			}
		}
		require.Positive(t, partial)
		t.Logf("%d full, %d partial", full, partial)
	})
}

// inside returns a value in the range of a loop; ok is false if there is none.
func inside(rng *rand.Rand, l astgen.For, env map[string]int64) (v int64, ok bool) {
	lo, hi := affine.Eval(l.Lo, env), affine.Eval(l.Hi, env)
	return lo + rng.Int64N(max(1, hi-lo+1)), lo <= hi
}

package lower_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
)

// fullTileNodes calls f with each list of nodes of the full tiles of p.
func fullTileNodes(p *gpu.Program, f func([]gpu.Node)) {
	var walk func(ns []gpu.Node, full bool)
	walk = func(ns []gpu.Node, full bool) {
		if full {
			f(ns)
		}
		for _, n := range ns {
			switch n := n.(type) {
			case gpu.For:
				walk(n.Body, full)
			case gpu.If:
				walk(n.Then, full || n.Role.Kind == gpu.FullTile)
				if full {
					walk(n.Else, full)
				}
			}
		}
	}
	for _, k := range p.Kernels {
		walk(k.Body, false)
	}
}

// TestLoadsAheadOfStores: in each step of fdtd-2d, whose points neither read what others of the step write nor read anything under a
// condition, no point reads memory but by loads, and each load stands as many points ahead of the one that reads it as the bound lets it.
func TestLoadsAheadOfStores(t *testing.T) {
	x := stencil{pipeline.Case(t, "fdtd-2d")}
	_, p := x.mapped(t, schedule.Sizes{H: 3, W: []int64{20, 32}}, lower.Options{})
	steps, far := 0, 0
	fullTileNodes(p, func(nodes []gpu.Node) {
		for _, n := range nodes {
			step, ok := n.(gpu.Threads)
			if !ok || step.Role.Kind != gpu.TimeStep {
				continue
			}
			steps++
			points := 0
			reader := map[string]int{} // of a register: the first point that reads it
			for _, op := range step.Body {
				c, ok := op.(gpu.Compute)
				if !ok {
					continue
				}
				for i, r := range c.Refs {
					if c.Stmt.Accesses[i].Write {
						continue
					}
					require.NotEmpty(t, r.Reg, "%v reads memory", r)
					if _, seen := reader[r.Reg]; !seen {
						reader[r.Reg] = points
					}
				}
				points++
			}
			ran, waiting := 0, map[int]int{} // words by the point that reads them first
			held := func() (n int) {
				for point, words := range waiting {
					if point >= ran {
						n += words
					}
				}
				return n
			}
			var before int // words that were held when the last point ran
			for _, op := range step.Body {
				switch op := op.(type) {
				case gpu.Load:
					words := op.From.Array.Elem.Size() / 4
					if ran > 0 {
						require.Greater(t, before+words, lower.AheadAtMost, "%v might stand ahead of a point", op.From)
					}
					at := reader[op.Reg]
					waiting[at] += words
					if at > ran {
						require.LessOrEqual(t, held(), lower.AheadAtMost)
						far = max(far, at-ran)
					}
				case gpu.Compute:
					before = held()
					ran++
				}
			}
		}
	})
	require.Positive(t, steps)
	require.Greater(t, far, 3)
}

// TestCopiesAhead: in three dimensions, whose copies in have parts that not all threads run, these are loads and stores of their own:
// none of the stores stands ahead of a load of the same turn.
func TestCopiesAhead(t *testing.T) {
	x := stencil{pipeline.Case(t, "laplacian-3d")}
	_, p := x.mapped(t, schedule.Sizes{H: 2, W: []int64{0, 24, 32}}, lower.Options{})
	turns, split := 0, 0
	fullTileNodes(p, func(nodes []gpu.Node) {
		var loaded []string // not stored yet
		stored := false
		for _, n := range nodes {
			c, ok := n.(gpu.Threads)
			if !ok || c.Role.Kind != gpu.CopyIn {
				continue
			}
			if c.Fetches() {
				require.True(t, !stored || len(loaded) == 0, "a load waits for a store")
				if stored = false; len(loaded) == 0 {
					turns++
				}
				for _, op := range c.Body {
					loaded = append(loaded, op.(gpu.Load).Reg)
				}
				require.LessOrEqual(t, len(loaded), lower.AheadAtMost)
				continue
			}
			for _, op := range c.Body {
				if reg := op.(gpu.Copy).From.Reg; reg != "" {
					i := slices.Index(loaded, reg)
					require.GreaterOrEqual(t, i, 0)
					loaded, stored = slices.Delete(loaded, i, i+1), true
					split++
				}
			}
		}
		require.Empty(t, loaded)
	})
	require.Positive(t, turns)
	require.Greater(t, split, 10)
}

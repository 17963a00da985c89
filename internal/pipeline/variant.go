package pipeline

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// Widths of tiles in one, two, three and four dimensions.
type Widths [4][]int64

var (
	Narrow = Widths{{5}, {3, 16}, {2, 4, 8}, {1, 2, 2, 4}}         // small grids have many such tiles
	Warps  = Widths{{5}, {3, 32}, {2, 4, 32}, {1, 2, 2, 16}}       // a row is a warp
	Wide   = Widths{{9000}, {40, 128}, {6, 16, 64}, {1, 2, 2, 32}} // they need more shared memory than may be declared, over 48 KiB
)

// Of returns sizes of tiles with these widths, or what the cone needs, and of the
// largest legal height up to 2, or the least one.
func (w Widths) Of(c *schedule.Canonical, cone schedule.Cone) schedule.Sizes {
	legal := schedule.LegalH(c.K)
	s := schedule.Sizes{H: legal[0], W: slices.Clone(w[len(c.Space)-1])}
	for _, h := range legal {
		if h <= 2 {
			s.H = h
		}
	}
	s.W[0] = max(s.W[0], schedule.MinW0(cone, s.H))
	return s
}

// A Variant is a way to make kernels of a program.
type Variant struct {
	Name      string
	Strategy  lower.Strategy
	Widths    Widths
	SpaceOnly bool // tiles of space alone
	Unroll    int  // points along s0 in the body of a loop; 0: straight code
	Turns     bool // few threads and a small limit: loops over the turns of the threads
	Ready     bool // tiles wait for each other
	FMA       bool // products are fused with sums
	Async     bool // copies in are asynchronous
}

// The variants that printers of kernels are tested with.
var (
	Staged    = Variant{Name: "staged", Widths: Warps}
	Global    = Variant{Name: "global", Widths: Warps, Strategy: lower.Global}
	Large     = Variant{Name: "large", Widths: Wide}
	By7       = Variant{Name: "by7", Widths: Wide, Unroll: 7}
	By2       = Variant{Name: "by2", Widths: Warps, Unroll: 2, Strategy: lower.Static}
	Turns     = Variant{Name: "turns", Widths: Warps, Strategy: lower.Static, Turns: true}
	SpaceOnly = Variant{Name: "space", Widths: Warps, SpaceOnly: true}
	Untiled   = Variant{Name: "untiled", Widths: Warps, SpaceOnly: true, Strategy: lower.Global}
	Fused     = Variant{Name: "fused", Widths: Warps, FMA: true}
)

// Map translates C text up to kernels for sm_80.
func (v Variant) Map(t testing.TB, base, text string) (*schedule.Schedule, *gpu.Program) {
	t.Helper()
	x := Folded(t, base, text)
	if v.FMA {
		x = Of(t, base, scop.Fused(x.Scop))
	}
	s, _, p := v.Of(t, x)
	return s, p
}

// Wait has the tiles of s, a schedule of x, wait for each other.
func Wait(t testing.TB, x Stencil, s *schedule.Schedule) {
	t.Helper()
	chains, ok := schedule.FindChains(s, x.Cone, lower.Axes(s), lower.Boxes(s)...)
	require.True(t, ok, x.Name)
	waits := schedule.ProveWaits(s, chains)
	require.True(t, waits.Holds, "%s: %v", x.Name, waits)
	s.Wait(chains)
	legality := schedule.ProveLegality(s, x.Deps)
	require.True(t, legality.Holds, "%s: %v", x.Name, legality)
}

// Of translates a stencil up to kernels for sm_80.
func (v Variant) Of(t testing.TB, x Stencil) (*schedule.Schedule, *astgen.Program, *gpu.Program) {
	t.Helper()
	sizes := v.Widths.Of(x.Space, x.Cone)
	if v.SpaceOnly {
		sizes.H = schedule.NoHeight
	}
	s := x.Schedule(t, sizes)
	if v.Ready {
		Wait(t, x, s)
	}
	o := lower.Options{Strategy: v.Strategy, Unroll: v.Unroll, Async: v.Async}
	if v.Turns {
		o.Threads, o.Limit = [3]int{8, 1, 1}, 10
	}
	loops := Loops(t, s)
	p, err := lower.Lower(loops, Device(t, "sm_80"), o)
	require.NoError(t, err)
	require.NoError(t, p.Verify())
	return s, loops, p
}

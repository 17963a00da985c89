package model_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// TestAskedKept: the tiles that are chosen with wishes have kernels that keep them, and that are what the model counted.
func TestAskedKept(t *testing.T) {
	d := pipeline.Device(t, "sm_80")
	for _, name := range []string{"jacobi-1d", "jacobi-2d", "em-2d", "laplacian-3d"} {
		x := pipeline.Case(t, name)
		for what, asked := range map[string]model.Asked{
			"block":        {Block: [3]int{64, 1, 1}},
			"narrow block": {Block: [3]int{8, 3, 1}},
			"elements":     {Points: [3]int{2, 0, 0}},
			"more":         {Points: [3]int{1, 5, 0}},
			"occupancy":    {Occupancy: 0.5},
			"both":         {Block: [3]int{128, 1, 1}, Occupancy: 0.25},
			"stage":        {Stage: map[string]bool{x.Space.Scop.Arrays[0].Name: true}},
		} {
			d := asked.Within(d)
			c, err := model.Choose(x.Space, x.Cone, d, nil, asked)
			require.NoError(t, err, "%s %s", name, what)
			o := asked.Options()
			o.Leave, o.Async = c.Left, d.AsyncCopies
			s := x.Schedule(t, c.Sizes())
			for _, k := range pipeline.Map(t, s, d, o).Kernels {
				require.Equal(t, c.Best[0].Counts.Threads, k.Threads[0]*k.Threads[1], "%s %s", name, what)
				require.Equal(t, c.Best[0].Counts.SharedBytes, k.SharedBytes(), "%s %s", name, what)
				require.True(t, asked.Keeps(d, d.Occupancy(k.Threads[0]*k.Threads[1], k.Registers, k.SharedBytes())), "%s %s", name, what)
				if asked.Block[0] > 0 {
					require.Equal(t, asked.Block, k.Threads)
				}
				if n := asked.Points[0]; n > 0 {
					width := c.Sizes().W[len(c.Sizes().W)-1]
					require.GreaterOrEqual(t, int64(k.Threads[0]*n), width, "%s %s", name, what)
				}
				staged := false
				for _, b := range k.Shared {
					staged = staged || asked.Stage[b.Array.Name]
				}
				require.Equal(t, asked.Stage != nil, staged, "%s %s", name, what)
			}
		}
	}
}

// TestDemote: arrays go one by one, as many as it takes and no more, and none that has to stay.
func TestDemote(t *testing.T) {
	x := pipeline.Case(t, "em-2d")
	d := pipeline.Device(t, "sm_80")
	s := x.Schedule(t, schedule.Sizes{H: 5, W: []int64{30, 64}})
	holds := func(a model.Asked) machine.Occupancy {
		k := pipeline.Map(t, s, d, a.Options()).Kernels[0]
		return d.Occupancy(k.Threads[0]*k.Threads[1], k.Registers, k.SharedBytes())
	}
	before := holds(model.Asked{})
	require.Equal(t, "shared memory", before.Limit)
	last := len(x.Space.Scop.Arrays) + 1
	for _, occupancy := range []float64{1.01 * float64(before.Warps) / float64(d.WarpsPerSM()), float64(before.Warps) / float64(d.WarpsPerSM())} {
		a := model.Demote(s, d, model.Asked{Occupancy: occupancy})
		require.True(t, a.Keeps(d, holds(a)))
		require.Less(t, len(a.Leave), last)
		last = len(a.Leave)
		for name := range a.Leave { // one array fewer is not enough, if it was the last that went
			rest := model.Asked{Occupancy: occupancy, Leave: lower.Leave{}}
			for other, why := range a.Leave {
				if other != name {
					rest.Leave[other] = why
				}
			}
			if len(a.Leave) == 1 {
				require.False(t, rest.Keeps(d, holds(rest)))
			}
		}
	}
	require.Zero(t, last)
	all := map[string]bool{}
	for _, array := range x.Space.Scop.Arrays {
		all[array.Name] = true
	}
	require.Empty(t, model.Demote(s, d, model.Asked{Occupancy: 1, Stage: all}).Leave)
}

// TestDemoteStreaming: of the inner operator of a wave solver, five fields of which a tile of 16 by 16 columns has five planes each, 0.96 blocks fit 48 KiB of shared memory. Without
// two of the fields it is 1.6 (ARTEMIS, section II-B: rhs4center, where those are the two of the material: here mu is read more often than a displacement). The stretching adds a row along each axis.
func TestDemoteStreaming(t *testing.T) {
	x := pipeline.Read(t, "elastic", cases.ReadIdiom(t, "elastic-waves").Text)
	s, err := schedule.NewOverlap(x.Space, x.Deps).Schedule(schedule.Sizes{H: 1, W: []int64{64, 12, 12}, Stream: new(0)})
	require.NoError(t, err)
	d := pipeline.Device(t, "sm_60")
	d.SharedPerSM = 48 << 10
	const rows = 128 + 128 + 48 // strx, stry, strz
	bytes := func(a model.Asked) int64 {
		a.Block = [3]int{16, 16, 1}
		return lower.NewCounter(x.Space, d, a.Options()).Traffic(s, 0).SharedBytes
	}
	all := bytes(model.Asked{})
	require.EqualValues(t, 5*5*16*16*8+rows, all)
	require.InDelta(t, 0.96, float64(d.SharedPerSM)/float64(all-rows), 0.005)

	one := model.Demote(s, d, model.Asked{Block: [3]int{16, 16, 1}, Occupancy: 8. / 64})
	require.Len(t, one.Leave, 1)                  // a block fits then
	d.SharedPerSM, d.SharedBytes = 31<<10, 31<<10 // so that there is no room for a plane more, which would be loaded ahead
	two := model.Demote(s, d, model.Asked{Block: [3]int{16, 16, 1}, Occupancy: 8. / 64})
	require.Len(t, two.Leave, 2)
	require.Contains(t, two.Leave, "la") // which has the fewest accesses
	require.InDelta(t, 1.6, float64(48<<10)/float64(bytes(two)-rows), 0.005)
}

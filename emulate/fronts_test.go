package emulate_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// TestFrontTraffic counts what warps do that run waves: at most two lanes want different words of a bank, and none in seidel-2d, of which an
// update takes fewer bytes of global memory than an element to load and one to store, also on a small grid.
func TestFrontTraffic(t *testing.T) {
	cases.EachInPlace(t, func(t *testing.T, name, text string) {
		x := pipeline.InPlace(t, name, text)
		if len(x.Space.Space) != 2 {
			return
		}
		s, err := schedule.TileFronts(x.Space, x.Cone, x.Deps, schedule.Sizes{H: schedule.LegalH(x.Space.K)[3/x.Space.K], W: []int64{16, 64}})
		require.NoError(t, err)
		loops, err := astgen.Generate(s)
		require.NoError(t, err)
		p, err := lower.Lower(loops, pipeline.Device(t, "sm_90"), lower.Options{})
		require.NoError(t, err)
		var params []int64
		for _, q := range x.Scop.Params {
			if slices.Contains([]string{"tsteps", "steps", "T", "iterations"}, q.Name) {
				params = append(params, 16)
			} else {
				params = append(params, 200)
			}
		}
		mem, err := scop.NewMemory(x.Scop, params, 1)
		require.NoError(t, err)
		report, err := emulate.Run(p, mem, emulate.Options{Profile: true})
		require.NoError(t, err)
		require.True(t, report.OK())
		all := report.Profile.Total()
		loads, stores := all.SharedLoads, all.SharedStores
		per := func(n int64) float64 { return float64(n) / float64(all.Points) }
		t.Logf("%v, %v: %.2f bytes of sectors, %.2f requests to shared memory and %.3f conflicts an update, %.0f %% of lanes idle", s.Sizes, p.Kernels[0].Threads,
			32*per(all.GlobalLoads.Sectors+all.GlobalStores.Sectors), per(loads.Requests+stores.Requests)*32, per(loads.Conflicts()+stores.Conflicts())*32, 100*float64(all.Idle)/float64(32*all.Ops))
		require.LessOrEqual(t, loads.Conflicts()+stores.Conflicts(), loads.Requests+stores.Requests)
		if name == "seidel-2d" { // as docs/kernels.md says
			require.Zero(t, loads.Conflicts()+stores.Conflicts())
			require.Less(t, 32*per(all.GlobalLoads.Sectors+all.GlobalStores.Sectors), 16.0)
		}
	})
}

package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/golden"
	"github.com/hexcc/hexcc/schedule"
)

// TestReport has the counted and the emulated columns of every case at tile sizes
// that no model chooses; in CI of every second one, elsewhere of two. report fails where what ran is not what was counted.
func TestReport(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/*.txtar")
	require.NoError(t, err)
	all := cases.Every() || *golden.Update
	switch {
	case all:
	case cases.Whole():
		paths = everySecond(paths)
	default:
		paths = slices.DeleteFunc(paths, func(path string) bool { return !slices.Contains([]string{"jacobi-1d", "fdtd-2d"}, caseName(path)) })
		require.Len(t, paths, 2)
	}
	texts := make([]string, len(paths))
	t.Run("cases", func(t *testing.T) {
		for i, path := range paths {
			t.Run(caseName(path), func(t *testing.T) {
				t.Parallel()
				r := reporter{arch: "sm_80", tile: fixed(t, path)}
				texts[i], err = r.report(path)
				require.NoError(t, err)
			})
		}
	})
	compareAll(t, "testdata/report.txt", texts, all)
}

// everySecond returns the first of each two paths.
func everySecond(paths []string) (some []string) {
	for i := 0; i < len(paths); i += 2 {
		some = append(some, paths[i])
	}
	return some
}

// TestAblation has the columns of heat-3d, of 27 points, at the sizes for which the
// loads of a tile are known: 12736, of which 11008 are new to it. Each use of
// shared memory asks global memory for no more than the one before, in bytes and in
// sectors of loads, and (c) stores no more sectors than (b).
func TestAblation(t *testing.T) {
	if !cases.Whole() && !*golden.Update {
		t.Skip("takes long: with HEXCC_TESTS=all only")
	}
	r := reporter{arch: "sm_80", tile: "h=2,w0=7,w1=10,w2=32"}
	got, err := r.report("../../testdata/heat-3d.txtar")
	require.NoError(t, err)
	compare(t, "testdata/ablation.txt", got)

	src, err := sourceOf("../../testdata/heat-3d.txtar")
	require.NoError(t, err)
	tile, err := schedule.ParseSizes(r.tile)
	require.NoError(t, err)
	chosen, err := hexcc.Compile(src, hexcc.Options{Tile: tile, Strategy: hexcc.Hybrid, Stop: "tile"})
	require.NoError(t, err)
	counts, err := countAll(chosen, r.arch)
	require.NoError(t, err)
	bytes, loads, stores := math.Inf(1), math.Inf(1), map[lower.Strategy]float64{}
	for _, st := range lower.Strategies() {
		did, err := emulated(src, hexcc.Options{Arch: r.arch, Tile: tile}, st)
		require.NoError(t, err)
		sectors := did.sum(func(t emulate.Traffic) int64 { return t.GlobalLoads.Sectors })
		require.LessOrEqual(t, sectors, loads, st)
		require.LessOrEqual(t, float64(counts[st].Bytes), bytes, st)
		bytes, loads = float64(counts[st].Bytes), sectors
		stores[st] = did.sum(func(t emulate.Traffic) int64 { return t.GlobalStores.Sectors })
		if st != lower.Global {
			require.EqualValues(t, map[bool]int{false: 12736, true: 11008}[st == lower.Moved || st == lower.Static], counts[st].Loads, st)
		}
		require.Zero(t, did.sum(func(t emulate.Traffic) int64 { return t.Shared().Conflicts() }), st)
	}
	require.LessOrEqual(t, stores[lower.Interleaved], stores[lower.Staged])
	require.LessOrEqual(t, stores[lower.Moved], stores[lower.Interleaved])
}

// compareAll compares texts with those of a file: they are all of it, or some.
func compareAll(t *testing.T, path string, texts []string, all bool) {
	t.Helper()
	if all {
		compare(t, path, strings.Join(texts, ""))
		return
	}
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, text := range texts {
		require.NotEmpty(t, text)
		require.Contains(t, string(whole), text)
	}
}

// compare compares got with a file, which -update rewrites.
func compare(t *testing.T, file, got string) {
	if *golden.Update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// fixed returns tile sizes for a case: small ones, of whole warps.
func fixed(t *testing.T, path string) string {
	src, err := sourceOf(path)
	require.NoError(t, err)
	res, err := hexcc.Compile(src, hexcc.Options{Stop: "cone"})
	require.NoError(t, err)
	legal := schedule.LegalH(res.Space.K)
	dims := len(res.Space.Space)
	s := schedule.Sizes{H: legal[0], W: [][]int64{{61}, {3, 32}, {2, 4, 32}, {1, 2, 2, 32}}[dims-1]}
	for _, h := range legal {
		if h <= 2 && dims < 4 {
			s.H = h
		}
	}
	s.W[0] = max(s.W[0], schedule.MinW0(res.Cone, s.H))
	return s.String()
}

// TestJacobi has the numbers of jacobi-2d at h=2, w0=3, w1=32, where all is known:
// 1152 updates a tile, of which each row of 32 is one warp's; a request for such a
// row takes 4 sectors in one line where it is aligned, and 5 in two where it is not.
func TestJacobi(t *testing.T) {
	tile, err := schedule.ParseSizes("h=2,w0=3,w1=32")
	require.NoError(t, err)
	src, err := sourceOf("../../testdata/jacobi-2d.txtar")
	require.NoError(t, err)
	doc, err := os.ReadFile("../../docs/kernels.md")
	require.NoError(t, err)
	for _, c := range []struct {
		strategy lower.Strategy
		columns  string
	}{
		{lower.Global, "  0.392   0.153    0.545    0.101     0.000       0.0     0%       8.6"},
		{lower.Staged, "  0.087   0.080    0.167    0.031     0.000       0.0     0%      11.6"},
		{lower.Interleaved, "  0.087   0.080    0.167    0.031     0.000       0.0     0%      11.7"},
		{lower.Aligned, "  0.073   0.080    0.153    0.014     0.000       0.0     0%      12.1"},
		{lower.Moved, "  0.056   0.069    0.125    0.014     0.000       0.0     0%      10.9"},
		{lower.Static, "  0.056   0.069    0.125    0.014     0.000       0.0     0%       9.9"},
	} {
		t.Run(c.strategy.String(), func(t *testing.T) {
			did, err := emulated(src, hexcc.Options{Arch: "sm_80", Tile: tile}, c.strategy)
			require.NoError(t, err)
			require.Equal(t, c.columns, did.String())
			require.Contains(t, string(doc), fmt.Sprintf("  (%s) %-11s%s\n", c.strategy.Letter(), c.strategy, c.columns))
			step := did.parts[emulate.Step]
			require.Equal(t, 1152*did.tiles, step.Points)
			require.Equal(t, 36*5*did.tiles, step.Arithmetic, "36 rows of a warp, 5 operations each")
			require.Zero(t, step.Tests)
			require.Zero(t, step.Divergent)
			require.Zero(t, step.Idle)
			require.Zero(t, step.Shared().Conflicts())
			if c.strategy != lower.Global {
				require.Equal(t, 92*32*did.tiles, step.SharedLoads.Elements)
				require.Equal(t, 36*32*did.tiles, step.SharedStores.Elements)
			}
			if c.strategy != lower.Moved && c.strategy != lower.Static {
				return
			}
			in := did.parts[emulate.CopyInAfter]
			require.Equal(t, 16*did.after, in.GlobalLoads.Requests, "16 rows of 32 are new")
			require.Equal(t, 32*in.GlobalLoads.Requests, in.GlobalLoads.Elements)
			require.Equal(t, 4*in.GlobalLoads.Requests, in.GlobalLoads.Sectors)
			require.Equal(t, in.GlobalLoads.Requests, in.GlobalLoads.Lines)
			require.EqualValues(t, 1, in.GlobalLoads.Efficiency())
			require.Zero(t, in.Divergent)
			require.Zero(t, in.SharedStores.Conflicts())
			require.Zero(t, did.parts[emulate.Move].Shared().Conflicts())
		})
	}
}

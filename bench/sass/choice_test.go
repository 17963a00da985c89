package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/programs"
	"github.com/hexcc/hexcc/internal/sass"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
)

// TestOff: how far a choice is from the best, where the best is the choice, where it is not, and where one of them was not replayed.
func TestOff(t *testing.T) {
	c := choice{took: "space", ways: map[string]weighed{"hybrid": {expected: 1, replayed: 30}, "space": {expected: 9, replayed: 20}, "untiled": {expected: 50, why: "no"}}}
	require.Equal(t, "hybrid", c.best())
	require.Equal(t, 1.5, c.off())
	c.took = "hybrid"
	require.Equal(t, 1.0, c.off())
	c.took = "untiled"
	require.Zero(t, c.off())
	c.grid.Values = []model.Value{{Name: "n", Value: 7}}
	require.Equal(t, "| k | sm_1 | n=7 | untiled | ? | 30 (0.5) | - | - | 20 (9) | ? (50) |",
		strings.NewReplacer("3e+01", "30").Replace(choice{"untiled", c.grid, map[string]weighed{"hybrid": {expected: 5e8, replayed: 30e9}, "space": {expected: 9e9, replayed: 20e9}, "untiled": {expected: 50e9, why: "no"}}}.line(kernelCase{name: "k", arch: "sm_1"})))
}

// TestLines: a line of JSON for each way that was replayed, behind those of runs before.
func TestLines(t *testing.T) {
	k := kernelCase{name: "k", arch: "sm_1", lines: filepath.Join(t.TempDir(), "lines.json")}
	c := choice{took: "space", ways: map[string]weighed{"hybrid": {expected: 1e9, replayed: 2e9, sizes: "h=1,w0=2", ready: true}, "space": {expected: 9e9, why: "no"}}}
	c.grid.Values = []model.Value{{Name: "n", Value: 7, From: "given"}}
	require.NoError(t, c.write(k))
	require.NoError(t, c.write(k))
	text, err := os.ReadFile(k.lines)
	require.NoError(t, err)
	line := `{"Program":"k","Arch":"sm_1","Grid":"` + c.grid.String() + `","Way":"hybrid","Expected":1000000000,"Replayed":2000000000,"Sizes":"h=1,w0=2","Ready":true}` + "\n" +
		`{"Program":"k","Arch":"sm_1","Grid":"` + c.grid.String() + `","Way":"space","Expected":9000000000,"Replayed":0,"Took":true,"Why":"no"}` + "\n"
	require.Equal(t, line+line, string(text))
	k.lines = ""
	require.NoError(t, c.write(k))
}

// TestBlock: what a block of one tile runs, with what comes before the tile; of a kernel that repeats the tile the tile alone; all of one that has none.
func TestBlock(t *testing.T) {
	head := "hexcc_k(float *A, int n,\n    int S0_lo)\n{\n  const int S0 = S0_lo + (int)blockIdx.x;\n"
	tile := "  if (S0 >= 1\n      && S0 <= n) { // full tile\n    plain();\n  } else {\n    partial();\n  }\n}\n"
	at := func(text, what string) int { return strings.Count(text[:strings.Index(text, what)], "\n") + 1 }
	for _, x := range []struct{ text, first, last string }{
		{head + tile, "const int S0", "plain()"},
		{head + "  for (int S1 = 0; S1 < n; S1++) {\n" + tile, "plain()", "plain()"},
		{head + "  if (n < 3)\n    return;\n" + tile, "plain()", "plain()"},
		{head + "  if (S0 + tx < n) {\n    point();\n  }\n}\nhexcc_other(\n", "const int S0", "  }\n}"},
	} {
		b, err := blockOf(x.text, "hexcc_k")
		require.NoError(t, err)
		require.Equal(t, []int{at(x.text, x.first), at(x.text, x.last)}, []int{b.first, b.last}, "%s", x.text)
	}
	_, err := blockOf(head, "hexcc_other")
	require.Error(t, err)
}

// TestScaledCase: the sizes of a grid of a case that has a quarter of the points.
func TestScaledCase(t *testing.T) {
	text, err := os.ReadFile("../../testdata/jacobi-2d.txtar")
	require.NoError(t, err)
	k := kernelCase{name: "jacobi-2d", arch: "sm_80", text: programs.Text(".txtar", text)}
	sizes, err := k.scaled(0.25)
	require.NoError(t, err)
	require.Equal(t, model.Typical{"n": 8192}, sizes)
	k.text = []byte("int x;\n")
	_, err = k.scaled(0.25)
	require.Error(t, err)
}

// TestTraffic spreads bytes by hand: without a cache evenly, with one over the loads that it does not have and all stores.
func TestTraffic(t *testing.T) {
	load, store := sass.Instruction{Op: "LDG.E"}, sass.Instruction{Op: "STG.E"}
	trace := [][]step{append(steps(8, load), steps(2, store)...)} // 8 x 32 elements in, 2 x 32 out
	require.Equal(t, traffic{4, 4, 1}, trafficOf(trace, residents{1, 4 * 320, 0, 0}))
	// 64 of 256 elements come from behind the multiprocessor, which is half of what moves there, and half of that from memory.
	require.Equal(t, traffic{2, 4, 0.25}, trafficOf(trace, residents{1, 2 * 128, 0, 4 * 128}))
	require.Zero(t, trafficOf(trace, residents{1, 256, 0, 256}).missing, "stores are all there is")
	require.Equal(t, traffic{0, 0, 1}, trafficOf(nil, residents{1, 0, 0, 0}))
}

// TestFirstCache: loads that wait for each other take the first cache's time, and every so many that of memory.
func TestFirstCache(t *testing.T) {
	d, ok := machine.LookupDevice("sm_90")
	require.True(t, ok)
	wait := sass.Instruction{Op: "LDG.E", Stall: 2, Write: 3, Read: sass.NoScoreboard, Wait: 1 << 3}
	trace := [][]step{steps(1000, wait)}
	require.InEpsilon(t, 1000*memoryLatency, replay(trace, residents{1, 1280, 0, 0}, d), 0.02)
	one := trace[0][0].Bytes() * 32
	require.InEpsilon(t, 250*memoryLatency+750*localLatency, replay(trace, residents{1, 1280, 0, 250 * one}, d), 0.03)
}

// TestWays replays blocks of one launch: what their warps load and store is what the program does.
func TestWays(t *testing.T) {
	compiler := compilerFor(t, "sm_80")
	d, _ := machine.LookupDevice("sm_80")
	text, err := os.ReadFile("../../testdata/jacobi-2d.txtar")
	require.NoError(t, err)
	k := kernelCase{name: "jacobi-2d", arch: "sm_80", text: programs.Text(".txtar", text), device: d, compiler: compiler, typical: model.Typical{"n": 2048, "T": 64}}
	for _, x := range []struct {
		way, sizes, loads string
		want              int // loads of the block's one warp
		stores            int
	}{
		{"space", "w0=4,w1=32", "LDGSTS", 6 + 4 + 4, 4}, // six rows, and what four have beside the warp, at the left and at the right
		{"untiled", "w0=4,w1=32", "LDG", 6 + 2*4, 4},    // a column of six, and the neighbours of four
		{"overlapped", "h=1,w0=4,w1=32", "LDGSTS", 6 + 4 + 4, 4},
	} {
		t.Run(x.way, func(t *testing.T) {
			sizes, err := hexcc.Strategy(x.way).ParseTile(x.sizes)
			require.NoError(t, err)
			res, err := k.translate(hexcc.Options{Strategy: hexcc.Strategy(x.way), Tile: sizes})
			require.NoError(t, err)
			require.Equal(t, x.way, wayOf(res))
			const name = "hexcc_kernels_0_phase0"
			made, err := compiler.Kernel(res.Files.Named(base), base, name)
			require.NoError(t, err)
			b, err := blockOf(res.Files.Kernel, name)
			require.NoError(t, err)
			trace, err := b.traceIn(made.Listing, name, res.GPU.Kernels[0].Threads)
			require.NoError(t, err)
			require.Len(t, trace, 1)
			count := func(op string) (n int) {
				for _, s := range trace[0] {
					if s.Is(op) {
						n++
					}
				}
				return n
			}
			require.Equal(t, []int{x.want, x.stores}, []int{count(x.loads), count("STG")})
			require.Positive(t, count("S2R"), "the block finds out which it is")
		})
	}
	for _, way := range []string{"space", "untiled"} {
		res, err := k.translate(hexcc.Options{Strategy: hexcc.Strategy(way)})
		require.NoError(t, err)
		x, err := k.weigh(way, res)
		require.NoError(t, err)
		require.InEpsilon(t, x.expected, x.replayed, 0.5, way)
	}
}

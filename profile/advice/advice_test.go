package advice

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/profile"
	"github.com/hexcc/hexcc/schedule"
)

const program = `void f(int T, int n, const float c[restrict n][n], float A[restrict 2][n][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[(t + 1) % 2][i][j] = c[i][j] * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j]) + 0.5f * A[t % 2][i][j + 1];
#pragma endscop
}
`

// translated compiles the program.
func translated(t *testing.T, o hexcc.Options) (hexcc.Source, *hexcc.Result) {
	t.Helper()
	src := hexcc.Source{Name: "s.c", Text: []byte(program)}
	res, err := hexcc.Compile(src, o)
	require.NoError(t, err)
	return src, res
}

func gridOf(t *testing.T, res *hexcc.Result, sizes model.Typical) model.Grid {
	t.Helper()
	g, err := model.NewGrid(res.Space, sizes)
	require.NoError(t, err)
	return g
}

// kinds are ways to make kernels.
var kinds = map[string]hexcc.Options{
	"tiles":      {Strategy: hexcc.Hybrid, Kernel: hexcc.Tiles, Launch: hexcc.Phases},
	"chains":     {Strategy: hexcc.Hybrid, Kernel: hexcc.Tiles, Launch: hexcc.Ready},
	"streaming":  {Kernel: hexcc.Streaming},
	"overlapped": {Strategy: hexcc.Overlapped},
	"space":      {Strategy: hexcc.Space},
	"untiled":    {Strategy: hexcc.Untiled},
}

// everyFinding has each class that something is suggested against, and each reason to wait.
func everyFinding() (all []profile.Finding) {
	for _, c := range []profile.Class{
		profile.BoundMemory, profile.BoundL2, profile.BoundL1, profile.BoundShared, profile.BoundUnits, profile.BoundIssue, profile.BoundCompute, profile.BoundIdle, profile.BoundFetch,
		profile.BoundSpills, profile.HasConflicts, profile.HasFewWarps, profile.HasGaps,
	} {
		all = append(all, profile.Finding{Class: c})
	}
	for _, r := range []string{"", "barrier", "short_scoreboard", "mio_throttle", "lg_throttle", "math_pipe_throttle", "wait", "sleeping", "membar", "long_scoreboard", "no_instruction", "branch_resolving"} {
		all = append(all, profile.Finding{Class: profile.BoundLatency, Reason: r})
	}
	return all
}

// TestSuggestions: for each way to make kernels and all that may bound them, what is suggested is a setting that hexcc reads, and that it takes, or
// refuses for a reason that has a code. Something is suggested against most of it. Outside of CI that is seen of two ways.
func TestSuggestions(t *testing.T) {
	for kind, o := range kinds {
		if kind != "tiles" && kind != "streaming" && !cases.Every() {
			continue
		}
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			src, res := translated(t, o)
			counted := countAll(res.Region, "s", res.GPU.Device, gridOf(t, res, nil))
			tried, accepted, silent := map[string]bool{}, 0, []string{}
			for _, f := range everyFinding() {
				s := &subject{Region: res.Region, options: o, counted: counted}
				s.suggest(f)
				if len(s.list) == 0 {
					silent = append(silent, strings.TrimSpace(string(f.Class)+" "+f.Reason))
				}
				s.list = slices.DeleteFunc(s.list, func(x suggestion) bool { return tried[flags(x.settings)] })
				for _, x := range s.list {
					tried[flags(x.settings)] = true
					require.NotEmpty(t, x.why)
				}
				for _, trial := range s.try(src, nil, res.Files.Kernel) {
					if trial.Accepted {
						require.NotEmpty(t, trial.Made)
						accepted++
						continue
					}
					require.Regexp(t, `\[HX\d{3}\]$`, trial.Refused, "%s", trial.Flags)
				}
			}
			require.GreaterOrEqual(t, accepted, 3, "of %v", tried)
			require.LessOrEqual(t, len(silent), 4, "nothing is suggested against %v", silent)
			t.Logf("%d of %d taken; nothing against %s", accepted, len(tried), strings.Join(silent, ", "))
		})
	}
}

// TestCounts: what is counted of kernels is what the model counts of their tiles.
func TestCounts(t *testing.T) {
	_, res := translated(t, kinds["tiles"])
	all := countAll(res.Region, "s", res.GPU.Device, gridOf(t, res, map[string]int64{"T": 100, "n": 1000}))
	require.Len(t, all, 2)
	d := res.GPU.Device
	tiles, err := schedule.HybridTiles(res.Space, res.Cone, res.Sizes)
	require.NoError(t, err)
	tile := lower.NewCounter(res.Space, d, lower.Options{Async: d.AsyncCopies}).PhaseCounts(tiles, 0)
	for i, c := range all {
		require.Equal(t, fmt.Sprintf("hexcc_s_0_phase%d", i), c.Kernel)
		require.Equal(t, "full tile", c.Of)
		require.Equal(t, tile.Points, c.Updates)
		require.InEpsilon(t, float64(tile.Bytes)/float64(tile.Points), c.Bytes, 1e-9)
		require.EqualValues(t, tile.Threads, c.Threads)
		require.Positive(t, c.SharedPasses)
		require.GreaterOrEqual(t, c.Instructions, c.Operations)
		require.InDelta(t, 100/float64(res.Schedule.Height), float64(c.Launches), 2)
	}

	_, res = translated(t, kinds["untiled"])
	c := countAll(res.Region, "s", res.GPU.Device, gridOf(t, res, map[string]int64{"T": 100, "n": 1000}))[0]
	require.EqualValues(t, 100, c.Launches)
	require.EqualValues(t, 17, c.Direct) // a column of 8 points: 10 elements of A above and below, 8 beside, 8 of c; 8 are written
	require.EqualValues(t, 12, c.Bytes)  // an element of A, one of c, and the one that is written
}

// TestSourceHasTheLastWord: what a clause of the source decides is not suggested.
func TestSourceHasTheLastWord(t *testing.T) {
	src := hexcc.Source{Name: "s.c", Text: []byte(strings.Replace(program, "#pragma scop", "#pragma hexcc strategy(hybrid) kernel(tiles) tile(h=3,w0=7,w1=64)\n#pragma scop", 1))}
	res, err := hexcc.Compile(src, hexcc.Options{})
	require.NoError(t, err)
	s := &subject{Region: res.Region, counted: countAll(res.Region, "s", res.GPU.Device, gridOf(t, res, nil))}
	for _, trial := range s.try(src, []profile.Finding{{Class: profile.BoundMemory}, {Class: profile.BoundSpills}}, res.Files.Kernel) {
		require.False(t, has(trial.Settings, "tile") && trial.Accepted, "%s", trial.Flags)
	}
}

// TestReplaced: what a suggestion cannot stand beside is named.
func TestReplaced(t *testing.T) {
	o := hexcc.Options{Strategy: hexcc.Space, Unroll: 2}
	var err error
	o.Tile, err = o.Strategy.ParseTile("w0=4,w1=64")
	require.NoError(t, err)
	without, err := apply(&o, []Setting{{"kernel", "streaming"}})
	require.NoError(t, err)
	require.Equal(t, []string{"--tile", "--strategy", "--unroll"}, without)
	require.Nil(t, o.Tile)
	require.Equal(t, hexcc.Streaming, o.Kernel)
	_, err = apply(&o, []Setting{{"registers", "9999"}})
	require.Error(t, err)
}

// TestPairs: kernels of a profile are those of the translation, or it is said why not.
func TestPairs(t *testing.T) {
	counted := []profile.Counted{{Kernel: "hexcc_s_0_phase0", Also: []string{"hexcc_s_0_phase0_long"}, Threads: 96}}
	of := func(names ...string) (all []*profile.Measured) {
		for _, n := range names {
			all = append(all, &profile.Measured{Kernel: n, Threads: 96})
		}
		return all
	}
	pairs, others, err := pairUp("p.csv", "hexcc_s_0_", of("memset", "hexcc_s_0_phase0", "hexcc_s_0_phase0_long", "hexcc_s_1_phase0"), counted, nil)
	require.NoError(t, err)
	require.Len(t, pairs, 2)
	require.Len(t, others, 2)
	for want, m := range map[string]*profile.Measured{
		"it has hexcc_s_0_chains, and the translation has hexcc_s_0_phase0":            {Kernel: "hexcc_s_0_chains"},
		"blocks of hexcc_s_0_phase0 have 128 threads in it, and 96 in the translation": {Kernel: "hexcc_s_0_phase0", Threads: 128},
	} {
		_, _, err := pairUp("p.csv", "hexcc_s_0_", []*profile.Measured{m}, counted, nil)
		d, ok := err.(*diag.Diagnostic)
		require.True(t, ok)
		require.Equal(t, want, d.Msg)
	}
	base, note, err := chooseBase("p.csv", "s", of("hexcc_other_0_phase0"))
	require.NoError(t, err)
	require.Equal(t, "other", base)
	require.NotEmpty(t, note)
	base, note, err = chooseBase("p.csv", "s", of("hexcc_other_0_phase0", "hexcc_s_0_phase0"))
	require.NoError(t, err)
	require.Equal(t, "s", base)
	require.Empty(t, note)
	for _, names := range [][]string{{"memset"}, {"hexcc_a_0_phase0", "hexcc_b_0_chains"}} {
		_, _, err = chooseBase("p.csv", "s", of(names...))
		require.Error(t, err)
	}
}

// TestCompiled: what nvcc says stands in place of estimates, whatever the files were called that were profiled.
func TestCompiled(t *testing.T) {
	path, o := tool.NVCC(t), kinds["tiles"]
	o.Base, o.Registers = "s", 32
	var err error
	o.Tile, err = hexcc.Hybrid.ParseTile("h=3,w0=7,w1=64")
	require.NoError(t, err)
	src, res := translated(t, o)
	for _, base := range []string{"", "other"} {
		made, err := New(Request{Source: src, Options: o, Result: res, Base: base, NVCC: path})
		require.NoError(t, err)
		c := made.Regions[0].Kernels[0].Counted
		require.True(t, c.Compiled)
		require.LessOrEqual(t, c.Registers, 32)
		require.Positive(t, c.Spilled)
		require.Positive(t, c.CodeBytes)
		require.True(t, slices.ContainsFunc(made.Regions[0].findings(), func(f profile.Finding) bool { return f.Class == profile.BoundSpills }))
	}
}

// TestGapOfModel: the time between launches is that of the model.
func TestGapOfModel(t *testing.T) {
	m := &profile.Measured{Launches: 2, Values: map[profile.Quantity]float64{profile.Time: 2 * model.LaunchSeconds}}
	require.InDelta(t, 0.5, m.Evidence(profile.DeviceOf("8.0")).Gaps.Value, 1e-12)
}

// TestFieldsDocumented: docs/profile.md names each field of the JSON form, which has no null lists.
func TestFieldsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/profile.md")
	require.NoError(t, err)
	seen := map[reflect.Type]bool{}
	var names func(x reflect.Type)
	names = func(x reflect.Type) {
		switch x.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			names(x.Elem())
		case reflect.Struct:
			if seen[x] {
				return
			}
			seen[x] = true
			for f := range x.NumField() {
				require.Contains(t, string(page), "`"+x.Field(f).Tag.Get("json")+"`", "%v", x)
				names(x.Field(f).Type)
			}
		}
	}
	names(reflect.TypeFor[Result]())
	r := &Result{Regions: []Region{{Kernels: []Kernel{{Measured: &profile.Measured{Values: map[profile.Quantity]float64{}}, Shares: map[profile.Resource]float64{}}}, Trials: []Trial{{}}}}}
	require.Equal(t, 1, strings.Count(strings.ReplaceAll(string(r.JSON()), `"settings": null`, "null"), "null"), "%s", r.JSON())
}

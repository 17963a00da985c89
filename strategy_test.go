package hexcc_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/schedule"
)

// stretched reads every second element: no slope bounds its distances.
const stretched = `void f(int T, int n, float A[2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; 2 * i < n; i++)
      A[(t + 1) % 2][i] = A[t % 2][2 * i];
#pragma endscop
}
`

// verified runs the kernels of a result beside the program.
func verified(t *testing.T, res *hexcc.Result) {
	v, err := emulate.Verify(emulate.Request{Program: res.GPU, Schedule: res.Schedule, Proofs: res.Proofs, Points: 20_000})
	require.NoError(t, err)
	require.True(t, v.OK(), v)
}

// TestFallback checks that where hexagons do not apply it is an error, unless
// the caller wants space to be tiled then; that is said.
func TestFallback(t *testing.T) {
	_, err := hexcc.Compile(source([]byte(stretched)), hexcc.Options{})
	var list diag.List
	require.ErrorAs(t, err, &list)
	require.Equal(t, diag.Code("HX202"), list[0].Code)

	res, err := hexcc.Compile(source([]byte(stretched)), hexcc.Options{Fallback: hexcc.Space})
	require.NoError(t, err)
	require.Len(t, res.Warnings, 1)
	require.Equal(t, diag.Code("HX209"), res.Warnings[0].Code)
	require.Equal(t, diag.Remark, res.Warnings[0].Severity)
	require.Contains(t, res.Warnings[0].Msg, "grows with")
	require.Contains(t, res.Files.Kernel, "tiling of space only")
	verified(t, res)

	// What is asked for is not changed where it applies, nor where the caller gave sizes for it.
	res, err = hexcc.Compile(source(hexcc.Example), hexcc.Options{Fallback: hexcc.Space})
	require.NoError(t, err)
	require.Equal(t, hexcc.Hybrid, res.Strategy)
	require.Empty(t, res.Warnings)
	_, err = hexcc.Compile(source([]byte(stretched)), hexcc.Options{Fallback: hexcc.Space, Tile: &schedule.Sizes{H: 1, W: []int64{3}}})
	require.Error(t, err)

	// A space loop that carries a dependence has no schedule at all.
	seidel := strings.Replace(stretched, "A[(t + 1) % 2][i] = A[t % 2][2 * i]", "A[0][i] = A[0][2 * i]", 1)
	_, err = hexcc.Compile(source([]byte(seidel)), hexcc.Options{Fallback: hexcc.Space})
	require.ErrorContains(t, err, "[HX201]")
}

// TestSpaceStrategy translates for space alone: one launch a nest and time step.
func TestSpaceStrategy(t *testing.T) {
	res, err := hexcc.Compile(source(hexcc.Example), hexcc.Options{Strategy: hexcc.Space})
	require.NoError(t, err)
	require.Len(t, res.GPU.Kernels, 1)
	assert.EqualValues(t, 1, res.Schedule.Height)
	verified(t, res)

	again, err := hexcc.Compile(source(hexcc.Example), hexcc.Options{Load: hexcc.Source{Name: "s.hs", Text: []byte(schedule.Save(res.Schedule))}})
	require.NoError(t, err)
	assert.Equal(t, hexcc.Space, again.Strategy)
	assert.Equal(t, res.GPU.String(), again.GPU.String())

	for tile, want := range map[string]string{"w0=3": "1 tile widths for 2 space dimensions", "w0=0,w1=5": "w0=0"} {
		sizes, err := schedule.ParseWidths(tile)
		require.NoError(t, err)
		_, err = hexcc.Compile(source(hexcc.Example), hexcc.Options{Strategy: hexcc.Space, Tile: sizes})
		require.ErrorContains(t, err, want)
	}
	// What the source says of a region comes before what the caller says of all.
	src := func(pragma string) hexcc.Source {
		return source([]byte(strings.Replace(string(hexcc.Example), "#pragma scop", "#pragma hexcc "+pragma+"\n#pragma scop", 1)))
	}
	res, err = hexcc.Compile(src("tile(w0=3,w1=40) strategy(space)"), hexcc.Options{})
	require.NoError(t, err)
	assert.Equal(t, "w0=3,w1=40", res.Schedule.Sizes.String())
	res, err = hexcc.Compile(src("strategy(hybrid) tile(h=1,w0=3,w1=40)"), hexcc.Options{Strategy: hexcc.Space})
	require.NoError(t, err)
	assert.Equal(t, hexcc.Hybrid, res.Strategy)
	_, err = hexcc.Compile(src("tile(h=1,w0=3,w1=40) strategy(space)"), hexcc.Options{})
	require.ErrorContains(t, err, "no height")
	_, err = hexcc.Compile(src("strategy(space)"), hexcc.Options{Tile: &schedule.Sizes{H: 1, W: []int64{3, 40}}})
	require.ErrorContains(t, err, "no height")
	_, err = hexcc.Compile(src("strategy(hybrid)"), hexcc.Options{Strategy: hexcc.Space, Tile: &schedule.Sizes{H: schedule.NoHeight, W: []int64{3, 40}}})
	require.ErrorContains(t, err, "has a height")

	_, err = schedule.ParseWidths("h=2,w0=3")
	require.ErrorContains(t, err, "no height")
}

// inPlace is a sweep of Gauss-Seidel.
const inPlace = `void f(int T, int n, int m, double A[n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[i][j] = 0.25 * (A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]);
#pragma endscop
}
`

// TestFrontStrategy checks when parallelograms are taken for GPUs, and that this is said.
func TestFrontStrategy(t *testing.T) {
	for _, target := range []hexcc.Target{hexcc.CUDA, hexcc.OpenCL} {
		res, err := hexcc.Compile(source([]byte(inPlace)), hexcc.Options{Target: target})
		require.NoError(t, err)
		require.Equal(t, hexcc.Wavefront, res.Strategy)
		require.Len(t, res.Warnings, 1)
		require.Equal(t, diag.Code("HX215"), res.Warnings[0].Code)
		require.Contains(t, res.Warnings[0].Msg, "run front by front")
		var names []string
		for _, p := range res.Proofs {
			require.NotZero(t, p.Tests, p.Name)
			names = append(names, p.Name)
		}
		require.Equal(t, []string{"partition", "legality", "emission", "staging"}, names)
		verified(t, res)
	}
	// Hexagons are not needed for it; nor shared memory.
	for _, text := range []string{inPlace, string(hexcc.Example)} {
		for _, memory := range []lower.Strategy{lower.Moved, lower.Global} {
			res, err := hexcc.Compile(source([]byte(text)), hexcc.Options{Strategy: hexcc.Wavefront, Memory: memory, Tile: &schedule.Sizes{H: 1, W: []int64{9, 12}}})
			require.NoError(t, err)
			require.Equal(t, "h=1,w0=9,w1=12", res.Schedule.Sizes.String())
			require.Empty(t, res.Warnings)
			require.Equal(t, memory != lower.Global && text == inPlace, len(res.GPU.Kernels[0].Shared) > 0) // not of planes in turn
			verified(t, res)
		}
	}
	// Where each nest carries dependences along one loop, boxes in order are taken on GPUs, unless parallelograms are asked for.
	rows := strings.Replace(inPlace, "A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]", "A[i][j - 1] + A[i][j + 1]", 1)
	for strategy, want := range map[hexcc.Strategy]hexcc.Strategy{hexcc.Auto: hexcc.Space, hexcc.Wavefront: hexcc.Wavefront} {
		res, err := hexcc.Compile(source([]byte(rows)), hexcc.Options{Strategy: strategy})
		require.NoError(t, err)
		require.Equal(t, want, res.Strategy)
		verified(t, res)
	}
}

// TestWavefrontStrategy checks when parallelograms are taken, that this is said, and what is refused.
func TestWavefrontStrategy(t *testing.T) {
	for _, target := range []hexcc.Target{hexcc.OpenMP, hexcc.C} {
		res, err := hexcc.Compile(source([]byte(inPlace)), hexcc.Options{Target: target})
		require.NoError(t, err)
		require.Equal(t, hexcc.Wavefront, res.Strategy)
		require.Len(t, res.Warnings, 1)
		require.Equal(t, diag.Code("HX215"), res.Warnings[0].Code)
		require.Equal(t, diag.Remark, res.Warnings[0].Severity)
		for _, name := range []string{"partition", "legality", "waits", "emission"} {
			require.Contains(t, res.C.Text, name+" proved for all parameter values")
		}

		// Asked for, nothing is said; hexagons are not needed for it either.
		for _, text := range []string{inPlace, string(hexcc.Example)} {
			res, err = hexcc.Compile(source([]byte(text)), hexcc.Options{Target: target, Strategy: hexcc.Wavefront, Tile: &schedule.Sizes{H: 1, W: []int64{9, 12}}})
			require.NoError(t, err)
			require.Equal(t, "h=1,w0=9,w1=12", res.Schedule.Sizes.String())
			require.Empty(t, res.Warnings)
			v, err := emulate.Verify(emulate.Request{CPU: res.CPU, Schedule: res.Schedule, Proofs: res.Proofs, Points: 20_000})
			require.NoError(t, err)
			require.True(t, v.OK(), v)
		}
	}
	// Without a time loop there is one step, and nothing is said of launches.
	timeless := strings.Replace(inPlace, "for (int t = 0; t < T; t++)", "", 1)
	timeless = strings.Replace(timeless, "A[i - 1][j] + A[i][j - 1] + A[i + 1][j] + A[i][j + 1]", "A[i][j - 1] + A[i][j + 1]", 1)
	res, err := hexcc.Compile(source([]byte(timeless)), hexcc.Options{Target: hexcc.OpenMP})
	require.NoError(t, err)
	require.True(t, res.Scop.Timeless)
	require.Len(t, res.Warnings, 1)
	require.Equal(t, diag.Code("HX215"), res.Warnings[0].Code)

	refused := func(text string, o hexcc.Options) diag.Diagnostic {
		_, err := hexcc.Compile(source([]byte(text)), o)
		var list diag.List
		require.ErrorAs(t, err, &list)
		return *list[0]
	}
	// On GPUs no tile waits for another, nor do rows stream.
	require.Equal(t, diag.Code("HX214"), refused(inPlace, hexcc.Options{Launch: hexcc.Ready}).Code)
	require.Equal(t, diag.Code("HX216"), refused(string(hexcc.Example), hexcc.Options{Strategy: hexcc.Wavefront, Kernel: hexcc.Streaming}).Code)
	d := refused(string(hexcc.Example), hexcc.Options{Strategy: hexcc.Untiled, Target: hexcc.OpenMP})
	require.Equal(t, diag.Code("HX217"), d.Code)
	require.Contains(t, d.Help, "--strategy=space")
	// What is asked for is not changed.
	for _, s := range []hexcc.Strategy{hexcc.Hybrid, hexcc.Space} {
		d = refused(inPlace, hexcc.Options{Target: hexcc.OpenMP, Strategy: s})
		require.Equal(t, diag.Code("HX201"), d.Code)
		require.Contains(t, fmt.Sprint(d.Notes), "--strategy=wavefront")
	}
	// No tiling fits values that travel both ways.
	both := strings.Replace(inPlace, "i = 1; i < n - 1; i++)\n", "i = 1; i < n - 1; i++) {\n for (int j = m - 2; j > 0; j--) A[i][j] += A[i][j + 1];\n", 1)
	both = strings.Replace(both, "A[i][j + 1]);\n", "A[i][j + 1]);\n}\n", 1)
	for _, s := range []hexcc.Strategy{hexcc.Auto, hexcc.Wavefront} {
		d = refused(both, hexcc.Options{Target: hexcc.OpenMP, Strategy: s})
		require.NotContains(t, fmt.Sprint(d.Notes), "--strategy=wavefront")
	}
	require.Equal(t, diag.Code("HX204"), refused(inPlace, hexcc.Options{Target: hexcc.C, Tile: &schedule.Sizes{H: 1, W: []int64{0, 12}}}).Code)
}

// toAndFro sweeps along rows there and back.
const toAndFro = `void f(int T, int n, int m, double A[n][m])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++) {
      for (int j = 1; j < m; j++)
        A[i][j] += 0.5 * A[i][j - 1];
      for (int j = m - 2; j >= 0; j--)
        A[i][j] += 0.5 * A[i][j + 1];
    }
#pragma endscop
}
`

// TestSweepStrategy checks when boxes in order are taken, that this is said, what is refused, and that schedule files hold them.
func TestSweepStrategy(t *testing.T) {
	for _, target := range []hexcc.Target{hexcc.CUDA, hexcc.OpenMP, hexcc.C} {
		for _, o := range []hexcc.Options{{}, {Strategy: hexcc.Space}, {Strategy: hexcc.Hybrid, Fallback: hexcc.Space}} {
			o.Target = target
			res, err := hexcc.Compile(source([]byte(toAndFro)), o)
			require.NoError(t, err)
			require.Equal(t, hexcc.Space, res.Strategy)
			require.Equal(t, []bool{true}, res.Space.Sweeps)
			if o.Strategy == hexcc.Space {
				require.Empty(t, res.Warnings)
				again, err := hexcc.Compile(source([]byte(toAndFro)), hexcc.Options{Target: target, Load: hexcc.Source{Name: "s.hs", Text: []byte(schedule.Save(res.Schedule))}})
				require.NoError(t, err)
				require.Equal(t, res.Schedule.String(), again.Schedule.String())
				continue
			}
			require.Len(t, res.Warnings, 1)
			require.Equal(t, diag.Code("HX209"), res.Warnings[0].Code)
		}
	}
	file := func(change ...string) error {
		res, err := hexcc.Compile(source([]byte(toAndFro)), hexcc.Options{Stop: "schedule"})
		require.NoError(t, err)
		text := schedule.Save(res.Schedule)
		require.Contains(t, text, change[0])
		_, err = hexcc.Compile(source([]byte(toAndFro)), hexcc.Options{Load: hexcc.Source{Name: "s.hs", Text: []byte(strings.Replace(text, change[0], change[1], 1))}})
		return err
	}
	require.ErrorContains(t, file("sweep 0", "sweep 1"), "s.hs")
	require.ErrorContains(t, file("strategy space\n", ""), "only tiles of space alone are in order along s0")
	require.ErrorContains(t, file("-> [t, -j", "-> [t, j"), "[HX207]")
	// What is asked for is not changed, but what there is instead is said.
	var list diag.List
	for _, o := range []hexcc.Options{{Target: hexcc.OpenMP, Strategy: hexcc.Hybrid}, {Target: hexcc.OpenMP, Strategy: hexcc.Wavefront}, {Order: []string{"i", "j"}}} {
		_, err := hexcc.Compile(source([]byte(toAndFro)), o)
		require.ErrorAs(t, err, &list)
		require.Equal(t, diag.Code("HX201"), list[0].Code)
		require.Contains(t, fmt.Sprint(list[0].Notes), "in order in each time step")
	}
}

// far are programs whose dependences reach across their grid, or much of it.
var far = map[string]string{
	"mirrored":   "float a[2][1000]; | for (int i = 0; i < 1000; i++) a[(t+1)%2][i] = a[t%2][999-i];",
	"broadcast":  "float a[2][1000]; | for (int i = 0; i < 1000; i++) a[(t+1)%2][i] = a[t%2][0] + a[t%2][i];",
	"doubled":    "float a[2][1000]; | for (int i = 0; i < 500; i++) a[(t+1)%2][i] = a[t%2][2*i];",
	"shifted":    "float a[2][1000]; | for (int i = 900; i < 1000; i++) a[(t+1)%2][i] = a[t%2][i-900] + a[t%2][i];",
	"sixty":      "float a[2][1000]; | for (int i = 60; i < 940; i++) a[(t+1)%2][i] = a[t%2][i-60] + a[t%2][i+60];",
	"transposed": "float a[2][300][300]; | for (int i = 0; i < 300; i++) for (int j = 0; j < 300; j++) a[(t+1)%2][i][j] = a[t%2][j][i];",
	"reversed":   "float a[2][300][300]; | for (int i = 0; i < 300; i++) for (int j = 0; j < 300; j++) a[(t+1)%2][i][j] = a[t%2][299-i][299-j];",
}

// farSource returns one of them.
func farSource(name string) hexcc.Source {
	globals, nest, _ := strings.Cut(far[name], " | ")
	return source([]byte(globals + "\nvoid f(int T)\n{\n#pragma scop\n  for (int t = 0; t < T; t++)\n    " + nest + "\n#pragma endscop\n}\n"))
}

// TestAuto translates programs that hexagons do little for: what is done then is the better way that
// there is, is said with what is expected of each, and is right.
func TestAuto(t *testing.T) {
	other := 0
	for name := range far {
		for _, target := range []hexcc.Target{hexcc.CUDA, hexcc.OpenMP} {
			res, err := hexcc.Compile(farSource(name), hexcc.Options{Target: target})
			require.NoError(t, err, name)
			require.NotNil(t, res.Outlook)
			require.NoError(t, res.Outlook.Verify())
			res.Warnings = slices.DeleteFunc(res.Warnings, ofOneThread)
			if n := len(res.Warnings); n > 1 { // boxes that overlap are too hard to prove
				require.Equal(t, diag.Code("HX212"), res.Warnings[n-1].Code)
				other++
			} else if res.Strategy != hexcc.Hybrid {
				other++
				require.Nil(t, res.Choice)
				require.Equal(t, res.Strategy != hexcc.Overlapped, res.Schedule.Sizes.H == schedule.NoHeight)
				said(t, res, "HX210", map[hexcc.Strategy]string{hexcc.Space: "only space is tiled", hexcc.Untiled: "nothing is tiled", hexcc.Overlapped: "boxes that overlap"}[res.Strategy])
			} else if res.Outlook.Covers() {
				said(t, res, "HX211", "one tile covers the grid")
			}
			if target == hexcc.CUDA {
				verified(t, res)
			}

			forced, err := hexcc.Compile(farSource(name), hexcc.Options{Target: target, Strategy: hexcc.Hybrid})
			require.NoError(t, err, name)
			require.Equal(t, hexcc.Hybrid, forced.Strategy)
			forced.Warnings = slices.DeleteFunc(forced.Warnings, ofOneThread)
			if res.Strategy != hexcc.Hybrid && (res.Strategy != hexcc.Overlapped || len(forced.Warnings) > 0) { // boxes that overlap by a wider margin
				said(t, forced, "HX211", "")
			}
		}
	}
	require.GreaterOrEqual(t, other, 4)
	for _, name := range []string{"broadcast", "doubled", "transposed"} {
		res, err := hexcc.Compile(farSource(name), hexcc.Options{Stop: "tile"})
		require.NoError(t, err)
		require.NotEqual(t, hexcc.Hybrid, res.Strategy, "%s: %v", name, res.Outlook)
	}
}

// ofOneThread reports whether d says that one thread runs a region.
func ofOneThread(d *diag.Diagnostic) bool {
	return strings.HasPrefix(d.Msg, "one thread runs this region")
}

// said requires one remark of the code, with words and the figures.
func said(t *testing.T, res *hexcc.Result, code diag.Code, words string) {
	t.Helper()
	require.Len(t, res.Warnings, 1)
	d := res.Warnings[0]
	require.Equal(t, code, d.Code)
	require.Equal(t, diag.Remark, d.Severity)
	require.Contains(t, d.Msg, words)
	require.Equal(t, res.Outlook.Figures(), d.Notes[0].Msg)
	require.Contains(t, d.Notes[1].Msg, "not measured")
	require.NotZero(t, d.At.Line)
	require.NotEmpty(t, d.Help)
}

// TestNothingSaid: where tiles in time are the best way there is nothing to say.
func TestNothingSaid(t *testing.T) {
	for _, o := range []hexcc.Options{{}, {Strategy: hexcc.Auto}, {Strategy: hexcc.Hybrid}, {Target: hexcc.OpenMP}, {Target: hexcc.C}} {
		res, err := hexcc.Compile(source(hexcc.Example), o)
		require.NoError(t, err)
		require.Equal(t, hexcc.Hybrid, res.Strategy)
		require.Empty(t, res.Warnings)
	}
	// Nor of sizes that were given: they were asked for.
	res, err := hexcc.Compile(farSource("broadcast"), hexcc.Options{Tile: &schedule.Sizes{H: 0, W: []int64{1023}}})
	require.NoError(t, err)
	require.Equal(t, hexcc.Hybrid, res.Strategy)
	require.Empty(t, res.Warnings)
	require.Nil(t, res.Outlook)
}

// TestPlainLoopsFaster: a 7-point stencil in three dimensions, launched in phases, where the model itself expects more
// of plain loops than of tiles: it takes them, and where tiles are forced it says that they are slower.
func TestPlainLoopsFaster(t *testing.T) {
	text := inputs(t)["laplacian-3d.txtar"]
	for _, target := range []hexcc.Target{hexcc.CUDA, hexcc.OpenCL} {
		res, err := hexcc.Compile(source(text), hexcc.Options{Arch: "sm_90", Target: target, Launch: hexcc.Phases})
		require.NoError(t, err)
		require.Greater(t, res.Outlook.Hybrid.PerPoint, res.Outlook.Untiled.PerPoint)
		require.InEpsilon(t, 419e9, 1/res.Outlook.Untiled.PerPoint, 0.15) // 3350 GB/s, 8 bytes a point
		require.Equal(t, hexcc.Untiled, res.Strategy)
		require.Nil(t, res.Choice)
		require.Equal(t, res.Outlook.Untiled.Sizes, res.Sizes)
		said(t, res, "HX210", "nothing is tiled")
		for _, k := range res.GPU.Kernels {
			require.Empty(t, k.Shared)
		}
		verified(t, res)
	}
	for _, s := range []hexcc.Strategy{hexcc.Hybrid, hexcc.Space} {
		res, err := hexcc.Compile(source(text), hexcc.Options{Arch: "sm_90", Strategy: s, Launch: hexcc.Phases, Stop: "tile"})
		require.NoError(t, err)
		require.Equal(t, s, res.Strategy)
		said(t, res, "HX211", "plain loops are expected to be faster")
		require.Contains(t, res.Warnings[0].Help, "--strategy=auto takes plain loops")
	}
	res, err := hexcc.Compile(source(text), hexcc.Options{Arch: "sm_90", Strategy: hexcc.Untiled, Stop: "tile"})
	require.NoError(t, err)
	require.Empty(t, res.Warnings)
	// A CPU's caches hold what makes tiles pay.
	res, err = hexcc.Compile(source(text), hexcc.Options{Target: hexcc.OpenMP, Stop: "tile"})
	require.NoError(t, err)
	require.Empty(t, res.Warnings)
}

// TestStrategyClause: what the source says of a region's strategy.
func TestStrategyClause(t *testing.T) {
	src := func(clause string) hexcc.Source {
		x := farSource("broadcast")
		x.Text = []byte(strings.Replace(string(x.Text), "#pragma scop", "#pragma hexcc strategy("+clause+")\n#pragma scop", 1))
		return x
	}
	for clause, want := range map[string]hexcc.Strategy{"auto": hexcc.Untiled, "hybrid": hexcc.Hybrid, "space": hexcc.Space, "untiled": hexcc.Untiled} {
		for _, o := range []hexcc.Strategy{"", hexcc.Auto, hexcc.Hybrid, hexcc.Space} {
			res, err := hexcc.Compile(src(clause), hexcc.Options{Strategy: o, Stop: "tile"})
			require.NoError(t, err)
			require.Equal(t, want, res.Strategy, "%s, %s", clause, o)
		}
	}
	_, err := hexcc.Compile(src("hexagonal"), hexcc.Options{})
	require.ErrorContains(t, err, "known are auto, hybrid, space, untiled, wavefront and overlapped")
}

// TestPartsOfANest: a nest that is taken apart counts once where nests are counted: a torus of radius 2 has 36 parts.
func TestPartsOfANest(t *testing.T) {
	ring := func(v string) string {
		var reads []string
		for _, far := range []string{" - 2 + n", " - 1 + n", " + 1", " + 2"} {
			reads = append(reads, strings.ReplaceAll("A[t % 2]"+map[string]string{"i": "[(i FAR) % n][j]", "j": "[i][(j FAR) % n]"}[v], "FAR", far))
		}
		return strings.Join(reads, " + ")
	}
	text := "void f(int T, int n, float A[restrict 2][n][n])\n{\n#pragma scop\n  for (int t = 0; t < T; t++)\n    for (int i = 0; i < n; i++)\n      for (int j = 0; j < n; j++)\n" +
		"        A[(t + 1) % 2][i][j] = 0.1f * (" + ring("i") + " + " + ring("j") + ");\n#pragma endscop\n}\n"
	res, err := hexcc.Compile(source([]byte(text)), hexcc.Options{Stop: "cone"})
	require.NoError(t, err)
	require.Len(t, res.Scop.Stmts, 36)
	require.Equal(t, 1, res.Space.K)
	require.Equal(t, "-2*dt <= ds0 <= 2*dt\n-2*dt <= ds1 <= 2*dt\n", res.Cone.String())
}

// rowsAdded is a time loop that adds up rows of a known length.
const rowsAdded = `
void f(int T, int n, int m, double A[restrict 2][LONG][LONG], double s[restrict LONG])
{
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = 0.25 * (A[t % 2][i - 1][j] + A[t % 2][i][j - 1] + A[t % 2][i + 1][j] + A[t % 2][i][j + 1]);
    for (int i = 1; i < n - 1; i++) {
      s[i] = 0;
      for (int j = 1; j < m - 1; j++)
        s[i] += A[(t + 1) % 2][i][j];
    }
  }
#pragma endscop
}
`

// TestSteepParallelograms takes boxes that hold whole rows in place of parallelograms that a step would move by the length of a row, but where these are asked for.
func TestSteepParallelograms(t *testing.T) {
	for _, x := range []struct {
		long     string
		asked    hexcc.Strategy
		strategy hexcc.Strategy
		code     diag.Code
	}{
		{"50", "", hexcc.Wavefront, "HX215"},
		{"2000", "", hexcc.Overlapped, "HX210"},
		{"2000", hexcc.Wavefront, hexcc.Wavefront, ""},
	} {
		res, err := hexcc.Compile(source([]byte(strings.ReplaceAll(rowsAdded, "LONG", x.long))), hexcc.Options{Target: hexcc.OpenMP, Strategy: x.asked})
		require.NoError(t, err, x)
		require.Equal(t, x.strategy, res.Strategy, x)
		codes := map[diag.Code]string{}
		for _, w := range res.Warnings {
			codes[w.Code] = w.Msg
		}
		if x.code != "" {
			require.Contains(t, codes, x.code, x)
		}
		if x.asked != "" {
			continue
		}
		v, err := emulate.Verify(emulate.Request{CPU: res.CPU, Schedule: res.Schedule, Proofs: res.Proofs, Points: 20_000})
		require.NoError(t, err)
		require.True(t, v.OK(), v)
	}
}

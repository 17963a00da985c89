package hexcc_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/schedule"
)

// mirrored reads its array backwards: no slope bounds its distances.
const mirrored = `void f(int T, int n, float A[2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 0; i < n; i++)
      A[(t + 1) % 2][i] = A[t % 2][n - 1 - i];
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
	_, err := hexcc.Compile(source([]byte(mirrored)), hexcc.Options{})
	var list diag.List
	require.ErrorAs(t, err, &list)
	require.Equal(t, diag.Code("HX202"), list[0].Code)

	res, err := hexcc.Compile(source([]byte(mirrored)), hexcc.Options{Fallback: hexcc.Space})
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
	_, err = hexcc.Compile(source([]byte(mirrored)), hexcc.Options{Fallback: hexcc.Space, Tile: &schedule.Sizes{H: 1, W: []int64{3}}})
	require.Error(t, err)

	// A space loop that carries a dependence has no schedule at all.
	seidel := strings.Replace(mirrored, "A[(t + 1) % 2][i] = A[t % 2][n - 1 - i]", "A[0][i] = A[0][n - 1 - i]", 1)
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
		sizes, err := hexcc.ParseWidths(tile)
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

	_, err = hexcc.ParseWidths("h=2,w0=3")
	require.ErrorContains(t, err, "no height")
}

package schedule

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSpaceByBruteForce runs the boxes of small and odd widths: each instance
// once, all conflicts in order.
func TestSpaceByBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, k := range kernels() {
		dims := dimensions(k.p)
		limit := []int64{17, 9, 5}[dims-1]
		params := map[string]int64{"N": limit, "T": 4}
		deps, c, _ := analyze(t, k.p)
		for range 3 {
			sizes := Sizes{}
			for range c.Space {
				sizes.W = append(sizes.W, 1+rng.Int64N(6))
			}
			s, err := Space(c, sizes)
			require.NoError(t, err)
			require.NoError(t, s.Verify())
			require.Empty(t, brute(s, params, limit), "%s %v", k.name, sizes)
			for _, p := range []Proof{ProvePartition(s), ProveLegality(s, deps)} {
				assert.True(t, p.Holds, "%s: %s", k.name, p.Text(false))
			}
		}
	}
}

// TestSpaceOfCases proves the scheme for all cases.
func TestSpaceOfCases(t *testing.T) {
	programs := cases(t)
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		t.Run(name, func(t *testing.T) {
			deps, c, _ := analyze(t, programs[name])
			sizes := Sizes{}
			for i := range c.Space {
				sizes.W = append(sizes.W, int64(4+7*i))
			}
			s, err := Space(c, sizes)
			require.NoError(t, err)
			require.NoError(t, s.Verify())
			assert.True(t, ProvePartition(s).Holds)
			legality := ProveLegality(s, deps)
			assert.True(t, legality.Holds, legality.Text(false))
			assert.LessOrEqual(t, legality.Tests, 2*len(deps)*len(s.Dims), "a test for a dependence and pair of statements")
		})
	}
}

// TestSpaceIsNotTooFree checks that the proof would see a launch too few: two
// nests that depend on each other in one.
func TestSpaceIsNotTooFree(t *testing.T) {
	deps, c, _ := analyze(t, find(t, "copy-back").p)
	s, err := Space(c, Sizes{W: slices.Repeat([]int64{4}, len(c.Space))})
	require.NoError(t, err)
	s.Dims[1].Role = Block
	s.Order = Launched(s.Dims[:s.tileDims()])
	legality := ProveLegality(s, deps)
	assert.False(t, legality.Holds)
	assert.NotEmpty(t, legality.Violation)
}

func TestWidths(t *testing.T) {
	_, c, _ := analyze(t, find(t, "copy-back").p)
	for _, x := range []struct {
		w    []int64
		want string
	}{
		{nil, "0 tile widths for 1 space dimensions"},
		{[]int64{0}, "w0=0: a box is 1 to 1048576 points wide"},
		{[]int64{WidthLimit + 1}, "w0=1048577: a box is 1 to 1048576 points wide"},
	} {
		_, err := Space(c, Sizes{W: x.w})
		require.ErrorContains(t, err, x.want)
	}
	assert.Equal(t, "w0=3,w1=4", Sizes{H: NoHeight, W: []int64{3, 4}}.String())
}

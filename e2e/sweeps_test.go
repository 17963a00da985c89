package e2e_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	testcases "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// TestSweeps runs programs whose nests carry dependences along one loop each, there and back, for every target, in boxes as they are chosen and in
// small ones, at odd sizes, and compares with the original, bit for bit.
func TestSweeps(t *testing.T) {
	all, missing := targets()
	t.Log(missing)
	testcases.SweptInTurns(t, func(t *testing.T, base, text string) {
		for _, small := range []bool{false, true} {
			for i, x := range all {
				if !small && (i+len(base))%2 > 0 && !testcases.Every() {
					continue // boxes as they are chosen, for targets in turn
				}
				o := hexcc.Options{Target: x.to, NoAlias: true, Base: base}
				if small {
					first, err := hexcc.Compile(source([]byte(text)), hexcc.Options{NoAlias: true, Stop: "space"})
					require.NoError(t, err)
					o.Strategy, o.Tile = hexcc.Space, &schedule.Sizes{H: schedule.NoHeight}
					for p := range first.Space.Space {
						o.Tile.W = append(o.Tile.W, 3+2*int64(p))
					}
				}
				res, err := hexcc.Compile(source([]byte(text)), o)
				require.NoError(t, err, x.name)
				require.NotNil(t, res.Space.Sweeps)
				x.atOddSizes(t, base, res)
			}
		}
	})
}

// atOddSizes builds res and compares it with the original at sizes that are easily forgotten, bit for bit.
func (x target) atOddSizes(t *testing.T, base string, res *hexcc.Result) {
	run, err := x.build(t.TempDir(), base, res, true)
	require.NoError(t, err, x.name)
	original := oracle.CompileC(t, res.Scop)
	compared := 0
	for seed, sizes := range [][2]int64{{0, 3}, {1, 3}, {2, 2}, {3, 1}, {5, 3}, {13, 2}, {17, 0}, {23, 2}} {
		params, ok := oracle.Sized(res.Scop, sizes[0], sizes[1])
		if !ok {
			continue
		}
		before, err := scop.NewMemory(res.Scop, params, uint64(seed))
		if err != nil { // an array of no elements less
			continue
		}
		want, got := original.Run(t, before), before.Clone()
		require.NoError(t, run([]*scop.Memory{got}), "%s %v", x.name, sizes)
		require.Empty(t, oracle.Different(want, got), "%s %v", x.name, sizes)
		compared++
	}
	require.Greater(t, compared, 4)
}

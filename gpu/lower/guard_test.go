package lower

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
)

// TestLeastGuard compares with conditions shortened by hand.
func TestLeastGuard(t *testing.T) {
	x, y := affine.Var("x"), affine.Var("y")
	from := func(v affine.Sum, n int64) affine.Expr { return v.Add(-n) }
	upTo := func(v affine.Sum, n int64) affine.Expr { return v.Times(-1).Add(n) }
	among := map[string]int64{"x": 32, "y": 4}
	for _, c := range []struct {
		name       string
		have, want astgen.Cond
	}{
		{"one row", astgen.Cond{{from(x, 3)}}, astgen.Cond{{from(x, 3)}}},
		{"a weaker row", astgen.Cond{{from(x, 28), from(x, 30)}}, astgen.Cond{{from(x, 30)}}},
		{"always", astgen.Cond{{upTo(y, 1)}, {from(y, 2)}}, nil},
		{"never", astgen.Cond{{upTo(y, 1), from(y, 2)}}, astgen.Cond{}},
		{"a part of another", astgen.Cond{{from(x, 3), from(y, 1)}, {from(x, 2)}}, astgen.Cond{{from(x, 2)}}},
		{"a step", astgen.Cond{{upTo(y, 1), from(x, 28)}, {from(y, 2), from(x, 30), from(x, 28)}}, astgen.Cond{{upTo(y, 1), from(x, 28)}, {from(x, 30)}}},
	} {
		got := leastGuard(c.have, among)
		require.Equal(t, fmt.Sprint(c.want), fmt.Sprint(got), c.name)
		require.Equal(t, c.want == nil, got == nil, c.name)
	}
	wide := astgen.Cond{{from(x, 1), from(x, 2)}}
	require.Equal(t, wide, leastGuard(wide, map[string]int64{"x": maxTried + 1}), "too many values to try")
}

// TestLeastGuardRandom: what is left holds for the same values, and no row or
// alternative can be left out any more.
func TestLeastGuardRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	shorter := 0
	for range 3000 {
		among := map[string]int64{"x": 1 + rng.Int64N(9), "y": 1 + rng.Int64N(5)}
		c := astgen.Cond{}
		for range 1 + rng.IntN(4) {
			var rows []affine.Expr
			for range 1 + rng.IntN(4) {
				rows = append(rows, affine.Var("x").Times(rng.Int64N(5)-2).Plus(affine.Var("y").Times(rng.Int64N(3)-1)).Add(rng.Int64N(15)-7))
			}
			c = append(c, rows)
		}
		got := leastGuard(c, among)
		if len(c) == 1 && len(c[0]) == 1 {
			continue // as it was
		}
		require.Equal(t, where(c, among), where(got, among), "%v is not %v in %v", got, c, among)
		for i, rows := range got {
			require.NotEqual(t, where(got, among), where(slices.Delete(slices.Clone(got), i, i+1), among), "%v", got)
			for k := range rows {
				less := slices.Clone(got)
				less[i] = slices.Delete(slices.Clone(rows), k, k+1)
				require.NotEqual(t, where(got, among), where(less, among), "%v", got)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(c) {
			shorter++
		}
	}
	require.Greater(t, shorter, 1000)
}

// where returns the values for which c holds; nil holds for all.
func where(c astgen.Cond, among map[string]int64) (points [][2]int64) {
	for x := range among["x"] {
		for y := range among["y"] {
			if c == nil || c.Holds(map[string]int64{"x": x, "y": y}) {
				points = append(points, [2]int64{x, y})
			}
		}
	}
	return points
}

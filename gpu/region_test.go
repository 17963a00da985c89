package gpu

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
)

// randomBoxes returns boxes near the origin.
func randomBoxes(rng *rand.Rand, dims, n int) []box {
	var all []box
	for range n {
		b := box{}
		for range dims {
			lo := rng.Int64N(9) - 4
			b.lo, b.hi = append(b.lo, lo), append(b.hi, lo+rng.Int64N(5))
		}
		all = append(all, b)
	}
	return all
}

// points calls f with each point of b.
func (b box) points(f func(x []int64)) {
	x := make([]int64, len(b.lo))
	var walk func(d int)
	walk = func(d int) {
		if d == len(x) {
			f(x)
			return
		}
		for x[d] = b.lo[d]; x[d] <= b.hi[d]; x[d]++ {
			walk(d + 1)
		}
	}
	walk(0)
}

// pointSet returns how many of the boxes hold each point.
func pointSet(boxes []box) map[string]int {
	set := map[string]int{}
	for _, b := range boxes {
		b.points(func(x []int64) { set[fmt.Sprint(x)]++ })
	}
	return set
}

// visited returns how often loops over a group, with its guard, visit each point.
func visited(g group, set map[string]int) {
	vars := []string{"x", "y", "z"}[:len(g.hull.lo)]
	origin := []int64{-3, 2, 5}[:len(g.hull.lo)]
	loops, guard := g.hull.loops(vars, origin), g.guard(vars, origin)
	env := map[string]int64{}
	var walk func(d int)
	walk = func(d int) {
		if d == len(loops) {
			if guard.Holds(env) {
				x := make([]int64, d)
				for i, v := range vars {
					x[i] = env[v] + origin[i]
				}
				set[fmt.Sprint(x)]++
			}
			return
		}
		for v := astgen.Eval(loops[d].Lo, env); v <= astgen.Eval(loops[d].Hi, env); v++ {
			env[loops[d].Var] = v
			walk(d + 1)
		}
		delete(env, loops[d].Var)
	}
	walk(0)
}

// TestRegionsAreTheCells decomposes random unions of boxes, less others.
func TestRegionsAreTheCells(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		dims := rng.IntN(3) + 1
		in, out := randomBoxes(rng, dims, rng.IntN(4)+1), randomBoxes(rng, dims, rng.IntN(3))
		g := newGrid(dims, slices.Concat(in, out))
		less, c := g.none(), g.none()
		for _, b := range out {
			less.add(b)
		}
		for _, b := range in {
			c.addExcept(b, less)
		}
		want, removed := map[string]int{}, pointSet(out)
		for x := range pointSet(in) {
			if removed[x] == 0 {
				want[x] = 1
			}
		}
		require.Equal(t, int64(len(want)), c.count())

		got, gathered := map[string]int{}, map[string]int{}
		for _, r := range decompose(c) {
			visited(group{r, []region{r}}, got)
		}
		require.Equal(t, want, got)
		for _, h := range gather(decompose(c)) {
			visited(h, gathered)
		}
		require.Equal(t, want, gathered)
	}
}

// TestMerged checks that merged boxes have the same points.
func TestMerged(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		boxes := randomBoxes(rng, rng.IntN(3)+1, rng.IntN(6)+1)
		few := merged(boxes)
		want, got := pointSet(boxes), pointSet(few)
		require.Len(t, got, len(want))
		for x := range got {
			require.Positive(t, want[x])
		}
		require.LessOrEqual(t, len(few), len(boxes))
	}
	var box27 []box // a 3 x 3 x 3 stencil on a box is one box
	for k := range int64(27) {
		box27 = append(box27, box{[]int64{k / 9, k / 3 % 3, k % 3}, []int64{k/9 + 4, k/3%3 + 4, k%3 + 4}})
	}
	require.Len(t, merged(box27), 1)
}

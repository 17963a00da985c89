package pointset

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
)

// randomBoxes returns boxes near the origin.
func randomBoxes(rng *rand.Rand, dims, n int) []Box {
	var all []Box
	for range n {
		b := Box{}
		for range dims {
			lo := rng.Int64N(9) - 4
			b.Lo, b.Hi = append(b.Lo, lo), append(b.Hi, lo+rng.Int64N(5))
		}
		all = append(all, b)
	}
	return all
}

// points calls f with each point of b.
func (b Box) points(f func(x []int64)) {
	x := make([]int64, len(b.Lo))
	var walk func(d int)
	walk = func(d int) {
		if d == len(x) {
			f(x)
			return
		}
		for x[d] = b.Lo[d]; x[d] <= b.Hi[d]; x[d]++ {
			walk(d + 1)
		}
	}
	walk(0)
}

// pointSet returns how many of the boxes hold each point.
func pointSet(boxes []Box) map[string]int {
	set := map[string]int{}
	for _, b := range boxes {
		b.points(func(x []int64) { set[fmt.Sprint(x)]++ })
	}
	return set
}

// visited returns how often loops over a group, with its guard, visit each point.
func visited(g Group, set map[string]int) {
	vars := []string{"x", "y", "z"}[:len(g.Hull.Lo)]
	origin := []int64{-3, 2, 5}[:len(g.Hull.Lo)]
	lo, hi := g.Hull.Bounds(vars, origin)
	guard := g.Guard(vars, origin)
	env := map[string]int64{}
	var walk func(d int)
	walk = func(d int) {
		if d == len(vars) {
			if astgen.Cond(guard).Holds(env) {
				x := make([]int64, d)
				for i, v := range vars {
					x[i] = env[v] + origin[i]
				}
				set[fmt.Sprint(x)]++
			}
			return
		}
		for v := affine.Eval(lo[d], env); v <= affine.Eval(hi[d], env); v++ {
			env[vars[d]] = v
			walk(d + 1)
		}
		delete(env, vars[d])
	}
	walk(0)
}

// TestRegionsAreTheCells decomposes random unions of boxes, less others.
func TestRegionsAreTheCells(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		dims := rng.IntN(3) + 1
		in, out := randomBoxes(rng, dims, rng.IntN(4)+1), randomBoxes(rng, dims, rng.IntN(3))
		g := NewGrid(dims, slices.Concat(in, out))
		less, c := g.None(), g.None()
		for _, b := range out {
			less.Add(b)
		}
		for _, b := range in {
			c.AddExcept(b, less)
		}
		want, removed := map[string]int{}, pointSet(out)
		for x := range pointSet(in) {
			if removed[x] == 0 {
				want[x] = 1
			}
		}
		require.Equal(t, int64(len(want)), c.Count())

		got, gathered := map[string]int{}, map[string]int{}
		for _, r := range Decompose(c) {
			visited(Group{r, []Region{r}}, got)
		}
		require.Equal(t, want, got)
		for _, h := range Gather(Decompose(c)) {
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
		few := Merged(boxes)
		want, got := pointSet(boxes), pointSet(few)
		require.Len(t, got, len(want))
		for x := range got {
			require.Positive(t, want[x])
		}
		require.LessOrEqual(t, len(few), len(boxes))
	}
	var box27 []Box // a 3 x 3 x 3 stencil on a box is one box
	for k := range int64(27) {
		box27 = append(box27, Box{[]int64{k / 9, k / 3 % 3, k % 3}, []int64{k/9 + 4, k/3%3 + 4, k%3 + 4}})
	}
	require.Len(t, Merged(box27), 1)
}

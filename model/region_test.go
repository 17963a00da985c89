package model

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/poly"
)

// TestRegionStar counts what a star of five points reads, by hand.
func TestRegionStar(t *testing.T) {
	star := region{}
	for _, o := range [][]int64{{-1, 0}, {0, -1}, {0, 0}, {0, 1}, {1, 0}} {
		star = star.with(owned(2, true).moved(o))
	}
	all := []bool{true, true}
	a := amountOf(star, all)
	require.Equal(t, "w0 w1 + 2 w1 + 2 w0", a.Polynomial.String())
	require.EqualValues(t, 5, a.At([]int64{1, 1}))
	require.EqualValues(t, 34*34-4, a.At([]int64{32, 32}))
	star.at = nil
	require.EqualValues(t, 34*34, amountOf(star, all).At([]int64{32, 32}))
	require.EqualValues(t, 34, amountOf(star, []bool{false, true}).At([]int64{32, 32}))
	require.Equal(t, "0", Polynomial{0, 0}.String())
	require.Equal(t, "-w0 - 12", Polynomial{-12, -1}.String())
}

// TestRegions compares the counts of random regions with those of package poly, for all widths at once, and with points one by one.
func TestRegions(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		dims := 1 + rng.IntN(3)
		r := region{}
		for range 1 + rng.IntN(5) {
			o := make([]int64, dims)
			for p := range o {
				o[p] = rng.Int64N(5) - 2
			}
			r = r.with(owned(dims, true).moved(o))
		}
		follows := make([]bool, dims)
		for p := range follows {
			follows[p] = rng.IntN(4) > 0
		}
		a := amountOf(r, follows)
		for range 4 {
			w := make([]int64, dims)
			for p := range w {
				w[p] = 1 + rng.Int64N(6)
			}
			require.EqualValues(t, len(pointsIn(a.region, w, follows)), a.At(w), "%v %v", r, w)
		}
	}
	for range 6 {
		r := region{}
		for range 2 + rng.IntN(2) {
			r = r.with(owned(2, true).moved([]int64{rng.Int64N(4) - 2, rng.Int64N(3) - 1}))
		}
		var parts []string
		for _, o := range r.at {
			parts = append(parts, fmt.Sprintf("%d <= i < w0 + %d and %d <= j < w1 + %d", o[0], o[0], o[1], o[1]))
		}
		set := poly.MustSet("[w0, w1] -> { [i, j] : w0 >= 1 and w1 >= 1 and (" + strings.Join(parts, " or ") + ") }")
		count, err := set.Card()
		require.NoError(t, err)
		for w0 := range int64(6) {
			for w1 := range int64(6) {
				want, ok := count.At(map[string]int64{"w0": w0 + 1, "w1": w1 + 1})
				require.True(t, ok)
				n, _ := want.Float64()
				require.Equal(t, n, amountOf(r, []bool{true, true}).At([]int64{w0 + 1, w1 + 1}), "%v", r)
			}
		}
	}
}

// pointsIn returns the points of r for a box of those widths, one by one.
func pointsIn(r region, w []int64, follows []bool) map[string]bool {
	points := map[string]bool{}
	var visit func(at []int64)
	visit = func(at []int64) {
		p := len(at)
		if p == len(w) {
			for _, o := range r.at {
				points[fmt.Sprint(sum2(at, o))] = true
			}
			return
		}
		for x := range w[p] {
			if follows[p] || x == 0 {
				visit(append(slices.Clone(at), x))
			}
		}
	}
	visit(nil)
	return points
}

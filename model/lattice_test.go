package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// TestLatticeIsBounded checks that many dimensions make no more sizes to look at, and never none.
func TestLatticeIsBounded(t *testing.T) {
	d, _ := machine.LookupDevice("sm_80")
	for dims := 1; dims <= 10; dims++ {
		s := &search{space: &schedule.Canonical{Space: make([]string, dims), K: 1}, device: d}
		n := 0
		for _, w := range s.lattice().widthsOver(0) {
			n = max(n, 1) * len(w)
		}
		n *= len(heights(1))
		require.True(t, 0 < n && n <= maxLattice, "%d sizes of %d dimensions", n, dims)

		hs := len(schedule.LegalH(1))
		factor := widthFactor(dims, hs)
		n = hs * hexagonTops
		for p := 1; p < dims; p++ {
			n *= len(classicalWidths(dims, p, factor))
		}
		require.True(t, 0 < n && n <= maxWeighed, "%d sizes of %d dimensions for a CPU", n, dims)
	}
}

// TestLatticeEach checks that sizes which are passed over are those whose room is too much, and that their order is kept.
func TestLatticeEach(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		lists := make([][]int64, 1+r.IntN(4))
		for i := range lists {
			w := int64(0)
			for range 1 + r.IntN(5) {
				w += r.Int64N(4)
				lists[i] = append(lists[i], w)
			}
		}
		l := lattice{[]int64{0, 3}, func(int64) int64 { return 0 }, func(int64) [][]int64 { return lists }}
		room := func(s schedule.Sizes) int64 {
			n := 1 + s.H
			for i, w := range s.W {
				n *= int64(i+1) + w
			}
			return n
		}
		collect := func(limit int64) (all []schedule.Sizes) {
			l.each(limit, room, func(s schedule.Sizes) { all = append(all, s) })
			return all
		}
		limit := r.Int64N(1000)
		want := slices.DeleteFunc(collect(math.MaxInt64), func(s schedule.Sizes) bool { return room(s) > limit })
		require.Equal(t, want, append([]schedule.Sizes{}, collect(limit)...))
		require.Equal(t, product(lists), func() (ws [][]int64) {
			for _, s := range collect(math.MaxInt64) {
				if s.H == 0 {
					ws = append(ws, s.W)
				}
			}
			return ws
		}())
	}
}

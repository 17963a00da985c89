package schedule

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
)

func TestSizesAreChecked(t *testing.T) {
	_, c, _ := analyze(t, find(t, "three-copies").p)
	c.K = 3
	_, long, _ := analyze(t, find(t, "jacobi-2d").p)
	cone := Cone{Hi: []*big.Rat{big.NewRat(5, 2), new(big.Rat)}, Lo: []*big.Rat{big.NewRat(1, 3), new(big.Rat)}}
	many := *c
	many.K = 33
	for _, x := range []struct {
		c         *Canonical
		sizes     Sizes
		code      diag.Code
		msg, help string
	}{
		{c, Sizes{H: 2, W: []int64{2, 1}}, "", "", ""},
		{c, Sizes{H: 3, W: []int64{2, 1}}, "HX203", "h=3: h+1 must be a multiple of the 3 steps of an iteration of the time loop, so that every tile starts with the first", "choose h=2 or h=5"},
		{c, Sizes{H: 0, W: []int64{2, 1}}, "HX203", "h=0: h+1 must be", "choose h=2"},
		{c, Sizes{H: 32, W: []int64{9, 1}}, "HX203", "h=32: a tile has 2h+2 = 66 time steps, and the limit is 64", "choose h=29"},
		{long, Sizes{H: -2, W: []int64{9, 1}}, "HX203", "h=-2: the height is at least 0", "choose h=0"},
		{long, Sizes{H: NoHeight, W: []int64{9, 1}}, "HX203", "h=-1: a tile in time has a height", "choose h=0"},
		{c, Sizes{H: 2, W: []int64{1, 1}}, "HX204", "w0=1: with the slopes 5/2 and 1/3 of the dependences, w0 is at least 2 at this height", "choose w0=2"},
		{c, Sizes{H: 2, W: []int64{2, 0}}, "HX204", "w1=0: w1 is at least 1", "choose w1=1"},
		{c, Sizes{H: 2, W: []int64{2, 1 << 21}}, "HX204", "w1=2097152: the limit is 1048576", "choose w1=1048576"},
		{c, Sizes{H: 2, W: []int64{2}}, "HX204", "1 tile widths for 2 space dimensions", "give w0, w1"},
		{&many, Sizes{H: 2, W: []int64{2, 1}}, "HX205", "takes 33 steps, as nests use each other's results: at most 32 fit in a tile of 64 steps", "split"},
	} {
		err := CheckSizes(x.c, cone, x.sizes)
		if x.code == "" {
			require.NoError(t, err)
			continue
		}
		var list diag.List
		require.ErrorAs(t, err, &list)
		require.Len(t, list, 1, "%v", err)
		assert.Equal(t, x.code, list[0].Code)
		assert.Contains(t, list[0].Msg, x.msg)
		assert.Contains(t, list[0].Help, x.help)
		_, err = Hybrid(x.c, cone, x.sizes)
		assert.Error(t, err)
	}
}

func TestLegalSizes(t *testing.T) {
	assert.Equal(t, []int64{3, 7, 11, 15, 19, 23, 27, 31}, LegalH(4))
	assert.Len(t, LegalH(1), 32)
	assert.Empty(t, LegalH(33))
	cone := Cone{Hi: []*big.Rat{big.NewRat(5, 2)}, Lo: []*big.Rat{big.NewRat(1, 3)}}
	assert.EqualValues(t, 2, MinW0(cone, 2)) // ⌈5/2 + 0⌉ - 1
	assert.EqualValues(t, 2, MinW0(cone, 1)) // ⌈5/2 + 1/2⌉ - 1
	assert.Equal(t, "h=2,w0=3,w1=32", Sizes{H: 2, W: []int64{3, 32}}.String())
}

// TestVerifyComparesMapAndPhases spoils one description of the schedule.
func TestVerifyComparesMapAndPhases(t *testing.T) {
	for name, spoil := range map[string]func(*Schedule){
		"row":    func(s *Schedule) { s.Phases[0].Space[0].Hi[2]++ },
		"offset": func(s *Schedule) { s.Phases[1].Space[0].Offset++ },
		"skew":   func(s *Schedule) { s.Phases[1].Space[1].Lo[3]++ },
		"shift":  func(s *Schedule) { s.Phases[0].TimeShift++ },
		"height": func(s *Schedule) { s.Height++ },
	} {
		k := find(t, "jacobi-2d")
		_, c, cone := analyze(t, k.p)
		s, err := Hybrid(c, cone, Sizes{H: 2, W: []int64{1, 4}})
		require.NoError(t, err)
		require.NoError(t, s.Verify())
		spoil(s)
		assert.Error(t, s.Verify(), name)
	}
}

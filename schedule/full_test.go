package schedule

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCoreOfThePaper checks the example of figure 9: on a grid of 2048 points a
// side, with h=2, w0=8 and w1=128, the core of each row of tiles is S1 = 1..14.
func TestCoreOfThePaper(t *testing.T) {
	p := cases(t)["jacobi-2d"]
	_, c, cone := analyze(t, p)
	s, err := HybridTiles(c, cone, Sizes{H: 2, W: []int64{8, 128}})
	require.NoError(t, err)
	require.Equal(t, []string{"T", "n"}, []string{p.Params[0].Name, p.Params[1].Name})
	params := map[string]int64{"T": 100, "n": 2048}
	for phase := range s.Phases {
		core := FullTiles(s, phase)
		for S1 := int64(-2); S1 <= 18; S1++ {
			assert.Equal(t, 1 <= S1 && S1 <= 14, core.Contains(params, 5, 40, S1), "phase %d, S1=%d", phase, S1)
		}
		assert.True(t, core.Contains(params, 1, 1, 1))
		assert.False(t, core.Contains(params, 5, -1, 5), "a tile outside of the grid")
		assert.False(t, core.Contains(params, 17, 40, 5), "a tile above the last time step")
	}
}

// TestFullTilesByEnumeration compares the set with the points of each tile.
func TestFullTilesByEnumeration(t *testing.T) {
	for _, name := range []string{"jacobi-1d", "asymmetric", "copy-back", "fdtd-2d"} {
		k := find(t, name)
		_, c, cone := analyze(t, k.p)
		sizes := Sizes{H: LegalH(c.K)[0], W: []int64{MinW0(cone, LegalH(c.K)[0]) + 1, 2}[:len(c.Space)]}
		s, err := HybridTiles(c, cone, sizes)
		require.NoError(t, err)
		params := map[string]int64{"N": 14, "T": 9}
		for phase := range s.Phases {
			set := FullTiles(s, phase)
			full := 0
			for index := range vectors(1+len(c.Space), 9) {
				tile := append([]int64{index[0] - 1}, index[1:]...)
				for i := range tile[1:] {
					tile[1+i] -= 2
				}
				want := fullByPoints(s, phase, tile, params)
				require.Equal(t, want, set.Contains(params, tile...), "%s: phase %d, tile %v\n%v", name, phase, tile, set)
				if want {
					full++
				}
			}
			assert.Positive(t, full, name)
		}
	}
}

// fullByPoints looks at each point of a tile: nests that have a loop for each dimension
// have an instance everywhere, the others nowhere.
func fullByPoints(s *Schedule, phase int, tile []int64, params map[string]int64) bool {
	c, ph := s.Canonical, s.Phases[phase]
	all, some := true, false
	for a := range s.Height {
		tau := s.Height*tile[0] + a - ph.TimeShift
		lo := make([]int64, len(ph.Space))
		room := int64(1)
		for p, d := range ph.Space {
			lo[p] = d.Stride*tile[1+p] + d.Drift*tile[0] + d.Offset + d.Lo[a]
			room = max(room, d.Hi[a]-d.Lo[a]+1)
			if d.Lo[a] > d.Hi[a] {
				room = 0
				break
			}
		}
		for _, st := range c.At(int(a) % c.K) {
			for x := range vectors(len(lo), room) {
				iters, in := []int64{floorDiv(tau, int64(c.K))}, true
				iters = append(iters, make([]int64, len(st.Iters)-1)...)
				for p, d := range ph.Space {
					if x[p] > d.Hi[a]-d.Lo[a] {
						in = false
						break
					}
					place := c.Places[st.Order][p]
					less := lo[p] + x[p] - c.value(Place{Iter: -1, Shift: place.Shift}, nil, params)
					if place.Iter >= 0 {
						iters[place.Iter] = less * place.Sign()
					} else if less != 0 {
						iters[0] = -1 // on no row of the nest
					}
				}
				if !in {
					continue
				}
				inside := st.Domain.Contains(params, iters...)
				wanted := len(st.Iters)-1 == len(c.Space)
				all, some = all && inside == wanted, some || inside
			}
		}
	}
	return all && some
}

// TestIterationsOfThePaper checks the closed form of the number of iterations of
// a tile of a heat equation in three dimensions: 2(1+2h+h²+w0(h+1))·w1·w2, 19200
// for h=2, w0=7, w1=10, w2=32, and the 1152 of jacobi-2d.
func TestIterationsOfThePaper(t *testing.T) {
	programs := cases(t)
	type analyzed struct {
		*Canonical
		Cone
	}
	known := map[string]analyzed{}
	for _, name := range []string{"heat-3d", "heat-3d-27", "jacobi-2d"} {
		_, c, cone := analyze(t, programs[name])
		require.Zero(t, cone.Hi[0].Cmp(big.NewRat(1, 1)))
		known[name] = analyzed{c, cone}
	}
	count := func(name string, sizes Sizes) (n int64) {
		s, err := HybridTiles(known[name].Canonical, known[name].Cone, sizes)
		require.NoError(t, err)
		for a := range s.Height {
			points := int64(1)
			for _, d := range s.Phases[0].Space {
				points *= max(0, d.Hi[a]-d.Lo[a]+1)
			}
			n += points
		}
		return n
	}
	for _, name := range []string{"heat-3d", "heat-3d-27"} {
		for h := range int64(4) {
			for w0 := range int64(9) {
				want := 2 * (1 + 2*h + h*h + w0*(h+1)) * 10 * 32
				require.Equal(t, want, count(name, Sizes{H: h, W: []int64{w0, 10, 32}}))
			}
		}
		require.EqualValues(t, 19200, count(name, Sizes{H: 2, W: []int64{7, 10, 32}}))
	}
	require.EqualValues(t, 1152, count("jacobi-2d", Sizes{H: 2, W: []int64{3, 32}}))
}

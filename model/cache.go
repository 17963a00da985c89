package model

import (
	"math/big"

	"github.com/hexcc/hexcc/schedule"
)

// cacheBudget is how many bytes a tile on a CPU may touch: a part of the cache
// of second level of one core, which is 512 KiB to 2 MiB on current ones.
const cacheBudget = 256 << 10

// CacheSizes returns tile sizes for a CPU: steps enough for the values of a tile
// to be used many times, rows of the last dimension long enough to vectorise,
// and all that a tile touches within a cache of second level.
func CacheSizes(c *schedule.Canonical, cone schedule.Cone) schedule.Sizes {
	dims := len(c.Space)
	// Half the height, width at the top, and widths but the last; the last takes what is left.
	start := [][]int64{{31, 256}, {7, 8, 0}, {3, 4, 16, 0}, {1, 2, 4, 8, 0}}[min(dims, 4)-1]
	s := schedule.Sizes{H: 0}
	for _, h := range schedule.LegalH(c.K) {
		if h <= start[0] {
			s.H = h
		}
	}
	s.H = max(s.H, schedule.LegalH(c.K)[0])
	s.W = append(s.W, max(start[1], schedule.MinW0(cone, s.H)))
	for p := 1; p < dims; p++ {
		s.W = append(s.W, start[min(1+p, len(start)-1)])
	}
	if dims == 1 {
		s.W[0] = max(s.W[0], 1024)
		return s
	}
	cells := float64(bytesAt(c))
	for p, w := range s.W[:dims-1] {
		reach := slope(cone.Lo[p]) + slope(cone.Hi[p])
		cells *= float64(w) + reach*float64(s.H+1)
	}
	last := int64(32)
	for last < 1024 && float64(2*last)*cells <= cacheBudget {
		last *= 2
	}
	s.W[dims-1] = last
	return s
}

// bytesAt returns the bytes that all arrays have for one point of space.
func bytesAt(c *schedule.Canonical) (bytes int64) {
	for _, a := range c.Scop.Arrays {
		n := int64(a.Elem.Size())
		if len(a.Extents) > len(c.Space) && len(a.Extents[0].Params) == 0 {
			n *= max(a.Extents[0].Const, 1)
		}
		bytes += n
	}
	return max(bytes, 1)
}

// slope returns r, or 0 where there is no bound.
func slope(r *big.Rat) float64 {
	if r == nil {
		return 0
	}
	f, _ := r.Float64()
	return f
}

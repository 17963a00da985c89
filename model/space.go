package model

import (
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// boxPoints are the points of a tile of space alone: some for each thread of a
// full block, so that what neighbours share is loaded once.
const boxPoints = 1024

// SpaceSizes returns the widths of tiles of space alone: two warps of the
// stride-one dimension, and of the others as near to a cube as boxPoints and the
// shared memory of d allow. The error, a diag.List, says that not even the
// smallest tile fits.
func SpaceSizes(c *schedule.Canonical, d gpu.Device, leave gpu.Leave) (schedule.Sizes, error) {
	n := len(c.Space)
	s := schedule.Sizes{H: schedule.NoHeight, W: make([]int64, n)}
	for i := range s.W {
		s.W[i] = 1
	}
	s.W[n-1] = 2 * int64(d.Warp)
	if n == 1 {
		s.W[0] = boxPoints
	}
	for points := s.W[n-1]; points < boxPoints; points *= 2 {
		least := 0
		for i, w := range s.W[:n-1] {
			if w <= s.W[least] {
				least = i
			}
		}
		s.W[least] *= 2
	}
	k := gpu.NewCounter(c, d, gpu.Options{Leave: leave})
	for !fitsSpace(k, c, s, int64(d.SharedBytes)) {
		widest := 0
		for i, w := range s.W {
			if w > s.W[widest] {
				widest = i
			}
		}
		if s.W[widest] == 1 {
			return s, tooLarge(c, d)
		}
		s.W[widest] /= 2
	}
	return s, nil
}

// fitsSpace reports whether what a tile uses of all arrays fits.
func fitsSpace(k *gpu.Counter, c *schedule.Canonical, sizes schedule.Sizes, budget int64) bool {
	tiles := schedule.SpaceTiles(c, sizes)
	for phase := range tiles.Phases {
		if counts := k.Rough(tiles, phase); counts.SharedBytes > budget {
			return false
		}
	}
	return true
}

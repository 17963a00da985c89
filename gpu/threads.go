package gpu

import (
	"github.com/hexcc/hexcc/astgen"
)

// wantThreads bounds the threads of a block that we choose ourselves: more only helps tiles with few steps.
const wantThreads = 512

// shape returns the threads of a block: the last dimension on x, whole warps of
// it; the one before on y.
func (m *mapping) shape(all []astgen.Slice) [3]int {
	if m.options.Threads != [3]int{} {
		return m.options.Threads
	}
	dims := len(m.names.Points)
	limit := min(wantThreads, m.device.ThreadsPerBlock)
	x := roundUp(widest(all, dims-1), m.device.Warp)
	for x > limit/2 && dims > 1 || x > limit {
		x = roundUp((x+1)/2, m.device.Warp)
	}
	y := 1
	if dims > 1 {
		y = max(1, min(widest(all, dims-2), limit/x))
	}
	return [3]int{x, y, 1}
}

// widest returns the most points of a slice along dimension p.
func widest(all []astgen.Slice, p int) int {
	n := int64(1)
	for _, s := range all {
		n = max(n, s.Hi[p]-s.Lo[p]+1)
	}
	return int(n)
}

// roundUp returns the least multiple of m that is at least n.
func roundUp(n, m int) int { return (n + m - 1) / m * m }

package lower

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/pointset"
)

// wantThreads bounds the threads of a block that we choose ourselves: more only helps tiles with few steps.
const wantThreads = 512

// fewThreads are those of a block that it keeps where each of them takes several
// rows of the dimension on y: two warps for each scheduler of a multiprocessor.
const fewThreads = 256

// manyArrays are so many that a thread runs one row along y: beyond, copies and
// addresses of all of them take the registers that rows would, and ptxas was seen to spill.
const manyArrays = 4

// blockOf decides on the threads of a block, and on the rows of each.
func blockOf(l launch) block {
	b := block{launch: l, threads: l.shape(l.all), rows: 1}
	if b.streaming() != nil || b.schedule.Canonical.Ways != nil || b.options.Threads != [3]int{} || b.options.Points != [3]int{} || b.options.Rolled || len(b.schedule.Phases[0].Space) < 3 || len(b.scop.Arrays) > manyArrays {
		return b
	}
	p := len(b.schedule.Phases[0].Space) - 2
	extent := widest(b.all, p)
	if slices.ContainsFunc(b.all, func(s astgen.Slice) bool { return int(s.Hi[p]-s.Lo[p])+1 != extent }) {
		return b
	}
	for rows := extent / 2; rows > 1; rows-- {
		y := extent / rows
		if extent%rows == 0 && b.threads[0]*y >= fewThreads && y <= b.threads[1] && b.spelt(b.all, int64(rows)) <= maxUnrolled {
			b.threads[1], b.rows = y, int64(rows)
			return b
		}
	}
	return b
}

// spelt returns the accesses of a thread in straight code for slices, where it takes so many rows.
func (ph *block) spelt(slices []astgen.Slice, rows int64) (n int64) {
	for _, s := range slices {
		points := int64(1)
		for p := range s.Lo {
			switch extent := s.Hi[p] - s.Lo[p] + 1; axis(p, len(s.Lo)) {
			case 0:
				points *= ceilDiv(extent, int64(ph.threads[0]))
			case 1:
				points *= rows
			default:
				points *= extent
			}
		}
		n += points * int64(len(s.Stmt.Accesses))
	}
	return n
}

// shape returns the threads of a block: the last dimension on x, whole warps of
// it; the one before on y, but for the hexagonal one: each thread runs all of
// its rows, which thus share what they read.
func (m *program) shape(all []astgen.Slice) [3]int {
	if m.options.Threads != [3]int{} {
		return m.options.Threads
	}
	order := m.pointOrder()
	dims := len(order)
	limit := min(wantThreads, m.device.ThreadsPerBlock)
	each := m.options.Points
	x := roundUp(widest(all, order[dims-1]), m.device.Warp)
	if each[0] > 0 {
		x = (widest(all, order[dims-1]) + each[0] - 1) / each[0]
	}
	for each[0] == 0 && (x > limit/2 && dims > 1 || x > limit) {
		x = roundUp((x+1)/2, m.device.Warp)
	}
	y := 1
	if dims > 2 {
		y = max(1, min(widest(all, order[dims-2]), limit/x))
	}
	if dims > 1 && each[1] > 0 {
		y = (widest(all, order[dims-2]) + each[1] - 1) / each[1]
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

// points returns the node that runs op at each point of the loops once: along
// an axis that no loop deals to, thread 0 alone.
func (ph *block) points(loops []gpu.ThreadLoop, guard astgen.Cond, op gpu.Op, role gpu.Role) gpu.Threads {
	for axis, n := range ph.threads {
		if (n > 1 || axis == 0) && !slices.ContainsFunc(loops, func(l gpu.ThreadLoop) bool { return l.Axis == axis }) {
			once := gpu.ThreadLoop{Var: ph.onceVar(axis), Lo: affine.Num(0), Hi: affine.Num(0), Axis: axis}
			loops = slices.Concat([]gpu.ThreadLoop{once}, loops)
		}
	}
	return gpu.Threads{Loops: loops, Guard: guard, Body: []gpu.Op{op}, Role: role}
}

// loopsOver returns loops over r moved by -origin, with variables vars; the axes
// are given to the last dimensions.
func loopsOver(r pointset.Region, vars []string, origin []int64) []gpu.ThreadLoop {
	lo, hi := r.Bounds(vars, origin)
	loops := make([]gpu.ThreadLoop, len(vars))
	for d, v := range vars {
		loops[d] = gpu.ThreadLoop{Var: v, Lo: lo[d], Hi: hi[d], Axis: axis(d, len(vars))}
	}
	return loops
}

// axis returns the thread axis of dimension d of n: x for the last, y for the one before.
func axis(d, n int) int {
	if k := n - 1 - d; k < 2 {
		return k
	}
	return -1
}

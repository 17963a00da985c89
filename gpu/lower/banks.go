package lower

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/machine"
)

// This file lays buffers out so that the warps of a block have as few bank
// conflicts as can be.

// A pattern is how the threads of a block use a buffer at once: the axis on which
// each dimension lies, -1 for none, and how many threads of it take part.
type pattern struct {
	axes    []int
	threads []int64
}

// patterns returns those of an array: of statements first, then of copies.
func (ph *block) patterns(l layout, shape []int64) []pattern {
	points, copies := pattern{}, pattern{}
	dims := len(ph.schedule.Phases[ph.number].Space)
	loop := l.loopedDims()
	for k, p := range l.space {
		at, n := -1, int64(1)
		if p >= 0 {
			if at = axis(p, dims); at >= 0 {
				n = min(ph.along(at), int64(widest(ph.all, p)))
			}
		}
		points.axes, points.threads = append(points.axes, at), append(points.threads, n)
		at, n = -1, 1
		if i := slices.Index(loop, k); i >= 0 {
			if at = axis(i, len(loop)); at >= 0 {
				n = min(ph.along(at), shape[k])
			}
		}
		copies.axes, copies.threads = append(copies.axes, at), append(copies.threads, n)
	}
	return []pattern{points, copies}
}

// rows reports whether each warp runs along the last dimension alone, in rows: no
// two lanes then want different words of a bank.
func (p pattern) rows(threads [3]int) bool {
	return threads[0]%machine.WarpLanes == 0 && p.axes[len(p.axes)-1] == 0
}

// conflicts returns the passes beyond the least that the warps of a block take
// together if each of its threads uses one element of a buffer of the shape. Where
// warps differ by a translation of whole words alone, it takes those of one row of threads.
func (p pattern) conflicts(threads [3]int, shape []int64, size int64) (more int64) {
	strides := make([]int64, len(shape))
	stride := int64(1)
	for k := len(shape) - 1; k >= 0; k-- {
		strides[k] = stride
		stride *= shape[k]
	}
	all := int64(threads[0] * threads[1] * threads[2])
	last := all
	if threads[0]%machine.WarpLanes == 0 && size >= machine.BankBytes {
		last = int64(threads[0])
	}
	for first := int64(0); first < last; first += machine.WarpLanes {
		passes, least := wavefronts(first, all, size, func(thread int64) int64 { return p.offset(threads, thread, strides) })
		more += passes - least
	}
	return more
}

// wavefronts returns the passes over the banks of shared memory that the warp from a thread on makes, of all threads, for elements of a size at offsets, and the least that it could.
func wavefronts(first, all, size int64, offset func(thread int64) int64) (passes, least int64) {
	var at [machine.WarpLanes]int64
	for lane := range at {
		at[lane] = -1
		if thread := first + int64(lane); thread < all {
			at[lane] = offset(thread) * size
		}
	}
	return machine.Wavefronts(&at, size)
}

// toMove returns what moves in straight code take of a block: the instructions of its warps that write, and the passes over the banks of shared memory that those
// make. Those that read take as much. free: none makes more passes than it must.
func (ph *block) toMove(moves []work) (n int64, free bool) {
	free = true
	for _, w := range moves {
		for _, node := range w.nodes() {
			t := node.(gpu.Threads)
			each, most := ph.toWrite(t, t.Body[0].(gpu.Copy).To)
			n += int64(len(t.Body)) * each
			free = free && most
		}
	}
	return n, free
}

// toWrite returns the same of one element of a buffer in t, of which each thread runs one point at most. The
// operations of t differ by numbers in what they use, so that each takes as much.
func (ph *block) toWrite(t gpu.Threads, r gpu.Ref) (n int64, free bool) {
	all, size := int64(ph.size()), int64(r.Array.Elem.Size())
	free = true
	for first := int64(0); first < all; first += machine.WarpLanes {
		if passes, least := wavefronts(first, all, size, func(thread int64) int64 { return ph.offsetIn(t, r, thread) }); least > 0 {
			n += 1 + passes
			free = free && passes == least
		}
	}
	return n, free
}

// offsetIn returns the element of the buffer of r that a thread uses in t, of which it runs one point at most; negative if none.
func (ph *block) offsetIn(t gpu.Threads, r gpu.Ref, thread int64) (off int64) {
	env := map[string]int64{}
	for axis, k := range ph.threads {
		env[ph.threadVar(axis)] = thread % int64(k)
		thread /= int64(k)
	}
	if slices.ContainsFunc(t.Loops, func(l gpu.ThreadLoop) bool { return env[l.Var] > affine.Eval(l.Hi, env) }) || !t.Guard.Holds(env) {
		return -1
	}
	for d, e := range r.Index {
		off = off*r.Buffer.Shape[d] + affine.Eval(e, env)
	}
	return off
}

// offset returns the element that a thread uses, negative if none.
func (p pattern) offset(threads [3]int, thread int64, strides []int64) (off int64) {
	index := [3]int64{thread % int64(threads[0]), thread / int64(threads[0]) % int64(threads[1]), thread / int64(threads[0]*threads[1])}
	for k, a := range p.axes {
		if a < 0 {
			continue
		}
		if index[a] >= p.threads[k] {
			return -1
		}
		off += index[a] * strides[k]
	}
	return off
}

// padded returns the shape of a buffer with room added to one dimension, or to two
// where one is not enough, so that there are the fewest conflicts in statements,
// then in copies, and the buffer is the smallest of those. wrapped is left as it is.
func (ph *block) padded(l layout, shape []int64, wrapped int) []int64 {
	patterns := ph.patterns(l, shape)
	if len(shape) == 0 || patterns[0].rows(ph.threads) && patterns[1].rows(ph.threads) {
		return shape
	}
	key := fmt.Sprint(l.array.Name, ph.threads, patterns, shape[1:], wrapped)
	if have, ok := ph.pads.Load(key); ok {
		return slices.Concat(shape[:1], have.([]int64))
	}
	size := int64(l.array.Elem.Size())
	cost := func(s []int64) []int64 {
		return []int64{patterns[0].conflicts(ph.threads, s, size), patterns[1].conflicts(ph.threads, s, size), volume(s)}
	}
	best, least := slices.Clone(shape), cost(shape)
	try := slices.Clone(shape)
	var pad func(from, left int)
	pad = func(from, left int) {
		for k := from; k < len(try); k++ {
			if k == wrapped {
				continue
			}
			for range machine.Banks - 1 {
				try[k]++
				if left > 1 {
					pad(k+1, left-1)
				} else if c := cost(try); slices.Compare(c, least) < 0 {
					best, least = slices.Clone(try), c
				}
			}
			try[k] = shape[k]
		}
	}
	for room := 1; room <= 2 && least[0]+least[1] > 0; room++ {
		pad(1, room)
	}
	ph.pads.Store(key, slices.Clone(best[1:]))
	return best
}

// volume returns the number of elements of a shape.
func volume(shape []int64) int64 {
	n := int64(1)
	for _, x := range shape {
		n *= x
	}
	return n
}

// unpad takes the room against bank conflicts away again where the buffers do not
// fit with it and do without, and says so.
func (ph *plan) unpad() (remarks []string) {
	var with, without int64
	for _, f := range ph.staged {
		with += f.buffer.Bytes()
		without += gpu.Aligned(volume(f.bare) * int64(f.array.Elem.Size()))
	}
	limit := int64(ph.device.SharedBytes)
	if with <= limit || without > limit {
		return nil
	}
	for _, f := range ph.staged {
		if !slices.Equal(f.bare, f.buffer.Shape) {
			f.buffer.Shape = f.bare
			remarks = append(remarks, fmt.Sprintf("%s has bank conflicts: without, a tile needs %d bytes of shared memory, and a block has %d", f.buffer.Name, with, limit))
		}
	}
	return remarks
}

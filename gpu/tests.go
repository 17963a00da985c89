package gpu

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
)

// This file says where a thread must test something before it goes on: at the
// ends of loops and at guards. What a printer prints follows from it.

// Once reports whether each of so many threads along the axis of l runs one value
// of l at most, and whether all of them run one. Elsewhere they loop.
func (l ThreadLoop) Once(threads int64) (once, all bool) {
	n, ok := l.Values()
	once = ok && 1 <= n && n <= threads
	return once, once && n == threads
}

// Values returns how many values l has, if its bounds are numbers.
func (l ThreadLoop) Values() (n int64, ok bool) {
	lo, isNum := l.Lo.(affine.Sum)
	hi, isNumToo := l.Hi.(affine.Sum)
	if !isNum || !isNumToo || !lo.IsNum() || !hi.IsNum() {
		return 0, false
	}
	return hi.Const - lo.Const + 1, true
}

// ThreadsAlong returns the number of threads along an axis, 1 for axis -1.
func ThreadsAlong(threads [3]int, axis int) int64 {
	if axis < 0 {
		return 1
	}
	return int64(max(1, threads[axis]))
}

// Tests returns the places in the text of n where threads of a block of that
// shape take different ways or go around: one for each loop that runs several
// times, one for conditions on the index of the thread and a guard that stand together.
func (n Threads) Tests(threads [3]int) (tests int) {
	waiting := false
	for axis := range threads {
		looped := slices.ContainsFunc(n.Loops, func(l ThreadLoop) bool { return l.Axis == axis })
		waiting = waiting || !looped && threads[axis] > 1
	}
	for _, l := range n.Loops {
		once, all := l.Once(ThreadsAlong(threads, l.Axis))
		waiting = waiting || once && !all
		if !once {
			tests++
			if waiting {
				tests++
			}
			waiting = false
		}
	}
	if waiting || n.Guard != nil {
		tests++
	}
	return tests
}

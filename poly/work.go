package poly

import (
	"fmt"
	"sync/atomic"
)

// Work counts what operations have done: a measure of their cost that no clock blurs. The same operations on the same
// operands do the same work, so that two readings around them differ by as much on all machines.
type Work struct {
	Pivots    int64 // of simplex tableaus
	Cuts      int64 // of Gomory, added in searches for integer points
	Branches  int64 // in searches for integer points
	Splinters int64 // subproblems of the Omega test in searches
	Parts     int64 // conjunctions made
	Divs      int64 // floors introduced by projection, by solving or by the text of a set
	BigInts   int64 // results of arithmetic that do not fit 64 bits
}

// The totals of the process. Each has a cache line of its own, for operations that run concurrently.
var pivots, cuts, branches, splinters, partsMade, divsMade, bigInts struct {
	atomic.Int64
	_ [56]byte
}

// WorkDone returns the work of all operations of the process so far, of all goroutines together.
func WorkDone() Work {
	return Work{pivots.Load(), cuts.Load(), branches.Load(), splinters.Load(), partsMade.Load(), divsMade.Load(), bigInts.Load()}
}

// Minus returns the work of w that is not of v, an earlier reading.
func (w Work) Minus(v Work) Work {
	return Work{w.Pivots - v.Pivots, w.Cuts - v.Cuts, w.Branches - v.Branches, w.Splinters - v.Splinters,
		w.Parts - v.Parts, w.Divs - v.Divs, w.BigInts - v.BigInts}
}

// Plus returns the work of v and w.
func (w Work) Plus(v Work) Work { return w.Minus(Work{}.Minus(v)) }

func (w Work) String() string {
	return fmt.Sprintf("%d pivots, %d cuts, %d branches, %d splinters, %d parts, %d divs, %d big integers",
		w.Pivots, w.Cuts, w.Branches, w.Splinters, w.Parts, w.Divs, w.BigInts)
}

package lower

import (
	"maps"

	"github.com/hexcc/hexcc/scop"
)

// Options are the choices left to the caller. The zero Options are good ones.
type Options struct {
	Strategy Strategy
	Threads  [3]int          // of a block; zeros: chosen by the tile sizes
	Rolled   bool            // full tiles run in loops too; else they are straight code as far as that is not too long
	Unroll   int             // how many points along s0 a loop of straight code has in its body; 0: as many as fit
	Points   [3]int          // of a tile that a thread runs in a step along x, y and z, at most: threads follow from that where Threads are zeros; 0: chosen
	Leave    Leave           // arrays that stay in global memory, beside those that must or gain nothing otherwise
	Stage    map[string]bool // names of arrays that lie in shared memory though that gains nothing, where they can
	Most     int             // registers of a thread at most, which the compiler is told; 0: it is told how many blocks are to run at once
	Prefetch *int64          // how many positions before its first use a plane is loaded, of tiles that stream; nil: 1 where there is room
	Async    bool            // copies in are asynchronous: the target has instructions for that
	Limit    int64           // how many accesses the steps of a full tile spell out for a thread; 0: maxUnrolled
}

// Leave says of arrays, by name, why they stay in global memory.
type Leave map[string]string

// With returns l with one array more.
func (l Leave) With(array, why string) Leave {
	more := Leave{array: why}
	maps.Copy(more, l)
	return more
}

// Has reports whether array stays in global memory.
func (l Leave) Has(array *scop.Array) bool { return l[array.Name] != "" }

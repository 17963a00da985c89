package stream

import "github.com/hexcc/hexcc/gpu"

// This file estimates the shared memory that a block takes for what turns test that are not full: of each thread bits of columns, and in which beats what it copies exists. Where parts of
// a nest run at borders, an element is there if any of them is, and a thread notes the beats of each.

// guardBytes is how many bytes a thread takes about where one statement computes an element.
const guardBytes = 167

// What one more statement that computes an element takes: of a thread, for a part of the columns that it copies, its first and its last beat; of the lanes of one warp, for a row or a line, 2 bytes
// each for rounds of a copy, and its first and its last beat.
const (
	guardOfColumns = 2 * 8
	guardOfRow     = 2*gpu.WarpLanes + 2*8
)

// guards returns how many bytes a block that runs p takes about for that.
func guards(p *gpu.Pipeline) int64 {
	bytes := p.Threads() * guardBytes
	for i := range p.Stages {
		st := &p.Stages[i]
		for _, c := range st.Cursors {
			more := 0
			for _, g := range c.Groups {
				more = max(more, len(g.Guard)-1)
			}
			parts := (c.Elements() + gpu.WarpLanes - 1) / gpu.WarpLanes
			bytes += st.Count * gpu.WarpLanes * parts * more * guardOfColumns
		}
	}
	for _, c := range p.Copies {
		bytes += max(0, len(c.Guard)-1) * guardOfRow
	}
	return int64(bytes)
}

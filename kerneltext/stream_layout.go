package kerneltext

import (
	"github.com/hexcc/hexcc/gpu"
)

// This file says where rows and edges lie in shared memory.

// A layout is offsets in bytes.
type layout struct {
	rings, edges map[string]region
	cursor       map[*gpu.Cursor]int // the number of its first part among those of the cursors of its stage
	full         int                 // where the first and the last beat are at which turns are full that begin there
	copies       int                 // where a word of each thread is for each copy and alternative: in which rounds its element may be copied
	bytes        int
}

// A region is numbers or warps one after the other, each with its slots.
type region struct {
	at    int // bytes
	slot  int // elements of a slot
	chunk int // elements that are asked for at once
}

// postBytes is room for a hexcc_post.
const postBytes = 160

func layoutOf(p *streamer) layout {
	l := layout{rings: map[string]region{}, edges: map[string]region{}, cursor: map[*gpu.Cursor]int{}, bytes: postBytes}
	take := func(n int) (at int) {
		at = l.bytes
		l.bytes += int(gpu.Aligned(int64(n)))
		return at
	}
	for _, r := range p.Rings {
		size := r.Array.Elem.Size()
		slot := gpu.RingLanes * p.Columns
		l.rings[r.Name] = region{take(r.Numbers * p.Slots * slot * size), slot, p.Chunk(r)}
	}
	for _, e := range p.Edges {
		size := e.Array.Elem.Size()
		l.edges[e.Name] = region{take(p.Warps * p.Slots * e.Elements * size), e.Elements, gpu.ChunkOf(e.Array.Elem, e.Elements)}
	}
	for _, st := range p.Stages {
		n := 0
		for _, c := range st.Cursors {
			l.cursor[c] = n
			n += parts(c)
		}
	}
	size := p.spelled.Index.Size()
	l.full = take(2 * size)
	if words, pairs := p.sharedBytes(); p.sharesCopies() {
		l.copies = take(words + pairs)
	} else {
		n := 0
		for _, c := range p.Copies {
			n += max(1, len(c.Guard))
		}
		l.copies = take(n * p.Threads() * 4)
	}
	most := 0 // masks of a thread
	for _, st := range p.stages {
		most = max(most, len(st.masks))
	}
	masksAt := take(most * p.Threads() * 4)
	copiedAt, marginsAt := 0, 0 // the same of all stages where shared memory is short: a thread is of one of them
	of := func(at *int, bytes int) int {
		if p.sharesCopies() && *at == 0 || !p.sharesCopies() {
			*at = take(bytes)
		}
		return *at
	}
	for _, st := range p.stages {
		perWarp, perThread := st.steadyBytes()
		st.steadyAt = take(perWarp * st.Count)
		if perThread > 0 {
			st.copiedAt = of(&copiedAt, perThread*p.Threads())
		}
		st.pairsAt, st.masksAt = take(2*st.Count*len(st.beats)*size), masksAt
		if len(st.farLines()) > 0 {
			st.linesAt = take(st.lineBytes() * st.Count)
		}
		if st.Margins != nil {
			st.marginsAt = of(&marginsAt, p.Threads()*16)
		}
		for _, c := range st.cursors() {
			st.lanesAt[c] = take(parts(c) * st.laneBytes(c))
		}
	}
	return l
}

// chunkAt returns where chunk c of lane 0 is in a slot of a ring, as an offset of elements; c may lie in the lanes beside.
func (r region) chunkAt(columns, c int) int {
	per := columns / r.chunk
	lane := 1
	for ; c < 0; c += per {
		lane--
	}
	lane += c / per
	return (c%per*gpu.RingLanes + lane) * r.chunk
}

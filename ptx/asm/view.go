package asm

// This file shows blocks what others have written no sooner than they must be: a block reads what lay in memory when it last read with
// .acquire, and others read what it has written when it has written with .release, or ended. So do caches that nobody keeps coherent,
// and stores that stand in line. Accesses that are strong (.relaxed, .volatile, atomic) go to memory itself.

// A view is what a block sees of global memory.
type view struct {
	*block
	own   *Memory // where its loads and stores go
	dirty []span  // what it has written and not shown
	seen  int     // how much of the log it has seen
}

// A span is bytes of a part of memory.
type span struct {
	part   int
	at, n  uint64
	writer *block
}

// viewOf returns a view for b, which sees memory as it is now.
func (g *team) viewOf(b *block) *view {
	own := &Memory{}
	for _, bytes := range g.launch.Memory.parts {
		own.parts = append(own.parts, append([]byte(nil), bytes...))
	}
	b.memory = own
	return &view{block: b, own: own, seen: len(g.log)}
}

// wrote notes a store.
func (v *view) wrote(address, n uint64) {
	v.dirty = append(v.dirty, span{int(address>>partBits) - 1, address&(1<<partBits-1) - 512, n, v.block})
}

// show shows others what the block has written.
func (v *view) show() {
	for _, s := range v.dirty {
		copy(v.launch.Memory.parts[s.part][s.at:s.at+s.n], v.own.parts[s.part][s.at:s.at+s.n])
	}
	v.log = append(v.log, v.dirty...)
	v.dirty = v.dirty[:0]
}

// look sees what others have shown.
func (v *view) look() {
	for _, s := range v.log[v.seen:] {
		if s.writer != v.block {
			copy(v.own.parts[s.part][s.at:s.at+s.n], v.launch.Memory.parts[s.part][s.at:s.at+s.n])
		}
	}
	v.seen = len(v.log)
}

package asm

import (
	"fmt"
	"math/rand/v2"
)

// This file runs blocks at the same time, of which one may wait for what another one writes: one of them runs until a thread of it has
// shown others something, by a store that releases or an atomic operation, or sleeps; then any may run. Mostly it is the one that took
// its turn last, by an atomic operation: who waits too little is seen where what is behind overtakes what is before.
//
// What a block writes others see at once, or as late as the memory model of PTX lets them: what of it a seed chooses; view.go is about the
// latter.

// A team is the blocks of a launch that run at the same time.
type team struct {
	launch *Launch
	rng    *rand.Rand
	left   []int    // the blocks that have not begun
	blocks []*block // those that run
	now    *thread  // the thread that runs
	shown  uint64   // how often others were shown something, or a block ended
	turns  uint64   // atomic operations so far
	clock  uint64   // nanoseconds that threads slept, in all
	log    []span   // what blocks with a view have shown
	uses   []use    // by part of memory
}

// A use is what the threads of a launch have done to a part of memory.
type use struct{ written, onlyRead bool }

// onlyRead notes a load with .nc, which may be of what nothing writes while the kernel runs; here: of no array that it writes.
func (g *team) onlyRead(address uint64) {
	if address < ofModule {
		u := &g.uses[address>>partBits]
		u.onlyRead = true
		u.check()
	}
}

// wrote notes a store.
func (g *team) wrote(address uint64) {
	u := &g.uses[address>>partBits]
	u.written = true
	u.check()
}

func (u *use) check() {
	if u.written && u.onlyRead {
		panic(fault("an array that the kernel writes is loaded with .nc"))
	}
}

// fruitless is how often in turn all blocks may wake up without any having shown others something. There is a limit to how long
// threads want to wait, in kernels that have a clock.
const fruitless = 100

// run runs all blocks.
func (g *team) run() {
	late := len(g.blocks) > 1 && g.rng.IntN(2) == 0
	for _, b := range g.blocks {
		if late {
			b.view = g.viewOf(b)
		}
		b.start(g.next())
	}
	for vain := 0; len(g.blocks) > 0; {
		b := g.pick()
		if b == nil {
			if vain++; vain > fruitless {
				panic(fault(fmt.Sprintf("the %d blocks that run wait for each other for ever", len(g.blocks))))
			}
			for _, x := range g.blocks {
				x.slept = 0
			}
			continue
		}
		before := g.shown
		g.step(b)
		if g.shown != before {
			vain = 0
		}
	}
}

// next takes a block that has not begun.
func (g *team) next() int {
	x := g.left[0]
	g.left = g.left[1:]
	return x
}

// step runs b until it yields, sleeps or ends; then another one begins.
func (g *team) step(b *block) {
	if !b.step() {
		b.slept = 0
		if b.now.state == asleep {
			b.slept = g.shown + 1
		}
		return
	}
	g.shown++
	if b.view != nil {
		b.view.show()
	}
	if g.launch.Block != nil {
		g.launch.Block(b.index)
	}
	if len(g.left) > 0 {
		b.latest = 0
		b.start(g.next())
		return
	}
	for i, x := range g.blocks {
		if x == b {
			g.blocks = append(g.blocks[:i], g.blocks[i+1:]...)
			return
		}
	}
}

// pick returns the block to go on: not one that sleeps since others were last shown something. If all do, nil.
func (g *team) pick() (best *block) {
	if len(g.blocks) == 1 && g.blocks[0].slept == 0 {
		return g.blocks[0]
	}
	any, able := g.rng.IntN(4) == 0, 0
	for _, b := range g.blocks {
		if b.slept == g.shown+1 {
			continue
		}
		able++
		switch {
		case best == nil, any && g.rng.IntN(able) == 0, !any && b.latest > best.latest:
			best = b
		}
	}
	return best
}

// yield lets other blocks run, which are shown something.
func (t *thread) yield() {
	t.shown++
	t.state = yielded
}

// sleep lets other blocks run.
func (t *thread) sleep(nanoseconds uint64) {
	t.clock += nanoseconds
	t.state = asleep
}

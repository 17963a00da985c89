package asm

import "slices"

// This file runs what all lanes of a warp do together: shuffles, and barriers of a warp. Each lane runs up to such an instruction and
// waits there; when all have come, they go on. In between lanes run one by one, in random order, as they may on devices since sm_70.

// warpLanes is how many lanes a warp has.
const warpLanes = 32

// A warp is neighbouring threads of a block.
type warp struct {
	lanes []*thread
	here  int // how many of them have met
	// together is what the lanes do that have met.
	together func(lanes []*thread)
}

// meet has t wait for the other lanes of its warp, to do something together.
func (t *thread) meet(together func(lanes []*thread)) {
	t.state = met
	t.warp.together = together
}

// met notes that a lane of w waits, and lets all lanes go on if it is the last one: the next to run are lanes of w, or they are the
// last ones, so that warps overtake each other.
func (b *block) met(w *warp) {
	w.here++
	if w.here < len(w.lanes) {
		return
	}
	w.here = 0
	for _, t := range w.lanes {
		if t.pc != b.now.pc {
			panic(fault("lanes of a warp do other things together"))
		}
	}
	w.together(w.lanes)
	for _, t := range w.lanes {
		t.state = running
	}
	n := len(b.todo)
	b.todo = append(b.todo, w.lanes...)
	b.rng.Shuffle(warpLanes, func(i, j int) { b.todo[n+i], b.todo[n+j] = b.todo[n+j], b.todo[n+i] })
	if b.rng.IntN(4) == 0 {
		own := slices.Clone(b.todo[n:])
		copy(b.todo[warpLanes:], b.todo[:n])
		copy(b.todo, own)
	}
}

// warps makes the warps of a block.
func (b *block) warps() {
	for i, t := range b.threads {
		if i%warpLanes == 0 {
			t.warp = &warp{}
		} else {
			t.warp = b.threads[i-1].warp
		}
		t.lane = i % warpLanes
		t.warp.lanes = append(t.warp.lanes, t)
	}
}

// byWarps puts the threads of each warp side by side, warps in random order.
func (b *block) byWarps() {
	rank := make([]int, len(b.threads)/warpLanes+1)
	for i, x := range b.rng.Perm(len(rank)) {
		rank[i] = x
	}
	slices.SortStableFunc(b.order, func(x, y *thread) int { return rank[x.number/warpLanes] - rank[y.number/warpLanes] })
}

// allLanes checks that operand i names all lanes of a warp.
func (c *compiler) allLanes(i int) {
	if len(c.inst.Args) != i+1 || c.inst.Args[i].Kind != Int || uint32(c.inst.Args[i].Bits) != 1<<warpLanes-1 {
		c.fail("only what all lanes of a warp do is run")
	}
	c.inKernel()
	c.code.byWarp = true
}

// inKernel refuses an instruction in a function.
func (c *compiler) inKernel() {
	if len(c.chain) > 1 {
		c.fail("%s in a function", c.inst.Op)
	}
}

// together returns what has the lanes of a warp do something together.
func together(do func(lanes []*thread)) func(t *thread) {
	return func(t *thread) {
		if len(t.warp.lanes) < warpLanes {
			panic(fault("a warp of less than 32 lanes, all of which are named"))
		}
		t.meet(do)
	}
}

// warpBarrier runs bar.warp.sync.
func (c *compiler) warpBarrier() func(t *thread) {
	c.allLanes(0)
	return together(func([]*thread) {})
}

// shuffle runs shfl.sync: each lane gets what a lane has that b tells, or what it has itself if there is none in its segment, which c tells.
func (c *compiler) shuffle() func(t *thread) {
	args := c.inst.Args
	if len(args) == 6 && args[1].Kind == Reg { // with a second result
		c.inst.Args = slices.Delete(slices.Clone(args), 1, 2)
	}
	c.allLanes(4)
	mods := c.inst.Mods
	if len(mods) != 3 || mods[0] != "sync" || mods[2] != "b32" || c.err != nil {
		c.fail("%s is not run", c.inst.Name())
		return nil
	}
	from := map[string]func(lane, b, clamp, mask int) (from int, inside bool){
		"up":   func(lane, b, clamp, mask int) (int, bool) { j := lane - b; return j, j >= lane&mask|clamp&^mask },
		"down": func(lane, b, clamp, mask int) (int, bool) { j := lane + b; return j, j <= lane&mask|clamp&^mask },
		"bfly": func(lane, b, clamp, mask int) (int, bool) { j := lane ^ b; return j, j <= lane&mask|clamp&^mask },
		"idx": func(lane, b, clamp, mask int) (int, bool) {
			j := lane&mask | b&^mask
			return j, j <= lane&mask|clamp&^mask
		},
	}[mods[1]]
	if from == nil {
		c.fail("%s is not run", c.inst.Name())
		return nil
	}
	word := typ{'b', 32}
	d, a, b, clamp, found := c.out(), c.number(1, word), c.number(2, word), c.number(3, word), -1
	if len(args) == 6 {
		found = c.operand(args[1])
	}
	return together(func(lanes []*thread) {
		var values [warpLanes]uint64
		for i, t := range lanes {
			values[i] = t.regs[a] & word.mask()
		}
		for i, t := range lanes {
			j, inside := from(i, int(t.regs[b]&31), int(t.regs[clamp]&31), int(t.regs[clamp]>>8&31))
			if !inside {
				j = i
			}
			t.regs[d] = values[j]
			if found >= 0 {
				t.regs[found] = 0
				if inside {
					t.regs[found] = 1
				}
			}
		}
	})
}

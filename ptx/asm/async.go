package asm

import "slices"

// This file runs copies from global to shared memory that threads begin and do not wait for. From when a copy is begun until it arrives,
// shared memory holds there what no program means: it arrives when the thread waits for it, or, by chance, at a barrier before. What it copies
// it reads when it begins or when it arrives.

// A transfer is a copy that a thread has begun.
type transfer struct {
	to    []byte
	from  func() []byte // reads; it may be of fewer bytes: then zeros follow
	group int           // how many groups of the thread were closed when it began
}

// poison is what lies where a copy has not arrived: numbers in no format.
const poison = 0x7ff07ff07f807f80

// copyAsync runs cp.async.
func (c *compiler) copyAsync() func(t *thread) {
	mods, args := c.inst.Mods, c.inst.Args
	c.inKernel()
	switch {
	case slices.Equal(mods, []string{"async", "commit_group"}) && len(args) == 0:
		return func(t *thread) { t.groups++ }
	case slices.Equal(mods, []string{"async", "wait_group"}) && len(args) == 1 && args[0].Kind == Int:
		behind := int(args[0].Bits)
		return func(t *thread) { t.arrive(func(x transfer) bool { return x.group < t.groups-behind }) }
	case slices.Equal(mods, []string{"async", "wait_all"}) && len(args) == 0:
		return func(t *thread) { t.arrive(func(transfer) bool { return true }) }
	case len(mods) != 4 || mods[0] != "async" || mods[1] != "ca" && mods[1] != "cg" || mods[2] != "shared" || mods[3] != "global",
		len(args) != 3 && len(args) != 4, args[2].Kind != Int:
		c.fail("%s is not run", c.inst.Name())
		return nil
	}
	n := args[2].Bits
	if n != 16 && (mods[1] == "cg" || n != 4 && n != 8) {
		c.fail("a copy of %d bytes", n)
	}
	to, from, size := c.place("shared", args[0], false), c.place("global", args[1], false), c.number(2, typ{'u', 32})
	if len(args) == 4 {
		size = c.number(3, typ{'u', 32})
	}
	if c.err != nil {
		return nil
	}
	c.code.async = true
	return func(t *thread) {
		some := t.regs[size]
		if some > n {
			panic(fault("a copy of more bytes than it has"))
		}
		x := transfer{to: to(t, n), group: t.groups, from: func() []byte { return nil }}
		if some > 0 {
			source := from(t, n)[:some]
			x.from = func() []byte { return source }
			if t.rng.IntN(2) == 0 {
				source = slices.Clone(source)
			}
		}
		put(x.to, min(n, 8), poison)
		copy(x.to[min(n, 8):], x.to)
		t.transfers = append(t.transfers, x)
	}
}

// arrive ends the copies of which a condition holds.
func (t *thread) arrive(which func(x transfer) bool) {
	left := t.transfers[:0]
	for _, x := range t.transfers {
		if !which(x) {
			left = append(left, x)
			continue
		}
		clear(x.to[copy(x.to, x.from()):])
	}
	t.transfers = left
}

// arriveByChance ends all copies of the block, or, mostly, none.
func (b *block) arriveByChance() {
	if !b.code.async || b.rng.IntN(4) > 0 {
		return
	}
	for _, t := range b.threads {
		t.arrive(func(transfer) bool { return true })
	}
}

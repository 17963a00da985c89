package lower

import (
	"maps"
	"slices"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
)

// This file spills: it bounds the values that a thread has in registers at once. All of them lie in
// memory, too, unchanged, so a value is given up by forgetting its register, and loaded again before
// its next read. As in Belady's algorithm, it is the value whose next read is the farthest.
//
// How many values there may be follows from how many blocks are to run at once on a multiprocessor.
// So it is tried: for as many blocks as shared memory has room for, then for one fewer, and so on,
// until what spilling adds is at most one read in fewMore of those that a thread makes anyway.

// fewMore is how much more may be read from memory for one more block on a
// multiprocessor: one in so many reads.
const fewMore = 16

// tight is how far below the most registers that a thread can have an estimate stays.
const tight = 24

// spilled returns nodes with values for which there are registers.
func (ph *plan) spilled(nodes []gpu.Node, r registers) []gpu.Node {
	values, most := live(nodes), reads(nodes)
	for blocks := ph.roomFor(); ; blocks-- {
		budget := ph.valuesFor(blocks)
		if values <= budget {
			return nodes
		}
		less := ph.sparing(nodes, budget, r)
		if blocks <= 1 || live(less) <= budget && (reads(less)-most)*fewMore <= most {
			return less
		}
	}
}

// roomFor returns the blocks that a multiprocessor has shared memory and threads for.
func (ph *plan) roomFor() int {
	return ph.device.Occupancy(ph.size(), 1, ph.sharedBytes()).Blocks
}

// valuesFor returns how many registers may hold values of a thread if so many blocks run at once, 0 if none.
func (ph *plan) valuesFor(blocks int) int {
	threads := ph.size()
	most := min(ph.device.RegistersPerThread-tight, ph.registersAtMost())
	for most > 0 && ph.device.Occupancy(threads, most, 0).Blocks < blocks {
		most--
	}
	beside := ph.planeRegisters()
	if blocks > 1 { // else compilers were seen to compute addresses of rows again, not to spill
		beside += ph.rowRegisters()
	}
	values := 0
	for ph.needs(values+1)+beside <= most {
		values++
	}
	return values
}

// reads returns how often a thread reads memory in the nodes, each run once.
func reads(nodes []gpu.Node) (n int) {
	eachOp(nodes, func(op gpu.Op) {
		switch o := op.(type) {
		case gpu.Load:
			n++
		case gpu.Copy:
			if o.From.Reg == "" {
				n++
			}
		case gpu.Compute:
			for i, r := range o.Refs {
				if r.Reg == "" && !o.Stmt.Accesses[i].Write {
					n++
				}
			}
		}
	})
	return n
}

// A spiller runs through the operations of nodes and takes registers from values.
type spiller struct {
	*plan
	most   int
	names  astgen.Used
	slots  int
	values []value  // by the slot of the register that each has in the nodes as they were
	held   []*value // those that have a register now
	now    int      // the sum of their words
}

// A value is what one register of the nodes as they were holds.
type value struct {
	reg   string // that it has now; "" if it was given up: it is in memory
	slot  int    // of reg
	words int
	reads []int // that are still to come, by number of operation
	at    int   // in held, from 1 on; 0: it is not there
}

// sparing returns nodes with at most so many registers for values at once, where
// that can be: of those that hold a value, the one whose next read is the farthest is given up.
func (ph *plan) sparing(nodes []gpu.Node, most int, r registers) []gpu.Node {
	b := spiller{plan: ph, most: most, names: maps.Clone(r.names), slots: r.slots, values: make([]value, r.slots+1)}
	at := 0
	eachOp(nodes, func(op gpu.Op) {
		eachReg(op, func(r register, write bool) {
			v := &b.values[r.slot]
			if v.reg == "" {
				v.reg, v.slot, v.words = r.name, r.slot, r.words
			}
			if !write {
				v.reads = append(v.reads, at)
			}
		})
		at++
	})
	out := slices.Clone(nodes)
	at = 0
	for i, n := range out {
		t, ok := n.(gpu.Threads)
		if !ok {
			continue
		}
		body := make([]gpu.Op, 0, len(t.Body))
		whole := ph.whole(t)
		for _, op := range t.Body {
			body = b.op(op, at, whole, body)
			at++
		}
		t.Body = body
		out[i] = t
	}
	return forget(out)
}

// op adds operation number at to body, which all threads run if whole is set, and
// after it gives up registers.
func (b *spiller) op(op gpu.Op, at int, whole bool, body []gpu.Op) []gpu.Op {
	eachReg(op, func(r register, _ bool) {
		v := &b.values[r.slot]
		for len(v.reads) > 0 && v.reads[0] <= at {
			v.reads = v.reads[1:]
		}
	})
	out := b.renamed(op, func(r gpu.Ref, certain bool) (string, int) {
		v := &b.values[r.Slot]
		if v.reg == "" && certain && whole && len(v.reads) > 0 {
			b.slots++
			v.reg, v.slot = b.names.Fresh(r.Reg+"_again"), b.slots
			r.Reg, r.Slot = v.reg, v.slot
			body = append(body, load(r))
			b.hold(v)
		}
		return v.reg, v.slot
	})
	body = append(body, out)
	eachReg(op, func(r register, write bool) {
		v := &b.values[r.slot]
		if write {
			b.hold(v)
		}
		if len(v.reads) == 0 {
			b.drop(v)
		}
	})
	for b.now > b.most {
		v := b.farthest()
		if v.reads[0] <= at+1 {
			break
		}
		b.drop(v)
		v.reg = ""
	}
	return body
}

// hold notes that v is in its register.
func (b *spiller) hold(v *value) {
	if v.at == 0 {
		b.held = append(b.held, v)
		v.at = len(b.held)
		b.now += v.words
	}
}

// drop notes that v is not in a register any more.
func (b *spiller) drop(v *value) {
	if v.at == 0 {
		return
	}
	last := b.held[len(b.held)-1]
	b.held[v.at-1], last.at = last, v.at
	b.held = b.held[:len(b.held)-1]
	v.at = 0
	b.now -= v.words
}

// farthest returns the value in a register that is read next after all others.
func (b *spiller) farthest() (far *value) {
	for _, v := range b.held {
		if far == nil || v.reads[0] > far.reads[0] || v.reads[0] == far.reads[0] && v.reg < far.reg {
			far = v
		}
	}
	return far
}

// A register is one that holds an element in the straight code of a tile.
type register struct {
	name  string
	slot  int
	words int // of 32 bits
}

func registerOf(r gpu.Ref) register { return register{r.Reg, r.Slot, r.Array.Elem.Words()} }

// eachReg calls f with the register of each reference of op that is in one; a Load writes it.
func eachReg(op gpu.Op, f func(r register, write bool)) {
	switch o := op.(type) {
	case gpu.Load:
		f(register{o.Reg, o.From.Slot, o.From.Array.Elem.Words()}, true)
	case gpu.Copy:
		if o.From.Reg != "" {
			f(registerOf(o.From), false)
		}
	case gpu.Compute:
		for i, r := range o.Refs {
			if r.Reg != "" {
				f(registerOf(r), o.Stmt.Accesses[i].Write)
			}
		}
	}
}

// renamed returns op with what it reads from registers in those that to returns with their slot, ""
// for memory; certain is false where a load before op might read what op does not.
func (m *program) renamed(op gpu.Op, to func(r gpu.Ref, certain bool) (string, int)) gpu.Op {
	switch o := op.(type) {
	case gpu.Copy:
		if o.From.Reg != "" {
			o.From.Reg, o.From.Slot = to(o.From, false)
			return o
		}
	case gpu.Compute:
		own := false
		certain, stored := m.certain(o.Stmt), false
		for i, r := range o.Refs {
			switch write := o.Stmt.Accesses[i].Write; {
			case write:
				stored = true
			case r.Reg != "":
				reg, slot := to(r, certain[i] && !stored)
				if reg == r.Reg {
					continue
				}
				if !own {
					o.Refs, own = slices.Clone(o.Refs), true
				}
				o.Refs[i].Reg, o.Refs[i].Slot = reg, slot
			}
		}
		if own {
			return o
		}
	}
	return op
}

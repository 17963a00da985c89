package gpu

import (
	"maps"
	"slices"

	"github.com/hexcc/hexcc/astgen"
)

// This file bounds the values that a thread keeps in registers, so that a
// compiler has no need to spill, and as many blocks as there is shared memory for
// run at once where that costs little. What is kept lies in memory too, unchanged:
// a value that is not read for long gives up its register and is loaded again.

// fewMore is how much more may be read from memory for one more block on a
// multiprocessor: one in so many reads.
const fewMore = 16

// tight is how far below the most registers that a thread can have an estimate stays.
const tight = 24

// bounded returns nodes with values for which there are registers.
func (ph *phase) bounded(nodes []Node, names astgen.Used) []Node {
	values, most := live(lives(nodes)), reads(nodes)
	for blocks := ph.roomFor(); ; blocks-- {
		budget := ph.valuesFor(blocks)
		if values <= budget {
			return nodes
		}
		less := ph.sparing(nodes, budget, names)
		if blocks <= 1 || live(lives(less)) <= budget && (reads(less)-most)*fewMore <= most {
			return less
		}
	}
}

// roomFor returns the blocks that a multiprocessor has shared memory and threads for.
func (ph *phase) roomFor() int {
	var shared int64
	for _, f := range ph.staged {
		shared += f.buffer.Bytes()
	}
	return ph.device.Occupancy(ph.threads[0]*ph.threads[1]*ph.threads[2], 1, shared).Blocks
}

// valuesFor returns how many registers may hold values of a thread if so many blocks run at once, 0 if none.
func (ph *phase) valuesFor(blocks int) int {
	threads := ph.threads[0] * ph.threads[1] * ph.threads[2]
	most := min(ph.device.RegistersPerThread-tight, ph.registersAtMost())
	for most > 0 && ph.device.Occupancy(threads, most, 0).Blocks < blocks {
		most--
	}
	values := 0
	for ph.wants(values+1) <= most {
		values++
	}
	return values
}

// reads returns how often a thread reads memory in the nodes, each run once.
func reads(nodes []Node) (n int) {
	eachOp(nodes, func(op Op) {
		switch o := op.(type) {
		case Load:
			n++
		case Copy:
			if o.From.Reg == "" {
				n++
			}
		case Compute:
			for i, r := range o.Refs {
				if r.Reg == "" && !o.Stmt.Accesses[i].Write {
					n++
				}
			}
		}
	})
	return n
}

// A budgeter runs through the operations of nodes and takes registers from values.
type budgeter struct {
	*phase
	most  int
	names astgen.Used
	reads map[string][]int  // where a register is still read, by number of operation
	words map[string]int    // of the registers that hold values
	now   int               // the sum of words
	out   map[string]string // the register for what had one: "" for memory
}

// sparing returns nodes with at most so many registers for values at once, where
// that can be: of those that hold a value, the one whose next read is the farthest is given up.
func (ph *phase) sparing(nodes []Node, most int, names astgen.Used) []Node {
	b := budgeter{phase: ph, most: most, names: maps.Clone(names), reads: map[string][]int{}, words: map[string]int{}, out: map[string]string{}}
	at := 0
	eachOp(nodes, func(op Op) {
		eachReg(op, func(r Ref, write bool) {
			if !write {
				b.reads[r.Reg] = append(b.reads[r.Reg], at)
			}
		})
		at++
	})
	out := slices.Clone(nodes)
	at = 0
	for i, n := range out {
		t, ok := n.(Threads)
		if !ok {
			continue
		}
		body := make([]Op, 0, len(t.Body))
		whole := ph.whole(t)
		for _, op := range t.Body {
			body = b.op(op, at, whole, body)
			at++
		}
		t.Body = body
		out[i] = t
	}
	return forget(out, lives(out))
}

// op adds operation number at to body, which all threads run if whole is set, and
// after it gives up registers.
func (b *budgeter) op(op Op, at int, whole bool, body []Op) []Op {
	op = renamed(op, func(r Ref, certain bool) string {
		reg, gone := b.out[r.Reg]
		if !gone {
			return r.Reg
		}
		if _, gone = b.out[reg]; gone { // what it was loaded to again is given up, too
			reg = ""
		}
		if reg == "" && certain && whole && b.left(r.Reg, at) > 0 {
			reg = b.names.Fresh(r.Reg + "_again")
			b.out[r.Reg] = reg
			from := r
			from.Reg = ""
			body = append(body, Load{Reg: reg, From: from})
			b.hold(reg, r.words(), b.reads[r.Reg])
		}
		return reg
	})
	eachReg(op, func(r Ref, write bool) {
		if write {
			b.hold(r.Reg, r.words(), b.reads[r.Reg])
		}
	})
	body = append(body, op)
	for reg := range b.words {
		if b.left(reg, at) == 0 {
			b.drop(reg)
		}
	}
	for b.now > b.most {
		reg, next := b.farthest(at)
		if next <= at+1 {
			break
		}
		b.drop(reg)
		b.out[reg] = ""
	}
	return body
}

// hold gives reg to a value of so many words that is read at the places.
func (b *budgeter) hold(reg string, words int, reads []int) {
	if _, held := b.words[reg]; !held {
		b.now += words
	}
	b.words[reg], b.reads[reg] = words, reads
}

func (b *budgeter) drop(reg string) {
	b.now -= b.words[reg]
	delete(b.words, reg)
}

// left returns how often reg is read after operation at.
func (b *budgeter) left(reg string, at int) int {
	k, _ := slices.BinarySearch(b.reads[reg], at+1)
	return len(b.reads[reg]) - k
}

// farthest returns the register that is read next after all others, and where.
func (b *budgeter) farthest(at int) (reg string, next int) {
	for r := range b.words {
		k, _ := slices.BinarySearch(b.reads[r], at+1)
		if x := b.reads[r][k]; x > next || x == next && r < reg {
			reg, next = r, x
		}
	}
	return reg, next
}

// eachReg calls f with each reference of op that is in a register; a Load writes it.
func eachReg(op Op, f func(r Ref, write bool)) {
	switch o := op.(type) {
	case Load:
		r := o.From
		r.Reg = o.Reg
		f(r, true)
	case Copy:
		if o.From.Reg != "" {
			f(o.From, false)
		}
	case Compute:
		for i, r := range o.Refs {
			if r.Reg != "" {
				f(r, o.Stmt.Accesses[i].Write)
			}
		}
	}
}

// renamed returns op with what it reads from registers in those that to says, ""
// for memory; certain is false where a load before op might read what op does not.
func renamed(op Op, to func(r Ref, certain bool) string) Op {
	switch o := op.(type) {
	case Copy:
		if o.From.Reg != "" {
			o.From.Reg = to(o.From, false)
		}
		return o
	case Compute:
		o.Refs = slices.Clone(o.Refs)
		certain, stored := o.Stmt.Certain(), false
		for i, r := range o.Refs {
			switch write := o.Stmt.Accesses[i].Write; {
			case write:
				stored = true
			case r.Reg != "":
				o.Refs[i].Reg = to(r, certain[i] && !stored)
			}
		}
		return o
	}
	return op
}

package asm

import (
	"slices"
	"sort"
)

// This file cuts kernels into basic blocks and finds the code between barriers.

// A Block is instructions First to End-1: control enters at the first and leaves
// after the last, to one of the blocks Next. A barrier ends a block.
type Block struct {
	Label      string // "" if it has none
	First, End int
	Next       []int // numbers of blocks
}

// Blocks returns the basic blocks of k, in the order of its text.
func (k *Kernel) Blocks() []Block {
	starts := map[int]string{0: ""}
	for label, at := range k.Labels {
		if old := starts[at]; old == "" || label < old {
			starts[at] = label
		}
	}
	for i, in := range k.Insts {
		if in.ends() && i+1 < len(k.Insts) {
			if _, known := starts[i+1]; !known {
				starts[i+1] = ""
			}
		}
	}
	delete(starts, len(k.Insts))
	var blocks []Block
	for at, label := range starts {
		blocks = append(blocks, Block{Label: label, First: at})
	}
	sort.Slice(blocks, func(i, j int) bool { return blocks[i].First < blocks[j].First })
	number := map[int]int{}
	for i := range blocks {
		number[blocks[i].First] = i
		blocks[i].End = len(k.Insts)
		if i+1 < len(blocks) {
			blocks[i].End = blocks[i+1].First
		}
	}
	for i := range blocks {
		blocks[i].Next = k.next(blocks[i], i+1 < len(blocks), i+1, number)
	}
	return blocks
}

// ends reports whether a block ends with in.
func (in Inst) ends() bool { return in.IsBranch() || in.IsReturn() || in.IsBarrier() }

// IsBranch reports whether in is a branch.
func (in Inst) IsBranch() bool { return in.Op == "bra" }

// IsReturn reports whether in ends the thread.
func (in Inst) IsReturn() bool { return in.Op == "ret" || in.Op == "exit" }

// IsBarrier reports whether in is a barrier of a block.
func (in Inst) IsBarrier() bool { return (in.Op == "bar" || in.Op == "barrier") && !in.Has("warp") }

// next returns the blocks behind b; the one that follows in the text, if there is one, has the number following.
func (k *Kernel) next(b Block, follows bool, following int, number map[int]int) (next []int) {
	if b.End == b.First {
		return nil
	}
	last := k.Insts[b.End-1]
	always := last.Guard.Kind == None
	if last.IsBranch() {
		if to, ok := number[k.Labels[last.Args[0].Name]]; ok {
			next = append(next, to)
		}
	}
	if follows && !(always && (last.IsBranch() || last.IsReturn())) && !slices.Contains(next, following) {
		next = append(next, following)
	}
	return next
}

// A Stretch is the code that runs from one barrier to the next: all ways from
// From lead to To, none passes another barrier or the same place twice.
type Stretch struct {
	From, To int   // the barriers: numbers of instructions
	Blocks   []int // in the order of the text
	Straight bool  // there is one way: no branch
}

// Stretches returns the stretches of k. Code that leads from a barrier to one of
// several, to the end of the kernel, or through a loop is in none.
func (k *Kernel) Stretches() []Stretch {
	blocks := k.Blocks()
	var all []Stretch
	for i, b := range blocks {
		if !k.Insts[b.End-1].IsBarrier() {
			continue
		}
		if s, ok := k.stretch(blocks, i); ok {
			all = append(all, s)
		}
	}
	return all
}

// stretch returns the stretch behind the barrier that ends block from.
func (k *Kernel) stretch(blocks []Block, from int) (s Stretch, ok bool) {
	s = Stretch{From: blocks[from].End - 1, To: -1, Straight: true}
	const open, done = 1, 2
	state := map[int]int{}
	var visit func(i int) bool
	visit = func(i int) bool {
		switch state[i] {
		case open:
			return false // a loop
		case done:
			return true
		}
		state[i] = open
		s.Blocks = append(s.Blocks, i)
		last := k.Insts[blocks[i].End-1]
		if last.IsBarrier() {
			if s.To >= 0 && s.To != blocks[i].End-1 {
				return false
			}
			s.To = blocks[i].End - 1
			state[i] = done
			return true
		}
		if len(blocks[i].Next) == 0 {
			return false // the end
		}
		s.Straight = s.Straight && len(blocks[i].Next) == 1
		for _, n := range blocks[i].Next {
			if !visit(n) {
				return false
			}
		}
		state[i] = done
		return true
	}
	for _, n := range blocks[from].Next {
		if !visit(n) {
			return s, false
		}
	}
	slices.Sort(s.Blocks)
	return s, s.To >= 0
}

// Core returns the longest chain of stretches, each beginning where the one
// before ends, in the order in which they run: the straight code of a full tile.
func (k *Kernel) Core() []Stretch {
	behind := map[int]Stretch{} // by the barrier before
	for _, s := range k.Stretches() {
		behind[s.From] = s
	}
	var best []Stretch
	for from := range k.Insts {
		var chain []Stretch
		seen := map[int]bool{}
		for at := from; !seen[at]; {
			s, ok := behind[at]
			if !ok {
				break
			}
			seen[at] = true
			chain = append(chain, s)
			at = s.To
		}
		if len(chain) > len(best) {
			best = chain
		}
	}
	return best
}

// Steps returns the stretches of the core that load nothing from global memory:
// the steps of a full tile, without what is loaded before them.
func (k *Kernel) Steps() (steps []Stretch) {
	for _, s := range k.Core() {
		if k.MixOf(s)[GlobalLoad] == 0 {
			steps = append(steps, s)
		}
	}
	return steps
}

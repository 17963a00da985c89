package asm

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// This file runs kernels: block after block, and in a block thread after thread
// from barrier to barrier, both in random order. What a thread may not do, such
// as an access outside of all memory, ends the launch with an error.

// A Launch is one start of a kernel.
type Launch struct {
	Blocks  [3]int // along x, y and z
	Threads [3]int // of a block
	Args    []uint64
	Shared  int64   // bytes of shared memory beyond what the kernel declares
	Memory  *Memory // global memory
	Seed    uint64  // of the order of blocks and threads, and of what lies in shared memory
	// Counts, if not nil, has an element for each instruction: how often threads ran it is added.
	Counts []uint64
	// Block, if not nil, is called after each block, with its number.
	Block func(block int)
}

// A Memory is the global memory of a device: what Alloc gave.
type Memory struct{ parts [][]byte }

// ofModule marks addresses of variables in global and constant memory.
const ofModule = 1 << 63

// partBits is the size of the addresses within a part.
const partBits = 40

// Alloc makes the bytes global memory, which kernels then read and write in
// place, and returns their address.
func (m *Memory) Alloc(bytes []byte) (address uint64) {
	m.parts = append(m.parts, bytes)
	return uint64(len(m.parts))<<partBits | 512
}

// bytes returns n bytes at an address.
func (m *Memory) bytes(address uint64, n uint64) []byte {
	part, at := address>>partBits, address&(1<<partBits-1)-512
	if part == 0 || part > uint64(len(m.parts)) || at > uint64(len(m.parts[part-1])) || n > uint64(len(m.parts[part-1]))-at {
		panic(fault(fmt.Sprintf("global address %#x is outside of all arrays", address)))
	}
	if address%n != 0 {
		panic(fault(fmt.Sprintf("global address %#x is no multiple of %d", address, n)))
	}
	return m.parts[part-1][at : at+n]
}

// A fault is what a kernel may not do.
type fault string

// Code is a kernel ready to run.
type Code struct {
	kernel    *Kernel
	steps     []func(t *thread)
	constants []uint64 // the values that registers begin with: constants
	slots     map[string]int
	special   map[int]func(t *thread) uint64 // by slot
	shared    int64                          // bytes declared
	local     int64                          // bytes of a thread
	dynamic   int64                          // where the bytes that the launch gives begin
	memory    *Memory                        // of variables in const and global
	places    map[string]uint64              // addresses of variables
	passed    map[string][]int64             // by parameter: how far from its beginning something lies
}

// A thread is one thread of a block.
type thread struct {
	regs    []uint64
	pc      int
	waiting bool // at a barrier
	done    bool
	carry   uint64 // of the last operation with .cc: 0 or 1
	local   []byte // local memory
	id      [3]int
	*block
}

// A block is the state that the threads of a block share.
type block struct {
	launch *Launch
	code   *Code
	index  int // of the block
	shared []byte
}

// sharedBytes returns n bytes of shared memory.
func (b *block) sharedBytes(address uint64, n uint64) []byte {
	at := uint64(uint32(address))
	if at+n > uint64(len(b.shared)) {
		panic(fault(fmt.Sprintf("shared address %d is outside of the %d bytes of the block", int32(at), len(b.shared))))
	}
	if at%n != 0 {
		panic(fault(fmt.Sprintf("shared address %d is no multiple of %d", at, n)))
	}
	return b.shared[at : at+n]
}

// maxSteps bounds what a thread runs between two barriers: it would take minutes.
const maxSteps = 1 << 32

// Run runs the launch to its end.
func (c *Code) Run(l *Launch) (err error) {
	if len(l.Args) != len(c.kernel.Params) {
		return fmt.Errorf("%s has %d parameters and is given %d", c.kernel.Name, len(c.kernel.Params), len(l.Args))
	}
	n := l.Threads[0] * l.Threads[1] * l.Threads[2]
	if most := c.kernel.Threads; n < 1 || most[0] > 0 && n > most[0]*most[1]*most[2] {
		return fmt.Errorf("%s takes %v threads and is given %v", c.kernel.Name, most, l.Threads)
	}
	var t *thread
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(fault)
			if !ok {
				panic(r)
			}
			err = t.located(f)
		}
	}()
	rng := rand.New(rand.NewPCG(l.Seed, 1))
	threads := make([]*thread, n)
	registers := make([]uint64, n*len(c.constants))
	b := &block{launch: l, code: c, shared: make([]byte, c.dynamic+l.Shared)}
	for i := range threads {
		threads[i] = &thread{block: b, regs: registers[i*len(c.constants) : (i+1)*len(c.constants)]}
		threads[i].local = make([]byte, c.local)
		threads[i].id = [3]int{i % l.Threads[0], i / l.Threads[0] % l.Threads[1], i / l.Threads[0] / l.Threads[1]}
	}
	order := slices.Clone(threads)
	for _, x := range rng.Perm(l.Blocks[0] * l.Blocks[1] * l.Blocks[2]) {
		b.start(x, threads, rng)
		for running := true; running; {
			rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
			for _, t = range order {
				t.run()
			}
			running = passBarrier(threads, &t)
		}
		if l.Block != nil {
			l.Block(x)
		}
	}
	return nil
}

// located returns f as an error that says where t is.
func (t *thread) located(f fault) error {
	where := "its end"
	if i := t.pc - 1; i >= 0 && i < len(t.code.kernel.Insts) {
		in := t.code.kernel.Insts[i]
		where = fmt.Sprintf("line %d, %v", in.Line, in)
	}
	return fmt.Errorf("%s, block %d, thread %v, at %s: %s", t.code.kernel.Name, t.index, t.id, where, string(f))
}

// start begins block x: registers hold constants, shared memory holds anything.
func (b *block) start(x int, threads []*thread, rng *rand.Rand) {
	b.index = x
	junk := rng.Uint64() | 0x7ff07ff07f807f80 // numbers in no format
	for i := range b.shared {
		b.shared[i] = byte(junk >> (i % 8 * 8))
	}
	for _, t := range threads {
		t.pc, t.done, t.waiting = 0, false, false
		copy(t.regs, b.code.constants)
		for slot, value := range b.code.special {
			t.regs[slot] = value(t)
		}
	}
}

// run runs t up to the next barrier or its end.
func (t *thread) run() {
	steps, counts := t.code.steps, t.launch.Counts
	t.waiting = false
	for range maxSteps {
		if t.done || t.waiting {
			return
		}
		at := t.pc
		t.pc++
		if at >= len(steps) {
			panic(fault("a kernel without a ret"))
		}
		if counts != nil {
			counts[at]++
		}
		steps[at](t)
	}
	panic(fault("a loop without end"))
}

// passBarrier lets the threads pass the barrier that all stand at, and reports
// whether there is one: else all are done. *at is a thread that is at fault if some are not there.
func passBarrier(threads []*thread, at **thread) bool {
	waiting := 0
	for _, t := range threads {
		if t.waiting {
			waiting++
			*at = t
		}
	}
	if waiting == 0 {
		return false
	}
	for _, t := range threads {
		if t.done || t.pc != (*at).pc {
			panic(fault("a barrier that not all threads of the block reach"))
		}
	}
	return true
}

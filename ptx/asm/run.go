package asm

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// This file runs kernels: block after block, and in a block thread after thread
// from barrier to barrier, both in random order; or several blocks at once, as team.go has it. What a
// thread may not do, such as an access outside of all memory, ends the launch with an error.

// A Launch is one start of a kernel.
type Launch struct {
	Blocks  [3]int // along x, y and z
	Threads [3]int // of a block
	Args    []uint64
	// AtOnce is how many blocks run at the same time, each of which may wait for what another one writes; 0: one.
	AtOnce int
	Shared int64   // bytes of shared memory beyond what the kernel declares
	Memory *Memory // global memory
	Seed   uint64  // of the order of blocks and threads, and of what lies in shared memory
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
	byWarp    bool                           // lanes of a warp do something together
	async     bool                           // there are copies that are not waited for
}

// A thread is one thread of a block.
type thread struct {
	regs  []uint64
	pc    int
	state state
	carry uint64 // of the last operation with .cc: 0 or 1
	local []byte // local memory
	id    [3]int
	*block
	number    int // in its block
	warp      *warp
	lane      int        // its number in warp
	transfers []transfer // that have not arrived
	groups    int        // of transfers, that have been closed
}

// A state says whether a thread runs.
type state uint8

// The states.
const (
	running state = iota
	waiting       // at a barrier
	met           // at what all lanes of the warp do together
	yielded       // has shown other blocks something: any of them may run before it goes on
	asleep        // looks for something that others will write
	done
)

// A block is the state that the threads of a block share.
type block struct {
	launch  *Launch
	code    *Code
	index   int // of the block
	shared  []byte
	memory  *Memory // global memory, as the block sees it
	threads []*thread
	todo    []*thread // that have not run yet up to the next barrier
	order   []*thread // all of them; todo is a part
	*team
	view   *view  // what of memory it has not seen, or not shown, nil: nothing
	latest uint64 // the number of its last atomic operation
	slept  uint64 // what had been shown in the launch when it fell asleep, +1; 0: it is not asleep
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
	g := &team{launch: l, rng: rand.New(rand.NewPCG(l.Seed, 1)), uses: make([]use, len(l.Memory.parts)+1)}
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(fault)
			if !ok {
				panic(r)
			}
			err = g.now.located(f)
		}
	}()
	g.left = g.rng.Perm(l.Blocks[0] * l.Blocks[1] * l.Blocks[2])
	for range min(max(1, l.AtOnce), len(g.left)) {
		g.blocks = append(g.blocks, c.block(g, n))
	}
	g.run()
	return nil
}

// block returns a block of so many threads, which has not begun.
func (c *Code) block(g *team, n int) *block {
	l := g.launch
	registers := make([]uint64, n*len(c.constants))
	b := &block{launch: l, code: c, shared: make([]byte, c.dynamic+l.Shared), memory: l.Memory, team: g}
	for i := range n {
		t := &thread{block: b, regs: registers[i*len(c.constants) : (i+1)*len(c.constants)], local: make([]byte, c.local), number: i}
		t.id = [3]int{i % l.Threads[0], i / l.Threads[0] % l.Threads[1], i / l.Threads[0] / l.Threads[1]}
		b.threads = append(b.threads, t)
	}
	b.order = slices.Clone(b.threads)
	b.warps()
	return b
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
func (b *block) start(x int) {
	b.index = x
	junk := b.rng.Uint64() | 0x7ff07ff07f807f80 // numbers in no format
	for i := range b.shared {
		b.shared[i] = byte(junk >> (i % 8 * 8))
	}
	for _, t := range b.threads {
		t.pc, t.state, t.transfers, t.warp.here = 0, running, nil, 0
		copy(t.regs, b.code.constants)
		for slot, value := range b.code.special {
			t.regs[slot] = value(t)
		}
	}
	b.shuffle()
}

// shuffle has all threads run next, in any order; where warps do something together, half of the time one warp behind the other.
func (b *block) shuffle() {
	b.rng.Shuffle(len(b.order), func(i, j int) { b.order[i], b.order[j] = b.order[j], b.order[i] })
	if b.code.byWarp && b.rng.IntN(2) == 0 {
		b.byWarps()
	}
	b.todo = append(b.todo[:0], b.order...)
}

// step runs threads of the block until one of them yields or is asleep, or all have ended.
func (b *block) step() (over bool) {
	for {
		for n := len(b.todo); n > 0; n = len(b.todo) {
			t := b.todo[n-1]
			b.now = t
			t.run()
			if t.state == yielded || t.state == asleep {
				i := b.rng.IntN(n) // others of the block may run before it goes on
				b.todo[n-1], b.todo[i] = b.todo[i], t
				return false
			}
			b.todo = b.todo[:n-1]
			if t.state == met {
				b.met(t.warp)
			}
		}
		if !b.passBarrier() {
			return true
		}
		b.shuffle()
	}
}

// run runs t up to the next barrier or its end, or until it yields or is asleep.
func (t *thread) run() {
	steps, counts := t.code.steps, t.launch.Counts
	if t.state == done {
		return
	}
	t.state = running
	for range maxSteps {
		if t.state != running {
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
// whether there is one: else all are done. Where warps do something together, each of them may have barriers in code of its own.
func (b *block) passBarrier() bool {
	var at *thread // a thread that is at fault if some are not there
	for _, t := range b.threads {
		if t.state == met {
			b.now = t
			panic(fault("what not all lanes of the warp reach that do it together"))
		}
		if t.state == waiting {
			at = t
		}
	}
	if at == nil {
		return false
	}
	b.now = at
	for _, t := range b.threads {
		same := at
		if b.code.byWarp {
			same = t.warp.lanes[0]
		}
		if t.state == done || t.pc != same.pc {
			panic(fault("a barrier that not all threads of the block reach"))
		}
	}
	b.arriveByChance()
	return true
}

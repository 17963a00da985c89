// Package emulate runs a gpu.Program as a GPU would, block by block and thread
// by thread, and watches it: data races, accesses outside of arrays, reads of
// shared memory that nothing was written to, instances that run twice or never.
//
// Blocks of a launch run one after the other in a random order, the points of
// a Threads node in a scrambled order. That no order matters is not left to
// chance: every cell remembers who touched it, so that two accesses which
// nothing orders are found whatever their order was here (see shadow.go).
package emulate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// Options choose how to run. The zero Options are good ones.
type Options struct {
	Seed  uint64 // of the order of blocks and points
	Keep  int    // findings kept with their text; 0: 10. All are counted.
	First bool   // stop soon after the first finding
	// Last has, of the blocks that run chains, always the one go on that has the last chain, if it need not wait; else which one is left to chance.
	Last bool
	// Profile counts what a profiler would, in Report.Profile and by launch. Warps then
	// run one after the other, their lanes together, which takes longer.
	Profile bool
	ranks   *crowd // that run the program, each on memory of its own; nil: one processor does
	net     *net   // the same, of a grid
	pipe    *pipe  // the same, of a pipeline

	// Of tests: tickets puts chains in another order; relaxed: who waits sees nothing of what others had seen; sticky: the caches of blocks keep
	// what they hold till the end of a chain.
	tickets func([]schedule.Link)
	signals func(of schedule.Link, place int64) // hears of each signal
	relaxed bool
	sticky  bool
}

// Counters count what a launch, or a whole run, did.
type Counters struct {
	Points                    int64 // statement instances
	GlobalLoads, GlobalStores int64 // elements
	SharedLoads, SharedStores int64
	RegisterReads             int64 // of elements that a register holds
	LaneUpdates               int64 // of streams: results that lanes calculated, instances or not
	Shuffles                  int64 // of streams: by warp, of 4 bytes
	Barriers                  int64 // by block, not by thread
	Blocks                    int64
}

func (c *Counters) add(d Counters) {
	c.Points += d.Points
	c.GlobalLoads += d.GlobalLoads
	c.GlobalStores += d.GlobalStores
	c.SharedLoads += d.SharedLoads
	c.SharedStores += d.SharedStores
	c.RegisterReads += d.RegisterReads
	c.LaneUpdates += d.LaneUpdates
	c.Shuffles += d.Shuffles
	c.Barriers += d.Barriers
	c.Blocks += d.Blocks
}

// A Launch is one kernel started once by the host, or all its tiles where they are chains.
type Launch struct {
	Kernel *gpu.Kernel
	T      int64
	Counters
	Profile *Profile // nil unless asked for
}

// A Branch counts how often each side of an If that has a Role was taken.
type Branch struct {
	Kernel     string
	Role       gpu.Role
	Then, Else int64
}

// A Use says how much of a buffer is ever written: Reach[d] is one more than
// the largest index in dimension d.
type Use struct {
	Kernel string
	Buffer *gpu.Buffer
	Reach  []int64
}

// A Report says what a run did and what was wrong with it.
type Report struct {
	OnCPU    bool // of RunCPU, which has no launches
	Total    Counters
	Launches []Launch // those of at least one block
	Branches []Branch
	Buffers  []Use
	Profile  *Profile // nil unless asked for
	Instances
	Findings []Finding // the first of them
	Counts   [kindCount]int64
}

// Instances says how the statement instances that ran compare with the domains.
type Instances struct {
	Expected   int64
	Once       int64 // ran, and in the domain
	Missing    int64
	Duplicated int64 // runs beyond the first
	Outside    int64 // runs outside of the domain
	Again      int64 // further runs, by other blocks where tiles overlap, or that a CPU's vectors may make
	Together   int64 // rows at which all steps of a pass ran, vector by vector
}

// OK reports whether nothing was wrong.
func (r *Report) OK() bool { return r.Counts == [kindCount]int64{} }

// Run executes p on mem and returns what it saw. What p does wrong is in the
// Report; execution goes on after it. The error, a diagnostic, says that
// there are more elements or instances than can be watched.
func Run(p *gpu.Program, mem *scop.Memory, o Options) (*Report, error) {
	if o.Keep == 0 {
		o.Keep = 10
	}
	if err := tooBig(p.Scop, mem); err != nil {
		return nil, err
	}
	m := newMachine(p, mem, o)
	m.host()
	if !m.stopped() {
		m.missing(p.Scop, m.domains)
	}
	for _, b := range m.buffers {
		m.report.Buffers = append(m.report.Buffers, b.use())
	}
	for _, b := range m.branches {
		m.report.Branches = append(m.report.Branches, *b)
	}
	for _, l := range m.report.Launches {
		m.report.Total.add(l.Counters)
		if l.Profile != nil {
			m.report.Profile.Add(l.Profile)
		}
	}
	return m.report, nil
}

// What can be watched: each element takes 80 bytes, each instance a bit.
const (
	maxElements  = 1 << 25
	maxInstances = 1 << 32
)

// tooBig returns the diagnostic that there is too much to watch, or nil.
func tooBig(p *scop.Program, mem *scop.Memory) error {
	elements, instances := int64(0), int64(0)
	for _, s := range mem.Arrays {
		elements += int64(len(s.Cells))
	}
	for _, s := range p.Stmts {
		instances = max(instances, boxVolume(scop.NewNest(s, mem.Params)))
	}
	what := ""
	switch {
	case elements > maxElements:
		what = fmt.Sprintf("the arrays have %d elements, and at most %d can be watched", elements, maxElements)
	case instances > maxInstances:
		what = fmt.Sprintf("a nest has up to %d instances, and at most %d can be watched", instances, int64(maxInstances))
	default:
		return nil
	}
	at := p.Start()
	return &diag.Diagnostic{Code: "HX403", At: at, Msg: "with " + mem.Sizes() + " " + what, Help: "choose smaller sizes"}
}

// A machine is the state of a run.
type machine struct {
	watcher
	prog     *gpu.Program
	mem      *scop.Memory
	rng      *rand.Rand
	now      *Counters // of the present launch
	arrays   map[*scop.Array]*memory
	domains  map[*scop.Stmt]*domain
	kernels  []*kernel
	scope    // uniform are the variables bound outside of Threads
	memories []*memory
	branches []*Branch
	buffers  []buffer

	clock
	profiler
	thread uint16    // the thread that acts
	point  uint64    // the values of its loop variables, packed
	team   *team     // where chains wait for each other
	self   *resident // the one of it that runs

	underway []underwayCopy // asynchronous copies, which have not arrived
	blocks   uint32         // that have begun
}

func newMachine(p *gpu.Program, mem *scop.Memory, o Options) *machine {
	m := &machine{
		prog: p, mem: mem,
		watcher: watcher{o, &Report{}},
		rng:     rand.New(rand.NewPCG(o.Seed, 0x9e3779b97f4a7c15)),
		arrays:  map[*scop.Array]*memory{},
		domains: map[*scop.Stmt]*domain{},
		scope:   scope{vars: map[string]*int64{}},
	}
	for _, s := range mem.Arrays {
		x := newMemory(s.Array.Name, s.Array.Elem, s.Extent, s.Cells, true)
		m.arrays[s.Array], m.memories = x, append(m.memories, x)
	}
	for _, s := range p.Scop.Stmts {
		d := newDomain(s, mem.Params)
		if m.domains[s] = d; p.Overlaps {
			d.by = make([]uint32, 64*len(d.ran))
		}
		m.report.Expected += d.expected
	}
	if o.Profile {
		m.report.Profile = &Profile{}
	}
	for i, v := range p.Scop.Params {
		m.vars[v.Name] = &mem.Params[i]
	}
	return m
}

// host runs the host loop.
func (m *machine) host() {
	env := map[string]int64{}
	for i, v := range m.prog.Scop.Params {
		env[v.Name] = m.mem.Params[i]
	}
	if !m.prog.Busy.Holds(env) {
		return
	}
	lo, hi := m.expr(m.prog.TLo)(), m.expr(m.prog.THi)()
	if m.prog.Chains != nil {
		m.chained(lo, hi)
		return
	}
	var loop func()
	m.bind(m.prog.T, func(t *int64) {
		for _, k := range m.prog.Kernels {
			m.kernels = append(m.kernels, m.kernel(k))
		}
		loop = func() {
			if m.opts.ranks != nil {
				m.opts.ranks.exchange(0, lo, m.mem.Params)
			}
			for *t = lo; *t <= hi; *t++ {
				env[m.prog.T] = *t
				for i, k := range m.kernels {
					if !m.stopped() && k.Work.Holds(env) {
						m.start(k, *t)
					}
					if m.opts.ranks != nil {
						m.opts.ranks.exchange(i+1, *t, m.mem.Params)
					}
				}
			}
		}
	})
	loop()
}

// A kernel is a gpu.Kernel ready to run.
type kernel struct {
	*gpu.Kernel
	grid []axis
	run  func()
	// passOn is what a chain does that has no tiles.
	passOn func()
}

// An axis is one of a grid, and where the index of the block along it is.
type axis struct {
	lo, hi func() int64
	at     *int64
}

// block returns the indices of the block that runs, x last, as in "S0=3, S1=0".
func (k *kernel) block() string {
	var at []string
	for i, x := range slices.Backward(k.grid) {
		at = append(at, fmt.Sprintf("%s=%d", k.Grid[i].Var, *x.at))
	}
	return strings.Join(at, ", ")
}

func (m *machine) kernel(k *gpu.Kernel) *kernel {
	c := &kernel{Kernel: k}
	for _, x := range k.Grid {
		c.grid = append(c.grid, axis{lo: m.expr(x.Lo), hi: m.expr(x.Hi)})
	}
	m.bindGrid(c, len(c.grid)-1, func() {
		f := &function{machine: m, kernel: c, buffers: map[*gpu.Buffer]*memory{}, registers: map[string][]uint64{}, tests: map[string]*bool{}}
		for _, b := range k.Shared {
			f.buffers[b] = f.buffer(b)
			m.buffers = append(m.buffers, buffer{k.Name, b, f.buffers[b]})
		}
		c.run = f.nodes(k.Body)
		if m.prog.Chains != nil {
			c.passOn = f.nodes(k.PassOn())
		}
	})
	return c
}

// bindGrid binds the indices of the block along the axes from i down to 0, and then calls bound.
func (m *machine) bindGrid(k *kernel, i int, bound func()) {
	if i < 0 {
		bound()
		return
	}
	m.bind(k.Grid[i].Var, func(at *int64) {
		k.grid[i].at = at
		m.bindGrid(k, i-1, bound)
	})
}

// A buffer is a shared buffer of a kernel.
type buffer struct {
	kernel string
	buffer *gpu.Buffer
	memory *memory
}

func (b buffer) use() Use {
	reach := make([]int64, len(b.memory.extent))
	for k := range b.memory.shadows {
		if b.memory.shadows[k].write.node == 0 {
			continue
		}
		rest := int64(k)
		for d := len(reach) - 1; d >= 0; d-- {
			reach[d] = max(reach[d], rest%b.memory.extent[d]+1)
			rest /= b.memory.extent[d]
		}
	}
	return Use{b.kernel, b.buffer, reach}
}

// start launches k: each rank does, if there are ranks.
func (m *machine) start(k *kernel, t int64) {
	first, n := make([]int64, len(k.grid)), make([]int64, len(k.grid))
	for i, x := range k.grid {
		first[i] = x.lo()
		n[i] = max(0, x.hi()-first[i]+1)
	}
	if m.opts.ranks == nil {
		m.blocksOf(k, t, first, n)
		return
	}
	outer := len(k.grid) - 1 // S0
	lo, hi := first[outer], first[outer]+n[outer]-1
	for r, s := range m.opts.ranks.shares {
		m.opts.ranks.with(r, m.mem, func() {
			for i, p := range m.opts.ranks.parts(r, m.mem) {
				m.arrays[m.mem.Arrays[i].Array].part = p
			}
			first[outer] = max(lo, s.First)
			n[outer] = max(0, min(hi, s.Last)-first[outer]+1)
			m.blocksOf(k, t, first, n)
		})
	}
}

// blocksOf runs the blocks of a launch in a random order: so many, from the first, along each axis.
func (m *machine) blocksOf(k *kernel, t int64, first, n []int64) {
	all := int64(1)
	for i := range n {
		all *= n[i]
	}
	if all == 0 {
		return
	}
	m.report.Launches = append(m.report.Launches, Launch{Kernel: k.Kernel, T: t})
	launch := &m.report.Launches[len(m.report.Launches)-1]
	m.now = &launch.Counters
	if m.opts.Profile {
		launch.Profile = &Profile{}
		m.profile = launch.Profile
		m.each = int64(k.Threads[0]*k.Threads[1]*k.Threads[2]+warpLanes-1) / warpLanes
	}
	m.checkLimits(k.Kernel)
	m.startLaunch()
	blocks := m.rng.Perm(int(all))
	for _, b := range blocks {
		if m.stopped() {
			break
		}
		for i, x := range k.grid {
			*x.at = first[i] + int64(b)%n[i]
			b /= int(n[i])
		}
		m.startBlock()
		k.run()
		m.now.Blocks++
	}
}

// checkLimits finds launches that no device of the kind accepts.
func (m *machine) checkLimits(k *gpu.Kernel) {
	threads, bytes := 1, 0
	for _, n := range k.Threads {
		threads *= n
	}
	for _, b := range k.Shared {
		size := b.Array.Elem.Size()
		for _, n := range b.Shape {
			size *= int(n)
		}
		bytes += size
	}
	d := m.prog.Device
	if d.ThreadsPerBlock > 0 && threads > d.ThreadsPerBlock {
		m.found(Finding{Kind: BadLaunch, Msg: fmt.Sprintf("kernel %s has %d threads a block, %s allows %d", k.Name, threads, d.Name, d.ThreadsPerBlock)})
	}
	if d.SharedBytes > 0 && bytes > d.SharedBytes {
		m.found(Finding{Kind: BadLaunch, Msg: fmt.Sprintf("kernel %s has %d bytes of shared memory, %s allows %d", k.Name, bytes, d.Name, d.SharedBytes)})
	}
}

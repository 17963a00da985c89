package emulate

import (
	"fmt"
	"math"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// This file runs kernels whose tiles wait for each other: some blocks are resident, each takes the next chain and runs it until it has to
// wait, or has signalled. Only one of them runs at a time; which one goes on is left to chance, and often it is the one with the last
// chain, since a wait that is one too short shows only where what is behind overtakes what is before.
//
// What a chain may touch in global memory is told by signals alone, not by what happened first here. Each chain knows how much of
// others it has seen: of a chain whose signal it waited for, all up to there, and all that this one had seen. An access to
// what another chain wrote, or a write to what another one read, is a race unless it has seen that. A block
// that runs two chains has seen nothing of the first when it starts the second: another block might have run it.

// mostResident is how many blocks run chains at most: a run has 1 to so many.
const mostResident = 6

// A team is the blocks that run chains.
type team struct {
	prog      *gpu.Program
	chains    []schedule.Link       // in the order in which they are taken
	number    map[schedule.Link]int // of a chain, by what it is
	next      int                   // the first that nobody took
	place     []int64               // by chain: what it signalled; unsignalled, or ended
	seen      [][]uint32            // by chain: what it had seen when it signalled, by chain: up to which node
	residents []*resident
	shared    clock // as the last block left it
}

// unsignalled is what a chain has signalled that has not.
const unsignalled = math.MinInt64

// A resident is a block that runs. It goes on when it is told to, and tells when it waits or is done.
type resident struct {
	*machine
	time *int64
	turns
	seen []uint32 // by chain: the last node of it that is known to be before what comes now
}

// chained runs the chains of time tiles lo to hi.
func (m *machine) chained(lo, hi int64) {
	c := &team{prog: m.prog, number: map[schedule.Link]int{}}
	c.list(m, lo, hi)
	if m.opts.tickets != nil {
		m.opts.tickets(c.chains)
		for i, x := range c.chains {
			c.number[x] = i
		}
	}
	if len(c.chains) == 0 {
		return
	}
	for _, x := range m.memories {
		x.readers = make([][]record, len(x.cells))
	}
	for _, k := range m.prog.Kernels {
		m.checkLimits(k)
		l := Launch{Kernel: k, T: lo}
		if m.opts.Profile {
			l.Profile = &Profile{}
		}
		m.report.Launches = append(m.report.Launches, l)
	}
	m.startLaunch()
	c.shared = m.clock
	residents := 1 + m.rng.IntN(mostResident)
	if m.opts.Last {
		residents = mostResident
	}
	for range residents {
		r := c.resident(m)
		if m.opts.Last {
			r.chain = math.MaxInt // those that have none yet take one first
		}
		c.residents = append(c.residents, r)
	}
	all := slices.Clone(c.residents)
	for _, r := range all {
		go r.work(c)
	}
	for len(c.residents) > 0 {
		i, able := next(c.residents, func(r *resident) *turns { return &r.turns }, m.rng, m.opts.Last, m.stopped())
		if !able {
			m.found(Finding{Kind: Hang, Msg: fmt.Sprintf("%d blocks wait for each other", len(c.residents))})
			break // the blocks that wait are left behind
		}
		r := c.residents[i]
		r.clock = r.later(c.shared)
		done := r.take()
		c.shared = r.clock
		if done {
			c.residents = slices.Delete(c.residents, i, i+1)
		}
	}
	for i, r := range all {
		m.buffers = append(m.buffers, r.buffers...)
		for j, b := range r.branches {
			if i == 0 {
				m.branches = append(m.branches, b)
			} else {
				m.branches[j].Then, m.branches[j].Else = m.branches[j].Then+b.Then, m.branches[j].Else+b.Else
			}
		}
	}
}

// later returns the clock of r, at the time that now is.
func (r *resident) later(now clock) clock {
	now.epoch, now.block = r.epoch, r.block
	return now
}

// list lists the chains: those of each time tile and kernel for the tiles that any of them has.
func (c *team) list(m *machine, lo, hi int64) {
	env := map[string]int64{}
	for i, v := range c.prog.Scop.Params {
		env[v.Name] = m.mem.Params[i]
	}
	axes := len(c.prog.Kernels[0].Grid)
	first, last := slices.Repeat([]int64{math.MaxInt64}, axes), slices.Repeat([]int64{math.MinInt64}, axes)
	for t := lo; t <= hi; t++ {
		env[c.prog.T] = t
		for _, k := range c.prog.Kernels {
			for i, x := range k.Grid {
				if from, to := affine.Eval(x.Lo, env), affine.Eval(x.Hi, env); from <= to {
					first[i], last[i] = min(first[i], from), max(last[i], to)
				}
			}
		}
	}
	for t := lo; t <= hi; t++ {
		for phase := range c.prog.Kernels {
			c.cells(schedule.Link{Time: t, Phase: phase}, axes-1, first, last)
		}
	}
	c.prog.Chains.Tickets(c.chains)
	for i, x := range c.chains {
		c.number[x] = i
	}
	c.place, c.seen = slices.Repeat([]int64{unsignalled}, len(c.chains)), make([][]uint32, len(c.chains))
}

// cells lists the chains along the axes from i down to x.
func (c *team) cells(at schedule.Link, i int, first, last []int64) {
	if i < 0 {
		c.number[at] = len(c.chains)
		c.chains = append(c.chains, at)
		return
	}
	for v := first[i]; v <= last[i]; v++ {
		at.At[len(first)-1-i] = v
		c.cells(at, i-1, first, last)
	}
}

// resident returns a block with buffers and variables of its own, and the same global memory.
func (c *team) resident(m *machine) *resident {
	x := *m
	x.scope = scope{vars: map[string]*int64{}, beyond: m.beyond}
	x.kernels, x.branches, x.buffers, x.memories = nil, nil, nil, slices.Clip(m.memories)
	for i, v := range m.prog.Scop.Params {
		x.vars[v.Name] = &m.mem.Params[i]
	}
	r := &resident{machine: &x, turns: newTurns()}
	x.team, x.self = c, r
	x.bind(m.prog.T, func(t *int64) {
		r.time = t
		for _, k := range m.prog.Kernels {
			x.kernels = append(x.kernels, x.kernel(k))
		}
	})
	return r
}

// work runs chains until there are no more.
func (r *resident) work(c *team) {
	<-r.goOn
	for c.next < len(c.chains) && !r.stopped() {
		r.chain, c.next = c.next, c.next+1
		r.seen = make([]uint32, len(c.chains))
		r.run(c.chains[r.chain])
		r.await(ended)
		r.signal(ended)
	}
	r.paused <- true
}

// run runs the tiles of a chain, if there are any.
func (r *resident) run(x schedule.Link) {
	*r.time = x.Time
	k := r.kernels[x.Phase]
	launch := &r.report.Launches[x.Phase]
	r.now = &launch.Counters
	if r.opts.Profile {
		r.profile = launch.Profile
		r.each = int64(k.Threads[0]*k.Threads[1]*k.Threads[2]+warpLanes-1) / warpLanes
	}
	r.startBlock()
	some := true
	for i, a := range k.grid {
		if *a.at = x.At[len(k.grid)-1-i]; *a.at < a.lo() || *a.at > a.hi() {
			some = false
		}
	}
	if !some {
		k.passOn()
		return
	}
	k.run()
	r.now.Blocks++
}

// await waits until the chains that this one waits for have signalled place, or more. It has then seen what they had.
func (r *resident) await(place int64) { r.awaitAll(place, place) }

// awaitAll is await, for another place of the chain before this one in its phase.
func (r *resident) awaitAll(place, behind int64) {
	c := r.team
	sources := c.sources(c.chains[r.chain])
	r.pause(func() bool {
		return !slices.ContainsFunc(sources, func(s source) bool {
			if s.along {
				return c.place[s.chain] < behind
			}
			return c.place[s.chain] < place
		})
	})
	for _, x := range sources {
		s := x.chain
		for i, node := range c.seen[s] {
			r.seen[i] = max(r.seen[i], node)
		}
		if r.opts.relaxed {
			clear(r.seen)
		}
	}
	r.barrier()
}

// A source is a chain that another one waits for; along: the one before it in its phase.
type source struct {
	chain int
	along bool
}

// sources returns the chains that x waits for.
func (c *team) sources(x schedule.Link) (all []source) {
	for _, y := range c.prog.Chains.Sources(x) {
		if n, ok := c.number[y]; ok {
			all = append(all, source{n, y.Time == x.Time && y.Phase == x.Phase})
		}
	}
	return all
}

// signal says that the chain has come to a place, with all that it did and had seen so far.
func (r *resident) signal(place int64) {
	r.barrier()
	r.seen[r.chain] = r.node
	r.team.place[r.chain], r.team.seen[r.chain] = place, slices.Clone(r.seen)
	if r.opts.signals != nil {
		r.opts.signals(r.team.chains[r.chain], place)
	}
	r.pause(nil)
}

// awaitCode returns the code of a wait.
func (f *function) awaitCode(n gpu.Await) func() {
	if n.Var == "" {
		return func() { f.self.await(ended) }
	}
	v := f.variable(n.Var)
	return func() { f.self.await(*v + n.Lag) }
}

// signalCode returns the code of a signal.
func (f *function) signalCode(n gpu.Signal) func() {
	v := f.variable(n.Var)
	return func() { f.self.signal(*v) }
}

// chainOf returns the chain whose access r is.
func (m *machine) chainOf(r record) int { return m.log[r.node-m.launch].chain }

// unseen returns what is wrong with an access after that of x, if anything is.
func (m *machine) unseen(x record) (k Kind, bad bool) {
	if x.node == 0 {
		return 0, false
	}
	if c := m.chainOf(x); c != m.self.chain {
		return BlockRace, x.node > m.self.seen[c]
	}
	return GlobalRace, m.unordered(&x)
}

// readInChain checks and remembers a read of a cell in global memory.
func (m *machine) readInChain(r *ref, at int) {
	s := &r.memory.shadows[at]
	if k, bad := m.unseen(s.write); bad {
		m.race(k, r, at, s.write, written, read)
	}
	switch first := s.first; {
	case first.node == 0:
	case m.chainOf(first) != m.self.chain:
		r.memory.keep(m, at, first)
	case first.node >= m.epoch:
		if first.thread != m.thread {
			s.second = m.record(r)
		}
		return
	}
	s.first, s.second = m.record(r), record{}
}

// keep remembers a read by a chain, its latest.
func (x *memory) keep(m *machine, at int, r record) {
	for i, old := range x.readers[at] {
		if m.chainOf(old) == m.chainOf(r) {
			x.readers[at][i] = r
			return
		}
	}
	x.readers[at] = append(x.readers[at], r)
}

// wroteInChain checks and remembers a write of a cell in global memory. What is before it is before all that come behind it.
func (m *machine) wroteInChain(r *ref, at int) {
	s := &r.memory.shadows[at]
	if k, bad := m.unseen(s.write); bad {
		m.race(k, r, at, s.write, written, written)
	}
	for _, x := range append(r.memory.readers[at], s.first, s.second) {
		if k, bad := m.unseen(x); bad {
			m.race(k, r, at, x, read, written)
		}
	}
	r.memory.readers[at] = r.memory.readers[at][:0]
	s.write, s.first, s.second = m.record(r), record{}, record{}
}

// A bound is what a subscript lies between.
type bound struct{ lo, hi func() int64 }

// regions returns where a tile may touch an array, nil if that is not said.
func (f *function) regions(r gpu.Ref) (all [][]bound) {
	for _, x := range f.kernel.Copied {
		if r.Buffer != nil || x.Array != r.Array {
			continue
		}
		by := make([]bound, len(x.Lo))
		for d := range x.Lo {
			if x.Lo[d] != nil {
				by[d] = bound{f.expr(x.Lo[d]), f.expr(x.Hi[d])}
			}
		}
		all = append(all, by)
	}
	return all
}

// stray notes that the present access through r is of an element outside of where the tile is said to touch the array.
func (m *machine) stray(r *ref, verb string) {
	index := r.index()
	for _, by := range r.regions {
		inside := true
		for d, b := range by {
			inside = inside && (b.lo == nil || b.lo() <= index[d] && index[d] <= b.hi())
		}
		if inside {
			return
		}
	}
	if !m.wanted(Misplaced) {
		m.report.Counts[Misplaced]++
		return
	}
	m.found(Finding{Kind: Misplaced, Element: r.elementOf(), Uses: []Access{m.present(r, verb)}, Msg: "tiles that wait are said to leave it alone"})
}

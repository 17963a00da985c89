package emulate

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file runs a cpu.Program: the tiles of a phase one after the other, in a random order, each as one thread would, or chains that
// wait for each other (cpuchains.go); rows
// in the vectors that are printed (cpurow.go). That no order of threads and of points matters is found by
// who touched each element (cpushadow.go), whatever the order was here.

// RunCPU executes p on mem and returns what it saw, like Run.
func RunCPU(p *cpu.Program, mem *scop.Memory, o Options) (*Report, error) {
	if o.Keep == 0 {
		o.Keep = 10
	}
	if err := tooBig(p.Scop(), mem); err != nil {
		return nil, err
	}
	m := &processor{
		prog: p, mem: mem,
		watcher: watcher{opts: o, report: &Report{OnCPU: true}},
		rng:     rand.New(rand.NewPCG(o.Seed, 0x9e3779b97f4a7c15)),
		scope:   scope{vars: map[string]*int64{}},
		arrays:  map[*scop.Array]*elements{},
		domains: map[*scop.Stmt]*domain{},
		clock:   new(uint64),
		spots:   new(spots),
		bodies:  map[*cpu.Step]body{},
	}
	m.beyond = func(e affine.Table, at int64) {
		m.found(Finding{Kind: OutOfBounds, Msg: fmt.Sprintf("entry %d of a table of %d by %s", at, len(e.Values), e.Var)})
	}
	for _, s := range mem.Arrays {
		m.arrays[s.Array] = newElements(s, m)
	}
	for _, s := range p.Scop().Stmts {
		m.domains[s] = newDomain(s, mem.Params)
		m.report.Expected += m.domains[s].expected
	}
	for i, v := range p.Scop().Params {
		m.vars[v.Name] = &mem.Params[i]
	}
	if p.Schedule.Overlaps() {
		m.overlap()
	}
	m.host()
	if !m.stopped() {
		m.missing(p.Scop(), m.domains)
	}
	m.report.Total = m.total
	return m.report, nil
}

// A processor is the state of a run.
type processor struct {
	watcher
	scope
	prog    *cpu.Program
	mem     *scop.Memory
	rng     *rand.Rand
	total   Counters
	arrays  map[*scop.Array]*elements
	domains map[*scop.Stmt]*domain
	moment
	spots  *spots
	bodies map[*cpu.Step]body // of steps that share nests; others have the body of their statement
	phase  int                // that runs
	place  []int64            // of the tile that runs, where tiles overlap: T and its indices
	serial uint32             // counts those tiles
	clock  *uint64            // counts steps
	crew   *crew              // where chains wait for each other
	thread *thread            // the one that runs them
}

// host runs the loop over time tiles.
func (m *processor) host() {
	env := map[string]int64{}
	for i, v := range m.prog.Scop().Params {
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
	m.bindAll(m.limits(), func(limits []*int64) {
		m.timeTiles(env, lo, hi, limits)
	})
}

// limits are the variables that limit the loop along S1, where ranks form a grid, or are a pipeline.
func (m *processor) limits() []string {
	if m.opts.net == nil && (m.opts.pipe == nil || !m.opts.pipe.plan.Turns()) {
		return nil
	}
	return []string{limitFrom, limitTo}
}

// timeTiles runs the loop over time tiles.
func (m *processor) timeTiles(env map[string]int64, lo, hi int64, limits []*int64) {
	m.bind(m.prog.Names.T, func(t *int64) {
		phases := make([]func(), len(m.prog.Phases))
		for i, ph := range m.prog.Phases {
			phases[i] = m.phaseCode(i, ph, t, limits)
		}
		if m.opts.net != nil {
			m.opts.net.begin(lo)
		}
		if m.opts.ranks != nil {
			m.opts.ranks.exchange(0, lo, m.mem.Params)
		}
		if m.opts.pipe != nil {
			m.opts.pipe.begin(lo)
		}
		for *t = lo; *t <= hi; *t++ {
			env[m.prog.Names.T] = *t
			for i, ph := range m.prog.Phases {
				if m.stopped() {
					return
				}
				m.phase = ph.Number
				if m.launch++; ph.Work.Holds(env) {
					phases[i]()
				}
				if m.opts.ranks != nil {
					m.opts.ranks.exchange(i+1, *t, m.mem.Params)
				}
				if m.opts.net != nil {
					m.opts.net.strips(i+1, *t)
				}
			}
		}
	})
}

// phaseCode returns the code of a phase: its tiles in a random order.
func (m *processor) phaseCode(number int, ph cpu.Phase, t *int64, limits []*int64) (run func()) {
	lo, hi := m.expr(ph.Lo), m.expr(ph.Hi)
	m.bind(ph.Tile, func(at *int64) {
		body := m.nodes(ph.Body)
		tiles := func(first, last int64) {
			for _, i := range m.rng.Perm(int(max(0, last-first+1))) {
				if m.stopped() {
					return
				}
				*at = first + int64(i)
				m.tile = *at
				m.total.Blocks++
				body()
			}
		}
		run = func() {
			if m.opts.net != nil {
				m.opts.net.phase(number, *t, lo(), hi(), m.mem, func(tile, first, last int64) {
					*limits[0], *limits[1] = first, last
					tiles(tile, tile)
				})
				return
			}
			if m.opts.pipe != nil {
				m.opts.pipe.timeTile(*t, lo(), hi(), m.mem, func(some []int64, turn func(tile int64) int64) {
					m.launch++ // these run at once
					for _, i := range m.rng.Perm(len(some)) {
						tile := some[i]
						for _, limit := range limits {
							*limit = turn(tile)
						}
						tiles(tile, tile)
					}
				})
				return
			}
			if m.opts.ranks == nil {
				tiles(lo(), hi())
				return
			}
			for r, s := range m.opts.ranks.shares {
				m.opts.ranks.with(r, m.mem, func() { tiles(max(lo(), s.First), min(hi(), s.Last)) })
			}
		}
	})
	return run
}

func (m *processor) nodes(list []cpu.Node) func() {
	all := make([]func(), len(list))
	for i, n := range list {
		all[i] = m.nodeCode(n)
	}
	return func() {
		for _, run := range all {
			run()
		}
	}
}

func (m *processor) nodeCode(n cpu.Node) func() {
	switch n := n.(type) {
	case cpu.For:
		return m.loop(n.Var, n.Lo, n.Hi, func() func() { return m.nodes(n.Body) })
	case cpu.If:
		cond, then, other := m.cond(n.Cond), m.nodes(n.Then), m.nodes(n.Else)
		return func() {
			if cond() {
				then()
			} else {
				other()
			}
		}
	case cpu.Await:
		return m.awaitCode(n)
	case cpu.Signal:
		return m.signalCode(n)
	case cpu.Tile:
		return m.ownTile(m.tileCode(n))
	}
	panic(fmt.Sprintf("emulate: unknown node %T", n))
}

// tileCode returns the code of a tile.
func (m *processor) tileCode(n cpu.Tile) func() {
	if n.Var == "" {
		return m.steps(n, nil)
	}
	var count *int64
	lo, hi := m.expr(n.Lo), m.expr(n.Hi)
	var body func()
	var pass func(last int64) bool
	m.bind(n.Var, func(v *int64) { count, body, pass = v, m.steps(n, v), m.passCode(n, v) })
	return func() {
		last := hi()
		for *count = lo(); *count <= last; *count++ {
			if pass(last) {
				*count += n.Pass.Steps - 1
			} else {
				body()
			}
		}
	}
}

// loop returns a loop over the variable, whose body is compiled where it is bound.
func (m *processor) loop(name string, lo, hi affine.Expr, body func() func()) (run func()) {
	from, to := m.expr(lo), m.expr(hi)
	m.bind(name, func(v *int64) {
		inside := body()
		run = func() {
			last := to()
			for *v = from(); *v <= last; *v++ {
				inside()
			}
		}
	})
	return run
}

// steps returns the steps of a tile; count is the variable that counts them, if there is one.
func (m *processor) steps(t cpu.Tile, count *int64) func() {
	var all []func()
	for _, numbers := range t.InNests() {
		m.inNest(t, numbers)
		for _, i := range numbers {
			all = append(all, m.step(t.Steps[i], count))
		}
	}
	return func() {
		for _, run := range all {
			if m.stopped() {
				return
			}
			*m.clock++
			m.now = *m.clock
			run()
		}
	}
}

// A body is what is printed for a step that shares a nest with others: the statement of the nest, and the access of the step by that of the nest.
type body struct {
	of   *scop.Stmt
	like map[*scop.Access]*scop.Access
}

// inNest notes the body of each of the steps of t that one nest runs.
func (m *processor) inNest(t cpu.Tile, numbers []int) {
	if len(numbers) == 1 {
		return
	}
	nest := t.Nest(numbers)
	for k, i := range numbers {
		m.bodies[t.Steps[i]] = body{nest.Lead.Stmt, nest.Like[k]}
	}
}

// step returns the code of one step: loops over its rows, in the order that it says.
func (m *processor) step(s *cpu.Step, count *int64) func() {
	guard := m.cond(s.Guard)
	loops := m.stepLoops(s, 0, count, nil)
	return func() {
		if guard() {
			loops()
		}
	}
}

// stepLoops returns the loops of s from d inwards; outer are the variables of those outside.
func (m *processor) stepLoops(s *cpu.Step, d int, count *int64, outer []*int64) (run func()) {
	l, last := s.Loops[d], len(s.Loops)-1
	if d == last {
		row := m.row(s, s.Groups[len(s.Groups)-1], outer)
		return row
	}
	lo, hi := m.expr(l.Lo), m.expr(l.Hi)
	m.bind(l.Var, func(v *int64) {
		inner := append(slices.Clip(outer), v)
		if d < last-1 || len(s.Groups) == 1 {
			inside := m.stepLoops(s, d+1, count, inner)
			run = func() {
				first, end := lo(), hi()
				back := d == 0 && (s.Back[0] || s.Way == schedule.Down)
				if d == 0 && count != nil && s.Way == schedule.Any {
					back = s.Back[*count&1]
				}
				for i := first; i <= end; i++ {
					if *v = i; back {
						*v = first + end - i
					}
					if d == 0 && s.Way != schedule.Any { // behind all points of the turns before it, as if it were a step
						*m.clock++
						m.now = *m.clock
					}
					inside()
				}
			}
			return
		}
		rows := make([]func(), len(s.Groups))
		for i, g := range s.Groups {
			rows[i] = m.row(s, g, inner)
		}
		run = func() {
			*v = lo()
			end := hi()
			for i, g := range s.Groups {
				for ; *v+int64(g.Size)-1 <= end; *v += int64(g.Size) {
					rows[i]()
				}
			}
		}
	})
	return run
}

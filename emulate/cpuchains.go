package emulate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/schedule"
)

// This file runs chains that wait for each other, as several threads would: each takes the next chain and runs it until it has to
// wait, or has signalled. Only one of them runs at a time; which one goes on is left to chance, and often it is the one with the last
// chain, since a wait that is one too short shows only where what is behind overtakes what is before.

// mostThreads is how many threads run chains at most: a run has 1 to so many.
const mostThreads = 6

// A crew is the threads that run chains.
type crew struct {
	prog    *cpu.Program
	rng     *rand.Rand
	chains  []schedule.Link            // in the order in which they are taken
	next    int                        // the first that nobody took
	last    map[schedule.Link]int64    // by chain, with Place 0: what it signalled, or ended
	exists  map[schedule.Link]struct{} // chains
	threads []*thread
	reach   schedule.Reach
}

// ended is what a chain has signalled that has ended.
const ended = math.MaxInt64

// A thread runs chains. It goes on when it is told to, and tells when it waits or is done.
type thread struct {
	*processor
	turns
}

// chained runs the chains of time tiles lo to hi.
func (m *processor) chained(lo, hi int64) {
	c := &crew{prog: m.prog, rng: m.rng, last: map[schedule.Link]int64{}, exists: map[schedule.Link]struct{}{}, reach: m.prog.Chains.Reach()}
	c.list(m, lo, hi)
	m.crew = c
	for range 1 + m.rng.IntN(mostThreads) {
		t := &thread{processor: m.another(), turns: newTurns()}
		t.thread = t
		c.threads = append(c.threads, t)
		go t.work(c)
	}
	for len(c.threads) > 0 {
		i, able := next(c.threads, func(t *thread) *turns { return &t.turns }, c.rng, false, m.stopped())
		if !able {
			m.found(Finding{Kind: Hang, Msg: fmt.Sprintf("%d chains wait for each other", len(c.threads))})
			return // the threads that wait are left behind
		}
		if t := c.threads[i]; t.take() {
			c.threads = slices.Delete(c.threads, i, i+1)
			m.total.add(t.total)
		}
	}
}

// list lists the chains: those of each time tile and phase for the places that any of them has.
func (c *crew) list(m *processor, lo, hi int64) {
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	m.bind(c.prog.Names.T, func(t *int64) {
		for _, ph := range c.prog.Phases {
			from, to := m.expr(ph.Lo), m.expr(ph.Hi)
			for *t = lo; *t <= hi; *t++ {
				if x, y := from(), to(); x <= y {
					first, last = min(first, x), max(last, y)
				}
			}
		}
	})
	for t := lo; t <= hi; t++ {
		for i := range c.prog.Phases {
			for at := first; at <= last; at++ {
				x := schedule.Link{Time: t, Phase: i, At: [3]int64{at}}
				c.chains, c.exists[x] = append(c.chains, x), struct{}{}
			}
		}
	}
}

// another returns a processor with the same memory, and variables of its own.
func (m *processor) another() *processor {
	x := *m
	x.scope = scope{vars: map[string]*int64{}}
	x.total = Counters{}
	x.beyond = m.beyond
	for i, v := range m.prog.Scop().Params {
		x.vars[v.Name] = &m.mem.Params[i]
	}
	return &x
}

// work runs chains until there are no more.
func (t *thread) work(c *crew) {
	<-t.goOn
	t.bind(c.prog.Names.T, func(time *int64) {
		phases := make([]func(at int64), len(c.prog.Phases))
		for i, ph := range c.prog.Phases {
			phases[i] = t.chainCode(ph)
		}
		for c.next < len(c.chains) && !t.stopped() {
			t.chain = c.next
			x := c.chains[c.next]
			c.next++
			*time = x.Time
			ph := c.prog.Phases[x.Phase]
			t.link, t.phase, t.tile = x, ph.Number, x.At[0]
			phases[x.Phase](x.At[0])
			t.link = x
			t.await(ended, ended)
			c.last[x] = ended
		}
	})
	t.paused <- true
}

// chainCode returns what runs a phase at one place, if it has that.
func (m *processor) chainCode(ph cpu.Phase) (run func(at int64)) {
	lo, hi := m.expr(ph.Lo), m.expr(ph.Hi)
	m.bind(ph.Tile, func(at *int64) {
		body, passOn := m.nodes(ph.Body), m.nodes(ph.PassOn())
		run = func(place int64) {
			*at = place
			if lo() <= place && place <= hi() {
				m.total.Blocks++
				body()
			} else {
				passOn()
			}
		}
	})
	return run
}

// await waits until the chains that this one waits for have signalled place, or more, and the one of its phase beside.
func (m *processor) await(place, beside int64) {
	c, here := m.crew, m.link
	sources := slices.DeleteFunc(m.prog.Chains.Sources(here), func(x schedule.Link) bool {
		_, ok := c.exists[x]
		return !ok
	})
	m.thread.pause(func() bool {
		return !slices.ContainsFunc(sources, func(x schedule.Link) bool {
			at, some := c.last[x]
			if x.Time == here.Time && x.Phase == here.Phase {
				return !some || at < beside
			}
			return !some || at < place
		})
	})
}

// awaitCode returns the code of a wait.
func (m *processor) awaitCode(n cpu.Await) func() {
	if n.Var == "" {
		return func() { m.await(ended, ended) }
	}
	v := m.variable(n.Var)
	return func() {
		m.link.Place = *v
		m.await(*v+n.Lag, *v+n.Beside)
	}
}

// signalCode returns the code of a signal.
func (m *processor) signalCode(n cpu.Signal) func() {
	v := m.variable(n.Var)
	return func() {
		x := m.link
		x.Place = 0
		m.crew.last[x] = *v
		m.thread.pause(nil)
	}
}

// unordered reports whether nothing makes the present tile run behind those of x.
func (m *processor) unordered(x schedule.Link) bool {
	y := m.link
	if x == y || x.Time == y.Time && x.Phase == y.Phase && x.At == y.At {
		return false
	}
	return !m.crew.reach.Before(x, y)
}

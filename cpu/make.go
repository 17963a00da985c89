package cpu

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file makes a Program of loops. Loops around tiles stay what they are. Steps that are a loop are long enough for
// a processor to care how their rows run: the passes below decide that, one after the other.

// passes decide how the rows of a step run, each by what those before it have.
var passes = []struct {
	name string
	run  func(*maker, *Step)
}{
	{"turns", (*maker).turns},       // which points do anything
	{"align", (*maker).align},       // where rows should start cache lines
	{"beside", (*maker).beside},     // which rows run side by side
	{"ahead", (*maker).fetch},       // what to fetch for the next step
	{"turn", (*maker).turn},         // from which end rows run
	{"vectors", (*maker).vectorize}, // which points run in vectors, and which of them twice
}

// A maker makes the phases of a program.
type maker struct {
	prog  *Program
	loops *astgen.Program
	phase int
	// repeats says, by statement, whether points may run twice; nil: not asked yet.
	repeats []bool
	asked   []bool
}

// Make returns the program of loops. It panics if they are not loops over time tiles around launches, or tiles overlap and have no Buffers.
func Make(loops *astgen.Program) *Program {
	s := loops.Schedule.Canonical.Scop
	p := &Program{Schedule: loops.Schedule, Names: loops.Names, Busy: astgen.Busy(s), Most: loops.Most}
	host, ok := loops.Body.(astgen.For)
	if !ok || host.Role != schedule.Host {
		panic(fmt.Sprintf("cpu: Make: no loop over time tiles but %T", loops.Body))
	}
	launches, ok := host.Body.(astgen.Block)
	if !ok {
		panic(fmt.Sprintf("cpu: Make: no launches but %T", host.Body))
	}
	p.TLo, p.THi = host.Lo, host.Hi
	var err error
	if p.Buffers, err = Buffers(loops.Schedule, loops.Names); err != nil {
		panic(fmt.Sprintf("cpu: Make: %v", err))
	}
	m := &maker{prog: p, loops: loops, repeats: make([]bool, len(s.Stmts)), asked: make([]bool, len(s.Stmts))}
	for _, n := range launches {
		p.Phases = append(p.Phases, m.launch(n.(astgen.Launch)))
	}
	if p.Chains = loops.Schedule.Waits; p.Chains != nil {
		for i := range p.Phases {
			p.Phases[i].Work = nil // chains that do nothing are few
			p.Phases[i].Body = chained(p.Phases[i].Body, *p.Chains, p.Phases[i].Number)
		}
	}
	return p
}

// chained returns the body of a chain: the outermost loop along it waits before each of its turns, and signals it behind.
func chained(body []Node, c schedule.Chains, phase int) []Node {
	if len(body) == 1 {
		if f, ok := body[0].(For); ok {
			f.Body = slices.Concat([]Node{awaitOf(c, phase, f.Var)}, f.Body, []Node{Signal{f.Var}})
			return []Node{f}
		}
	}
	return slices.Concat([]Node{Await{}}, body)
}

// awaitOf returns how chains of a phase wait before a turn of x, the outermost loop along them. The chain beside one runs with it: it waits for no more of that than c says.
func awaitOf(c schedule.Chains, phase int, x string) Await {
	lag := c.Steps[phase].Lag
	if c.Along {
		return Await{Var: x, Lag: lag}
	}
	return Await{x, lag, lag}
}

// PassOn returns what threads do with a chain of ph that has no tiles where others have some, as one phase may have a tile more than the next: it waits and signals as they do,
// so that chains behind it start no later than behind one with tiles. nil: it only ends.
func (ph Phase) PassOn() []Node {
	if len(ph.Body) != 1 {
		return nil
	}
	f, ok := ph.Body[0].(For)
	if !ok {
		return nil
	}
	f.Body = slices.DeleteFunc(slices.Clone(f.Body), func(n Node) bool {
		switch n.(type) {
		case Await, Signal:
			return false
		}
		return true
	})
	return []Node{f}
}

// mostWork is how many cases the condition of a phase has at most. With more, as round a torus where each part of a tile is a case, threads look at
// the tiles without: a few time tiles have none with an instance, and compilers take longer for such a condition than for the tiles.
const mostWork = 8

// launch returns a phase: its outermost loop over tiles is that which threads share out.
func (m *maker) launch(n astgen.Launch) Phase {
	loop, ok := n.Body.(astgen.For)
	if !ok {
		panic(fmt.Sprintf("cpu: launch: no loop over tiles but %T", n.Body))
	}
	m.phase = n.Phase
	work := n.Work
	if len(work) > mostWork {
		work = nil
	}
	return Phase{Number: n.Phase, Work: work, Tile: loop.Var, Lo: loop.Lo, Hi: loop.Hi, Body: m.node(loop.Body)}
}

// node returns what a thread runs of n.
func (m *maker) node(n astgen.Node) []Node {
	switch n := n.(type) {
	case nil:
		return nil
	case astgen.Block:
		var all []Node
		for _, x := range n {
			all = append(all, m.node(x)...)
		}
		return all
	case astgen.For:
		return []Node{For{n.Var, n.Lo, n.Hi, m.node(n.Body)}}
	case astgen.If:
		return []Node{If{n.Cond, m.node(n.Then), m.node(n.Else)}}
	case astgen.Tile:
		t := Tile{Phase: n.Phase, Full: n.Full}
		for _, s := range n.Steps {
			step := &Step{Step: s}
			m.turns(step)
			m.beside(step)
			m.apart(step)
			t.Steps = append(t.Steps, step)
		}
		return []Node{t}
	case astgen.Rolled:
		t := Tile{Phase: n.Phase, Var: n.Var, Lo: n.Lo, Hi: n.Hi}
		for _, s := range n.Steps {
			t.Steps = append(t.Steps, m.step(s))
		}
		t.Pass = m.pass(t)
		t.Nests = m.variants(t)
		return []Node{t}
	}
	panic(fmt.Sprintf("cpu: node: unexpected %T", n))
}

// Behind is how many rows of points in order run at once, each one place behind the one before: more would take more addresses than there are registers.
const Behind = 8

// step returns a step of a loop over steps. There is little to decide where points are in order.
func (m *maker) step(s astgen.Step) *Step {
	step := &Step{Step: s}
	if s.Ordered {
		m.turns(step)
		if len(s.Loops) > 1 && len(s.Stmt.When) == 0 {
			step.Groups = append(step.Groups, Group{Size: Behind})
		}
		step.Groups = append(step.Groups, Group{Size: 1})
		return step
	}
	if s.Way != schedule.Any || slices.ContainsFunc(s.Stmt.Accesses, func(a *scop.Access) bool { return m.prog.Buffer(a.Array) != nil }) {
		m.turns(step) // rows of buffers start anywhere in a cache line, and the first level holds them: compilers' vectors do; those of columns run in turn
		step.Groups = []Group{{Size: 1}}
		return step
	}
	if border(step) { // few points: what makes rows fast would be most of the text
		if m.turns(step); !step.SinglePoints() {
			m.align(step)
		}
		step.Groups = []Group{{Size: 1}}
		return step
	}
	for _, pass := range passes {
		pass.run(m, step)
	}
	return step
}

// leastAligned is the bytes of an element at least for rows to begin at a cache line. Of smaller ones up to 63 would run one by one before that,
// which takes as long as many times as many in vectors.
const leastAligned = 4

func (m *maker) align(s *Step) {
	if s.Turn.Whole() {
		if to := aligned(m.loops.Schedule.Canonical, s.Stmt); to != nil && to.Array.Elem.Size() >= leastAligned {
			s.Align = to
		}
	}
}

func (m *maker) beside(s *Step) {
	if !s.Ordered && s.Way == schedule.Any && len(s.Stmt.When) == 0 && !border(s) {
		if n := rows(m.loops.Schedule.Canonical, s.Step); n > 1 {
			s.Groups = append(s.Groups, Group{Size: n})
		}
	}
	s.Groups = append(s.Groups, Group{Size: 1})
}

func (m *maker) fetch(s *Step) {
	s.Ahead = m.ahead(s.Stmt, 1)
	if s.Align == nil {
		return
	}
	for i := range s.Groups {
		g := &s.Groups[i]
		g.Fetch = s.Ahead.fetches(g.Size, len(s.Loops))
		for _, f := range g.Fetch {
			if f.Beyond {
				s.Grows = s.Ahead.Grows
			}
		}
	}
}

// turn lets rows run from the last to the first in every other nest of the tile: then those that
// the nest before ran last, which are in the first level yet, come first.
func (m *maker) turn(s *Step) {
	if s.Grows == 0 || len(s.Loops) != 2 || s.Groups[0].Size > 1 {
		return
	}
	back := s.Stmt.Order%2 == 0
	s.Back = [2]bool{back, back}
	if len(m.loops.Schedule.Canonical.Scop.Stmts)%2 == 1 { // in the next iteration of the time loop, a nest of the other kind comes first
		s.Back[1] = !back
	}
}

func (m *maker) vectorize(s *Step) {
	for i := range s.Groups {
		s.Groups[i].Vectors = m.vectors(s, s.Groups[i].Size)
	}
}

// apart lets rows side by side run in vectors whose operands are loaded by themselves, where rows start anywhere in a cache line: those of tiles whose steps are no
// loop, and of buffers. Compilers, which are free to load again what rows share, do so. A row by itself has less to share than it loses: a vector that fills a
// line and starts anywhere lies in two, so that compilers' shorter ones load as fast.
func (m *maker) apart(s *Step) {
	if s.Ordered || s.Way != schedule.Any || !s.Turn.Whole() || border(s) || s.Groups[0].Size == 1 {
		return
	}
	s.Groups[0].Vectors = m.vectorsApart(s, s.Groups[0].Size)
}

// repeat reports whether points of a statement may run twice. It asks once.
func (m *maker) repeat(st *scop.Stmt) bool {
	if !m.asked[st.Order] {
		m.asked[st.Order], m.repeats[st.Order] = true, schedule.Repeatable(m.loops.Schedule.Canonical.Scop, st)
	}
	return m.repeats[st.Order]
}

package cpu

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// Verify returns a broken invariant of p, or nil: its loops are ones that astgen allows, each row of each step runs in a group of its
// size or of one, vectors have what the body reads, buffers hold what tiles touch, and the work of a phase is what its statements do.
func (p *Program) Verify() error {
	if err := p.loops().Verify(); err != nil {
		return err
	}
	v := verifier{p: p}
	v.buffers()
	for _, ph := range p.Phases {
		v.nodes(ph.Body)
		v.chain(ph)
	}
	if want := p.grain(); len(p.Grain) > 0 && p.Grain.String() != want.String() {
		v.fail("the work of a phase is %v, not %v", p.Grain, want)
	}
	if p.Chains != nil && (p.Chains.Blocks != 1 || len(p.Chains.Steps) != len(p.Phases)) {
		v.fail("chains of %d dimensions and %d phases", p.Chains.Blocks, len(p.Chains.Steps))
	}
	return v.err
}

// A verifier keeps the first broken invariant.
type verifier struct {
	p   *Program
	err error
}

func (v *verifier) fail(format string, args ...any) {
	if v.err == nil {
		v.err = fmt.Errorf("cpu: "+format, args...)
	}
}

func (v *verifier) nodes(list []Node) {
	for _, n := range list {
		switch n := n.(type) {
		case For:
			v.nodes(n.Body)
		case If:
			v.nodes(n.Then)
			v.nodes(n.Else)
		case Tile:
			for _, s := range n.Steps {
				v.step(n, s)
			}
			if n.Pass != nil {
				v.pass(n)
			}
		case Await, Signal:
		default:
			v.fail("unknown node %T", n)
		}
	}
}

// chain checks that the tiles of a chain run behind what they wait for, and before they are signalled: all of them, or those of one turn of
// the outermost loop along the chain. Else nothing waits.
func (v *verifier) chain(ph Phase) {
	var want []Node
	if v.p.Chains != nil {
		if ph.Work != nil {
			v.fail("phase %d: chains have a condition", ph.Number)
		}
		if want = []Node{Await{}}; len(ph.Body) == 1 {
			if f, ok := ph.Body[0].(For); ok {
				want = []Node{awaitOf(*v.p.Chains, ph.Number, f.Var), Signal{f.Var}}
				if n := len(f.Body); n < 2 || f.Body[0] != want[0] || f.Body[n-1] != want[1] {
					v.fail("phase %d: the turns of %s do not wait", ph.Number, f.Var)
				}
			}
		}
		if len(want) == 1 && (len(ph.Body) == 0 || ph.Body[0] != want[0]) {
			v.fail("phase %d: tiles do not wait", ph.Number)
		}
	}
	if n := waits(ph.Body); n != len(want) {
		v.fail("phase %d: %d waits and signals, not %d", ph.Number, n, len(want))
	}
}

// waits counts waits and signals.
func waits(list []Node) (count int) {
	for _, n := range list {
		switch n := n.(type) {
		case For:
			count += waits(n.Body)
		case If:
			count += waits(n.Then) + waits(n.Else)
		case Await, Signal:
			count++
		}
	}
	return count
}

func (v *verifier) step(t Tile, s *Step) {
	if n := len(s.Groups); n == 0 || n > 2 || s.Groups[n-1].Size != 1 || n == 2 && s.Groups[0].Size < 2 {
		v.fail("%s: %d groups of rows", s.Stmt.Name, n)
		return
	}
	if (s.Grows > 0 || s.Back[0] != s.Back[1]) && t.Var == "" {
		v.fail("%s: what differs from step to step, where steps are no loop", s.Stmt.Name)
	}
	if s.Back != [2]bool{} && (s.Grows == 0 || len(s.Loops) != 2 || s.Groups[0].Size > 1) {
		v.fail("%s: rows from the last to the first, in %d loops", s.Stmt.Name, len(s.Loops))
	}
	if s.Ordered && !s.inOrder() {
		v.fail("%s: points in order, whose rows are not", s.Stmt.Name)
	}
	if s.Way != schedule.Any && (len(s.Loops) < 2 || s.Ordered || !s.inTurn()) {
		v.fail("%s: points that run %v along columns, whose rows do not", s.Stmt.Name, s.Way)
	}
	if s.Align != nil && slices.ContainsFunc(s.Stmt.Accesses, func(a *scop.Access) bool { return v.p.Buffer(a.Array) != nil }) {
		v.fail("%s: aligned rows of a buffer", s.Stmt.Name)
	}
	for _, g := range s.Groups {
		if s.Align == nil && (g.Vectors != nil && !g.Vectors.Apart || len(g.Fetch) > 0) {
			v.fail("%s: vectors of a row that is not aligned", s.Stmt.Name)
		}
		if g.Vectors != nil {
			v.vectors(s, g)
		}
	}
}

// inOrder reports whether the points of s run one by one, in the order of its loops or along diagonals of two of them.
func (s *Step) inOrder() bool {
	return s.Align == nil && s.Back == [2]bool{} && !slices.ContainsFunc(s.Groups, func(g Group) bool {
		return g.Vectors != nil || g.Size > 1 && (len(s.Loops) < 2 || len(s.Stmt.When) > 0)
	})
}

// inTurn reports whether the rows of s run one after the other, in the order of its loops.
func (s *Step) inTurn() bool {
	return s.Align == nil && s.Back == [2]bool{} && len(s.Groups) == 1 && s.Groups[0].Size == 1 && s.Groups[0].Vectors == nil
}

func (v *verifier) vectors(s *Step, g Group) {
	x := g.Vectors
	if x.Apart {
		v.vectorsApart(s, g)
	} else if s.Align == nil || x.Elem != s.Align.Array.Elem || x.Lanes*int64(x.Elem.Size()) != machine.CacheLine || len(x.Limits) == 0 {
		v.fail("%s: vectors of %d %v with %d limits", s.Stmt.Name, x.Lanes, x.Elem, len(x.Limits))
	}
	for _, w := range x.Windows {
		if len(w.Offsets) == 0 || !slices.IsSorted(w.Offsets) || w.Center < w.Offsets[0] || w.Center > w.Offsets[len(w.Offsets)-1] || w.Row >= g.Size {
			v.fail("%s: window of %s at %v around %d", s.Stmt.Name, w.From.Text, w.Offsets, w.Center)
		}
	}
	if x.Halves && (g.Size > 1 || len(s.Groups) > 1) {
		v.fail("%s: halves of %d rows", s.Stmt.Name, g.Size)
	}
	if x.Repeat && !schedule.Repeatable(v.p.Scop(), s.Stmt) {
		v.fail("%s: points run twice that read what they store", s.Stmt.Name)
	}
}

// vectorsApart checks that all that points of s load and store in vectors lies next to each other along rows, in elements of one type, and that it is what they read.
func (v *verifier) vectorsApart(s *Step, g Group) {
	x := g.Vectors
	to := aligned(v.p.Schedule.Canonical, s.Stmt)
	if to == nil || s.Align != nil || x.Elem != to.Array.Elem || x.Lanes*int64(x.Elem.Size()) != machine.CacheLine || len(x.Limits) > 0 || x.Halves {
		v.fail("%s: vectors of %d %v apart, with %d limits", s.Stmt.Name, x.Lanes, x.Elem, len(x.Limits))
		return
	}
	m := maker{loops: &astgen.Program{Schedule: v.p.Schedule}}
	if k := s.kinds(to); k != nil && !slices.EqualFunc(x.Windows, m.windows(s, to, k, g.Size), Window.equal) {
		v.fail("%s: vectors load other elements than points read", s.Stmt.Name)
	}
	if s.kinds(to) == nil || s.Ordered || s.Way != schedule.Any || !s.Turn.Whole() {
		v.fail("%s: vectors of points that none computes", s.Stmt.Name)
	}
}

// Read returns what p does, as rows: how astgen reads loops, from those of p.
func (p *Program) Read() (astgen.Reading, error) { return p.loops().Read() }

// loops returns the loops of p, without how rows run.
func (p *Program) loops() *astgen.Program {
	var launches astgen.Block
	for _, ph := range p.Phases {
		launches = append(launches, astgen.Launch{Phase: ph.Number, Work: ph.Work,
			Body: astgen.For{Var: ph.Tile, Lo: ph.Lo, Hi: ph.Hi, Role: schedule.Block, Body: loopsOf(ph.Body)}})
	}
	return &astgen.Program{
		Schedule: p.Schedule, Names: p.Names, Most: p.Most, Known: make([]astgen.Known, len(p.Phases)),
		Body: astgen.For{Var: p.Names.T, Lo: p.TLo, Hi: p.THi, Role: schedule.Host, Body: launches},
	}
}

// loopsOf returns what a thread runs, nil if that is nothing.
func loopsOf(list []Node) astgen.Node {
	var all astgen.Block
	for _, n := range list {
		switch n := n.(type) {
		case For:
			all = append(all, astgen.For{Var: n.Var, Lo: n.Lo, Hi: n.Hi, Role: schedule.Seq, Body: loopsOf(n.Body)})
		case If:
			all = append(all, astgen.If{Cond: n.Cond, Then: loopsOf(n.Then), Else: loopsOf(n.Else)})
		case Tile:
			steps := make([]astgen.Step, len(n.Steps))
			for i, s := range n.Steps {
				steps[i] = s.Step
				steps[i].Ordered = s.Ordered && s.inOrder()
				if !s.inTurn() {
					steps[i].Way = schedule.Any
				}
			}
			if n.Var == "" {
				all = append(all, astgen.Tile{Phase: n.Phase, Full: n.Full, Steps: steps})
			} else {
				all = append(all, astgen.Rolled{Phase: n.Phase, Var: n.Var, Lo: n.Lo, Hi: n.Hi, Steps: steps})
			}
		}
	}
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0]
	}
	return all
}

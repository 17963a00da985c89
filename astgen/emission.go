package astgen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/internal/parallel"
	"github.com/hexcc/hexcc/schedule"
)

// This file proves that loops do what their schedule says, for all values of the
// parameters: the loops, read back as rows (reading.go), are equal to the slices of
// the tiles. Four things are asked:
//
//   - reach: every tile with an instance in it is visited. Loops that visit more are
//     well, since nothing runs in the others;
//   - equality: in every tile that a body is for, what runs at a step is the part of the box of that
//     step that lies in the domain: no instance less, none more. Where tiles have two
//     bodies, one for full tiles, that is asked of both, and of the other one in all tiles;
//   - a loop runs each of its values once, so an instance runs once in a tile;
//   - order: phases, tile indices that the schedule orders, steps, and points of a step that it orders run in the order of the schedule.
//
// Where a full tile relies on the one before it or after it in its block being full, that is asked, too.
//
// With the proof of partition, which says that each instance lies in one tile, all
// instances run, and once each.

// ProveEmission proves that each of some versions of loops with the variables n, which read reads
// back, is the schedule s.
func ProveEmission(s *schedule.Schedule, n Names, read ...func() (Reading, error)) schedule.Proof {
	return schedule.Prove("emission", "the loops below run the iterations of each tile once, and no others", func(p *schedule.Prover) {
		p.Unit = "implication"
		for i, read := range read {
			e := emission{Asker: NewAsker(p, s), s: s, n: n}
			if i > 0 {
				e.version = fmt.Sprintf("version %d, ", i+1)
			}
			r, err := read()
			if err != nil {
				p.GiveUp(e.version+"the loops can be read back", err.Error())
				return
			}
			p.Ask(e.version+"phases run in their order", func() string {
				if !slices.IsSortedFunc(r.Visits, func(v, w Visit) int { return v.Phase - w.Phase }) {
					return "a later phase of a time tile runs before an earlier one"
				}
				return ""
			})
			schedule.Each(p, parallel.Numbers(len(s.Phases)), func(q *schedule.Prover, phase int) {
				own := e
				own.Prover = q
				own.phase(phase, r)
			})
		}
	})
}

// An emission is a proof under way.
type emission struct {
	Asker
	s       *schedule.Schedule
	n       Names
	version string
}

// phase asks about the tiles of a phase.
func (e *emission) phase(phase int, r Reading) {
	slices := Slices(e.s, e.n, phase)
	visits, full, partial := 0, 0, 0
	for _, v := range r.Visits {
		if v.Phase == phase {
			visits++
			e.Ask(fmt.Sprintf("%sphase %d: the loops reach every tile with an instance in it", e.version, phase), func() string { return e.reach(slices, v) })
		}
	}
	for _, b := range r.Bodies {
		if b.Phase != phase {
			continue
		}
		kind := "tiles"
		if b.Full {
			kind = "full tiles"
			full++
		} else {
			partial++
		}
		e.Ask(fmt.Sprintf("%sphase %d: %s run the instances in them, once each, and no others", e.version, phase, kind), func() string { return e.equal(slices, b) })
		if len(b.Next) > 0 {
			e.Ask(fmt.Sprintf("%sphase %d: full tiles know whether those next to them in the block are full", e.version, phase), func() string { return e.next(b, r) })
		}
	}
	if visits != 1 || partial != 1 {
		e.Ask(fmt.Sprintf("%sphase %d: all tiles are run, and once", e.version, phase), func() string {
			return fmt.Sprintf("%d loops lead to tiles, with %d bodies for all of them and %d for full ones", visits, partial, full)
		})
	}
}

// reach returns why a tile with an instance in it is not visited, "" if all are.
func (e *emission) reach(slices []Slice, v Visit) string {
	if why := e.inOrder(v); why != "" {
		return why
	}
	if e.s.Fronts != nil {
		if why := e.inFront(v); why != "" {
			return why
		}
	}
	for _, at := range owned(slices) {
		in := e.instances(at)
		for _, l := range v.Loops {
			x, lo, hi := e.inTile(l)
			if !e.Implies(in, AtLeast(x, lo)) || !e.Implies(in, AtMost(x, hi)) {
				return fmt.Sprintf("a tile with %s in step %d is beyond the loop %v <= %s <= %v", at.Stmt.Name, at.A, l.Lo, l.Var, l.Hi)
			}
		}
		for _, g := range v.Gates {
			if !e.Implies(in, g) {
				return fmt.Sprintf("a tile with %s in step %d is left out by a condition", at.Stmt.Name, at.A)
			}
		}
	}
	return e.handsOn(v)
}

// handsOn returns why a launch does not run a tile that owns elements of an array in two versions, "" if each runs all of them.
func (e *emission) handsOn(v Visit) string {
	for i, at := range elementsOf(e.s, e.n, v.Phase) {
		rows := at.Instances(e.n)
		for _, l := range v.Loops[:1] {
			rows = Inside(rows, l.Var, l.Lo, l.Hi)
		}
		in, a := NewFacts(rows, e.n.Points), e.s.Versions[i].Array
		for _, l := range v.Loops[1:] {
			x, lo, hi := e.inTile(l)
			if !e.Implies(in, AtLeast(x, lo)) || !e.Implies(in, AtMost(x, hi)) {
				return fmt.Sprintf("a tile with an element of %s is beyond the loop %v <= %s <= %v", a.Name, l.Lo, l.Var, l.Hi)
			}
		}
		for _, g := range v.Gates[1:] { // the first is whether there is anything to do at all
			if !e.Implies(in, g) {
				return fmt.Sprintf("a tile with an element of %s is left out by a condition", a.Name)
			}
		}
	}
	return ""
}

// inOrder returns why the loops to tiles are not one for each index, in an order that the schedule allows, "" if they
// are. The loops over indices whose values run in any order may stand anywhere behind that over time tiles: where
// such an index differs, neither tile needs the other, and where none does, the other loops order them. Where tiles wait for each
// other, those that tell chains apart are outside of those along a chain.
func (e *emission) inOrder(v Visit) string {
	ordered, free := e.indices(v.Phase)
	if want := len(ordered) + len(free); len(v.Loops) != want {
		return fmt.Sprintf("%d loops lead to tiles with %d indices", len(v.Loops), want)
	}
	for i, l := range v.Loops {
		if i > 0 && !e.inChain(v, i) {
			return fmt.Sprintf("a loop over %s stands in place of another: no chain", l.Var)
		}
		if at := slices.Index(free, l.Var); i > 0 && at >= 0 {
			free = slices.Delete(free, at, at+1)
			continue
		}
		switch {
		case len(ordered) == 0 || l.Var != ordered[0]:
			return fmt.Sprintf("a loop over %s stands in place of another", l.Var)
		case !l.Ordered:
			return fmt.Sprintf("the values of %s run in any order", l.Var)
		}
		ordered = ordered[1:]
	}
	return ""
}

// indices returns the variables of loops to the tiles of a phase: those in order, outermost first, and those that may stand anywhere behind the first.
func (e *emission) indices(phase int) (ordered, free []string) {
	if e.s.Fronts != nil { // indices of tiles follow from the front, or differ between tiles of which none needs another
		return []string{e.n.Front}, append([]string{e.n.T}, e.n.Tiles...)
	}
	ordered = []string{e.n.T}
	for i, p := range e.s.Phases[phase].Nest() {
		chained := e.s.Waits != nil && i < e.s.Waits.Blocks // their order is that of waits
		if e.s.Phases[phase].Space[p].Role == schedule.Seq && !chained {
			ordered = append(ordered, e.n.Tiles[p])
		} else {
			free = append(free, e.n.Tiles[p])
		}
	}
	return ordered, free
}

// inChain reports whether loop i to tiles, 1 or more, stands where tiles that wait for each other may have it: those over indices that
// tell chains apart are outermost, in any order, those along a chain in the order of places.
func (e *emission) inChain(v Visit, i int) bool {
	if e.s.Waits == nil {
		return true
	}
	nest, chains := e.s.Phases[v.Phase].Nest(), e.s.Waits.Blocks
	if i > chains {
		return v.Loops[i].Var == e.n.Tiles[nest[i-1]]
	}
	return slices.ContainsFunc(nest[:chains], func(p int) bool { return v.Loops[i].Var == e.n.Tiles[p] })
}

// equal returns how what b runs differs from what lies in tiles, "" if it does not.
func (e *emission) equal(all []Slice, b Body) string {
	if e.Empty(Facts{Rows: b.Where}) {
		return ""
	}
	if why := e.inWaves(all, b); why != "" {
		return why
	}
	if why := e.inPlanes(all, b); why != "" {
		return why
	}
	matched, earlier, last, step := make([]bool, len(b.Runs)), -1, -1, int64(-1)
	inStep := map[int64]int{} // by local coordinate, if the body tells them apart: the last run of the step there, and 1 more
	ranked := slices.ContainsFunc(e.s.Canonical.Ranks, func(rank int) bool { return rank > 0 })
	for _, at := range b.apart(all) {
		if b.To > 0 && (at.A < b.From || at.A >= b.To) {
			continue
		}
		in := e.instances(at)
		in.Rows = append(in.Rows, b.Where...)
		i := indexRun(b.Runs, matched, at)
		if i < 0 {
			if !e.Empty(in) {
				return fmt.Sprintf("%s in step %d does not run", at.Stmt.Name, at.A)
			}
			continue
		}
		run := b.Runs[i]
		if matched[i] = true; e.s.Fronts == nil {
			if at.A != step {
				step, earlier = at.A, last
				clear(inStep)
			}
			if i < earlier {
				return fmt.Sprintf("%s in step %d runs after a later step", at.Stmt.Name, at.A)
			}
			if ranked { // else statements of one step run in any order
				if i < inStep[at.coordinate(b.Apart)]-1 {
					return fmt.Sprintf("%s in step %d runs after a statement of a later rank", at.Stmt.Name, at.A)
				}
				inStep[at.coordinate(b.Apart)] = max(inStep[at.coordinate(b.Apart)], i+1)
			}
		}
		last = max(last, i)
		if at.Ordered && run.Wave == nil && !run.inOrder(e.n) {
			return fmt.Sprintf("the points of %s in step %d, which depend on each other, run in another order", at.Stmt.Name, at.A)
		}
		if at.Way != schedule.Any && (run.Way != at.Way || run.Column != e.n.Points[0]) {
			return fmt.Sprintf("the points of %s in step %d, which run %v along columns, run %v", at.Stmt.Name, at.A, at.Way, run.Way)
		}
		for _, r := range run.Rows {
			if !e.Implies(in, Gate{{r}}) {
				return fmt.Sprintf("%s in step %d does not run where not %v >= 0", at.Stmt.Name, at.A, r)
			}
		}
		ran := NewFacts(append(run.Rows[:len(run.Rows):len(run.Rows)], b.Where...), e.n.Points)
		for _, r := range at.Instances(e.n) {
			if !e.Implies(ran, Gate{{r}}) {
				return fmt.Sprintf("%s in step %d runs where not %v >= 0", at.Stmt.Name, at.A, r)
			}
		}
	}
	for i, run := range b.Runs {
		if !matched[i] && !e.Empty(Facts{Rows: append(run.Rows[:len(run.Rows):len(run.Rows)], b.Where...)}) {
			return fmt.Sprintf("%s runs at %v, which no step of the tile has", run.Stmt.Name, run.Iters)
		}
	}
	return ""
}

// apart returns slices as the runs of b have them: of one value of a local coordinate each, if b tells those apart.
func (b Body) apart(all []Slice) (out []Slice) {
	if b.Apart == 0 {
		return all
	}
	for _, s := range all {
		for v := s.Lo[b.Apart]; v <= s.Hi[b.Apart]; v++ {
			if n := v - s.Lo[b.Apart]; b.Most > 0 && (n < b.Least || n >= b.Most) {
				continue
			}
			one := s
			one.Lo, one.Hi = slices.Clone(s.Lo), slices.Clone(s.Hi)
			one.Lo[b.Apart], one.Hi[b.Apart] = v, v
			out = append(out, one)
		}
	}
	return out
}

// coordinate returns the value of local coordinate p of s, which has one; 0 for p = 0: bodies do not tell those apart.
func (s Slice) coordinate(p int) int64 {
	if p == 0 {
		return 0
	}
	return s.Lo[p]
}

// inOrder reports whether the points of r run behind those that are no further.
func (r Run) inOrder(n Names) bool { return slices.Equal(r.Along, n.Points) }

// next returns where b relies on a neighbour being full that need not be, "" if nowhere.
func (e *emission) next(b Body, r Reading) string {
	inner := e.n.Tiles[len(e.n.Tiles)-1]
	for _, next := range b.Next {
		at := map[string]affine.Sum{inner: affine.Var(inner).Add(next.By)}
		full := Gate{}
		for _, other := range r.Bodies {
			if other.Phase == b.Phase && other.Full {
				rows := make([]affine.Sum, len(other.Where))
				for i, row := range other.Where {
					rows[i] = row.Subst(at)
				}
				full = append(full, rows)
			}
		}
		for _, v := range r.Visits {
			last := v.Loops[len(v.Loops)-1]
			if v.Phase == b.Phase && last.Var != inner {
				return fmt.Sprintf("tiles along %s do not follow each other", inner)
			}
			if v.Phase == b.Phase { // it is in the same loop
				full = full.And(AtLeast(at[inner], last.Lo)).And(AtMost(at[inner], last.Hi))
			}
		}
		for _, rows := range next.Where {
			if !e.Implies(Facts{Rows: append(b.Where[:len(b.Where):len(b.Where)], rows...)}, full) {
				return fmt.Sprintf("a full tile where %v >= 0 takes it that the one %d along %s is full", rows, next.By, inner)
			}
		}
	}
	return ""
}

// indexRun returns the first of runs, not matched yet, that runs the points of a slice, each at the instance that the slice has there; -1: none does.
func indexRun(runs []Run, matched []bool, at Slice) int {
	for i, r := range runs {
		if !matched[i] && r.Stmt == at.Stmt && slices.EqualFunc(r.Iters, at.Iters, affine.Sum.Equal) {
			return i
		}
	}
	return -1
}

// instances returns what holds of the tile and the local coordinates of an instance in a slice.
func (e *emission) instances(at Slice) Facts { return NewFacts(at.Instances(e.n), e.n.Points) }

// Instances returns rows that are >= 0 just where the tile and the local coordinates are those of an instance in s.
func (s Slice) Instances(n Names) (rows []affine.Sum) {
	for p, b := range n.Points {
		rows = append(rows, affine.Var(b).Add(-s.Lo[p]), affine.Num(s.Hi[p]).Minus(affine.Var(b)))
	}
	for _, r := range s.Rows {
		rows = append(rows, r.Tighten())
	}
	return rows
}

// OwnedInstances returns Instances of those that the tile owns.
func (s Slice) OwnedInstances(n Names) []affine.Sum {
	s.Lo, s.Hi = s.Owned.Lo, s.Owned.Hi
	return s.Instances(n)
}

// String lists what was read, a line for each visit and each run.
func (r Reading) String() string {
	var b strings.Builder
	for _, v := range r.Visits {
		fmt.Fprintf(&b, "phase %d:", v.Phase)
		for _, l := range v.Loops {
			fmt.Fprintf(&b, " %v <= %s <= %v;", l.Lo, l.Var, l.Hi)
		}
		fmt.Fprintf(&b, " where %v\n", v.Gates)
	}
	for _, body := range r.Bodies {
		fmt.Fprintf(&b, "phase %d, full: %t, where %v\n", body.Phase, body.Full, body.Where)
		for _, run := range body.Runs {
			fmt.Fprintf(&b, "  %s%v where %v\n", run.Stmt.Name, run.Iters, run.Rows)
		}
	}
	return b.String()
}

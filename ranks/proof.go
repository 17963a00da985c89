package ranks

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file proves of a plan, for all values of the parameters, time tiles and borders, that ranks have what they read. It takes the boxes as they are
// printed, and where values go (flow.go), and knows nothing of how the boxes were found.
//
// Of one border B the tiles with S0 < B are on one side, the others on the other. It is shown that
//
//   - values go from tiles of one side to tiles of the other only where these are next to each other, so that a rank
//     with one tile has no business with ranks beyond its neighbours;
//   - each such value lies in a box that is sent after the phase that computed it, and before the phase that reads it;
//   - what is sent is what the tiles of the sender wrote last, or nothing that the receiver still reads: no box holds an element
//     whose value the receiver has from elsewhere and reads later;
//
// What was in memory before the region counts as written by the owner of the element, and what is there afterwards as read by the owner.

// Prove returns the proof of the plan.
func (p *Plan) Prove() schedule.Proof {
	return schedule.Prove("ranks", "what a rank reads it has computed, or it has arrived before", func(q *schedule.Prover) {
		b := newBorder(p)
		b.Prover = q
		b.prove()
		if p.Pipeline != nil {
			g := newPiper(p)
			g.Prover = q
			g.prove()
		}
	})
}

// A border asks questions about the border between two ranks.
type border struct {
	*planner
	*schedule.Prover
	params []string
}

// Further parameters of questions: time tile and tile of the instance that writes, and of the one that reads.
const (
	writerT, writerS = "hexcc_tw", "hexcc_sw"
	readerT, readerS = "hexcc_tr", "hexcc_sr"
)

func newBorder(p *Plan) *border {
	b := &border{planner: newPlanner(p), Prover: &schedule.Prover{}}
	b.params = append(append([]string{}, b.planner.params...), writerT, writerS, readerT, readerS)
	return b
}

func (b *border) prove() {
	if slices.ContainsFunc(b.scop.Stmts, func(st *scop.Stmt) bool { return !slices.Contains(b.Scop().Stmts, st) }) {
		b.Ask("loops through rows are loops over their elements", b.sameRows)
	}
	for _, a := range b.Arrays {
		if a.Dim < 0 {
			continue
		}
		all := b.flowsOf(a.Array)
		b.Ask(fmt.Sprintf("values of %s go from tiles to themselves and to those beside them", a.Array.Name), func() string { return b.beside(a, all) })
		if b.Pipeline != nil {
			b.Ask(fmt.Sprintf("what is read of %s across a border, and was in memory, is sent before", a.Array.Name), func() string { return b.sent(a, all) })
			continue
		}
		b.Ask(fmt.Sprintf("values of %s that cross a border are sent after the phase that computes them", a.Array.Name), func() string { return b.sent(a, all) })
		b.Ask(fmt.Sprintf("what is sent of %s overwrites nothing that is read", a.Array.Name), func() string { return b.fresh(a, all) })
	}
}

// empty makes an emptiness test.
func (b *border) empty(m poly.Map) bool {
	b.Tests++
	return m.IntersectParams(b.scop.Context).IsEmpty()
}

// pairs returns the tuples of the pairs of a flow.
func (b *border) pairs(f flow) (in, out poly.Tuple) {
	array := f.To.a
	if array == nil {
		array = f.From.a
	}
	out = elements(array.Array)
	switch {
	case f.From.a != nil && f.To.a != nil:
		return f.From.st.Tuple(), f.To.st.Tuple()
	case f.From.a != nil:
		return f.From.st.Tuple(), out
	}
	return f.To.st.Tuple(), out // what reads, to the element
}

// writer returns that the instance which writes lies in tile writerS of a phase of time tile writerT; reader of the one that reads.
func (b *border) writer(f flow, phase int) []poly.Formula {
	return b.in(f.From.st, poly.Ins(len(f.From.st.Iters)), phase, affine.Var(writerT), affine.Var(writerS))
}

func (b *border) reader(f flow, phase int) []poly.Formula {
	iters := poly.Outs(len(f.To.st.Iters))
	if f.From.a == nil {
		iters = poly.Ins(len(f.To.st.Iters))
	}
	return b.in(f.To.st, iters, phase, affine.Var(readerT), affine.Var(readerS))
}

// element returns the subscripts of the element of a flow, over its pairs.
func (b *border) element(f flow) (index []affine.Expr) {
	if f.From.a == nil || f.To.a == nil {
		for i := range f.access().Index {
			index = append(index, poly.Out(i))
		}
		return index
	}
	iters := poly.Ins(len(f.From.st.Iters))
	for _, x := range f.From.a.Index {
		sum := b.scop.Sum(x.Affine, iters)
		if x.Mod > 0 {
			index = append(index, affine.Modulo(sum, x.Mod))
		} else {
			index = append(index, sum)
		}
	}
	return index
}

func (f flow) access() *scop.Access {
	if f.From.a != nil {
		return f.From.a
	}
	return f.To.a
}

// test reports whether pairs of f for which all rows hold exist.
func (b *border) test(f flow, rows ...poly.Formula) bool {
	in, out := b.pairs(f)
	return !b.empty(f.Pairs.Intersect(poly.NewMap(b.params, in, out, rows...)))
}

// phases calls visit for each combination of a phase of the writer and one of the reader of a flow, with what holds of them; -1: there is none.
func (b *border) phases(f flow, visit func(w, r int, rows []poly.Formula) string) string {
	count := len(b.Schedule.Phases)
	for w := range count {
		if f.From.a == nil {
			w = -1
		}
		for r := range count {
			if f.To.a == nil {
				r = -1
			}
			var rows []poly.Formula
			if w >= 0 {
				rows = append(rows, b.writer(f, w)...)
			}
			if r >= 0 {
				rows = append(rows, b.reader(f, r)...)
			}
			if bad := visit(w, r, rows); bad != "" || r < 0 {
				if bad != "" {
					return bad
				}
				break
			}
		}
		if w < 0 {
			break
		}
	}
	return ""
}

// beside looks for values that go to tiles further away than the next.
func (b *border) beside(a Array, all []flow) string {
	W, R := affine.Var(writerS), affine.Var(readerS)
	for _, f := range all {
		bad := b.phases(f, func(w, r int, rows []poly.Formula) string {
			apart := []poly.Formula{poly.Less(W.Add(1), R), poly.Less(R.Add(1), W)}
			row := affine.Var(b.Border) // the border above the owner of the element
			switch {
			case w < 0:
				apart = []poly.Formula{poly.And(b.ownedBetween(a, f), poly.Less(row, R)), poly.And(b.ownedBetween(a, f), poly.Less(R.Add(1), row.Add(-1)))}
			case r < 0:
				apart = []poly.Formula{poly.And(b.ownedBetween(a, f), poly.Less(row, W)), poly.And(b.ownedBetween(a, f), poly.Less(W.Add(1), row.Add(-1)))}
			}
			for _, far := range apart {
				if b.test(f, append(rows, far)...) {
					return fmt.Sprintf("a value of %s goes from %s to %s, further than to the next tile", a.Array.Name, f.From.name(), f.To.name())
				}
			}
			return ""
		})
		if bad != "" {
			return bad
		}
	}
	return ""
}

// ownedBetween holds where the element of a flow belongs to the last tile below the border, or the first or last part of a tile there is.
func (b *border) ownedBetween(a Array, f flow) poly.Formula {
	x := b.element(f)[a.Dim].(affine.Sum)
	below := b.planner.below(a, x)
	lower := *b.planner
	lower.shifted = -1
	return poly.And(below, poly.Not(lower.below(a, x)))
}

func (t touch) name() string {
	if t.a == nil {
		return "memory"
	}
	return t.st.Name
}

// sent looks for values that cross the border and lie in no box.
func (b *border) sent(a Array, all []flow) string {
	type message struct{ after, way int }
	type crossing struct {
		flow
		elems poly.Set
	}
	crossings := map[message][]crossing{}
	for _, way := range []int{1, -1} {
		for _, f := range all {
			if b.Pipeline != nil && f.From.a != nil {
				continue
			}
			b.phases(f, func(w, r int, rows []poly.Formula) string {
				if elems := b.crossing(a, f, way, w, r, rows); !b.none(elems) {
					crossings[message{w, way}] = append(crossings[message{w, way}], crossing{f, elems})
				}
				return ""
			})
		}
	}
	for phase := -1; phase < len(b.After); phase++ {
		for _, way := range []int{1, -1} {
			for _, c := range crossings[message{phase, way}] {
				if !b.within(a, c.elems, phase, way) {
					return fmt.Sprintf("a value of %s that %s writes and %s reads is in no message", a.Array.Name, c.From.name(), c.To.name())
				}
			}
		}
	}
	return ""
}

// within reports whether each of elems lies in a box that is sent one way after a phase. Those of one flow are few parts: of all flows together what is left
// of them beside a box would be thousands.
func (b *border) within(a Array, elems poly.Set, phase, way int) bool {
	for _, s := range b.boxes(phase, way) {
		if s.Array != a.Array || elems.IsEmpty() {
			continue
		}
		box := b.elements(a, b.matches(a, s, outs(a.Array)))
		out := elems.Intersect(box)
		if b.none(out) {
			continue
		}
		elems = elems.Subtract(box).Union(out.Intersect(b.elements(a, b.beyond(a, s, phase < 0))))
	}
	return b.none(elems)
}

// crossing returns the elements whose values cross the border one way by a flow, from a phase w of time tile T to a phase r of any; -1: from, and to, memory. rows
// say in which tiles the instances lie.
func (b *border) crossing(a Array, f flow, way, w, r int, rows []poly.Formula) poly.Set {
	source, target := affine.Var(b.Border).Add(-1), affine.Var(b.Border)
	own := b.planner.below(a, b.element(f)[a.Dim].(affine.Sum))
	if way > 0 {
		own = poly.Not(own)
	} else {
		source, target = target, source
	}
	if w >= 0 {
		rows = append(rows, poly.Equal(affine.Var(writerS), source), poly.Equal(affine.Var(writerT), affine.Var(b.T)))
	} else {
		rows = append(rows, poly.Not(own))
	}
	if r >= 0 {
		rows = append(rows, poly.Equal(affine.Var(readerS), target))
	} else {
		rows = append(rows, own)
	}
	return b.reached(f, rows).ProjectOut(writerT, writerS, readerT, readerS)
}

// reached returns the elements whose values take a flow, where rows hold of the instances.
func (b *border) reached(f flow, rows []poly.Formula) poly.Set {
	in, out := b.pairs(f)
	pairs := f.Pairs.Intersect(poly.NewMap(b.params, in, out, rows...)).IntersectParams(b.scop.Context)
	if f.From.a != nil && f.To.a != nil {
		return pairs.Inverse().ApplyRange(f.From.a.Map).Range()
	}
	return pairs.Range()
}

// elements returns the elements of an array for which a formula holds, of outs.
func (b *border) elements(a Array, where ...poly.Formula) poly.Set {
	return poly.NewSet(b.planner.params, elements(a.Array), where...)
}

// none makes an emptiness test.
func (b *border) none(s poly.Set) bool {
	b.Tests++
	return s.IsEmpty()
}

// boxes returns what is sent one way after a phase, or before the first: -1.
func (b *border) boxes(phase, way int) []Strip {
	ex := b.Before
	if phase >= 0 {
		ex = b.After[phase]
	}
	if way > 0 {
		return ex.Up
	}
	return ex.Down
}

// initialised reports whether the sender has got, before the first phase, all rows of s that it does not own: then it sends of elements that nothing has written
// what was in memory.
func (b *border) initialised(a Array, s Strip, way int) bool {
	lo, hi := s.hull()
	before := b.Before.Down
	if way > 0 {
		lo = max(lo, 0)
	} else {
		hi, before = min(hi, -1), b.Before.Up
	}
	if lo > hi {
		return true
	}
	if len(b.histories(a)) > 0 {
		return false
	}
	for _, s := range b.eachPlane(a, s) {
		whole, err := b.whole(a, s)
		if err != nil || !slices.ContainsFunc(before, func(x Strip) bool {
			return x.Array == s.Array && x.Upper == s.Upper && whole.same(box{x.Lo, x.Hi}) && x.Since.Lo[0] <= lo && x.Since.Hi[0] >= hi
		}) {
			return false
		}
	}
	return true
}

// written reports whether all elements of s are written by the sender's tiles at the border in the phase after which they are sent; false where that is too hard to tell.
func (b *border) written(a Array, s Strip, phase int, up bool) (holds bool) {
	_ = poly.Limited(func() error {
		holds = b.allWritten(a, s, phase, up)
		return nil
	})
	return holds
}

func (b *border) allWritten(a Array, s Strip, phase int, up bool) bool {
	tile := affine.Var(b.Border)
	if up {
		tile = tile.Add(-1)
	}
	rest := b.inside(a, s).IntersectParams(b.scop.Context)
	rest = rest.Intersect(b.elements(a, poly.NotNegative(b.last.Minus(b.first)))) // else nothing runs
	for _, w := range touches(b.scop, a.Array, true) {
		if b.none(rest) {
			break
		}
		rows := b.in(w.st, poly.Ins(len(w.st.Iters)), phase, affine.Var(b.T), tile)
		rest = rest.Subtract(w.a.Map.Intersect(poly.NewMap(b.planner.params, w.st.Tuple(), elements(a.Array), rows...)).IntersectParams(b.scop.Context).Range())
	}
	return b.none(rest)
}

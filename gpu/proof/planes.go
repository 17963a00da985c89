package proof

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// This file reads tiles back that stream: a loop over the positions of the tile, in which planes are copied in, steps run, and planes are copied out. Of what lies in
// a ring it asks, besides what is asked of other tiles, whether it is there when it is used. Of each use of a buffer, rel is the plane less the position; it is the same
// at all positions. So a plane is used at rel at a later position than at a greater rel, and
//
//   - the planes in use at any position, least rel to greatest, are no more than the ring has: of elements that may lie at the same place but for the plane;
//   - what a step reads is copied in at no less rel, or written at a greater one or by an earlier step;
//   - a copy in is at no less rel than any write of the same elements: it does not undo what a step wrote;
//   - a copy out is at no greater rel than any of these writes: they have their last values.
//
// At one position copies in stand before steps, and copies out behind them; and the positions of steps are those of the schedule (astgen, emission). Where no barrier
// stands between copies in and steps, copies are of planes that are used from the next position on: then they have to be at a greater rel.

// planes reads the nodes of tiles that stream: those that no bound cuts across the stream, if they are apart, and the others.
func (r *reader) planes(nodes []gpu.Node, phase int, rows []affine.Sum) {
	if x, ok := uncut(nodes); ok {
		for _, all := range astgen.GateOf(x.Cond) {
			r.positions(x.Then, phase, true, append(rows[:len(rows):len(rows)], all...))
		}
		nodes = x.Else
	}
	r.positions(nodes, phase, false, rows)
}

// uncut returns the choice between tiles that no bound cuts across the stream and others, if nodes are that.
func uncut(nodes []gpu.Node) (x gpu.If, ok bool) {
	if len(nodes) != 1 {
		return x, false
	}
	x, ok = nodes[0].(gpu.If)
	return x, ok && x.Role.Kind == gpu.UncutTile && x.Given == "" && len(x.Else) > 0
}

// positions reads the nodes of a tile that streams.
func (r *reader) positions(nodes []gpu.Node, phase int, full bool, rows []affine.Sum) {
	last := len(nodes) - 1
	if last < 0 {
		astgen.Unreadable("no loop over planes")
	}
	if computes(nodes[:last]) {
		astgen.Unreadable("a step before the first plane")
	}
	loop, ok := nodes[last].(gpu.For)
	if !ok || len(loop.Body) == 0 {
		astgen.Unreadable("%T in place of a loop over planes", nodes[last])
	}
	if _, ok := loop.Body[len(loop.Body)-1].(gpu.Barrier); !ok {
		astgen.Unreadable("no barrier before the next plane")
	}
	b := astgen.Body{Phase: phase, Full: full, Where: rows}
	x := r.loops.Schedule.Phases[phase].Stream
	positions := astgen.Range{Var: loop.Var, Lo: loop.Lo, Hi: loop.Hi, Ordered: true}
	for _, n := range loop.Body {
		if !computes([]gpu.Node{n}) {
			continue
		}
		guard := astgen.Gate{{}}
		if y, ok := n.(gpu.If); ok && y.Given == "" && len(y.Else) == 0 && len(y.Then) == 1 {
			guard, n = astgen.GateOf(y.Cond), y.Then[0]
		}
		t, ok := n.(gpu.Threads)
		if !ok {
			astgen.Unreadable("%T around the points of a plane", n)
		}
		for _, run := range r.runs(t, guard) {
			b.Runs = append(b.Runs, r.names.AtPlane(x, run, positions))
		}
	}
	r.Bodies = append(r.Bodies, b)
}

// streams returns the order of planes of the tiles of s, nil if they run step by step.
func (s *staging) streams() *schedule.Stream { return s.schedule.Phases[s.kernel.Phase].Stream }

// position returns the position of what nodes run where rows are >= 0, over the coordinate of its plane.
func (s *staging) position(rows []affine.Sum) affine.Sum {
	at, ok := s.names.PlaneOf(s.streams(), rows)
	if !ok {
		astgen.Unreadable("a step at several planes of a position")
	}
	return at
}

// ringOf returns the dimension of a buffer along which it is a ring, -1 if it is none.
func ringOf(b *gpu.Buffer) int { return slices.Index(b.Wrap, true) }

// A ringUse is a use of a plane in a ring.
type ringUse struct {
	what  string
	index []affine.Expr // of the array
	rel   affine.Sum    // its plane, less the position
}

// relative returns the plane of an element of a ring that is used at a position, less that.
func relative(b *gpu.Buffer, index []affine.Expr, position affine.Sum) affine.Sum {
	return astgen.SumOf(index[ringOf(b)]).Minus(position)
}

// moved returns how far from the position m copies a plane of its ring.
func (s *staging) movedAt(m moved) affine.Sum {
	return relative(m.buffer().Buffer, m.array().Index, affine.Var(s.names.Plane))
}

// rings returns what is wrong with the planes that lie in rings, "" if nothing is.
func (s *staging) rings() string {
	if s.streams() == nil {
		return ""
	}
	for _, b := range s.kernel.Shared {
		if ringOf(b) < 0 {
			continue
		}
		var in, out, writes, all []ringUse
		for _, m := range s.in {
			if m.buffer().Buffer == b {
				in = append(in, ringUse{"is copied in", m.array().Index, s.movedAt(m)})
			}
		}
		for _, m := range s.out {
			if m.buffer().Buffer == b {
				out = append(out, ringUse{"is copied out", m.array().Index, s.movedAt(m)})
			}
		}
		all = slices.Concat(in, out)
		for _, at := range s.slices {
			i := s.compute(at)
			if i < 0 {
				continue
			}
			for k, acc := range at.Stmt.Accesses {
				if s.computes[i].Refs[k].Buffer != b {
					continue
				}
				index := at.Subscripts(s.scop, acc)
				d := ringOf(b)
				if y, ok := s.plane(astgen.NewFacts(at.Instances(s.names), s.names.Points), s.computes[i].Refs[k].Index[d], index[d], b.Shape[d]); ok {
					index = slices.Clone(index)
					index[d] = y
				}
				use := ringUse{acc.Text, index, relative(b, index, s.positions[i])}
				if all = append(all, use); acc.Write {
					writes = append(writes, use)
				}
			}
		}
		if why := s.ring(b, in, out, writes, all); why != "" {
			return why
		}
	}
	return ""
}

// ring returns what is wrong with the planes of one ring.
func (s *staging) ring(b *gpu.Buffer, in, out, writes, all []ringUse) string {
	n := b.Shape[ringOf(b)]
	for i, u := range all {
		s.Tests++
		if !u.rel.Parallel(all[0].rel) {
			return fmt.Sprintf("planes of %s are not at one distance from the position: %v and %v", b.Name, all[0].rel, u.rel)
		}
		for _, v := range all[:i] {
			if apart := u.rel.Const - v.rel.Const; max(apart, -apart) >= n && s.mayMeet(u.index, v.index) {
				return fmt.Sprintf("%s has %d planes, and %d are in use at a time", b.Name, n, max(apart, -apart)+1)
			}
		}
	}
	for _, w := range writes {
		for _, c := range in {
			if w.rel.Const > c.rel.Const-s.lag() && s.mayMeet(w.index, c.index) {
				return fmt.Sprintf("%s is written before %v is copied in", w.what, b.Name)
			}
		}
		for _, c := range out {
			if w.rel.Const < c.rel.Const && s.mayMeet(w.index, c.index) {
				return fmt.Sprintf("%s is written after %v is copied out", w.what, b.Name)
			}
		}
	}
	return ""
}

// mayMeet reports whether subscripts may be of a common element: none of them is a different number, or remainder, in one and the other.
func (s *staging) mayMeet(x, y []affine.Expr) bool {
	for k := range x {
		a, ok := residue(x[k])
		b, ok2 := residue(y[k])
		if d := a.Minus(b); ok && ok2 && d.IsNum() && !s.local(a) {
			if m, isMod := x[k].(affine.Mod); isMod && d.Const%m.D != 0 || !isMod && d.Const != 0 {
				return false
			}
		}
	}
	return true
}

// local reports whether x depends on the point or the position.
func (s *staging) local(x affine.Sum) bool {
	return x.Coef(s.names.Plane) != 0 || slices.ContainsFunc(s.names.Points, func(b string) bool { return x.Coef(b) != 0 })
}

// compute returns the number of the operation that runs a slice, -1 if none does.
func (s *staging) compute(at astgen.Slice) int {
	return slices.IndexFunc(s.computes, func(c gpu.Compute) bool {
		return c.Stmt == at.Stmt && affine.Same(c.Iters[0], at.Iters[0])
	})
}

// inTime returns those of copies in that have been made when operation i of the tile, which uses element index of buffer b, runs.
func (s *staging) inTime(all []moved, b *gpu.Buffer, index []affine.Expr, i int) []moved {
	if s.streams() == nil || ringOf(b) < 0 {
		return all
	}
	rel := relative(b, index, s.positions[i])
	return slices.DeleteFunc(slices.Clone(all), func(m moved) bool {
		if m.buffer().Buffer != b {
			return true
		}
		at := s.movedAt(m)
		return !at.Parallel(rel) || at.Const-s.lag() < rel.Const
	})
}

// provided reports whether, where f holds, what access k of operation i, of a slice, reads has been copied in, or where tiles stream, written by an earlier step or at an
// earlier position.
func (s *staging) provided(f astgen.Facts, at astgen.Slice, i, k int, index []affine.Expr) bool {
	acc, r := at.Stmt.Accesses[k], s.computes[i].Refs[k]
	b := r.Buffer
	ring := ringOf(b)
	if s.streams() == nil || ring < 0 {
		return s.copied(f, s.inTime(s.in, b, index, i), b, acc, index)
	}
	if y, ok := s.plane(f, r.Index[ring], index[ring], b.Shape[ring]); ok { // of a point that is a number, its place in the tile
		index = slices.Clone(index)
		index[ring] = y
	}
	from := s.inTime(s.in, b, index, i)
	rel := relative(b, index, s.positions[i])
	return s.copied(f, from, b, acc, index) || s.loadedOrWritten(f, from, b, index, func(w astgen.Slice, its affine.Sum) bool {
		return its.Parallel(rel) && (its.Const > rel.Const || its.Const == rel.Const && w.A < at.A)
	})
}

// ownOrWritten reports whether, where f holds, element index of buffer b, over local coordinates, is copied in by one of the copies, or some instance of the tile, which
// streams, writes it.
func (s *staging) ownOrWritten(f astgen.Facts, from []moved, b *gpu.Buffer, index []affine.Expr) bool {
	return s.streams() != nil && ringOf(b) >= 0 && s.loadedOrWritten(f, from, b, index, func(astgen.Slice, affine.Sum) bool { return true })
}

// loadedOrWritten reports whether, where f holds, element index of buffer b, over local coordinates, is copied in by one of the copies, or written by instances that count:
// where a copy is made unless rows hold, by the copy where they do not, and by an instance where they do.
func (s *staging) loadedOrWritten(f astgen.Facts, from []moved, b *gpu.Buffer, index []affine.Expr, counts func(w astgen.Slice, rel affine.Sum) bool) bool {
	writers := s.writersOf(b, index, counts)
	written := func(f astgen.Facts) bool {
		return slices.ContainsFunc(writers, func(o option) bool {
			return s.Implies(f, astgen.Gate{append(affine.Substituted(o.all, o.by), o.rows...)})
		})
	}
	if written(f) {
		return true
	}
	with := func(rows ...affine.Sum) astgen.Facts {
		return astgen.NewFacts(append(f.Rows[:len(f.Rows):len(f.Rows)], rows...), s.names.Points)
	}
	return slices.ContainsFunc(from, func(m moved) bool {
		if m.buffer().Buffer != b || m.unless == nil || len(m.where) != 1 {
			return false
		}
		by, rows, ok := solve(m.array().Index, index, m.vars)
		if !ok {
			return false
		}
		copied, unless := astgen.Gate{append(affine.Substituted(m.where[0], by), rows...)}, affine.Substituted(m.unless, by)
		for _, r := range unless {
			if !s.Implies(with(r.Negated()), copied) {
				return false
			}
		}
		return written(with(unless...))
	})
}

// unlessWritten collects what nodes do under a condition that one of several rows is negative, where guard is >= 0.
func (s *staging) unlessWritten(where astgen.Gate, nodes []gpu.Node, guard []affine.Sum) {
	if computes(nodes) || s.unless != nil || slices.ContainsFunc(where, func(rows []affine.Sum) bool { return len(rows) != 1 }) {
		astgen.Unreadable("a condition that steps write what is copied in")
	}
	s.unless = []affine.Sum{}
	for _, rows := range where {
		s.unless = append(s.unless, rows[0].Negated())
	}
	s.tile(nodes, guard)
	s.unless = nil
}

// writersOf returns how instances of the tile may write element index, over local coordinates, of buffer b: of those slices, with the plane that they write less the position,
// that count.
func (s *staging) writersOf(b *gpu.Buffer, index []affine.Expr, counts func(w astgen.Slice, rel affine.Sum) bool) (all []option) {
	places, names := map[string]affine.Sum{}, make([]string, len(s.names.Points))
	for p, v := range s.names.Points { // of the writer
		names[p] = v + "'"
		places[v] = affine.Var(names[p])
	}
	for _, w := range s.slices {
		i := s.compute(w)
		if i < 0 || len(w.Stmt.When) > 0 {
			continue
		}
		for k, acc := range w.Stmt.Accesses {
			if !acc.Write || s.computes[i].Refs[k].Buffer != b || w.Stmt.Conditional(acc) {
				continue
			}
			own := w.Subscripts(s.scop, acc)
			if !counts(w, relative(b, own, s.positions[i])) {
				continue
			}
			its, want := affine.SubstAll(own, places), slices.Clone(index)
			for _, r := range w.Fixed() { // which tell coordinates that its nest fixes
				its, want = append(its, r.Subst(places)), append(want, affine.Num(0))
			}
			if by, rows, ok := solve(its, want, names); ok && len(by) == len(names) {
				all = append(all, option{all: affine.Substituted(w.Instances(s.names), places), rows: rows, by: by})
			}
		}
	}
	return all
}

// lag returns how many positions after a copy in of a plane steps use it at the earliest.
func (s *staging) lag() int64 {
	if s.late {
		return 1
	}
	return 0
}

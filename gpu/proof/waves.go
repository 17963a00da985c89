package proof

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file reads tiles back whose points run wave by wave: copies in, a barrier, and a loop over waves, in which barriers stand between the points of
// statements, and behind these the stores of what they have just computed, by the threads that have.

// waves reads the nodes of a tile whose points run wave by wave, under conditions that have held on the way.
func (r *reader) waves(nodes []gpu.Node, phase int, rows, gate []affine.Sum) {
	last := len(nodes) - 1
	if last < 0 {
		astgen.Unreadable("no loop over waves")
	}
	copied := false // since the last barrier
	for _, n := range nodes[:last] {
		switch n := n.(type) {
		case gpu.Barrier:
			copied = false
			continue
		case gpu.Arrive:
			continue
		case gpu.Threads:
			if copied = true; computes([]gpu.Node{n}) {
				astgen.Unreadable("%q before waves", n.Role.String())
			}
			continue
		}
		astgen.Unreadable("%T before waves", n)
	}
	if copied {
		astgen.Unreadable("no barrier between copies and the first wave")
	}
	switch n := nodes[last].(type) {
	case gpu.If:
		if n.Given != "" || len(n.Else) > 0 || last > 0 {
			astgen.Unreadable("two ways to waves")
		}
		r.waves(n.Then, phase, rows, append(gate[:len(gate):len(gate)], astgen.GateOf(n.Cond).Rows()...))
	case gpu.For:
		r.Bodies = append(r.Bodies, astgen.Body{Phase: phase, Where: rows, Runs: r.wave(n, gate)})
	default:
		astgen.Unreadable("%T in place of a loop over waves", n)
	}
}

// wave returns what the loop over waves runs.
func (r *reader) wave(loop gpu.For, gate []affine.Sum) (runs []astgen.Run) {
	var points *gpu.Threads // since the last barrier
	for place, m := range loop.Body {
		switch m := m.(type) {
		case gpu.Barrier:
			points = nil
		case gpu.Threads:
			if !computes([]gpu.Node{m}) {
				if points == nil || !points.SameLoops(m) {
					astgen.Unreadable("%q apart from the points whose values it stores", m.Role.String())
				}
				continue
			}
			if points != nil {
				astgen.Unreadable("no barrier before %q", m.Role.String())
			}
			points = &m
			for _, run := range r.pointsOf(m, astgen.Gate{gate}, r.names.Lean, r.names.Step) {
				level := int64(r.loops.Schedule.Canonical.Levels[run.Stmt.Order])
				waves := astgen.Range{Var: loop.Var, Lo: loop.Lo, Hi: loop.Hi, Ordered: true}
				runs = append(runs, r.names.Waves(r.loops.Schedule, run, level, waves, place)...)
			}
		default:
			astgen.Unreadable("%T in a wave", m)
		}
	}
	if points != nil {
		astgen.Unreadable("no barrier between waves")
	}
	return runs
}

// A stored is a copy out in a wave, over local coordinates, at one iteration of the time loop in a tile.
type stored struct {
	gpu.Copy
	stmt  *scop.Stmt
	q     int64
	where astgen.Gate
	found bool // it is of an access
}

// store notes a copy out behind the points of a statement, which op copies where it lets pass.
func (s *staging) store(op gpu.Copy, where astgen.Gate) {
	if len(s.computes) == 0 {
		astgen.Unreadable("a store before any step")
	}
	c, last := s.schedule.Canonical, s.computes[len(s.computes)-1]
	for q := range s.schedule.Height / int64(c.K) {
		by := s.names.Leaning(s.schedule, q, int64(c.Levels[last.Stmt.Order]))
		out := stored{Copy: op, stmt: last.Stmt, q: q}
		out.From.Index, out.To.Index = affine.SubstAll(op.From.Index, by), affine.SubstAll(op.To.Index, by)
		for _, all := range where {
			if rows := affine.Substituted(all, by); !slices.ContainsFunc(rows, func(r affine.Sum) bool { return r.IsNum() && r.Const < 0 }) {
				out.where = append(out.where, rows)
			}
		}
		s.stores = append(s.stores, out)
	}
}

// storesOf returns what is wrong with the stores of an access that a step writes, whose element lies at r in a buffer and has that index: they store what the
// instance has written, and nothing else; and where they do not, another instance of the statement in the same tile and a later step writes the element.
func (s *staging) storesOf(at astgen.Slice, in astgen.Facts, r gpu.Ref, index []affine.Expr, acc *scop.Access) string {
	q := at.A / int64(s.schedule.Canonical.K)
	i := slices.IndexFunc(s.stores, func(x stored) bool {
		return x.stmt == at.Stmt && x.q == q && x.From.Buffer == r.Buffer && x.To.Array == acc.Array &&
			slices.EqualFunc(x.From.Index, r.Index, affine.Same) && slices.EqualFunc(x.To.Index, index, affine.Same)
	})
	if i < 0 {
		return acc.Text + " is not stored"
	}
	x := s.stores[i]
	s.stores[i].found = true
	for _, all := range x.where {
		here := astgen.NewFacts(all, s.names.Points)
		for _, row := range at.Instances(s.names) {
			if !s.Implies(here, astgen.Gate{{row}}) {
				return acc.Text + " is stored where it is not computed"
			}
		}
	}
	where := slices.Clone(x.where)
	places, names := map[string]affine.Sum{}, make([]string, len(s.names.Points))
	for p, b := range s.names.Points { // of the later instance
		names[p] = b + "'"
		places[b] = affine.Var(names[p])
	}
	for _, later := range s.slices {
		if later.Stmt != at.Stmt || later.A <= at.A {
			continue
		}
		for _, again := range later.Stmt.Accesses {
			if again.Write && again.Array == acc.Array { // a condition leaves what the buffer had, and that is stored
				its, own := later.Subscripts(s.scop, again), slices.Clone(index)
				for _, r := range later.Fixed() { // which tell coordinates that its nest fixes
					its, own = append(its, r), append(own, affine.Num(0))
				}
				if by, rows, ok := solve(affine.SubstAll(its, places), own, names); ok && len(by) == len(names) {
					where = append(where, append(affine.Substituted(affine.Substituted(later.Instances(s.names), places), by), rows...))
				}
			}
		}
		break // the next one: by induction it is stored, or written again
	}
	for i, all := range where { // few are open, most of which differ from one way to another
		where[i] = slices.DeleteFunc(slices.Clone(all), func(row affine.Sum) bool { return s.Implies(in, astgen.Gate{{row}}) })
	}
	if !s.Implies(in, where) {
		return acc.Text + " is not stored after the last step that writes it"
	}
	return ""
}

// has reports whether a tile has a step of the statement at the iteration of a store: rows of others have no instance.
func (s *staging) has(x stored) bool {
	return slices.ContainsFunc(s.slices, func(at astgen.Slice) bool { return at.Stmt == x.stmt && at.A/int64(s.schedule.Canonical.K) == x.q })
}

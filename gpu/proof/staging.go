package proof

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file proves for all sizes that partial tiles, and all that run in waves (waves.go), stage what they use. An instance means
// an element of an array; the kernel has it in a buffer. It is asked
//
//   - that each reference to a buffer is the element that the instance means, as the
//     buffer's origin says, and lies inside of the buffer;
//   - that each copy joins the same element in the array and in the buffer, of an array that has it;
//   - that what an instance reads is copied in before the first step, but for temporaries, which the tile has written by then (schedule.Temporaries);
//   - that what is copied out after the last step is what instances of the tile wrote that it owns: all of that, and nothing else.
//
// Together with the order of steps, each read finds what was there before the tile, or what an
// earlier step wrote. Barriers of partial tiles are like those of full ones, which are proved
// elsewhere, and are tested at samples of sizes.

// Staging proves that partial tiles of p, which was made of loops, stage what they use.
func Staging(p *gpu.Program, loops *astgen.Program) schedule.Proof {
	claim, what := "partial tiles copy in what they read and copy out what they write, no more", "partial tiles"
	if loops.Schedule.Fronts != nil {
		claim, what = "tiles copy in what they read, and store what they write after the last step that does", "tiles"
	}
	return schedule.Prove("staging", claim, func(proof *schedule.Prover) {
		proof.Unit = "implication"
		for i, v := range p.Versions() {
			version := ""
			if i > 0 {
				version = fmt.Sprintf("version %d, ", i+1)
			}
			for _, k := range v.Kernels {
				ask := func(what string, nodes []gpu.Node, rows []affine.Sum) bool {
					s := staging{Asker: astgen.NewAsker(proof, loops.Schedule), scop: p.Scop, schedule: loops.Schedule, names: loops.Names, kernel: k, block: rows,
						slices: astgen.Slices(loops.Schedule, loops.Names, k.Phase), likely: map[*scop.Access]int{}}
					_, err := astgen.Read(func() astgen.Reading {
						s.tile(nodes, rows)
						return astgen.Reading{}
					})
					question := fmt.Sprintf("%sphase %d: %s", version, k.Phase, what)
					if err != nil {
						proof.GiveUp(question, err.Error())
						return false
					}
					proof.Ask(question, s.violation)
					return true
				}
				nodes := k.Body
				if x, ok := uncut(nodes); ok {
					for _, all := range astgen.GateOf(x.Cond) {
						if !ask("tiles that no bound cuts across the stream", x.Then, slices.Concat(inBlock(p, k), all)) {
							return
						}
					}
					nodes = x.Else
				}
				if !ask(what, nodes, inBlock(p, k)) {
					return
				}
			}
		}
	})
}

// A staging is what partial tiles of a kernel copy and compute.
type staging struct {
	astgen.Asker
	scop     *scop.Program
	schedule *schedule.Schedule
	names    astgen.Names
	kernel   *gpu.Kernel
	block    []affine.Sum // rows that hold in all of its blocks that are asked about
	slices   []astgen.Slice
	in, out  []moved
	stores   []stored // in waves
	computes []gpu.Compute
	// positions are those of computes, over the coordinate of the plane, where the tile streams.
	positions []affine.Sum
	unless    []affine.Sum         // of the copies that are looked at
	begun     bool                 // there are copies in since the last barrier
	late      bool                 // and then a step: what they copy is there at the next position
	likely    map[*scop.Access]int // see copied
}

// A moved is a copy, for each value of the variables for which one alternative of where holds.
type moved struct {
	gpu.Copy
	vars  []string
	where astgen.Gate
	// unless are rows, if any: where all of them are >= 0, too, nothing is copied.
	unless []affine.Sum
}

// buffer returns the end of m in shared memory.
func (m moved) buffer() gpu.Ref {
	if m.To.Buffer != nil {
		return m.To
	}
	return m.From
}

// array returns the end of m in global memory.
func (m moved) array() gpu.Ref {
	if m.To.Buffer != nil {
		return m.From
	}
	return m.To
}

// tile collects what nodes do where guard is >= 0, less what is for full tiles.
func (s *staging) tile(nodes []gpu.Node, guard []affine.Sum) {
	for _, n := range nodes {
		switch n := n.(type) {
		case gpu.For:
			s.tile(n.Body, astgen.Inside(guard, n.Var, n.Lo, n.Hi))
		case gpu.If:
			if n.Role.Kind == gpu.FullTile {
				s.tile(n.Else, guard)
				continue
			}
			if len(n.Else) > 0 {
				astgen.Unreadable("two branches in a partial tile")
			}
			where := astgen.GateOf(n.Cond)
			if s.streams() != nil && n.Role.Kind == gpu.UnlessWritten {
				s.unlessWritten(where, n.Then, guard)
				continue
			}
			s.tile(n.Then, append(guard[:len(guard):len(guard)], where.Rows()...))
		case gpu.Barrier:
			s.begun = false
		case gpu.Threads:
			s.threads(n, guard)
		}
	}
}

func (s *staging) threads(n gpu.Threads, guard []affine.Sum) {
	if s.schedule.Fronts != nil { // the front is that of the tile
		guard = affine.Substituted(guard, map[string]affine.Sum{s.names.Front: s.names.FrontOf(s.schedule)})
	}
	where := astgen.Gate{guard}
	var vars []string
	if s.streams() != nil {
		vars = append(vars, s.names.Plane)
	}
	for _, l := range n.Loops {
		if count, ok := l.Values(); ok && count == 1 && !n.Mentions(l.Var) {
			continue // one thread of an axis
		}
		vars = append(vars, l.Var)
		where = where.And(astgen.AtLeast(affine.Var(l.Var), l.Lo)).And(astgen.AtMost(affine.Var(l.Var), l.Hi))
	}
	if n.Guard != nil {
		where = where.And(astgen.GateOf(n.Guard))
	}
	for _, op := range n.Body {
		switch op := op.(type) {
		case gpu.Copy:
			m := moved{op, vars, where, s.unless}
			if op.To.Buffer == nil && s.schedule.Fronts != nil {
				s.store(op, where)
			} else if op.To.Buffer != nil {
				if s.in, s.begun = append(s.in, m), true; len(s.computes) > 0 {
					astgen.Unreadable("%q after a step", n.Role.String())
				}
			} else {
				s.out = append(s.out, m)
			}
		case gpu.Compute:
			s.computes = append(s.computes, s.inSteps(op)...)
			if s.streams() != nil {
				s.late = s.late || s.begun
				s.positions = append(s.positions, s.position(where.Rows()))
			}
			if len(s.out) > 0 {
				astgen.Unreadable("%q after a copy out", n.Role.String())
			}
		default:
			astgen.Unreadable("%T in a partial tile", op)
		}
	}
}

// inSteps returns op over local coordinates, by iteration of the time loop in a tile where points run in waves.
func (s *staging) inSteps(op gpu.Compute) (all []gpu.Compute) {
	if s.schedule.Fronts == nil {
		return []gpu.Compute{op}
	}
	c := s.schedule.Canonical
	for q := range s.schedule.Height / int64(c.K) {
		by := s.names.Leaning(s.schedule, q, int64(c.Levels[op.Stmt.Order]))
		at := gpu.Compute{Stmt: op.Stmt, Iters: affine.SubstAll(op.Iters, by)}
		for _, r := range op.Refs {
			r.Index = affine.SubstAll(r.Index, by)
			at.Refs = append(at.Refs, r)
		}
		all = append(all, at)
	}
	return all
}

// violation returns what is wrong, "" if nothing is.
func (s *staging) violation() string {
	for i, m := range append(s.in[:len(s.in):len(s.in)], s.out...) {
		if why := s.version(m, i < len(s.in)); why != "" {
			return why
		}
		if m.To.Buffer != nil && m.From.Buffer != nil {
			return "a move inside of a buffer"
		}
		if why := s.standsFor(m.buffer(), m.array().Index, astgen.Facts{}); why != "" {
			return "a copy: " + why
		}
		for _, all := range m.where {
			if why := s.exists(m, astgen.NewFacts(all, m.vars)); why != "" {
				return why
			}
		}
	}
	for _, at := range s.slices {
		if why := s.step(at); why != "" {
			return fmt.Sprintf("%s in step %d: %s", at.Stmt.Name, at.A, why)
		}
	}
	if why := s.rings(); why != "" {
		return why
	}
	for _, x := range s.stores {
		if !x.found && len(x.where) > 0 && s.has(x) {
			return fmt.Sprintf("%v is stored, which no access of %s in iteration %d of a tile writes", x.To, x.stmt.Name, x.q)
		}
	}
	for _, v := range s.schedule.Versions {
		if why := s.handsOn(v); why != "" {
			return why
		}
	}
	for _, m := range s.out {
		written := s.written(m)
		for _, all := range m.where {
			if !s.Implies(astgen.NewFacts(all, m.vars), written) {
				return fmt.Sprintf("%v is copied out where no instance of the tile wrote it", m.array())
			}
		}
	}
	return ""
}

// standsFor returns why r, in a buffer, is not the element index of its array where f holds.
func (s *staging) standsFor(r gpu.Ref, index []affine.Expr, f astgen.Facts) string {
	b := r.Buffer
	for k, e := range r.Index {
		want := index[k]
		switch {
		case b.Wrap[k]:
			if _, ok := s.plane(f, e, want, b.Shape[k]); !ok {
				return fmt.Sprintf("%v is not %v modulo %d", e, want, b.Shape[k])
			}
			continue
		case b.Mod[k] > 0:
			origin, ok := residue(b.Origin[k])
			local, ok2 := e.(affine.Sum)
			whole, ok3 := residue(want)
			if !ok || !ok2 || !ok3 || !affine.Same(affine.Modulo(origin.Plus(local), b.Mod[k]), affine.Modulo(whole, b.Mod[k])) {
				return fmt.Sprintf("%v from %v is not %v modulo %d", e, b.Origin[k], want, b.Mod[k])
			}
		default:
			origin, ok := b.Origin[k].(affine.Sum)
			local, ok2 := e.(affine.Sum)
			whole, ok3 := want.(affine.Sum)
			if !ok || !ok2 || !ok3 || !s.equal(f, origin.Plus(local), whole) {
				return fmt.Sprintf("%v from %v is not %v", e, b.Origin[k], want)
			}
		}
	}
	return ""
}

// plane returns a sum that is want wherever f holds, and that e is modulo n; ok is false if none is found. Mostly it is want. Where a nest has one place along a dimension, as
// one has that sets a border, the subscript is a number, and what e is modulo n follows from the place, which is that number then.
func (s *staging) plane(f astgen.Facts, e, want affine.Expr, n int64) (y affine.Sum, ok bool) {
	x, ok := want.(affine.Sum)
	if !ok {
		return y, false
	}
	if affine.Same(e, affine.Modulo(x, n)) {
		return x, true
	}
	local, ok := residue(e)
	if !ok {
		return y, false
	}
	for p, d := range s.schedule.Phases[s.kernel.Phase].Space {
		place := affine.Var(s.names.Tiles[p]).Times(d.Stride).Plus(affine.Var(s.names.T).Times(d.Drift)).Plus(affine.Var(s.names.Points[p])).Add(d.Offset)
		above := affine.Remainder(local.Const-place.Const, n)
		for _, c := range []int64{above, above - n} {
			if y := place.Add(c); affine.Same(affine.Modulo(local, n), affine.Modulo(y, n)) && s.equal(f, y, x) {
				return y, true
			}
		}
	}
	return y, false
}

// equal reports whether x and y are equal wherever f holds.
func (s *staging) equal(f astgen.Facts, x, y affine.Sum) bool {
	d := x.Minus(y)
	return d.IsNum() && d.Const == 0 || !d.IsNum() && s.Implies(f, astgen.Gate{{d, d.Times(-1)}})
}

// residue returns the sum that e is, or is a remainder of.
func residue(e affine.Expr) (affine.Sum, bool) {
	if m, ok := e.(affine.Mod); ok {
		e = m.X
	}
	x, ok := e.(affine.Sum)
	return x, ok
}

// exists returns why the element of m need not exist where f holds.
func (s *staging) exists(m moved, f astgen.Facts) string {
	array, b := m.array(), m.buffer()
	for k, e := range array.Index {
		extent := s.scop.Sum(array.Array.Extents[k], nil)
		inside := []affine.Sum{}
		if x, ok := e.(affine.Sum); ok {
			inside = append(inside, x, extent.Add(-1).Minus(x))
		} else if mod, ok := e.(affine.Mod); ok {
			inside = append(inside, extent.Add(-mod.D))
		} else {
			return fmt.Sprintf("%v: a subscript %v", array, e)
		}
		if local, ok := b.Index[k].(affine.Sum); ok {
			inside = append(inside, local, affine.Num(b.Buffer.Shape[k]-1).Minus(local))
		}
		for _, r := range inside {
			if !s.Implies(f, astgen.Gate{{r}}) {
				return fmt.Sprintf("%v is copied where not %v >= 0", array, r)
			}
		}
	}
	return ""
}

// step returns what is wrong with the elements that the instances of a step use.
func (s *staging) step(at astgen.Slice) string {
	i := s.compute(at)
	rows, own := at.Instances(s.names), at.OwnedInstances(s.names)
	if s.schedule.Overlaps() { // tiles that own nothing do not run
		rows, own = append(rows, s.block...), append(own, s.block...)
	}
	if i < 0 {
		if s.Implies(astgen.NewFacts(rows, s.names.Points), astgen.Gate{{affine.Num(-1)}}) {
			return "" // there is no such instance
		}
		return "no operation" // the proof of emission says whether that is well
	}
	in, owned := astgen.NewFacts(rows, s.names.Points), astgen.NewFacts(own, s.names.Points)
	for k, acc := range at.Stmt.Accesses {
		r, index := s.computes[i].Refs[k], at.Subscripts(s.scop, acc)
		s.Tests++
		if r.Buffer == nil {
			if !slices.EqualFunc(r.Index, index, affine.Same) {
				return fmt.Sprintf("%v stands for %s", r, acc.Text)
			}
			continue
		}
		private := slices.Contains(s.schedule.Temporaries, acc.Array)
		if why := s.standsFor(r, index, in); why != "" {
			return fmt.Sprintf("%s: %s", acc.Text, why)
		}
		for d, e := range r.Index {
			if local, ok := e.(affine.Sum); ok && !s.Implies(in, astgen.Gate{{local, affine.Num(r.Buffer.Shape[d] - 1).Minus(local)}}) {
				return fmt.Sprintf("%s lies outside of its buffer", acc.Text)
			}
		}
		reads := !acc.Write || at.Stmt.Conditional(acc)
		if reads && !private && !s.provided(in, at, i, k, index) {
			return fmt.Sprintf("%s is not copied in", acc.Text)
		}
		if acc.Write && s.schedule.Fronts != nil {
			if why := s.storesOf(at, in, r, index, acc); why != "" {
				return why
			}
			continue
		}
		if acc.Write && !private && !s.copied(owned, s.out, r.Buffer, acc, index) {
			return fmt.Sprintf("%s is not copied out", acc.Text)
		}
	}
	return ""
}

// An option is a way in which an element may have come where it is looked for: it has if rows are >= 0, and all, with sums for variables, too.
type option struct {
	all, rows []affine.Sum
	by        map[string]affine.Sum
}

// copied reports whether, where f holds, one of the copies is of element index, over local coordinates, of the array of
// buffer b, which acc uses: most likely the one that it was when acc was asked about before.
func (s *staging) copied(f astgen.Facts, from []moved, b *gpu.Buffer, acc *scop.Access, index []affine.Expr) bool {
	var options []option
	for _, m := range from {
		if m.buffer().Buffer != b || m.unless != nil {
			continue
		}
		if by, rows, ok := solve(m.array().Index, index, m.vars); ok {
			for _, all := range m.where {
				options = append(options, option{all, rows, by})
			}
		}
	}
	holds, which := s.ImpliesAny(f, len(options), s.likely[acc], func(i int) []affine.Sum {
		return append(affine.Substituted(options[i].all, options[i].by), options[i].rows...)
	})
	if which >= 0 {
		s.likely[acc] = which
	}
	return holds
}

// written returns where the element of a copy is one that an instance writes which the tile owns.
func (s *staging) written(m moved) (g astgen.Gate) {
	if v := s.schedule.Version(m.array().Array); v != nil {
		return s.owned(*v, m)
	}
	for _, at := range s.slices {
		for _, acc := range at.Stmt.Accesses {
			if !acc.Write || acc.Array != m.array().Array || slices.Contains(s.schedule.Temporaries, acc.Array) {
				continue
			}
			by, rows, ok := solve(at.Subscripts(s.scop, acc), m.array().Index, s.names.Points)
			if !ok {
				continue
			}
			for p, b := range s.names.Points { // a coordinate that its nest fixes
				place := affine.Var(b)
				if _, found := by[b]; !found && at.Lo[p] == at.Hi[p] {
					by[b] = affine.Num(at.Lo[p])
				} else if !found {
					for _, r := range at.Fixed() {
						if c := r.Coef(b); c == 1 || c == -1 {
							by[b] = place.Minus(r.Times(c))
						}
					}
				}
			}
			g = append(g, affine.Substituted(append(at.OwnedInstances(s.names), rows...), by))
		}
	}
	return g
}

// solve returns the values of vars, over other variables, for which subscripts are equal to want where rows
// are >= 0. ok is false if that is not known.
func solve(index, want []affine.Expr, vars []string) (by map[string]affine.Sum, rows []affine.Sum, ok bool) {
	by = map[string]affine.Sum{}
	open := []int{} // subscripts of several variables that are not known yet
	for k, e := range index {
		_, isSum := e.(affine.Sum)
		if _, wantsSum := want[k].(affine.Sum); isSum && wantsSum {
			open = append(open, k)
		} else if !affine.Same(e, want[k]) {
			return nil, nil, false
		}
	}
	for found := true; found; {
		found = false
		open = slices.DeleteFunc(open, func(k int) bool {
			x := index[k].(affine.Sum).Subst(by)
			unknown := slices.DeleteFunc(slices.Clone(vars), func(v string) bool { return x.Coef(v) == 0 })
			if len(unknown) > 1 {
				return false
			}
			if len(unknown) == 1 {
				if y, ok := want[k].(affine.Sum).Minus(x.Without(unknown[0])).Over(x.Coef(unknown[0])); ok {
					by[unknown[0]], found = y, true
				}
			}
			return true
		})
	}
	if len(open) > 0 {
		return nil, nil, false
	}
	for k, e := range index {
		if x, isSum := e.(affine.Sum); isSum {
			if d := x.Subst(by).Minus(want[k].(affine.Sum)); !d.IsNum() || d.Const != 0 {
				rows = append(rows, d, d.Times(-1))
			}
		}
	}
	return by, rows, true
}

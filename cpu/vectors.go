package cpu

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/scop"
)

// This file decides which rows run in vectors that fill a cache line. Where points share elements of a row, each line of
// it is loaded once and handed on from vector to vector: elements next to those under a vector are joined from two lines.
// Compilers by themselves load them across two lines, which takes twice as long.

// vectors returns how so many rows run in vectors, nil if they do not.
func (m *maker) vectors(s *Step, size int) *Vectors {
	k := s.kinds(s.Align)
	if k == nil {
		return nil
	}
	v := &Vectors{Lanes: machine.CacheLine / int64(k.elem.Size()), Elem: k.elem, Kinds: k}
	v.Windows = m.windows(s, s.Align, k, size)
	for _, w := range v.Windows {
		if w.Center-w.Offsets[0] > v.Lanes || w.Offsets[len(w.Offsets)-1]-w.Center > v.Lanes {
			return nil
		}
	}
	for _, w := range v.Windows {
		if w.After() {
			v.limit(m.limit(s, v, w))
		}
	}
	v.Limits = append(v.Limits, affine.Var(RowEnd).Add(1-v.Lanes))
	v.Repeat = m.repeat(s.Stmt)
	v.Halves = len(s.Groups) == 1 && v.halves(s)
	return v
}

// vectorsApart returns how so many rows run in vectors whose operands are loaded by themselves, nil if they do not.
func (m *maker) vectorsApart(s *Step, size int) *Vectors {
	to := aligned(m.loops.Schedule.Canonical, s.Stmt)
	if to == nil {
		return nil
	}
	k := s.kinds(to)
	if k == nil {
		return nil
	}
	return &Vectors{Lanes: machine.CacheLine / int64(k.elem.Size()), Elem: k.elem, Kinds: k, Windows: m.windows(s, to, k, size), Apart: true, Repeat: m.repeat(s.Stmt)}
}

// fewRows is how many rows points touch at most where compilers choose how vectors run. A cache of first level keeps eight lines, in many processors,
// whose addresses differ by multiples of a page; and with more rows than there are registers for, addresses are loaded for each vector.
const fewRows = 5

// halves reports whether points touch so many rows that lines should run in halves, and all operations are those of vectors.
func (v *Vectors) halves(s *Step) bool {
	rows := len(v.Windows)
	for _, action := range s.Stmt.Actions() {
		if _, ok := action.(scop.Store); ok {
			rows++
		}
		calls := false
		scop.Visit(scop.Assigned(action), func(e scop.Expr) {
			_, call := e.(scop.Call)
			calls = calls || call
		})
		if calls {
			return false
		}
	}
	return rows > fewRows
}

// windows returns what the rows of a group read, but for what they read after they stored to its array. Lines under a vector are those of to.
func (m *maker) windows(s *Step, to *scop.Access, k *Kinds, size int) (all []Window) {
	for row := range size {
		s.Stmt.Reads(func(a *scop.Access, stored bool) {
			if stored || k.Access(a) != Varying {
				return
			}
			lead, index := m.element(s, a, row)
			i := slices.IndexFunc(all, func(w Window) bool { return w.holds(a, lead, index) })
			if i < 0 {
				i = len(all)
				all = append(all, Window{From: a, Row: row, Lead: lead, Index: index.Add(-index.Const)})
			}
			if w := &all[i]; !slices.Contains(w.Offsets, index.Const) {
				w.Offsets = append(w.Offsets, index.Const)
			}
		})
	}
	stored := to.Index[len(to.Index)-1].Const
	for i := range all {
		w := &all[i]
		slices.Sort(w.Offsets)
		w.Center = min(max(stored, w.Offsets[0]), w.Offsets[len(w.Offsets)-1])
	}
	return all
}

// holds reports whether an element, given by its leading subscripts and its last one, is of w.
func (w Window) holds(a *scop.Access, lead []affine.Expr, index affine.Sum) bool {
	return w.From.Array == a.Array && w.Index.Parallel(index) && slices.EqualFunc(w.Lead, lead, affine.Same)
}

// equal reports whether w and x are the same elements, for the same row.
func (w Window) equal(x Window) bool {
	return w.Row == x.Row && w.Index.Equal(x.Index) && w.holds(x.From, x.Lead, x.Index) && slices.Equal(w.Offsets, x.Offsets) && w.Center == x.Center
}

// Before and After report whether points read elements before those under the vector, and after them.
func (w Window) Before() bool { return w.Offsets[0] < w.Center }
func (w Window) After() bool  { return w.Offsets[len(w.Offsets)-1] > w.Center }

// element returns the subscripts of what a touches at a row of a group, over the iterators of the first row.
func (m *maker) element(s *Step, a *scop.Access, row int) (lead []affine.Expr, index affine.Sum) {
	return m.elementAt(a, s.At(row))
}

// elementAt returns the subscripts of what a touches where iterators are these.
func (m *maker) elementAt(a *scop.Access, iters []affine.Sum) (lead []affine.Expr, index affine.Sum) {
	for _, x := range a.Index[:len(a.Index)-1] {
		lead = append(lead, subscript(m.loops.Schedule.Canonical.Scop, x, iters))
	}
	return lead, m.loops.Schedule.Canonical.Scop.Sum(a.Index[len(a.Index)-1].Affine, iters)
}

// subscript returns x with these iterators.
func subscript(p *scop.Program, x scop.Index, iters []affine.Sum) affine.Expr {
	if sum := p.Sum(x.Affine, iters); x.Mod == 0 {
		return sum
	} else {
		return affine.Modulo(sum, x.Mod)
	}
}

// limit returns what the first place of a vector may be at most, for w: the line after that of the vector must lie in the
// row, or where what there is of the last row is not known, be read by points of the row.
func (m *maker) limit(s *Step, v *Vectors, w Window) affine.Sum {
	a := w.From.Array
	if a.Last != nil {
		most := w.Offsets[len(w.Offsets)-1] - w.Center
		return affine.Var(RowEnd).Add(most + 1 - 2*v.Lanes)
	}
	rest := w.Index.Subst(s.Along()).Without(s.Loops[len(s.Loops)-1].Var)
	return m.loops.Schedule.Canonical.Scop.Sum(a.Extents[len(a.Extents)-1], nil).Minus(rest).Add(-w.Center - 2*v.Lanes)
}

// limit adds a limit; of those that differ by a constant the least stays.
func (v *Vectors) limit(limit affine.Sum) {
	for i, other := range v.Limits {
		if other.Parallel(limit) {
			v.Limits[i].Const = min(other.Const, limit.Const)
			return
		}
	}
	v.Limits = append(v.Limits, limit)
}

// Window returns the window that the points of a row of a group read a from, and the offset there; -1: none, it is loaded by itself.
func (v *Vectors) Window(p *Program, s *Step, a *scop.Access, row int) (i int, offset int64) {
	m := maker{loops: &astgen.Program{Schedule: p.Schedule}}
	lead, index := m.element(s, a, row)
	return slices.IndexFunc(v.Windows, func(w Window) bool { return w.holds(a, lead, index) }), index.Const
}

// Depth returns the innermost loop of s whose variable e has, -1 if none.
func (s *Step) Depth(e affine.Expr) int {
	d := -1
	affine.Vars(e, func(name string) {
		d = max(d, slices.IndexFunc(s.Loops, func(l astgen.Loop) bool { return l.Var == name }))
	})
	return d
}

// At returns the iterators at the row that many after the first of a group, over those of the first. In an Ordered step that row is
// as many places behind.
func (s *Step) At(row int) []affine.Sum {
	iters := make([]affine.Sum, len(s.Stmt.Iters))
	for i, name := range s.Stmt.Iters {
		iters[i] = affine.Var(name)
		if row > 0 {
			over := s.Loops[len(s.Loops)-2].Var
			iters[i] = iters[i].Add(s.Iters[i].(affine.Sum).Coef(over) * int64(row))
			if s.Ordered {
				iters[i] = iters[i].Add(-s.Iters[i].(affine.Sum).Coef(s.Loops[len(s.Loops)-1].Var) * int64(row))
			}
		}
	}
	return iters
}

// Along returns the iterator that runs along rows in terms of the variables of loops.
func (s *Step) Along() map[string]affine.Sum {
	values := map[string]affine.Sum{}
	for i, name := range s.Stmt.Iters {
		if s.Depth(s.Iters[i]) == len(s.Loops)-1 {
			values[name] = s.Iters[i].(affine.Sum)
		}
	}
	return values
}

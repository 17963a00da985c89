package ranks

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file says on which side of a border instances and elements are, and finds the elements whose values cross it.

// below returns that the owner of an element with this subscript is a rank below the border.
func (p *planner) below(a Array, x affine.Sum) poly.Formula {
	first := p.First(a).Add(p.shifted * p.Width() * a.Unit)
	low := poly.Less(x, first)
	if !a.Ring {
		return low
	}
	return poly.Or(poly.And(p.lower(a, x), low), poly.And(poly.Not(p.lower(a, x)), poly.Less(a.Sum.Minus(x), first)))
}

// lower returns that the element lies in the lower half of a ring.
func (p *planner) lower(a Array, x affine.Sum) poly.Formula { return poly.Less(x.Times(2), a.Sum) }

// place returns [tau, s0] of an instance of st with these iterators, placeAlong [tau, s_d].
func (p *planner) place(st *scop.Stmt, iters []affine.Sum) (tau, s0 affine.Sum) {
	return p.placeAlong(st, iters, 0)
}

func (p *planner) placeAlong(st *scop.Stmt, iters []affine.Sum, d int) (tau, s affine.Sum) {
	c := p.Schedule.Canonical
	at := c.Places[st.Order][d]
	s = p.scop.Sum(at.Shift, nil)
	if at.Iter >= 0 {
		s = s.Plus(iters[at.Iter].Times(at.Sign()))
	}
	for q, n := range c.Skew(d) {
		if n != 0 {
			_, before := p.placeAlong(st, iters, q)
			s = s.Plus(before.Times(n))
		}
	}
	return iters[0].Times(int64(c.K)).Add(int64(c.Levels[st.Order])), s
}

// in returns that an instance of st lies in tile S0 of a phase of time tile T.
func (p *planner) in(st *scop.Stmt, iters []affine.Sum, phase int, T, S0 affine.Sum) []poly.Formula {
	s, ph := p.Schedule, p.Schedule.Phases[phase]
	tau, s0 := p.place(st, iters)
	a := tau.Add(ph.TimeShift).Minus(T.Times(s.Height))
	d := ph.Space[0]
	b := s0.Minus(S0.Times(d.Stride)).Minus(T.Times(d.Drift)).Add(-d.Offset)
	rows := []poly.Formula{poly.NotNegative(a), poly.Less(a, affine.Num(s.Height))}
	for _, side := range d.Sides {
		rows = append(rows, poly.NotNegative(a.Times(side.A).Plus(b.Times(side.B)).Add(side.C)))
	}
	return rows
}

// crossings calls add for what f sends across the border, with the phase that it is sent after, and 1 for up, -1 for down.
func (p *planner) crossings(f flow, a Array, add func(phase, way int, set poly.Set)) {
	T, B := affine.Var(p.T), affine.Var(p.Border)
	for _, way := range []int{1, -1} {
		own := p.below(a, poly.Out(a.Dim)) // where Out is an element: the receiver is its owner
		if way > 0 {
			own = poly.Not(own)
		}
		source, target := B.Add(-1), B
		if way < 0 {
			source, target = B, B.Add(-1)
		}
		switch {
		case f.From.a == nil:
			for phase := range p.Schedule.Phases {
				rows := append(p.in(f.To.st, poly.Ins(len(f.To.st.Iters)), phase, T, target), poly.Not(own))
				m := f.Pairs.Intersect(poly.NewMap(p.params, f.To.st.Tuple(), elements(f.To.a.Array), rows...))
				add(-1, way, m.Range().ProjectOut(p.T))
			}
		case f.To.a == nil:
			for phase := range p.Schedule.Phases {
				rows := append(p.in(f.From.st, poly.Ins(len(f.From.st.Iters)), phase, T, source), own)
				m := f.Pairs.Intersect(poly.NewMap(p.params, f.From.st.Tuple(), elements(f.From.a.Array), rows...))
				add(phase, way, m.Range())
			}
		default:
			for phase := range p.Schedule.Phases {
				from := p.in(f.From.st, poly.Ins(len(f.From.st.Iters)), phase, T, source)
				m := f.Pairs.Intersect(poly.NewMap(p.params, f.From.st.Tuple(), f.To.st.Tuple(), from...))
				if m.IsEmpty() {
					continue
				}
				for later := range p.Schedule.Phases {
					for _, at := range p.later() {
						to := p.in(f.To.st, poly.Outs(len(f.To.st.Iters)), later, at, target)
						n := m.Intersect(poly.NewMap(append(slices.Clone(p.params), readerT), f.From.st.Tuple(), f.To.st.Tuple(), to...))
						if n.IsEmpty() {
							continue
						}
						add(phase, way, n.Inverse().ApplyRange(f.From.a.Map).Range().ProjectOut(readerT))
					}
				}
			}
		}
	}
}

func elements(a *scop.Array) poly.Tuple {
	return poly.Tuple{Name: a.Name, Dims: poly.Dims(len(a.Extents))}
}

package frontend

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file reads regions once more in another way where what was made of them can be better: see loops_dense.go and nests_colour.go.

// better returns m, read as v says, or what r becomes by loops in steps of 1, or by nests that are taken apart, where that helps.
func (m made) better(v variant) made {
	if dense := m.orDense(v); dense.p != m.p {
		return dense
	}
	return m.orColours(v)
}

// orDense returns m, or, where loops in steps stand beside others, what r becomes if all
// run in steps of 1, if that is sound.
func (m made) orDense(v variant) made {
	if m.p == nil || len(m.counts) == 0 || !hasDense(m.p) && !inTurns(m.p) {
		return m
	}
	v.dense = true
	dense := v.read(m.f, m.u, m.r, m.o)
	if dense.p == nil || hasDense(dense.p) || dense.guessed || conflicts(dense.p) {
		return m
	}
	return dense
}

// orColours returns m, read as v says, or, where a nest's iterations wait for each other in a time step though the body tests remainders, what r becomes if such nests
// are taken apart by those tests, if none waits then.
func (m made) orColours(v variant) made {
	if m.p == nil || !m.mayFallIntoColours() {
		return m
	}
	v.colours = true
	apart := v.read(m.f, m.u, m.r, m.o)
	if apart.p == nil || apart.guessed && !m.guessed || conflicts(apart.p) {
		return m
	}
	return apart
}

// mayFallIntoColours reports whether a nest of m has iterations that wait for each other in a time step, and that do something wherever they are, though the
// region tests remainders.
func (m made) mayFallIntoColours() bool {
	if !slices.ContainsFunc(m.stmts, func(s stmt) bool {
		return contains(s, holdsRemainder) && contains(s, func(s stmt) bool { x, ok := s.(ifStmt); return ok && !readsElement(x.cond) })
	}) {
		return false
	}
	waits := false
	err := poly.Limited(func() error {
		waits = slices.ContainsFunc(m.p.Stmts, func(s *scop.Stmt) bool { return len(s.When) == 0 && meetsItself(m.p, s) })
		return nil
	})
	return waits && err == nil
}

// hasDense reports whether p, whose loops in steps count their iterations, uses one
// dimension of an array that it writes with different factors.
func hasDense(p *scop.Program) bool {
	type dim struct {
		array *scop.Array
		dim   int
	}
	factors := map[dim]int64{}
	for _, s := range p.Stmts {
		for _, x := range s.Accesses {
			for k, i := range x.Index {
				for at, c := range i.Iters {
					if at == 0 || c == 0 || i.Mod > 0 || x.Array.Const {
						continue
					}
					key := dim{x.Array, k}
					if f := factors[key]; f != 0 && f != max(c, -c) {
						return true
					}
					factors[key] = max(c, -c)
				}
			}
		}
	}
	return false
}

// inTurns reports whether p, whose loops in steps count their iterations, uses elements of a dimension of an array that it writes
// in turns, such as even and odd ones.
func inTurns(p *scop.Program) bool {
	type dim struct {
		array  *scop.Array
		dim    int
		factor int64
	}
	rests := map[dim]int64{}
	for _, s := range p.Stmts {
		for _, x := range s.Accesses {
			for k, i := range x.Index {
				for at, c := range i.Iters {
					if c = max(c, -c); at == 0 || c < 2 || i.Mod > 0 || x.Array.Const {
						continue
					}
					key, rest := dim{x.Array, k, c}, affine.Remainder(i.Const, c)
					if r, seen := rests[key]; seen && r != rest {
						return true
					}
					rests[key] = rest
				}
			}
		}
	}
	return false
}

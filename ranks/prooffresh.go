package ranks

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// This file proves that no message overwrites a value that its receiver has from elsewhere, and reads later.

// fresh looks for elements in a box whose values the receiver has not from the sender, and reads later.
func (b *border) fresh(a Array, all []flow) string {
	for phase := range b.After {
		for _, way := range []int{1, -1} {
			strips := slices.DeleteFunc(slices.Clone(b.boxes(phase, way)), func(s Strip) bool { return s.Array != a.Array })
			if len(strips) == 0 {
				continue
			}
			boxes := make([]poly.Set, len(strips))
			for i, s := range strips {
				boxes[i] = b.inside(a, s)
				if !b.initialised(a, s, way) && !b.written(a, s, phase, way > 0) {
					return fmt.Sprintf("a message after phase %d has elements of %s that the sender neither has got nor written", phase, a.Array.Name)
				}
			}
			for _, f := range all {
				bad := b.phases(f, func(w, r int, rows []poly.Formula) string {
					kept := b.kept(a, f, phase, way, w, r, append(rows, b.near(a, strips, b.element(f)[a.Dim].(affine.Sum))))
					for i, s := range strips {
						if w < 0 && b.initialised(a, s, way) {
							continue
						}
						if !b.none(kept.Intersect(boxes[i])) {
							return fmt.Sprintf("a message after phase %d overwrites a value of %s that %s writes and %s reads", phase, a.Array.Name, f.From.name(), f.To.name())
						}
					}
					return ""
				})
				if bad != "" {
					return bad
				}
			}
		}
	}
	return ""
}

// kept returns the elements whose values the receiver has before it gets a message after a phase of time tile T, not from the sender, and reads later, by a flow
// from a phase w to a phase r; -1: from, and to, memory. rows say in which tiles the instances lie, which are parameters of what is returned.
func (b *border) kept(a Array, f flow, phase, way, w, r int, rows []poly.Formula) poly.Set {
	T, B := affine.Var(b.T), affine.Var(b.Border)
	mine := func(tile string) poly.Formula { // of the receiver
		if way > 0 {
			return poly.AtMost(B, affine.Var(tile))
		}
		return poly.Less(affine.Var(tile), B)
	}
	if w >= 0 {
		last := T
		if w > phase {
			last = T.Add(-1)
		}
		rows = append(rows, mine(writerS), poly.AtMost(affine.Var(writerT), last))
	}
	if r >= 0 {
		first := T
		if r <= phase {
			first = T.Add(1)
		}
		rows = append(rows, mine(readerS), poly.AtMost(first, affine.Var(readerT)))
	} else {
		own := b.planner.below(a, b.element(f)[a.Dim].(affine.Sum))
		if way > 0 {
			own = poly.Not(own)
		}
		rows = append(rows, own)
	}
	return b.reached(f, rows)
}

// near holds of rows x as near to the border as those of strips.
func (b *border) near(a Array, strips []Strip, x affine.Sum) poly.Formula {
	lo, hi := int64(none), int64(-none)
	for _, s := range strips {
		l, h := s.hull()
		lo, hi = min(lo, l), max(hi, h)
	}
	within := func(off affine.Sum) poly.Formula {
		off = off.Minus(b.First(a))
		return poly.And(poly.AtMost(affine.Num(lo), off), poly.AtMost(off, affine.Num(hi)))
	}
	if !a.Ring {
		return within(x)
	}
	return poly.Or(poly.And(b.lower(a, x), within(x)), poly.And(poly.Not(b.lower(a, x)), within(a.Sum.Minus(x))))
}

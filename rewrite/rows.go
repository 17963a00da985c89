package rewrite

import (
	"slices"

	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file distributes nests that write several rows of arrays at a time, as those for borders do, for ranks, each of which has some of the rows:
//
//	for k { u[k][0] = 0; u[0][k] = 1; u[n-1][k] = 2 }   =>   for k { u[n-1][k] = 2 }  for k { u[k][0] = 0 }  for k { u[0][k] = 1 }
//
// in an order that leaves in each element what was left there.

// Rows returns p where each statement that writes elements with different first subscripts is several, one for each place that it writes, or for places of which one cannot be written before the other, nor behind it. It
// returns p itself where there are none. The error is a *poly.LimitError.
func Rows(p *scop.Program) (q *scop.Program, err error) {
	q = p
	err = poly.Limited(func() error {
		copied, changed := *p, false
		copied.Stmts = nil
		for _, s := range p.Stmts {
			parts := []*scop.Stmt{s}
			if severalRows(s) {
				if outputs := inOrder(s, outputsOf(s, sameElement)); len(outputs) > 1 {
					parts, changed = partsOf(s, outputs), true
				}
			}
			copied.Stmts = append(copied.Stmts, parts...)
		}
		if changed {
			copied.Uninlined, copied.Combinations = p, 0
			q = copied.Split(make([][][]scop.Affine, len(copied.Stmts)))
		}
		return nil
	})
	return q, err
}

// severalRows reports whether s writes elements with different first subscripts.
func severalRows(s *scop.Stmt) bool {
	var first *scop.Access
	return slices.ContainsFunc(s.Accesses, func(x *scop.Access) bool {
		if !x.Write || len(x.Index) == 0 {
			return false
		}
		if first == nil {
			first = x
		}
		return !schedule.SameIndex(first.Index[0], x.Index[0])
	})
}

// sameElement reports whether two accesses touch the same element in each instance.
func sameElement(x, y *scop.Access) bool {
	return x.Array == y.Array && slices.EqualFunc(x.Index, y.Index, schedule.SameIndex)
}

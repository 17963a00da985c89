package proof

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/schedule"
)

// This file asks of arrays in two versions (schedule.Version) that partial tiles load from the one that their phase reads, store to the other one, and hand
// on all elements that they own.

// version returns why m, a copy in or out, is of the wrong version of its array, "" if it is not.
func (s *staging) version(m moved, in bool) string {
	a := m.array().Array
	v := s.schedule.Version(a)
	if v == nil {
		return ""
	}
	if want := v.To(s.kernel.Phase); !in && a != want {
		return fmt.Sprintf("%v is stored in place of one of %s", m.array(), want.Name)
	}
	if want := v.From(s.kernel.Phase); in && a != want {
		return fmt.Sprintf("%v is loaded in place of one of %s", m.array(), want.Name)
	}
	return ""
}

// at returns the element of v's array that belongs to the local coordinates, in the plane of an index.
func (s *staging) at(v schedule.Version, index []affine.Expr) []affine.Expr {
	element := slices.Clone(index)
	rows := astgen.ElementRows(s.schedule, s.names, s.kernel.Phase, v)
	for k, p := range v.Space {
		if p >= 0 {
			element[k], rows = rows[0], rows[2:]
		}
	}
	return element
}

// own returns rows over local coordinates that are >= 0 where the tile owns an element of v's array that exists.
func (s *staging) own(v schedule.Version) (rows []affine.Sum) {
	for p, d := range s.schedule.Phases[s.kernel.Phase].Space {
		b := affine.Var(s.names.Points[p])
		rows = append(rows, b, affine.Num(d.Stride-1).Minus(b))
	}
	return append(rows, astgen.ElementRows(s.schedule, s.names, s.kernel.Phase, v)...)
}

// owned returns where the element of m, of v's array, is one that the tile owns.
func (s *staging) owned(v schedule.Version, m moved) astgen.Gate {
	by, rows, ok := solve(s.at(v, m.array().Index), m.array().Index, s.names.Points)
	if !ok {
		return nil
	}
	return astgen.Gate{affine.Substituted(append(s.own(v), rows...), by)}
}

// handsOn returns why an element of v's array that the tile owns is not loaded, or not stored, "" if all are: of each plane that statements use, and of all
// that time steps use in turn.
func (s *staging) handsOn(v schedule.Version) string {
	in := astgen.NewFacts(append(s.own(v), s.block...), s.names.Points)
	for _, x := range []struct {
		what string
		all  []moved
	}{{"copied in", s.in}, {"copied out", s.out}} {
		at := slices.IndexFunc(x.all, func(m moved) bool {
			w := s.schedule.Version(m.array().Array)
			return w != nil && w.Array == v.Array
		})
		if at < 0 {
			return fmt.Sprintf("nothing of %s is %s", v.Array.Name, x.what)
		}
		buffer := x.all[at].buffer().Buffer
		for _, p := range astgen.Planes(s.scop, s.slices, v) {
			s.Tests++
			if !s.copied(in, x.all, buffer, nil, s.at(v, p)) && !(x.what == "copied in" && s.ownOrWritten(in, x.all, buffer, s.at(v, p))) {
				return fmt.Sprintf("not all elements of %s that a tile owns are %s", v.Array.Name, x.what)
			}
		}
	}
	return ""
}

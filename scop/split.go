package scop

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
)

// This file takes statements apart into pieces of their domains.

// Split returns p with each statement replaced by its pieces, in order: pieces[i] are those of Stmts[i], each the
// conjunction of some rows, an instance belonging to the piece whose rows are all >= 0 there. The pieces of a statement
// are to be disjoint and to cover its domain; nil: it stays whole. All statements get new names, S0, S1, ...
func (p *Program) Split(pieces [][][]Affine) *Program {
	q := *p
	q.Stmts = nil
	for i, s := range p.Stmts {
		of := pieces[i]
		if of == nil {
			of = [][]Affine{nil}
		}
		for _, rows := range of {
			q.Stmts = append(q.Stmts, p.piece(s, rows, len(q.Stmts)))
		}
	}
	return &q
}

// Part returns the instances of s at which all rows are >= 0.
func (p *Program) Part(s *Stmt, rows ...Affine) poly.Set {
	iters := make([]affine.Sum, len(s.Iters))
	for i, name := range s.Iters {
		iters[i] = affine.Var(name)
	}
	var where []poly.Formula
	for _, r := range rows {
		where = append(where, poly.NotNegative(p.Sum(r, iters)))
	}
	return s.Domain.Intersect(poly.NewSet(p.ParamNames(), s.Tuple(), where...))
}

// piece returns the instances of s at which all rows are >= 0 as a statement of that order.
func (p *Program) piece(s *Stmt, rows []Affine, order int) *Stmt {
	out := *s
	out.Order, out.Name = order, fmt.Sprintf("S%d", order)
	out.Domain = s.Domain.RenameTuple(s.Name, out.Name)
	if len(rows) > 0 {
		out.Domain = p.Part(s, rows...).Simplify().RenameTuple(s.Name, out.Name)
	}
	out.Bounds = slices.Concat(s.Bounds, rows)
	copies := map[*Access]*Access{}
	out.Accesses = nil
	for _, a := range s.Accesses {
		b := *a
		if b.Map = a.Map.RenameIn(s.Name, out.Name); len(rows) > 0 {
			b.Map = b.Map.IntersectDomain(out.Domain).Simplify()
		}
		copies[a] = &b
		out.Accesses = append(out.Accesses, &b)
	}
	read := func(r Read) Expr {
		r.From = copies[r.From]
		return r
	}
	out.Body = nil
	for _, act := range s.Body {
		switch a := act.(type) {
		case Let:
			a.Value = WithReads(a.Value, read)
			act = a
		case Store:
			a.To, a.Value = copies[a.To], WithReads(a.Value, read)
			act = a
		default:
			panic(fmt.Sprintf("scop: unknown action %T", act))
		}
		out.Body = append(out.Body, act)
	}
	return &out
}

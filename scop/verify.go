package scop

import (
	"fmt"
	"slices"
)

// Verify checks the invariants that later stages rely on: statements store something and are in
// order, each access has a subscript for every dimension of its array, its
// domain is not of another statement's, and Const arrays are not written.
func (p *Program) Verify() error {
	if len(p.Stmts) == 0 {
		return fmt.Errorf("no statements")
	}
	for _, a := range p.Arrays {
		if err := a.verifyPlanes(); err != nil {
			return fmt.Errorf("array %s: %w", a.Name, err)
		}
		if n := len(a.First); n > 0 && n != len(a.ObjectExtents()) {
			return fmt.Errorf("array %s: %d subscripts of the first element for %d dimensions", a.Name, n, len(a.ObjectExtents()))
		}
		if n := len(a.Origin); n > 0 && n != len(a.ObjectExtents()) {
			return fmt.Errorf("array %s: %d subscripts of its origin for %d dimensions", a.Name, n, len(a.ObjectExtents()))
		}
		if n := len(a.Last); n > 0 && n != len(a.ObjectExtents()) {
			return fmt.Errorf("array %s: %d subscripts of the last element for %d dimensions", a.Name, n, len(a.ObjectExtents()))
		}
	}
	for i, s := range p.Stmts {
		if !slices.ContainsFunc(s.Body, func(a Action) bool { _, stores := a.(Store); return stores }) {
			return fmt.Errorf("%s stores nothing", s.Name)
		}
		if s.Order != i {
			return fmt.Errorf("statement %d, %s, has order %d", i, s.Name, s.Order)
		}
		if len(s.Iters) < 1 || s.Iters[0] != p.Time {
			return fmt.Errorf("%s: iterators %v do not start with %s", s.Name, s.Iters, p.Time)
		}
		for _, row := range s.Bounds {
			if len(row.Iters) > len(s.Iters) || len(row.Params) > len(p.Params) {
				return fmt.Errorf("%s: a bound has more coefficients than names", s.Name)
			}
		}
		for _, a := range s.Accesses {
			if err := p.verifyAccess(s, a); err != nil {
				return fmt.Errorf("%s: %s: %w", s.Name, a.Text, err)
			}
		}
	}
	for _, w := range p.Walls {
		if err := w.verify(p); err != nil {
			return fmt.Errorf("wall %s: %w", w.Text, err)
		}
	}
	return nil
}

func (p *Program) verifyAccess(s *Stmt, a *Access) error {
	switch {
	case len(a.Index) != len(a.Array.Extents):
		return fmt.Errorf("%d subscripts for %d dimensions", len(a.Index), len(a.Array.Extents))
	case a.Write && a.Array.Const:
		return fmt.Errorf("%s is written but marked Const", a.Array.Name)
	case !a.Map.Domain().IsSubset(s.Domain):
		return fmt.Errorf("access relation %v leaves the domain %v", a.Map, s.Domain)
	}
	for _, x := range a.Index {
		if x.Mod < 0 || len(x.Iters) > len(s.Iters) || len(x.Params) > len(p.Params) {
			return fmt.Errorf("subscript %+v does not fit", x)
		}
	}
	return nil
}

func (a *Array) verifyPlanes() error {
	r := int64(len(a.Planes))
	if r == 0 {
		if len(a.Turns) > 0 {
			return fmt.Errorf("turns without planes")
		}
		return nil
	}
	if len(a.Extents) == 0 || a.Extents[0].Const != r || slices.ContainsFunc(a.Extents[0].Params, func(c int64) bool { return c != 0 }) {
		return fmt.Errorf("%d planes for a first dimension of %+v", r, a.Extents)
	}
	return nil
}

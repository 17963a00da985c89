package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file reads regions without a time loop, such as those inside of one:
//
//	for (t = 0; t < T; t++) {
//	#pragma scop
//	  for (i = ..) ..
//	#pragma endscop
//	}
//
// They become programs with a time loop of one iteration.

// onceLoop returns a time loop of one iteration, 0, with the given name.
func onceLoop(name string) loop {
	d := new(cc.Declarator) // stands for itself only
	return loop{decl: d, name: name, typ: scop.Int, rows: []linear{variable(d), variable(d).scale(-1)}}
}

// hasNoTimeLoop reports whether the statements of r cannot be a time loop and
// what it holds: there are two loops or more, or loops beside assignments to elements.
func (r region) hasNoTimeLoop() bool {
	loops, stores := 0, 0
	for _, s := range flatten(r.stmts) {
		switch s := s.(type) {
		case forStmt:
			loops++
		case exprStmt:
			if a, ok := s.x.(assign); ok {
				if _, ok := a.x.(index); ok {
					stores++
				}
			}
		}
	}
	return loops > 1 || loops == 1 && stores > 0
}

// build returns what becomes of region r. A region whose only loop may
// be either, over time or over space, is over space if no iteration of that loop
// depends on another.
func build(f *file, u *unit, r region, o Options) made {
	v := variant{timeless: r.hasNoTimeLoop()}
	m := v.read(f, u, r, o)
	if v.timeless || m.p == nil && !onlyShape(m.errs) || m.p != nil && (rotates(m.p) || carries(m.p, 0)) {
		return m.orDense(v)
	}
	space := variant{timeless: true}
	over := space.read(f, u, r, o)
	if over.p == nil || m.p == nil && (rotates(over.p) || carries(over.p, 1)) {
		return m.orDense(v)
	}
	return over.orDense(space)
}

// onlyShape reports whether all that is wrong is how the loops stand.
func onlyShape(errs diag.List) bool {
	return !slices.ContainsFunc(errs, func(d *diag.Diagnostic) bool { return d.Severity == diag.Error && d.Code != "HX102" })
}

func rotates(p *scop.Program) bool {
	return slices.ContainsFunc(p.Arrays, func(a *scop.Array) bool { return len(a.Turns) > 0 })
}

// carries reports whether some iteration of loop k of p, 0 for the time loop,
// depends on an earlier one. If none does, all loops may run in any order, and the
// loop that stands first is one over space as well.
func carries(p *scop.Program, k int) bool {
	found := false
	err := poly.Limited(func() error {
		for _, s := range p.Stmts {
			if len(s.Iters) <= k || s.Domain.IntersectParams(p.Context).IsEmpty() {
				found = true // it has no such loop, or says nothing, which was reported
				return nil
			}
		}
		found = slices.ContainsFunc(p.Stmts, func(s *scop.Stmt) bool {
			return slices.ContainsFunc(s.Accesses, func(x *scop.Access) bool { return x.Write && carriesFrom(p, s, x, k) })
		})
		return nil
	})
	return found || err != nil
}

// carriesFrom reports whether x, a write in s, touches what other iterations of loop k touch.
func carriesFrom(p *scop.Program, s *scop.Stmt, x *scop.Access, k int) bool {
	for _, q := range p.Stmts {
		for _, y := range q.Accesses {
			if y.Array != x.Array {
				continue
			}
			both := x.Map.ApplyRange(y.Map.Inverse()).IntersectParams(p.Context)
			for _, order := range []string{"<", ">"} {
				rows := fmt.Sprintf("x%d %s y%d", k, order, k)
				if !both.Intersect(poly.MustMap(pairText(s, q, rows))).IsEmpty() {
					return true
				}
			}
		}
	}
	return false
}

func (ns *notes) remarkTimeless() {
	ns.errs = append(ns.errs, &diag.Diagnostic{Severity: diag.Remark, Code: "HX118", At: ns.r.at,
		Msg: "this region has no time loop: only space is tiled, and each nest is a launch of its own"})
}

// pairText returns the relation of the instances x of s to the instances y of q with rows.
func pairText(s, q *scop.Stmt, rows string) string {
	x, y := numbered("x", len(s.Iters)), numbered("y", len(q.Iters))
	return fmt.Sprintf("{ %s[%s] -> %s[%s] : %s }", s.Name, list(x), q.Name, list(y), rows)
}

// numbered returns n names: x0, x1, ...
func numbered(prefix string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprint(prefix, i)
	}
	return names
}

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

// build returns the program of region r, its parameters, and all that is wrong
// with it. The program is nil if that holds errors.
func build(f *file, u *unit, r region, o Options) (*scop.Program, frame, diag.List) {
	timeless := r.hasNoTimeLoop()
	p, fr, errs := newBuilder(f, u, r, o, timeless).build()
	if p == nil || timeless || slices.ContainsFunc(p.Arrays, func(a *scop.Array) bool { return len(a.Turns) > 0 }) {
		return p, fr, errs
	}
	carried := false
	if err := poly.Limited(func() error { carried = timeCarries(p); return nil }); err != nil || carried {
		return p, fr, errs
	}
	if q, other, more := newBuilder(f, u, r, o, true).build(); q != nil {
		return q, other, more
	}
	return p, fr, errs
}

// timeCarries reports whether some iteration of the time loop of p depends on an
// earlier one. If none does, all loops may run in any order, and the loop that
// stands first is one over space as well.
func timeCarries(p *scop.Program) bool {
	for _, s := range p.Stmts {
		if s.Domain.IsEmpty() {
			return true // it says nothing, and was reported
		}
		for _, x := range s.Accesses {
			if x.Write && timeCarriesFrom(p, s, x) {
				return true
			}
		}
	}
	return false
}

// timeCarriesFrom reports whether x, a write in s, touches what other iterations touch.
func timeCarriesFrom(p *scop.Program, s *scop.Stmt, x *scop.Access) bool {
	for _, q := range p.Stmts {
		for _, y := range q.Accesses {
			if y.Array != x.Array {
				continue
			}
			both := x.Map.ApplyRange(y.Map.Inverse()).IntersectParams(p.Context)
			for _, order := range []string{" < ", " > "} {
				rows := "x0" + order + "y0"
				if !both.Intersect(poly.MustMap(pairText(s, q, rows))).IsEmpty() {
					return true
				}
			}
		}
	}
	return false
}

func (b *builder) remarkTimeless() {
	b.errs = append(b.errs, &diag.Diagnostic{Severity: diag.Remark, Code: "HX118", At: b.r.at,
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

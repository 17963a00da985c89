package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// This file reads the numbers in structs that the time loop exchanges, such as a->nx after a = b: they are taken to be
// the same in all of them, which is tested before the region runs.

// hasSize reports whether d is a vector of whose size the region makes use, or what keeps it while it is exchanged.
func (sv *survey) hasSize(d *cc.Declarator) bool {
	return sv.f.cxx != nil && isPointer(d)
}

// sameStrides returns stmts in which the integers that subscripts name of objects are those of the first object, where what is exchanged are
// arrays of such, as in std::swap(u.data, v.data): which object they are of, u.ny or v.ny, then is another one in each step. That they are the same is tested, too.
func (sv *survey) sameStrides(stmts []stmt) []stmt {
	group := map[*cc.Declarator]*cc.Declarator{} // roots, by the first of those whose arrays are exchanged with theirs
	first := func(d *cc.Declarator) *cc.Declarator {
		for group[d] != nil && group[d] != d {
			d = group[d]
		}
		return d
	}
	for _, s := range stmts {
		eachStmt(s, func(s stmt) {
			ms, _ := sv.moves(s)
			for _, m := range ms {
				to, from := sv.u.members.of[m.to], sv.u.members.of[m.from]
				if m.from == nil || to.root == nil || from.root == nil || to.root == from.root || to.way != from.way {
					continue
				}
				x, y := first(to.root), first(from.root)
				if sv.u.members.compare(y, x) < 0 {
					x, y = y, x
				}
				group[x], group[y], group[to.root], group[from.root] = x, x, x, x
			}
		})
	}
	if len(group) == 0 {
		return stmts
	}
	said := map[*cc.Declarator]bool{}
	put := func(e expr) expr {
		x, ok := e.(ident)
		m := sv.u.members.of[x.decl]
		if !ok || m.root == nil || group[m.root] == nil || first(m.root) == m.root || !isCount(x.decl) || slices.ContainsFunc(stmts, func(s stmt) bool { return assigns(s, x.decl) }) {
			return e
		}
		d := sv.u.members.decl(member{first(m.root), m.way, m.field, m.like, m.at, m.kind})
		other := ident{x.where, sv.u.members.name(d), d}
		if !said[x.decl] {
			said[x.decl] = true
			sv.same = append(sv.same, [2]ident{other, x})
		}
		return other
	}
	return mapAll(stmts, func(s stmt) stmt {
		return replaced(s, func(e expr) expr {
			if x, ok := e.(index); ok {
				x.sub = mapExpr(x.sub, put)
				return x
			}
			return e
		})
	})
}

// sameMembers returns stmts with integers that are members of exchanged structs as those of the first.
func (sv *survey) sameMembers(stmts []stmt) []stmt {
	var roots, own []*cc.Declarator                // own: of the region
	group := map[*cc.Declarator][]*cc.Declarator{} // what is exchanged with one another
	note := func(d *cc.Declarator) {
		if group[d] != nil {
			return
		}
		if group[d] = []*cc.Declarator{d}; declaredWithin(block{items: stmts}, d) {
			own = append(own, d)
		} else {
			roots = append(roots, d)
		}
	}
	for _, s := range stmts {
		eachStmt(s, func(s stmt) {
			ms, _ := sv.moves(s)
			for _, m := range ms {
				if m.from == nil || !leadsToStruct(m.to) && (!sv.hasSize(m.to) && !sv.hasSize(m.from) || sv.u.members.is(m.to) || sv.u.members.is(m.from)) {
					continue
				}
				note(m.to)
				note(m.from)
				if !slices.Contains(group[m.to], m.from) {
					all := slices.Concat(group[m.to], group[m.from])
					for _, d := range all {
						group[d] = all
					}
				}
			}
		})
	}
	if len(roots) < 2 {
		return stmts
	}
	isRoot := func(d *cc.Declarator) bool { return slices.Contains(roots, d) }
	own = slices.DeleteFunc(own, func(d *cc.Declarator) bool { return !slices.ContainsFunc(group[d], isRoot) }) // a copy of its numbers
	slices.SortFunc(roots, sv.u.members.compare)
	if c := sv.r.clock; c != nil {
		for _, d := range inOrder(sv.source, c.sets) {
			if root, _ := sv.u.members.around(d, isRoot); root != nil {
				sv.errorf("HX117", sv.r.clock.where, "each of the structs has its own", "count in a variable of the function", "'%s', which counts steps, is in structs that the time loop exchanges", sv.u.members.name(d))
			}
		}
	}
	said := map[*cc.Declarator]bool{}
	put := func(e expr) expr {
		x, ok := e.(ident)
		if !ok || x.decl == nil {
			return e
		}
		root, way := sv.u.members.around(x.decl, isRoot)
		inner, _ := sv.u.members.around(x.decl, func(d *cc.Declarator) bool { return slices.Contains(own, d) })
		if t, number := storedType(x.decl.Type()); number && (root != nil && t.IsFloat() || inner != nil) {
			sv.errorf("HX117", x.where, "it may be another number in the next step", "copy it to a variable in front of the region",
				"'%s' is a number in structs that the time loop exchanges", x.name)
			return e
		}
		if root == nil || !isCount(x.decl) || slices.ContainsFunc(stmts, func(s stmt) bool { return assigns(s, x.decl) }) {
			return e
		}
		of := func(root *cc.Declarator) ident {
			d := sv.u.members.beside(root, way, x.decl)
			return ident{x.where, sv.u.members.name(d), d}
		}
		alike := slices.DeleteFunc(slices.Clone(roots), func(d *cc.Declarator) bool { return !slices.Contains(group[root], d) })
		first := of(alike[0])
		for _, root := range alike[1:] {
			if other := of(root); !said[other.decl] {
				said[other.decl] = true
				sv.same = append(sv.same, [2]ident{first, other})
			}
		}
		return first
	}
	return mapAll(stmts, func(s stmt) stmt { return replaced(s, put) })
}

package frontend

import (
	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file reads the sizes of vectors, u.size(), as members of those: a region sets none of them, and what vectors have that it exchanges is
// tested to be the same (survey_moved.go).

// cxxSizeOf is the function that stands in projections for the size of the vector that it is given.
const cxxSizeOf = "__hexcc_size"

// sizeWay is the way from a vector to its size.
const sizeWay = ".size()"

// sized returns s with members in the place of sizes of vectors.
func (u *unit) sized(s stmt) stmt {
	return replaced(s, u.size)
}

// size returns the member that e stands for, if e is the size of a vector.
func (u *unit) size(e expr) expr {
	c, ok := e.(call)
	if !ok || len(c.args) != 1 {
		return e
	}
	f, named := c.fun.(ident)
	x, isVariable := c.args[0].(ident)
	if !named || f.name != cxxSizeOf || !isVariable || x.decl == nil {
		return e
	}
	d := u.members.sizeOf(x.decl, u.numbers[scop.Ulong])
	return ident{c.where, u.members.name(d), d}
}

// sizeOf returns the member that is the size of vector d, a variable or a member; like is of its type.
func (ms *members) sizeOf(d, like *cc.Declarator) *cc.Declarator {
	m := member{root: d, way: sizeWay, like: like, kind: sizeWay}
	if of, ok := ms.of[d]; ok {
		m.root, m.way = of.root, of.way+sizeWay
	}
	return ms.decl(m)
}

// isSize reports whether d is the size of a vector.
func (ms *members) isSize(d *cc.Declarator) bool { return ms.of[d].kind == sizeWay }

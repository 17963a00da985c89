package frontend

import (
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file reads the sizes of vectors, u.size(), as members of those: a region sets none of them, and what vectors have that it exchanges is
// tested to be the same (survey_moved.go).

// cxxSizeOf is the function that stands in projections for the size of the vector that it is given.
const cxxSizeOf = "__hexcc_size"

// sizeWay is the way from a vector to its size, rowSizeWay from a vector of vectors to the size of each of those: that all have one is tested where the
// distances of rows are.
const sizeWay, rowSizeWay = ".size()", "[0].size()"

// sized returns s with members in the place of sizes of vectors.
func (u *unit) sized(s stmt) stmt {
	return replaced(s, u.size)
}

// size returns the member that e stands for, if e is the size of a vector, or of one in a vector.
func (u *unit) size(e expr) expr {
	c, ok := e.(call)
	if !ok || len(c.args) != 1 {
		return e
	}
	f, named := c.fun.(ident)
	if !named || f.name != cxxSizeOf {
		return e
	}
	of, way := c.args[0], sizeWay
	if row, ok := of.(index); ok && !hasEffect(row.sub) {
		of, way = row.base, rowSizeWay
		at, known := literal(row.sub)
		u.members.anyRow = u.members.anyRow || !known || at != 0
	}
	x, isVariable := of.(ident)
	if !isVariable || x.decl == nil {
		return e
	}
	d := u.members.sizeOf(x.decl, way, u.numbers[scop.Ulong])
	return ident{c.where, u.members.name(d), d}
}

// sizeOf returns the member that is the size of vector d, a variable or a member, or of what it holds, by way; like is of its type.
func (ms *members) sizeOf(d *cc.Declarator, way string, like *cc.Declarator) *cc.Declarator {
	m := member{root: d, way: way, like: like, kind: way}
	if of, ok := ms.of[d]; ok {
		m.root, m.way = of.root, of.way+way
	}
	return ms.decl(m)
}

// isSize reports whether d is the size of a vector, or of those that a vector holds.
func (ms *members) isSize(d *cc.Declarator) bool {
	return ms.of[d].kind == sizeWay || ms.of[d].kind == rowSizeWay
}

// rowsOf returns the text of the vector of vectors whose rows have size d; "" if d is no such size.
func (ms *members) rowsOf(d *cc.Declarator) string {
	m, ok := ms.of[d]
	if !ok || m.kind != rowSizeWay {
		return ""
	}
	return ms.name(m.root) + strings.TrimSuffix(m.way, rowSizeWay)
}

package frontend

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file reads quotients of parameters, as in A[n/2][m/2], where a source is, or i < n/2: each is a parameter more, of which
// sets know between which sums it lies.

// quotient returns the parameter that x/y is: x is a sum of parameters, which must not be negative, y a number of at least 2.
func (ar *affineReader) quotient(e binary, x, y linear, at place) (q linear, ok bool) {
	if e.op != "/" || !y.isConstant() || y.c < 2 || x.isConstant() || x.overLoops(at.loops) {
		return linear{}, false
	}
	t := intType(e)
	if t.Size() < scop.Int.Size() {
		return linear{}, false
	}
	var root *cc.Declarator
	fr := ar.frame()
	for _, d := range fr.params {
		if x.v.of(d) != 0 && root == nil {
			root = d
		}
	}
	if _, nested := ar.quotients[root]; nested || root == nil {
		return linear{}, false
	}
	d := ar.u.members.computed(root, standIn{
		name: fmt.Sprintf("%s_over_%d", ar.u.members.identifier(root), y.c),
		text: fmt.Sprintf("(%v)((%s) / %d)", t, ar.inLong(x, fr), y.c),
	})
	ar.paramOf(d, t, quotient{x, y.c})
	ar.requireTested(e, x, at, "is a quotient of numbers that are not negative")
	return variable(d), true
}

// inLong returns x, over parameters, in C, computed in a type in which it does not overflow for sizes that arrays have.
func (ar *affineReader) inLong(x linear, fr frame) string {
	var terms []string
	for _, d := range fr.params {
		if c := x.v.of(d); c != 0 {
			terms = append(terms, fmt.Sprintf("%dL * %s", c, ar.u.members.name(d)))
		}
	}
	if x.c != 0 {
		terms = append(terms, fmt.Sprintf("%dL", x.c))
	}
	return strings.Join(terms, " + ")
}

package frontend

import (
	"fmt"

	"modernc.org/cc/v4"
)

// This file reads the exchange of structs, or of pointers to them, in the time loop:
//
//	grid *tmp = a; a = b; b = tmp;
//
// What a->u leads to then rotates with a and b: such members have a cycle of their own. Numbers in the structs must be
// the same in all: see survey_moved.go.

// memberHolder returns the array that p leads to, a member of root, which the time loop exchanges with others, by way, as holder does.
func (st *storage) memberHolder(at place, p path, root *cc.Declarator, way string) (*array, *subscript) {
	x := p.root
	held := at.pointers.of(root)
	c := st.cycles[held]
	if c == nil || c.fixed || st.movedWithin(x.decl, root) || !isPointer(root) && !isPointer(x.decl) {
		st.refuse(x.decl, st.noting(func() {
			st.errorf("HX117", x.where, rotationRule, "exchange all structs in every step, with pointers to arrays in them",
				"'%s' is a member of '%s', which the time loop assigns", x.name, st.u.members.name(root))
		}))
		return nil, nil
	}
	mine := st.memberCycle(c, x.decl, way)
	plane := 0
	for k, d := range c.pointers {
		if d == held {
			x.decl, plane = mine.pointers[k], k
		}
	}
	if x.name = st.u.members.name(x.decl); !p.cast {
		p.shape = x.decl.Type()
	}
	p.root = x
	if st.arrayOfCycle(at, mine, p) == nil {
		return nil, nil
	}
	count, _, _ := st.steps()
	return mine.array, &subscript{linear: count.addc(int64(plane)), mod: int64(len(c.pointers))}
}

// memberCycle returns the cycle of the members like d, by way, of the structs of c.
func (st *storage) memberCycle(c *cycle, d *cc.Declarator, way string) *cycle {
	of := func(root *cc.Declarator) *cc.Declarator { return st.u.members.beside(root, way, d) }
	if known := st.cycles[of(c.pointers[0])]; known != nil {
		return known
	}
	made := &cycle{of: c}
	for _, root := range c.pointers {
		made.pointers = append(made.pointers, of(root))
	}
	for _, d := range made.pointers {
		st.cycles[d] = made
		st.take(fmt.Sprint(st.u.members.name(d)))
	}
	c.used = true
	return made
}

// movedWithin reports whether the time loop also exchanges what is on the way from root, which it exchanges, to member d.
func (st *storage) movedWithin(d, root *cc.Declarator) bool {
	inner, _ := st.u.members.around(d, func(o *cc.Declarator) bool { return o != root && st.isMoved(o) })
	return inner != nil
}

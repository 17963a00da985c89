package frontend

import (
	"slices"

	"modernc.org/cc/v4"
)

// This file reads pointers that the number of the time step chooses, such as
//
//	double *to = t % 2 ? a : b;
//
// The two arrays become one with two planes, like those of pointers that rotate,
// but the pointers themselves stay as they are.

const choiceRule = "allowed: a choice between two pointers by t % 2 or t & 1, where t is the variable of the time loop"

// findChoices notes the pairs of pointers that s chooses from.
func (st *storage) findChoices(s stmt) {
	eachExprIn(s, func(e expr) {
		c, ok := e.(cond)
		if !ok {
			return
		}
		if p, ok := choiceOfPointers(c); ok {
			st.pair(p.choice)
		}
	})
}

// pair notes that the pointers of c share an array.
func (st *storage) pair(c *choice) {
	yes, no := c.yes.decl, c.no.decl
	if known := st.cycles[yes]; yes == no || known != nil && known.fixed && known == st.cycles[no] {
		return
	}
	for _, x := range []ident{c.yes, c.no} {
		if st.cycles[x.decl] != nil || st.isMoved(x.decl) {
			st.errorf("HX117", c.where, choiceRule, "choose from one pair of pointers only, and leave them as they are",
				"pointer '%s' is chosen here, and exchanged or chosen from another pair elsewhere", x.name)
			return
		}
	}
	made := &cycle{pointers: []*cc.Declarator{yes, no}, fixed: true}
	if st.before(no, yes) {
		slices.Reverse(made.pointers)
	}
	st.cycles[yes], st.cycles[no] = made, made
}

// choiceOf returns the choice that p begins with at a place, nil if there is none.
func choiceOf(at place, p path) *choice {
	if p.choice != nil {
		return p.choice
	}
	return at.pointers.chosen[p.root.decl]
}

// chosenPlane returns the array of the pointers that c chooses from, which p leads to,
// and the subscript of its plane.
func (st *storage) chosenPlane(at place, p path, c *choice) (*array, *subscript) {
	s, ok := st.parity(c.test, at.outermost())
	if !ok {
		st.errorf("HX117", c.test.at(), choiceRule, "test t % 2, or write a condition around the statements",
			"'%s' chooses between pointers '%s' and '%s'", st.textOf(c.test), c.yes.name, c.no.name)
		return nil, nil
	}
	p.root, p.choice = c.yes, nil
	if !p.cast {
		p.shape = c.yes.decl.Type()
	}
	if c.yes.decl == c.no.decl {
		return st.arrayOf(at, p), nil
	}
	pair := st.cycles[c.yes.decl]
	if pair == nil || !pair.fixed || pair != st.cycles[c.no.decl] {
		if !st.errs.HasErrors() { // else it was reported when the pairs were found
			st.errorf("HX117", c.where, choiceRule, "choose in the time loop, and pass the pointer to the function",
				"function '%s' chooses between pointers '%s' and '%s'", at.function, c.yes.name, c.no.name)
		}
		return nil, nil
	}
	if a := st.arrayOfCycle(at, pair, p); a == nil {
		return nil, nil
	}
	if pair.pointers[0] == c.yes.decl {
		s.linear = s.addc(1)
	}
	return pair.array, &s
}

// parity returns the subscript modulo 2 that is 1 where e is true, if e tests that of a
// sum over the time loop.
func (st *storage) parity(e expr, at place) (subscript, bool) {
	not := func(s subscript, ok bool) (subscript, bool) { s.linear = s.addc(1); return s, ok }
	switch x := e.(type) {
	case unary:
		if x.op == "!" {
			return not(st.parity(x.x, at))
		}
	case binary:
		if x.op != "==" && x.op != "!=" {
			break
		}
		s, ok := st.remainder(x.x, at)
		v, isNumber := st.constant(x.y)
		if !ok || !isNumber || s.mod != 2 || v != 0 && v != 1 {
			return subscript{}, false
		}
		if v == 0 {
			s.left = nil // of negative numbers too
		}
		if (v == 0) == (x.op == "==") {
			return not(s, true)
		}
		return s, true
	}
	s, ok := st.remainder(e, at)
	s.left = nil // -1 is true as well
	return s, ok && s.mod == 2
}

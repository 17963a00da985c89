package frontend

import (
	"maps"
	"slices"

	"modernc.org/cc/v4"
)

// This file looks into functions of the file that expressions call, for what a nest is taken apart by (nests_wrap.go):
//
//	double laplacian(const double *a, int i, int j) { return a[((i + 1) & 127) * 128 + j] + ..; }
//
// A function is put in the place of its call when the statement is read, each time for one part of the nest.

// wrapInCall is wrapIn for the function that e calls, inside of calls; ok is false where it is none of the file, too.
func (nr *nestReader) wrapInCall(e call, at place, calls callStack) (side linear, ok bool) {
	back := nr.try()
	defer func() { back() }()
	f, named := e.fun.(ident)
	if !named {
		return linear{}, false
	}
	fd := nr.definition(f)
	if fd == nil || calls.holds(fd) {
		return linear{}, false
	}
	params := parameters(fd)
	if len(params) != len(e.args) {
		return linear{}, false // which is reported where the call is read
	}
	body := convertBlock(fd.CompoundStatement)
	at.locals = maps.Clone(at.locals)
	numbers, others := map[*cc.Declarator]expr{}, map[*cc.Declarator]expr{}
	for i, d := range params {
		t, isNumber := storedType(d.Type())
		if !isNumber {
			others[d] = e.args[i]
			continue
		}
		l := &local{name: d.Name(), typ: calculated(t), stored: t, set: true, assigned: true}
		if x, why := nr.linear(e.args[i], at); why == nil && !t.IsFloat() && !t.IsNarrow() && !assigns(body, d) {
			l.value = &x
		}
		at.locals[d], numbers[d] = l, e.args[i]
	}
	ss, _ := lowerJumps(flatten([]stmt{nr.bodyWith(fd, putting(others))}), "'return'")
	calls = calls.with(fd, e.where)
	return nr.wrapIn(nr.writeOutBody(nr.withoutStructs(ss, calls), numbers), at, calls)
}

// callsOfFile reports whether an expression in ss calls a function of the file.
func (nr *nestReader) callsOfFile(ss []stmt) bool {
	return slices.ContainsFunc(ss, func(s stmt) (found bool) {
		eachExprIn(s, func(e expr) {
			if c, isCall := e.(call); isCall && !found {
				f, named := c.fun.(ident)
				found = named && nr.definition(f) != nil
			}
		})
		return found
	})
}

package frontend

import (
	"fmt"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file is about what is passed to the functions of the file that are inlined. Numbers become variables, which hold them
// as the parameters would; the names of pointers are replaced.

const argumentRule = "allowed: parameters that are numbers or pointers, of types float, double, and signed and unsigned char, short, int and long"

// checkArgument reports an argument arg of function fd that is not what parameter d makes of it.
func (ns *notes) checkArgument(fd *cc.FunctionDefinition, d *cc.Declarator, arg expr) bool {
	t := d.Type()
	if _, isNumber := storedType(t); isNumber {
		return true
	}
	if t.Kind() == cc.Bool {
		if v, ok := literal(arg); ok && (v == 0 || v == 1) {
			return true
		}
	}
	to, isNumber := storedType(pointedTo(t))
	if elemOf(t) == nil {
		ns.errorf("HX106", arg.at(), argumentRule, "give the parameter such a type", "parameter '%s' of function '%s' is of type '%s'", d.Name(), fd.Declarator.Name(), typeName(t))
		return false
	}
	p, _, ok := pointer(arg)
	if !ok || !isNumber {
		return true // what it is used for decides
	}
	if from, ok := storedType(pointedTo(p.typ)); ok && from != to {
		ns.errorf("HX106", arg.at(), "the function would read the elements as numbers of another type", fmt.Sprintf("declare both as '%s', or both as '%s'", from, to),
			"'%s' has elements of type '%s', parameter '%s' of function '%s' of type '%s'", ns.textOf(arg), from, d.Name(), fd.Declarator.Name(), to)
		return false
	}
	return true
}

// pointedTo returns the type of the elements of a pointer or an array of any number of dimensions, t itself if it is neither.
func pointedTo(t cc.Type) cc.Type {
	for elemOf(t) != nil {
		t = elemOf(t)
	}
	return t
}

// isNamed reports whether d, in body, means the same as arg that is passed for it: a pointer, or a name or a
// number that d holds unchanged.
func isNamed(d *cc.Declarator, arg expr, body stmt) bool {
	t, isNumber := storedType(d.Type())
	return !isNumber || sameNumber(t, arg) && !assigns(body, d)
}

// sameNumber reports whether arg is a name of a variable of type t, or a number that such a variable holds.
func sameNumber(t scop.Type, arg expr) bool {
	switch arg := arg.(type) {
	case ident:
		if arg.decl == nil {
			return false
		}
		s, ok := storedType(arg.decl.Type())
		return ok && s == t
	case number:
		s, ok := numberType(arg.typ)
		if v, whole := intValue(arg.val); whole && ok && t.IsNarrow() && s == scop.Int {
			lo, hi := t.Range()
			return lo <= v && v <= hi
		}
		return ok && s == t
	}
	return false
}

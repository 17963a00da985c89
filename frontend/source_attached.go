package frontend

import (
	"fmt"

	"modernc.org/cc/v4"
)

// This file says what is attached to variables and types that is not part of the model: see syntax_attributes.go.

// attached returns what is attached to d, to its type, or to the struct that d is a member of, and is not part of the
// model. How that struct is laid out matters only where arrays lie in it: numbers are read by their names.
func (src *source) attached(d *cc.Declarator) string {
	of := src.u.attributes.of
	if m, ok := src.u.members.of[d]; ok {
		if text := of[m.declared()]; text != "" {
			return text
		}
		_, isNumber := storedType(d.Type())
		if root := of[m.root]; !isNumber || isQualifier(root) {
			return root
		}
		return ""
	}
	return of[src.u.members.arrayOf(d)]
}

// checkCast reports what is attached to the type t that a cast at w names, and is not part of the model.
func (ns *notes) checkCast(w where, name *cc.TypeName, t cc.Type) bool {
	text := ns.u.attributes.types[name]
	if text != "" {
		ns.errorf("HX106", w, attributeRule, "cast to a type without it", "cast to '%s', a type with %s", typeName(t), text)
	}
	return text == ""
}

const attributeRule = "allowed: types without attributes, qualifiers and pragmas that change values or layout"

// checkAttached reports what is attached to x and is not part of the model.
func (ns *notes) checkAttached(x ident) bool {
	text := ns.attached(x.decl)
	if text == "" {
		return true
	}
	ns.errorf("HX106", x.where, attributeRule, fmt.Sprintf("remove %s, or copy what the region needs to a variable without it before #pragma scop", text),
		"'%s' has a type with %s", x.name, text)
	return false
}

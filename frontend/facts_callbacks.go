package frontend

import (
	"fmt"
	"maps"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file has it tested that pointers which a region calls lead to functions that the file shows, and checks that the region leaves them alone: see
// syntax_callbacks.go.

// testCallbacks notes what is tested of the pointers that the region calls.
func (fs *facts) testCallbacks() {
	var changed *altered
	used := map[string]bool{}
	known := maps.Clone(fs.params)
	for d := range fs.scalars {
		known[d] = scop.Param{}
	}
	for _, d := range inOrder(fs.source, known) {
		c, ok := fs.u.callbacks[d]
		if !ok || used[c.pointer.name] {
			continue
		}
		used[c.pointer.name] = true
		if changed == nil {
			changed = fs.alteredBy(fs.r.stmts...)
		}
		if fs.changesPointer(changed, c.pointer) {
			fs.errorf("HX103", c.pointer.where, callbackRule, "call it by its name, or copy the pointer to a variable of its own in front of #pragma scop and call that", "call through pointer '%s', which this region may set", c.pointer.name)
			continue
		}
		at := fs.f.span(c.pointer.where)
		var names []string
		for _, to := range c.of {
			names = append(names, fmt.Sprintf("'%s'", to.Name()))
		}
		fs.param(ident{c.pointer.where, fs.u.members.name(c.known), c.known}, scop.Int)
		fs.rely(fact{constraint: variable(c.known).addc(-1), at: at, always: true, remark: &diag.Diagnostic{
			Severity: diag.Remark, Code: "HX103", At: at, Msg: fmt.Sprintf("'%s' is one of %s", c.pointer.name, strings.Join(names, ", ")),
		}})
	}
}

// changesPointer reports whether x, a pointer to a function, may be set by what changed says, or what leads to it.
func (fs *facts) changesPointer(changed *altered, x ident) bool {
	root := fs.u.members.rootOf(x.decl)
	if changed.named[x.decl] || changed.set[x.decl] || changed.named[root] || isPointer(root) && changed.set[root] {
		return true
	}
	if m, ok := fs.u.members.of[x.decl]; ok {
		if changed.structs {
			return true
		}
		for _, name := range strings.FieldsFunc(m.way, func(c rune) bool { return c == '.' || c == '-' || c == '>' }) {
			if changed.fields[name] {
				return true
			}
		}
	}
	bytes := false // may be part of any object
	for t := range changed.stored {
		bytes = bytes || t.Size() == 1
	}
	return (changed.pointers || bytes) && (fs.escapes(x.decl) || fs.escapes(root))
}

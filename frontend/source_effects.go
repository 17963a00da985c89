package frontend

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file looks for side effects: in statements that only set scalars, of which nothing is translated
// unless something uses the scalars, and in expressions whose value nobody uses.

// checkEffects reports the calls in s that may do more than compute a value.
func (ns *notes) checkEffects(s stmt) {
	statements := map[where]bool{}
	eachStmt(s, func(s stmt) {
		e, ok := s.(exprStmt)
		if !ok {
			return
		}
		if c, ok := e.x.(call); ok {
			statements[c.where] = true
			if f, named := c.fun.(ident); !named || ns.definition(f) == nil { // others are written out
				ns.errorf("HX103", c.where, bodyRule, "keep the call out of the region", "%s", ns.unknownCall(c))
				ns.sayUnread(ns.textOf(c.fun))
			}
		}
	})
	eachExprIn(s, func(e expr) {
		c, ok := e.(call)
		if !ok || statements[c.where] {
			return
		}
		f, named := c.fun.(ident)
		switch {
		case !named:
			ns.errorf("HX103", c.where, callRule, "write its expression here", "call of '%s'", ns.textOf(c.fun))
		case ns.definition(f) == nil:
			ns.checkFunction(c, f)
		case ns.hasEffects(ns.definition(f), map[*cc.FunctionDefinition]bool{}):
			ns.errorf("HX103", c.where, callRule, "write its expression here, or keep the call out of the region",
				"function '%s' does more than compute its value", f.name)
		}
	})
}

// hasEffects reports whether fd may set anything but its own variables, or call
// what does. seen are the functions on the way, and false those that have no effects.
func (src *source) hasEffects(fd *cc.FunctionDefinition, seen map[*cc.FunctionDefinition]bool) (found bool) {
	if inside, known := seen[fd]; known {
		return inside
	}
	seen[fd] = true
	defer func() { seen[fd] = found }()
	body := convertBlock(fd.CompoundStatement)
	eachStmt(body, func(s stmt) {
		if o, ok := s.(otherStmt); ok && o.what == "assembly" {
			found = true
		}
	})
	eachExprIn(body, func(e expr) {
		switch e := e.(type) {
		case assign:
			p, ok := lvalue(e.x)
			found = found || !ok || p.root.decl == nil || p.root.decl.StorageDuration() != cc.Automatic || !isIdent(e.x, p.root.decl) && throughPointer(p)
		case call:
			f, named := e.fun.(ident)
			if named && src.definition(f) != nil {
				found = found || src.hasEffects(src.definition(f), seen)
			} else {
				_, known := scop.Computable(f.name)
				found = found || !named || !known
			}
		case otherExpr:
			found = found || e.what != "initializer list"
		}
	})
	return found
}

func (ns *notes) checkFunction(e call, f ident) bool {
	count, known := scop.Computable(f.name)
	known = known && (isPrototype(f.decl) || !strings.HasPrefix(f.name, scop.MadeOfParts)) // in C its type follows from its arguments
	switch {
	case f.decl != nil && f.decl.Type().Kind() != cc.Function:
		ns.errorf("HX103", e.where, callRule, "write its expression here", "call through pointer '%s'", f.name)
	case known && !isPrototype(f.decl):
		ns.errorf("HX103", f.where, callRule, "#include <math.h>", "function '%s' is not declared", f.name)
	case !known && ns.f.cxx != nil && ns.f.cxx.undeduced[f.name]:
		ns.errorf("HX103", f.where, "they follow from arguments of the call whose types are not known here", fmt.Sprintf("write the arguments of the template, as in %s<double>(x)", f.name),
			"which function template '%s' is here is not known", f.name)
	case !known:
		name := strings.TrimSuffix(f.name, cxxShared)
		ns.errorf("HX103", f.where, "it may have side effects; "+callRule, "write its expression here, or make it a macro", "function '%s' is not known", name)
		ns.sayUnread(name)
	case len(e.args) != count:
		ns.errorf("HX103", e.where, fmt.Sprintf("'%s' takes %d %s", f.name, count, plural(int64(count), "argument")), "give it as many", "'%s' is called with %d %s", f.name, len(e.args), plural(int64(len(e.args)), "argument"))
	default:
		return true
	}
	return false
}

// sayUnread adds to the last error why the body of the function called name is not known, if it is there.
func (ns *notes) sayUnread(name string) {
	if why := ns.f.unreadHere(name); why != nil && len(ns.errs) > 0 {
		last := ns.errs[len(ns.errs)-1]
		last.Notes = append(last.Notes, diag.Note{At: why.At, Msg: "its body could not be read as C: " + why.Msg})
	}
}

const callRule = "allowed: functions of math.h, abs, and functions that the file defines"

const bodyRule = "allowed: assignments to array elements and to local scalars"

// unknownCall says of c, a statement, that what it does is not known.
func (src *source) unknownCall(c call) string {
	if f, ok := c.fun.(ident); ok && src.f.cxx != nil && f.name == "__hexcc_use" {
		return "what this statement does, which is no C, is not known"
	}
	return fmt.Sprintf("call of '%s' as a statement: what it does is not known", src.textOf(c.fun))
}

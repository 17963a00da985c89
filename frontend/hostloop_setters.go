package frontend

import (
	"regexp"
	"slices"

	"modernc.org/cc/v4"
)

// This file writes the bodies of functions that set scalars of others, or use those that the region sets, where a time loop calls them: what decides which array a
// step reads, and what the time is, then stands in the loop.
//
//	for (..) { diffuse(s); flip(s); }    =>    for (..) { { double *a = s->f[s->cur]; .. } { s->cur = 1 - s->cur; } }

// setters looks for such calls in ss, the statements of a block.
func (in *inliner) setters(ss []stmt) { in.settersIn(ss, true) }

// settersIn looks for such calls in ss; listed says that they are the statements of a block, and not the body of a loop or a branch.
func (in *inliner) settersIn(ss []stmt, listed bool) {
	for _, s := range ss {
		if in.failed {
			return
		}
		switch s := s.(type) {
		case block:
			in.setters(s.items)
		case forStmt:
			in.settersIn([]stmt{s.body}, false)
		case ifStmt:
			in.settersIn([]stmt{s.then}, false)
			if s.orElse != nil {
				in.settersIn([]stmt{s.orElse}, false)
			}
		case otherStmt:
			if isLoop(s) {
				in.settersIn(s.inner, false)
			}
		case exprStmt:
			in.setting, in.flat = true, listed
			in.setter(s)
		}
	}
}

// setter writes the body of what s calls in its place, if that sets scalars and means the same there.
func (in *inliner) setter(s exprStmt) {
	c, ok := withoutCasts(s.x).(call)
	if !ok {
		return
	}
	f, _ := c.fun.(ident)
	fd := in.definition(f)
	if fd == nil || !in.setsOthers(fd, nil) && !in.usesChanged(fd) || !in.sameThere(c, fd) {
		return
	}
	from, to := in.extent(s)
	in.upTo(from)
	if in.body(c, fd, "") {
		in.skipTo(to)
	}
}

// setsByMethods reports whether body calls methods that set numbers of their objects, which may be private: the host calls them as they are. Those that get other objects may
// exchange what these hold, and are no such steps.
func (h *hostLoops) setsByMethods(body stmt) bool {
	in := &inliner{hostLoops: h}
	return h.f.cxx != nil && contains(body, func(s stmt) bool {
		x, _ := s.(exprStmt)
		c, _ := x.x.(call)
		f, _ := c.fun.(ident)
		fd := h.definition(f)
		return fd != nil && h.u.methods[f.name] != "" && in.setsOthers(fd, nil) && !slices.ContainsFunc(parameters(fd), func(d *cc.Declarator) bool {
			_, number := storedType(d.Type())
			return !number && d.Name() != "this"
		})
	})
}

// usesChanged reports whether fd, or what it calls, uses numbers that are not its own and that the region may change.
func (in *inliner) usesChanged(fd *cc.FunctionDefinition) bool {
	changed := in.alteredBy(in.r.stmts...)
	body := in.bodyOf(fd)
	exprs := in.exprsOfCalled(body, map[*cc.FunctionDefinition]bool{fd: true})
	eachStmt(body, func(s stmt) { exprs = append(exprs, exprsOf(s)...) })
	return slices.ContainsFunc(exprs, func(e expr) (found bool) {
		eachExpr(e, func(e expr) {
			x, ok := e.(ident)
			found = found || ok && x.decl != nil && isScalarVariable(x.decl) && (in.u.members.is(x.decl) || x.decl.StorageDuration() == cc.Static) && changed.has(x.decl)
		})
		return found
	})
}

// setsOthers reports whether fd, or what it calls, sets numbers that are not its own: outside of loops, and by addresses that it is passed, as a sum that a nest
// gathers in *p is, anywhere.
func (in *inliner) setsOthers(fd *cc.FunctionDefinition, within []*cc.FunctionDefinition) bool {
	if slices.Contains(within, fd) {
		return false
	}
	within = append(slices.Clone(within), fd)
	body := in.bodyOf(fd)
	var sets func(ss []stmt) bool
	sets = func(ss []stmt) bool {
		return slices.ContainsFunc(ss, func(s stmt) bool {
			switch s := s.(type) {
			case block:
				return sets(s.items)
			case ifStmt:
				return sets([]stmt{s.then}) || s.orElse != nil && sets([]stmt{s.orElse})
			case forStmt:
				return setsPointed(s, parameters(fd))
			case exprStmt:
				switch x := withoutCasts(s.x).(type) {
				case assign:
					d := variableOf(x.x)
					if setsPointed(s, parameters(fd)) {
						return true
					}
					return d != nil && isScalarVariable(d) && !declaredWithin(body, d) && !slices.Contains(parameters(fd), d)
				case call:
					f, _ := x.fun.(ident)
					called := in.definition(f)
					return called != nil && in.setsOthers(called, within)
				}
			}
			return false
		})
	}
	return sets(body.items)
}

// setsPointed reports whether s sets *p, of a pointer p among ds.
func setsPointed(s stmt, ds []*cc.Declarator) (found bool) {
	eachExprIn(s, func(e expr) {
		a, _ := e.(assign)
		u, ok := a.x.(unary)
		found = found || ok && u.op == "*" && slices.Contains(ds, variableOf(u.x)) && variableOf(u.x) != nil
	})
	return found
}

var (
	nameText      = regexp.MustCompile(`(?:(->|\.)\s*)?\b([A-Za-z_]\w*)`)
	directiveText = regexp.MustCompile(`(?m)^\s*#\s*(?:define|undef|include)\b`)
)

// wordsIn returns the names in a text of C, but for those of members.
func wordsIn(text []byte) (names []string) {
	for _, m := range nameText.FindAllSubmatch(text, -1) {
		if len(m[1]) == 0 {
			names = append(names, string(m[2]))
		}
	}
	return names
}

// sameThere reports whether the text of fd means in the place of c what it does in the function: its names are not those of other things there, nor are they
// macros that are defined between the two, and what stands for a parameter is of its type, and stays as it is.
func (in *inliner) sameThere(c call, fd *cc.FunctionDefinition) bool {
	body := in.bodyOf(fd)
	from, to := in.f.offset(fd.CompoundStatement.Token.Position()), in.f.offset(fd.CompoundStatement.Token2.Position())
	at := in.f.offset(c.first)
	if from < 0 || to < from || at < 0 || directiveText.Match(in.f.text[min(from, at):max(to, at)]) {
		return false
	}
	if contains(body, func(s stmt) bool {
		o, ok := s.(otherStmt)
		return ok && !isLoop(o) && !o.isOnce() && o.what != "'return'"
	}) {
		return false
	}
	params := parameters(fd)
	there := in.namesAround()
	var own []string // names of what the function declares
	for _, d := range params {
		own = append(own, d.Name())
	}
	locals := len(own)
	own = append(own, declaredNames(body)...)
	names := wordsIn(in.f.text[from:to])
	eachExprIn(body, func(e expr) { // those of macros, too
		if x, ok := e.(ident); ok && x.decl != nil && !in.u.members.is(x.decl) {
			names = append(names, x.decl.Name())
		}
	})
	if slices.ContainsFunc(names, func(name string) bool {
		return name == "sizeof" || name == "__func__" || slices.Contains(there, name) && !slices.Contains(own, name)
	}) {
		return false
	}
	changed := in.alteredBy(body)
	for _, arg := range c.args { // by its address
		if d := addressedNumber(arg); d != nil {
			changed.named[d] = true
		}
	}
	for i, d := range params {
		if i >= len(c.args) || !in.standsFor(c.args[i], d, changed) || slices.ContainsFunc(wordsIn([]byte(in.spelled(c.args[i]))), func(name string) bool { return slices.Contains(own[locals:], name) }) {
			return false
		}
	}
	return true
}

// declaredNames returns the names of the variables that s declares.
func declaredNames(s stmt) (names []string) {
	eachStmt(s, func(s stmt) {
		if d, ok := s.(declStmt); ok {
			for _, v := range d.vars {
				names = append(names, v.decl.Name())
			}
		}
	})
	return names
}

// standsFor reports whether arg may stand in the place of parameter d of a function that changes what is in changed.
func (in *inliner) standsFor(arg expr, d *cc.Declarator, changed *altered) bool {
	typ, isNumber := storedType(d.Type())
	if x := addressedNumber(arg); !isNumber && x != nil {
		t, _ := storedType(x.Type())
		to, same := storedType(pointedTo(d.Type()))
		return same && t == to
	}
	if u, ok := arg.(unary); ok && u.op == "&" && !isNumber {
		if x, ok := u.x.(ident); ok && x.decl != nil && holdsStruct(x.decl) {
			return d.Type().Kind() == cc.Ptr // which stays the same, whatever is set in the struct
		}
	}
	ok := true
	eachExpr(arg, func(e expr) {
		switch e := e.(type) {
		case number, binary:
		case unary:
			ok = ok && e.op != "*"
		case ident:
			ok = ok && e.decl != nil && (isNumber && !isScalarVariable(e.decl) || !changed.has(e.decl))
		case index:
			ok = ok && isNumber
		default:
			ok = false
		}
	})
	if ok && isNumber && readsElement(arg) {
		return true // in a variable of its own
	}
	if !isNumber {
		return ok && d.Type().Kind() == cc.Ptr
	}
	if typ.IsNarrow() {
		return false
	}
	x, plain := arg.(ident)
	if plain {
		t, _ := storedType(x.decl.Type())
		return ok && t == typ
	}
	return ok && (typ.IsFloat() || in.isInteger(arg) && intType(arg) == typ)
}

// addressedNumber returns the number whose address arg is.
func addressedNumber(arg expr) *cc.Declarator {
	if u, ok := arg.(unary); ok && u.op == "&" {
		if x, ok := u.x.(ident); ok && isScalarVariable(x.decl) {
			return x.decl
		}
	}
	return nil
}

// isInteger reports whether all numbers in e, which has no calls, are integers.
func (in *inliner) isInteger(e expr) bool {
	ok := true
	eachExpr(e, func(e expr) {
		switch e := e.(type) {
		case number:
			_, whole := intValue(e.val)
			ok = ok && whole
		case ident:
			t, number := storedTypeOf(e.decl)
			ok = ok && number && !t.IsFloat()
		}
	})
	return ok
}

package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// This file writes functions with nests where loops of the host call them, for several ranks: what a nest uses are then arrays and sizes of the function around the region, which is what its caller has parts of.
// One round writes the bodies of what the region itself calls; what these call is written in the next one.
//
//	double dt = c / speed(q, n);    =>    double hexcc_value1;  { .. the body of speed, of q and n ..  hexcc_value1 = most; }  double dt = c / hexcc_value1;

// An inliner writes the bodies of functions where a region calls them.
type inliner struct {
	*hostLoops
	round, values int
	found         bool
	setting       bool // it writes functions for the scalars that they set or use: see hostloop_setters.go
	flat          bool // the body stands among the statements of a block, so that it needs no braces
}

// list looks for calls in statements of the host.
func (in *inliner) list(ss []stmt) {
	for _, s := range ss {
		in.look(s)
	}
}

func (in *inliner) look(s stmt) {
	if in.failed || len(in.callsOfNests(s)) == 0 {
		return
	}
	switch s := s.(type) {
	case block:
		in.list(s.items)
	case forStmt:
		if !in.plain(s) || in.timeLike(s) {
			in.one(s.body)
		}
	case ifStmt:
		if len(in.callsOfNests(exprStmt{s.cond.at(), s.cond})) == 0 {
			in.one(s.then)
			if s.orElse != nil {
				in.one(s.orElse)
			}
		}
	case otherStmt:
		if isLoop(s) {
			in.one(s.inner[0])
		}
	case exprStmt, declStmt:
		in.calls(s)
	}
}

// one looks at the body of a loop or a branch, around which there are braces then.
func (in *inliner) one(s stmt) {
	if _, ok := s.(block); ok || len(in.callsOfNests(s)) == 0 {
		in.look(s)
		return
	}
	from, to := in.extent(s)
	in.upTo(from)
	in.put("{ ")
	in.look(s)
	in.upTo(to)
	in.put(" }")
}

// calls writes the bodies of what s calls in front of it, or in its place.
func (in *inliner) calls(s stmt) {
	from, to := in.extent(s)
	if in.failed {
		return
	}
	if x, ok := s.(exprStmt); ok {
		if c, ok := withoutCasts(x.x).(call); ok {
			if f, ok := c.fun.(ident); ok && in.definition(f) != nil && in.isCallOfNests(f) {
				in.upTo(from)
				if in.body(c, in.definition(f), "") {
					in.skipTo(to)
				}
				return
			}
		}
	}
	var edits []edit
	in.upTo(from)
	for _, e := range exprsOf(s) {
		in.eachAlways(e, func(c call) {
			f, _ := c.fun.(ident)
			fd := in.definition(f)
			a, b, ok := in.f.bytes(c.where)
			t, is := fd.Declarator.Type().(*cc.FunctionType)
			if !ok || !is {
				in.failed = true
				return
			}
			if _, number := storedType(t.Result()); !number {
				in.failed = true
				return
			}
			in.values++
			name := fmt.Sprintf("hexcc_value%d_%d", in.round, in.values)
			in.put("%s %s; ", in.f.typeText(t.Result()), name)
			in.body(c, fd, name)
			edits = append(edits, edit{a, b, name})
		})
	}
	if in.failed || len(edits) == 0 {
		return
	}
	slices.SortFunc(edits, func(x, y edit) int { return x.from - y.from })
	in.edited(from, to, edits)
	in.skipTo(to)
}

func (in *inliner) isCallOfNests(f ident) bool {
	fd := in.definition(f)
	return in.inside(fd).holdsNests(in.bodyOf(fd))
}

// eachAlways calls f for the calls of functions with nests in e that C always evaluates.
func (in *inliner) eachAlways(e expr, f func(call)) {
	switch x := e.(type) {
	case nil:
		return
	case call:
		for _, a := range x.args {
			in.eachAlways(a, f)
		}
		if g, named := x.fun.(ident); named && in.definition(g) != nil && in.isCallOfNests(g) {
			f(x)
		}
	case cond:
		in.eachAlways(x.c, f)
	case binary:
		in.eachAlways(x.x, f)
		if x.op != "&&" && x.op != "||" {
			in.eachAlways(x.y, f)
		}
	default:
		for _, y := range children(e) {
			in.eachAlways(y, f)
		}
	}
}

// body writes the statements of fd for a call, with what it returns in a variable, unless that is ""; it reports whether that could be done.
func (in *inliner) body(c call, fd *cc.FunctionDefinition, result string) bool {
	params := parameters(fd)
	body := convertBlock(fd.CompoundStatement)
	open, end := in.f.offset(fd.CompoundStatement.Token.Position()), in.f.offset(fd.CompoundStatement.Token2.Position())
	if len(params) != len(c.args) || open < 0 || end < open || hasStatics(body) || in.f.cxx != nil || in.captures(fd, body) {
		in.failed = true
		return false
	}
	changed := in.alteredBy(body)
	stays := func(arg expr) bool { // where the body uses it
		ok := true
		eachExpr(arg, func(e expr) {
			x, named := e.(ident)
			ok = ok && !(named && x.decl != nil && changed.has(x.decl))
		})
		return ok
	}
	b := &inlinedBody{inliner: in, put: map[*cc.Declarator]string{}}
	if !in.flat {
		in.put("{ ")
	}
	if in.setting {
		in.put("(void)%s; ", fd.Declarator.Name()) // which nothing else may call
	}
	var named []string // what arguments mention
	for _, a := range c.args {
		eachExpr(a, func(e expr) {
			if x, ok := e.(ident); ok {
				named = append(named, x.name)
			}
		})
	}
	for i, d := range params {
		typ, number := storedType(d.Type())
		text := in.spelled(c.args[i])
		if u, ok := c.args[i].(unary); ok && isStructAddress(u) {
			text = "&" + in.spelled(u.x) // without parentheses, which other calls have put there
		}
		x, plain := c.args[i].(ident)
		steady := in.setting || stays(c.args[i]) // else it is asked before: see sameThere
		switch {
		case !number && !steady:
			in.failed = true
			return false
		case plain && x.name == d.Name() && !assigns(body, d) && steady:
		case steady && !(number && !typ.IsFloat() && in.ofC(c.args[i]).IsFloat()) && (!number || !typ.IsFloat() && !(in.setting && readsElement(c.args[i]))) && !assigns(body, d):
			if addressedNumber(c.args[i]) != nil {
				text = withoutParentheses(text)
			}
			if !plain {
				text = "(" + text + ")"
			}
			b.put[d] = text
		default:
			in.values++
			name := fmt.Sprintf("hexcc_%s%d_%d", d.Name(), in.round, in.values)
			in.put("%s %s = %s; ", in.f.typeText(d.Type()), name, text)
			b.put[d] = name
		}
	}
	there := in.namesAround()
	eachStmt(body, func(s stmt) {
		d, ok := s.(declStmt)
		if !ok {
			return
		}
		for _, v := range d.vars {
			typ, number := storedType(v.decl.Type())
			at := slices.IndexFunc(body.items, func(s stmt) bool { return s.at() == d.where })
			if slices.Contains(named, v.decl.Name()) || in.setting && slices.Contains(there, v.decl.Name()) || in.flat && at >= 0 {
				in.values++
				b.put[v.decl] = fmt.Sprintf("hexcc_%s%d_%d", v.decl.Name(), in.round, in.values)
				b.declared = append(b.declared, v)
			}
			if at >= 0 && !in.setting && number && !typ.IsFloat() && v.init != nil && !assigns(body, v.decl) && stays(v.init) && b.isSize(v.init, body) {
				b.put[v.decl] = "(" + b.text(v.init) + ")"
				b.declared = slices.DeleteFunc(b.declared, func(x varDecl) bool { return x.decl == v.decl })
			}
		}
	})
	b.write(body, open+1, end, result)
	if !in.flat {
		in.put(" }")
	}
	in.found = true
	return !in.failed
}

// withoutParentheses returns text, in C an address, without those around all of it.
func withoutParentheses(text string) string {
	for strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
		text = strings.TrimSpace(text[1 : len(text)-1])
	}
	return text
}

// captures reports whether body, of fd, names what is of the file by a name that is another variable's where it is called.
func (in *inliner) captures(fd *cc.FunctionDefinition, body block) (found bool) {
	there := in.namesAround()
	eachExprIn(body, func(e expr) {
		x, ok := e.(ident)
		found = found || ok && x.decl != nil && !within(fd, x.decl) && !slices.Contains(parameters(fd), x.decl) && slices.Contains(there, x.name)
	})
	return found
}

// namesAround returns the names of the parameters and variables of the function around the region.
func (in *inliner) namesAround() []string {
	names := declaredNames(in.r.body)
	for _, d := range parameters(in.r.function) {
		names = append(names, d.Name())
	}
	return names
}

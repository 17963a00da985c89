package frontend

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file writes functions anew that a loop of the host calls and that hold nests: a copy of each, in which the nests are
// regions, stands behind the function, and the loop calls the copy.

// hostFunctions are the copies of functions of a file.
type hostFunctions struct {
	made map[*cc.FunctionDefinition]*hostFunction // nil for one that is being made
}

// A hostFunction is a copy of a function.
type hostFunction struct {
	*hostLoops
	name   string // "" if there is none: the function is called as it is
	called string // what the function is called where it stands
	plain  bool   // it is the user's, but for conditions in it: the host runs nothing of it
}

// holdsNests reports whether s holds a loop, or calls a function of the file that does.
func (h *hostLoops) holdsNests(s stmt) bool {
	return contains(s, isLoop) || len(h.callsOfNests(s)) > 0
}

// setsInNests reports whether s sets elements, or calls a function of the file with loops that does.
func (h *hostLoops) setsInNests(s stmt) bool {
	return h.setsByNest(s) || slices.ContainsFunc(h.callsOfNests(s), func(f ident) bool {
		fd := h.definition(f)
		return !h.calling[fd] && h.inside(fd).setsInNests(h.bodyOf(fd))
	})
}

// holdsTimeLoop reports whether s holds a loop around several nests, or calls a function of the file that does.
func (h *hostLoops) holdsTimeLoop(s stmt) bool {
	return contains(s, func(s stmt) bool {
		f, ok := s.(forStmt)
		return ok && h.timeLike(f) && setsElements(f) && (h.holdsPlacing(f) || len(h.accumulators(f)) == 0)
	}) || slices.ContainsFunc(h.callsOfNests(s), func(f ident) bool {
		fd := h.definition(f)
		return !h.calling[fd] && h.inside(fd).holdsTimeLoop(h.bodyOf(fd))
	})
}

// inside returns h for what stands in fd.
func (h *hostLoops) inside(fd *cc.FunctionDefinition) *hostLoops {
	in := *h
	in.calling = map[*cc.FunctionDefinition]bool{fd: true}
	for d := range h.calling {
		in.calling[d] = true
	}
	return &in
}

// callsOfNests returns the functions of the file that s calls and that have loops, but for those that print what loops read, where it calls them, in order.
func (h *hostLoops) callsOfNests(s stmt) (fs []ident) {
	eachExprIn(s, func(e expr) {
		if c, ok := e.(call); ok {
			f, named := c.fun.(ident)
			fd := h.definition(f)
			if !named || fd == nil || h.calling[fd] {
				return
			}
			if in, body := h.inside(fd), h.bodyOf(fd); in.holdsNests(body) && (!in.calls(body) || in.setsInNests(body)) {
				fs = append(fs, f)
			}
		}
	})
	slices.SortStableFunc(fs, func(f, g ident) int { return cmp.Compare(h.f.offset(f.first), h.f.offset(g.first)) })
	return fs
}

// plainCall reports whether s calls a function of the file for nothing but nests that a region may hold, which leaves alone all other
// variables than its own and does not use counted.
func (h *hostLoops) plainCall(s exprStmt, counted []*cc.Declarator) bool {
	c, is := withoutCasts(s.x).(call)
	if !is {
		return false
	}
	f, _ := c.fun.(ident)
	fd := h.definition(f)
	if fd == nil || h.calling[fd] {
		return false
	}
	for _, arg := range c.args {
		addresses := false
		eachExpr(arg, func(e expr) {
			u, is := e.(unary)
			_, calls := e.(call)
			addresses = addresses || calls || is && u.op == "&" && !isStructName(u.x)
		})
		if addresses {
			return false
		}
	}
	body, in := h.bodyOf(fd), h.inside(fd)
	ok, nests, own := !hasStatics(body), false, parameters(fd)
	eachExprIn(body, func(e expr) {
		if a, is := e.(assign); is {
			if x, scalar := a.x.(ident); scalar {
				ok = ok && x.decl != nil && (declaredWithin(body, x.decl) || slices.Contains(own, x.decl) || isPointer(x.decl))
			}
		}
		x, is := e.(ident)
		ok = ok && !(is && slices.Contains(counted, x.decl))
	})
	items := flatten(body.items)
	for i, s := range items {
		switch s := s.(type) {
		case forStmt:
			ok, nests = ok && in.plain(s) && !in.timeLike(s), true
		case declStmt:
			ok = ok && len(in.callsOfNests(s)) == 0 && in.known(s)
		case exprStmt:
			a, sets := s.x.(assign)
			calls := in.plainCall(s, counted)
			ok = ok && (calls || sets && len(in.callsOfNests(s)) == 0 && in.known(s) && (in.plain(s) || variableOf(a.x) != nil))
			nests = nests || calls
		default:
			ok = ok && isJump(s, "'return'") && i == len(items)-1 && len(in.callsOfNests(s)) == 0
		}
	}
	return ok && nests
}

// setsMembers reports whether s sets a number in a struct, which functions may know by another name.
func (h *hostLoops) setsMembers(s stmt) (found bool) {
	eachExprIn(s, func(e expr) {
		if a, ok := e.(assign); ok {
			d := variableOf(a.x)
			found = found || d != nil && h.u.members.is(d) && !isPointer(d)
		}
	})
	return found
}

// callCopies writes s up to the last call of a function with nests, with calls of copies.
func (h *hostLoops) callCopies(s stmt) {
	for _, f := range h.callsOfNests(s) {
		x := h.copyOf(h.definition(f))
		switch {
		case h.o.Ranks && (x == nil || x.name != ""):
			h.refuseCallOnRanks(s, f)
			return
		case x == nil:
			h.failed = true
			return
		case x.name == "":
			continue
		}
		from, to, ok := h.f.bytes(f.where)
		if ok && h.isMethod(h.definition(f)) {
			from, to, ok = h.methodCalled(s, f)
		}
		if !ok || from < h.cursor || string(h.f.text[from:to]) != x.called {
			if fd := h.definition(f); h.f.cxx != nil && !h.inside(fd).setsInNests(h.bodyOf(fd)) {
				continue // in a statement that C has not: it is called as it is
			}
			h.failed = true // of a macro
			return
		}
		h.uses = append(h.uses, x)
		h.declare(x)
		h.found = h.found || x.found
		h.upTo(from)
		h.put("%s", x.name)
		h.skipTo(to)
	}
}

// copyOf returns the copy of fd; nil if there can be none and what fd does is not to stay as it is.
func (h *hostLoops) copyOf(fd *cc.FunctionDefinition) *hostFunction {
	if x, seen := h.functions.made[fd]; seen {
		return x
	}
	h.functions.made[fd] = nil
	body := h.bodyOf(fd)
	from, to := h.f.offset(fd.Position()), h.f.offset(fd.CompoundStatement.Token2.Position())+1
	name, called := h.f.offset(fd.Declarator.NameTok().Position()), fd.Declarator.Name()
	open := h.f.offset(fd.CompoundStatement.Token.Position())
	if h.isMethod(fd) {
		name, called = h.methodIn(fd, from, open)
	}
	x := &hostFunction{called: called}
	if h.readsReference(fd, body, from, open) {
		if h.inside(fd).setsInNests(body) {
			return nil
		}
		from = -1
	}
	if from >= 0 && from < name && name < open && to > open && (to <= h.r.Start || h.isDeclared(fd)) && !hasStatics(body) {
		r := region{Region: scop.Region{Index: h.r.Index, Start: open + 1, End: to - 1}, at: h.f.spanOf(name, name+1), function: fd, body: body, around: []stmt{body}, stmts: body.items}
		x.hostLoops = &hostLoops{origin: h.origin, source: &source{h.f, h.u, r, h.o}, patchwork: &patchwork{user: h.f, cursor: from, region: true},
			functions: h.functions, names: 100 * (1000 + len(h.functions.made)), chunks: h.chunks, edges: h.edges, depth: h.depth, of: fd}
		x.name = x.hostLoops.name(called + "_")
		x.write(name, open+1, to)
	}
	if x.hostLoops == nil || x.failed || len(x.inner)+len(x.uses) == 0 && !x.found {
		if h.inside(fd).setsInNests(body) {
			return nil
		}
		x = &hostFunction{}
	}
	h.functions.made[fd] = x
	return x
}

// write writes the copy: name, open and to are where the name of the function stands, its body begins, and it ends.
func (x *hostFunction) write(name, open, to int) {
	x.put("\n")
	x.upTo(name)
	x.put("%s", x.name)
	x.skipTo(name + len(x.called))
	if x.upTo(open); !x.isMethod(x.of) { // of methods no compiler says that they are not used
		x.put(" (void)%s; ", x.called)
	}
	x.checkSwitches(x.r.stmts)
	x.list(x.r.stmts)
	x.upTo(to)
	x.put("\n")
}

// isMethod reports whether fd is, in C++, a method of a class.
func (h *hostLoops) isMethod(fd *cc.FunctionDefinition) bool {
	return h.f.cxx != nil && h.f.cxx.methodsOf[fd.Declarator.Name()] != ""
}

var calledText = regexp.MustCompile(`(::\s*)?\b([A-Za-z_]\w*)\s*\(`)

// methodIn returns where the name of method fd stands, whose text begins at from and whose body begins at open, and the name; -1 if it stands outside of its class, or is an operator.
func (h *hostLoops) methodIn(fd *cc.FunctionDefinition, from, open int) (at int, name string) {
	if from < 0 || open < from {
		return -1, ""
	}
	m := calledText.FindSubmatchIndex(h.f.text[from:open])
	if m == nil || m[2] >= 0 {
		return -1, ""
	}
	name = string(h.f.text[from+m[4] : from+m[5]])
	if !strings.HasSuffix(strings.TrimRight(fd.Declarator.Name(), "_"), "__"+name) {
		return -1, ""
	}
	return from + m[4], name
}

// methodCalled returns where the name of the method stands in a call in s, whose function in C is f.
func (h *hostLoops) methodCalled(s stmt, f ident) (from, to int, ok bool) {
	eachExprIn(s, func(e expr) {
		c, is := e.(call)
		if !is || c.fun.at() != f.where {
			return
		}
		_, end, known := h.f.bytes(c.where)
		if !known || end < 1 || h.f.text[end-1] != ')' {
			return
		}
		depth, open := 0, end-1
		for ; open >= 0; open-- {
			if h.f.text[open] == ')' {
				depth++
			} else if h.f.text[open] == '(' {
				if depth--; depth == 0 {
					break
				}
			}
		}
		to = len(bytes.TrimRight(h.f.text[:max(open, 0)], " \t\r\n"))
		for from = to; from > 0 && scop.InIdentifier(h.f.text[from-1]); from-- {
		}
		ok = from < to
	})
	return from, to, ok
}

// isDeclared reports whether fd, which stands behind the function that h writes in, is known there: it is declared in front of that, or is a method of a class, whose
// methods know each other.
func (h *hostLoops) isDeclared(fd *cc.FunctionDefinition) bool {
	before := h.f.offset(h.r.function.Position())
	if h.f.cxx != nil && (h.isMethod(fd) || h.isMethod(h.r.function)) {
		return h.isMethod(fd) && h.isMethod(h.r.function) && h.f.cxx.methodsOf[fd.Declarator.Name()] == h.f.cxx.methodsOf[h.r.function.Declarator.Name()] && before >= 0 && h.f.offset(fd.Position()) >= h.r.End
	}
	return before >= 0 && h.f.offset(fd.Position()) >= h.r.End && slices.ContainsFunc(h.u.ast.Scope.Nodes[fd.Declarator.Name()], func(n cc.Node) bool {
		d, ok := n.(*cc.Declarator)
		at := h.f.offset(d.Position())
		return ok && at < before // or in a header
	})
}

// declare has x declared in front of the function that h writes in, if x stands behind that.
func (h *hostLoops) declare(x *hostFunction) {
	if at := h.f.offset(h.r.function.Position()); h.f.offset(x.of.Position()) > at && !h.isMethod(x.of) && !slices.Contains(h.forward, x) {
		h.forward = append(h.forward, x)
	}
}

// declarations returns what is written in front of the function that h writes in.
func (h *hostLoops) declarations() (parts []hostPart) {
	at := h.f.offset(h.r.function.Position())
	for _, x := range h.forward {
		w := &patchwork{user: h.f, cursor: at}
		storage := ""
		if x.of.Declarator.IsStatic() {
			storage = "static "
		}
		w.put("%s__typeof__(%s) %s;\n", storage, x.of.Declarator.Name(), x.name)
		parts = append(parts, hostPart{at: at, to: at, text: w})
	}
	return parts
}

// hasStatics reports whether s declares variables that outlive it: a copy would have its own.
func hasStatics(s stmt) bool {
	return contains(s, func(s stmt) bool {
		d, ok := s.(declStmt)
		return ok && slices.ContainsFunc(d.vars, func(v varDecl) bool { return v.decl.StorageDuration() == cc.Static })
	})
}

// needed returns fs and the copies that those call, each once.
func needed(fs []*hostFunction) (all []*hostFunction) {
	for _, x := range fs {
		for _, y := range append(needed(x.uses), x) {
			if !slices.Contains(all, y) {
				all = append(all, y)
			}
		}
	}
	return all
}

// A hostPart is a stretch of the user's file that is written anew.
type hostPart struct {
	at, to  int // in the user's file
	text    *patchwork
	inner   []innerRegion
	remarks diag.List
	host    bool // it is what the host runs of a region
}

// part returns what h wrote, for a stretch of the user's file.
func (h *hostLoops) part(at, to int) hostPart {
	return hostPart{at: at, to: to, text: h.patchwork, inner: h.inner, remarks: h.remarks, host: h.of == nil}
}

// assembled returns the file with parts written anew, and the regions that it then has.
func assembled(f *file, parts []hostPart) (*Origin, []innerRegion, diag.List) {
	slices.SortStableFunc(parts, func(p, q hostPart) int { return cmp.Compare(p.at, q.at) })
	w := &patchwork{user: f}
	var inner []innerRegion
	var remarks diag.List
	var written []writtenRegion
	for _, p := range parts {
		w.upTo(p.at)
		if p.host && len(p.inner) > 0 {
			written = append(written, writtenRegion{p.inner[0].of, w.text.Len(), w.text.Len() + p.text.text.Len()})
		}
		inner, remarks = append(inner, p.inner...), append(remarks, p.remarks...)
		if p.text == nil {
			continue
		}
		for _, s := range p.text.pieces {
			s.at += w.text.Len()
			w.pieces = append(w.pieces, s)
		}
		fmt.Fprint(&w.text, p.text.text.String())
		w.skipTo(p.to)
	}
	w.upTo(len(f.text))
	origin := w.origin()
	origin.written = written
	return origin, inner, remarks
}

package frontend

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file says what the host runs of regions that were written anew for several ranks: which part of the text, and what that needs of the rest of the file.

// hosts returns what the host runs, by region of the user that was written anew; programs are those of the text. What stops ranks from running it is an error.
func (t *text) hosts(programs []*scop.Program) (all []*scop.Host, errs diag.List) {
	for _, w := range t.origin.written {
		h := &scop.Host{Index: w.of, Text: t.f.text, From: w.from, To: w.to}
		var r region
		for i, m := range t.made {
			if t.inner[m.r.Index].of == w.of {
				h.Programs, r = append(h.Programs, programs[i]), m.r
			}
		}
		if len(h.Programs) == 0 || slices.Contains(h.Programs, nil) {
			continue
		}
		h.Function = r.function.Declarator.Name()
		src := &source{t.f, t.u, r, Options{}}
		a := &surroundings{source: src, host: h}
		if a.read(); a.wrong == nil {
			a.before()
		}
		if a.wrong != nil {
			errs = append(errs, a.wrong)
			continue
		}
		all = append(all, h)
	}
	return all, errs
}

// A surroundings reads what stands around the nests of a region.
type surroundings struct {
	*source
	host  *scop.Host
	used  []*cc.Declarator // variables that are declared elsewhere
	own   []string         // the names of those that the text declares
	kept  []*cc.Declarator // constants that it uses, and what it calls
	calls []*cc.FunctionDefinition
	wrong *diag.Diagnostic
}

// no notes why ranks cannot run the text.
func (a *surroundings) no(at where, help, why string, args ...any) {
	if a.wrong == nil {
		a.wrong = &diag.Diagnostic{Code: "HX311", At: a.f.span(at), Msg: "ranks cannot run what stands around the nests: " + fmt.Sprintf(why, args...), Help: help}
	}
}

// within reports whether something stands in the text.
func (a *surroundings) within(at where) bool {
	from := a.f.offset(at.first)
	return from >= a.host.From && from < a.host.To
}

// read finds the variables.
func (a *surroundings) read() {
	set := map[*cc.Declarator]bool{}
	inner := false // of a program, whose functions are in its expressions
	note := func(e expr) {
		x, ok := e.(ident)
		if !ok || x.decl == nil {
			return
		}
		if fd := a.definition(x); fd != nil {
			if !inner {
				a.call(fd)
			}
			return
		}
		if x.decl.Type().Kind() == cc.Function || strings.HasPrefix(x.name, "hexcc_") {
			return
		}
		if at := a.f.offset(x.decl.NameTok().Position()); at >= a.host.From && at < a.host.To || slices.Contains(a.used, x.decl) {
			return
		}
		a.used = append(a.used, x.decl)
	}
	nested := func(s stmt) {
		if !a.within(s.at()) {
			return
		}
		if d, ok := s.(declStmt); ok {
			for _, v := range d.vars {
				a.own = append(a.own, v.decl.Name())
				if isPointer(v.decl) {
					a.host.Pointers = append(a.host.Pointers, v.decl.Name())
				}
			}
		}
		at := a.f.offset(s.at().first)
		inner = slices.ContainsFunc(a.host.Programs, func(p *scop.Program) bool { return at >= p.Region.Start && at < p.Region.End })
		for _, e := range exprsOf(s) {
			eachExpr(e, func(e expr) {
				note(e)
				if x, ok := e.(assign); ok {
					if y, ok := x.x.(ident); ok && y.decl != nil {
						set[y.decl] = true
					}
				}
				if x, ok := e.(unary); ok && x.op == "&" {
					if y, ok := x.x.(ident); ok && y.decl != nil {
						set[y.decl] = true
					}
				}
			})
		}
	}
	eachStmt(convertBlock(a.r.function.CompoundStatement), nested)
	for i := 0; i < len(a.used); i++ { // extents name more of them
		for _, e := range a.sizesOf(a.used[i]) {
			eachExpr(e, note)
		}
	}
	params := parameters(a.r.function)
	slices.SortStableFunc(a.used, func(x, y *cc.Declarator) int {
		at := func(d *cc.Declarator) int {
			if i := slices.Index(params, d); i >= 0 {
				return i
			}
			return len(params)
		}
		return at(x) - at(y)
	})
	for _, d := range a.used {
		if a.isConstant(d) {
			a.kept = append(a.kept, d)
			continue
		}
		a.variable(d, set[d])
	}
}

// isConstant reports whether d is a constant of the file, or a table of them that is no array of a nest: each rank has it as it is there.
func (a *surroundings) isConstant(d *cc.Declarator) bool {
	if d.StorageDuration() != cc.Static || within(a.r.function, d) || a.initOf(d) == nil || !a.isConstObject(d) {
		return false
	}
	if _, number := storedType(d.Type()); number {
		return true
	}
	s, ok := shapeOf(d)
	if !ok || s.pointer {
		return false
	}
	_, numbers := storedType(s.elem)
	return numbers && !slices.ContainsFunc(a.host.Programs, func(p *scop.Program) bool {
		return slices.ContainsFunc(p.Arrays, scop.HostVariable{Name: d.Name()}.LeadsTo)
	})
}

// variable notes a variable that is declared elsewhere.
func (a *surroundings) variable(d *cc.Declarator, set bool) {
	v := scop.HostVariable{Name: d.Name(), Set: set, Hidden: slices.Contains(a.own, d.Name())}
	at := where{first: d.NameTok().Position(), last: d.NameTok().Position()}
	if typ, number := storedType(d.Type()); number {
		v.Type = typ
		a.host.Variables = append(a.host.Variables, v)
		return
	}
	s, ok := shapeOf(d)
	if !ok || tableOf(d.Type()) > 0 {
		a.no(at, "use variables that are numbers, arrays of them, or pointers to their first elements", "'%s' is of type '%s'", d.Name(), typeName(d.Type()))
		return
	}
	if _, more := s.elem.(*cc.PointerType); more {
		a.no(at, "use an array, or a pointer to its first element", "'%s' leads to other pointers", d.Name())
		return
	}
	dims := ""
	for _, x := range s.dims[1:] {
		if x.Len() >= 0 {
			dims += fmt.Sprintf("[%d]", x.Len())
		} else {
			dims += "[" + a.textOf(convertExpr(x.SizeExpression())) + "]"
		}
	}
	elem := a.f.typeText(s.elem)
	v.Decl, v.Cast = fmt.Sprintf("%s *%s", elem, d.Name()), elem+" *"
	if dims != "" {
		v.Decl, v.Cast = fmt.Sprintf("%s (*%s)%s", elem, d.Name(), dims), fmt.Sprintf("%s (*)%s", elem, dims)
	}
	for _, p := range a.host.Programs {
		for _, x := range p.Arrays {
			if v.LeadsTo(x) {
				v.Passed, v.Type = true, x.Elem
			}
		}
	}
	if typ, number := storedType(s.elem); number && !v.Passed && !set && a.onlyElements(d) {
		v.Whole, v.Type = true, typ
	} else if !v.Passed && !set {
		a.no(at, "compute what is needed of it before the region", "no nest uses '%s', and what the region is called with are the arrays of its nests", d.Name())
		return
	}
	a.host.Variables = append(a.host.Variables, v)
}

// onlyElements reports whether the text uses elements of d, and d for nothing else.
func (a *surroundings) onlyElements(d *cc.Declarator) bool {
	only := true
	eachStmt(convertBlock(a.r.function.CompoundStatement), func(s stmt) {
		if a.within(s.at()) {
			for _, e := range exprsOf(s) {
				only = only && onlyElements(e, d)
			}
		}
	})
	return only
}

// call notes a function that the text calls, and what that calls.
func (a *surroundings) call(fd *cc.FunctionDefinition) {
	if slices.Contains(a.calls, fd) {
		return
	}
	a.calls = append(a.calls, fd)
	body := convertBlock(fd.CompoundStatement)
	eachExprIn(body, func(e expr) {
		if x, ok := e.(ident); ok && x.decl != nil {
			if in := a.definition(x); in != nil {
				a.call(in)
			} else if a.isConstant(x.decl) {
				a.kept = append(a.kept, x.decl)
			} else if x.decl.Type().Kind() != cc.Function && x.decl.StorageDuration() == cc.Static && !declaredWithin(body, x.decl) {
				a.no(x.where, "pass it to the function", "function '%s', which they call, uses '%s', which each rank would have", fd.Declarator.Name(), x.name)
			}
		}
	})
}

// before takes what the text needs of the file in front of the function.
func (a *surroundings) before() {
	end := a.f.offset(a.r.function.Position())
	kept := bytes.Clone(a.f.text[:max(end, 0)])
	drop := func(from, to int) {
		if from >= 0 && from < to && to <= len(kept) {
			blankAll(kept[from:to])
		}
	}
	var heads []int // of functions that stay
	for tu := a.u.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		if fd := tu.ExternalDeclaration.FunctionDefinition; fd != nil {
			from, to := a.f.offset(fd.Position()), a.f.offset(fd.CompoundStatement.Token2.Position())+1
			switch needed := slices.Contains(a.calls, fd); {
			case !needed:
				drop(from, to)
			case from < 0: // in a header
			case to > len(kept):
				a.no(where{first: fd.Position(), last: fd.Position()}, "define it in front of the function around the region", "function '%s', which they call, stands behind them", fd.Declarator.Name())
			case !fd.Declarator.IsStatic():
				heads = append(heads, from)
			}
		} else if n := tu.ExternalDeclaration.Declaration; n != nil && a.isVariable(n) {
			drop(a.f.offset(n.Position()), a.f.offset(n.Token.Position())+1)
		} else if n != nil && a.isShared(n) { // the user's file has it, too
			if from := a.f.offset(n.Position()); from >= 0 && from < len(kept) {
				heads = append(heads, from)
			}
		}
	}
	slices.Sort(heads)
	for i := len(heads) - 1; i >= 0; i-- {
		kept = slices.Insert(kept, heads[i], []byte("static ")...)
	}
	var b strings.Builder
	for line := range strings.Lines(string(kept)) {
		if strings.TrimSpace(line) != "" {
			b.WriteString(strings.TrimRight(line, " \t\n") + "\n")
		}
	}
	a.host.Before = b.String()
}

// isVariable reports whether n declares variables of the file, or tables, and no constant that is used.
func (a *surroundings) isVariable(n *cc.Declaration) bool {
	used := func(d *cc.Declarator) bool { return slices.Contains(a.kept, d) }
	return !someDeclares(n, used) && someDeclares(n, func(d *cc.Declarator) bool {
		_, number := storedType(d.Type())
		return !d.IsTypename() && d.Type().Kind() != cc.Function && !(number && a.isConstant(d))
	})
}

// isShared reports whether n declares constants that other files may use by their names.
func (a *surroundings) isShared(n *cc.Declaration) bool {
	return someDeclares(n, func(d *cc.Declarator) bool {
		return !d.IsTypename() && d.Type().Kind() != cc.Function && !d.IsStatic() && !d.IsExtern() && a.isConstant(d)
	})
}

// someDeclares reports whether is holds for something that n declares.
func someDeclares(n *cc.Declaration, is func(*cc.Declarator) bool) bool {
	for l := n.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		if is(l.InitDeclarator.Declarator) {
			return true
		}
	}
	return false
}

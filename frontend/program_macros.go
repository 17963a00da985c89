package frontend

import (
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file lists the macros whose numbers a region was translated with, and that may be others where its translation is compiled: those of the command line, and those that
// the file defines only if they are not.
//
//	#ifndef N
//	#define N 400     =>   hexcc -DN=100 f.c; cc -DN=200 f.hex.c
//	#endif
//
// Others that a compiler is told of it is told of again by the file.

var (
	words        = regexp.MustCompile(`[A-Za-z_]\w*`)
	startsNumber = regexp.MustCompile(`^(?:[0-9]|\.[0-9])`)
)

// claimMacros claims that such macros are the numbers that they were.
func (as *assembly) claimMacros(c *claims) {
	open := guardedMacros(as.u.ast, as.f.name, as.f.text)
	for _, x := range as.o.Defines {
		name, _, _ := strings.Cut(x, "=")
		open[name] = true
	}
	if len(open) == 0 {
		return
	}
	used := as.wordsUsed()
	for more := true; more; { // of macros that are made of others
		more = false
		for name := range used {
			if m := as.u.ast.Macros[name]; m != nil {
				for _, w := range tokensOf(m) {
					if !used[w] && as.u.ast.Macros[w] != nil {
						used[w], more = true, true
					}
				}
			}
		}
	}
	var names []string
	for name := range open {
		if m := as.u.ast.Macros[name]; used[name] && m != nil && m.IsConst && as.isNumber(m, 0) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		c.add(scop.Claim{Name: "macro " + name, Macro: name, C: strings.Join(tokensOf(as.u.ast.Macros[name]), " ")})
	}
}

// wordsUsed returns the words that the region, the functions that it calls, and the first values of the variables that both use are written with.
func (as *assembly) wordsUsed() map[string]bool {
	used := map[string]bool{}
	note := func(w where) {
		if from, to, ok := as.f.bytes(w); ok && from < to {
			for _, word := range words.FindAllString(string(as.f.text[from:to]), -1) {
				used[word] = true
			}
		}
	}
	values := map[*cc.Declarator]expr{}
	as.eachKept(func(v varDecl, _ func(*cc.Declarator) bool) { values[v.decl] = v.init })
	seen := map[*cc.Declarator]bool{}
	var value func(e expr)
	value = func(e expr) {
		x, ok := e.(ident)
		if !ok || x.decl == nil || seen[x.decl] {
			return
		}
		seen[x.decl] = true
		init := values[x.decl]
		if _, known, _ := as.valueOf(x.decl); init == nil && (known || x.decl.IsConst() && !x.decl.IsParam() && !as.u.members.is(x.decl)) {
			init = as.initOf(x.decl)
		}
		if init != nil {
			note(init.at())
			eachExpr(init, value)
		}
	}
	as.eachPart(func(s stmt) {
		note(s.at())
		eachExprIn(s, value)
	})
	return used
}

// isNumber reports whether m stands for a number: a sum, product or the like of numbers and macros that do.
func (as *assembly) isNumber(m *cc.Macro, depth int) bool {
	found := false
	for _, t := range tokensOf(m) {
		inner := as.u.ast.Macros[t]
		switch {
		case startsNumber.MatchString(t), inner != nil && depth < maxMacros && as.isNumber(inner, depth+1):
			found = true
		case len(t) == 1 && strings.Contains("()+-*/%", t):
		default:
			return false
		}
	}
	return found && !m.IsFnLike
}

// maxMacros bounds macros in macros.
const maxMacros = 16

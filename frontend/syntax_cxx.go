package frontend

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// This file projects a C++ file to C: what a region needs is written in C as it means the same there, and the rest is
// left out. The region itself, the head of its function and the functions that it calls are taken strictly: what has no
// C for it stays as it is, for the C front end to refuse. Statements around a region become uses of the variables in
// them where they are no C.

// A cxxRole says what a file is for another.
type cxxRole struct {
	header bool        // it is included, and read as far as it is C
	inner  bool        // it is included inside of a function, or in a region
	copies []cxxCopies // its regions that are there for several lists of arguments of a template
}

// project returns the C of a C++ file, which includes headers. Statements around regions and declarations at the offsets forced are not read.
func project(text []byte, role cxxRole, forced map[int]int, headers *cxxHeaders) *projection {
	c := newCxxFile(text, forced, headers)
	if c.failing {
		return projected(text, nil)
	}
	c.copies = role.copies
	c.directives()
	if role.inner {
		c.rewrite(0, len(c.toks), false)
		return projected(text, c.edits)
	}
	for _, it := range c.items {
		c.findDefaults(it)
	}
	if role.header {
		c.chooseInHeader()
	} else {
		c.choose()
	}
	for _, d := range c.dropped {
		c.leaveOut(d[0], d[1])
	}
	for _, it := range c.items {
		if it.keep != cxxNothing && it.body > 0 && it.kind != cxxTemplated {
			c.findReferences(it)
		}
	}
	for _, it := range c.items {
		switch {
		case it.kind == cxxTemplated || it.kind == cxxObjects:
		case it.keep == cxxNothing || it.kind == cxxAliased:
			c.leaveOut(it.from, it.to)
		case it.kind == cxxUsing:
			c.alias(it.from, it.to)
		case it.kind == cxxRecord:
			c.typeOf(it)
		case it.body > 0:
			c.function(it)
		default:
			open := c.headOf(it)
			if name := c.namedElsewhere(it, headers); name != "" && open <= 0 {
				c.before(it.from, "typedef int "+name+"; ") // which is no C: else C would take both for one
			}
			if open > 0 {
				for _, p := range c.parameters(open) {
					if p.value > 0 {
						c.edit(p.value, p.to, "")
					}
				}
			}
			c.rewrite(it.from, it.to, true)
		}
	}
	c.instantiate()
	c.declareArrayTypes()
	p := projected(text, c.edits)
	p.methodsOf, p.hidden = map[string]string{}, map[string]cxxHidden{}
	p.spaces, p.instances, p.declares, p.templateOf = map[string]string{}, map[string]bool{}, map[int][]string{}, c.templateOf
	for _, it := range c.items {
		p.declares[c.toks[it.from].from] = it.names
		p.outermost = append(p.outermost, [2]int{c.toks[it.from].from, c.toks[it.to-1].to})
		if n := c.madeOf(it); n > 1 && c.around(cxxItem{body: it.from, to: it.to}) && !c.isCopied(it) {
			p.repeated = append(p.repeated, c.repeated(it))
		}
		if c.isWord(it.from, "template") {
			p.templates = append(p.templates, [2]int{c.toks[it.from].from, c.toks[it.to-1].to})
		}
	}
	for _, t := range c.templates {
		for _, m := range t.instances() {
			p.instances[m.name] = true
		}
	}
	maps.Copy(p.instances, c.lifted)
	for _, k := range c.shapes {
		for _, s := range *k.made {
			for i := range k.methods {
				p.instances[s.methodName(&k.methods[i])] = true
				p.methodsOf[s.methodName(&k.methods[i])] = s.cname
				p.instances[s.methodName(&k.methods[i])+cxxReads] = true
				p.methodsOf[s.methodName(&k.methods[i])+cxxReads] = s.cname
			}
			p.hidden[s.cname] = s.hidden()
		}
	}
	p.shown, p.pairs = c.shownNames(), c.pairs
	for name, of := range c.pairs {
		p.shown[name] = of.shown
	}
	p.spaceOf, p.stdNames, p.statics = c.namespaces(headers), c.inStd(headers), c.namedStatics()
	for _, it := range c.items {
		if it.body > 0 && it.keep == cxxAll && c.around(it) {
			p.spaces[it.names[0]] = it.space
		}
	}
	for member := range c.owned {
		_, name, _ := strings.Cut(member, ".")
		c.vectors[name] = true
	}
	p.owned, p.ownedAt, p.scoped = c.owned, c.ownedAt, c.scopedEnums()
	p.undeduced, p.spans = c.undeduced, c.spans
	p.called, p.refusals = c.called, c.refusals
	p.claims, p.vectors, p.byReference, p.optional = c.claims, c.vectors, c.snapshots, c.optional
	return p
}

// shownNames returns how messages name what has another name in C: methods, functions for templates and lambdas.
func (c *cxxFile) shownNames() map[string]string {
	shown := map[string]string{}
	for name, t := range c.templates {
		for _, m := range t.instances() {
			if t.item.open > 0 {
				shown[m.name] = "operator" + t.item.in.toks[t.item.open-1].s
				continue
			}
			shown[m.name] = name + "<" + shownTypes.Replace(strings.Join(m.args, ", ")) + ">"
		}
	}
	for _, k := range c.shapes {
		for _, s := range *k.made {
			for i := range k.methods {
				m := &k.methods[i]
				name := m.name
				if as := map[string]string{"call": "operator()", "element": "operator[]"}[name]; as != "" {
					name = as
				}
				for sign, word := range cxxOperatorNames {
					if name == operatorName+word {
						name = "operator" + sign
					}
				}
				shown[s.methodName(m)] = s.named() + "::" + name
			}
		}
	}
	for name := range c.lifted {
		lambda, _, _ := strings.Cut(name, "__lifted")
		shown[name] = lambda
	}
	return shown
}

// shownTypes writes types as C++ does, shownComplex those of complex numbers.
var (
	shownTypes   = strings.NewReplacer("_Bool", "bool", complexDouble, "std::complex<double>", complexFloat, "std::complex<float>")
	shownComplex = strings.NewReplacer(complexDouble, "std::complex<double>", complexFloat, "std::complex<float>")
)

// namedElsewhere returns a name that it, a variable, has in common with another one of another namespace; "" if there is none.
func (c *cxxFile) namedElsewhere(it cxxItem, headers *cxxHeaders) string {
	if it.kind != cxxPlain || c.isWord(it.from, "typedef") {
		return ""
	}
	for _, of := range c.withHeaders(headers) {
		for _, o := range of.items {
			if o.kind != cxxPlain || o.space == it.space || of.isWord(o.from, "typedef") {
				continue
			}
			for _, name := range it.names {
				if slices.Contains(o.names, name) {
					return name
				}
			}
		}
	}
	return ""
}

// withHeaders returns c and headers.
func (c *cxxFile) withHeaders(headers *cxxHeaders) []*cxxFile {
	if headers == nil {
		return []*cxxFile{c}
	}
	return append([]*cxxFile{c}, headers.files...)
}

// namespaces returns the namespaces of what c and headers declare outside of functions.
func (c *cxxFile) namespaces(headers *cxxHeaders) map[string]string {
	spaceOf := map[string]string{}
	for _, of := range c.withHeaders(headers) {
		for _, it := range of.items {
			for _, name := range it.names {
				if _, known := spaceOf[name]; !known {
					spaceOf[name] = it.space
				}
			}
		}
	}
	return spaceOf
}

// inStd returns the names before which std:: stands in c and headers.
func (c *cxxFile) inStd(headers *cxxHeaders) map[string]bool {
	names := map[string]bool{}
	for _, of := range c.withHeaders(headers) {
		for j := range of.toks {
			if of.is(j, "::") && of.isWord(j-1, "std") && of.isWord(j+1) {
				names[of.toks[j+1].s] = true
			}
		}
	}
	return names
}

// madeOf returns how many classes or functions were made of the template that it is.
func (c *cxxFile) madeOf(it cxxItem) int {
	switch {
	case it.class != nil:
		return len(*it.class.made)
	case it.kind == cxxTemplated:
		return len(c.templates[it.names[0]].instances())
	}
	return 0
}

// refuse notes what is wrong with token i, if that is in a region.
func (c *cxxFile) refuse(i int, note, help, format string, args ...any) {
	for j := i; j >= 0; j-- {
		if mark := c.mark(j); mark == "endscop" {
			return
		} else if mark == "scop" {
			c.refusals = append(c.refusals, cxxRefusal{c.toks[i].from, c.toks[i].to, fmt.Sprintf(format, args...), note, help})
			return
		}
	}
}

// edit replaces tokens[from:to] by text.
func (c *cxxFile) edit(from, to int, text string) {
	if from < to {
		c.edits = append(c.edits, cxxEdit{from: c.toks[from].from, to: c.toks[to-1].to, text: text})
	}
}

// before puts text before token i.
func (c *cxxFile) before(i int, text string) {
	c.edits = append(c.edits, cxxEdit{from: c.toks[i].from, to: c.toks[i].from, text: text})
}

// behind puts text behind token i.
func (c *cxxFile) behind(i int, text string) {
	c.edits = append(c.edits, cxxEdit{from: c.toks[i].to, to: c.toks[i].to, text: text})
}

// leaveOut leaves tokens[from:to] out, but for directives.
func (c *cxxFile) leaveOut(from, to int) {
	for from < to {
		end := from
		for end < to && c.toks[end].kind != cxxDirective {
			end++
		}
		c.edit(from, end, "")
		from = end + 1
	}
}

// cHeaders are those of C++'s own names for headers of C.
var cHeaders = map[string]string{}

func init() {
	for _, name := range strings.Fields("assert ctype errno fenv float inttypes limits locale math setjmp signal stdarg stddef stdint stdio stdlib string time wchar") {
		cHeaders["c"+name] = name + ".h"
	}
}

// isWrapped reports whether a header declares functions of <cmath> without std::, in the type of their arguments.
func isWrapped(name string) bool { return name == "math.h" || name == "stdlib.h" }

// libraryHeader returns the directive that includes, in C, what a header of the library of C++ of this name stands for, "" if none has that name.
func libraryHeader(name string) string {
	switch {
	case cHeaders[name] != "":
		return "#include <" + cHeaders[name] + ">"
	case name == "complex" || name == "ccomplex" || name == "complex.h":
		return `#include "` + builtinDir + `/cxxcomplex.h"`
	case !strings.ContainsAny(name, "./"):
		return `#include "` + builtinDir + `/cxx.h"`
	}
	return ""
}

var (
	includeOf = regexp.MustCompile(`^#[ \t]*include[ \t]*<([^>]*)>`)
	defineOf  = regexp.MustCompile(`^#[ \t]*define[ \t]+\w+(\([^)]*\))?`)
)

// directives rewrites headers of C++ and the texts of macros.
func (c *cxxFile) directives() {
	for i, t := range c.toks {
		if t.kind != cxxDirective {
			continue
		}
		if m := includeOf.FindStringSubmatch(t.s); m != nil {
			if text := libraryHeader(m[1]); text != "" {
				c.edit(i, i+1, text)
			}
			c.wrapped = c.wrapped || isWrapped(m[1])
			continue
		}
		if m := defineOf.FindString(t.s); m != "" {
			sub := newCxxFragment(c, []byte(t.s[len(m):]))
			sub.rewrite(0, len(sub.toks), false)
			for _, e := range sub.edits {
				c.edits = append(c.edits, cxxEdit{from: t.from + len(m) + e.from, to: t.from + len(m) + e.to, text: e.text})
			}
			continue
		}
		if strings.Contains(t.s, "__cplusplus") {
			s := t.s
			for _, test := range [][2]string{{`#[ \t]*ifdef[ \t]+__cplusplus\b`, "#if 1"}, {`#[ \t]*ifndef[ \t]+__cplusplus\b`, "#if 0"}, {`defined[ \t]*\(?[ \t]*__cplusplus[ \t]*\)?`, "1"}, {`\b__cplusplus\b`, "201703L"}} {
				s = regexp.MustCompile(test[0]).ReplaceAllString(s, test[1])
			}
			c.edit(i, i+1, s)
		}
	}
}

// newCxxFragment returns a part of c, such as the text of a macro.
func newCxxFragment(c *cxxFile, text []byte) *cxxFile {
	sub := *c
	sub.text, sub.edits = text, nil
	sub.toks, _, _ = joinedTokens(text)
	sub.match, _ = cxxMatches(sub.toks)
	for i, m := range sub.match { // brackets that do not match
		if m < 0 {
			sub.match[i] = i
		}
	}
	return &sub
}

// rewritten returns tokens[from:to] in C.
func (c *cxxFile) rewritten(from, to int) string {
	if from >= to {
		return ""
	}
	outer := c.edits
	c.edits = nil
	c.rewrite(from, to, false)
	inner := c.edits
	c.edits = outer
	start, end := c.toks[from].from, c.toks[to-1].to
	inner = c.ahead(inner, start)
	for i := range inner {
		inner[i].from -= start
		inner[i].to -= start
	}
	return string(bytes.ReplaceAll(projected(c.text[start:end], inner).text, []byte("\n"), []byte(" ")))
}

// alias rewrites using name = type.
func (c *cxxFile) alias(from, to int) {
	dims := to - 1
	for dims-1 > from+3 && c.is(dims-1, "]") {
		dims = c.match[dims-1]
	}
	c.edit(from, to, "typedef "+c.rewritten(from+3, dims)+" "+c.toks[from+1].s+c.rewritten(dims, to-1)+";")
}

// typeOf rewrites a struct, union or enumeration, whose name is a type in C++.
func (c *cxxFile) typeOf(it cxxItem) {
	first := it.from
	for c.isWord(first, "static", "const", "constexpr") {
		first++
	}
	if c.isWord(first, "enum") {
		c.enumeration(it, first, c.bracesOf(it))
		return
	}
	if !c.isWord(first + 1) {
		c.rewrite(it.from, it.to, true)
		return
	}
	name := c.toks[first+1].s
	c.before(it.from, "typedef "+c.toks[first].s+" "+name+" "+name+"; ")
	c.rewrite(it.from, it.to, true)
}

// function rewrites a function.
func (c *cxxFile) function(it cxxItem) {
	open := c.parens(it)
	around := c.around(it)
	if it.open == 0 {
		c.rewrite(it.from, min(open, max(open-1, it.from)), true) // but for the name, which is no call
	}
	pointers := map[string]bool{}
	for _, r := range c.references[it.names[0]] {
		pointers[r.name] = true
	}
	if open < it.body {
		for _, p := range c.parameters(open) {
			c.parameterIn(p, around, pointers, it)
		}
		if arrow := c.until(c.match[open]+1, it.body, "->"); arrow < it.body && c.isWord(it.from, "auto") {
			c.edit(it.from, it.from+1, c.rewritten(arrow+1, it.body))
		}
		if c.holdsDirective(c.match[open]+1, it.body) { // and other heads between them
			c.rewrite(c.match[open]+1, it.body, true)
		} else {
			c.leaveOut(c.match[open]+1, it.body) // noexcept, -> type
		}
	}
	switch {
	case it.keep == cxxHead:
		c.edit(it.body, it.to, ";")
	case around:
		w := &cxxAround{cxxFile: c, known: map[string]bool{}, strange: map[string]bool{}}
		w.function(it, open)
	default:
		c.returns = c.recordIn(it.from)
		if typ := c.complexReturned(it.from); typ != "" {
			c.returns = typ
		}
		c.bodyWith(it.body, it.to, pointers)
		c.returns = ""
	}
}

// isAssignment reports whether token j assigns.
func (c *cxxFile) isAssignment(j int) bool {
	return 0 <= j && j < len(c.toks) && c.toks[j].kind == cxxPunct && slices.Contains([]string{"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}, c.toks[j].s)
}

// bodyWith rewrites tokens[from:to], in which pointers stand for references.
func (c *cxxFile) bodyWith(from, to int, pointers map[string]bool) {
	outer := c.pointed
	c.pointed = pointers
	c.rewrite(from, to, false)
	c.pointed = outer
}

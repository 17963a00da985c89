package frontend

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// This file writes templates of functions in C: one function for each list of arguments that calls give, the first where the
// template stands, others behind it on its last line.

// A cxxTemplate is a template of functions.
type cxxTemplate struct {
	item   cxxItem
	head   int // the token behind template <..>
	params []cxxTemplateParam
	made   *[]cxxInstance // in the order of calls; shared with the files that include this one
}

// A cxxTemplateParam is a parameter of a template.
type cxxTemplateParam struct {
	name  string
	typ   bool   // it is a type
	value string // what it is where it is not given, or ""
}

// A cxxInstance is a template with its arguments, in C.
type cxxInstance struct {
	name string
	args []string
}

// instances returns what calls have made of t, nil of one that is not written.
func (t *cxxTemplate) instances() []cxxInstance {
	if t == nil {
		return nil
	}
	return *t.made
}

// function returns t as a function.
func (t *cxxTemplate) function() cxxItem {
	it := t.item
	it.keep, it.from, it.kind = cxxAll, t.head, cxxPlain
	return it
}

// maxInstances bounds how often one template is written.
const maxInstances = 64

// maxArgument bounds the text of an argument of a template: those of one that calls itself may grow.
const maxArgument = 100

// template returns the template of functions that the item is, whose parameters open at parens; nil if it is something else.
func (c *cxxFile) template(it cxxItem, parens int) *cxxTemplate {
	if !c.isWord(it.from, "template") || !c.is(it.from+1, "<") || it.body == 0 || parens < 0 || c.is(parens-2, "::") || c.is(parens-1, ">") {
		return nil
	}
	end := c.angle(it.from + 1)
	if end < 0 || end > parens || c.isWord(end+1, "template", "class", "struct", "requires") {
		return nil
	}
	t := &cxxTemplate{item: it, head: end + 1, made: &[]cxxInstance{}}
	var ok bool
	if t.params, ok = c.templateParams(it.from+1, end); !ok {
		return nil
	}
	return t
}

// templateParams returns the parameters of a template between the < and the > at open and end; ok is false if there are others than types and numbers.
func (c *cxxFile) templateParams(open, end int) (params []cxxTemplateParam, ok bool) {
	for from := open + 1; from < end; {
		to := min(c.until(from, end, ","), end)
		first := from
		p := cxxTemplateParam{typ: c.isWord(from, "typename", "class")}
		if !p.typ && c.isConcept(from, to) { // a type, of which more is known
			for first = from; c.is(first+1, "::"); first += 2 {
			}
			p.typ = true
		}
		last := to
		if eq := c.until(from, to, "="); eq < to {
			last, p.value = eq, c.rewritten(eq+1, to)
		}
		if last-first < 2 || !c.isWord(last-1) || p.typ && last-first != 2 || !p.typ && !c.types[c.toks[last-2].s] {
			return nil, false
		}
		p.name = c.toks[last-1].s
		params = append(params, p)
		from = to + 1
	}
	return params, true
}

// isConcept reports whether tokens[from:to], a parameter of a template, begin with a concept without arguments: Scheme S, std::floating_point T.
func (c *cxxFile) isConcept(from, to int) bool {
	j := from
	std := false
	for c.isWord(j) && c.is(j+1, "::") && c.spaces[c.toks[j].s] && j < to {
		std = c.isWord(j, "std")
		j += 2
	}
	if !c.isWord(j) || c.types[c.toks[j].s] || !c.isWord(j+1) {
		return false
	}
	if std || j == from && c.opened["std"] {
		if slices.Contains([]string{"floating_point", "integral", "signed_integral", "unsigned_integral", "regular", "semiregular"}, c.toks[j].s) {
			return true
		}
	}
	for k := range c.toks {
		if c.isWord(k, "concept") && c.isWord(k+1, c.toks[j].s) && c.is(k+2, "=") {
			return true
		}
	}
	return false
}

// instance returns the C name of the template that token i names, with the arguments of a call, and where the call's parentheses open; ok is
// false if it is no call of a template whose arguments are known.
func (c *cxxFile) instance(i int) (name string, open int, ok bool) {
	t := c.templates[c.toks[i].s]
	if t == nil {
		return "", 0, false
	}
	open = i + 1
	args := make([]string, len(t.params))
	if c.is(open, "(") && c.functions[c.toks[i].s] { // a function of that name may be a better match
		return "", 0, false
	}
	if c.is(open, "<") {
		end := c.angle(open)
		if end < 0 {
			return "", 0, false
		}
		k := 0
		for from := open + 1; from < end; k++ {
			to := min(c.until(from, end, ","), end)
			if k == len(args) {
				return "", 0, false
			}
			args[k] = c.argumentText(t.params[k], from, to)
			from = to + 1
		}
		open = end + 1
	}
	if !c.is(open, "(") {
		return "", 0, false
	}
	for k, p := range t.params {
		if args[k] == "" && p.typ {
			args[k] = c.deduced(t, p.name, open)
		}
		if args[k] == "" {
			args[k] = p.value
		}
		if args[k] == "" || len(args[k]) > maxArgument {
			return "", 0, false
		}
	}
	of := t.item.in.with(t, args)
	defaults, references := of.defaultsOf(of.parens(t.item)), of.referencesOf(t.function())
	for _, m := range *t.made {
		if slices.Equal(m.args, args) {
			c.defaults[m.name], c.references[m.name] = defaults, references
			return m.name, open, true
		}
	}
	if len(*t.made) == maxInstances {
		return "", 0, false
	}
	name = t.instance(args)
	c.defaults[name], c.references[name] = defaults, references
	return name, open, true
}

// instance makes of t what it is for a list of arguments, and returns its name in C.
func (t *cxxTemplate) instance(args []string) string {
	name := instanceName(t.item.names[0], args, func(name string) bool {
		return slices.ContainsFunc(*t.made, func(m cxxInstance) bool { return m.name == name })
	})
	*t.made = append(*t.made, cxxInstance{name, args})
	return name
}

// instanceName returns a name in C of a template with arguments, one that is not taken.
func instanceName(name string, args []string, taken func(string) bool) string {
	for _, a := range args {
		name += "__" + strings.Map(func(r rune) rune {
			switch {
			case r == '-':
				return 'm'
			case r == '*':
				return 'p'
			case r < 128 && (r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_'):
				return r
			}
			return '_'
		}, a)
	}
	for taken(name) {
		name += "_"
	}
	return name
}

// with returns c with arguments in place of the parameters of t, and without edits.
func (c *cxxFile) with(t *cxxTemplate, args []string) *cxxFile {
	sub := *c
	sub.edits, sub.substitute, sub.types, sub.instanceArgs, sub.madeTypes = nil, map[string]string{}, maps.Clone(c.types), args, map[int]cxxType{}
	for k, p := range t.params {
		if sub.substitute[p.name] = args[k]; p.typ {
			sub.types[p.name] = true
		} else {
			sub.substitute[p.name] = "(" + args[k] + ")"
		}
	}
	return &sub
}

// use makes of the templates and the classes that hold regions what the file uses of them, so that the region is read for that.
func (c *cxxFile) use(it cxxItem) {
	for j := range c.toks {
		if it.from <= j && j < it.to || !c.isWord(j, it.names[0]) || c.is(j-1, ".") || c.is(j-1, "->") || c.inDependent(j) {
			continue
		}
		if it.class != nil {
			c.shapeAt(j)
		} else {
			c.instance(j)
		}
	}
}

// inDependent reports whether token j is in a template.
func (c *cxxFile) inDependent(j int) bool {
	return slices.ContainsFunc(c.items, func(it cxxItem) bool {
		return it.from <= j && j < it.to && c.isWord(it.from, "template") && c.is(it.from+1, "<") && !c.is(it.from+2, ">")
	})
}

// claimArguments claims that the parameters of a template are what the regions in a stretch of the source are read for.
func (c *cxxFile) claimArguments(regions [2]int, params []cxxTemplateParam, args []string) {
	for i, p := range params {
		c.claims = append(c.claims, cxxClaim{"the_template_has_the_argument_" + p.name, "char[" + c.argumentIs(p, args[i]) + " ? 1 : 2]", 1, regions[0], regions[1]})
	}
}

// argumentIs returns a condition in C++: that a parameter of a template is arg, which is in C.
func (c *cxxFile) argumentIs(p cxxTemplateParam, arg string) string {
	if !p.typ {
		return fmt.Sprintf("(%s) == (%s)", p.name, arg)
	}
	return fmt.Sprintf("__is_same(%s, %s)", p.name, c.typeInCxx(arg))
}

// typeInCxx returns a type that is in C, as the file can name it anywhere.
func (c *cxxFile) typeInCxx(typ string) string {
	for _, k := range c.shapes {
		for _, s := range *k.made {
			if s.cname == typ {
				return s.named()
			}
		}
	}
	for _, it := range c.items {
		if it.kind == cxxRecord && slices.Contains(it.names, typ) {
			return it.space + typ
		}
	}
	return shownTypes.Replace(typ)
}

// instances writes what calls have made of the templates of functions of c, as far as it is not yet written; it reports whether there was any.
func (c *cxxFile) instances() (any bool) {
	for _, it := range c.items {
		if it.kind != cxxTemplated {
			continue
		}
		t := c.templates[it.names[0]]
		if t == nil {
			continue
		}
		if regions := c.copiesIn(it); len(regions) > 0 && c.writtenOf[it.names[0]] == 0 {
			any = true
			c.writeCopies(t, regions)
			c.writtenOf[it.names[0]] = len(*t.made)
		}
		for ; c.writtenOf[it.names[0]] < len(*t.made); c.writtenOf[it.names[0]]++ {
			n := c.writtenOf[it.names[0]]
			c.write(t, (*t.made)[n], n == 0)
			any = true
		}
	}
	return any
}

// write writes an instance of t: in its place, if it is the first, else behind it.
func (c *cxxFile) write(t *cxxTemplate, m cxxInstance, first bool) {
	it := t.function()
	if !c.around(it) { // what only the code around regions calls need not be C
		c.optional = append(c.optional, [2]int{c.toks[t.item.from].from, c.toks[t.item.to-1].to})
	}
	edits := c.instanceEdits(t, m, [2]int{c.toks[it.from].from, c.toks[it.to-1].to})
	if first {
		c.leaveOut(t.item.from, t.head)
		c.edits = append(c.edits, edits...)
		return
	}
	c.appended(it, edits)
}

// instanceEdits returns what makes an instance of t of it, a function in C; the regions in the stretch are read for its arguments.
func (c *cxxFile) instanceEdits(t *cxxTemplate, m cxxInstance, regions [2]int) []cxxEdit {
	it := t.function()
	sub := c.with(t, m.args)
	sub.references = maps.Clone(c.references)
	sub.references[it.names[0]] = sub.referencesOf(it)
	open := sub.parens(it)
	if it.open > 0 {
		sub.operatorHead(it, m.name)
	} else {
		sub.edit(open-1, open, m.name)
	}
	sub.function(it)
	if sub.around(it) {
		sub.claimArguments(regions, t.params, m.args)
		c.optional, c.templateOf[m.name] = sub.optional, t.item.names[0]
	}
	c.vectors, c.snapshots, c.claims, c.called, c.refusals = sub.vectors, sub.snapshots, sub.claims, sub.called, sub.refusals
	return sub.edits
}

// onOneLine puts text on one line, without comments and pragmas; it reports false if other directives are in it.
func onOneLine(text []byte) bool {
	for i := 0; i < len(text); {
		n := notWordLen(text[i:])
		switch {
		case text[i] == '#' && atLineStart(text, i):
			end := directiveEnd(text, i)
			if !bytes.HasPrefix(bytes.TrimLeft(text[i+1:end], " \t"), []byte("pragma")) {
				return false
			}
			n = end - i
			copy(text[i:end], bytes.Repeat([]byte(" "), n))
		case n > 1 && text[i] == '/':
			n = min(n, len(text)-i)
			copy(text[i:i+n], bytes.Repeat([]byte(" "), n))
		}
		i += n
	}
	for i := range text {
		if text[i] == '\n' || text[i] == '\r' {
			text[i] = ' '
		}
	}
	return true
}

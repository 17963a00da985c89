package frontend

import (
	"slices"
	"strings"
)

// This file reads templates of functions with regions that the file uses with several lists of arguments. Their regions are there once for each list, in
// branches of if constexpr (see frontend_copies.go), and each copy is in a function of its own, which is the template with those arguments: what stands
// in front of the copy and behind it is written on lines between the copies.

// A cxxRepeated is a template with regions of which several functions or classes are made.
type cxxRepeated struct {
	from, to   int        // in the source
	args       [][]string // of a template of functions: those of each function, in C
	conditions []string   // that say so in C++
}

// isRepeated reports whether an offset of the source is in a template with regions of which several functions or classes are made.
func (p *projection) isRepeated(at int) bool { return p.repeatedAt(at) != nil }

// repeatedAt returns the template with regions, of which several functions or classes are made, that an offset of the source is in; nil if it is in none.
func (p *projection) repeatedAt(at int) *cxxRepeated {
	for i, r := range p.repeated {
		if r.from <= at && at < r.to {
			return &p.repeated[i]
		}
	}
	return nil
}

// repeated returns what is made of the item, a template.
func (c *cxxFile) repeated(it cxxItem) cxxRepeated {
	r := cxxRepeated{from: c.toks[it.from].from, to: c.toks[it.to-1].to}
	if it.kind != cxxTemplated {
		return r
	}
	t := c.templates[it.names[0]]
	for _, m := range t.instances() {
		var all []string
		for i, p := range t.params {
			all = append(all, c.argumentIs(p, m.args[i]))
		}
		r.args, r.conditions = append(r.args, m.args), append(r.conditions, strings.Join(all, " && "))
	}
	return r
}

// isCopied reports whether the regions of the item, a template, are there once for each list of its arguments.
func (c *cxxFile) isCopied(it cxxItem) bool { return len(c.copiesIn(it)) > 0 }

// A cxxCopies is a region of a template, once for each list of arguments: the statement at source[from:to].
type cxxCopies struct {
	from, to int
	copies   []cxxCopy
	rest     [2]int // the statements for other lists
}

// A cxxCopy is one of them: source[from:to], whole lines.
type cxxCopy struct {
	from, to int
	args     []string
}

// of returns the copy that is for a list of arguments; ok is false if there is none.
func (x *cxxCopies) of(args []string) (cxxCopy, bool) {
	i := slices.IndexFunc(x.copies, func(y cxxCopy) bool { return slices.Equal(y.args, args) })
	if i < 0 {
		return cxxCopy{}, false
	}
	return x.copies[i], true
}

// copiesIn returns the regions of the item, a template, that are there once for each list of its arguments.
func (c *cxxFile) copiesIn(it cxxItem) (all []cxxCopies) {
	for _, x := range c.copies {
		if c.toks[it.from].from <= x.from && x.to <= c.toks[it.to-1].to {
			all = append(all, x)
		}
	}
	return all
}

// tokensIn returns the tokens that begin in source[from:to].
func (c *cxxFile) tokensIn(from, to int) (first, last int) {
	begins := func(at int) int {
		i, _ := slices.BinarySearchFunc(c.toks, at, func(t cxxToken, at int) int { return t.from - at })
		return i
	}
	return begins(from), begins(to)
}

// copied rewrites the statement that token i begins, if that is a region with its copies, as the copy for the arguments that c is written for, and returns what
// follows it: i if it is another statement.
func (w *cxxAround) copied(i int) int {
	k := slices.IndexFunc(w.copies, func(x cxxCopies) bool { return x.from == w.toks[i].from })
	if k < 0 {
		return i
	}
	x := w.copies[k]
	_, end := w.tokensIn(x.from, x.to)
	from, to := w.tokensIn(x.rest[0], x.rest[1])
	if mine, ok := x.of(w.instanceArgs); ok {
		from, to = w.tokensIn(mine.from, mine.to)
	}
	w.edit(i, from, "") // with its directives
	w.statements(from, to)
	w.edit(to, end, "")
	return end
}

// writeCopies writes t for each copy of its regions, of which there are some.
func (c *cxxFile) writeCopies(t *cxxTemplate, regions []cxxCopies) {
	it := t.function()
	start, end := c.toks[it.from].from, c.toks[it.to-1].to
	taken := map[string]bool{}
	var edits, last []cxxEdit // last are those of the function before
	done := start
	for _, x := range regions {
		for _, y := range x.copies {
			mine := c.instanceEdits(t, cxxInstance{c.copyName(t, y.args, taken), y.args}, [2]int{y.from, y.to})
			if done > start || y.from < done {
				before, parts, ok := c.onLine(done, end, last)
				behind, more, fits := c.onLine(start, y.from, mine)
				if !ok || !fits {
					c.refuseDirective(t.item, regions)
					return
				}
				edits = append(edits, cxxEdit{from: done, to: y.from, text: before + " " + behind, parts: append(parts, shifted(more, len(before)+1)...)})
				edits = append(edits, editsIn(mine, y.from, y.to)...)
			} else {
				edits = append(edits, editsIn(mine, start, y.to)...)
			}
			done, last = y.to, mine
		}
	}
	c.leaveOut(t.item.from, t.head)
	c.edits = append(append(c.edits, edits...), editsIn(last, done, end)...)
}

// refuseDirective refuses the directive of the item, a template, that cannot be on a line with what is around its regions.
func (c *cxxFile) refuseDirective(it cxxItem, regions []cxxCopies) {
	for j := it.from; j < it.to; j++ {
		t := c.toks[j]
		in := slices.ContainsFunc(regions, func(x cxxCopies) bool { return x.from <= t.from && t.to <= x.to })
		if t.kind == cxxDirective && !in && directiveWord([]byte(t.s)) != "pragma" {
			c.refusals = append(c.refusals, cxxRefusal{t.from, t.to, "a directive around a region in a template that this file uses with several lists of arguments",
				"what is around the region is read once for each list, where no line can begin", "put what the directive chooses into a function or a macro"})
			return
		}
	}
}

// copyName returns the name in C of the function that t is with arguments, for one of its regions: that of the first region is called elsewhere.
func (c *cxxFile) copyName(t *cxxTemplate, args []string, taken map[string]bool) string {
	name := ""
	for _, m := range *t.made {
		if slices.Equal(m.args, args) {
			name = m.name
		}
	}
	if name == "" {
		name = t.instance(args)
	}
	for taken[name] {
		name += "_"
	}
	taken[name] = true
	return name
}

// editsIn returns the edits in source[from:to].
func editsIn(edits []cxxEdit, from, to int) []cxxEdit {
	return slices.DeleteFunc(slices.Clone(edits), func(e cxxEdit) bool { return e.from < from || e.to > to })
}

// onLine returns source[from:to] with edits, without comments and pragmas, on one line, and where its parts are from; ok is false if it holds other directives.
func (c *cxxFile) onLine(from, to int, edits []cxxEdit) (text string, parts []projectedPart, ok bool) {
	inner := editsIn(edits, from, to)
	for i := range inner {
		inner[i].from -= from
		inner[i].to -= from
		inner[i].parts = slices.Clone(inner[i].parts)
		for k := range inner[i].parts {
			inner[i].parts[k].from -= from
			inner[i].parts[k].to -= from
		}
	}
	p := projected(c.text[from:to], inner)
	if !onOneLine(p.text) {
		return "", nil, false
	}
	for i := range p.parts {
		p.parts[i].from += from
		p.parts[i].to += from
		p.parts[i].copied = true
	}
	return string(p.text), p.parts, true
}

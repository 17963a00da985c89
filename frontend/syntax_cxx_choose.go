package frontend

import (
	"slices"
	"strings"
)

// This file chooses those declarations of a C++ file that a region needs. Others are left out while the file is read.

// words calls visit for the words in tokens[from:to], those of macros included.
func (c *cxxFile) words(from, to int, visit func(string)) {
	for j := from; j < to; j++ {
		switch c.toks[j].kind {
		case cxxWord:
			visit(c.toks[j].s)
		case cxxDirective:
			for _, t := range cxxTokens([]byte(strings.TrimLeft(c.toks[j].s, "# \t"))) {
				visit(t.s)
			}
		}
	}
}

// choose marks the items that regions need: functions around regions, and what the regions, what is declared around them
// and macros name; of functions that only the rest of such a function calls, the head.
func (c *cxxFile) choose() {
	needed, mentioned := map[string]bool{}, map[string]bool{}
	for _, t := range c.toks {
		if t.kind == cxxDirective && strings.HasPrefix(strings.TrimLeft(t.s[1:], " \t"), "define") {
			for _, w := range cxxTokens([]byte(strings.TrimLeft(t.s, "# \t"))) {
				mentioned[w.s] = true
			}
		}
	}
	for i, it := range c.items {
		if it.body > 0 && it.kind == cxxPlain && c.around(it) {
			c.items[i].keep = cxxAll
			c.words(it.from, it.body, func(w string) { needed[w] = true })
			c.words(it.body, it.to, func(w string) { mentioned[w] = true })
			inside := false
			for j := it.body; j < it.to; j++ {
				if mark := c.mark(j); mark != "" {
					inside = mark == "scop"
				}
				if inside {
					c.words(j, j+1, func(w string) { needed[w] = true })
				}
				for w := range c.includedBy(j) {
					mentioned[w] = true
					needed[w] = needed[w] || inside
				}
			}
			c.neededByLambdas(it, needed)
		}
	}
	for i, it := range c.items {
		if it.class != nil && c.around(cxxItem{body: it.from, to: it.to}) {
			c.items[i].keep = cxxAll
			c.words(it.from, it.to, func(w string) { needed[w] = true })
			if len(it.class.params) == 0 {
				it.class.shape(nil)
			} else {
				c.use(it)
			}
		}
		if it.member != nil && c.around(it) {
			c.words(it.from, it.to, func(w string) { needed[w] = true })
			it.member.shape(nil)
		}
		if it.kind == cxxTemplated && c.around(it) {
			c.words(it.from, it.to, func(w string) { needed[w] = true })
			c.use(it)
		}
	}
	c.close(needed, mentioned)
	for _, it := range c.items {
		if it.keep != cxxNothing && !slices.ContainsFunc(it.names, func(n string) bool { return needed[n] }) && !(it.body > 0 && c.around(it)) {
			c.optional = append(c.optional, [2]int{c.toks[it.from].from, c.toks[it.to-1].to})
		}
	}
}

// chooseInHeader marks the items of a header that can be read; of a function that could not be, the head.
func (c *cxxFile) chooseInHeader() {
	for i, it := range c.items {
		forced := c.forced[c.toks[it.from].from]
		switch {
		case it.kind == cxxBeyond || forced > 1 || forced > 0 && it.body == 0:
			continue
		case it.kind == cxxPlain && !c.isPlainHead(it):
			continue
		case forced > 0:
			c.items[i].keep = cxxHead
		default:
			c.items[i].keep = cxxAll
		}
		c.optional = append(c.optional, [2]int{c.toks[it.from].from, c.toks[it.to-1].to})
	}
}

// close marks what is needed, and what that needs.
func (c *cxxFile) close(needed, mentioned map[string]bool) {
	for again := true; again; {
		again = false
		for i, it := range c.items {
			any := func(in map[string]bool) bool {
				return slices.ContainsFunc(it.names, func(n string) bool { return in[n] })
			}
			keep := cxxNothing
			switch {
			case it.kind == cxxBeyond, c.forced[c.toks[it.from].from] > 0:
			case any(needed), c.operates(it, needed):
				keep = cxxAll
			case it.kind == cxxTemplated:
			case any(mentioned) && it.body > 0 && c.isPlainHead(it):
				keep = cxxHead
			case any(mentioned) && it.body == 0 && (c.isPlainHead(it) || c.isArrays(it)):
				keep = cxxAll
			}
			if keep <= it.keep {
				continue
			}
			c.items[i].keep, again = keep, true
			into, end := needed, it.to
			if keep == cxxHead {
				into, end = mentioned, it.body
			}
			if it.body == 0 && !any(needed) {
				into = mentioned
			}
			c.words(it.from, end, func(w string) { into[w] = true })
		}
	}
}

// isArrays reports whether it declares std::array of numbers.
func (c *cxxFile) isArrays(it cxxItem) bool {
	t, ok := c.typeAt(it.from)
	return ok && t.elem != nil && t.dims != "" && t.shape == nil && !t.reference && c.isWord(t.end)
}

// isPlainHead reports whether the head of a function, or what declares a variable, is C.
func (c *cxxFile) isPlainHead(it cxxItem) bool {
	end := it.body
	if end == 0 {
		end = it.to
	}
	for j := it.from; j < end; j++ {
		if c.is(j, "=") || c.is(j, "{") { // what follows is a value
			break
		}
		if c.is(j, "<") || c.is(j, "&") || c.is(j, "&&") || c.isWord(j, "auto", "operator") || c.isWord(j) && c.classes[c.toks[j].s] || c.is(j, "::") && !(c.isWord(j-1) && c.spaces[c.toks[j-1].s]) || c.isStdType(j) {
			return false
		}
	}
	return true
}

// isStdType reports whether token j is a type of namespace std that is not C.
func (c *cxxFile) isStdType(j int) bool {
	return c.is(j, "::") && c.isWord(j-1, "std") && c.isWord(j+1) && !c.types[c.toks[j+1].s] && !c.isWord(j+1, "FILE", "time_t", "clock_t")
}

// mark returns scop or endscop if token j is such a pragma.
func (c *cxxFile) mark(j int) string {
	t := c.toks[j]
	if t.kind != cxxDirective {
		return ""
	}
	if m := regionMark.FindStringSubmatch(t.s); m != nil && (m[1] == "scop" || m[1] == "endscop") {
		return m[1]
	}
	return ""
}

// around reports whether a region is in the function it.
func (c *cxxFile) around(it cxxItem) bool {
	for j := it.body; j < it.to; j++ {
		if c.mark(j) != "" {
			return true
		}
	}
	return false
}

package frontend

import (
	"slices"
	"strings"
)

// This file writes output to streams as calls of a function that reads what is written.

// stream rewrites the statement that begins with token i if it writes to std::cout, std::cerr or std::clog, and returns its end: i, if it
// does not, or if what it writes is no C.
func (c *cxxFile) stream(i, to int) int {
	if !c.beginsStatement(i) {
		return i
	}
	j := i
	if c.isWord(j, "std") && c.is(j+1, "::") {
		j += 2
	}
	if !c.isWord(j, "cout", "cerr", "clog") || j == i && !c.opened["std"] && !c.opened[c.toks[j].s] {
		return i
	}
	end := c.until(i, to, ";")
	if end == to {
		return i
	}
	text := "__hexcc_use(0"
	switch {
	case c.is(j+1, "<<"):
		for from := j + 2; from < end; {
			next := c.until(from, end, "<<")
			if !c.manipulates(from, next) {
				if !c.isValue(from, next) {
					return i
				}
				text += ", " + c.rewritten(from, next)
			}
			from = next + 1
		}
	case c.is(j+1, ".") && c.isWord(j+2) && c.is(j+3, "(") && c.match[j+3] == end-1: // std::cout.precision(17)
		if j+4 < end-1 {
			if !c.isValue(j+4, end-1) {
				return i
			}
			text += ", " + c.rewritten(j+4, end-1)
		}
	default:
		return i
	}
	c.edit(i, end-1, text)
	c.edit(end-1, end, ")") // there, so that the statement ends where it does
	return end
}

// beginsStatement reports whether a statement may begin with token i, by what stands before it.
func (c *cxxFile) beginsStatement(i int) bool {
	return c.is(i-1, ";") || c.is(i-1, "{") || c.is(i-1, "}") || c.is(i-1, ")") || c.is(i-1, ":") || c.isWord(i-1, "else", "do") || i > 0 && c.toks[i-1].kind == cxxDirective
}

// manipulates reports whether tokens[from:to] are text, or change how a stream writes.
func (c *cxxFile) manipulates(from, to int) bool {
	if from == to || !slices.ContainsFunc(c.toks[from:to], func(t cxxToken) bool { return t.kind != cxxString }) {
		return true
	}
	if c.isWord(from, "std") && c.is(from+1, "::") {
		from += 2
	} else if !c.opened["std"] && !c.opened[c.toks[from].s] {
		return false
	}
	if !c.isWord(from) || !slices.Contains(cxxManipulators, c.toks[from].s) {
		return false
	}
	return to == from+1 || c.is(from+1, "(") && c.match[from+1] == to-1 && (to == from+4 && c.toks[from+2].kind != cxxPunct || to == from+3)
}

// cxxManipulators are what is written to a stream to change how it writes.
var cxxManipulators = strings.Fields("endl flush ends setw setprecision setfill setbase fixed scientific defaultfloat hexfloat left right internal showpos noshowpos showpoint boolalpha hex dec oct")

// isValue reports whether tokens[from:to] look like an expression of C, but for what is rewritten.
func (c *cxxFile) isValue(from, to int) bool {
	for j := from; j < to; j++ {
		t := c.toks[j]
		switch {
		case t.kind == cxxDirective, t.kind == cxxPunct && (t.s == "{" || t.s == "[" && !c.isWord(j-1) && !c.is(j-1, ")") && !c.is(j-1, "]")):
			return false
		case c.isWord(j) && slices.Contains(cxxStreams, t.s) && (c.is(j-1, "::") || c.opened["std"]):
			return false
		case c.isAssignment(j), c.is(j, "++"), c.is(j, "--"):
			return false
		}
	}
	return true
}

package frontend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file writes what C++'s library declares in C: functions of <cmath> and <algorithm>, and vectors.

// library rewrites what token i names in namespace std; qualified says that std:: stands before it.
func (c *cxxFile) library(i, to int, qualified bool) int {
	if !c.isWord(i) {
		return i
	}
	name := c.toks[i].s
	visible := qualified || !c.functions[name] && (c.opened["std"] || c.opened[name])
	if name == "vector" && c.is(i+1, "<") {
		return c.vector(i, to)
	}
	if c.types[name] && qualified {
		if end := c.conversion(i, to); end > i {
			return end
		}
		return c.initialised(i, to)
	}
	open := i + 1
	given := ""
	if c.is(open, "<") {
		end := c.angle(open)
		if end < 0 || !c.is(end+1, "(") {
			return i + 1
		}
		given, open = c.rewritten(open+1, end), end+1
	}
	if !c.is(open, "(") || c.match[open] <= open {
		return i + 1
	}
	args := c.arguments(open)
	switch {
	case (name == "max" || name == "min") && visible && len(args) == 2:
		c.edit(i, open, "__hexcc_"+name)
		if given != "" {
			for _, a := range args {
				c.before(a[0], "("+given+")(")
				c.behind(a[1]-1, ")")
			}
		}
	case name == "swap" && visible && len(args) == 2:
		c.edit(i, i+1, "__hexcc_swap")
	case name == "move" && qualified:
		c.edit(i, i+1, "")
	case c.functions[name] && !qualified:
	case name == "abs" && len(args) == 1:
		if visible || c.wrapped {
			c.edit(i, i+1, "__hexcc_abs")
			c.claim(qualified, "abs", "abs(0.0)", 8)
		} else {
			c.claim(qualified, "abs", "abs(0.0)", 4)
		}
	default:
		n, known := scop.Computable(name)
		single := strings.HasSuffix(name, "f") && name != "erf"
		if !known || n != len(args) || single || name == "labs" || name == "llabs" {
			break
		}
		if visible || c.wrapped {
			c.edit(i, i+1, fmt.Sprintf("__hexcc_%d", n))
			c.before(open+1, name+", ")
			c.claim(qualified, name, name+strings.Repeat("(0.0f", 1)+strings.Repeat(", 0.0f", n-1)+")", 4)
		} else {
			c.claim(qualified, name, name+"(0.0f"+strings.Repeat(", 0.0f", n-1)+")", 8)
		}
	}
	return i + 1
}

// claim notes which of the functions called name is seen without std::.
func (c *cxxFile) claim(qualified bool, name, text string, size int64) {
	claim := cxxClaim{fmt.Sprintf("%s_is_of_%d_bytes", name, size), text, size}
	if !qualified && !slices.Contains(c.claims, claim) {
		c.claims = append(c.claims, claim)
	}
}

// vector rewrites the declaration of vectors, whose word is token i.
func (c *cxxFile) vector(i, to int) int {
	end := c.angle(i + 1)
	if end < 0 || !c.isWord(end+1) {
		return i + 1
	}
	elem := c.rewritten(i+2, end)
	if strings.Contains(elem, "<") || elem == "_Bool" {
		return i + 1
	}
	c.edit(i, end+1, elem)
	j := end + 1
	for j < to && c.isWord(j) {
		name := c.toks[j].s
		c.vectors[name] = true
		count := "__hexcc_use(0)"
		next := j + 1
		switch {
		case c.is(next, "("):
			if a := c.arguments(next)[0]; !c.resized(name) && c.until(a[0], a[1], ".") == a[1] {
				count = c.rewritten(a[0], a[1])
			}
			next = c.match[next] + 1
		case c.is(next, "{"):
			next = c.match[next] + 1
		case c.is(next, "="):
			for next < to && !c.is(next, ",") && !c.is(next, ";") {
				if c.is(next, "(") || c.is(next, "{") || c.is(next, "[") {
					next = c.match[next]
				}
				next++
			}
		}
		c.edit(j, next, fmt.Sprintf("*%s = (%s *)calloc(%s, sizeof(%s))", name, elem, count, elem))
		if !c.is(next, ",") {
			return next
		}
		j = next + 1
	}
	return j
}

// resized reports whether vector name may change its size.
func (c *cxxFile) resized(name string) bool {
	for j := range c.toks {
		if c.isWord(j, name) && (c.is(j+1, "=") || c.is(j+1, ".") && !c.isWord(j+2, "data", "size", "begin", "end", "cbegin", "cend", "front", "back", "at", "empty")) {
			return true
		}
	}
	return false
}

// ofVector rewrites a member of the vector that token i names.
func (c *cxxFile) ofVector(i, to int) int {
	switch {
	case c.isWord(i+2, "data") && c.is(i+3, "(") && c.is(i+4, ")"):
		c.edit(i+1, i+5, "")
		return i + 5
	case c.isWord(i+2, "size") && c.is(i+3, "(") && c.is(i+4, ")"):
		c.edit(i, i+5, fmt.Sprintf("((unsigned long)__hexcc_use(0, %s))", c.toks[i].s))
		return i + 5
	case c.isWord(i+2, "swap") && c.is(i+3, "("):
		c.edit(i, i+4, "__hexcc_swap("+c.toks[i].s+", ")
		return i + 4
	}
	return i + 1
}

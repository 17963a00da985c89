package frontend

import (
	"slices"
	"strings"
)

// This file writes statements around a region that are no C as uses of the variables in them: __hexcc_use(0, a, &b) reads a and may set b.

// use makes a statement of the variables in tokens[from:to].
func (w *cxxAround) use(from, to int) {
	for j := from; j < to; j++ { // directives stay
		if w.toks[j].kind == cxxDirective {
			w.edit(from, j, "")
			from = j + 1
		}
	}
	if from >= to {
		return
	}
	text := w.uses(from, to) + ";"
	if head, all := w.numbers(from, to); len(all) > 0 { // their values are not known, but their types are
		var made []string
		for _, at := range all {
			text, end := w.toks[at].s, w.until(at, to-1, ",")
			if at+1 < end {
				text += " = " + w.uses(at+1, end+1)
			}
			made = append(made, text)
			w.known[w.toks[at].s] = true
		}
		w.edit(from, to, head+" "+strings.Join(made, ", ")+";")
		return
	}
	if w.isWord(from, "return", "throw") {
		text = "{ " + text + " return; }"
	}
	w.edit(from, to, text)
	if name := w.declaredStrange(from, to); name != "" {
		w.strange[name] = true
		delete(w.known, name)
	}
}

// numbers returns the type of the variables that tokens[from:to] declare, if they are numbers, and the tokens that are their names.
func (w *cxxAround) numbers(from, to int) (typ string, names []int) {
	j, numbers := from, 0
	for w.isWord(j, "const", "static", "constexpr", "std", "long", "unsigned") || w.is(j, "::") || w.isWord(j) && w.types[w.toks[j].s] && !w.records[w.toks[j].s] {
		if w.types[w.toks[j].s] {
			numbers++
		}
		j++
	}
	if numbers == 0 || !w.is(to-1, ";") {
		return "", nil
	}
	typ = w.rewritten(from, j)
	for ; j < to-1; j = w.until(j, to-1, ",") + 1 {
		made := w.is(j+1, "=") || w.is(j+1, "{") || w.is(j+1, "(")
		if !w.isWord(j) || !made && !w.is(j+1, ",") && !w.is(j+1, ";") {
			return "", nil
		}
		names = append(names, j)
	}
	return typ, names
}

// declaredStrange returns the variable that tokens[from:to] declare, "" if they look like no declaration.
func (w *cxxAround) declaredStrange(from, to int) string {
	j := from
	for w.isWord(j, "const", "static", "auto", "constexpr") {
		j++
	}
	words := j - from
	for j < to && (w.isWord(j) || w.is(j, "::")) {
		if w.isWord(j) && (w.is(j+1, "(") || w.is(j+1, "{") || w.is(j+1, "=") || w.is(j+1, ";") || w.is(j+1, ",") || w.is(j+1, "[")) {
			if words > 0 && !w.is(j-1, "::") {
				return w.toks[j].s
			}
			return ""
		}
		if w.is(j+1, "<") {
			end := w.angle(j + 1)
			if end < 0 {
				return ""
			}
			j = end
		}
		words++
		for w.is(j+1, "&") || w.is(j+1, "*") || w.is(j+1, "&&") {
			j++
		}
		j++
	}
	return ""
}

// uses returns a call that reads the variables in tokens[from:to], and may set those that these may set.
func (w *cxxAround) uses(from, to int) string {
	all := false
	for j := from; j+1 < to; j++ {
		lambda := w.is(j, "[") && (w.is(j+1, "&") || w.is(j+1, "=") || w.is(j+1, "]"))
		reference := w.is(j, "&") && (w.isWord(j+1) && (w.is(j+2, "=") || w.is(j+2, "{") || w.is(j+2, "(")) || w.is(j+1, "["))
		all = all || lambda || reference
	}
	set := map[string]bool{}
	var names []string
	for j := from; j < to; j++ {
		name := w.toks[j].s
		if root := w.roots[name]; root != "" && w.isWord(j) && !w.is(j-1, ".") && !w.is(j-1, "->") {
			name, set[root] = root, true
		}
		for _, v := range w.capturesAt(j) { // of a lambda, which sets none of them
			if w.known[v.name] && !slices.Contains(names, v.name) {
				names = append(names, v.name)
			}
		}
		if !w.isWord(j) || !w.known[name] || w.is(j-1, ".") || w.is(j-1, "->") || w.is(j-1, "::") {
			continue
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		t, _, _ := w.variableAt(j)
		set[name] = set[name] || all || w.mayBeSet(j, from) || t.shape != nil && t.pointers == 0 && !t.constant
	}
	text := "__hexcc_use(0"
	for _, name := range names {
		switch {
		case w.pointed[name], w.vectors[name], !set[name]:
			text += ", " + name
		default:
			text += ", &" + name
		}
	}
	return text + ")"
}

// mayBeSet reports whether what stands around token j may set the variable that it names.
func (w *cxxAround) mayBeSet(j, from int) bool {
	if w.isAssignment(j+1) || w.is(j+1, "++") || w.is(j+1, "--") || w.is(j-1, "++") || w.is(j-1, "--") || w.is(j-1, ">") && w.is(j-2, ">") {
		return true
	}
	if w.is(j-1, "&") && !w.isWord(j-2) && !w.is(j-2, ")") && !w.is(j-2, "]") && w.toks[j-2].kind != cxxNumber {
		return true
	}
	if !(w.is(j-1, "(") || w.is(j-1, ",") || w.is(j-1, "{")) || !(w.is(j+1, ")") || w.is(j+1, ",") || w.is(j+1, "}")) {
		return false
	}
	open := j - 1
	for open > from && !w.is(open, "(") && !w.is(open, "{") {
		if w.match[open] >= 0 && w.match[open] < open {
			open = w.match[open]
		}
		open--
	}
	return !(w.isWord(open-1) && (w.is(open-2, "::") && w.isWord(open-3, "std") || w.isWord(from, "std") && open-1 > from)) && !w.is(open-1, ">")
}

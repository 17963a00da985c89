package frontend

import (
	"maps"
	"slices"
	"strings"
)

// This file rewrites the function around a region. Statements that are no C become __hexcc_use(0, a, &b), which reads a
// and may set b.

// A cxxAround goes through the statements of a function.
type cxxAround struct {
	*cxxFile
	known   map[string]bool   // names of variables that C knows here
	strange map[string]bool   // names of variables that it does not know
	roots   map[string]string // by the name of a reference that stands for a variable or a member: that variable
}

// function rewrites the body of the function it, whose parameters open at open.
func (w *cxxAround) function(it cxxItem, open int) {
	for _, x := range w.items {
		if x.keep == cxxAll && x.body == 0 && x.kind == cxxPlain && !w.isWord(x.from, "typedef") {
			for _, n := range x.names {
				w.known[n] = true
			}
		}
	}
	pointers := map[string]bool{}
	for _, p := range w.parameters(open) {
		w.known[p.name] = true
		if t, _ := w.typeAt(p.from); p.reference >= 0 && !p.vector && !p.array && !t.smart && w.assigned(it, p.name) {
			pointers[p.name] = true
		}
	}
	outer := w.pointed
	w.pointed = pointers
	w.block(it.body+1, it.to-1)
	w.pointed = outer
}

// block rewrites the statements tokens[i:end].
func (w *cxxAround) block(i, end int) {
	known, strange, roots, substitute := w.known, w.strange, w.roots, w.substitute
	w.known, w.strange = maps.Clone(known), maps.Clone(strange)
	w.statements(i, end)
	w.known, w.strange, w.roots, w.substitute = known, strange, roots, substitute
}

// statements rewrites those of a block in tokens[i:end].
func (w *cxxAround) statements(i, end int) {
	for i < end {
		if w.mark(i) == "scop" {
			close := i + 1
			for close < end && w.mark(close) != "endscop" {
				close++
			}
			w.rewrite(i, close, false)
			i = close
			continue
		}
		i = w.statement(i, end)
	}
}

// holdsMark reports whether a pragma of a region is in tokens[from:to].
func (w *cxxAround) holdsMark(from, to int) bool {
	for j := from; j < to; j++ {
		if w.mark(j) != "" {
			return true
		}
	}
	return false
}

// after returns what follows the statement at i.
func (w *cxxAround) after(i, end int) int {
	switch {
	case i >= end:
		return end
	case w.toks[i].kind == cxxDirective:
		return i + 1
	case w.is(i, "{"):
		return w.match[i] + 1
	case w.isWord(i, "if", "for", "while", "switch", "catch") && w.is(i+1, "("):
		next := w.after(w.match[i+1]+1, end)
		for w.isWord(i, "if") && w.isWord(next, "else") {
			return w.after(next+1, end)
		}
		return next
	case w.isWord(i, "do", "else"):
		next := w.after(i+1, end)
		if w.isWord(i, "do") {
			return min(w.until(next, end, ";")+1, end)
		}
		return next
	case w.isWord(i, "try"):
		next := w.after(i+1, end)
		for w.isWord(next, "catch") {
			next = w.after(next, end)
		}
		return next
	}
	return min(w.until(i, end, ";")+1, end)
}

// statement rewrites the statement at i and returns what follows it.
func (w *cxxAround) statement(i, end int) int {
	if next := w.copied(i); next > i {
		return next
	}
	next := w.after(i, end)
	inner := w.holdsMark(i, next)
	switch {
	case w.toks[i].kind == cxxDirective || w.is(i, ";"):
		return i + 1
	case w.is(i, "{"):
		w.block(i+1, w.match[i])
		return next
	case w.isWord(i, "case", "default"):
		colon := w.until(i, end, ":")
		w.rewrite(i, colon, false)
		return colon + 1
	case w.isWord(i) && w.is(i+1, ":") && !w.is(i+1, "::"):
		return i + 2
	case w.forced[w.toks[i].from] > 0 && !inner:
		if l, ok := w.lambdaAt(i); ok {
			w.noteForced(i, l)
		}
		w.use(i, next)
		return next
	case w.isWord(i, "if", "for", "while", "switch") && w.is(i+1, "("):
		return w.control(i, next, inner)
	case w.isWord(i, "do"):
		body := w.statement(i+1, end)
		w.rewrite(body, next, false)
		return next
	case w.isWord(i, "try") && !inner:
		w.use(i, next)
		return next
	case w.isWord(i, "try") && w.is(i+1, "{") && !w.holdsMark(w.match[i+1], next):
		w.edit(i, i+1, "")
		w.block(i+2, w.match[i+1])
		w.use(w.match[i+1]+1, next) // handlers may read and set what they name
		return next
	}
	if w.lambda(i) > i {
		return next
	}
	if w.aliasOfVector(i) == next {
		w.edit(i, next, ";")
		return next
	}
	if w.named(i, next, w.endOfBlock(i, len(w.toks))) > i {
		return next
	}
	if w.isPlain(i, next) {
		w.optional = append(w.optional, [2]int{w.toks[i].from, w.toks[next-1].to})
		w.rewrite(i, next, false)
		w.declare(i, next)
	} else {
		w.use(i, next)
	}
	return next
}

// control rewrites an if, a loop or a switch at i, up to next.
func (w *cxxAround) control(i, next int, inner bool) int {
	open := i + 1
	close := w.match[open]
	known, strange := w.known, w.strange
	w.known, w.strange = maps.Clone(known), maps.Clone(strange)
	defer func() { w.known, w.strange = known, strange }()
	parts := 0
	for j := open + 1; j < close; j = w.until(j, close, ";") + 1 {
		parts++
	}
	ranged := w.isWord(i, "for") && parts == 1 && !w.is(close-1, ";")
	plain := w.isPlain(open+1, close) && !ranged
	if !inner {
		w.optional = append(w.optional, [2]int{w.toks[i].from, w.toks[next-1].to})
	}
	switch {
	case plain:
		w.rewrite(open, close+1, false)
		w.declare(open+1, close)
	case !w.isWord(i, "for") && parts == 1:
		w.edit(open+1, close, w.uses(open+1, close))
	case inner:
		w.rewrite(open, close+1, false)
	default:
		w.use(i, next)
		return next
	}
	body := w.statement(close+1, next)
	if w.isWord(body, "else") && body < next {
		w.statement(body+1, next)
	}
	return next
}

// declare notes the variables that tokens[from:to] declare.
func (w *cxxAround) declare(from, to int) {
	it := cxxItem{from: from, to: to}
	w.declared(&it, from)
	for _, n := range it.names {
		if !w.types[n] && !w.functions[n] {
			w.known[n] = true
		}
	}
}

// streams are names that begin or stand in what is no C.
var cxxStreams = strings.Fields(`cout cerr clog cin endl flush string vector array map set unordered_map list deque pair tuple optional function unique_ptr shared_ptr make_unique make_shared
	thread mutex future async fill fill_n copy copy_n generate iota accumulate for_each transform sort max_element min_element minmax_element chrono this_thread ofstream ifstream fstream
	stringstream ostringstream istringstream numeric_limits complex valarray mt19937 random_device uniform_real_distribution normal_distribution uniform_int_distribution to_string stoi stod
	getline setprecision setw fixed scientific initializer_list tie ref cref exception runtime_error throw try catch dynamic_cast typeid co_await lock_guard filesystem string_view`)

// isPlain reports whether tokens[from:to] look like C once they are rewritten.
func (w *cxxAround) isPlain(from, to int) bool {
	if w.declaresVectors(from, to) || w.declaresOwned(from, to) || w.declaresSmart(from, to) || w.declaresArrayOfVectors(from, to) {
		return true
	}
	allowed := from // what stands before is done with an object
	for j := from; j < to; j++ {
		t := w.toks[j]
		if list, end, _, _ := w.links(j); len(list) > 0 && end <= to && !w.is(j-1, ".") && !w.is(j-1, "->") && w.plainLinks(list) {
			allowed = max(allowed, list[len(list)-1].open)
		}
		if _, f, end := w.staticAt(j); f != nil && end <= to {
			allowed = max(allowed, end)
		}
		qualified := w.is(j-1, "::") && w.isWord(j-2, "std") || w.opened["std"]
		switch {
		case t.kind == cxxDirective:
		case t.s == "::" && j >= allowed && w.isWord(j-1) && !w.spaces[w.toks[j-1].s]:
			return false
		case t.s == "[" && !w.isWord(j-1) && !w.is(j-1, ")") && !w.is(j-1, "]") && !(w.is(j+1, "[")) && !w.ofPointers(j): // a lambda
			return false
		case t.kind != cxxWord:
		case j < allowed:
		case w.isLambda(j) && w.is(j+1, "("):
		case w.isLambda(j):
			return false
		case w.isWord(j, "this") && w.self != nil:
		case w.isWord(j, "throw", "try", "dynamic_cast", "typeid", "template", "operator", "this", "class"), w.classes[t.s], w.strange[t.s],
			w.unreadable[t.s] && (w.is(j+1, "(") || w.is(j+1, "<")):
			return false
		case w.isClass(j):
			s, end := w.shapeAt(j)
			if s == nil {
				return false
			}
			allowed = end
			for k := end; w.isWord(k) && (w.is(k+1, "(") || w.is(k+1, "{")); k = j + 2 { // declaresObjects reads of what it is made no more than the variables
				if j = w.match[k+1]; !w.is(j+1, ",") {
					break
				}
			}
		case w.isWord(j, "vector") && qualified:
			if !w.isVector(j) {
				return false
			}
		case qualified && w.isWord(j, "array") && w.isArray(j):
			j = w.angle(j + 1)
		case qualified && slices.Contains(cxxStreams, t.s):
			return false
		case w.isWord(j, "auto") && (w.is(j+1, "&") || w.is(j+1, "&&") || w.is(j+1, "[")):
			return false
		case w.is(j+1, "=") && w.isObject(j): // it is copied with all that it leads to
			return false
		case w.vectorTypes[t.s].in != nil:
		case w.roots[t.s] != "" && !w.is(j-1, ".") && !w.is(j-1, "->") && !w.isElement(j) && w.isOwned(j):
			return false
		case w.vectors[t.s] && !w.is(j-1, ".") && !w.is(j-1, "->") && !w.isElement(j):
			return false
		case (w.is(j-1, ".") || w.is(j-1, "->")) && w.is(j+1, "(") && !(w.isWord(j-2) && w.vectors[w.toks[j-2].s]):
			return false
		case w.is(j+1, "<") && j+2 < to && !w.isWord(j, "static_cast", "const_cast", "reinterpret_cast", "max", "min", "vector"):
			if end := w.angle(j + 1); end > 0 && end < to && (w.is(end+1, "(") || w.is(end+1, "{") || w.isWord(end+1) && w.isWord(j+2)) && !w.is(j+2, "(") && !w.known[t.s] {
				return false
			}
		}
	}
	return true
}

// ofPointers reports whether token j, a bracket, is that of new T *[n].
func (w *cxxAround) ofPointers(j int) bool {
	k := j - 1
	for w.is(k, "*") {
		k--
	}
	if k == j-1 {
		return false
	}
	for w.isWord(k) && !w.isWord(k, "new") || w.is(k, "::") {
		k--
	}
	return w.isWord(k, "new")
}

// isObject reports whether token j names an object of a class with methods.
func (w *cxxAround) isObject(j int) bool {
	if !w.isWord(j) || w.is(j-1, ".") || w.is(j-1, "->") || w.declares(j) >= 0 {
		return false
	}
	t, at, _ := w.variableAt(j)
	return at >= 0 && t.shape != nil && t.pointers == 0
}

// plainLinks reports whether what is called of objects is in C, too.
func (w *cxxAround) plainLinks(list []cxxLink) bool {
	return !slices.ContainsFunc(list, func(l cxxLink) bool {
		return l.method != nil && !l.shape.def.in.of(l.shape, l.method).projects(l.shape, l.method)
	})
}

// isArray reports whether token j begins the type of arrays that C has, too.
func (w *cxxAround) isArray(j int) bool {
	if w.is(j-1, "::") {
		j -= 2
	}
	t, ok := w.typeAt(j)
	return ok && t.dims != ""
}

// declaresVectors reports whether tokens[from:to] declare vectors of numbers, or of vectors: what they begin with is left out, but for how many elements or rows there are.
func (w *cxxAround) declaresVectors(from, to int) bool {
	t, ok := w.typeAt(from)
	if !ok || t.elem == nil || t.dims != "" || t.shape != nil || t.reference || !t.isRows() && w.isUnique(from, t.end) {
		return false
	}
	j := t.end
	for w.isWord(j) {
		next := j + 1
		switch {
		case w.is(next, "("):
			if a := w.arguments(next); len(a) == 0 || !w.isPlain(a[0][0], a[0][1]) {
				return false
			}
			next = w.match[next] + 1
		case w.is(next, "{"):
			next = w.match[next] + 1
		case w.is(next, "="):
			next = w.until(next, to, ",")
			next = min(next, w.until(j, to, ";"))
		}
		if !w.is(next, ",") {
			return w.is(next, ";") && next < to
		}
		j = next + 1
	}
	return false
}

// declaresArrayOfVectors reports whether tokens[from:to] declare std::array<std::vector<double>, 2> or the like, of what they are made is left out.
func (w *cxxAround) declaresArrayOfVectors(from, to int) bool {
	t, ok := w.typeAt(from)
	return ok && t.isVectors() && !t.elem.elem.isVector() && !t.reference && t.shape == nil && w.isWord(t.end) && w.is(to-1, ";")
}

// isVector reports whether token j begins the type of vectors of numbers or structs.
func (w *cxxAround) isVector(j int) bool {
	end := w.angle(j + 1)
	if end < 0 || !w.isWord(end+1) {
		return false
	}
	for k := j + 2; k < end; k++ {
		if w.is(k, "<") || w.isWord(k, "bool") || w.isWord(k) && w.classes[w.toks[k].s] {
			return false
		}
	}
	return true
}

// isElement reports whether the vector that token j names is used as C can.
func (w *cxxAround) isElement(j int) bool {
	switch {
	case w.is(j+1, "["):
		return true
	case w.is(j+1, "."):
		return w.isWord(j+2, "data", "size", "swap")
	}
	return (w.is(j-1, "(") || w.is(j-1, ",")) && (w.is(j+1, ")") || w.is(j+1, ","))
}

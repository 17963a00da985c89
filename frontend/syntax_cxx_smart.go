package frontend

// This file writes in C what owns one object of a class: std::unique_ptr<Grid> and std::shared_ptr<Grid>, std::make_unique<Grid>(n, m) and new Grid(n, m). They are
// pointers there, to objects of which nothing is known. What is tested of two such pointers is what is tested of others: several may share an object.

// smartAt reads std::unique_ptr<T> or std::shared_ptr<T>, of which the name is token i, and T a class; end is -1 if it is something else.
func (c *cxxFile) smartAt(i int) (t cxxType, end int) {
	if !c.isWord(i, "unique_ptr", "shared_ptr") || !c.is(i+1, "<") {
		return t, -1
	}
	close := c.angle(i + 1)
	t, ok := c.objectAt(i + 2)
	if !ok || close < 0 || t.end != close {
		return t, -1
	}
	t.pointers, t.smart = 1, true
	return t, close + 1
}

// objectAt reads a class at token i; ok is false if something else stands there.
func (c *cxxFile) objectAt(i int) (t cxxType, ok bool) {
	t, ok = c.typeAt(i)
	return t, ok && t.pointers == 0 && t.elem == nil && !t.reference && (t.shape != nil || c.records[t.text])
}

// makesObject reads what token i begins, as std::make_unique<T>(n), std::make_shared<T>(n) or new T(n), and returns the type of the pointer, where the arguments open, and what
// follows; end is -1 if it is something else.
func (c *cxxFile) makesObject(i int) (t cxxType, open, end int) {
	if c.isWord(i, "new") {
		t, ok := c.objectAt(i + 1)
		if !ok || c.is(t.end, "[") {
			return t, 0, -1
		}
		t.pointers = 1
		if c.is(t.end, "(") || c.is(t.end, "{") {
			return t, t.end, c.match[t.end] + 1
		}
		return t, 0, t.end
	}
	if c.isWord(i, "std") && c.is(i+1, "::") {
		i += 2
	} else if !c.opened["std"] {
		return t, 0, -1
	}
	if !c.isWord(i, "make_unique", "make_shared") || !c.is(i+1, "<") {
		return t, 0, -1
	}
	close := c.angle(i + 1)
	t, ok := c.objectAt(i + 2)
	if !ok || close < 0 || t.end != close || !c.is(close+1, "(") {
		return t, 0, -1
	}
	t.pointers, t.smart = 1, true
	return t, close + 1, c.match[close+1] + 1
}

// A smartVariable is a variable that points to one object: its name is token at, and its object is made of the arguments that open there, 0: of none that are known.
type smartVariable struct {
	at, open, end int
}

// smartVariables reads the declaration at token i of pointers that own one object, or of such by auto, and returns its variables, where their names begin, and what follows;
// none, if it declares something else.
func (c *cxxFile) smartVariables(i int) (all []smartVariable, t cxxType, end int) {
	for c.isWord(i, "const", "static") {
		i++
	}
	auto := c.isWord(i, "auto")
	j := i + 1
	if auto && c.is(j, "*") {
		j++
	} else if !auto {
		var ok bool
		if t, ok = c.typeAt(i); !ok || t.elem != nil || t.dims != "" || t.reference || t.pointers != 1 || t.shape == nil && !c.records[t.text] {
			return nil, t, i
		}
		j = t.end
	}
	made := false
	for c.isWord(j) {
		v := smartVariable{at: j, end: j + 1}
		switch first := j + 1; {
		case c.is(first, "="):
			u, open, end := c.makesObject(first + 1)
			if end < 0 || !auto && (u.text != t.text || !t.smart && u.smart) {
				return nil, t, i
			}
			if auto {
				t = u
			}
			v.open, v.end, made = open, end, true
		case !auto && t.smart && (c.is(first, "(") || c.is(first, "{")) && c.match[first] > first+1:
			u, open, end := c.makesObject(first + 1)
			if end != c.match[first] || u.text != t.text {
				return nil, t, i
			}
			v.open, v.end, made = open, end+1, true
		case auto:
			return nil, t, i
		case c.is(first, "{"):
			v.end = c.match[first] + 1
		}
		all = append(all, v)
		if !c.is(v.end, ",") {
			if !c.is(v.end, ";") || !made && !t.smart {
				return nil, t, i
			}
			return all, t, v.end
		}
		if j = v.end + 1; !t.smart && c.is(j, "*") {
			j++
		}
	}
	return nil, t, i
}

// ownsObject rewrites the declaration of pointers that own one object, at token i, and returns what follows; i if it is none.
func (c *cxxFile) ownsObject(i int) int {
	all, t, end := c.smartVariables(i)
	if len(all) == 0 {
		return i
	}
	text := t.text + " "
	for k, v := range all {
		if k > 0 {
			text += ", "
		}
		text += "*" + c.toks[v.at].s + " = __hexcc_object(0"
		if v.open > 0 {
			for _, a := range c.arguments(v.open) {
				text += ", " + c.made(a[0], a[1])
			}
		}
		text += ")"
	}
	c.edit(i, end, text)
	return end
}

// declaresSmart reports whether tokens[from:to] declare pointers that own one object.
func (w *cxxAround) declaresSmart(from, to int) bool {
	all, _, end := w.smartVariables(from)
	return len(all) > 0 && end < to
}

// objectBehind returns what token i, a *, leads to where it stands in front of a pointer to an object, as in *now_ and *s.now, and what follows; end is -1 if it is something else.
func (c *cxxFile) objectBehind(i int) (t cxxType, end int) {
	if !c.is(i, "*") {
		return t, -1
	}
	if c.isWord(i+1, "this") && c.self != nil && !c.is(i+2, "->") {
		return cxxType{text: c.self.cname, shape: c.self, constant: c.unchanged}, i + 2
	}
	list, end, t, _ := c.links(i + 1)
	if len(list) > 0 || end <= i+1 || t.pointers != 1 || t.elem != nil || t.shape == nil && !c.records[t.text] {
		return t, -1
	}
	t.pointers, t.smart, t.reference = 0, false, false
	return t, end
}

// isSmart reports whether token i, unique_ptr or the like, is that of a pointer that owns one object.
func (c *cxxFile) isSmart(i int) bool {
	_, end := c.smartAt(i)
	return end > 0
}

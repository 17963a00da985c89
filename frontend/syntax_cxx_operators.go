package frontend

import (
	"fmt"
	"slices"
	"strings"
)

// This file writes operators of classes, State operator+(const State &a, const State &b), as functions, and expressions with such operators as their calls:
//
//	State d = 0.5 * (u[i + 1] - u[i]);   =>   State d = operator_times(0.5, (operator_minus(u[i + 1], u[i])));
//	u[i] += d;                                u[i] = operator_add(u[i], d);
//
// They are members, friends that are defined in their class, or functions of the file, templates too. Objects are passed by their values: only
// classes are taken that are their numbers. An operator that assigns returns what the object becomes.

// cxxOperatorNames are the operators that may be those of a class, with names that C can have.
var cxxOperatorNames = map[string]string{
	"+": "plus", "-": "minus", "*": "times", "/": "divided",
	"+=": "add", "-=": "subtract", "*=": "multiply", "/=": "divide",
}

// operatorName begins the names, in C, of operators.
const operatorName = "operator_"

// A cxxOperator is an operator of a class that an expression calls.
type cxxOperator struct {
	template *cxxTemplate // a function of the file, or a template of such
	args     []string
	shape    *cxxShape // or a method or a friend of a class
	method   *cxxMethod
	result   cxxType
	exact    bool // the numbers that it takes are what it is given
}

// isCalled reports whether there is such an operator.
func (o cxxOperator) isCalled() bool { return o.template != nil || o.method != nil }

// operatorItem reports whether it, whose parameters open at parens, is an operator that is no member, and notes it.
func (c *cxxFile) operatorItem(it *cxxItem, parens int) bool {
	if it.body == 0 || parens < 2 || !c.isWord(parens-2, "operator") || c.is(parens-3, "::") || cxxOperatorNames[c.toks[parens-1].s] == "" || c.forced[c.toks[it.from].from] > 0 {
		return false
	}
	t := &cxxTemplate{head: it.from, made: &[]cxxInstance{}}
	if c.isWord(it.from, "template") {
		end := -1
		if c.is(it.from+1, "<") {
			end = c.angle(it.from + 1)
		}
		if end < 0 || end > parens || c.isWord(end+1, "requires", "template") {
			return false
		}
		var ok bool
		if t.params, ok = c.templateParams(it.from+1, end); !ok {
			return false
		}
		t.head = end + 1
	}
	sign := c.toks[parens-1].s
	it.kind, it.open = cxxTemplated, parens
	name := operatorName + cxxOperatorNames[sign]
	for n := 2; c.templates[name] != nil; n++ {
		if known := c.templates[name]; known.item.from == it.from && string(known.item.in.text) == string(c.text) { // by what headers say
			t.made = known.made
			c.operators[sign] = slices.DeleteFunc(c.operators[sign], func(o *cxxTemplate) bool { return o == known })
			break
		}
		name = fmt.Sprint(operatorName, cxxOperatorNames[sign], "_", n)
	}
	it.names = []string{name}
	t.item = *it
	c.templates[name] = t
	c.operators[sign] = append(c.operators[sign], t)
	return true
}

// operates reports whether it is an operator of a class that is in needed.
func (c *cxxFile) operates(it cxxItem, needed map[string]bool) (found bool) {
	if it.open > 0 {
		c.words(it.open, c.match[it.open], func(w string) {
			found = found || needed[w] && (c.records[w] || c.shapes[w] != nil || c.classTypes[w].in != nil)
		})
	}
	return found
}

// hasValues reports whether any class has operators that are functions in C, or is its numbers.
func (c *cxxFile) hasValues() bool {
	if !c.scanned {
		return false
	}
	if len(c.operators) > 0 {
		return true
	}
	for _, k := range c.shapes {
		if k.operates || slices.ContainsFunc(*k.made, (*cxxShape).isValue) {
			return true
		}
	}
	return false
}

// isValue reports whether objects of s are their numbers: they are copied and passed as C does it.
func (s *cxxShape) isValue() bool {
	is, known := s.def.values[s.cname]
	if known || !s.def.in.scanned {
		return is
	}
	s.def.values[s.cname] = false // as long as it is not known
	is = s.hasOnlyNumbers()
	s.def.values[s.cname] = is
	return is
}

// hasOnlyNumbers reports whether the members of s are numbers, arrays of such, and objects that are their numbers.
func (s *cxxShape) hasOnlyNumbers() bool {
	if s.def.copies || len(s.def.fields) == 0 {
		return false
	}
	for i := range s.def.fields {
		t, ok := s.typeOf(&s.def.fields[i])
		for ok && t.elem != nil && t.dims != "" {
			t = *t.elem
		}
		switch {
		case !ok || t.pointers > 0 || t.elem != nil || t.reference:
			return false
		case t.shape != nil:
			if t.shape.cname == s.cname || !t.shape.isValue() {
				return false
			}
		case !s.def.in.records[t.text] && !s.def.in.types[t.text] && numberText(t.text) == "":
			return false
		}
	}
	return true
}

// byValue reports whether m, a method of s, has its object as a value in C: of a class that is its numbers, an operator, or a method that returns a value and is const.
func (s *cxxShape) byValue(m *cxxMethod) bool {
	return m != nil && !m.static && (m.makes || m.isOperator() || m.constant && s.returnsValue(m)) && s.isValue()
}

// returnsValue reports whether m returns neither a reference nor a pointer, and something.
func (s *cxxShape) returnsValue(m *cxxMethod) bool {
	c := s.def.in.putting(s.def.params, s.args)
	c.self = s
	t, ok := c.typeAt(c.resultOf(m))
	return ok && !t.reference && t.pointers == 0 && t.elem == nil
}

// assigns reports whether m is an operator that sets its object.
func (m *cxxMethod) assigns() bool { return assigningOperator(m.name) }

// assigningOperator reports whether name, in C, is that of an operator like +=.
func assigningOperator(name string) bool {
	for sign, word := range cxxOperatorNames {
		if strings.HasSuffix(sign, "=") && (name == operatorName+word || strings.HasPrefix(name, operatorName+word+"_")) {
			return true
		}
	}
	return false
}

// keepsObject reports whether m, an operator that is not const, and does not say so, sets nothing of its object.
func (s *cxxShape) keepsObject(m *cxxMethod) bool {
	c := s.def.in
	for j := m.body; j < m.to; j++ {
		if c.isWord(j, "this") || c.isAssignment(j) || c.is(j, "++") || c.is(j, "--") {
			return false
		}
		if _, any := s.method(c.toks[j].s, 0, false); any {
			return false
		}
	}
	return true
}

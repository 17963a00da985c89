package ctext

import (
	"fmt"
	"regexp"

	"github.com/hexcc/hexcc/scop"
)

// This file keeps the names that constants have in the source: each function
// that uses one declares it.

// A constant is a number with a name in the source.
type constant struct {
	name  string // as spelled
	value scop.Const
}

// macroLike are names that headers may define, also those that are included unasked.
var macroLike = regexp.MustCompile(`^(_.*|M_.*|E[A-Z0-9]+|SIG.*|(FLT|DBL|LDBL|DECIMAL|FP|CU|CUDA|CL|MATH)_.*|[A-Z0-9_]*_(MAX|MIN|BIT|WIDTH)|HUGE_VAL.*|INFINITY|NAN|NULL|TRUE|FALSE|I|linux|unix)$`)

// nameConstants spells the names of the constants of s.Scop. Of two values with one
// name, the first has it.
func (s *Spelling) nameConstants() {
	for _, stmt := range s.Scop.Stmts {
		for _, action := range stmt.Body {
			switch a := action.(type) {
			case scop.Let:
				eachConst(a.Value, s.nameConstant)
			case scop.Store:
				eachConst(a.Value, s.nameConstant)
			}
		}
	}
}

func (s *Spelling) nameConstant(c scop.Const) {
	if _, known := s.constants[c.Name]; known || c.Name == "" {
		return
	}
	want := c.Name
	if macroLike.MatchString(want) {
		want += "_"
	}
	s.constants[c.Name] = constant{s.user(want), c}
	s.constantNames = append(s.constantNames, c.Name)
}

// eachConst calls f for every constant in e.
func eachConst(e scop.Expr, f func(scop.Const)) {
	all := func(es ...scop.Expr) {
		for _, e := range es {
			eachConst(e, f)
		}
	}
	switch e := e.(type) {
	case scop.Const:
		f(e)
	case scop.Unary:
		all(e.X)
	case scop.Cast:
		all(e.X)
	case scop.Binary:
		all(e.X, e.Y)
	case scop.Cond:
		all(e.C, e.X, e.Y)
	case scop.Call:
		all(e.Args...)
	}
}

// constant returns the name of c, which it notes, if c has one.
func (x Indexer) constant(c scop.Const) (value, bool) {
	known, ok := x.constants[c.Name]
	if !ok || known.value.T != c.T || known.value.F != c.F || known.value.I != c.I {
		return value{}, false
	}
	x.Uses[known.name] = true
	return value{known.name, precPostfix, c.T}, true
}

// Constants returns the declarations of the constants in use, in the order of the source.
func (x Indexer) Constants() (lines []string) {
	for _, name := range x.constantNames {
		if c := x.constants[name]; x.Uses[c.name] {
			lines = append(lines, fmt.Sprintf("const %v %s = %s;", c.value.T, c.name, literal(c.value).text))
		}
	}
	return lines
}

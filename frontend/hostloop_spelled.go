package frontend

import (
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file writes expressions in the language of the file.

// spelled returns e as the file has it, on one line.
func (h *hostLoops) spelled(e expr) string {
	if text := h.textOf(e); !strings.Contains(text, "//") && !h.copies[e.at()] && (h.f.cxx == nil || e.at().first != e.at().last) {
		return text
	}
	return h.printed(e)
}

// printed returns e, which stands in no source, in the language of the file: in C++, functions that the reader of that wrote as macros
// (syntax_cxx_library.go) have the names of the library, which take the same arguments.
func (h *hostLoops) printed(e expr) string {
	if h.f.cxx == nil {
		return exprText(e)
	}
	return exprText(mapExpr(e, func(e expr) expr {
		c, ok := e.(call)
		if !ok {
			return e
		}
		f, ok := c.fun.(ident)
		if ok {
			f.name = h.f.cxx.libraryName(f)
			c.fun = f
		}
		return c
	}))
}

// libraryName returns the name of function f, or that in namespace std if a macro of cxxPrelude has made it.
func (p *projection) libraryName(f ident) string {
	for _, most := range []string{"max", "min"} {
		switch f.name {
		case "__hexcc_" + most + "_d":
			return "std::" + most + "<double>"
		case "__hexcc_" + most + "_f":
			return "std::" + most + "<float>"
		}
	}
	part, offset, ok := p.partAt(f.first.Line, f.first.Column)
	if !ok || part.same {
		return f.name
	}
	switch p.macroAt(offset) {
	case "__hexcc_abs":
		return "std::abs"
	case "__hexcc_1", "__hexcc_2", "__hexcc_3":
		name, single := strings.CutSuffix(f.name, "f")
		if _, known := scop.Computable(name); !single || !known {
			name = f.name // erf
		}
		return "std::" + name
	}
	return f.name
}

package scop

import "github.com/hexcc/hexcc/diag"

// A Signature is what a program that calls the function around a region must know of it.
type Signature struct {
	Parameters []Formal // in order
	Space      string   // what stands before its name outside of namespaces, such as a::b::
	// Hidden are the variables, by their names in C, that a caller cannot give the values which they have when the region
	// begins: those of the function itself, and those that it uses before the region, or parameters that it changes there.
	Hidden []string
	// Member: only objects have it, or it is a template, so that no program of ours calls it by its name.
	Member bool
}

// A Formal is a parameter of a function.
type Formal struct {
	Name string // in C; "" if it has none
	Type string // for messages
	// Zero is a C expression for some value of its type; "" if there is no name for that type.
	Zero string
	// Leads is true of a pointer, or an array, that leads to objects, not to a function.
	Leads bool
	Pos   diag.Span
	// Unmade is what it is if no program of ours makes a value of its type, such as a std::vector; else "".
	Unmade string
}

// Names returns the names of the parameters, in order.
func (s Signature) Names() []string {
	names := make([]string, len(s.Parameters))
	for i, p := range s.Parameters {
		names[i] = p.Name
	}
	return names
}

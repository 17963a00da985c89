package ctext

import (
	"regexp"

	"github.com/hexcc/hexcc/scop"
)

// A Spelling says how the names of a program are written in C. The user's own
// names stay as they are unless the language or the printed text needs them.
type Spelling struct {
	Scop     *scop.Program
	Index    scop.Type         // type of indices and loop variables: Long, in which tiles beyond the largest int have numbers, or Int
	Outer    map[string]string // parameters, scalars and arrays
	Local    map[string]string // local scalars of statements
	Vars     map[string]bool   // loop variables and tile indices
	ColumnOf map[string]string // subscripts that have a name now
	Alias    map[string]string // loop variables that have another name, where they have it now
	Taken    map[string]bool
	Prefix   string // of the names of helpers: floord, mod, min and max
	InPlace  bool   // nothing is copied: what is between rows of an array, such as rows of another one, stays as it is

	constants     map[string]constant // by name in the source
	constantNames []string            // in the order of the source
}

// New returns a spelling of p in which the names of bound are loop variables, and
// reserved stand for something else. Nothing has a name yet but those.
func New(p *scop.Program, reserved, bound []string) *Spelling {
	s := &Spelling{
		Scop: p, Index: scop.Long, Outer: map[string]string{}, Local: map[string]string{}, Vars: map[string]bool{},
		Alias: map[string]string{}, ColumnOf: map[string]string{}, Taken: map[string]bool{},
		constants: map[string]constant{},
	}
	for _, name := range reserved {
		s.Taken[name] = true
	}
	for _, name := range bound {
		s.Vars[name], s.Taken[name] = true, true
	}
	for _, param := range p.Params {
		s.Outer[param.Name] = s.user(param.Name)
	}
	for _, scalar := range p.Scalars {
		s.Outer[scalar.Name] = s.user(scalar.Name)
	}
	for _, array := range p.Tested().Arrays {
		s.Outer[array.Name] = s.user(array.Name)
		for _, plane := range array.Planes {
			if plane.Name != array.Name {
				s.Outer[plane.Name] = s.user(plane.Name)
			}
		}
	}
	for _, stmt := range p.Stmts {
		for _, action := range stmt.Body {
			if let, ok := action.(scop.Let); ok && s.Local[let.Name] == "" {
				s.Local[let.Name] = s.user(let.Name)
			}
		}
	}
	s.nameConstants()
	return s
}

// Fresh returns a name that nothing else has: want, or want with underscores.
func (s *Spelling) Fresh(want string) string {
	for s.Taken[want] {
		want += "_"
	}
	s.Taken[want] = true
	return want
}

// foreign are names that generated text, compilers and the libraries of devices have for themselves.
var foreign = regexp.MustCompile(`^(__|_[A-Z]|hexcc|HEXCC|cuda[A-Z_]|CUDA|CU_|CU[a-z]|cu[A-Z]|cl_|CL_|cl[A-Z])`)

// user returns the spelling of a name of the user's.
func (s *Spelling) user(want string) string {
	if foreign.MatchString(want) {
		want += "_"
	}
	return s.Fresh(want)
}

// Of returns the Spelling of a variable of an index: a loop variable or a parameter.
func (s *Spelling) Of(name string) string {
	if index := s.Alias[name]; index != "" {
		return index
	}
	if !s.Vars[name] && s.Outer[name] != "" {
		return s.Outer[name]
	}
	return name
}

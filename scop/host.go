package scop

import (
	"regexp"
	"slices"
)

// A Host is what stands around the nests of a region that no Program holds as a whole, such as a loop that ends by a value: C that the host runs, in which the nests
// are Programs of their own. It is for ranks, all of which run the text, with the same values of scalars.
type Host struct {
	Function string // around the region
	Index    int    // of the region in the user's file, from 0
	// Text is the file, as it was written anew, and the source of Programs; From and To is the part of it that the host runs.
	Text     []byte
	From, To int
	// Before is what that needs of what stands in the file in front of the function: directives, types, constants, and functions that the host calls.
	Before    string
	Variables []HostVariable // that it uses, and that are declared elsewhere: parameters of Function in their order, then others
	Programs  []*Program     // in the order of the text
	Pointers  []string       // that the text declares: they lead to the first elements of arrays
}

// A HostVariable is a variable that a Host uses.
type HostVariable struct {
	Name string
	Type Type // of a number, or of the elements of what it points to
	// Decl declares, unless it is "", a pointer of that name to the first row, such as double (*A)[n]: the variable is an array, or a pointer.
	Decl string
	Cast string // its type
	Set  bool   // the text sets it
	// Hidden: the text declares another variable of that name.
	Hidden bool
	// Passed: it leads to an array of Programs. Other pointers only hold what such ones do, as tmp does where two exchange.
	Passed bool
	// Whole: no program uses what it leads to, the text around them does, as a history of residuals: each rank has all of it, and sets it alike.
	Whole bool
}

// LeadsTo reports whether the variable leads to an array of a program of the host.
func (v HostVariable) LeadsTo(a *Array) bool { return v.Decl != "" && named(a, v.Name) }

// named reports whether an array is known by a variable of that name.
func named(a *Array, variable string) bool {
	name := regexp.MustCompile(`\b` + regexp.QuoteMeta(variable) + `\b`)
	return slices.ContainsFunc(a.Objects(), func(o Plane) bool { return name.MatchString(o.Flat) })
}

// Moves reports whether the text may lead what leads to an array of a program of h to another one.
func (h *Host) Moves(a *Array) bool {
	return slices.ContainsFunc(h.Pointers, func(name string) bool { return named(a, name) }) ||
		slices.ContainsFunc(h.Variables, func(v HostVariable) bool { return v.Set && v.LeadsTo(a) })
}

// UnknownIn returns the name of something that e, an extent of an array of program p, depends on, as the source has it, and that is not known where the region begins, or that the text
// sets; "" if there is none.
func (h *Host) UnknownIn(p *Program, e Affine) string {
	for i, c := range e.Params {
		name := p.Params[i].Source()
		if c != 0 && !slices.ContainsFunc(h.Variables, func(v HostVariable) bool { return v.Name == name && !v.Set && v.Decl == "" }) {
			return name
		}
	}
	return ""
}

package kerneltext

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file spells what pipelines need of a language beyond C: functions for constants and for any type, what a function changes of its caller, and
// what lies in shared memory.

// sharedBase is the address of shared memory: an array of the file, or a parameter of functions.
const sharedBase = "hexcc_shared"

// inShared returns the type of what lies in shared memory, inGlobal that of a pointer to what lies in global memory.
func (p *streamer) inShared(elem string) string    { return p.spelled.Dialect.Lanes.Shared + elem }
func (p *streamer) inGlobal(pointer string) string { return p.spelled.Dialect.Global + pointer }

// sharedAt returns a pointer to what lies so many bytes from the start of shared memory.
func (p *streamer) sharedAt(elem string, bytes int) string {
	return fmt.Sprintf("(%s *)(%s + %d)", p.inShared(elem), sharedBase, bytes)
}

// noted returns what the block has noted of its chain, as an index.
func (p *streamer) noted(member string) string {
	return fmt.Sprintf("(%v)"+p.spelled.Dialect.Lanes.Chain, p.spelled.Index, member)
}

// ballot returns as bits for which lanes of a warp a condition holds.
func (p *streamer) ballot(cond string) string {
	return fmt.Sprintf(p.spelled.Dialect.Lanes.Ballot, cond)
}

// generic returns the call of a function that there is for constants, and for elements of an array, if one is given.
func (p *streamer) generic(name string, of *scop.Array, constants []string, args ...string) string {
	if p.spelled.Dialect.Lanes.Templates {
		return fmt.Sprintf("%s<%s>(%s)", name, strings.Join(constants, ", "), strings.Join(args, ", "))
	}
	var all []string
	if of != nil {
		all = append(all, of.Elem.InMemory())
	}
	return fmt.Sprintf("%s(%s)", name, strings.Join(append(append(all, constants...), args...), ", "))
}

func numbers(all ...int) (texts []string) {
	for _, n := range all {
		texts = append(texts, fmt.Sprint(n))
	}
	return texts
}

// defineKinds makes a function of what s holds that there is for each kind of turn.
func (s *scope) defineKinds(hint, comment string, own []param) *function {
	p := s.streamer
	if p.spelled.Dialect.Lanes.Templates {
		return s.define(hint, comment, fmt.Sprintf("template <bool %s, bool %s, bool %s>", p.full(), p.steady(), p.final()), "void", own)
	}
	return s.define(hint, comment, "", "void", append([]param{{p.full(), "bool " + p.full()}}, own...))
}

// instance returns the call of such a function for turns of a kind.
func (p *streamer) instance(call string, f *function, kind turnKind) string {
	if p.spelled.Dialect.Lanes.Templates {
		return strings.Replace(call, f.name+"(", f.name+"<"+kind.arguments()+">(", 1)
	}
	return strings.Replace(call, f.name+"("+p.full(), fmt.Sprintf("%s(%t", f.name, kind == fullTurn), 1)
}

// reference returns the declaration of a parameter that the function changes.
func (p *streamer) reference(of, name string) string {
	lanes, pointer := p.spelled.Dialect.Lanes, strings.HasSuffix(of, "*")
	switch {
	case lanes.Templates && pointer:
		return of + "&" + name
	case lanes.Templates:
		return of + " &" + name
	case pointer:
		return of + lanes.Private + "*" + name
	}
	return lanes.Private + of + " *" + name
}

// changed returns the declaration of a variable that is passed for such a parameter by its name: without references it is an array of one.
func (p *streamer) changed(of, name, value string) string {
	space := " "
	if strings.HasSuffix(of, "*") {
		space = ""
	}
	if p.spelled.Dialect.Lanes.Templates {
		return of + space + name + " = " + value + ";"
	}
	return of + space + name + "[1] = {" + value + "};"
}

// referred returns what such a parameter stands for, and dot what goes before a member of it.
func (p *streamer) referred(name string) string {
	if p.spelled.Dialect.Lanes.Templates {
		return name
	}
	return name + "[0]"
}

func (p *streamer) dot() string {
	if p.spelled.Dialect.Lanes.Templates {
		return "."
	}
	return "->"
}

// rowParam returns the parameter for a row.
func (p *stage) rowParam(name, qualifier string, row int) param {
	if p.spelled.Dialect.Lanes.Templates {
		return param{name, fmt.Sprintf("%s%s (&%s)[%d]", qualifier, p.elem(row), name, p.size(row))}
	}
	return param{name, fmt.Sprintf("%s%s%s *%s", p.spelled.Dialect.Lanes.Private, qualifier, p.elem(row), name)}
}

// held returns a member of what a warp holds.
func (p *stage) held(member string) string { return p.state() + p.dot() + member }

// rowMember names the member for a row.
func (p *stage) rowMember(row int) string {
	if p.spelled.Dialect.Lanes.Together {
		return p.rowMembers[row]
	}
	return fmt.Sprintf("row%d", row)
}

// zero returns the call that sets a row to 0.
func (p *stage) zero(row int) string {
	at := p.held(p.rowMember(row))
	if p.spelled.Dialect.Lanes.Templates {
		return "hexcc_zero(" + at + ")"
	}
	return p.generic("hexcc_zero", p.Rows[row].Array, numbers(p.size(row)), at)
}

// noMargin returns the declaration of a pointer to no margin.
func (p *stage) noMargin() string {
	return p.changed(p.inGlobal("const "+p.Margins.Groups[0].Element.Array.Elem.InMemory()+" *"), p.spelled.own("nowhere"), "NULL")
}

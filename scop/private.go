package scop

import (
	"fmt"
	"regexp"
	"strings"
)

// A Private is a member of an object of C++ that the text around the region must not name: what is written into the file reaches it otherwise.
type Private struct {
	Name  string // as elsewhere in the program: u.data
	Text  string // how it is reached
	Needs []PrivateMember
}

// A PrivateMember is a member of a class, and the name of a function that returns it of an object.
type PrivateMember struct {
	Name, Member string
	Static       bool // no object has it
	Value        bool // it is an integer constant, which may have no address
}

// Reaching returns text, of the source's variables, with private members as they are reached.
func (p *Program) Reaching(text string) string {
	for _, m := range p.Private {
		text = regexp.MustCompile(`(^|[^\w.>])`+regexp.QuoteMeta(m.Name)+`\b`).ReplaceAllString(text, "${1}"+strings.ReplaceAll(m.Text, "$", "$$"))
	}
	return text
}

// Opening returns C++ to put into the source at PrivateAt, "" if it is not needed: it makes the functions that lead to private members.
func (p *Program) Opening() string {
	if len(p.Private) == 0 {
		return ""
	}
	var b strings.Builder
	made := fmt.Sprintf("hexcc_private_%d", p.Region.StartLine)
	b.WriteString("/* hexcc: the region uses members that are private; only an explicit instantiation may name them */\nnamespace {\n")
	fmt.Fprintf(&b, "template <class Tag, auto member> struct %s {\n  friend constexpr auto hexcc_member(Tag) { return member; }\n};\n", made)
	seen := map[string]bool{}
	for _, m := range p.Private {
		for _, n := range m.Needs {
			if seen[n.Name] {
				continue
			}
			seen[n.Name] = true
			at, function := "&"+n.Member, "template <class Object> auto &%[1]s(Object &object) { return object.*hexcc_member(%[1]s_at()); }\n"
			switch {
			case n.Value:
				at, function = n.Member, "constexpr auto %[1]s() { return hexcc_member(%[1]s_at()); }\n"
			case n.Static:
				function = "inline auto &%[1]s() { return *hexcc_member(%[1]s_at()); }\n"
			}
			fmt.Fprintf(&b, "struct %[1]s_at {\n  friend constexpr auto hexcc_member(%[1]s_at);\n};\ntemplate struct %[2]s<%[1]s_at, %[3]s>;\n"+function, n.Name, made, at)
		}
	}
	b.WriteString("}\n")
	return b.String()
}

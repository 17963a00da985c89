package tree

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/poly"
)

// This file prints schedules as Parse and isl read them: a tree as YAML, one line for each field; a schedule of Relation that has options
// by times, which trees have not, as three lines.

func (n *Domain) String() string    { return text(n) }
func (n *Context) String() string   { return text(n) }
func (n *Guard) String() string     { return text(n) }
func (n *Band) String() string      { return text(n) }
func (n *Filter) String() string    { return text(n) }
func (n *Sequence) String() string  { return text(n) }
func (n *Set) String() string       { return text(n) }
func (n *Mark) String() string      { return text(n) }
func (n *Extension) String() string { return text(n) }
func (n *Expansion) String() string { return text(n) }

func text(n Node) string {
	if times, context, options, ok := relationOf(n); ok {
		return fmt.Sprintf("%v\n%v\n%v\n", times, context, options)
	}
	p := &printer{}
	p.node(n, "", "")
	return p.String()
}

// relationOf is the inverse of Relation, for a relation with options.
func relationOf(n Node) (times poly.Map, context poly.Set, options poly.Map, ok bool) {
	d, _ := n.(*Domain)
	if d == nil {
		return times, context, options, false
	}
	c, _ := d.Child.(*Context)
	if c == nil {
		return times, context, options, false
	}
	b, _ := c.Child.(*Band)
	if b == nil || len(b.ByOuter.Basics()) == 0 {
		return times, context, options, false
	}
	return b.Times, c.Set, b.ByOuter, true
}

type printer struct{ strings.Builder }

// node prints n: first stands before its first line, indent before the others.
func (p *printer) node(n Node, first, indent string) {
	field := func(key string, value any) {
		fmt.Fprintf(p, "%s%s: %s\n", first, key, quoted(fmt.Sprint(value)))
		first = indent
	}
	switch n := n.(type) {
	case *Domain:
		field("domain", n.Set)
	case *Context:
		field("context", n.Set)
	case *Guard:
		field("guard", n.Set)
	case *Filter:
		field("filter", n.Set)
	case *Mark:
		field("mark", n.Name)
	case *Extension:
		field("extension", n.Map)
	case *Expansion:
		field("contraction", functions(n.Contraction))
		field("expansion", n.Map)
	case *Band:
		field("schedule", n.multi())
		p.flags(n, indent)
	case *Sequence:
		p.list(first+"sequence:\n", indent, n.Children)
		return
	case *Set:
		p.list(first+"set:\n", indent, n.Children)
		return
	default:
		panic(fmt.Sprintf("tree: print: unknown node %T", n))
	}
	c := children(n)
	switch n.(type) {
	case *Context, *Guard, *Mark, *Extension, *Expansion:
		if len(c) == 0 { // isl asks for a child
			fmt.Fprintf(p, "%schild: leaf\n", indent)
		}
	}
	if len(c) > 0 {
		fmt.Fprintf(p, "%schild:\n", indent)
		p.node(c[0], indent+"  ", indent+"  ")
	}
}

func (p *printer) list(head, indent string, children []*Filter) {
	p.WriteString(head)
	for _, c := range children {
		p.node(c, indent+"- ", indent+"  ")
	}
}

// flags prints what a band has beside its schedule.
func (p *printer) flags(b *Band, indent string) {
	if b.Permutable {
		fmt.Fprintf(p, "%spermutable: 1\n", indent)
	}
	if slices.Contains(b.Coincident, true) {
		bits := make([]string, len(b.Coincident))
		for i, c := range b.Coincident {
			bits[i] = map[bool]string{true: "1", false: "0"}[c]
		}
		fmt.Fprintf(p, "%scoincident: [ %s ]\n", indent, strings.Join(bits, ", "))
	}
	if len(b.Options.Basics()) > 0 {
		fmt.Fprintf(p, "%soptions: %s\n", indent, quoted(b.Options.String()))
	}
}

// quoted returns s as a scalar of YAML.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(s) + `"`
}

// multi returns the times of b as isl has them, one function to each dimension, or, where an instance has several times, as a relation.
func (b *Band) multi() string {
	if !b.Times.IsSingleValued() {
		return b.Times.String()
	}
	var list []string
	params := ""
	for i := range b.Dims {
		dims := make([]string, b.Dims)
		for j := range dims {
			dims[j] = fmt.Sprintf("t%d", j)
		}
		one := poly.MustMap(fmt.Sprintf("{ [%s] -> [t%d] }", strings.Join(dims, ", "), i))
		text := functions(b.Times.ApplyRange(one))
		if at := strings.Index(text, "{"); at > 0 {
			params, text = text[:at], text[at:]
		}
		list = append(list, text)
	}
	return params + "[" + strings.Join(list, ", ") + "]"
}

// functions returns m as a function, if it is one.
func functions(m poly.Map) string {
	if f, ok := m.Function(); ok {
		return f.String()
	}
	return m.String()
}

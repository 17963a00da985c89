package ctext

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// A Helper is a function that index expressions call: Name(x, d).
type Helper struct{ Name, says, body string }

// Helpers are all there are; some languages have min and max of their own.
var Helpers = []Helper{
	{"floord", "x / d rounded down", "return x / d - (x % d < 0);"},
	{"mod", "x modulo d, never negative", "return x % d + (x % d < 0 ? d : 0);"},
	{"min", "the smaller one", "return x < d ? x : d;"},
	{"max", "the larger one", "return x > d ? x : d;"},
}

// Text returns the definition of h for indices of type t under a name that
// begins with prefix, and a comment.
func (h Helper) Text(t scop.Type, qualifiers, prefix string) string {
	name := prefix + h.Name
	return fmt.Sprintf("// %s is %s.\n%s %v %s(%v x, %v d) { %s }\n", name, h.says, qualifiers, t, name, t, t, h.body)
}

// TypedPrefix goes before the names of helpers where those for several types stand in one file.
func TypedPrefix(t scop.Type) string { return fmt.Sprintf("hexcc_%v_", t) }

// NoteHelpers adds to typed, by their names with TypedPrefix, the helpers that x has used.
func (x Indexer) NoteHelpers(typed map[string]bool) {
	for _, h := range Helpers {
		if x.Uses[h.Name] {
			typed[TypedPrefix(x.Index)+h.Name] = true
		}
	}
}

// TypedHelpers returns the definitions of helpers that were noted.
func TypedHelpers(typed map[string]bool, qualifiers string) string {
	var b strings.Builder
	for _, t := range []scop.Type{scop.Int, scop.Long} {
		for _, h := range Helpers {
			if typed[TypedPrefix(t)+h.Name] {
				b.WriteString("\n" + h.Text(t, qualifiers, TypedPrefix(t)))
			}
		}
	}
	return b.String()
}

package ctext

import (
	"fmt"

	"github.com/hexcc/hexcc/scop"
)

// Let returns the statement that sets a local scalar of s, spelled name and of a type, to value.
func Let(a scop.Let, s *scop.Stmt, typeName, name, value string) string {
	switch {
	case !a.Declare:
		return fmt.Sprintf("%s = %s;", name, value)
	case sets(s, a.Name) > 1:
		return fmt.Sprintf("%s %s = %s;", typeName, name, value)
	}
	return fmt.Sprintf("const %s %s = %s;", typeName, name, value)
}

// sets returns how many actions set the local scalar.
func sets(s *scop.Stmt, name string) (n int) {
	for _, a := range s.Body {
		if let, ok := a.(scop.Let); ok && let.Name == name {
			n++
		}
	}
	return n
}

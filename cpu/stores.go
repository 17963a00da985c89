package cpu

import (
	"slices"

	"github.com/hexcc/hexcc/scop"
)

// StoresLast reports whether rows that run side by side store when all of them have their values: not where a body may read what it has stored itself.
func (s *Step) StoresLast() bool {
	for i, w := range s.Stmt.Accesses {
		if w.Write && slices.ContainsFunc(s.Stmt.Accesses[i+1:], func(r *scop.Access) bool { return !r.Write && r.Array == w.Array }) {
			return false
		}
	}
	return true
}

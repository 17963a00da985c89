package schedule

import (
	"github.com/hexcc/hexcc/scop"
)

// Repeatable reports whether instances of st may run twice, the second time at any later point of their step: what they
// compute is then the same, and stored once more. An instance may if nothing changes what it reads before it runs again:
//
//   - no instance of its step does but itself, as a step has no two instances that depend on each other. That is
//     what ProveLegality proves of the points of a step, among which there is no order;
//   - nor does it itself. That is asked here: does an instance store to an element that it reads?
//
// It panics with a *poly.LimitError where that cannot be decided.
func Repeatable(p *scop.Program, st *scop.Stmt) bool {
	for _, to := range st.Accesses {
		for _, from := range st.Accesses {
			if !to.Write || from.Write || to.Array != from.Array || plainlyApart(to, from) {
				continue
			}
			if !to.Map.Intersect(from.Map).IntersectParams(p.Context).IsEmpty() {
				return false
			}
		}
	}
	return true
}

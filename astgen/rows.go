package astgen

import (
	"fmt"

	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file says what the rows of a step, the loops over the last dimension, are
// to run like: two side by side, and from where a cache line starts.

// rows returns 2 if two rows next to each other, run side by side, load at most
// three quarters of what they load one after the other, else 1. More rows load
// less still, but take more pointers than there are registers.
func rows(c *schedule.Canonical, st Step, points []string) int {
	last := len(points) - 1
	if last < 1 || c.Places[st.Stmt.Order][last-1].Iter < 0 {
		return 1
	}
	for _, e := range []Expr{st.Loops[last].Lo, st.Loops[last].Hi} {
		mixed := false
		Vars(e, func(name string) { mixed = mixed || name == points[last-1] })
		if mixed {
			return 1
		}
	}
	one, two := map[string]bool{}, map[string]bool{}
	for _, a := range st.Stmt.Accesses {
		if !a.Write {
			one[element(a, -1)] = true
			two[element(a, -1)] = true
			two[element(a, c.Places[st.Stmt.Order][last-1].Iter)] = true
		}
	}
	if len(one) > 0 && 4*len(two) <= 3*2*len(one) {
		return 2
	}
	return 1
}

// element names the element that a touches, where iterator next is one more.
func element(a *scop.Access, next int) string {
	name := a.Array.Name
	for _, x := range a.Index {
		if next >= 0 {
			x.Const += x.Iters[next]
		}
		if x.Mod > 0 {
			x.Const -= x.Mod * floorDiv(x.Const, x.Mod)
		}
		name += fmt.Sprint(" ", x)
	}
	return name
}

// aligned returns the first access of the body that writes elements next to each
// other along rows, nil if there is none.
func aligned(c *schedule.Canonical, st *scop.Stmt) *scop.Access {
	place := c.Places[st.Order][len(c.Space)-1]
	if place.Sign() != 1 {
		return nil
	}
	for _, act := range st.Body {
		store, ok := act.(scop.Store)
		if !ok || len(store.To.Index) == 0 {
			continue
		}
		next := true
		for i, x := range store.To.Index {
			want := int64(0)
			if i == len(store.To.Index)-1 {
				want = 1
			}
			next = next && x.Iters[place.Iter] == want && (want == 0 || x.Mod == 0)
		}
		if next {
			return store.To
		}
	}
	return nil
}

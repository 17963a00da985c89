package schedule

import (
	"slices"

	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file finds arrays that hand values from one nest to the next and nothing else: of each iteration of the time loop, what it reads of them it
// has written itself, before, and nobody sees them afterwards. Where a tile runs whole iterations, and computes all that it reads of other tiles'
// points, such an array need not be in global memory at all:
//
//	for i { b[i] = a[i-1] + a[i+1] }  for i { c[i] = b[i-1] + b[i+1] }      b is one, if it is declared in the function and used nowhere else

// Temporaries returns the arrays of p of which each iteration of the time loop reads only what it has written before, and which
// nothing but the region sees.
func Temporaries(p *scop.Program) (all []*scop.Array) {
	for _, a := range p.Arrays {
		if a.Local && p.Writes(a) && asked(func() bool { return !readsOlder(p, a, withinIteration) }) {
			all = append(all, a)
		}
	}
	return all
}

// withinIteration relates the instances of src to those of dst that run later in the same iteration of the time loop.
func withinIteration(src, dst *scop.Stmt) poly.Map {
	return Before(src, dst).Intersect(sameTime(src, dst))
}

// temporary reports whether a is a temporary of tiles that overlap.
func (s *Schedule) temporary(a *scop.Array) bool { return slices.Contains(s.Temporaries, a) }

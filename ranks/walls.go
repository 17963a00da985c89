package ranks

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file says which rank tests a point of a wall: no rank has all of the data, and what a rank has beside its own, neighbours send when tiles run.

// An Owned is an element of an array that a rank owns: its subscript of dimension Dim is one of the rank's own.
type Owned struct {
	Access *scop.Access
	Dim    int
}

// Tester returns what the rank owns that tests an instance of the nest of w: exactly one rank does, and it owns all that is read there. It is none where all ranks have all of that.
func (p *Plan) Tester(w scop.Wall) (owned []Owned, err error) {
	for along := range 2 {
		var first *scop.Access
		var of Array
		for _, a := range w.Nest.Accesses {
			i := slices.IndexFunc(p.Arrays, func(x Array) bool { return x.Array == a.Array })
			if a.Write || i < 0 || p.sharedAlong(i, along) < 0 {
				continue
			}
			if first == nil {
				first, of = a, p.Arrays[i]
				owned = append(owned, Owned{a, p.sharedAlong(i, along)})
				continue
			}
			x, y := first.Index[owned[len(owned)-1].Dim], a.Index[p.sharedAlong(i, along)]
			if other := p.Arrays[i]; !schedule.SameIndex(x, y) || other.Unit != of.Unit || other.Ring != of.Ring {
				return nil, &NotShared{At: w.Nest.Pos, Why: fmt.Sprintf("whether '%s' keeps what it guards inside of arrays depends on elements that different ranks own", w.Text),
					Help: "leave the points at the ends out of the loops, such as by i = 1; i < n - 1; i++"}
			}
		}
	}
	return owned, nil
}

// sharedAlong returns the dimension of array number i that rows of ranks share out, 0, or columns of them, 1; -1: they do not.
func (p *Plan) sharedAlong(i, along int) int {
	switch {
	case along == 0:
		return p.Arrays[i].Dim
	case p.Grid != nil:
		return p.Grid.Arrays[i].Dim
	}
	return -1
}

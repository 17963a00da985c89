package schedule

import (
	"fmt"

	"github.com/hexcc/hexcc/poly"
)

// This file is about steps of a tile that run in one pass over rows, as processors with caches run them. Rows are the points that differ along
// the last dimension of space only; the first one tells them apart. Where a step is Rows rows and Places places along rows behind the one
// before, the pass runs, for each row in order and then for each place in order,
//
//	step a at row x - a*Rows, place y - a*Places
//
// for its steps a in order. Let a point depend on another one of an earlier step of the pass: of a row that is no more than Rows
// a step further, at a place no more than Places a step further along it. Then neither x nor y is less for it than for
// that other one, and where both are the same its step is later: it runs behind. That is so as well where steps of a row x run one after the
// other, each all along its row, or steps at rows and places that are rounded down, as several rows and places run at once.

// A Pass is Steps steps of a tile in one pass over rows.
type Pass struct{ Steps, Rows, Places int64 }

// String says how far a step is behind the one before: 1 row and 8 places.
func (p Pass) String() string {
	row := "rows"
	if p.Rows == 1 {
		row = "row"
	}
	return fmt.Sprintf("%d %s and %d places", p.Rows, row, p.Places)
}

// ProvePass proves that steps of tiles of s that follow each other may run in such a pass.
func ProvePass(s *Schedule, deps []Dependence, pass Pass) Proof {
	claim := fmt.Sprintf("%d steps of a tile may run in one pass over rows, each %v behind the one before", pass.Steps, pass)
	return prove(s, "passes", claim, func(p prover) {
		for _, group := range byStatements(deps) {
			src, dst := group[0].Src, group[0].Dst
			p.Ask(fmt.Sprintf("what %s depends on of %s is no further ahead along rows, nor across them", dst.Name, src.Name), func() string {
				for _, d := range group {
					m := s.Part(d.Src).Inverse().ApplyRange(d.Map).ApplyRange(s.Part(d.Dst)) // vector of the source -> vector of the target
					if bad := m.Intersect(s.outOfStep(pass)); !p.empty(bad) {
						return fmt.Sprintf("%s depends on %s, which is further ahead: %v", dst.Name, src.Name, bad)
					}
				}
				return ""
			})
		}
	})
}

// outOfStep relates vectors to those of other steps of a pass over their tile that may run before them, or of the same step.
func (s *Schedule) outOfStep(pass Pass) poly.Map {
	tile := s.tileDims()
	var both []poly.Formula
	for i := range tile {
		both = append(both, poly.Equal(poly.In(i), poly.Out(i)))
	}
	later := poly.Out(tile).Minus(poly.In(tile))
	both = append(both, poly.NotNegative(later), poly.NotNegative(later.Times(-1).Add(pass.Steps-1)))
	ahead := func(dim int, by int64) poly.Formula {
		return poly.NotNegative(poly.In(dim).Minus(poly.Out(dim)).Minus(later.Times(by)).Add(-1))
	}
	both = append(both, poly.Or(poly.Equal(poly.In(tile), poly.Out(tile)), ahead(tile+1, pass.Rows), ahead(len(s.Dims)-1, pass.Places)))
	v := poly.Tuple{Dims: poly.Dims(len(s.Dims))}
	return poly.NewMap(nil, v, v, both...)
}

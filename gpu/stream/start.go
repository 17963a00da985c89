package stream

import "github.com/hexcc/hexcc/schedule"

// This file finds where hexagons begin along rows. Few lie side by side in three dimensions, and all that have a point take as long. So that none has but a few at the left
// side of the grid, one begins there with its narrowest step, and the one to its left, of the other phase, has no point:
//
//	steps
//	  2    \      |/ first point of a row
//	  1     \     |
//	  0    /      |\
//	              the grid
//
// Then no other place leaves fewer hexagons that have points, however wide the grid is.

// start returns by how much the tiles of s are moved, by space dimension; nil: nowhere.
func (l *lowering) start(s *schedule.Schedule) []int64 {
	hex := s.Phases[1].Space[0]
	if !l.lined() || hex.Drift != 0 {
		return nil // columns of a row matter less, or tiles begin elsewhere in each time tile
	}
	least, known := int64(0), false
	for _, st := range l.space.Scop.Stmts {
		lo, _, ok := l.between(st, 0)
		if !ok || !lo.IsNum() {
			return nil
		}
		if !known || lo.Const < least {
			least, known = lo.Const, true
		}
	}
	narrow := hex.Lo[0]
	for _, lo := range hex.Lo {
		narrow = max(narrow, lo)
	}
	start := make([]int64, len(s.Phases[1].Space))
	start[0] = least - hex.Offset - narrow
	return start
}

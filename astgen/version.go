package astgen

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file says which elements of arrays in two versions (schedule.Version) a tile owns.

// elementsOf returns, as slices without a statement, where the elements lie that a tile of a phase owns of the arrays that have two versions.
func elementsOf(s *schedule.Schedule, n Names, phase int) []Slice {
	var all []Slice
	for _, v := range s.Versions {
		at := Slice{Phase: phase, Rows: ElementRows(s, n, phase, v)}
		for _, d := range s.Phases[phase].Space {
			at.Lo, at.Hi = append(at.Lo, 0), append(at.Hi, d.Stride-1)
		}
		all = append(all, at)
	}
	return all
}

// ElementRows returns rows over local coordinates that are >= 0 where the element of v's array that belongs there exists: two for each subscript that follows
// a dimension of space, of which the first is the subscript.
func ElementRows(s *schedule.Schedule, n Names, phase int, v schedule.Version) (rows []affine.Sum) {
	for k, p := range v.Space {
		if p < 0 {
			continue
		}
		d := s.Phases[phase].Space[p]
		x := affine.Var(n.Tiles[p]).Times(d.Stride).Plus(affine.Var(n.T).Times(d.Drift)).Plus(affine.Var(n.Points[p])).Add(d.Offset).Plus(v.Offset[k])
		rows = append(rows, x, s.Canonical.Scop.Sum(v.Array.Extents[k], nil).Add(-1).Minus(x))
	}
	return rows
}

// Planes returns the subscripts of v's array by which slices use it, less those that follow a dimension of space, for which anything may stand: one for each
// plane, and for all planes that time steps use in turn.
func Planes(p *scop.Program, all []Slice, v schedule.Version) (planes [][]affine.Expr) {
	seen := map[string]bool{}
	for _, at := range all {
		for _, acc := range at.Stmt.Accesses {
			if acc.Array != v.Array {
				continue
			}
			list := [][]affine.Expr{at.Subscripts(p, acc)}
			for k, x := range acc.Index {
				if x.Mod == 0 {
					continue
				}
				var turns [][]affine.Expr
				for _, index := range list {
					for r := range x.Mod {
						turn := slices.Clone(index)
						turn[k] = affine.Modulo(p.Sum(x.Affine, at.Iters).Add(r), x.Mod)
						turns = append(turns, turn)
					}
				}
				list = turns
			}
			for _, index := range list {
				var key []string
				for k, e := range index {
					if v.Space[k] < 0 {
						key = append(key, fmt.Sprint(e))
					}
				}
				if !seen[fmt.Sprint(key)] {
					seen[fmt.Sprint(key)] = true
					planes = append(planes, index)
				}
			}
		}
	}
	return planes
}

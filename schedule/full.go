package schedule

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file is section 4.4.1 of the paper: the full tiles of a phase are those
// that the domain touches less those that its complement touches. Code
// generation finds conditions for them row by row; here they are an exact set.

// FullTiles returns the full tiles [T, S0, .., Sn] of a phase: each statement
// has an instance at every point of the plane that its steps hold. A statement
// for which no tile does that, such as one that runs on a single row, has none
// there instead.
func FullTiles(s *Schedule, phase int) poly.Set {
	f := fullness{s: s, ph: s.Phases[phase]}
	touched, full := poly.Set{}, f.tiles()
	for _, st := range s.Canonical.Scop.Stmts {
		inside, outside := f.touched(st)
		touched = touched.Union(inside)
		if present := f.tiles().Subtract(outside).Intersect(inside); present.IntersectParams(s.Canonical.Scop.Context).IsEmpty() {
			full = full.Subtract(inside)
		} else {
			full = full.Subtract(outside)
		}
	}
	return full.Intersect(touched).IntersectParams(s.Canonical.Scop.Context)
}

// A fullness relates the tiles of a phase to the points in them.
type fullness struct {
	s  *Schedule
	ph Phase
}

// names returns the variables of a tile, T first, none of them a parameter.
func (f fullness) names() []string {
	names := []string{"T"}
	for _, d := range f.ph.Space {
		names = append(names, d.Tile)
	}
	for i, name := range names {
		for slices.ContainsFunc(f.s.Canonical.Scop.Params, func(p scop.Param) bool { return p.Name == name }) {
			name += "_"
		}
		names[i] = name
	}
	return names
}

// tiles returns all tiles of the plane.
func (f fullness) tiles() poly.Set {
	return poly.NewSet(f.s.Canonical.Scop.ParamNames(), poly.Tuple{Dims: f.names()})
}

// touched returns the tiles with an instance of st, and those with a point at
// one of its steps where st has none.
func (f fullness) touched(st *scop.Stmt) (inside, outside poly.Set) {
	places := f.s.Canonical.Maps[st.Order].Range()
	for a := int64(f.s.Canonical.Levels[st.Order]); a < f.s.Height; a += int64(f.s.Canonical.K) {
		box := f.ph.Box(st, a)
		if box.empty() {
			continue
		}
		points := f.points(a, box)
		instances := points.IntersectRange(places)
		inside = inside.Union(instances.Domain())
		outside = outside.Union(points.Subtract(instances).Domain())
	}
	return inside, outside
}

// points relates tiles to their points [tau, s0, .., sn] in a box at step a.
func (f fullness) points(a int64, box Box) poly.Map {
	tile, at := poly.Ins(1+len(f.ph.Space)), poly.Outs(1+len(f.ph.Space))
	rows := []poly.Formula{poly.Equal(at[0], tile[0].Times(f.s.Height).Add(a-f.ph.TimeShift))}
	for p, d := range f.ph.Space {
		local := d.local(at[1+p], tile[1+p], tile[0])
		rows = append(rows, poly.AtMost(affine.Num(box.Lo[p]), local), poly.AtMost(local, affine.Num(box.Hi[p])))
	}
	return poly.NewMap(f.s.Canonical.Scop.ParamNames(), poly.Tuple{Dims: f.names()}, poly.Tuple{Dims: poly.Dims(len(at))}, rows...)
}

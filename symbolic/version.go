package symbolic

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
)

// This file is about arrays in two versions (schedule.Version): a tile finds values in one of them and leaves them in the other, those of all elements that it
// owns. What the program does in between is followed in the one that is read, as if it were stored there.

// handed are the elements of a plane that a tile hands on, over local coordinates, in both versions.
type handed struct{ from, to access }

// handsOn compiles what a tile hands on.
func (c *compiler) handsOn() (all []handed) {
	around := map[string][2]int64{}
	for p, d := range c.schedule.Phases[c.kernel.Phase].Space {
		around[c.names.Points[p]] = [2]int64{0, d.Stride - 1}
	}
	slicesOfPhase := astgen.Slices(c.schedule, c.names, c.kernel.Phase)
	for _, v := range c.schedule.Versions {
		for _, plane := range astgen.Planes(c.scop, slicesOfPhase, v) {
			index, rows := slices.Clone(plane), astgen.ElementRows(c.schedule, c.names, c.kernel.Phase, v)
			for k, p := range v.Space {
				if p >= 0 {
					index[k], rows = affine.Expr(rows[0]), rows[2:]
				}
			}
			h := handed{c.access(gpu.Ref{Array: v.From(c.kernel.Phase), Index: index}, around), c.access(gpu.Ref{Array: v.To(c.kernel.Phase), Index: index}, around)}
			h.to.area.written = true
			all = append(all, h)
		}
	}
	return all
}

// handOn notes that elements are left, in the version that is stored to, as the program has them now.
func (x *execution) handOn(now []int32) {
	for i := range x.handed {
		h := &x.handed[i]
		s := slice{}
		for _, d := range x.schedule.Phases[x.kernel.Phase].Space {
			s.Lo, s.Hi = append(s.Lo, 0), append(s.Hi, d.Stride-1)
		}
		x.eachPoint(s, func(int) { x.leaves[x.cell(&h.to)] = now[x.cell(&h.from)] })
	}
}

package lower

import (
	"slices"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu/pointset"
	"github.com/hexcc/hexcc/scop"
)

// A reach is how far the accesses of each statement to an array go, which is
// all that the size of a buffer depends on.
type reach struct {
	layout
	spans map[*scop.Stmt][]pointset.Box // of offsets; one value in dimensions that follow no coordinate
}

func (v views) newReach(sc *scop.Program, l layout) reach {
	r := reach{l, map[*scop.Stmt][]pointset.Box{}}
	for _, st := range sc.Stmts {
		for _, acc := range st.Accesses {
			if v.view(acc) == l.array {
				r.add(st, l.offsets[acc])
			}
		}
	}
	return r
}

// add adds an access at the offset.
func (r *reach) add(st *scop.Stmt, offset []int64) {
	spans := r.spans[st]
	i := slices.IndexFunc(spans, func(b pointset.Box) bool {
		for k, p := range r.space {
			if p < 0 && b.Lo[k] != offset[k] {
				return false
			}
		}
		return true
	})
	if i < 0 {
		r.spans[st] = append(spans, pointset.Box{Lo: offset, Hi: offset}.Clone())
		return
	}
	spans[i].Grow(pointset.Box{Lo: offset, Hi: offset})
}

// grow makes b hold what the slice s, of time t relative to its tile, uses. x is room for a box.
func (r *reach) grow(b *pointset.Box, s astgen.Slice, t int64, x pointset.Box) {
	for _, span := range r.spans[s.Stmt] {
		for k, p := range r.space {
			if p >= 0 {
				x.Lo[k], x.Hi[k] = span.Lo[k]+s.Lo[p], span.Hi[k]+s.Hi[p]
			} else {
				x.Lo[k] = r.at(k, span.Lo[k], t)
				x.Hi[k] = x.Lo[k]
			}
		}
		b.Grow(pointset.Box{Lo: x.Lo[:len(r.space)], Hi: x.Hi[:len(r.space)]})
	}
}

// planes returns how many planes a box has: places along dimensions that follow no coordinate.
func (r *reach) planes(b pointset.Box) int64 {
	n := int64(1)
	for k, p := range r.space {
		if p < 0 {
			n *= b.Hi[k] - b.Lo[k] + 1
		}
	}
	return n
}

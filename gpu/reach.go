package gpu

import (
	"slices"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/scop"
)

// A reach is how far the accesses of each statement to an array go, which is
// all that the size of a buffer depends on.
type reach struct {
	layout
	spans map[*scop.Stmt][]box // of offsets; one value in dimensions that follow no coordinate
}

func newReach(sc *scop.Program, l layout) reach {
	r := reach{l, map[*scop.Stmt][]box{}}
	for _, st := range sc.Stmts {
		for _, acc := range st.Accesses {
			if acc.Array == l.array {
				r.add(st, l.offsets[acc])
			}
		}
	}
	return r
}

// add adds an access at the offset.
func (r *reach) add(st *scop.Stmt, offset []int64) {
	spans := r.spans[st]
	i := slices.IndexFunc(spans, func(b box) bool {
		for k, p := range r.space {
			if p < 0 && b.lo[k] != offset[k] {
				return false
			}
		}
		return true
	})
	if i < 0 {
		r.spans[st] = append(spans, box{offset, offset}.clone())
		return
	}
	spans[i].grow(box{offset, offset})
}

// grow makes b hold what the slice s, of time t relative to its tile, uses. x is room for a box.
func (r *reach) grow(b *box, s astgen.Slice, t int64, x box) {
	for _, span := range r.spans[s.Stmt] {
		for k, p := range r.space {
			if p >= 0 {
				x.lo[k], x.hi[k] = span.lo[k]+s.Lo[p], span.hi[k]+s.Hi[p]
			} else {
				x.lo[k] = r.at(k, span.lo[k], t)
				x.hi[k] = x.lo[k]
			}
		}
		b.grow(box{x.lo[:len(r.space)], x.hi[:len(r.space)]})
	}
}

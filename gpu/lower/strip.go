package lower

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file finds the statements that no full tile has, without looking at tiles: those of borders, whose
// instances lie in a row or a few of them. They are in some of the tiles at borders only.

// A strip says that the instances of a statement lie between two rows at constant distance:
// 0 <= the sum of coefs[p]·s_p + what is the same in a step <= room.
type strip struct {
	coefs []int64 // by space dimension
	room  int64
}

// stripsOf returns the strips of st.
func stripsOf(c *schedule.Canonical, st *scop.Stmt) (all []strip) {
	places := c.Places[st.Order]
	if never(st) {
		all = append(all, strip{coefs: make([]int64, len(places)), room: -1})
	}
	for p, at := range places {
		if at.Iter < 0 {
			s := strip{coefs: make([]int64, len(places))}
			s.coefs[p] = 1
			all = append(all, s)
		}
	}
	iters := make([]affine.Sum, len(st.Iters))
	for i, name := range st.Iters {
		iters[i] = affine.Var(name)
	}
	var rows []affine.Sum
	for _, b := range st.Bounds {
		r := c.Scop.Sum(b, iters)
		for _, q := range rows {
			width := r.Plus(q)
			if !width.IsNum() {
				continue
			}
			s := strip{coefs: make([]int64, len(places)), room: width.Const}
			for p, at := range places {
				if at.Iter >= 0 {
					s.coefs[p] = at.Sign() * r.Coef(st.Iters[at.Iter])
				}
			}
			all = append(all, s)
		}
		rows = append(rows, r)
	}
	return all
}

// holds reports whether the whole box of a step may lie in s.
func (s strip) holds(at astgen.Slice) bool {
	width := int64(0)
	for p, c := range s.coefs {
		width += max(c, -c) * (at.Hi[p] - at.Lo[p])
	}
	return width <= s.room
}

// mostly returns the slices of ph less those of statements that no full tile has; all of them if that leaves none.
func (k *Counter) mostly(ph *plan) []astgen.Slice {
	never := map[*scop.Stmt]bool{}
	for _, at := range ph.all {
		for _, s := range k.strips[at.Stmt] {
			never[at.Stmt] = never[at.Stmt] || !s.holds(at)
		}
	}
	var full []astgen.Slice
	for _, at := range ph.all {
		if !never[at.Stmt] {
			full = append(full, at)
		}
	}
	if len(full) == 0 {
		return ph.all
	}
	return full
}

package ranks

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
)

// This file finds what has to be sent before the first phase beside what is read: where ranks send elements later that nothing has written.

// initially adds to what is sent before the first phase the rows that a rank sends later and neither owns nor has written: of elements in them that nothing has written
// it then sends what was in memory, which the receiver has already.
func (p *planner) initially(a Array) error {
	q := newBorder(p.Plan)
	for phase, ex := range p.After {
		for _, up := range []bool{true, false} {
			strips, before := ex.Up, &p.Before.Down
			if !up {
				strips, before = ex.Down, &p.Before.Up
			}
			for i, s := range strips {
				lo, hi := s.hull()
				if up {
					lo = max(lo, 0)
				} else {
					hi = min(hi, -1)
				}
				if s.Array != a.Array || lo > hi || q.written(a, s, phase, up) {
					continue
				}
				if short, err := p.short(a, s); err != nil {
					return err
				} else if q.written(a, short, phase, up) {
					strips[i] = short
					continue
				}
				if len(p.histories(a)) > 0 {
					return &NotShared{a.Array.Pos, fmt.Sprintf("array %s has a plane for each step, of which some elements are not written in boxes", a.Array.Name),
						"keep two planes, A[2][n] with A[t%2][i], and copy out what is wanted of each step"}
				}
				for _, s := range p.eachPlane(a, s) {
					if err := p.more(a, before, s, lo, hi); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// more adds rows lo to hi of the planes that s is of to what is sent before the first phase.
func (p *planner) more(a Array, before *[]Strip, s Strip, lo, hi int64) error {
	whole, err := p.whole(a, s)
	if err != nil {
		return err
	}
	alike := func(b Strip) bool { return b.Array == s.Array && b.Upper == s.Upper }
	*before = slices.DeleteFunc(*before, func(b Strip) bool { // those that lie in what is added
		return alike(b) && !whole.same(box{b.Lo, b.Hi}) && b.Since.Lo[0] >= lo && b.Since.Hi[0] <= hi && !slices.ContainsFunc(p.planes(a), func(d int) bool { return !affine.Same(b.Lo[d], s.Lo[d]) })
	})
	i := slices.IndexFunc(*before, func(b Strip) bool { return alike(b) && whole.same(box{b.Lo, b.Hi}) })
	if i >= 0 {
		b := &(*before)[i]
		b.Since = Rows{Lo: []int64{min(lo, b.Since.Lo[0])}, Hi: []int64{max(hi, b.Since.Hi[0])}}
		b.Until, b.whole = b.Since, true
		return nil
	}
	rows := Rows{Lo: []int64{lo}, Hi: []int64{hi}}
	*before = append(*before, Strip{Array: s.Array, Upper: s.Upper, Lo: whole.lo, Hi: whole.hi, Since: rows, Until: rows, sent: s.sent, whole: true})
	return nil
}

// whole returns the box of all columns of the planes, and the half of a ring, that s is of.
func (p *planner) whole(a Array, s Strip) (b box, err error) {
	all, err := p.columns(a, true)
	if err != nil {
		return b, err
	}
	b.lo, b.hi = slices.Clone(all[0].lo), slices.Clone(all[0].hi)
	for _, d := range p.planes(a) {
		b.lo[d], b.hi[d] = s.Lo[d], s.Hi[d]
	}
	return p.half(a, b, s.Upper), nil
}

// half returns the half of a box that lies in that of a ring; all of it where a is none.
func (p *planner) half(a Array, b box, upper bool) box {
	b = box{slices.Clone(b.lo), slices.Clone(b.hi)}
	switch {
	case a.Ring && upper:
		b.lo[a.Dim] = affine.MaxOf(b.lo[a.Dim], affine.Ceil(a.Sum, 2))
	case a.Ring:
		b.hi[a.Dim] = affine.MinOf(b.hi[a.Dim], affine.Floor(a.Sum.Add(-1), 2))
	}
	return b
}

// eachPlane returns s for each plane that it may be of in some time tile.
func (p *planner) eachPlane(a Array, s Strip) (list []Strip) {
	list = []Strip{s}
	for d := range s.Lo {
		if _, planes := p.turn(a.Array, d); planes > 0 {
			var more []Strip
			for _, s := range list {
				for k := range planes {
					x := s
					x.Lo, x.Hi = slices.Clone(s.Lo), slices.Clone(s.Hi)
					x.Lo[d], x.Hi[d] = affine.Num(k), affine.Num(k)
					more = append(more, x)
				}
			}
			list = more
		}
	}
	return list
}

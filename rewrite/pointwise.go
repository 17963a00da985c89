package rewrite

import (
	"slices"

	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file finds temporaries that cost nothing in registers: one statement reads them, at one place only, so that no operation runs more often than before:
//
//	for i { d[i] = a[i+1] - a[i] }  for i { b[i] = d[i] * d[i] }      =>      for i { d_1 = a[i+1] - a[i]; b[i] = d_1 * d_1 }

// Pointwise is Inline for groups of statements that hand on values at one place only, which it finds. It returns nil where there are none. What cannot be decided
// stays as it is.
func Pointwise(p *scop.Program) *Result {
	var kept [][]int
	for _, group := range pointwise(p) {
		if r, err := Inline(p, [][]int{group}); err == nil && r.free() {
			kept = append(kept, group)
		}
	}
	if kept == nil {
		return nil
	}
	if r, err := Inline(p, kept); err == nil && r.free() {
		return r
	}
	return nil
}

// free reports whether statements are fewer, and operations no more.
func (r *Result) free() bool {
	before, now := r.Cost()
	return now <= before && len(r.Program.Stmts) < len(r.Before().Stmts)
}

// pointwise returns groups of statements of which each but the last hands on all that it writes to one other one, at one place.
func pointwise(p *scop.Program) (groups [][]int) {
	to := make([]int, len(p.Stmts)) // by Order: which statement alone reads it
	for i, s := range p.Stmts {
		to[i] = onlyReader(p, s)
	}
	last := func(i int) int {
		for to[i] >= 0 {
			i = to[i]
		}
		return i
	}
	for end := range p.Stmts {
		var group []int
		for i := range p.Stmts {
			if last(i) == end {
				group = append(group, i)
			}
		}
		if len(group) > 1 {
			groups = append(groups, group)
		}
	}
	return groups
}

// onlyReader returns the one statement behind s that reads what s writes, all of it at one place; -1: there is none, or others see it.
func onlyReader(p *scop.Program, s *scop.Stmt) int {
	reader := -1
	var stored, read []scop.Index
	once := func(at *[]scop.Index, x *scop.Access) bool {
		if *at == nil {
			*at = x.Index
		}
		return slices.EqualFunc(*at, x.Index, schedule.SameIndex)
	}
	for _, w := range s.Accesses {
		if !w.Write {
			continue
		}
		if !w.Array.Local || !once(&stored, w) {
			return -1
		}
		for _, t := range p.Stmts {
			for _, x := range t.Accesses {
				switch {
				case x.Array != w.Array || t == s && x.Write:
				case x.Write || t.Order <= s.Order || reader >= 0 && reader != t.Order || !once(&read, x):
					return -1
				default:
					reader = t.Order
				}
			}
		}
	}
	return reader
}

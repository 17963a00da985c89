package schedule

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file says which nests of an iteration share a launch, where tiles overlap: groups, one launch for each, in turn. Inside of a group a tile computes
// again what it needs of other tiles' points; between groups all of it is in memory. In horizontal diffusion,
//
//	lap = 4 in - in[..]   fli = lap[..] - lap   flj = lap[..] - lap   out = in - (fli - fli[..] + flj - flj[..])
//
// [lap,fli,flj,out] moves in and out only, and computes some of lap twice; [lap],[fli,flj,out] computes lap once, and moves it, too.

// Groups are the statements of an iteration of the time loop, by Order, launch by launch; each is in one. nil: all are in one launch.
type Groups [][]int

// OneGroup returns the groups of a program of n statements that are all in one launch.
func OneGroup(n int) Groups {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return Groups{all}
}

// Text returns g as #pragma hexcc fuse and --fuse have it, as in [S0,S1],[S2].
func (g Groups) Text(p *scop.Program) string {
	var texts []string
	for _, group := range g {
		var names []string
		for _, i := range group {
			names = append(names, p.Stmts[i].Name)
		}
		texts = append(texts, "["+strings.Join(names, ",")+"]")
	}
	return strings.Join(texts, ",")
}

// Of returns in which group statement i is; -1: in none.
func (g Groups) Of(i int) int {
	return slices.IndexFunc(g, func(group []int) bool { return slices.Contains(group, i) })
}

// A GroupsError says why groups cannot be launches in turn.
type GroupsError struct {
	Why string
	Dep *Dependence // that they turn round; nil: they are no partition
}

func (e *GroupsError) Error() string { return e.Why }

// Check returns nil where each statement of c is in one of the groups, and none depends in its iteration on one of a later group; else a *GroupsError.
func (g Groups) Check(c *Canonical, deps []Dependence) error {
	for _, st := range c.Scop.Stmts {
		n := 0
		for _, group := range g {
			for _, i := range group {
				if i == st.Order {
					n++
				}
			}
		}
		switch {
		case n == 0:
			return &GroupsError{Why: st.Name + " is in no group"}
		case n > 1:
			return &GroupsError{Why: st.Name + " is in a group twice"}
		}
	}
	return poly.Limited(func() error {
		for _, d := range deps {
			if g.Of(d.Src.Order) > g.Of(d.Dst.Order) && !d.Map.Intersect(sameTime(d.Src, d.Dst)).IsEmpty() {
				return &GroupsError{fmt.Sprintf("%s depends on %s, which is in a later group", d.Dst.Name, d.Src.Name), &d}
			}
		}
		return nil
	})
}

// within returns those of arrays that one group alone uses.
func (g Groups) within(p *scop.Program, arrays []*scop.Array) (all []*scop.Array) {
	for _, a := range arrays {
		var users []int
		for _, st := range p.Stmts {
			if slices.ContainsFunc(st.Accesses, func(x *scop.Access) bool { return x.Array == a }) {
				users = append(users, g.Of(st.Order))
			}
		}
		if slices.Min(users) == slices.Max(users) {
			all = append(all, a)
		}
	}
	return all
}

// Groups returns the statements of each launch of an iteration, where tiles overlap; nil: all are in one.
func (s *Schedule) Groups() (g Groups) {
	if !s.Overlaps() || len(s.Versions) > 0 || len(s.Phases) < 2 {
		return nil
	}
	for _, ph := range s.Phases {
		var group []int
		for _, st := range s.Canonical.Scop.Stmts {
			if ph.Runs(st) {
				group = append(group, st.Order)
			}
		}
		g = append(g, group)
	}
	return g
}

package cpu

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file finds variants: steps that compute the same, each in its part of the grid, and differ in nothing but where their loops begin and end and how far away some of
// the elements lie that they read. At edges there are many, as each statement that a condition on places or a remainder was split into has an edge, and each corner is
// another one: 26 in three dimensions. One nest that runs each of them in turn is as fast, and a compiler has it to compile once.

// A Nest runs Steps, which are variants of each other, one after the other, all by the loops of Lead: its accesses stand for those that Like gives, by step. What differs between Steps
// are bounds of loops and constants of sums; Lead has those of the first one.
type Nest struct {
	Lead  *Step
	Steps []*Step // their iterators count up where loops do
	Like  []map[*scop.Access]*scop.Access
}

// InNests returns the numbers of the steps of t by the nests that run them, in turn. None depends on another one that it changes places with.
func (t Tile) InNests() [][]int {
	if t.Nests != nil {
		return t.Nests
	}
	all := make([][]int, len(t.Steps))
	for i := range all {
		all[i] = []int{i}
	}
	return all
}

// Nest returns the nest that runs the steps of t with these numbers, nil if they are no variants.
func (t Tile) Nest(numbers []int) *Nest {
	n := newNest(t.Steps[numbers[0]])
	for _, i := range numbers[1:] {
		if n = n.with(t.Steps[i]); n == nil {
			break
		}
	}
	return n
}

// newNest returns the nest that runs s alone.
func newNest(s *Step) *Nest {
	s = s.forwards()
	like := map[*scop.Access]*scop.Access{}
	for _, a := range s.Stmt.Accesses {
		like[a] = a
	}
	return &Nest{Lead: s, Steps: []*Step{s}, Like: []map[*scop.Access]*scop.Access{like}}
}

// variants returns the steps of t by the nests that run them, as their numbers: those that are variants of each other and need no order among them.
func (m *maker) variants(t Tile) (numbers [][]int) {
	var nests []*Nest
	for i, s := range t.Steps {
		found := false
		for k, n := range nests {
			if n == nil || !m.together(t, numbers[k][0], i) {
				continue
			}
			if more := n.with(s); more != nil {
				nests[k], numbers[k], found = more, append(numbers[k], i), true
				break
			}
		}
		if found {
			continue
		}
		numbers = append(numbers, []int{i})
		if s.loose() {
			nests = append(nests, newNest(s))
		} else {
			nests = append(nests, nil)
		}
	}
	return numbers
}

// together reports whether the steps i and k of t, i < k, may run one after the other, before those between them: all these are of one level, and of one rank among its
// statements. Then they run at one place of the schedule, where no instance depends on another one.
func (m *maker) together(t Tile, i, k int) bool {
	c := m.loops.Schedule.Canonical
	if c.Ordered || c.Sweeps != nil {
		return false
	}
	first := t.Steps[i]
	return !slices.ContainsFunc(t.Steps[i:k+1], func(s *Step) bool {
		return s.A != first.A || c.Levels[s.Stmt.Order] != c.Levels[first.Stmt.Order] || c.Ranks != nil && c.Ranks[s.Stmt.Order] != c.Ranks[first.Stmt.Order] || m.buffered(s)
	})
}

// buffered reports whether s touches an array of which tiles have a part of their own.
func (m *maker) buffered(s *Step) bool {
	return slices.ContainsFunc(s.Stmt.Accesses, func(a *scop.Access) bool { return m.prog.Buffer(a.Array) != nil })
}

// with returns the nest that runs x, too, nil if that is no variant: loops begin and end elsewhere, and the rows of elements that x touches are at another distance, but one that is
// the same for all points. Rows that have one point each may touch elements at any distance.
func (n *Nest) with(x *Step) *Nest {
	s := n.Lead
	x = x.forwards()
	if slices.ContainsFunc(n.Steps, func(y *Step) bool { return y.Stmt == x.Stmt }) || len(s.Loops) != len(x.Loops) || len(s.Iters) != len(x.Iters) ||
		!s.loose() || !x.loose() || s.SinglePoints() != x.SinglePoints() || s.plain() != x.plain() {
		return nil
	}
	for d, l := range s.Loops {
		k := x.Loops[d]
		for _, y := range n.Steps {
			if l.Var != k.Var || !s.setBefore(d, y.Loops[d].Lo, k.Lo) || !s.setBefore(d, y.Loops[d].Hi, k.Hi) {
				return nil
			}
		}
		for i := range s.Iters {
			if s.coef(i, d) != x.coef(i, d) {
				return nil
			}
		}
	}
	if last := len(s.Loops) - 1; last > 1 && s.SinglePoints() && !(affine.Same(s.Loops[last].Lo, x.Loops[last].Lo) && affine.Same(s.Loops[last].Hi, x.Loops[last].Hi)) {
		return nil // there are many in three dimensions: those of one side of the grid, which most tiles do not touch, are left out at once
	}
	joined := n.joined(x)
	if joined != nil && !s.plain() && !joined.inRows() {
		return nil
	}
	return joined
}

// inRows reports whether the last step of n runs in such rows as Lead: as many side by side, in loops of the compiler. Its points read elements at the same distances, so that what
// is loaded once for several is so for all. Vectors that fill cache lines are apart: gcc 12.2 -O3 made a program with two such nests in one take 1.1 times as long.
func (n *Nest) inRows() bool {
	last := len(n.Steps) - 1
	s, x, like := n.Lead, n.Steps[last], n.Like[last]
	if s.Align == nil != (x.Align == nil) || x.Back != [2]bool{} && x.Back != s.Back || len(s.Groups) != len(x.Groups) {
		return false
	}
	for a, b := range like {
		for i := range a.Index {
			if a.Index[i].Const != b.Index[i].Const || !slices.Equal(a.Index[i].Params, b.Index[i].Params) {
				return false
			}
		}
		if n.Like[0][a] != a {
			return false
		}
	}
	return slices.EqualFunc(s.Groups, x.Groups, func(g, h Group) bool { return g.Size == h.Size && g.Vectors == nil && h.Vectors == nil })
}

// Alike reports whether all of n touch elements at the same distances.
func (n *Nest) Alike() bool { return !n.Lead.plain() }

// loose reports whether points of s may run in any order, and all do something.
func (s *Step) loose() bool {
	return !s.Ordered && s.Way == schedule.Any && len(s.Guard) == 0 && len(s.Stmt.When) == 0 && len(s.Turn.Rows) == 0 && s.Turn.Whole()
}

// plain reports whether the rows of s run one by one, in loops of the compiler, and nothing is fetched meanwhile.
func (s *Step) plain() bool {
	return s.loose() && s.Back == [2]bool{} && s.Grows == 0 && len(s.Groups) == 1 && s.Groups[0].Size == 1 && len(s.Groups[0].Fetch) == 0 && s.Groups[0].Vectors == nil
}

// setBefore reports whether bounds of loop d are the same, or both known before the loops of the step.
func (s *Step) setBefore(d int, x, y affine.Expr) bool {
	return affine.Same(x, y) || s.Depth(x) < 0 && s.Depth(y) < 0
}

// coef returns by how much loop d moves iterator i.
func (s *Step) coef(i, d int) int64 { return s.Iters[i].(affine.Sum).Coef(s.Loops[d].Var) }

// forwards returns s with loops in which iterators count up where they counted down. Points of s may run in any order.
func (s *Step) forwards() *Step {
	turned := *s
	for d, l := range s.Loops {
		up, down := false, false
		for i := range s.Iters {
			up, down = up || s.coef(i, d) > 0, down || s.coef(i, d) < 0
		}
		inner := slices.ContainsFunc(s.Loops, func(k astgen.Loop) bool { return mentions(k.Lo, l.Var) || mentions(k.Hi, l.Var) })
		if !down || up || inner || !s.loose() || s.Grows > 0 {
			continue
		}
		turned.Loops, turned.Iters = slices.Clone(turned.Loops), slices.Clone(turned.Iters)
		turned.Loops[d] = astgen.Loop{Var: l.Var, Lo: affine.Negative(l.Hi), Hi: affine.Negative(l.Lo), BoxLo: -l.BoxHi, BoxHi: -l.BoxLo}
		for i, e := range turned.Iters {
			turned.Iters[i] = affine.Subst(e, map[string]affine.Sum{l.Var: affine.Var(l.Var).Times(-1)})
		}
	}
	return &turned
}

// mentions reports whether e is over a variable of that name.
func mentions(e affine.Expr, name string) (found bool) {
	affine.Vars(e, func(v string) { found = found || v == name })
	return found
}

package ranks

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file is about plans that run again and again, in any order, in a loop around them. What a plan reads of rows that other ranks own is sent before it only where the receiver has not got it: a
// halo is there from when it was sent until a plan runs that writes some of it. Which plans make which halos stale, and at which borders, is found here, exactly and for all sizes; which of them have run is
// known when the program runs.

// A Halo is what one plan reads of an array, of what was in memory before it, across each border one way.
type Halo struct {
	Plan, Array int  // by number
	Up          bool // it is sent to the rank above the border
	// Covers are the halos that are there, too, where this one has been sent: of the same array, whatever the plans call it, and at any sizes. It is one of them, unless it depends on sizes that the
	// loop changes: then it is Sized, and there while the plan runs with the sizes of the run before.
	Covers []int
	Sized  bool
}

// A Stale is a halo some of which a plan writes at the borders From .. To, of the widest plan, over the parameters of the plan that writes; nil: at any border.
type Stale struct {
	Halo     int
	From, To affine.Expr
}

// A Loop is plans that run in a loop, with what is known of their halos. Of arrays that a plan has as planes of one, such as two that pointers lead to which exchange in its time loop, it has none: what it reads of them
// is always sent, and where it writes some all halos of these, whatever the plan that reads them, are stale.
type Loop struct {
	Plans []*Plan
	// Widest is the number of the plan whose tiles have most rows: ranks share out those, and so the tiles of the other plans, whose borders lie at those of it, too.
	Widest int
	Halos  []Halo
	Stale  [][][]Stale // by plan and array: if the array is the one that the halo is of
	// Overlap says of each plan whether tiles that are neither the first nor the last one of a rank touch only what the rank owns, and messages before the first phase only what it does not:
	// then these may travel, and be put in place, while such tiles run.
	Overlap []bool
}

// Around says what is known of plans in a loop.
type Around struct {
	// Fixed returns by what name all plans may know a parameter of one of them, which the loop leaves alone; ok is false where it may change.
	Fixed func(q scop.Param) (name string, ok bool)
	// Same reports whether arrays of two plans may be the same memory. Then they have rows of the same extents.
	Same func(x, y *scop.Array) bool
}

// WidestOf returns the number of the plan whose tiles have most rows. ok is false where borders of others do not lie at all of its.
func WidestOf(plans []*Plan) (widest int, ok bool) {
	for i, p := range plans {
		if p.Width() > plans[widest].Width() {
			widest = i
		}
	}
	return widest, !slices.ContainsFunc(plans, func(p *Plan) bool { _, _, ok := p.TileAt(plans[widest]); return !ok })
}

// MakeLoop finds the halos of plans, of which WidestOf says that they share out rows together. The error is a *poly.LimitError.
func MakeLoop(plans []*Plan, around Around) (*Loop, error) {
	m := &haloMaker{Loop: &Loop{Plans: plans}, around: around}
	m.Widest, _ = WidestOf(plans)
	err := poly.Limited(func() error {
		for _, p := range plans {
			m.borders = append(m.borders, newBorder(p))
			m.Overlap = append(m.Overlap, p.overlaps())
		}
		for i := range plans {
			m.halosOf(i)
		}
		for i := range plans {
			m.staleAfter(i)
		}
		for k := range m.Halos {
			m.covers(k)
		}
		return nil
	})
	return m.Loop, err
}

// overlaps: see Loop.
func (p *Plan) overlaps() bool {
	if p.Pipeline != nil {
		return false // the first tile is one beside a border
	}
	for _, a := range p.Arrays {
		if a.Dim >= 0 && (a.Ring || -a.Lo > p.Width()*a.Unit || a.Hi > p.Width()*a.Unit) {
			return false
		}
	}
	return !slices.ContainsFunc(p.Before.Up, func(s Strip) bool { return s.Since.Hi[0] >= 0 }) && !slices.ContainsFunc(p.Before.Down, func(s Strip) bool { return s.Since.Lo[0] < 0 })
}

// A haloMaker finds halos.
type haloMaker struct {
	*Loop
	around  Around
	borders []*border // by plan
	needs   []poly.Set
}

// The roles of a plan in a question: it runs after the other one, or before it. Sizes that the loop changes have other names in each.
const (
	earlier = "hexcc_earlier_"
	later   = "hexcc_later_"
	fixed   = "hexcc_fixed_"
)

// in returns elements of an array of plan i, over its parameters and the border, in terms of all plans: the border is that of the widest one.
func (m *haloMaker) in(i int, a *scop.Array, set poly.Set, role string) poly.Set {
	b := m.borders[i]
	set = set.ProjectOut(b.T).RenameTuple(a.Name, "element")
	if times, plus, _ := b.TileAt(m.Plans[m.Widest]); (times != 1 || plus != 0) && slices.Contains(set.Params(), b.Border) {
		const own = "hexcc_own_border"
		set = set.RenameParam(b.Border, own)
		tuple := elements(a)
		tuple.Name = "element"
		at := poly.NewSet(append(set.Params(), b.Border), tuple, poly.Equal(affine.Var(own), affine.Var(b.Border).Times(times).Add(plus)))
		set = set.Intersect(at).ProjectOut(own)
	}
	for _, q := range b.scop.Params {
		set = set.RenameParam(q.Name, m.name(q, role))
	}
	return set
}

// context returns what holds of the parameters of plan i, in terms of all plans.
func (m *haloMaker) context(i int, role string) poly.Set {
	set := m.borders[i].scop.Context
	for _, q := range m.borders[i].scop.Params {
		set = set.RenameParam(q.Name, m.name(q, role))
	}
	return set
}

func (m *haloMaker) name(q scop.Param, role string) string {
	if name, ok := m.around.Fixed(q); ok {
		return fixed + name
	}
	return role + q.Name
}

// halosOf adds the halos of plan i. What a halo has to hold is what crosses a border from memory, as the proof of the plan finds it, and what else the plan sends in order to have it
// (before.go).
func (m *haloMaker) halosOf(i int) {
	b := m.borders[i]
	for k, a := range b.Arrays {
		if a.Dim < 0 || len(a.Array.Planes) > 0 {
			continue
		}
		for _, way := range []int{1, -1} {
			var need poly.Set
			for _, f := range b.flowsOf(a.Array) {
				if f.From.a == nil {
					b.phases(f, func(w, r int, rows []poly.Formula) string {
						need = need.Union(b.crossing(a, f, way, w, r, rows))
						return ""
					})
				}
			}
			sent := false
			for _, s := range b.boxes(-1, way) {
				sent = sent || s.Array == a.Array
				if s.Array == a.Array && s.whole {
					need = need.Union(b.inside(a, s))
				}
			}
			if sent {
				m.Halos = append(m.Halos, Halo{Plan: i, Array: k, Up: way > 0})
				m.needs = append(m.needs, need.IntersectParams(b.scop.Context))
			}
		}
	}
}

// array returns the array that a halo is of.
func (m *haloMaker) array(k int) Array { return m.borders[m.Halos[k].Plan].Arrays[m.Halos[k].Array] }

// staleAfter finds what plan i makes stale.
func (m *haloMaker) staleAfter(i int) {
	b := m.borders[i]
	all := make([][]Stale, len(b.Arrays))
	for j, a := range b.Arrays {
		writes := b.touched(a.Array, true)
		if writes.IsEmpty() || len(a.Array.Planes) > 0 {
			continue
		}
		for k := range m.Halos {
			of := m.array(k)
			if !m.around.Same(a.Array, of.Array) {
				continue
			}
			need := m.in(m.Halos[k].Plan, of.Array, m.needs[k], later)
			both := m.in(i, a.Array, writes, earlier).Intersect(need)
			if both.IsEmpty() {
				continue
			}
			s := Stale{Halo: k}
			s.From, s.To = m.bordersOf(i, a, both)
			all[j] = append(all[j], s)
		}
	}
	m.Stale = append(m.Stale, all)
}

// bordersOf returns at which borders there are elements, in terms of all plans, over the parameters of plan i; nil where that may be any that is two tiles or more from the ends of the array.
func (m *haloMaker) bordersOf(i int, a Array, set poly.Set) (from, to affine.Expr) {
	b := m.borders[i]
	for _, q := range b.scop.Params {
		set = set.RenameParam(m.name(q, earlier), q.Name)
	}
	return b.bordersOf(a, set.RenameTuple("element", a.Array.Name), m.Plans[m.Widest])
}

// bordersOf returns at which borders, those of a plan, there are elements of an array, over the parameters of p; nil where that may be any that is two tiles or more from the ends of the array.
func (p *planner) bordersOf(a Array, set poly.Set, of *Plan) (from, to affine.Expr) {
	if p.anywhere(a, set, of) {
		return nil, nil
	}
	one := poly.NewMap(p.params, elements(a.Array), poly.Tuple{Dims: poly.Dims(1)}, poly.Equal(poly.Out(0), affine.Var(p.Border))).Apply(set)
	var other []string
	for _, name := range one.Params() {
		if !slices.Contains(p.scop.ParamNames(), name) {
			other = append(other, name)
		}
	}
	lo, hi, err := p.extent(one.ProjectOut(other...), 0)
	if err != nil {
		return nil, nil
	}
	return lo, hi
}

// anywhere reports whether there are elements of an array at borders, those of a plan, that are two tiles or more from its ends.
func (p *planner) anywhere(a Array, set poly.Set, of *Plan) bool {
	apart := affine.Num(2 * of.Width() * a.Unit)
	first := of.BorderRow().Times(a.Unit)
	far := poly.NewSet(p.params, elements(a.Array), poly.AtMost(apart, first), poly.AtMost(first.Plus(apart), p.scop.Sum(a.Array.Extents[a.Dim], nil)))
	return !set.Intersect(far).IsEmpty()
}

// covers finds what is there, too, where halo k has been sent.
func (m *haloMaker) covers(k int) {
	h := &m.Halos[k]
	b, a := m.borders[h.Plan], m.array(k)
	way := -1
	if h.Up {
		way = 1
	}
	var sent poly.Set
	for _, s := range b.boxes(-1, way) {
		if s.Array == a.Array {
			sent = sent.Union(b.inside(a, s))
		}
	}
	sent = m.in(h.Plan, a.Array, sent, earlier)
	for j, o := range m.Halos {
		if (o.Up != m.Plans[o.Plan].Reversed()) != (h.Up != m.Plans[h.Plan].Reversed()) || !m.around.Same(a.Array, m.array(j).Array) {
			continue
		}
		need := m.in(o.Plan, m.array(j).Array, m.needs[j], later).IntersectParams(m.context(h.Plan, earlier)) // where the plan has run
		if need.IsSubset(sent) {
			h.Covers = append(h.Covers, j)
		}
	}
	h.Sized = !slices.Contains(h.Covers, k)
}

func (l *Loop) String() (text string) {
	for k, x := range l.Halos {
		text += fmt.Sprintf("halo %d: plan %d, array %d, up %v, covers %v, sized %v\n", k, x.Plan, x.Array, x.Up, x.Covers, x.Sized)
	}
	for i, all := range l.Stale {
		for j, list := range all {
			for _, s := range list {
				text += fmt.Sprintf("plan %d, array %d: makes stale halo %d", i, j, s.Halo)
				if s.From != nil {
					text += fmt.Sprintf(" at borders %v .. %v", s.From, s.To)
				}
				text += "\n"
			}
		}
	}
	return text
}

package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file reads the exchange of pointers in the time loop, such as
//
//	double (*tmp)[m] = A; A = B; B = tmp;
//
// Each step moves the same pointers, so after k steps a pointer holds what the
// k-th next of its cycle began with. The arrays of a cycle of r pointers become
// one array with a dimension more, the plane, whose subscript is (k+c) mod r.

// A cycle is the pointers that rotate: each step leaves in pointers[i] what
// pointers[i+1] held, and in the last what the first held.
type cycle struct {
	pointers []*cc.Declarator
	array    *array    // nil until an access names it, or if that is wrong
	refused  diag.List // what is wrong with the array
	fixed    bool      // the pointers stay as they are: see storage_choose.go
	of       *cycle    // of structs, or pointers to them, of which the pointers are members: see storage_members.go
	used     bool      // by those
}

// isMoved reports whether the time loop assigns pointer d.
func (st *storage) isMoved(d *cc.Declarator) bool { _, ok := st.moved[d]; return ok }

// isBroughtBack reports whether each step moves pointer d, and leaves in it what it held when the step began.
func (st *storage) isBroughtBack(d *cc.Declarator) bool {
	m, moved := st.moved[d]
	return moved && m.choice == nil && m.end == d
}

// findCycles finds the pointers that body, that of the time loop, rotates.
func (st *storage) findCycles(body []stmt, time loop) {
	st.time = time
	st.moved, st.cycles = map[*cc.Declarator]move{}, map[*cc.Declarator]*cycle{}
	end := pointers{holds: map[*cc.Declarator]*cc.Declarator{}} // of a step
	for _, s := range body {
		ms, _ := st.moves(s)
		for _, m := range ms {
			if m.choice != nil {
				st.moved[m.to] = m
				continue
			}
			if m.from == nil && functionAt(m.to.Type()) != nil {
				st.errorf("HX103", m.where, callbackRule, "call each function by its name, under a condition of its own", "'%s', a pointer to functions, is set in the time loop", st.u.members.name(m.to))
				continue
			}
			if m.from == nil {
				st.errorf("HX117", m.where, rotationRule, "assign whole pointers, one to the other, or use subscripts with % instead",
					"pointer '%s' is set to %s in the time loop", st.u.members.name(m.to), quotedOr(m.text, "something else"))
				clear(st.moved) // one error is enough
				return
			}
			if !isPointer(m.to) {
				st.copied = append(st.copied, m.where)
			}
			m.end = end.of(m.from)
			end.holds[m.to], st.moved[m.to] = m.end, m
		}
	}
	for d := range end.holds {
		st.findCycle(d, end)
	}
	for _, s := range body {
		st.findChoices(s)
	}
}

const rotationRule = "allowed: pointers that are exchanged, directly in the time loop, in the same way in every step"

func quotedOr(text, or string) string {
	if text == "" {
		return or
	}
	return "'" + text + "'"
}

// findCycle notes the cycle that d is part of, if it is; end is what pointers hold at the end of a step.
func (st *storage) findCycle(d *cc.Declarator, end pointers) {
	ring := []*cc.Declarator{d}
	for next := end.of(d); next != d; next = end.of(next) {
		if slices.Contains(ring, next) {
			return // d leads to a cycle, but is not part of it
		}
		ring = append(ring, next)
	}
	first := 0 // the same for every member
	for i, p := range ring {
		if st.before(p, ring[first]) {
			first = i
		}
	}
	if len(ring) == 1 || st.cycles[ring[first]] != nil {
		return
	}
	c := &cycle{pointers: append(slices.Clone(ring[first:]), ring[:first]...)}
	for _, p := range ring {
		st.cycles[p] = c
		st.take(st.u.members.name(p))
	}
}

// checkKnown reports pointer d, which x names and whose value at the beginning
// of a step is not known, because a step changes it and nothing brings it back.
func (st *storage) checkKnown(x ident, d *cc.Declarator) bool {
	if !st.isMoved(d) || st.cycles[d] != nil || st.isBroughtBack(d) {
		return true
	}
	m := st.moved[d]
	st.refuse(d, st.noting(func() {
		st.errorf("HX117", m.where, rotationRule, "exchange the pointers: tmp = A; A = B; B = tmp;",
			"pointer '%s' gets another array, but no pointer gets the one it had", st.u.members.name(d))
	}))
	return false
}

// checkCyclesUsed reports pointers that rotate though no nest uses them: the
// generated code, which knows no array for them, would leave them as they are.
func (st *storage) checkCyclesUsed() {
	for _, d := range inOrder(st.source, st.cycles) {
		if c := st.cycles[d]; c.array == nil && c.refused == nil && !c.fixed && !c.used {
			c.refused = st.noting(func() {
				st.errorf("HX117", st.moved[d].where, rotationRule, "keep the exchange out of the region", "pointer '%s' is exchanged, but no loop nest uses it", st.u.members.name(d))
			})
		}
	}
}

// holder returns the array that p leads to at this place, and the subscript of
// its plane if it has planes. It returns nil where that was reported to be wrong.
func (st *storage) holder(at place, p path) (*array, *subscript) {
	x := p.root
	if st.isRefused(x.decl) {
		return nil, nil
	}
	if c := choiceOf(at, p); c != nil {
		return st.chosenPlane(at, p, c)
	}
	if outer, way := st.u.members.around(x.decl, st.isMoved); outer != nil {
		return st.memberHolder(at, p, outer, way)
	}
	if d := at.pointers.of(x.decl); d != x.decl {
		x.decl, x.name = d, st.u.members.name(d)
		if !p.cast {
			p.shape = d.Type()
		}
		p.root = x
	}
	c := st.cycles[x.decl]
	if c == nil {
		if !st.checkKnown(x, x.decl) {
			return nil, nil
		}
		return st.arrayOf(at, p), nil
	}
	if st.arrayOfCycle(at, c, p) == nil {
		return nil, nil
	}
	plane := int64(slices.Index(c.pointers, x.decl))
	if c.fixed {
		return c.array, &subscript{linear: constant(plane)}
	}
	count, _, _ := st.steps()
	return c.array, &subscript{linear: count.addc(plane), mod: int64(len(c.pointers))}
}

// arrayOfCycle returns the array of c, which p leads to, nil if that was reported to be wrong.
func (st *storage) arrayOfCycle(at place, c *cycle, p path) *array {
	if c.refused != nil {
		st.again(c.refused)
		return nil
	}
	if c.array == nil {
		if wrong := st.noting(func() { c.array = st.newCycle(at, c, p) }); c.array == nil {
			c.refused = wrong
			return nil
		}
	}
	if !st.sameShape(at, c.array, p) {
		return nil
	}
	return c.array
}

// newCycle returns the array of c, or notes what is wrong with it; way is the first access.
func (st *storage) newCycle(at place, c *cycle, way path) *array {
	x := way.root
	if _, _, ok := st.steps(); !ok && !c.fixed {
		st.errorf("HX117", st.time.where, "which array a pointer holds depends on the number of steps before, which must be one sum", "let the time loop begin at one sum of parameters, with a step of 1",
			"the number of time steps that rotate '%s' is not known", x.name)
		return nil
	}
	var first *array
	for _, p := range c.pointers {
		shape, sizes := p.Type(), place{}
		if way.cast {
			shape, sizes = way.shape, at
		}
		a := st.newArray(sizes, ident{x.where, st.u.members.name(p), p}, shape)
		if a == nil {
			return nil
		}
		if first == nil {
			first = a
			continue
		}
		if a.Elem != first.Elem || a.guess != first.guess || !slices.EqualFunc(a.extents, first.extents, linear.equal) {
			st.errorf("HX117", x.where, "allowed: pointers to elements of one type with the same extents", "declare both alike",
				"pointers '%s' and '%s' are exchanged, but have not the same shape", first.Name, a.Name)
			return nil
		}
	}
	first.lead, first.planes = 1, c.pointers
	first.extents = append([]linear{constant(int64(len(c.pointers)))}, first.extents...)
	st.arrays[first.decl] = first
	return first
}

// steps returns how many time steps have run at the beginning of one, and the
// sums whose least is the number of all, or 0 if that is negative.
func (st *storage) steps() (count linear, all []linear, ok bool) {
	t := st.time.decl
	starts := 0
	for _, r := range st.time.constraints {
		if r.v.of(t) == 1 {
			count = r
			starts++
		}
	}
	for _, r := range st.time.constraints {
		switch r.v.of(t) {
		case 1:
		case -1:
			all = append(all, count.add(r).addc(1))
		default:
			return linear{}, nil, false
		}
	}
	return count, all, starts == 1
}

// finishPlanes fills in what generated host code needs of the planes of a.
func (st *storage) finishPlanes(a *array, fr frame) {
	if a.table > 0 {
		a.Flat, a.Planes = "", st.tablePlanes(a)
	}
	if len(a.planes) == 0 {
		return
	}
	a.Flat = ""
	for _, p := range a.planes {
		text := st.u.members.name(p)
		plane := scop.Plane{Name: st.nameOf(p), Flat: text, Pointer: text}
		if c := st.cycles[p]; c != nil && c.of != nil {
			plane.Pointer = st.u.members.name(c.of.pointers[slices.Index(c.pointers, p)])
		}
		if len(a.rows) > 0 {
			plane.Flat = st.firstRow(a, text, fr)
		} else if a.shape == a.decl.Type() {
			plane.Flat = st.flat(p, &array{shape: p.Type()})
		}
		a.Planes = append(a.Planes, plane)
	}
	if c := st.cycles[a.planes[0]]; c == nil || c.fixed {
		return
	}
	_, all, ok := st.steps()
	if !ok {
		panic(fmt.Sprintf("frontend: finishPlanes: the steps of %s are not known", a.Name))
	}
	for _, n := range all {
		a.Turns = append(a.Turns, fr.affine(n))
	}
}

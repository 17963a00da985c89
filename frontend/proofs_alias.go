package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file says which arrays may overlap, and so must be declared otherwise, or are tested at run time not to: the pairs that
// checkAliasing returns become scop.Program.Apart.

// aliasing asks which arrays of a region may overlap.
type aliasing struct {
	*storage
	nests []*nest
}

// checkAliasing returns the pairs of arrays that may overlap, where it matters, to be tested at run time: a pair of
// one element type, one of the two written, one of them a pointer without
// restrict. That a pointer parameter points to a number that the region reads
// is left out of account. One remark names them, unless --assume=noalias promises
// that none overlap; with --unchecked that promise is not tested.
func (al *aliasing) checkAliasing() (apart [][2]object) {
	al.checkReferences()
	al.checkElements()
	var objects []object
	for _, d := range inOrder(al.source, al.arrays) {
		if !al.uses(al.arrays[d]) {
			continue // such as what is passed to a function that does nothing with it
		}
		for k, o := range al.arrays[d].objects() {
			objects = append(objects, object{al.arrays[d], o, k})
		}
	}
	var pairs [][2]object
	for i, x := range objects {
		for _, y := range objects[i+1:] {
			if (x.stored || y.stored) && al.overlapUnsaid(x, y) {
				if !al.mayOverlap(y.decl) { // put the pointer last: it is the one to mend
					x, y = y, x
				}
				pairs = append(pairs, [2]object{x, y})
			}
		}
	}
	switch {
	case len(pairs) == 0 || al.o.NoAlias && al.o.Unchecked:
		return nil
	case !al.o.NoAlias:
		al.note(al.overlapRemark(pairs))
	}
	return pairs
}

// uses reports whether a nest uses elements of a.
func (al *aliasing) uses(a *array) bool {
	return slices.ContainsFunc(al.nests, func(n *nest) bool {
		return slices.ContainsFunc(n.accesses, func(x *access) bool { return x.array == a })
	})
}

// checkReferences refuses a parameter of the function around the region that is a reference of C++ to a number of a type which
// the region writes to memory: its value is taken once.
func (al *aliasing) checkReferences() {
	for _, d := range slices.Concat(inOrder(al.source, al.params), inOrder(al.source, al.scalars)) {
		at := al.f.span(tokenAt(d.NameTok()))
		if !al.f.isReference(tokenAt(d.NameTok())) {
			continue
		}
		t, _ := storedType(d.Type())
		for _, x := range inOrder(al.source, al.arrays) {
			if a := al.arrays[x]; a.stored && sameObject(a.Elem, t) && al.mayOverlap(x) {
				al.note(&diag.Diagnostic{Code: "HX106", At: at,
					Msg:   fmt.Sprintf("'%s' is a reference, and may be one of the elements of '%s', which are written", d.Name(), a.Name),
					Notes: []diag.Note{{Msg: "its value is read once, before the region"}},
					Help:  "pass it by value",
				})
				break
			}
		}
	}
}

// An object is one of the variables that lead to the elements of an array.
type object struct {
	*array
	decl  *cc.Declarator
	index int // in the array's objects
}

// overlapUnsaid reports whether nothing in the source says that x and y do not overlap.
func (al *aliasing) overlapUnsaid(x, y object) bool {
	if x.Shared && y.Shared && x.decl == y.decl {
		return false // members of one array of structs
	}
	if len(x.rows)+len(y.rows) > 0 {
		return sameObject(x.Elem, y.Elem) // what is said of a pointer to pointers to rows says nothing of the rows
	}
	if !al.mayOverlap(x.decl) && !al.mayOverlap(y.decl) || al.isRestrict(x.decl) || al.isRestrict(y.decl) || !sameObject(x.Elem, y.Elem) {
		return false
	}
	if al.isConstObject(x.decl) && y.stored || al.isConstObject(y.decl) && x.stored {
		return false // no program may write there (C 6.7.3)
	}
	return !al.sameStruct(x.decl, y.decl) && !al.neverOverlap(x.decl, y.decl)
}

// restricted returns a declaration of y with restrict.
func (al *aliasing) restricted(y object) string {
	if m, ok := al.u.members.of[y.decl]; ok {
		if d := m.root; !isPointer(y.decl) {
			return fmt.Sprintf("pointer '%s' restrict", d.Name())
		}
		return fmt.Sprintf("member '%s' restrict", y.decl.Name())
	}
	if y.table > 0 {
		return fmt.Sprintf("the pointers in '%s' restrict", y.decl.Name())
	}
	fr := al.frame()
	text := fmt.Sprintf("'%s %s", y.Elem, y.decl.Name())
	own := y.extents[y.lead:]
	if y.guess { // a pointer
		text = fmt.Sprintf("'%s *restrict %s", y.Elem, y.decl.Name())
		if own = own[1:]; len(own) > 0 {
			text = fmt.Sprintf("'%s (*restrict %s)", y.Elem, y.decl.Name())
		}
	}
	for i, e := range own {
		size := fr.text(e)
		if i == 0 && !y.guess {
			size = "restrict " + size
		}
		text += "[" + size + "]"
	}
	return text + "'"
}

// sameObject reports whether one object may be read as both types: characters read any object.
func sameObject(s, t scop.Type) bool {
	if s == scop.Bool || t == scop.Bool {
		return s.Size() == t.Size()
	}
	if s.Size() == 1 || t.Size() == 1 {
		return true
	}
	unsigned := map[scop.Type]scop.Type{scop.Uint: scop.Int, scop.Ulong: scop.Long, scop.Ushort: scop.Short}
	signed := func(t scop.Type) scop.Type {
		if u, ok := unsigned[t]; ok {
			return u
		}
		return t
	}
	return signed(s) == signed(t)
}

// nameOfObject returns how the user writes o.
func (al *aliasing) nameOfObject(o object) string {
	if o.table > 0 {
		return fmt.Sprintf("%s[%d]", al.u.members.name(o.decl), o.index)
	}
	return al.u.members.name(o.decl)
}

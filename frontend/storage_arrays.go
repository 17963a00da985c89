package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file reads the declarations of arrays.

// An array is a scop.Array on its way.
type array struct {
	*scop.Array
	decl    *cc.Declarator
	extents []linear
	guess   bool // extents[lead] is not declared, but taken from the accesses
	lead    int  // how many dimensions the array has before those of its pointers: 1 if they rotate
	stored  bool // the region writes it
	planes  []*cc.Declarator
	table   int // how many pointers the variable is an array of; 0: it is none

	shape    cc.Type    // of the variable, or what a cast makes of it
	record   cc.Type    // the struct that the elements are members of: the last dimension runs through it
	total    polynomial // of a guessed array that is declared as A[n * m]: its number of elements
	tail     int        // how many dimensions follow the first of its subscripts as it is declared: rows, and that of the members of structs
	inferred bool       // the dimensions that the first subscript stands for are taken from the accesses
	rows     []rowDim   // the levels of pointers by which its rows are reached, outside in
	origin   []linear   // if set: the subscripts, but for that of the planes, of the element that C's pointer leads to
	first    []linear   // of an inferred array with an origin: the subscripts of the first element that is used
	last     []linear   // of an inferred array without end: the subscripts of the last element that is used
}

// objects returns the variables that lead to the elements of a.
func (a *array) objects() []*cc.Declarator {
	if len(a.planes) > 0 {
		return a.planes
	}
	return slices.Repeat([]*cc.Declarator{a.decl}, max(a.table, 1))
}

// isFlat reports whether the declaration of a leaves open what dimensions its
// elements have: a plain pointer, or an array declared by the number of all elements.
func (a *array) isFlat() bool { return a.isOpen() && a.tail == a.members() }

// isOpen reports whether the first subscript of a may stand for several: as for an array that is flat, or one of small rows, such
// as f[y * nx + x][9].
func (a *array) isOpen() bool {
	return len(a.rows) == 0 && len(a.extents) == a.lead+1+a.tail && (a.guess || a.extents[a.lead].isConstant())
}

// members returns how many dimensions a has after those of its subscripts: that of the members of structs.
func (a *array) members() int {
	if a.record != nil {
		return 1
	}
	return 0
}

// subscripts returns how many subscripts lead to an element of a, or to a struct.
func (a *array) subscripts() int {
	n := len(a.extents) - a.lead - a.members()
	if a.table > 0 {
		n++
	}
	return n
}

// arrayOf returns the array that p, at a place, leads to, or notes why there is none.
func (st *storage) arrayOf(at place, p path) *array {
	d := p.root.decl
	if elem, ok := viewOf(p); ok {
		d = st.u.members.view(d, elem)
	}
	if a := st.arrays[d]; a != nil {
		if !st.sameShape(at, a, p) {
			return nil
		}
		return a
	}
	if st.isRefused(d) {
		return nil
	}
	var a *array
	if wrong := st.noting(func() { a = st.newArrayOf(at, p) }); a == nil {
		st.refuse(d, wrong)
		return nil
	}
	st.arrays[d] = a
	return a
}

// sameShape reports whether p takes its variable for the same array as a, and
// notes it if not.
func (st *storage) sameShape(at place, a *array, p path) bool {
	if !p.cast && (p.shape == a.shape || a.lead > 0) || p.shape == a.shape && len(st.sizesOfType(p.shape)) == 0 {
		return true // sizes in a cast may have other values than before
	}
	o := st.newArrayOf(at, p)
	if o == nil {
		return false
	}
	if o.Elem != a.Elem || o.guess != a.guess || !slices.EqualFunc(o.extents[o.lead:], a.extents[a.lead:], linear.equal) {
		st.errorf("HX109", p.root.where, "allowed: one element type and one set of extents for an array of the region", "use the same cast, or none, in all places",
			"'%s' is used with two shapes", p.root.name)
		return false
	}
	return true
}

// newArrayOf returns the array that p leads to, or the view of it. The sizes in a cast have the values that they have
// at its place; those of a declaration, the values that they had before the region.
func (st *storage) newArrayOf(at place, p path) *array {
	if !p.cast {
		at = place{}
	}
	if p.name != nil && !st.checkCast(p.root.where, p.name, p.shape) {
		return nil
	}
	if elem, ok := viewOf(p); ok {
		return st.newView(at, p.root, p.shape, &elem)
	}
	return st.newArray(at, p.root, p.shape)
}

// newArray returns array x with the shape of type t, its own or that of a cast at a place.
func (st *storage) newArray(at place, x ident, t cc.Type) *array { return st.newView(at, x, t, nil) }

// newView is newArray; if view is set, of structs with members of several types, the
// array is that of the members of that one.
func (st *storage) newView(at place, x ident, t cc.Type, view *scop.Type) *array {
	if st.inRegion(x.decl) {
		st.errorf("HX102", x.where, "the arrays of a region are copied to the device and back, so each must exist outside of it",
			"declare it before #pragma scop", "array '%s' is declared in the region", x.name)
		return nil
	}
	s, ok := shapeOfType(t)
	if !ok {
		st.errorf("HX109", x.where, "only elements of arrays have subscripts", "declare it as an array", "'%s' is not an array", x.name)
		return nil
	}
	a := &array{Array: &scop.Array{Name: st.nameOf(x.decl)}, decl: x.decl, shape: t}
	if n := tableOf(t); n > 0 {
		s, _ = shapeOfType(s.elem)
		a.table, a.lead, a.extents = n, 1, []linear{constant(int64(n))}
	}
	if _, rows := s.elem.(*cc.PointerType); rows {
		return st.newRows(a, x, t)
	}
	members, ok := st.elements(a, x, s.elem, view)
	if !ok || !st.checkAttached(x) {
		return nil
	}
	a.Pos = st.f.span(tokenAt(x.decl.NameTok()))
	a.Flat = st.flat(x.decl, a)
	if !st.extents(at, a, x, s.dims) {
		return nil
	}
	if members > 0 {
		a.record, a.extents = s.elem, append(a.extents, constant(members))
	}
	a.tail = len(a.extents) - a.lead - 1
	return a
}

// elements sets the type of the elements of a, which C declares as t, and returns how many of them a struct has, 0
// where they are none.
func (st *storage) elements(a *array, x ident, t cc.Type, view *scop.Type) (members int64, ok bool) {
	elem, ok := storedType(t)
	if _, is := t.(*cc.StructType); is && view != nil && t.Size()%int64(view.Size()) == 0 {
		elem, members, ok = *view, t.Size()/int64(view.Size()), true
		a.Name, a.Shared = st.viewName(x, elem), true
	} else if is {
		if elem, members, ok = recordOf(t); !ok {
			st.errorf("HX106", x.where, "allowed: members of structs that are numbers, and arrays and structs of them, where they are read and written one by one",
				"name the members, or keep them in arrays of their own", "'%s' has elements of type '%s'", x.name, typeName(t))
			return 0, false
		}
	}
	if !ok || isVolatile(x.decl) || t.Attributes().IsVolatile() {
		st.errorf("HX106", x.where, "allowed: arrays of float, double, long double, float and double complex, _Float16, _Bool, and signed and unsigned char, short, int and long, not volatile",
			st.otherType(t),
			"'%s' has elements of type '%s'", x.name, elemName(x.decl, t))
		return 0, false
	}
	a.Elem = elem
	return members, true
}

// otherType returns what to do about elements of type t, which are not modelled.
func (st *storage) otherType(t cc.Type) string {
	switch typeName(t) {
	case "__half", "__fp16":
		return "declare the elements _Float16, which has the same bits, and calculate with them as with numbers"
	case "__bf16":
		return "keep the elements in float, or leave this array out of the region"
	}
	return "change the type of the elements, or leave this array out of the region"
}

// extents adds the extents that a is declared with, or notes what is wrong. One that is missing, or that is a product, is guessed later.
func (st *storage) extents(at place, a *array, x ident, dims []*cc.ArrayType) bool {
	for k, dim := range dims {
		if dim == nil || dim.Len() < 0 && dim.SizeExpression() == nil {
			a.guess = true // only the outermost extent may be missing in C
			a.extents = append(a.extents, linear{})
			continue
		}
		if len(dims) == 1 && dim.Len() < 0 {
			if p, fits, why := st.polynomial(st.u.extent(dim), at); why == nil && len(fits) == 0 {
				if _, plain := st.vars.linear(p); !plain { // such as A[n * m]
					a.guess, a.total, a.extents = true, p, append(a.extents, linear{})
					continue
				}
			}
		}
		e, ok := st.extent(at, a, x, k, dim)
		if !ok {
			return false
		}
		a.extents = append(a.extents, e)
	}
	return true
}

// flat returns a pointer to the first element of a, which variable d leads to.
func (st *storage) flat(d *cc.Declarator, a *array) string {
	name := st.u.members.name(d)
	if s, _ := shapeOf(d); a.shape == d.Type() {
		return "&" + name + zeros(len(s.dims))
	}
	return name // a pointer, cast
}

// extent returns the number of elements of dimension k of a, which variable x leads to.
func (st *storage) extent(at place, a *array, x ident, k int, dim *cc.ArrayType) (linear, bool) {
	if dim.Len() >= 0 {
		return constant(dim.Len()), true
	}
	size := st.u.extent(dim)
	e, why := st.linear(size, at)
	if why == nil && slices.ContainsFunc(at.loops, func(l loop) bool { return e.v.of(l.decl) != 0 }) {
		why = st.because(size, "depends on a loop variable", "")
	}
	if why != nil {
		if e, ok := st.measured(a, x, k); ok && !st.assigns(size) {
			return e, true
		}
		help := "make the extent a parameter, or a sum of parameters with constant factors"
		if len(at.loops) == 0 && st.assigns(size) {
			help = "use another variable in the region: the array keeps the size that it was declared with"
		}
		st.errorf("HX109", x.where, why.text, help,
			"extent '%s' of array '%s' is not affine in parameters", st.textOf(size), x.name)
		return linear{}, false
	}
	return e, true
}

// measured returns the number of elements of dimension k of a as C knows it: what is declared has the size that it was declared with,
// whatever that was computed from, such as v->size[1].
func (st *storage) measured(a *array, x ident, k int) (linear, bool) {
	outermost := k == 0 && (isPointer(x.decl) || x.decl.IsParam())
	if a.shape != x.decl.Type() || a.table > 0 || outermost || st.f.cxx != nil || !scop.IsPlain(x.name) {
		return linear{}, false
	}
	d := st.u.members.computed(x.decl, standIn{
		name: fmt.Sprintf("%s_extent%d", x.name, k),
		text: fmt.Sprintf("(long)(sizeof(%s%s) / sizeof(%s%s))", x.name, zeros(k), x.name, zeros(k+1)),
	})
	st.param(ident{x.where, st.u.members.name(d), d}, scop.Long)
	return variable(d), true
}

package frontend

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// This file keeps the arrays of a region: see storage_arrays.go for their declarations, storage_rotate.go and storage_choose.go for pointers
// that lead to one of several.

// A storage is the arrays of a region, and the pointers that lead to them.
type storage struct {
	*loopReader
	arrays map[*cc.Declarator]*array
	used   map[*array][]usedMember
	time   loop                    // what pointers hold may depend on its steps
	moved  map[*cc.Declarator]move // the last of each pointer
	cycles map[*cc.Declarator]*cycle
	copied []where // assignments of whole structs, which are exchanged
}

func newStorage(lr *loopReader) *storage {
	return &storage{loopReader: lr, arrays: map[*cc.Declarator]*array{}, used: map[*array][]usedMember{}}
}

// declaredFacts returns what declarations say of the parameters.
func (st *storage) declaredFacts() (constraints []linear) {
	add := func(r linear) { constraints = added(constraints, r) }
	for _, d := range inOrder(st.source, st.params) {
		if q, ok := st.quotients[d]; ok {
			for _, r := range q.bounds(d) {
				add(r)
			}
			continue
		}
		if st.params[d].Type.IsUnsigned() {
			add(variable(d))
		}
		if t, _ := storedType(d.Type()); t.IsNarrow() {
			lo, hi := t.Range()
			add(variable(d).addc(-lo))
			add(constant(hi).sub(variable(d)))
		}
	}
	for _, d := range inOrder(st.source, st.arrays) {
		for i, e := range st.arrays[d].extents {
			if a := st.arrays[d]; i > a.lead && (!a.inferred || i >= len(a.extents)-a.tail) || !isPointer(d) && st.arrays[d].table == 0 { // the outermost extent of a parameter says nothing
				add(e.addc(-1)) // C 6.7.6.2: the size of an array is greater than zero
			}
		}
	}
	return constraints
}

// added returns constraints with r, unless that says nothing more.
func added(constraints []linear, r linear) []linear {
	if r.isConstant() || slices.ContainsFunc(constraints, r.equal) {
		return constraints
	}
	return append(constraints, r)
}

// useMember notes that the region uses the member of elements of a that p leads to.
func (st *storage) useMember(a *array, p path) {
	var m usedMember
	for k, f := range p.fields {
		next := len(p.subs)
		if k+1 < len(p.fields) {
			next = p.fields[k+1].after
		}
		m.path += "." + f.Name() + zeros(next-f.after)
		m.offset += f.Offset()
		m.scoped = st.f.isScoped(numberIn(f.Type()))
	}
	m.path = m.path[1:]
	if !slices.Contains(st.used[a], m) {
		st.used[a] = append(st.used[a], m)
	}
}

// A usedMember is a number in the structs that an array is made of.
type usedMember struct {
	path   string // such as flux[0].x
	offset int64
	scoped bool // it is an enumeration of C++ with a scope
}

// checkMembersApart reports arrays of structs of which a member is also read
// as a variable of its own: p[i].x and p->x.
func (st *storage) checkMembersApart() {
	used := map[*cc.Declarator]bool{}
	for d := range st.params {
		used[d] = true
	}
	for d := range st.scalars {
		used[d] = true
	}
	for d := range st.arrays {
		used[d] = true
	}
	for _, d := range inOrder(st.source, st.arrays) {
		if st.arrays[d].record == nil {
			continue
		}
		root := st.arrays[d].decl
		in := st.u.members.of[root]
		for _, e := range inOrder(st.source, used) {
			m, ok := st.u.members.of[e]
			other := st.arrays[e]
			if !ok || m.root != st.u.members.rootOf(root) || !strings.HasPrefix(m.way, in.way+"->") ||
				!st.arrays[d].stored && (other == nil || !other.stored) {
				continue
			}
			st.errorf("HX104", tokenAt(d.NameTok()), "one element must have one name in the region", fmt.Sprintf("write '%s[0]' in both places", st.u.members.name(root)),
				"'%s' is an element of array '%s', and one of them is written", st.u.members.name(e), st.u.members.name(root))
		}
	}
}

// checkSizesKept reports extents that change between the declaration of an
// array and the region, so that they no longer say how large it is.
func (st *storage) checkSizesKept() {
	for _, d := range inOrder(st.source, st.arrays) {
		for _, o := range st.arrays[d].objects() {
			st.checkSizeKept(o)
		}
	}
}

func (st *storage) checkSizeKept(d *cc.Declarator) {
	sizes := map[*cc.Declarator]bool{}
	for _, e := range st.sizesOf(d) {
		eachExpr(e, func(e expr) {
			if x, ok := e.(ident); ok && x.decl != nil {
				sizes[x.decl] = true
			}
		})
	}
	if len(sizes) == 0 {
		return
	}
	eachStmt(st.r.body, func(s stmt) {
		for _, e := range exprsOf(s) {
			eachExpr(e, func(e expr) { st.checkKept(d, sizes, e) })
		}
	})
}

func (st *storage) checkKept(array *cc.Declarator, sizes map[*cc.Declarator]bool, e expr) {
	a, ok := e.(assign)
	if !ok {
		return
	}
	x, ok := a.x.(ident)
	if !ok || !sizes[x.decl] {
		return
	}
	at, declared := st.f.offset(a.first), st.f.offset(array.NameTok().Position())
	if at > declared && at < st.r.Start {
		st.errorf("HX109", a.where, fmt.Sprintf("'%s' keeps the size it had when it was declared", array.Name()), "use another variable",
			"'%s', an extent of array '%s', changes before the region", x.name, array.Name())
	}
}

// drop forgets a, of which nothing is used.
func (st *storage) drop(a *array) {
	maps.DeleteFunc(st.arrays, func(_ *cc.Declarator, o *array) bool { return o == a })
}

// String returns the arrays, one on each line, with ? for an extent that is not known yet.
func (st *storage) String() string {
	var b strings.Builder
	fr := st.frame()
	for _, d := range inOrder(st.source, st.arrays) {
		a := st.arrays[d]
		fmt.Fprintf(&b, "%v %s", a.Elem, a.Name)
		for k, e := range a.extents {
			text := "?"
			if k != a.lead || !a.guess || !e.equal(linear{}) {
				text = fr.text(e)
			}
			fmt.Fprintf(&b, "[%s]", text)
		}
		if len(a.planes) > 0 {
			fmt.Fprintf(&b, ", planes %s", list(mapAll(a.planes, st.u.members.name)))
		}
		if a.stored {
			b.WriteString(", written")
		}
		b.WriteString("\n")
	}
	return b.String()
}

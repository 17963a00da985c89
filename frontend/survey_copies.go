package frontend

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// This file makes loops of calls that copy arrays, or set them to 0:
//
//	memcpy(u, v, sizeof u);                      =>   for (i = 0; i < 100; i++) for (j = 0; j < 80; j++) u[i][j] = v[i][j];
//	memset(w, 0, n * m * sizeof(double));        =>   for (i = 0; i < n * m; i++) w[i] = 0;
//
// The second kind is taken apart by rows where there are any: see survey_collapsed.go. Other calls stay.

// A memoryBlock is memory that a call copies or sets: elements behind a pointer, each a number or struct, or an array of such.
type memoryBlock struct {
	pointer expr
	root    *cc.Declarator   // the variable that leads there
	elem    cc.Type          // what is no array
	extents []sizePolynomial // of an element, outermost first
	count   sizePolynomial   // of elements
	row     *cc.ArrayType    // what the elements are all of, nil: an array, or memory, that goes on as far as the program says
}

// withoutCopies returns ss with loops in the place of calls of memcpy, memmove and memset.
func (sv *survey) withoutCopies(ss []stmt) []stmt {
	isCall := func(s stmt) bool { _, _, ok := blockCall(s); return ok }
	if sv.o.calls || !slices.ContainsFunc(ss, func(s stmt) bool { return contains(s, isCall) }) {
		return ss
	}
	return mapAll(ss, sv.newCollapsed(ss).withLoops)
}

// callsOnBlocks reports whether text may hold calls that withoutCopies makes loops of.
func callsOnBlocks(text []byte) bool {
	return bytes.Contains(text, []byte("memcpy")) || bytes.Contains(text, []byte("memmove")) || bytes.Contains(text, []byte("memset"))
}

// blockCall returns the name of the function that s calls, if that works on blocks of memory, and what it is given.
func blockCall(s stmt) (name string, args []expr, ok bool) {
	x, ok := s.(exprStmt)
	if !ok {
		return "", nil, false
	}
	e := x.x
	if v, isCast := e.(cast); isCast && v.typ.Kind() == cc.Void {
		e = v.x
	}
	c, ok := e.(call)
	if !ok || len(c.args) != 3 {
		return "", nil, false
	}
	f, ok := c.fun.(ident)
	name = f.name
	switch name {
	case "memcpy", "memmove", "memset", "__builtin_memcpy", "__builtin_memmove", "__builtin_memset":
		return name, c.args, ok
	}
	return "", nil, false
}

// withLoops returns s with loops in the place of calls.
func (cl *collapsed) withLoops(s stmt) stmt {
	if call, ok := s.(exprStmt); ok {
		if loops, ok := cl.copied(call); ok {
			return loops
		}
	}
	return mapInner(s, cl.withLoops)
}

// copied returns the loops that do what s does, if that is a call that copies whole elements, or sets them to 0.
func (cl *collapsed) copied(s exprStmt) (stmt, bool) {
	name, args, ok := blockCall(s)
	if !ok {
		return nil, false
	}
	var from, to memoryBlock
	isCopy := !strings.HasSuffix(name, "memset")
	if isCopy {
		to, from, ok = cl.alike(args[0], args[1], args[2])
		// C has it that what memcpy reads and what it writes do not overlap.
		ok = ok && (from.root != to.root || !strings.HasSuffix(name, "memmove"))
	} else if all := cl.memoryBlocks(args[0], args[2]); len(all) > 0 {
		to = all[0]
		v, constant := cl.constant(args[1])
		_, number := storedType(to.elem)
		ok = constant && v == 0 && number
	}
	if !ok || to.pointer == nil || len(to.extents) >= len(cl.u.subscripts) {
		return nil, false
	}
	x, value := to.pointer, from.pointer
	w := s.at()
	cl.copies[w] = true
	var loops []forStmt
	for k, n := range slices.Insert(slices.Clone(to.extents), 0, to.count) {
		d := cl.u.members.computed(cl.u.subscripts[k], standIn{name: fmt.Sprintf("i%d", k), text: fmt.Sprintf("subscript %d of what '%s' sets", k+1, name)})
		cl.made[d] = true
		i := ident{w, d.Name(), d}
		loops = append(loops, forStmt{where: w, head: w, init: declStmt{w, []varDecl{{w, d, numberAt(w, 0), nil}}},
			cond: binary{w, "<", i, n.expr(w)}, step: assign{w, "++", i, nil}})
		if x = (index{args[0].at(), x, i}); isCopy {
			value = index{args[1].at(), value, i}
		}
	}
	if !isCopy {
		value = numberAt(args[1].at(), 0)
	}
	return nestOf(loops, exprStmt{w, assign{w, "=", x, value}}), true
}

// alike returns what two pointers lead to, in the largest elements that they both have; ok is false if they have none.
func (cl *collapsed) alike(to, from, bytes expr) (x, y memoryBlock, ok bool) {
	for _, y := range cl.memoryBlocks(from, bytes) {
		for _, x := range cl.memoryBlocks(to, bytes) {
			if x.elementsLike(y) {
				return x, y, true
			}
		}
	}
	return x, y, false
}

// memoryBlocks returns what e, a pointer, leads to in bytes many bytes: in the largest elements first, and counted by the name of a variable where
// that counts them.
func (cl *collapsed) memoryBlocks(e, bytes expr) (all []memoryBlock) {
	names := &collapsed{survey: cl.survey}
	for _, e := range slices.Backward(sameAddress(withoutCasts(e))) {
		b, ok := cl.memoryBlock(e)
		if !ok {
			continue
		}
		for _, by := range []*collapsed{names, cl} {
			count, ok := by.size(bytes)
			for _, n := range slices.Insert(slices.Clone(b.extents), 0, sizePolynomial{{factor: b.elem.Size()}}) {
				if ok {
					count, ok = count.over(n)
				}
			}
			rows, constant := count.number()
			if ok && (b.row == nil || b.row.Len() < 0 || !constant || rows <= b.row.Len()) {
				b.count = count
				all = append(all, b)
				break
			}
		}
	}
	return all
}

// sameAddress returns e, and shorter names of where it points to: of &a[0][0] also a[0], and a.
func sameAddress(e expr) []expr {
	all := []expr{e}
	for {
		x, isAddress := e.(unary)
		first, isElement := e.(index)
		if isAddress && x.op == "&" {
			if first, isElement = x.x.(index); !isElement {
				return all
			}
		} else if p, ok := lvalue(e); !isElement || !ok || p.throughPointer() || elemOf(p.typ) == nil {
			return all
		}
		if v, zero := literal(first.sub); !zero || v != 0 {
			return all
		}
		e = withoutCasts(first.base)
		all = append(all, e)
	}
}

// memoryBlock returns what lies behind e, a pointer or an array; ok is false if elements or their extents are not known.
func (cl *collapsed) memoryBlock(e expr) (b memoryBlock, ok bool) {
	p, _, ok := pointer(e)
	if !ok || p.root.decl == nil || p.throughPointer() {
		return memoryBlock{}, false
	}
	b = memoryBlock{pointer: e, root: p.root.decl, elem: elemOf(p.typ)}
	b.row, _ = p.typ.(*cc.ArrayType)
	for {
		a, isArray := b.elem.(*cc.ArrayType)
		switch {
		case !isArray:
			_, number := storedType(b.elem)
			_, isStruct := b.elem.(*cc.StructType)
			return b, number || isStruct
		case a.Len() >= 0:
			b.extents = append(b.extents, sizePolynomial{{factor: a.Len()}})
		default:
			n, known := cl.size(cl.u.extent(a))
			if !known {
				return memoryBlock{}, false
			}
			b.extents = append(b.extents, n)
		}
		b.elem = a.Elem()
	}
}

// elementsLike reports whether elements of b and of c have the same type and extents.
func (b memoryBlock) elementsLike(c memoryBlock) bool {
	s, number := storedType(b.elem)
	t, other := storedType(c.elem)
	if number != other || number && s != t || !number && typeName(b.elem) != typeName(c.elem) {
		return false
	}
	return slices.EqualFunc(b.extents, c.extents, sizePolynomial.equal)
}

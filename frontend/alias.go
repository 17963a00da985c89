package frontend

import (
	"fmt"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file says which arrays may overlap.

// checkAliasing refuses arrays that may overlap, where it matters: a pair of
// one element type, one of the two written, one of them a pointer without
// restrict. That a pointer parameter points to a number that the region reads
// is left out of account.
func (b *builder) checkAliasing() {
	var objects []object
	for _, d := range inOrder(b, b.arrays) {
		for k, o := range b.arrays[d].objects() {
			objects = append(objects, object{b.arrays[d], o, k})
		}
	}
	for i, x := range objects {
		for _, y := range objects[i+1:] {
			if x.stored || y.stored {
				b.checkPair(x, y)
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

func (b *builder) checkPair(x, y object) {
	if x.Shared && y.Shared && x.decl == y.decl {
		return // members of one array of structs
	}
	px, py := b.mayOverlap(x.decl), b.mayOverlap(y.decl)
	if !px && !py || b.isRestrict(x.decl) || b.isRestrict(y.decl) || !sameObject(x.Elem, y.Elem) || b.sameStruct(x.decl, y.decl) || b.neverOverlap(x.decl, y.decl) {
		return
	}
	if !py { // put the pointer last: it is the one to mend
		x, y = y, x
	}
	if b.o.NoAlias {
		if !b.o.Unchecked {
			b.apart = append(b.apart, [2]object{x, y})
		}
		return
	}
	written := x
	if !x.stored {
		written = y
	}
	b.errs = append(b.errs, &diag.Diagnostic{
		Code: "HX104", At: b.declared(y.decl),
		Msg: fmt.Sprintf("arrays '%s' and '%s' may overlap, and '%s' is written", b.nameOfObject(x), b.nameOfObject(y), b.nameOfObject(written)),
		Notes: []diag.Note{
			{At: b.declared(x.decl), Msg: "the other array is declared here"},
			{Msg: "C lets a pointer parameter point into any other array of its element type, unless it is restrict"},
		},
		Help: fmt.Sprintf("declare %s, or pass --assume=noalias", b.restricted(y)),
	})
}

// restricted returns a declaration of y with restrict.
func (b *builder) restricted(y object) string {
	if m, ok := b.u.members.of[y.decl]; ok {
		if d := m.root; !isPointer(y.decl) {
			return fmt.Sprintf("pointer '%s' restrict", d.Name())
		}
		return fmt.Sprintf("member '%s' restrict", y.decl.Name())
	}
	if y.table > 0 {
		return fmt.Sprintf("the pointers in '%s' restrict", y.decl.Name())
	}
	fr := b.frame()
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

// declared returns where d is declared, or, for an array inside of a struct, the
// variable that leads to it.
func (b *builder) declared(d *cc.Declarator) diag.Span {
	if m, ok := b.u.members.of[d]; ok && !isPointer(d) {
		d = m.root
	}
	return b.f.span(tokenAt(d.NameTok()))
}

// sameObject reports whether one object may be read as both types.
func sameObject(s, t scop.Type) bool {
	unsigned := map[scop.Type]scop.Type{scop.Uint: scop.Int, scop.Ulong: scop.Long}
	signed := func(t scop.Type) scop.Type {
		if u, ok := unsigned[t]; ok {
			return u
		}
		return t
	}
	return signed(s) == signed(t)
}

func isPointer(d *cc.Declarator) bool {
	_, ok := d.Type().(*cc.PointerType)
	return ok
}

// isRestrict reports whether pointer d is restrict: float *restrict p,
// float (*restrict p)[n] or float p[restrict n].
func isRestrict(d *cc.Declarator) bool {
	if d.Pointer != nil && isPointerDeclarator(d.DirectDeclarator) {
		return hasRestrict(outermost(d.Pointer).TypeQualifiers)
	}
	for n := d.DirectDeclarator; n != nil; n = n.DirectDeclarator {
		switch n.Case {
		case cc.DirectDeclaratorDecl:
			return isRestrict(n.Declarator)
		case cc.DirectDeclaratorArr, cc.DirectDeclaratorStaticArr, cc.DirectDeclaratorArrStatic, cc.DirectDeclaratorStar:
			if n.DirectDeclarator.Case == cc.DirectDeclaratorIdent {
				return hasRestrict(n.TypeQualifiers)
			}
		}
	}
	return false
}

// isPointerDeclarator reports whether what d declares is itself the pointer, as
// in *p, not an array of pointers.
func isPointerDeclarator(d *cc.DirectDeclarator) bool {
	return d.Case == cc.DirectDeclaratorIdent || d.Case == cc.DirectDeclaratorDecl && d.Declarator.Pointer == nil
}

// outermost returns the * next to the name.
func outermost(p *cc.Pointer) *cc.Pointer {
	for p.Pointer != nil {
		p = p.Pointer
	}
	return p
}

func hasRestrict(q *cc.TypeQualifiers) bool {
	for ; q != nil; q = q.TypeQualifiers {
		if q.TypeQualifier != nil && q.TypeQualifier.Case == cc.TypeQualifierRestrict {
			return true
		}
	}
	return false
}

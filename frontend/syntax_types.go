package frontend

import (
	"strings"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file knows C's types as far as regions have them: numbers, conversions between them (C 6.3.1), and arrays of them
// behind pointers, in structs and in tables of pointers.

// numberType returns the type of a number in the region.
func numberType(t cc.Type) (scop.Type, bool) {
	if t == nil {
		return scop.Int, true
	}
	switch t.Kind() {
	case cc.Enum:
		return numberType(t.(*cc.EnumType).UnderlyingType())
	case cc.Int:
		return scop.Int, true
	case cc.UInt:
		return scop.Uint, true
	case cc.Long, cc.LongLong:
		return scop.Long, true
	case cc.ULong, cc.ULongLong:
		return scop.Ulong, true
	case cc.Float, cc.Float16: // in which C calculates with numbers such as 0.1f16
		return scop.Float, true
	case cc.Double:
		return scop.Double, true
	case cc.LongDouble:
		return scop.LongDouble, true
	case cc.ComplexFloat:
		return scop.ComplexFloat, true
	case cc.ComplexDouble:
		return scop.ComplexDouble, true
	}
	return 0, false
}

// storedType returns the type of a number in memory, or of one that is cut down to that type: those
// of numberType, and those with fewer bits than int or float, in which C does not calculate.
func storedType(t cc.Type) (scop.Type, bool) {
	if t != nil {
		switch t.Kind() {
		case cc.Char:
			if cc.IsSignedInteger(t) {
				return scop.Char, true
			}
			return scop.Uchar, true
		case cc.SChar:
			return scop.Char, true
		case cc.UChar:
			return scop.Uchar, true
		case cc.Short:
			return scop.Short, true
		case cc.UShort:
			return scop.Ushort, true
		case cc.Bool:
			return scop.Bool, true
		case halfKind:
			return scop.Half, true
		}
	}
	return numberType(t)
}

// calculated returns the type in which C calculates with values of type t.
func calculated(t scop.Type) scop.Type { return t.Calculated() }

// A shape is the type of an array variable.
type shape struct {
	dims    []*cc.ArrayType // outermost first; dims[0] is nil for a pointer without extent
	elem    cc.Type
	pointer bool // the variable is a pointer, such as a parameter
}

// shapeOf returns the shape of d; ok is false if d is not an array or pointer.
func shapeOf(d *cc.Declarator) (s shape, ok bool) { return shapeOfType(d.Type()) }

func shapeOfType(t cc.Type) (s shape, ok bool) {
	if p, isPointer := t.(*cc.PointerType); isPointer {
		s.pointer = true
		t = p.Undecay()
		if p, still := t.(*cc.PointerType); still {
			s.dims = append(s.dims, nil)
			t = p.Elem()
		}
	}
	for {
		a, isArray := t.(*cc.ArrayType)
		if !isArray {
			break
		}
		s.dims = append(s.dims, a)
		t = a.Elem()
	}
	s.elem = t
	return s, len(s.dims) > 0
}

// numberIn returns the type of the elements of t, if it is an array or a pointer; else t.
func numberIn(t cc.Type) cc.Type {
	if s, ok := shapeOfType(t); ok {
		return s.elem
	}
	return t
}

// zeros returns the subscripts of the first element.
func zeros(dims int) string { return strings.Repeat("[0]", dims) }

func isVolatile(d *cc.Declarator) bool { return d.IsVolatile() || d.IsAtomic() }

// elemName returns the type t of the elements of d as the user knows it, with the
// qualifier that is in the way.
func elemName(d *cc.Declarator, t cc.Type) string {
	name := typeName(t)
	switch {
	case strings.Contains(name, "volatile") || strings.Contains(name, "_Atomic"):
	case d.IsAtomic():
		name = "_Atomic " + name
	case d.IsVolatile() || t.Attributes().IsVolatile():
		name = "volatile " + name
	}
	return name
}

// typeName returns t as the user knows it.
func typeName(t cc.Type) string {
	switch t := t.(type) {
	case *cc.PointerType:
		return typeName(t.Elem()) + " *"
	case *cc.ArrayType:
		return "array of " + typeName(t.Elem())
	}
	name, _, _ := strings.Cut(t.String(), " {") // of a struct
	name = strings.TrimPrefix(name, "const ")
	if d := t.Typedef(); d != nil && strings.HasPrefix(d.Name(), readAs+"_") {
		return strings.TrimPrefix(d.Name(), readAs)
	}
	if t.Kind() == halfKind {
		return scop.Half.String()
	}
	return name
}

func isPointer(d *cc.Declarator) bool {
	_, ok := d.Type().(*cc.PointerType)
	return ok
}

// holdsStruct reports whether d is a struct.
func holdsStruct(d *cc.Declarator) bool {
	_, ok := d.Type().(*cc.StructType)
	return ok
}

// leadsToStruct reports whether d is a struct, or a pointer to one.
func leadsToStruct(d *cc.Declarator) bool {
	if holdsStruct(d) {
		return true
	}
	p, ok := d.Type().(*cc.PointerType)
	if !ok {
		return false
	}
	_, ok = p.Elem().(*cc.StructType)
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

// tableOf returns how many pointers to arrays a variable of type t is an array of; 0 if it is none.
func tableOf(t cc.Type) int {
	s, ok := shapeOfType(t)
	if !ok || len(s.dims) != 1 || s.dims[0] == nil || s.dims[0].Len() < 1 || s.dims[0].Len() > maxTable {
		return 0
	}
	if _, pointers := s.elem.(*cc.PointerType); !pointers {
		return 0
	}
	if inner, ok := shapeOfType(s.elem); ok {
		if _, more := inner.elem.(*cc.PointerType); !more {
			return int(s.dims[0].Len())
		}
	}
	return 0
}

// maxTable bounds the pointers of such an array.
const maxTable = 16

// restrictTable reports whether the pointers that d is an array of are restrict.
func restrictTable(d *cc.Declarator) bool {
	for n := d.DirectDeclarator; n != nil; n = n.DirectDeclarator {
		if n.Case == cc.DirectDeclaratorDecl {
			return restrictTable(n.Declarator)
		}
	}
	return d.Pointer != nil && hasRestrict(outermost(d.Pointer).TypeQualifiers)
}

// elemOf returns what a pointer points to, or what an array is made of; nil for
// other types.
func elemOf(t cc.Type) cc.Type {
	if p, ok := t.(*cc.PointerType); ok {
		if a, ok := p.Undecay().(*cc.ArrayType); ok { // a parameter
			return a.Elem()
		}
		return p.Elem()
	}
	if a, ok := t.(*cc.ArrayType); ok {
		return a.Elem()
	}
	return nil
}

// pointedTo returns the type of the elements of a pointer or an array of any number of dimensions, t itself if it is neither.
func pointedTo(t cc.Type) cc.Type {
	for elemOf(t) != nil {
		t = elemOf(t)
	}
	return t
}

// An array of structs, such as cell[i][j].flux[2], whose members are numbers of one type, is an array of these numbers with
// one dimension more, which runs through the members. If the members have several types, those of one type are a view
// of the array: an array of that type over the same bytes, of which the region uses only those elements that are such
// members. Views are copied to the device and back each as a whole, so at most one of them may be written: the others
// bring nothing back.

// recordOf returns the type of the numbers that t is made of, and how many there are; ok
// is false if they differ in type, or if t holds anything else.
func recordOf(t cc.Type) (elem scop.Type, count int64, ok bool) {
	if elem, ok := storedType(t); ok {
		return elem, 1, !t.Attributes().IsVolatile()
	}
	switch t := t.(type) {
	case *cc.ArrayType:
		elem, n, ok := recordOf(t.Elem())
		return elem, n * t.Len(), ok && t.Len() > 0
	case *cc.StructType:
		for i := range t.NumFields() {
			f := t.FieldByIndex(i)
			if f == nil || f.IsBitfield() {
				return 0, 0, false
			}
			e, n, ok := recordOf(f.Type())
			if !ok || i > 0 && e != elem {
				return 0, 0, false
			}
			elem, count = e, count+n
		}
		return elem, count, count > 0 && t.Size() == count*int64(elem.Size())
	}
	return 0, 0, false
}

// convert returns x in type t.
func convert(x scop.Expr, t scop.Type, implicit bool) scop.Expr {
	if x.Type() == t {
		return x
	}
	if c, ok := x.(scop.Cast); ok && c.Implicit && t == scop.Half && c.X.Type() == t {
		return c.X // a copy moves the bits, as C's does, also of what is no number
	}
	if part := t.Part(); part != t && !x.Type().IsComplex() { // a real number keeps its domain: what that is for C is the innermost type
		x = convert(x, part, true)
	}
	if t == scop.Half && x.Type().IsComplex() || t == scop.Half && !x.Type().IsFloat() { // which integers beyond the floats become does not differ: there are none below infinity
		x = scop.Cast{T: scop.Float, X: x, Implicit: true}
	}
	return scop.Cast{T: t, X: x, Implicit: implicit}
}

// promoted returns x in the type in which C calculates with it (C 6.3.1.1).
func promoted(x scop.Expr) scop.Expr { return convert(x, calculated(x.Type()), true) }

// stored returns x as a variable of type t holds it, in the type in which C calculates with t.
func stored(x scop.Expr, t scop.Type) scop.Expr {
	if calculated(t) != t {
		return promoted(convert(x, t, false))
	}
	return convert(x, t, !t.IsComplex() || x.Type().IsComplex()) // what stands for a complex variable is none that is real
}

// fromBool returns condition x as C's int.
func fromBool(x scop.Expr) scop.Expr { return scop.Cast{T: scop.Int, X: x, Implicit: true} }

// usual returns the common type of s and t.
func usual(s, t scop.Type) scop.Type {
	if s.IsComplex() || t.IsComplex() {
		if usual(s.Part(), t.Part()) == scop.Double { // with long double it is refused before
			return scop.ComplexDouble
		}
		return scop.ComplexFloat
	}
	for _, r := range []scop.Type{scop.LongDouble, scop.Double, scop.Float, scop.Ulong, scop.Long, scop.Uint} {
		if s == r || t == r {
			return r
		}
	}
	return scop.Int
}

// largest returns the largest value of a type of 32 bits.
func largest(t scop.Type) int64 {
	if t == scop.Uint {
		return 1<<32 - 1
	}
	return 1<<31 - 1
}

func isUnsigned(t scop.Type) bool { return t == scop.Uint || t == scop.Ulong }

// intType returns the type of an affine expression.
func intType(e expr) scop.Type {
	switch e := e.(type) {
	case number:
		t, _ := numberType(e.typ)
		return t
	case ident:
		if e.decl != nil {
			t, _ := storedType(e.decl.Type())
			return calculated(t)
		}
	case unary:
		if isTruth(e) {
			break
		}
		return intType(e.x)
	case binary:
		if isTruth(e) {
			break
		}
		if e.op == "<<" || e.op == ">>" {
			return intType(e.x)
		}
		return usual(intType(e.x), intType(e.y))
	case cast:
		t, _ := storedType(e.typ)
		return calculated(t)
	case cond:
		return usual(intType(e.x), intType(e.y))
	case index, memberExpr: // of a table of constants
		if p, ok := lvalue(e); ok {
			t, _ := storedType(p.typ)
			return calculated(t)
		}
	}
	return scop.Int
}

// inType returns e, an integer, as a variable of type t holds it.
func inType(e expr, t cc.Type) expr {
	to, _ := storedType(t)
	if from := intType(e); from == to {
		if x, ok := e.(ident); !ok || x.decl == nil || x.decl.Type().Kind() == t.Kind() {
			return e
		}
	}
	if v, ok := literal(e); ok && (to == scop.Int || to.IsNarrow()) {
		if lo, hi := to.Range(); lo <= v && v <= hi {
			return e
		}
	}
	return cast{e.at(), t, e, nil}
}

// storedTypeOf returns the type of variable d.
func storedTypeOf(d *cc.Declarator) (scop.Type, bool) {
	if d == nil {
		return scop.Type(0), false
	}
	return storedType(d.Type())
}

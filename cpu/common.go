package cpu

import (
	"reflect"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/scop"
)

// This file finds what phases have in common. Hexagons of the second phase lie between those of the first one, half a time tile later and half a tile
// further; so both run the same loops, with other numbers in them:
//
//	phase 0: t = 64·T + a - 32, i = 128·S0 + b0 - 64      both: t = 64·T + a + 32·phase - 32, i = 128·S0 + b0 + 64·phase - 64
//	phase 1: t = 64·T + a,      i = 128·S0 + b0
//
// Printed once, they take compilers half of the time.

// A Common is what tiles of all phases run: those of a phase run Body, where Var stands for its number.
type Common struct {
	Var  string
	Tile string // the variable of the parallel dimension
	Body []Node
}

// Common returns loops that all phases of p run, or nil where there is one phase, or phases differ by more than constants of sums. With
// the number of a phase for Var, Body is the body of this phase in all that is printed.
func (p *Program) Common() *Common {
	if len(p.Phases) < 2 {
		return nil
	}
	first, second := p.Phases[0], p.Phases[1]
	u := unifier{name: astgen.UsedNames(p.Scop()).Fresh("phase")}
	body, ok := u.both(reflect.ValueOf(first.Body), reflect.ValueOf(second.Body))
	if !ok {
		return nil
	}
	c := &Common{u.name, first.Tile, body.Interface().([]Node)}
	for i, ph := range p.Phases {
		if ph.Number != i || ph.Tile != c.Tile || !c.is(i, ph.Body) {
			return nil
		}
	}
	return c
}

// is reports whether a phase of that number runs list.
func (c *Common) is(number int, list []Node) bool {
	i := instance{c.Var, affine.Num(int64(number))}
	return i.same(reflect.ValueOf(c.Body), reflect.ValueOf(list))
}

// shared are what nodes point to and do not own: it is the same if the pointers are equal.
var shared = []reflect.Type{reflect.TypeFor[*scop.Stmt](), reflect.TypeFor[*scop.Array]()}

// whole are what holds no sums over T and tiles, and is compared as it is.
var whole = []reflect.Type{reflect.TypeFor[*Kinds](), reflect.TypeFor[*scop.Access](), reflect.TypeFor[scop.Type]()}

var (
	sumType  = reflect.TypeFor[affine.Sum]()
	tileType = reflect.TypeFor[Tile]()
)

// A unifier makes one value of two, in which sums may have different constants: these become constants at name = 0, and at name = 1.
type unifier struct{ name string }

// both returns the value of x and y, which have one type, and whether there is one.
func (u unifier) both(x, y reflect.Value) (reflect.Value, bool) {
	switch t := x.Type(); {
	case t == sumType:
		a, b := x.Interface().(affine.Sum), y.Interface().(affine.Sum)
		if !a.Parallel(b) {
			return x, false
		}
		return reflect.ValueOf(a.Plus(affine.Var(u.name).Times(affine.Minus(b.Const, a.Const)))), true
	case slices.Contains(shared, t):
		return x, x.Pointer() == y.Pointer()
	case slices.Contains(whole, t):
		return x, reflect.DeepEqual(x.Interface(), y.Interface())
	}
	switch x.Kind() {
	case reflect.Pointer, reflect.Interface:
		if x.IsNil() || y.IsNil() {
			return x, x.IsNil() && y.IsNil()
		}
		a, b := x.Elem(), y.Elem()
		if a.Type() != b.Type() {
			return x, false
		}
		made, ok := u.both(a, b)
		if !ok || x.Kind() == reflect.Interface {
			return made, ok
		}
		p := reflect.New(a.Type())
		p.Elem().Set(made)
		return p, true
	case reflect.Slice:
		if x.IsNil() != y.IsNil() || x.Len() != y.Len() {
			return x, false
		}
		if x.IsNil() {
			return x, true
		}
		return u.elements(reflect.MakeSlice(x.Type(), x.Len(), x.Len()), x, y)
	case reflect.Array:
		return u.elements(reflect.New(x.Type()).Elem(), x, y)
	case reflect.Struct:
		made := reflect.New(x.Type()).Elem()
		for i := range x.NumField() {
			if isNumber(x.Type(), i) {
				continue
			}
			f, ok := u.both(x.Field(i), y.Field(i))
			if !ok {
				return x, false
			}
			made.Field(i).Set(f)
		}
		return made, true
	}
	return x, x.Equal(y)
}

// elements sets the elements of made to those of x and y.
func (u unifier) elements(made, x, y reflect.Value) (reflect.Value, bool) {
	for i := range x.Len() {
		e, ok := u.both(x.Index(i), y.Index(i))
		if !ok {
			return x, false
		}
		made.Index(i).Set(e)
	}
	return made, true
}

// isNumber reports whether a field is the number of the phase of a tile, which no tile of Common has.
func isNumber(t reflect.Type, field int) bool { return t == tileType && t.Field(field).Name == "Phase" }

// An instance is a value for a variable.
type instance struct {
	name  string
	value affine.Sum
}

// same reports whether x, of one type with y, is y where the value stands for the variable.
func (i instance) same(x, y reflect.Value) bool {
	switch t := x.Type(); {
	case t == sumType:
		return x.Interface().(affine.Sum).Subst(map[string]affine.Sum{i.name: i.value}).Equal(y.Interface().(affine.Sum))
	case slices.Contains(shared, t):
		return x.Pointer() == y.Pointer()
	case slices.Contains(whole, t):
		return reflect.DeepEqual(x.Interface(), y.Interface())
	}
	switch x.Kind() {
	case reflect.Pointer, reflect.Interface:
		if x.IsNil() || y.IsNil() {
			return x.IsNil() && y.IsNil()
		}
		return x.Elem().Type() == y.Elem().Type() && i.same(x.Elem(), y.Elem())
	case reflect.Slice, reflect.Array:
		if x.Len() != y.Len() {
			return false
		}
		for k := range x.Len() {
			if !i.same(x.Index(k), y.Index(k)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for k := range x.NumField() {
			if !isNumber(x.Type(), k) && !i.same(x.Field(k), y.Field(k)) {
				return false
			}
		}
		return true
	}
	return x.Equal(y)
}

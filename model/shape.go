package model

import (
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// shape returns a text that is the same for values that differ at most in where things stand in the source. Pointers to
// one thing are told from pointers to two that are equal. All fields count, but those of elsewhere.
func shape(values ...any) string {
	e := encoder{seen: map[any]int{}}
	for _, v := range values {
		e.value(reflect.ValueOf(v))
	}
	return e.String()
}

// elsewhere are the fields that say where a region stands, or hold the whole file. No choice depends on them.
var elsewhere = map[reflect.Type][]string{
	reflect.TypeFor[scop.Program](): {"File", "Source", "Region", "Function"},
}

// An encoder writes values such that each text is of one value: names and texts come with their length.
type encoder struct {
	strings.Builder
	seen map[any]int // pointers, in the order in which they were met
}

func (e *encoder) value(v reflect.Value) {
	if !v.IsValid() {
		e.WriteString("nil;")
		return
	}
	switch v.Type() {
	case reflect.TypeFor[diag.Span]():
		return
	case reflect.TypeFor[poly.Set](), reflect.TypeFor[poly.Map](), reflect.TypeFor[*big.Rat]():
		if v.Kind() == reflect.Pointer && v.IsNil() {
			e.WriteString("nil;")
			return
		}
		e.text(fmt.Sprint(v.Interface()))
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		e.WriteString(strconv.FormatBool(v.Bool()) + ";")
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		e.WriteString(strconv.FormatInt(v.Int(), 10) + ";")
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		e.WriteString(strconv.FormatUint(v.Uint(), 10) + ";")
	case reflect.Float32, reflect.Float64:
		e.WriteString(strconv.FormatUint(math.Float64bits(v.Float()), 16) + ";")
	case reflect.String:
		e.text(v.String())
	case reflect.Slice, reflect.Array:
		e.list(v)
	case reflect.Map:
		e.pairs(v)
	case reflect.Struct:
		e.fields(v)
	case reflect.Interface:
		if !v.IsNil() {
			e.text(v.Elem().Type().String())
		}
		e.value(v.Elem())
	case reflect.Pointer:
		e.pointer(v)
	default:
		panic("model: shape of a " + v.Type().String())
	}
}

func (e *encoder) text(s string) {
	e.WriteString(strconv.Itoa(len(s)) + ":" + s)
}

// list tells a nil slice from an empty one: nil has a meaning of its own in places.
func (e *encoder) list(v reflect.Value) {
	if v.Kind() == reflect.Slice && v.IsNil() {
		e.WriteString("nil;")
		return
	}
	e.WriteString("[" + strconv.Itoa(v.Len()) + ";")
	for i := range v.Len() {
		e.value(v.Index(i))
	}
}

// pairs writes maps whose keys are texts, ordered by them.
func (e *encoder) pairs(v reflect.Value) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(x, y reflect.Value) int { return strings.Compare(x.String(), y.String()) })
	e.WriteString("{" + strconv.Itoa(len(keys)) + ";")
	for _, key := range keys {
		if key.Kind() != reflect.String {
			panic("model: shape of a " + v.Type().String())
		}
		e.text(key.String())
		e.value(v.MapIndex(key))
	}
}

func (e *encoder) fields(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			panic(fmt.Sprintf("model: shape of a %v, whose field %s is its own", v.Type(), f.Name))
		}
		if !slices.Contains(elsewhere[v.Type()], f.Name) {
			e.value(v.Field(i))
		}
	}
}

func (e *encoder) pointer(v reflect.Value) {
	if v.IsNil() {
		e.WriteString("nil;")
		return
	}
	n, met := e.seen[v.Interface()]
	if met {
		e.WriteString("&" + strconv.Itoa(n) + ";")
		return
	}
	e.seen[v.Interface()] = len(e.seen)
	e.WriteString("*")
	e.value(v.Elem())
}

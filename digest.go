package hexcc

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"reflect"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file makes digests of what passes read. They cover values whole, whatever fields they have or will have: what is left out is named here.

// A digest is made of values, in which lines of a file are counted from one of them.
type digest struct {
	sum   hash.Hash
	file  string
	line  int
	seen  map[seen]uint64 // the pointers, maps and slices so far, by number
	known bool            // all values so far have a digest
}

// withoutPlace are the fields of a program that passes on regions do not read: what comes of them, files are made of. Of the text they read the region's.
var withoutPlace = []string{"Source", "Lines"}

var (
	programType = reflect.TypeFor[scop.Program]()
	regionType  = reflect.TypeFor[scop.Region]()
	posType     = reflect.TypeFor[diag.Pos]()
)

// seen tells values in memory apart.
type seen struct {
	at uintptr
	of reflect.Type
}

func newDigest(file string, line int) *digest {
	return &digest{sum: sha256.New(), file: file, line: line, seen: map[seen]uint64{}, known: true}
}

// of returns the digest of values, "" where they hold something that has none, such as a function.
func (d *digest) of(values ...any) string {
	for _, v := range values {
		d.value(reflect.ValueOf(v))
	}
	if !d.known {
		return ""
	}
	return fmt.Sprintf("%x", d.sum.Sum(nil)[:20])
}

func (d *digest) number(n uint64) {
	var b [9]byte
	b[0] = '#'
	binary.LittleEndian.PutUint64(b[1:], n)
	d.sum.Write(b[:])
}

func (d *digest) text(s string) {
	d.number(uint64(len(s)))
	d.sum.Write([]byte(s))
}

func (d *digest) value(v reflect.Value) {
	if !v.IsValid() {
		d.text("nil")
		return
	}
	d.text(v.Type().String())
	switch v.Kind() {
	case reflect.Bool:
		d.text(fmt.Sprint(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		d.number(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		d.number(v.Uint())
	case reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		d.text(fmt.Sprintf("%x", v)) // all digits
	case reflect.String:
		d.text(v.String())
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			d.text("nil")
			return
		}
		if v.Type().Elem().Kind() == reflect.Uint8 && v.Kind() == reflect.Slice {
			d.text(string(v.Bytes()))
			return
		}
		d.number(uint64(v.Len()))
		for i := range v.Len() {
			d.value(v.Index(i))
		}
	case reflect.Map:
		d.entries(v)
	case reflect.Pointer:
		d.pointer(v)
	case reflect.Interface:
		d.value(v.Elem())
	case reflect.Struct:
		d.fields(v)
	default: // functions, channels
		if !v.IsNil() {
			d.known = false
		}
	}
}

// pointer takes in what a pointer points to, and which pointers point to the same.
func (d *digest) pointer(v reflect.Value) {
	if v.IsNil() {
		d.text("nil")
		return
	}
	key := seen{v.Pointer(), v.Type()}
	if n, known := d.seen[key]; known {
		d.number(n)
		return
	}
	d.seen[key] = uint64(len(d.seen))
	d.value(v.Elem())
}

// entries takes in a map, in the order of its keys, which are strings or numbers.
func (d *digest) entries(v reflect.Value) {
	keys := v.MapKeys()
	switch v.Type().Key().Kind() {
	case reflect.String:
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	default:
		if len(keys) > 1 {
			d.known = false
			return
		}
	}
	d.number(uint64(len(keys)))
	for _, k := range keys {
		d.value(k)
		d.value(v.MapIndex(k))
	}
}

// fields takes in a struct. Of places it takes how far they are from the region, and of programs the text of the region, not that around it.
func (d *digest) fields(v reflect.Value) {
	switch v.Type() {
	case posType:
		switch line := v.FieldByName("Line").Int(); {
		case line == 0:
			d.text("nowhere")
		case v.FieldByName("File").String() == d.file:
			d.number(uint64(line - int64(d.line)))
		default:
			d.number(uint64(line))
		}
		d.value(v.FieldByName("File"))
		d.value(v.FieldByName("Col"))
		return
	case regionType:
		d.number(uint64(v.FieldByName("EndLine").Int() - v.FieldByName("StartLine").Int()))
		d.number(uint64(v.FieldByName("StartLine").Int() - int64(d.line)))
		d.value(v.FieldByName("Index"))
		return
	case programType:
		region := v.FieldByName("Region")
		d.text(string(v.FieldByName("Source").Bytes()[region.FieldByName("Start").Int():region.FieldByName("End").Int()]))
	}
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; v.Type() == programType && slices.Contains(withoutPlace, name) {
			continue
		}
		d.value(v.Field(i))
	}
}

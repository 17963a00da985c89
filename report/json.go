package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
)

// JSON returns the inspection in the form that docs/inspect.md describes.
// Lists are never null.
func (in *Inspection) JSON() []byte {
	full := *in
	fillLists(reflect.ValueOf(&full).Elem())
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(&full); err != nil {
		panic(fmt.Sprintf("report: JSON of %s: %v", in.File, err)) // plain data always encodes
	}
	return out.Bytes()
}

// ParseJSON reads what JSON wrote.
func ParseJSON(text []byte) (*Inspection, error) {
	in := &Inspection{}
	if err := json.Unmarshal(text, in); err != nil {
		return nil, err
	}
	if in.Version != Version {
		return nil, fmt.Errorf("inspection has version %d, not %d", in.Version, Version)
	}
	return in, nil
}

// fillLists makes the nil slices in v empty ones. Slices with elements are
// copied, so that what v was copied from keeps its own.
func fillLists(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(out, v)
		for i := range out.Len() {
			fillLists(out.Index(i))
		}
		v.Set(out)
	case reflect.Struct:
		for i := range v.NumField() {
			fillLists(v.Field(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			inner := reflect.New(v.Type().Elem())
			inner.Elem().Set(v.Elem())
			fillLists(inner.Elem())
			v.Set(inner)
		}
	}
}

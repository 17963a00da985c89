package model

import (
	"math/big"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// TestShapeOfEqualRegions checks that a program has one shape wherever it stands, and another than all other programs.
func TestShapeOfEqualRegions(t *testing.T) {
	shapes := map[string]string{}
	cases.Each(t, func(t *testing.T, name, text string) {
		x := pipeline.Read(t, name, text)
		y := pipeline.Read(t, "other", "\n\n/* elsewhere */\n\n"+text)
		key := shape(x.Space, x.Cone)
		require.Equal(t, key, shape(y.Space, y.Cone))
		require.Empty(t, shapes[key])
		shapes[key] = name
	})
}

// TestShapeTellsAllApart changes all that a program holds, one thing at a time: the shape must change, but for places in
// the source.
func TestShapeTellsAllApart(t *testing.T) {
	for _, name := range []string{"fdtd-2d", "heat-3d", "jacobi-2d"} {
		x := pipeline.Case(t, name)
		before := shape(x.Space)
		c := changer{t: t, c: x.Space, before: before, seen: map[any]bool{}, renew: func() {}}
		c.value(reflect.ValueOf(x.Space), "space")
		require.Greater(t, c.changed, 200)
		require.Equal(t, before, shape(x.Space), "all is as it was")
	}
}

// A changer changes each value below one, and looks at the shape of the whole.
type changer struct {
	t       *testing.T
	c       *schedule.Canonical
	before  string
	seen    map[any]bool
	renew   func() // makes interfaces around what was changed hold it
	changed int
}

func (x *changer) value(v reflect.Value, path string) {
	switch v.Type() {
	case reflect.TypeFor[diag.Span](), reflect.TypeFor[scop.Region]():
		return
	case reflect.TypeFor[poly.Set]():
		x.with(v, reflect.ValueOf(poly.MustSet("[n] -> { Other[i] : 0 <= i < n }")), path)
		return
	case reflect.TypeFor[poly.Map]():
		x.with(v, reflect.ValueOf(poly.MustMap("[n] -> { Other[i] -> [i] : 0 <= i < n }")), path)
		return
	}
	if v.Type() == reflect.TypeFor[*big.Rat]() {
		x.with(v, reflect.ValueOf(big.NewRat(7, 5)), path)
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		x.with(v, reflect.ValueOf(!v.Bool()), path)
	case reflect.Int, reflect.Int64:
		x.with(v, reflect.ValueOf(v.Int()+1).Convert(v.Type()), path)
	case reflect.Uint8:
		x.with(v, reflect.ValueOf(uint8(v.Uint())+1).Convert(v.Type()), path)
	case reflect.Float64:
		x.with(v, reflect.ValueOf(v.Float()+1), path)
	case reflect.String:
		x.with(v, reflect.ValueOf(v.String()+"x"), path)
	case reflect.Slice:
		for i := range v.Len() {
			x.value(v.Index(i), path+"[]")
		}
		if v.Len() > 0 {
			x.with(v, v.Slice(0, v.Len()-1), path)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if !slices.Contains(elsewhere[v.Type()], name) {
				x.value(v.Field(i), path+"."+name)
			}
		}
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		copied := reflect.New(v.Elem().Type()).Elem() // what an interface holds cannot be changed where it is
		copied.Set(v.Elem())
		outer := x.renew
		x.renew = func() { v.Set(copied); outer() }
		x.value(copied, path)
		x.renew = outer
	case reflect.Pointer:
		if v.IsNil() || x.seen[v.Interface()] {
			return
		}
		x.seen[v.Interface()] = true
		x.value(v.Elem(), path)
	}
}

// with looks at the shape while v is other.
func (x *changer) with(v, other reflect.Value, path string) {
	old := reflect.New(v.Type()).Elem()
	old.Set(v)
	v.Set(other)
	x.renew()
	require.NotEqual(x.t, x.before, shape(x.c), "with another %s", path)
	v.Set(old)
	x.renew()
	x.changed++
}

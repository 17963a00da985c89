package main

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/poly"
)

// A prepare parses operands and returns the operation on them, to be run once.
type prepare func(a, b string) func() any

// operations are those that can be measured, by their names in package poly.
var operations = map[string]prepare{
	"MustSet":             unary(text, poly.MustSet),
	"MustMap":             unary(text, poly.MustMap),
	"ParseSet":            unary(text, poly.MustSet),
	"ParseMap":            unary(text, poly.MustMap),
	"Set.Union":           binary(poly.MustSet, poly.MustSet, poly.Set.Union),
	"Map.Union":           binary(poly.MustMap, poly.MustMap, poly.Map.Union),
	"Set.Intersect":       binary(poly.MustSet, poly.MustSet, poly.Set.Intersect),
	"Map.Intersect":       binary(poly.MustMap, poly.MustMap, poly.Map.Intersect),
	"Set.IntersectParams": binary(poly.MustSet, poly.MustSet, poly.Set.IntersectParams),
	"Map.IntersectParams": binary(poly.MustMap, poly.MustSet, poly.Map.IntersectParams),
	"Set.Subtract":        binary(poly.MustSet, poly.MustSet, poly.Set.Subtract),
	"Map.Subtract":        binary(poly.MustMap, poly.MustMap, poly.Map.Subtract),
	"Set.IsEmpty":         unary(poly.MustSet, poly.Set.IsEmpty),
	"Map.IsEmpty":         unary(poly.MustMap, poly.Map.IsEmpty),
	"Set.IsSubset":        binary(poly.MustSet, poly.MustSet, poly.Set.IsSubset),
	"Map.IsSubset":        binary(poly.MustMap, poly.MustMap, poly.Map.IsSubset),
	"Set.IsDisjoint":      binary(poly.MustSet, poly.MustSet, poly.Set.IsDisjoint),
	"Set.IsEqual":         binary(poly.MustSet, poly.MustSet, poly.Set.IsEqual),
	"Map.IsEqual":         binary(poly.MustMap, poly.MustMap, poly.Map.IsEqual),
	"Set.Gist":            binary(poly.MustSet, poly.MustSet, poly.Set.Gist),
	"Map.Gist":            binary(poly.MustMap, poly.MustMap, poly.Map.Gist),
	"Map.GistParams":      binary(poly.MustMap, poly.MustSet, poly.Map.GistParams),
	"Set.Coalesce":        unary(poly.MustSet, poly.Set.Coalesce),
	"Map.Coalesce":        unary(poly.MustMap, poly.Map.Coalesce),
	"Set.SimpleHull":      unary(poly.MustSet, poly.Set.SimpleHull),
	"Map.SimpleHull":      unary(poly.MustMap, poly.Map.SimpleHull),
	"Set.LexMin":          unary(poly.MustSet, poly.Set.LexMin),
	"Map.LexMin":          unary(poly.MustMap, poly.Map.LexMin),
	"Set.LexMax":          unary(poly.MustSet, poly.Set.LexMax),
	"Map.LexMax":          unary(poly.MustMap, poly.Map.LexMax),
	"Map.Domain":          unary(poly.MustMap, poly.Map.Domain),
	"Map.Range":           unary(poly.MustMap, poly.Map.Range),
	"Map.Inverse":         unary(poly.MustMap, poly.Map.Inverse),
	"Map.Deltas":          unary(poly.MustMap, poly.Map.Deltas),
	"Map.ApplyRange":      binary(poly.MustMap, poly.MustMap, poly.Map.ApplyRange),
	"Map.ApplyDomain":     binary(poly.MustMap, poly.MustMap, poly.Map.ApplyDomain),
	"Map.Apply":           binary(poly.MustMap, poly.MustSet, poly.Map.Apply),
	"Map.IntersectDomain": binary(poly.MustMap, poly.MustSet, poly.Map.IntersectDomain),
	"Map.IntersectRange":  binary(poly.MustMap, poly.MustSet, poly.Map.IntersectRange),
	"Set.ProjectOut":      binary(poly.MustSet, names, func(s poly.Set, dims []string) poly.Set { return s.ProjectOut(dims...) }),
	"Set.Sample":          unary(poly.MustSet, func(s poly.Set) bool { _, _, ok := s.Sample(); return ok }),
	"Map.Sample":          unary(poly.MustMap, func(m poly.Map) bool { _, _, _, ok := m.Sample(); return ok }),
	"Set.FixParam":        binary(poly.MustSet, binding, func(s poly.Set, b bound) poly.Set { return s.FixParam(b.name, b.value) }),
	"Map.FixParam":        binary(poly.MustMap, binding, func(m poly.Map, b bound) poly.Map { return m.FixParam(b.name, b.value) }),
	"Set.Contains":        binary(poly.MustSet, place, contains),
	"Map.Wrap":            unary(poly.MustMap, poly.Map.Wrap),
	"Set.Unwrap":          unary(poly.MustSet, poly.Set.Unwrap),
	"Set.Simplify":        unary(poly.MustSet, poly.Set.Simplify),
	"Map.Simplify":        unary(poly.MustMap, poly.Map.Simplify),
	"Set.RemoveRedundant": unary(poly.MustSet, poly.Set.RemoveRedundant),
	"Map.RemoveRedundant": unary(poly.MustMap, poly.Map.RemoveRedundant),
	"Set.Complement":      unary(poly.MustSet, poly.Set.Complement),
	"Map.Complement":      unary(poly.MustMap, poly.Map.Complement),
	"Map.MaxRatio":        binary(poly.MustMap, ratio, maxRatio),
	"Set.Card":            unary(poly.MustSet, card(poly.Set.Card)),
	"Map.Card":            unary(poly.MustMap, card(poly.Map.Card)),
}

func unary[A, R any](parse func(string) A, f func(A) R) prepare {
	return func(a, _ string) func() any {
		x := parse(a)
		return func() any { return f(x) }
	}
}

func binary[A, B, R any](parseA func(string) A, parseB func(string) B, f func(A, B) R) prepare {
	return func(a, b string) func() any {
		x, y := parseA(a), parseB(b)
		return func() any { return f(x, y) }
	}
}

// card returns the operation that counts by f, and panics with the bound that it passes.
func card[A any](f func(A) (poly.Count, error)) func(A) poly.Count {
	return func(x A) poly.Count {
		count, err := f(x)
		if err != nil {
			panic(err)
		}
		return count
	}
}

// text is the operand of parsing, as it is.
func text(s string) string { return s }

// names parses a list of names, as in [i j].
func names(s string) []string { return strings.Fields(strings.Trim(s, "[]")) }

// A bound is a value for a parameter.
type bound struct {
	name  string
	value int64
}

// binding parses a value for a parameter, as in {N 5}.
func binding(s string) (b bound) {
	fmt.Sscanf(strings.Trim(s, "{}"), "%s %d", &b.name, &b.value)
	return b
}

// A point has values for parameters and dimensions.
type point struct {
	params map[string]int64
	dims   []int64
}

// place parses a point, as in {map[N:5] [1 2]}.
func place(s string) point {
	params, dims, _ := strings.Cut(strings.TrimPrefix(strings.TrimSuffix(s, "]}"), "{map["), "] [")
	p := point{map[string]int64{}, numbers(dims)}
	for _, f := range strings.Fields(params) {
		name, value, _ := strings.Cut(f, ":")
		p.params[name] = numbers(value)[0]
	}
	return p
}

func contains(s poly.Set, p point) bool { return s.Contains(p.params, p.dims...) }

// numbers parses numbers between blanks.
func numbers(s string) (list []int64) {
	for _, f := range strings.Fields(s) {
		var n int64
		fmt.Sscan(f, &n)
		list = append(list, n)
	}
	return list
}

// ratio parses two expressions, as in [{0 [0 0] [1] [0] []} {1 [0 0] [0] [0] []}]: the constant, then the coefficients.
func ratio(s string) (r [2]poly.Affine) {
	for i, expr := range strings.SplitN(strings.TrimSuffix(strings.TrimPrefix(s, "[{"), "}]"), "} {", 2) {
		constant, rest, _ := strings.Cut(expr, " ")
		groups := strings.Split(strings.TrimSuffix(strings.TrimPrefix(rest, "["), "]"), "] [")
		a := poly.Affine{Params: numbers(groups[0]), In: numbers(groups[1]), Out: numbers(groups[2])}
		a.Const = numbers(constant)[0]
		if len(groups) > 3 {
			a.Divs = numbers(groups[3])
		}
		r[i] = a
	}
	return r
}

func maxRatio(m poly.Map, r [2]poly.Affine) string {
	sup, bounded := m.MaxRatio(r[0], r[1])
	return fmt.Sprint(sup, bounded)
}

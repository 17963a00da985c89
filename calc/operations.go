package calc

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/hexcc/hexcc/poly"
)

// The functions below turn operations of package poly into rows of the tables.

func onSet(f func(poly.Set) poly.Set) func(Value) (Value, error) {
	return func(x Value) (Value, error) { return Set{f(x.(Set).Set)}, nil }
}

func onMap(f func(poly.Map) poly.Map) func(Value) (Value, error) {
	return func(x Value) (Value, error) { return Map{f(x.(Map).Map)}, nil }
}

func toSet(f func(poly.Map) poly.Set) func(Value) (Value, error) {
	return func(x Value) (Value, error) { return Set{f(x.(Map).Map)}, nil }
}

func onSets(f func(s, t poly.Set) poly.Set) func(x, y Value) (Value, error) {
	return func(x, y Value) (Value, error) { return Set{f(x.(Set).Set, y.(Set).Set)}, nil }
}

func onMaps(f func(m, n poly.Map) poly.Map) func(x, y Value) (Value, error) {
	return func(x, y Value) (Value, error) { return Map{f(x.(Map).Map, y.(Map).Map)}, nil }
}

func onMapAndSet(f func(m poly.Map, s poly.Set) poly.Map) func(x, y Value) (Value, error) {
	return func(x, y Value) (Value, error) { return Map{f(x.(Map).Map, y.(Set).Set)}, nil }
}

func onFunctions(f func(c, d poly.Count) (poly.Count, error)) func(x, y Value) (Value, error) {
	return func(x, y Value) (Value, error) { return function(f(x.(Function).Count, y.(Function).Count)) }
}

func onFunctionAndSet(f func(c poly.Count, s poly.Set) poly.Count) func(x, y Value) (Value, error) {
	return func(x, y Value) (Value, error) { return Function{f(x.(Function).Count, y.(Set).Set)}, nil }
}

func onNumbers(f func(z, a, b *big.Int) *big.Int) func(x, y Value) (Value, error) {
	return func(x, y Value) (Value, error) { return Number{f(new(big.Int), x.(Number).Int, y.(Number).Int)}, nil }
}

func onBools(f func(x, y bool) bool) func(x, y Value) (Value, error) {
	return func(x, y Value) (Value, error) { return Bool(f(bool(x.(Bool)), bool(y.(Bool)))), nil }
}

func testSets(f func(s, t poly.Set) bool) func(x, y Value) (Value, error) {
	return func(x, y Value) (Value, error) { return Bool(f(x.(Set).Set, y.(Set).Set)), nil }
}

func testMaps(f func(m, n poly.Map) bool) func(x, y Value) (Value, error) {
	return func(x, y Value) (Value, error) { return Bool(f(x.(Map).Map, y.(Map).Map)), nil }
}

func function(c poly.Count, err error) (Value, error) { return Function{c}, err }

func same(x, y Value) (Value, error) { return Bool(x.String() == y.String()), nil }

func join(x, y Value) (Value, error) { return Text(x.String() + y.String()), nil }

func isProperSubset(s, t poly.Set) bool { return s.IsSubset(t) && !t.IsSubset(s) }

func scale(f Function, k Number) Function { return Function{f.Scale(new(big.Rat).SetInt(k.Int))} }

func equalFunctions(x, y Value) (Value, error) {
	return Bool(x.(Function).IsEqual(y.(Function).Count)), nil
}

// compose returns the sum of the function y over what the relation x relates a point to.
func compose(x, y Value) (Value, error) { return function(y.(Function).Compose(x.(Map).Map)) }

// pairsOnly returns f for operands whose parts all fit, which says what it takes: a set of pairs, ...
func pairsOnly(takes string, fits func(s poly.Space) bool, f func(x Value) Value) func(Value) (Value, error) {
	return func(x Value) (Value, error) {
		basics, _ := x.(interface{ Basics() []poly.Basic })
		for _, b := range basics.Basics() {
			if !fits(b.Space()) {
				return nil, fmt.Errorf("not %s: %v", takes, x)
			}
		}
		return f(x), nil
	}
}

func outIsPair(s poly.Space) bool    { return s.Out.IsPair() }
func inIsPair(s poly.Space) bool     { return s.In.IsPair() }
func bothArePairs(s poly.Space) bool { return s.In.IsPair() && s.Out.IsPair() }
func sameLengths(s poly.Space) bool  { return len(s.In.Dims) == len(s.Out.Dims) }

// gistDomain returns m simplified for first points in s.
func gistDomain(m poly.Map, s poly.Set) poly.Map {
	var tuples []poly.Tuple
	for _, b := range m.Basics() {
		tuples = append(tuples, b.Space().Out)
	}
	context := s.Relate(poly.UniverseSet(m.Params(), tuples...))
	return m.Gist(context)
}

// ordered returns the pairs of points of two sets in an order.
func ordered(order func(s, t poly.Set) poly.Map) func(x, y Value) (Value, error) {
	return func(x, y Value) (Value, error) { return Map{order(x.(Set).Set, y.(Set).Set)}, nil }
}

// orderedImages returns the pairs of first points of two relations whose images are in an order.
func orderedImages(order func(s, t poly.Set) poly.Map) func(x, y Value) (Value, error) {
	return func(x, y Value) (Value, error) { return Map{imagesIn(order, x.(Map).Map, y.(Map).Map)}, nil }
}

func imagesIn(order func(s, t poly.Set) poly.Map, m, n poly.Map) poly.Map {
	return m.ApplyRange(order(m.Range(), n.Range())).ApplyRange(n.Inverse())
}

// reversed returns the converse of an order.
func reversed(order func(s, t poly.Set) poly.Map) func(s, t poly.Set) poly.Map {
	return func(s, t poly.Set) poly.Map { return order(t, s).Inverse() }
}

// power returns m composed with itself, n times its pairs one after the other; negative powers are of the inverse.
func power(m poly.Map, n int) (poly.Map, error) {
	if n == 0 {
		return m, errors.New("the power 0 of a relation")
	}
	if n < 0 {
		m, n = m.Inverse(), -n
	}
	var result poly.Map
	for first := true; n > 0; n /= 2 {
		if n%2 == 1 && first {
			result, first = m, false
		} else if n%2 == 1 {
			result = result.ApplyRange(m)
		}
		if n > 1 {
			m = m.ApplyRange(m)
		}
	}
	return result, nil
}

// anyBefore returns the pairs of a writer and a reader that meet at an element, the writer first in the order of their
// images by schedule.
func anyBefore(writes, reads, schedule poly.Map) poly.Map {
	return writes.ApplyRange(reads.Inverse()).Intersect(imagesIn(poly.Set.LexLess, schedule, schedule))
}

// lastBefore returns those pairs of anyBefore whose writer is the last one of an element before the reader of that
// element, and the reads of elements without a writer before them.
func lastBefore(writes, reads, schedule poly.Map) (last, unwritten poly.Map) {
	for _, element := range elements(reads) {
		// The element is a parameter from here on, so that relations are between writers and readers.
		names := element.Params()
		writers, readers := writes.IntersectRange(element).Domain(), reads.IntersectRange(element).Domain()
		before := imagesIn(poly.Set.LexLess, schedule.IntersectDomain(writers), schedule.IntersectDomain(readers))
		times := before.Inverse().ApplyRange(schedule).LexMax()
		lastHere := before.Intersect(schedule.ApplyRange(times.Inverse()))
		last = last.Union(withoutParams(lastHere, names))
		unwritten = unwritten.Union(withoutParams(readers.Subtract(lastHere.Range()).Relate(element), names))
	}
	return last, unwritten
}

// elements returns, for each tuple of second points of m, the set of the point that parameters of its own state.
func elements(m poly.Map) []poly.Set {
	seen := map[string]bool{}
	var list []poly.Set
	for _, b := range m.Basics() {
		t := b.Space().Out
		names, entries := make([]string, len(t.Dims)), make([]string, len(t.Dims))
		for i := range names {
			names[i] = fmt.Sprintf("element'%d", i)
			entries[i] = fmt.Sprintf("at'%d = %s", i, names[i])
		}
		tuple := t.Print(entries)
		if !seen[tuple] {
			seen[tuple] = true
			list = append(list, poly.MustSet(fmt.Sprintf("[%s] -> { %s }", strings.Join(names, ", "), tuple)))
		}
	}
	return list
}

// withoutParams returns the pairs of m for any values of the parameters.
func withoutParams(m poly.Map, names []string) poly.Map {
	return m.Wrap().ProjectOut(names...).Unwrap()
}

package calc

import (
	"math/big"
	"slices"

	"github.com/hexcc/hexcc/poly"
)

// This file has the tables of operations. The first row whose operands fit is the one that is meant: exactly, or else
// after conversion.

// A unary operation stands before its operand.
type unary struct {
	name    string
	operand kind
	apply   func(x Value) (Value, error)
}

// A binary operation stands between its operands.
type binary struct {
	name        string
	left, right kind
	apply       func(x, y Value) (Value, error)
}

var unaries = []unary{
	{"aff", setKind, onSet(poly.Set.AffineHull)},
	{"aff", mapKind, onMap(poly.Map.AffineHull)},
	{"card", setKind, func(x Value) (Value, error) { return function(x.(Set).Card()) }},
	{"card", mapKind, func(x Value) (Value, error) { return function(x.(Map).Card()) }},
	{"coalesce", setKind, onSet(poly.Set.Coalesce)},
	{"coalesce", mapKind, onMap(poly.Map.Coalesce)},
	{"coalesce", functionKind, func(x Value) (Value, error) { return Function{x.(Function).Coalesce()}, nil }},
	{"complement", setKind, onSet(poly.Set.Complement)},
	{"complement", mapKind, onMap(poly.Map.Complement)},
	{"curry", mapKind, pairsOnly("a relation of pairs to anything", inIsPair, func(x Value) Value { return Map{x.(Map).Curry()} })},
	{"deltas", mapKind, pairsOnly(ofOneLength, sameLengths, func(x Value) Value { return Set{x.(Map).Deltas()} })},
	{"deltas_map", mapKind, pairsOnly(ofOneLength, sameLengths, func(x Value) Value { return Map{x.(Map).DeltasMap()} })},
	{"dom", mapKind, toSet(poly.Map.Domain)},
	{"dom", functionKind, func(x Value) (Value, error) { return Set{x.(Function).Domain().Coalesce()}, nil }},
	{"dom", scheduleKind, domainOf},
	{"domain", mapKind, toSet(poly.Map.Domain)},
	{"domain", functionKind, func(x Value) (Value, error) { return Set{x.(Function).Domain().Coalesce()}, nil }},
	{"domain", scheduleKind, domainOf},
	{"domain_map", mapKind, onMap(poly.Map.DomainMap)},
	{"id", setKind, func(x Value) (Value, error) { return Map{x.(Set).Identity()}, nil }},
	{"identity", setKind, func(x Value) (Value, error) { return Map{x.(Set).Identity()}, nil }},
	{"lexmax", setKind, onSet(poly.Set.LexMax)},
	{"lexmax", mapKind, onMap(poly.Map.LexMax)},
	{"lexmin", setKind, onSet(poly.Set.LexMin)},
	{"lexmin", mapKind, onMap(poly.Map.LexMin)},
	{"params", setKind, onSet(poly.Set.ParamDomain)},
	{"params", mapKind, func(x Value) (Value, error) { return Set{x.(Map).Wrap().ParamDomain()}, nil }},
	{"poly", setKind, onSet(poly.Set.RationalConvexHull)},
	{"poly", mapKind, onMap(poly.Map.RationalConvexHull)},
	{"ran", mapKind, toSet(poly.Map.Range)},
	{"range", mapKind, toSet(poly.Map.Range)},
	{"range_map", mapKind, onMap(poly.Map.RangeMap)},
	{"sample", setKind, onSet(poly.Set.SamplePoint)},
	{"sample", mapKind, func(x Value) (Value, error) { return Map{x.(Map).Wrap().SamplePoint().Unwrap()}, nil }},
	{"scan", setKind, onSet(poly.Set.Scan)},
	{"scan", mapKind, func(x Value) (Value, error) { return Map{x.(Map).Wrap().Scan().Unwrap()}, nil }},
	{"sum", functionKind, func(x Value) (Value, error) { return function(x.(Function).Sum()) }},
	{"uncurry", mapKind, pairsOnly("a relation to pairs", outIsPair, func(x Value) Value { return Map{x.(Map).Uncurry()} })},
	{"unwrap", setKind, pairsOnly("a set of pairs", outIsPair, func(x Value) Value { return Map{x.(Set).Unwrap()} })},
	{"wrap", mapKind, toSet(poly.Map.Wrap)},
	{"zip", mapKind, pairsOnly("a relation of pairs to pairs", bothArePairs, func(x Value) Value { return Map{x.(Map).Zip()} })},
}

var binaries = []binary{
	{"+", boolKind, boolKind, onBools(func(x, y bool) bool { return x || y })},
	{"+", numberKind, numberKind, onNumbers((*big.Int).Add)},
	{"+", setKind, setKind, onSets(poly.Set.Union)},
	{"+", mapKind, mapKind, onMaps(poly.Map.Union)},
	{"+", functionKind, functionKind, onFunctions(poly.Count.Plus)},
	{"+", textKind, anyKind, join},
	{"+", anyKind, textKind, join},

	{"-", numberKind, numberKind, onNumbers((*big.Int).Sub)},
	{"-", setKind, setKind, onSets(poly.Set.Subtract)},
	{"-", mapKind, mapKind, onMaps(poly.Map.Subtract)},
	{"-", mapKind, setKind, onMapAndSet(func(m poly.Map, s poly.Set) poly.Map { return m.Subtract(m.IntersectDomain(s)) })},
	{"-", functionKind, functionKind, onFunctions(poly.Count.Minus)},
	{"->-", mapKind, setKind, onMapAndSet(func(m poly.Map, s poly.Set) poly.Map { return m.Subtract(m.IntersectRange(s)) })},

	{"*", boolKind, boolKind, onBools(func(x, y bool) bool { return x && y })},
	{"*", numberKind, numberKind, onNumbers((*big.Int).Mul)},
	{"*", setKind, setKind, onSets(poly.Set.Intersect)},
	{"*", mapKind, mapKind, onMaps(poly.Map.Intersect)},
	{"*", mapKind, setKind, onMapAndSet(poly.Map.IntersectDomain)},
	{"*", numberKind, functionKind, func(x, y Value) (Value, error) { return scale(y.(Function), x.(Number)), nil }},
	{"*", functionKind, numberKind, func(x, y Value) (Value, error) { return scale(x.(Function), y.(Number)), nil }},
	{"*", functionKind, functionKind, onFunctions(poly.Count.Times)},
	{"*", functionKind, setKind, onFunctionAndSet(poly.Count.IntersectDomain)},
	{"->*", mapKind, setKind, onMapAndSet(poly.Map.IntersectRange)},

	{".", mapKind, mapKind, onMaps(poly.Map.ApplyRange)},
	{".", mapKind, functionKind, compose},
	{"before", mapKind, mapKind, onMaps(poly.Map.ApplyRange)},
	{"before", mapKind, functionKind, compose},
	{"after", mapKind, mapKind, onMaps(func(m, n poly.Map) poly.Map { return n.ApplyRange(m) })},
	{"after", functionKind, mapKind, func(x, y Value) (Value, error) { return compose(y, x) }},
	{"->", setKind, setKind, func(x, y Value) (Value, error) { return Map{x.(Set).Relate(y.(Set).Set)}, nil }},
	{"cross", setKind, setKind, onSets(poly.Set.Product)},
	{"cross", mapKind, mapKind, onMaps(poly.Map.Product)},
	{"cross_range", mapKind, mapKind, onMaps(poly.Map.RangeProduct)},
	{"cross_domain", mapKind, mapKind, onMaps(poly.Map.DomainProduct)},

	{"%", setKind, setKind, onSets(poly.Set.Gist)},
	{"%", mapKind, mapKind, onMaps(poly.Map.Gist)},
	{"%", mapKind, setKind, onMapAndSet(gistDomain)},
	{"%", functionKind, setKind, onFunctionAndSet(poly.Count.Gist)},
	{"gist", setKind, setKind, onSets(poly.Set.Gist)},
	{"gist", mapKind, mapKind, onMaps(poly.Map.Gist)},
	{"gist", mapKind, setKind, onMapAndSet(gistDomain)},
	{"gist", functionKind, setKind, onFunctionAndSet(poly.Count.Gist)},
	{"@", functionKind, setKind, onFunctionAndSet(poly.Count.Evaluate)},

	{"=", setKind, setKind, testSets(poly.Set.IsEqual)},
	{"=", mapKind, mapKind, testMaps(poly.Map.IsEqual)},
	{"=", textKind, textKind, same},
	{"=", numberKind, numberKind, same},
	{"=", boolKind, boolKind, same},
	{"=", functionKind, functionKind, equalFunctions},
	{"==", setKind, setKind, testSets(poly.Set.IsEqual)},
	{"==", mapKind, mapKind, testMaps(poly.Map.IsEqual)},
	{"==", functionKind, functionKind, equalFunctions},
	{"<=", setKind, setKind, testSets(poly.Set.IsSubset)},
	{"<=", mapKind, mapKind, testMaps(poly.Map.IsSubset)},
	{">=", setKind, setKind, testSets(func(s, t poly.Set) bool { return t.IsSubset(s) })},
	{">=", mapKind, mapKind, testMaps(func(m, n poly.Map) bool { return n.IsSubset(m) })},
	{"<", setKind, setKind, testSets(isProperSubset)},
	{"<", mapKind, mapKind, testMaps(func(m, n poly.Map) bool { return m.IsSubset(n) && !n.IsSubset(m) })},
	{">", setKind, setKind, testSets(func(s, t poly.Set) bool { return isProperSubset(t, s) })},
	{">", mapKind, mapKind, testMaps(func(m, n poly.Map) bool { return n.IsSubset(m) && !m.IsSubset(n) })},

	{"<<", setKind, setKind, ordered(poly.Set.LexLess)},
	{"<<", mapKind, mapKind, orderedImages(poly.Set.LexLess)},
	{"<<=", setKind, setKind, ordered(poly.Set.LexLessEqual)},
	{"<<=", mapKind, mapKind, orderedImages(poly.Set.LexLessEqual)},
	{">>", setKind, setKind, ordered(reversed(poly.Set.LexLess))},
	{">>", mapKind, mapKind, orderedImages(reversed(poly.Set.LexLess))},
	{">>=", setKind, setKind, ordered(reversed(poly.Set.LexLessEqual))},
	{">>=", mapKind, mapKind, orderedImages(reversed(poly.Set.LexLessEqual))},
}

// absent are operations of iscc that are not here. Values may have their names.
var absent = []string{
	"coefficients", "lattice_width", "lb", "lift", "lpoly", "map",
	"parse_file", "pow", "schedule", "solutions", "ub", "upoly", "vertices", "write",
}

// keywords are words with a meaning of their own.
var keywords = []string{
	"any", "assert", "codegen", "false", "False", "last", "minimizing", "print", "read", "respecting", "source", "true", "True", "typeof", "under", "using",
}

// Operations returns the names of all operations of the tables, each once.
func Operations() []string {
	var names []string
	for _, u := range unaries {
		names = append(names, u.name)
	}
	for _, b := range binaries {
		names = append(names, b.name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func isPrefix(name string) bool {
	return slices.ContainsFunc(unaries, func(u unary) bool { return u.name == name })
}

func isOperator(name string) bool {
	return slices.ContainsFunc(binaries, func(b binary) bool { return b.name == name })
}

// isReserved reports whether name cannot be the name of a value.
func isReserved(name string) bool {
	return isPrefix(name) || isOperator(name) || slices.Contains(keywords, name)
}

// ofOneLength is what deltas needs.
const ofOneLength = "a relation of tuples of the same length"

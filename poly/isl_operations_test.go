package poly

import (
	"math/big"
	"strconv"
	"strings"
)

// An operation is compared with isl's: by its name, that of the method, on operands as text.
type operation struct {
	name     string
	weight   int // share of the cases
	operands func(s *scene) (a, b, x string)
	apply    func(a, b, x string) any
}

// operations are all that isl has as well. testdata/isl.py says what isl does for each, and compares.
var operations = []operation{
	{"Set.Parse", 4, aSet, func(a, _, _ string) any { return MustSet(a) }},
	{"Map.Parse", 4, aMap, func(a, _, _ string) any { return MustMap(a) }},
	{"Set.Union", 2, alikeSets, onSets(Set.Union)},
	{"Map.Union", 2, twoMaps, onMaps(Map.Union)},
	{"Set.Intersect", 3, alikeSets, onSets(Set.Intersect)},
	{"Map.Intersect", 3, twoMaps, onMaps(Map.Intersect)},
	{"Set.IntersectParams", 2, setAndContext, onSets(Set.IntersectParams)},
	{"Map.IntersectParams", 2, mapAndContext, onMapAndSet(Map.IntersectParams)},
	{"Set.Subtract", 3, alikeSets, onSets(Set.Subtract)},
	{"Map.Subtract", 3, twoMaps, onMaps(Map.Subtract)},
	{"Set.Complement", 2, aNonEmptySet, onSet(Set.Complement)},
	{"Map.Complement", 2, aNonEmptyMap, onMap(Map.Complement)},

	{"Set.Product", 2, twoSets, onSets(Set.Product)},
	{"Set.FlatProduct", 2, twoVectorSets, onSets(Set.FlatProduct)},
	{"Set.Relate", 2, twoSets, onSets(Set.Relate)},
	{"Map.Product", 2, twoMaps, onMaps(Map.Product)},
	{"Map.RangeProduct", 2, twoMaps, onMaps(Map.RangeProduct)},
	{"Map.DomainProduct", 2, twoMaps, onMaps(Map.DomainProduct)},
	{"Map.FlatProduct", 2, twoVectorMaps, onMaps(Map.FlatProduct)},
	{"Map.FlatRangeProduct", 2, twoVectorMaps, onMaps(Map.FlatRangeProduct)},
	{"Map.FlatDomainProduct", 2, twoVectorMaps, onMaps(Map.FlatDomainProduct)},

	{"Map.Inverse", 2, aMap, onMap(Map.Inverse)},
	{"Map.Domain", 3, aMap, onMap(Map.Domain)},
	{"Map.Range", 3, aMap, onMap(Map.Range)},
	{"Map.ApplyRange", 3, chain3(0, 1, 1, 2), onMaps(Map.ApplyRange)},
	{"Map.ApplyDomain", 3, chain3(0, 1, 0, 2), onMaps(Map.ApplyDomain)},
	{"Map.Apply", 3, mapAndSide(0), onMapAndSet(Map.Apply)},
	{"Map.IntersectDomain", 2, mapAndSide(0), onMapAndSet(Map.IntersectDomain)},
	{"Map.IntersectRange", 2, mapAndSide(1), onMapAndSet(Map.IntersectRange)},
	{"Map.Deltas", 3, aStep, onMap(Map.Deltas)},
	{"Map.DeltasMap", 2, aStep, onMap(Map.DeltasMap)},
	{"Map.DomainMap", 2, aMap, onMap(Map.DomainMap)},
	{"Map.RangeMap", 2, aMap, onMap(Map.RangeMap)},
	{"Map.Wrap", 2, aMap, onMap(Map.Wrap)},
	{"Set.Unwrap", 2, nested("p"), onSet(Set.Unwrap)},
	{"Map.Zip", 2, nested("pp"), onMap(Map.Zip)},
	{"Map.Curry", 2, nested("pv"), onMap(Map.Curry)},
	{"Map.Uncurry", 2, nested("vp"), onMap(Map.Uncurry)},

	{"Set.ProjectOut", 4, projected, func(a, _, x string) any { return MustSet(a).ProjectOut(strings.Fields(x)...) }},
	{"Set.FixDim", 2, fixed("v"), func(a, _, x string) any { at, v := pairIn(x); return MustSet(a).FixDim(at, v) }},
	{"Map.FixIn", 2, fixed("vv"), func(a, _, x string) any { at, v := pairIn(x); return MustMap(a).FixIn(at, v) }},
	{"Map.FixOut", 2, fixed("vv"), func(a, _, x string) any { at, v := pairIn(x); return MustMap(a).FixOut(at, v) }},
	{"Set.FixParam", 2, with("v", "N 3"), func(a, _, _ string) any { return MustSet(a).FixParam("N", 3) }},
	{"Map.FixParam", 2, with("vv", "N -2"), func(a, _, _ string) any { return MustMap(a).FixParam("N", -2) }},
	{"Set.InsertDims", 2, inserted, func(a, _, x string) any {
		at, n := pairIn(x)
		return MustSet(a).InsertDims(at, make([]string, n)...)
	}},
	{"Set.PermuteDims", 2, permuted, func(a, _, x string) any { return MustSet(a).PermuteDims(numbersIn(x)...) }},
	{"Set.DimToParam", 2, dimToParam, func(a, _, x string) any { return MustSet(a).DimToParam(placeIn(x)) }},
	{"Set.ParamToDim", 2, paramToDim, func(a, _, x string) any {
		at, name := placeIn(x)
		return MustSet(a).ParamToDim(name, at)
	}},
	{"Set.ParamDomain", 2, aSet, onSet(Set.ParamDomain)},
	{"Set.RenameParam", 1, with("v", "N Q"), func(a, _, _ string) any { return MustSet(a).RenameParam("N", "Q") }},
	{"Map.RenameParam", 1, with("vv", "N Q"), func(a, _, _ string) any { return MustMap(a).RenameParam("N", "Q") }},
	{"Set.RenameTuple", 1, with("v", "A Z"), func(a, _, _ string) any { return MustSet(a).RenameTuple("A", "Z") }},
	{"Map.RenameIn", 1, with("vv", "A Z"), func(a, _, _ string) any { return MustMap(a).RenameIn("A", "Z") }},
	{"Map.RenameOut", 1, with("vv", "A Z"), func(a, _, _ string) any { return MustMap(a).RenameOut("A", "Z") }},
	{"Set.RenameDims", 1, with("v", ""), func(a, _, _ string) any { return MustSet(a).RenameDims("y0", "y1") }},

	{"Set.IsEmpty", 3, wideSet, onSet(Set.IsEmpty)},
	{"Map.IsEmpty", 3, aMap, onMap(Map.IsEmpty)},
	{"Set.IsSubset", 3, nearSets, onSets(Set.IsSubset)},
	{"Map.IsSubset", 3, nearMaps, onMaps(Map.IsSubset)},
	{"Set.IsDisjoint", 3, nearSets, onSets(Set.IsDisjoint)},
	{"Set.IsEqual", 3, nearSets, onSets(Set.IsEqual)},
	{"Map.IsEqual", 3, nearMaps, onMaps(Map.IsEqual)},
	{"Map.IsSingleValued", 2, maybeFunction, onMap(Map.IsSingleValued)},
	{"Set.SamplePoint", 3, wideSet, onSet(Set.SamplePoint)},
	{"Set.Sample", 2, wideSet, sampledSet},
	{"Map.Sample", 2, aMap, sampledMap},
	{"Set.Scan", 2, boxedSet, onSet(Set.Scan)},

	{"Set.LexMin", 3, extremeSet, onSet(Set.LexMin)},
	{"Set.LexMax", 3, extremeSet, onSet(Set.LexMax)},
	{"Map.LexMin", 3, extremeMap, onMap(Map.LexMin)},
	{"Map.LexMax", 3, extremeMap, onMap(Map.LexMax)},
	{"Set.PwLexMin", 2, extremeSet, onSet(Set.PwLexMin)},
	{"Set.PwLexMax", 2, extremeSet, onSet(Set.PwLexMax)},
	{"Map.PwLexMin", 2, extremeMap, onMap(Map.PwLexMin)},
	{"Map.PwLexMax", 2, extremeMap, onMap(Map.PwLexMax)},
	{"Map.Function", 2, trueFunction, func(a, _, _ string) any { f, _ := MustMap(a).Function(); return f }},
	{"Set.Identity", 2, nonParams, onSet(Set.Identity)},
	{"Set.LexLess", 2, orderedSets, onSets(Set.LexLess)},
	{"Set.LexLessEqual", 2, orderedSets, onSets(Set.LexLessEqual)},

	{"Set.Gist", 3, sameTupleSets, onSets(Set.Gist)},
	{"Map.Gist", 3, sameTupleMaps, onMaps(Map.Gist)},
	{"Map.GistParams", 2, mapAndContext, onMapAndSet(Map.GistParams)},
	{"Set.Coalesce", 3, aSet, onSet(Set.Coalesce)},
	{"Map.Coalesce", 3, aMap, onMap(Map.Coalesce)},
	{"Set.SimpleHull", 3, aSet, onSet(Set.SimpleHull)},
	{"Map.SimpleHull", 2, aMap, onMap(Map.SimpleHull)},
	{"Set.RationalConvexHull", 3, hullCase("v"), onSet(Set.RationalConvexHull)},
	{"Map.RationalConvexHull", 2, hullCase("vv"), onMap(Map.RationalConvexHull)},
	{"Set.AffineHull", 3, smallAffine("v"), onSet(Set.AffineHull)},
	{"Map.AffineHull", 2, smallAffine("vv"), onMap(Map.AffineHull)},
	{"Basic.ImplicitEqualities", 2, conjunctive, implicitEqualities},
	{"Set.Simplify", 3, aSet, onSet(Set.Simplify)},
	{"Map.Simplify", 2, aMap, onMap(Map.Simplify)},
	{"Set.RemoveRedundant", 3, aSet, onSet(Set.RemoveRedundant)},
	{"Map.RemoveRedundant", 2, aMap, onMap(Map.RemoveRedundant)},
	{"Map.TransitiveClosure", 3, closed, func(a, _, _ string) any { c, _ := MustMap(a).TransitiveClosure(); return c }},

	{"Set.Card", 2, countCase(1), func(a, _, _ string) any { return must(MustSet(a).Card()) }},
	{"Map.Card", 2, countCase(2), func(a, _, _ string) any { return must(MustMap(a).Card()) }},
	{"Count.Plus", 1, twoCounts, onCounts(Count.Plus)},
	{"Count.Minus", 1, twoCounts, onCounts(Count.Minus)},
	{"Count.Times", 1, twoCounts, onCounts(Count.Times)},
	{"Count.Scale", 1, scaledCount, func(a, b, _ string) any {
		k, _ := new(big.Rat).SetString(b)
		return MustCount(a).Scale(k)
	}},
	{"Count.Coalesce", 1, twoCounts, func(a, _, _ string) any { return MustCount(a).Coalesce() }},
	{"Count.IntersectDomain", 1, countAndSet, func(a, b, _ string) any { return MustCount(a).IntersectDomain(MustSet(b)) }},
	{"Count.Gist", 1, countAndSet, func(a, b, _ string) any { return MustCount(a).Gist(MustSet(b)) }},
}

func onSet[R any](f func(Set) R) func(a, b, x string) any {
	return func(a, _, _ string) any { return f(MustSet(a)) }
}

func onMap[R any](f func(Map) R) func(a, b, x string) any {
	return func(a, _, _ string) any { return f(MustMap(a)) }
}

func onSets[R any](f func(s, t Set) R) func(a, b, x string) any {
	return func(a, b, _ string) any { return f(MustSet(a), MustSet(b)) }
}

func onMaps[R any](f func(m, n Map) R) func(a, b, x string) any {
	return func(a, b, _ string) any { return f(MustMap(a), MustMap(b)) }
}

func onMapAndSet[R any](f func(m Map, s Set) R) func(a, b, x string) any {
	return func(a, b, _ string) any { return f(MustMap(a), MustSet(b)) }
}

func onCounts(f func(c, d Count) (Count, error)) func(a, b, x string) any {
	return func(a, b, _ string) any { return must(f(MustCount(a), MustCount(b))) }
}

// must returns c, and panics with the bound that err says it would pass.
func must(c Count, err error) Count {
	if err != nil {
		panic(err)
	}
	return c
}

// The operands of each operation.

// pairIn, numbersIn and placeIn read x.
func pairIn(x string) (int, int64) {
	n := numbersIn(x)
	return n[0], int64(n[1])
}

func numbersIn(x string) (list []int) {
	for _, f := range strings.Fields(x) {
		n, err := strconv.Atoi(f)
		if err != nil {
			panic(err)
		}
		list = append(list, n)
	}
	return list
}

func placeIn(x string) (int, string) {
	at, name, _ := strings.Cut(x, " ")
	return numbersIn(at)[0], strings.TrimSpace(name)
}

// implicitEqualities returns the set of the points that satisfy them.
func implicitEqualities(a, _, _ string) any {
	b := MustSet(a).parts[0]
	s := newSystem(b.space.cols(), 0)
	for _, c := range b.ImplicitEqualities() {
		s.addRow(true, b.space.vec(c.Affine))
	}
	hull, _ := s.finish(b.space)
	return Set{[]Basic{hull}}
}

// sampledSet and sampledMap return the point that Sample finds.
func sampledSet(a, _, _ string) any {
	s := MustSet(a)
	params, point, ok := s.Sample()
	for _, b := range s.parts {
		if _, found := b.sample(); ok && found {
			return Set{[]Basic{pointBasic(b.space, b.space.point(valuesOf(b.space, params), point))}}
		}
	}
	return Set{}
}

func sampledMap(a, _, _ string) any {
	m := MustMap(a)
	params, in, out, ok := m.Sample()
	for _, b := range m.parts {
		if _, found := b.sample(); ok && found {
			point := append(append([]int64{}, in...), out...)
			return Map{[]Basic{pointBasic(b.space, b.space.point(valuesOf(b.space, params), point))}}
		}
	}
	return Map{}
}

func valuesOf(s Space, params []int64) map[string]int64 {
	values := map[string]int64{}
	for i, name := range s.Params {
		values[name] = params[i]
	}
	return values
}

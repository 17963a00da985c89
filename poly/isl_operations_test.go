package poly

import (
	"fmt"
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
	{"Set.Union", 2, twoSets, onSets(Set.Union)},
	{"Map.Union", 2, twoMaps, onMaps(Map.Union)},
	{"Set.Intersect", 3, twoSets, onSets(Set.Intersect)},
	{"Map.Intersect", 3, twoMaps, onMaps(Map.Intersect)},
	{"Set.IntersectParams", 2, setAndContext, onSets(Set.IntersectParams)},
	{"Map.IntersectParams", 2, mapAndContext, onMapAndSet(Map.IntersectParams)},
	{"Set.Subtract", 3, twoSets, onSets(Set.Subtract)},
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
	{"Set.Identity", 2, aSet, onSet(Set.Identity)},
	{"Set.LexLess", 2, sameTupleSets, onSets(Set.LexLess)},
	{"Set.LexLessEqual", 2, sameTupleSets, onSets(Set.LexLessEqual)},

	{"Set.Gist", 3, sameTupleSets, onSets(Set.Gist)},
	{"Map.Gist", 3, sameTupleMaps, onMaps(Map.Gist)},
	{"Map.GistParams", 2, mapAndContext, onMapAndSet(Map.GistParams)},
	{"Set.Coalesce", 3, aSet, onSet(Set.Coalesce)},
	{"Map.Coalesce", 3, aMap, onMap(Map.Coalesce)},
	{"Set.SimpleHull", 3, aSet, onSet(Set.SimpleHull)},
	{"Map.SimpleHull", 2, aMap, onMap(Map.SimpleHull)},
	{"Set.RationalConvexHull", 3, hullCase("v"), onSet(Set.RationalConvexHull)},
	{"Map.RationalConvexHull", 2, hullCase("vv"), onMap(Map.RationalConvexHull)},
	{"Set.AffineHull", 3, affine("v"), onSet(Set.AffineHull)},
	{"Map.AffineHull", 2, affine("vv"), onMap(Map.AffineHull)},
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

func aSet(s *scene) (a, b, x string) {
	t, u := s.tuple(), s.tuple()
	return s.twoTuples([]sketch{t}, []sketch{u}), "", ""
}

func aMap(s *scene) (a, b, x string) {
	t, u := []sketch{s.tuple(), s.tuple()}, []sketch{s.vector(), s.vector()}
	return s.twoTuples(t, u), "", ""
}

// twoSets returns sets of which some tuples are the same.
func twoSets(s *scene) (a, b, x string) {
	t, u, v := []sketch{s.tuple()}, []sketch{s.tuple()}, []sketch{s.tuple()}
	return s.twoTuples(t, u), s.twoTuples(t, v), ""
}

func twoMaps(s *scene) (a, b, x string) {
	t, u := []sketch{s.tuple(), s.vector()}, []sketch{s.vector(), s.vector()}
	v := [][]sketch{t, {t[0], s.vector()}, {s.vector(), t[1]}}[s.IntN(3)]
	return s.twoTuples(t, u), s.twoTuples(v, u), ""
}

func twoVectorSets(s *scene) (a, b, x string) { return s.union(s.vector()), s.union(s.vector()), "" }

func twoVectorMaps(s *scene) (a, b, x string) {
	t, u := s.vector(), s.vector()
	if s.IntN(2) == 0 {
		return s.union(t, u), s.union(t, s.vector()), ""
	}
	return s.union(t, u), s.union(s.vector(), u), ""
}

func sameTupleSets(s *scene) (a, b, x string) {
	t := s.vector()
	return s.union(t), s.union(t), ""
}

func sameTupleMaps(s *scene) (a, b, x string) {
	t, u := s.vector(), s.vector()
	return s.union(t, u), s.union(t, u), ""
}

func setAndContext(s *scene) (a, b, x string) {
	a, _, _ = aSet(s)
	return a, s.context(), ""
}

func mapAndContext(s *scene) (a, b, x string) {
	a, _, _ = aMap(s)
	return a, s.context(), ""
}

// chain3 returns relations between three tuples: from t[i] to t[j], and from t[k] to t[l].
func chain3(i, j, k, l int) func(s *scene) (a, b, x string) {
	return func(s *scene) (a, b, x string) {
		s.coef, s.con = min(s.coef, 30), min(s.con, 100)
		t := []sketch{s.vector(), s.tuple(), s.vector()}
		return s.union(t[i], t[j]), s.union(t[k], t[l]), ""
	}
}

// mapAndSide returns a relation and a set of points on one side of it.
func mapAndSide(side int) func(s *scene) (a, b, x string) {
	return func(s *scene) (a, b, x string) {
		s.coef, s.con = min(s.coef, 30), min(s.con, 100)
		t := []sketch{s.vector(), s.tuple()}
		return s.union(t...), s.twoTuples(t[side:side+1], []sketch{s.vector()}), ""
	}
}

func aStep(s *scene) (a, b, x string) {
	t := s.vector() // isl has no differences of points of different tuples
	s.coef, s.con = min(s.coef, 30), min(s.con, 100)
	return s.union(t, t), "", ""
}

// nested returns a set or relation whose tuples are vectors (v) or pairs (p).
func nested(kinds string) func(s *scene) (a, b, x string) {
	return func(s *scene) (a, b, x string) {
		tuples := make([]sketch, len(kinds))
		for i, k := range kinds {
			tuples[i] = s.vector()
			if k == 'p' {
				tuples[i] = sketch{pair: []sketch{s.tuple(), s.vector()}}
			}
		}
		return s.union(tuples...), "", ""
	}
}

// with returns an operation's parameter with a set or relation of vectors.
func with(kinds, x string) func(s *scene) (a, b, x string) {
	operands := nested(kinds)
	return func(s *scene) (string, string, string) {
		a, _, _ := operands(s)
		return a, "", x
	}
}

// fixed returns a relation whose tuples have dimensions, a position and a value.
func fixed(kinds string) func(s *scene) (a, b, x string) {
	return func(s *scene) (a, b, x string) {
		n := 1 + s.IntN(3)
		tuples := make([]sketch, len(kinds))
		for i := range tuples {
			tuples[i] = s.vector()
			tuples[i].dims = n
		}
		return s.union(tuples...), "", fmt.Sprint(s.IntN(n), s.IntN(13)-6)
	}
}

// dimensional returns a set of n dimensions.
func (s *scene) dimensional(n int) string {
	t := s.vector()
	t.dims = n
	return s.union(t)
}

func projected(s *scene) (a, b, x string) {
	s.coef, s.con = min(s.coef, 30), min(s.con, 100)
	return s.dimensional(2 + s.IntN(2)), "", []string{"x0", "x1", "x1 x0", "N", "x0 N"}[s.IntN(5)]
}

func inserted(s *scene) (a, b, x string) {
	n := s.IntN(4)
	return s.dimensional(n), "", fmt.Sprint(s.IntN(n+1), s.IntN(3))
}

func permuted(s *scene) (a, b, x string) {
	n := s.IntN(5)
	return s.dimensional(n), "", strings.Trim(fmt.Sprint(s.Perm(n)), "[]")
}

func dimToParam(s *scene) (a, b, x string) {
	n := 1 + s.IntN(3)
	return s.dimensional(n), "", fmt.Sprint(s.IntN(n), " Q")
}

func paramToDim(s *scene) (a, b, x string) {
	s.params = []string{"N", "M"}[:1+s.IntN(2)]
	n := s.IntN(3)
	return s.dimensional(n), "", fmt.Sprint(s.IntN(n+1), " ", s.params[s.IntN(len(s.params))])
}

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

func wideSet(s *scene) (a, b, x string) {
	if s.IntN(2) == 0 {
		return s.wide(), "", ""
	}
	return aSet(s)
}

// nearSets returns sets of which the second one often contains the first one, or is equal to it.
func nearSets(s *scene) (a, b, x string) {
	a, b, _ = sameTupleSets(s)
	switch s.IntN(3) {
	case 0:
		b = MustSet(a).Union(MustSet(b)).String()
	case 1:
		b = MustSet(a).Subtract(MustSet(b)).Union(MustSet(a).Intersect(MustSet(b))).String()
	}
	return a, b, ""
}

func nearMaps(s *scene) (a, b, x string) {
	a, b, _ = sameTupleMaps(s)
	if s.IntN(2) == 0 {
		b = MustMap(a).Union(MustMap(b)).String()
	}
	return a, b, ""
}

// maybeFunction returns a relation that often is one.
func maybeFunction(s *scene) (a, b, x string) {
	if s.IntN(2) == 0 {
		return trueFunction(s)
	}
	a, b, x = extremeMap(s)
	return a, b, x
}

// trueFunction returns a relation of each point to one other, or none.
func trueFunction(s *scene) (a, b, x string) {
	s.simple()
	vars := append([]string{"i", "j"}, s.params...)
	where := s.formula(vars, s.IntN(2)).text
	return s.braces([]string{fmt.Sprintf("A[i, j] -> B[%s, %s] : %s", s.term(vars).text, s.term(vars).text, where)}), "", ""
}

func boxedSet(s *scene) (a, b, x string) {
	s.params = nil
	t := s.vector()
	t.dims = min(t.dims, 2) // isl takes long for unions of a thousand points
	return s.bounded().union(t), "", ""
}

func extremeSet(s *scene) (a, b, x string) {
	s.bounded().params = s.params[:min(1, len(s.params))]
	s.depth = 1
	return s.union(s.vector()), "", ""
}

// extremeMap returns relations of one part, as isl may take minutes for unions.
func extremeMap(s *scene) (a, b, x string) {
	s.bounded().simple()
	s.depth = 0
	t, u := s.vector(), s.vector()
	t.dims, u.dims = min(t.dims, 2), min(u.dims, 2)
	return s.union(t, u), "", ""
}

func aNonEmptySet(s *scene) (a, b, x string) {
	for a = s.union(s.vector()); MustSet(a).IsEmpty(); {
		a = s.union(s.vector())
	}
	return a, "", ""
}

func aNonEmptyMap(s *scene) (a, b, x string) {
	for a = s.union(s.vector(), s.tuple()); MustMap(a).IsEmpty(); {
		a = s.union(s.vector(), s.vector())
	}
	return a, "", ""
}

// hullCase returns sets or relations whose hull is known exactly, or any.
func hullCase(kinds string) func(s *scene) (a, b, x string) {
	return func(s *scene) (a, b, x string) {
		tuples := make([]sketch, len(kinds))
		for i := range tuples {
			tuples[i] = s.vector()
			tuples[i].dims = min(tuples[i].dims, 2)
		}
		if s.IntN(3) == 0 {
			return s.simple().union(tuples...), "", ""
		}
		return s.octagon(tuples...), "", "exact"
	}
}

func affine(kinds string) func(s *scene) (a, b, x string) {
	operands := nested(kinds)
	return func(s *scene) (a, b, x string) {
		s.coef, s.con = min(s.coef, 30), min(s.con, 100)
		return operands(s)
	}
}

// conjunctive returns a conjunction without divs that is not empty.
func conjunctive(s *scene) (a, b, x string) {
	s.plain, s.parts, s.depth = true, 1, 0
	for {
		a = s.dimensional(1 + s.IntN(3))
		if m := MustSet(a); len(m.parts) == 1 && len(m.parts[0].divs) == 0 && !m.IsEmpty() {
			return a, "", ""
		}
	}
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

// closed returns a relation, and whether its closure is exact.
func closed(s *scene) (a, b, x string) {
	a = s.steps()
	_, exact := MustMap(a).TransitiveClosure()
	return a, "", strconv.FormatBool(exact)
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

// countCase returns a bounded set or relation with at most one parameter, and the values to compare at.
func countCase(tuples int) func(s *scene) (a, b, x string) {
	return func(s *scene) (a, b, x string) {
		s.simple()
		s.coef = 2
		low, high := s.linear(s.params), s.linear(s.params)
		s.box = fmt.Sprintf("%s <= %%s <= %s", low.text, high.text)
		if tuples == 1 {
			return s.union(sketch{name: "A", dims: 1 + s.IntN(2)}), "", "-4 6"
		}
		return s.union(sketch{name: "A", dims: 1}, sketch{dims: 1 + s.IntN(2)}), "", "-4 6"
	}
}

// aCount returns a function of A[i] and a parameter.
func (s *scene) aCount() string {
	a, _, _ := countCase(2)(s)
	return must(MustMap(a).Card()).String()
}

func twoCounts(s *scene) (a, b, x string) { return s.aCount(), s.aCount(), "-4 6" }

func scaledCount(s *scene) (a, b, x string) {
	return s.aCount(), fmt.Sprintf("%d/%d", s.IntN(9)-4, 1+s.IntN(3)), "-4 6"
}

func countAndSet(s *scene) (a, b, x string) {
	a = s.aCount()
	s.box = ""
	return a, s.union(sketch{name: "A", dims: 1}), "-4 6"
}

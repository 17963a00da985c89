package poly

import (
	"fmt"
	"strconv"
	"strings"
)

// This file draws the operands of operations.

func aSet(s *scene) (a, b, x string) {
	t, u := s.point(), s.tuple()
	if t.none {
		return s.union(t), "", ""
	}
	return s.twoTuples([]sketch{t}, []sketch{u}), "", ""
}

// nonParams returns a set that is not of parameters alone, for which isl's identity has no tuples.
func nonParams(s *scene) (a, b, x string) {
	return s.twoTuples([]sketch{s.tuple()}, []sketch{s.tuple()}), "", ""
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

// alikeSets returns sets that often are of the same tuple, or of parameters alone.
func alikeSets(s *scene) (a, b, x string) {
	if s.IntN(4) > 0 {
		return twoSets(s)
	}
	return sameTupleSets(s)
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
	t := s.point()
	return s.union(t), s.union(t), ""
}

// orderedSets returns sets of one tuple, not of parameters alone, which for isl have no order.
func orderedSets(s *scene) (a, b, x string) {
	t := s.tuple()
	return s.union(t), s.union(t), ""
}

func sameTupleMaps(s *scene) (a, b, x string) {
	t, u := s.tuple(), s.tuple()
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
	t := s.tuple() // isl has no differences of points of different tuples
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
	for a = s.union(s.point()); MustSet(a).IsEmpty(); {
		a = s.union(s.point())
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

func smallAffine(kinds string) func(s *scene) (a, b, x string) {
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

// closed returns a relation, and whether its closure is exact.
func closed(s *scene) (a, b, x string) {
	a = s.steps()
	_, exact := MustMap(a).TransitiveClosure()
	return a, "", strconv.FormatBool(exact)
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

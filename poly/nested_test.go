package poly

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// shapes are tuples of the dimensions i and j, or of none of them; the last one is none at all.
var shapes = []string{
	"S[i, j]", "[i, j]", "[[i] -> S[j]]", "P[A[i, j] -> []]", "[[A[] -> [i]] -> B[j]]", "[[i] -> Q[A[] -> B[j]]]",
	"[]", "A[]", "[[] -> []]", "P[[A[] -> []] -> B[]]", "",
}

// asVectors returns parts with the dimensions of their tuples in vectors V[..], or in other tuples of that length.
func asVectors(parts []Basic) []Basic {
	vector := func(t Tuple) Tuple {
		if t.none {
			return t
		}
		return Tuple{Name: "V", Dims: t.Dims}
	}
	return respaced(parts, func(s *Space) { s.In, s.Out = vector(s.In), vector(s.Out) })
}

// TestNested checks that operations do the same to points of any tuple as to vectors: pairs, pairs of pairs, tuples of no
// dimensions, and none.
func TestNested(t *testing.T) {
	for seed := range 2 * *rounds {
		checkNested(t, seed)
	}
}

// setLaws and mapLaws are operations that do not look into tuples.
var setLaws = map[string]func(a, b Set) []Basic{
	"Union":      func(a, b Set) []Basic { return a.Union(b).parts },
	"Intersect":  func(a, b Set) []Basic { return a.Intersect(b).parts },
	"Subtract":   func(a, b Set) []Basic { return a.Subtract(b).parts },
	"Complement": func(a, _ Set) []Basic { return a.Complement().parts },
	"Gist":       func(a, b Set) []Basic { return a.Gist(b).Intersect(b).parts },
	"Coalesce":   func(a, b Set) []Basic { return a.Union(b).Coalesce().parts },
	"Simplify":   func(a, _ Set) []Basic { return a.Simplify().RemoveRedundant().parts },
	"Hulls":      func(a, b Set) []Basic { return a.SimpleHull().Intersect(b.AffineHull()).parts },
	"ConvexHull": func(a, _ Set) []Basic { return a.RationalConvexHull().parts },
	"LexMin":     func(a, _ Set) []Basic { return a.LexMin().parts },
	"PwLexMax":   func(a, _ Set) []Basic { return MustSet(a.PwLexMax().String()).parts },
	"FixParam":   func(a, _ Set) []Basic { return a.FixParam("N", 2).parts },
	"Params":     func(a, b Set) []Basic { return a.IntersectParams(b.ParamDomain()).parts },
	"Identity":   func(a, _ Set) []Basic { return a.Identity().parts },
	"LexLess":    func(a, b Set) []Basic { return a.LexLess(b).parts },
	"Relate":     func(a, b Set) []Basic { return a.Relate(b).parts },
	"Print":      func(a, _ Set) []Basic { return MustSet(a.String()).parts },
	"Card": func(a, b Set) []Basic {
		c := must(a.Relate(a.Intersect(b)).Card())
		return MustCount(c.String()).Domain().parts
	},
}

var mapLaws = map[string]func(a, b Map) []Basic{
	"TransitiveClosure": func(a, _ Map) []Basic { c, _ := a.TransitiveClosure(); return c.parts },
	"Inverse":           func(a, _ Map) []Basic { return a.Inverse().parts },
	"ApplyRange":        func(a, b Map) []Basic { return a.ApplyRange(b).parts },
	"ApplyDomain":       func(a, b Map) []Basic { return a.ApplyDomain(b).parts },
	"Apply":             func(a, b Map) []Basic { return a.Apply(b.Range()).parts },
	"Deltas":            func(a, _ Map) []Basic { return a.Deltas().parts },
	"Restrict":          func(a, b Map) []Basic { return a.IntersectDomain(b.Domain()).IntersectRange(a.Domain()).parts },
	"Subtract":          func(a, b Map) []Basic { return a.Subtract(b).parts },
	"LexMax":            func(a, _ Map) []Basic { return a.LexMax().parts },
	"PwLexMin":          func(a, _ Map) []Basic { return MustMap(a.PwLexMin().String()).parts },
	"Hulls":             func(a, b Map) []Basic { return a.SimpleHull().Intersect(b.AffineHull()).parts },
	"Print":             func(a, _ Map) []Basic { return MustMap(a.String()).parts },
}

func checkNested(t *testing.T, seed uint64) {
	g := newGen(seed)
	shape := shapes[g.IntN(len(shapes))]
	vars := []string{"N"}
	vector := "V[]"
	switch {
	case strings.Contains(shape, "i"):
		vars, vector = append(vars, "i", "j"), "V[i, j]"
	case shape == "":
		vector = ""
	}
	box := fmt.Sprintf("-%d <= %s <= %d and ", window, strings.Join(vars, ", "), window)
	x, y := box+g.formula(vars, g.IntN(2)).text, box+g.formula(vars, g.IntN(2)).text
	set := func(tuple, where string) Set { return MustSet("[N] -> { " + tuple + " : " + where + " }") }
	for name, law := range setLaws {
		same(t, fmt.Sprintf("seed %d: %s of %s : %s; %s", seed, name, shape, x, y),
			func() []Basic { return law(set(vector, x), set(vector, y)) },
			func() []Basic { return law(set(shape, x), set(shape, y)) })
	}
	if shape == "" {
		return
	}
	step := func(tuple string) Map {
		next := strings.NewReplacer("i", "i + "+fmt.Sprint(seed%3), "j", "j + 1").Replace(tuple)
		return MustMap("[N] -> { " + tuple + " -> " + next + " : " + x + " }")
	}
	other := func(tuple string) Map {
		next := strings.NewReplacer("i", "k", "j", "l").Replace(tuple)
		text := tuple + " -> " + next + " : " + y
		if len(vars) > 1 {
			text += " and i - 1 <= k <= i + N and j <= l <= N"
		}
		return MustMap("[N] -> { " + text + " }")
	}
	for name, law := range mapLaws {
		same(t, fmt.Sprintf("seed %d: %s of %v; %v", seed, name, step(shape), other(shape)),
			func() []Basic { return law(step(vector), other(vector)) },
			func() []Basic { return law(step(shape), other(shape)) })
	}
}

// same checks that an operation has the same points on vectors and on other tuples, and passes a bound on both or on none.
func same(t *testing.T, what string, vectors, others func() []Basic) {
	t.Helper()
	var want, got []Basic
	wantErr := Limited(func() error { want = vectors(); return nil })
	gotErr := Limited(func() error { got = others(); return nil })
	require.Equal(t, wantErr, gotErr, what)
	want, got = asVectors(want), asVectors(got)
	require.True(t, isSubset(want, got) && isSubset(got, want), "%s\nwant %v\ngot  %v", what, printed(want), printed(got))
}

func printed(parts []Basic) string {
	return printUnion(parts, len(parts) > 0 && parts[0].space.isMap())
}

// tuplesIn returns how many tuples the pieces of a text have: none, one or two.
func tuplesIn(text string) map[int]bool {
	counts := map[int]bool{}
	for _, p := range parseUnion(text).pieces {
		counts[len(p.tuples)] = true
	}
	return counts
}

// requireTuples checks that what a text prints as has pieces with as many tuples as those of the text: [] is a tuple, and
// parameters alone have none.
func requireTuples(t *testing.T, text, printed string) {
	t.Helper()
	known := tuplesIn(text)
	for n := range tuplesIn(printed) {
		require.True(t, known[n], "%s\nprints as %s", text, printed)
	}
}

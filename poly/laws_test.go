package poly

import (
	"flag"
	"fmt"
	"testing"
)

// rounds is the number of random cases of each law: go test ./poly -rounds=3000 looks further.
var rounds = flag.Uint64("rounds", 40, "number of random cases of each law")

// TestMeaning checks the parser, with negation and quantifiers, and the printer against the meaning of formulas.
func TestMeaning(t *testing.T) {
	for seed := range 3 * *rounds {
		checkMeaning(t, seed)
	}
}

func checkMeaning(t *testing.T, seed uint64) {
	g := newGen(seed)
	s := g.sampleSet(g.IntN(4), false)
	printed := MustSet(s.set.String())
	points(func(n, i, j int64) {
		if want := s.has(n, i, j); has(s.set, n, i, j) != want || has(printed, n, i, j) != want {
			t.Fatalf("seed %d: contains (N=%d, %d, %d) should be %t\ntext    %s\nset     %v", seed, n, i, j, want, s.text, s.set)
		}
	})
}

// TestLaws checks each operation by its definition, point by point.
func TestLaws(t *testing.T) {
	for seed := range *rounds {
		checkLaws(t, seed)
	}
}

var laws = []struct {
	name string
	got  func(a, b Set) Set
	want func(inA, inB bool) bool
}{
	{"union", Set.Union, func(a, b bool) bool { return a || b }},
	{"intersect", Set.Intersect, func(a, b bool) bool { return a && b }},
	{"subtract", Set.Subtract, func(a, b bool) bool { return a && !b }},
	{"coalesce", func(a, b Set) Set { return a.Union(b).Coalesce() }, func(a, b bool) bool { return a || b }},
	{"gist", func(a, b Set) Set { return a.Gist(b).Intersect(b) }, func(a, b bool) bool { return a && b }},
}

func checkLaws(t *testing.T, seed uint64) {
	g := newGen(seed)
	a, b := g.sampleSet(g.IntN(3), false), g.sampleSet(g.IntN(3), false)
	for _, law := range laws {
		got := law.got(a.set, b.set)
		points(func(n, i, j int64) {
			if want := law.want(a.has(n, i, j), b.has(n, i, j)); has(got, n, i, j) != want {
				t.Fatalf("seed %d: %s: contains (N=%d, %d, %d) should be %t\na = %v\nb = %v\ngot %v",
					seed, law.name, n, i, j, want, a.set, b.set, got)
			}
		})
	}
	hull := a.set.Union(b.set).SimpleHull()
	points(func(n, i, j int64) {
		if (a.has(n, i, j) || b.has(n, i, j)) && !has(hull, n, i, j) {
			t.Fatalf("seed %d: the hull lacks (N=%d, %d, %d)\na = %v\nb = %v\ngot %v", seed, n, i, j, a.set, b.set, hull)
		}
	})
}

// TestRelations checks emptiness, inclusion, equality and samples of bounded sets by enumeration.
func TestRelations(t *testing.T) {
	for seed := range 2 * *rounds {
		checkRelations(t, seed)
	}
}

func checkRelations(t *testing.T, seed uint64) {
	g := newGen(seed)
	a, b := g.sampleSet(g.IntN(4), true), g.sampleSet(g.IntN(3), true)
	if g.IntN(2) == 0 {
		c := b
		b = sampleSet{formula{"", func(e env) bool { return a.holds(e) || c.holds(e) }}, a.set.Union(c.set).Coalesce()}
	}
	empty, subset, equal := true, true, true
	points(func(n, i, j int64) {
		x, y := a.has(n, i, j), b.has(n, i, j)
		empty, subset, equal = empty && !x, subset && (!x || y), equal && x == y
	})
	check := func(name string, got, want bool) {
		if got != want {
			t.Fatalf("seed %d: %s is %t\na = %v\nb = %v", seed, name, got, a.set, b.set)
		}
	}
	check("IsEmpty", a.set.IsEmpty(), empty)
	check("IsSubset", a.set.IsSubset(b.set), subset)
	check("IsEqual", a.set.IsEqual(b.set), equal)
	params, point, ok := a.set.Sample()
	check("Sample", ok, !empty)
	if ok {
		check("a sample in the set", a.has(params[0], point[0], point[1]), true)
	}
}

// TestProject checks projections of dimensions that the window bounds by enumeration.
func TestProject(t *testing.T) {
	for seed := range 2 * *rounds {
		checkProject(t, seed)
	}
}

func checkProject(t *testing.T, seed uint64) {
	g := newGen(seed)
	f := g.formula([]string{"N", "i", "j"}, g.IntN(3))
	box := fmt.Sprintf("-%d <= j <= %d and ", window, window)
	s := MustSet(g.text(f, box))
	boxed := s.Intersect(MustSet(fmt.Sprintf("{ S[i, j] : -%d <= i <= %d }", window, window)))
	onto, both := s.ProjectOut("j"), boxed.ProjectOut("j", "i")
	for n := int64(-window); n <= window; n++ {
		any := false
		for i := int64(-window); i <= window; i++ {
			want := false
			for j := int64(-window); j <= window; j++ {
				want = want || f.holds(env{"N": n, "i": i, "j": j})
			}
			any = any || want
			if has(onto, n, i) != want {
				t.Fatalf("seed %d: contains (N=%d, %d) should be %t\ns   = %v\ngot %v", seed, n, i, want, s, onto)
			}
		}
		if has(both, n) != any {
			t.Fatalf("seed %d: contains (N=%d) should be %t\ns   = %v\ngot %v", seed, n, any, s, both)
		}
	}
}

// TestLexExtremes checks least and greatest points by enumeration.
func TestLexExtremes(t *testing.T) {
	for seed := range *rounds {
		checkLexExtremes(t, seed)
	}
}

func checkLexExtremes(t *testing.T, seed uint64) {
	g := newGen(seed)
	s := g.sampleSet(g.IntN(3), true)
	least, greatest := s.set.LexMin(), s.set.LexMax()
	type point struct{ i, j int64 }
	first, last := map[int64]point{}, map[int64]point{}
	points(func(n, i, j int64) { // in lexicographic order
		if s.has(n, i, j) {
			if _, ok := first[n]; !ok {
				first[n] = point{i, j}
			}
			last[n] = point{i, j}
		}
	})
	small(func(n int64) { // without parameters
		fixed, f, l := s.set.FixParam("N", n), first[n], last[n]
		_, ok := first[n]
		min, max := fixed.LexMin(), fixed.LexMax()
		if min.IsEmpty() == ok || max.IsEmpty() == ok || ok && !(min.Contains(nil, f.i, f.j) && max.Contains(nil, l.i, l.j)) ||
			len(min.parts) > 1 || len(max.parts) > 1 {
			t.Fatalf("seed %d: for N=%d the least point is %v and the greatest %v\ns   = %v\nmin %v\nmax %v", seed, n, f, l, fixed, min, max)
		}
	})
	points(func(n, i, j int64) {
		f, ok := first[n]
		l := last[n]
		if has(least, n, i, j) != (ok && f == point{i, j}) || has(greatest, n, i, j) != (ok && l == point{i, j}) {
			t.Fatalf("seed %d: for N=%d the least point is %v and the greatest %v\ns   = %v\nmin %v\nmax %v",
				seed, n, f, l, s.set, least, greatest)
		}
	})
}

// relation is a random relation within the window, as a table.
type relation struct {
	Map
	pairs [2*window + 1][2*window + 1]bool
}

func (r *relation) has(i, j int64) bool { return r.pairs[i+window][j+window] }

// small calls f with the values of the window.
func small(f func(i int64)) {
	for i := int64(-window); i <= window; i++ {
		f(i)
	}
}

func (g *gen) relation(from, to string) *relation {
	f := g.formula([]string{"i", "j"}, g.IntN(3))
	r := &relation{Map: MustMap(fmt.Sprintf("{ %s[i] -> %s[j] : -%d <= i, j <= %d and %s }", from, to, window, window, f.text))}
	small(func(i int64) {
		small(func(j int64) { r.pairs[i+window][j+window] = f.holds(env{"i": i, "j": j}) })
	})
	return r
}

// TestMaps checks the operations on relations by their definitions.
func TestMaps(t *testing.T) {
	for seed := range 2 * *rounds {
		checkMaps(t, seed)
	}
}

func checkMaps(t *testing.T, seed uint64) {
	g := newGen(seed)
	a, b := g.relation("A", "B"), g.relation("B", "C")
	check := func(name string, got bool, want bool, result any) {
		if got != want {
			t.Fatalf("seed %d: %s: should be %t\na = %v\nb = %v\ngot %v", seed, name, want, a, b, result)
		}
	}
	domain, rng, inverse, composed := a.Domain(), a.Range(), a.Inverse().Wrap(), a.ApplyRange(b.Map).Wrap()
	back, image := a.ApplyDomain(a.ApplyRange(b.Map)).Wrap(), b.Apply(rng)
	within := b.IntersectDomain(rng).Wrap()
	least := a.Map.LexMin().Wrap()
	small(func(i int64) {
		inDomain, inRange, first := false, false, true
		small(func(j int64) {
			inDomain, inRange = inDomain || a.has(i, j), inRange || a.has(j, i)
			check("inverse", has(inverse, 0, i, j), a.has(j, i), inverse)
			link := false
			small(func(k int64) { link = link || a.has(i, k) && b.has(k, j) })
			check("compose", has(composed, 0, i, j), link, composed)
			check("lexmin", has(least, 0, i, j), first && a.has(i, j), least)
			first = first && !a.has(i, j)
			check("intersect domain", has(within, 0, i, j), has(rng, 0, i) && b.has(i, j), within)
			link = false
			small(func(k int64) { small(func(l int64) { link = link || a.has(k, j) && a.has(k, l) && b.has(l, i) }) })
			check("apply domain", has(back, 0, i, j), link, back)
		})
		reached := false
		small(func(k int64) { reached = reached || has(rng, 0, k) && b.has(k, i) })
		check("domain", has(domain, 0, i), inDomain, domain)
		check("range", has(rng, 0, i), inRange, rng)
		check("image", has(image, 0, i), reached, image)
	})
	deltas := a.Deltas()
	for d := int64(-2 * window); d <= 2*window; d++ {
		want := false
		small(func(i int64) { want = want || i+d >= -window && i+d <= window && a.has(i, i+d) })
		check("deltas", has(deltas, 0, d), want, deltas)
	}
}

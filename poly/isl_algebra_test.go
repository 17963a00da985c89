package poly

import (
	"fmt"
	"testing"
)

// TestISLProducts compares complements and products of random sets and relations.
func TestISLProducts(t *testing.T) {
	isl := startISL(t)
	for seed := range *rounds {
		g := newGen(5000 + seed)
		a, b := g.sampleSet(g.IntN(3), g.IntN(2) == 0), g.sampleSet(g.IntN(2), false)
		if !a.set.IsEmpty() {
			isl.check(t, "complement", a.set, "", a.set.Complement())
		}
		isl.check(t, "product", a.set, b.set, a.set.Product(b.set))
		m, n, o := g.parametric("A", "B"), g.parametric("A", "C"), g.parametric("D", "B")
		isl.check(t, "range product", m, n, m.FlatRangeProduct(n))
		isl.check(t, "domain product", m, o, m.FlatDomainProduct(o))
	}
}

// parametric returns a random relation with a parameter.
func (g *gen) parametric(from, to string) Map {
	f := g.formula([]string{"N", "i", "j"}, g.IntN(3))
	return MustMap(fmt.Sprintf("[N] -> { %s[i] -> %s[j] : %s }", from, to, f.text))
}

// TestISLFunctions compares least and greatest points, as text of functions that isl reads.
func TestISLFunctions(t *testing.T) {
	isl := startISL(t)
	for seed := range *rounds {
		g := newGen(6000 + seed)
		s := g.sampleSet(g.IntN(3), true).set
		m := g.parametric("A", "B").IntersectRange(MustSet("{ B[j] : -9 <= j <= 9 }"))
		isl.check(t, "lexmin", s, "", s.PwLexMin())
		isl.check(t, "lexmax", s, "", s.PwLexMax())
		if len(m.parts) == 1 { // isl may take minutes for unions
			isl.check(t, "map lexmin", m, "", m.PwLexMin())
			isl.check(t, "map lexmax", m, "", m.PwLexMax())
		}
	}
}

package poly

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestProducts checks products of random relations by their definitions.
func TestProducts(t *testing.T) {
	for seed := range *rounds {
		checkProducts(t, seed)
	}
}

func checkProducts(t *testing.T, seed uint64) {
	g := newGen(seed)
	a, b, c := g.relation("A", "B"), g.relation("A", "C"), g.relation("D", "B")
	both, ranges, domains := a.FlatProduct(b.Map).Wrap(), a.FlatRangeProduct(b.Map).Wrap(), a.FlatDomainProduct(c.Map).Wrap()
	rangeA, rangeB := a.Range(), b.Range()
	nested, flat := rangeA.Product(rangeB), rangeA.FlatProduct(rangeB)
	check := func(name string, got, want bool) {
		if got != want {
			t.Fatalf("seed %d: %s: should be %t\na = %v\nb = %v\nc = %v", seed, name, want, a, b, c)
		}
	}
	for range 300 {
		w := func() int64 { return int64(g.IntN(2*window+1) - window) }
		i, j, k, l := w(), w(), w(), w()
		check("product", has(both, 0, i, k, j, l), a.has(i, j) && b.has(k, l))
		check("range product", has(ranges, 0, i, j, k), a.has(i, j) && b.has(i, k))
		check("domain product", has(domains, 0, i, j, k), a.has(i, k) && c.has(j, k))
		inBoth := has(rangeA, 0, i) && has(rangeB, 0, j)
		check("set product", has(nested, 0, i, j), inBoth)
		check("flat set product", has(flat, 0, i, j), inBoth)
	}
}

func TestProductTuples(t *testing.T) {
	s, u := MustSet("[N] -> { S[i] : i < N; T[] }"), MustSet("[M] -> { A[i] : i > M }")
	sameSets(t, MustSet("[N, M] -> { [S[i] -> A[j]] : i < N and j > M; [T[] -> A[j]] : j > M }"), s.Product(u))
	sameSets(t, MustSet("[N, M] -> { [i, j] : i < N and j > M; [j] : j > M }"), s.FlatProduct(u))
	assert.True(t, s.Relate(u).IsEqual(s.Product(u).Unwrap()))
	m := MustMap("{ A[i] -> B[i + 1]; Z[] -> B[7] }").FlatRangeProduct(MustMap("{ A[i] -> C[2i] }"))
	assert.True(t, m.IsEqual(MustMap("{ A[i] -> [i + 1, 2i] }")), m)
	sameSets(t, MustSet("[M] -> { [[S[i] -> T[]] -> A[j]] : j > M }"), MustSet("{ [S[i] -> T[]] }").Product(u))
	assert.Panics(t, func() { s.Unwrap() })
}

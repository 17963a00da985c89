package poly

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPwLexMin checks least and greatest points as functions: point by point, as relations, and as text.
func TestPwLexMin(t *testing.T) {
	for seed := range *rounds {
		checkPwLexMin(t, seed)
	}
}

func checkPwLexMin(t *testing.T, seed uint64) {
	g := newGen(seed)
	s := g.sampleSet(g.IntN(3), true)
	checkFunction(t, seed, s, s.set.PwLexMin(), s.set.LexMin(), 1)
	checkFunction(t, seed, s, s.set.PwLexMax(), s.set.LexMax(), -1)
}

// checkFunction checks f, which is to have the first points of s, or the last ones.
func checkFunction(t *testing.T, seed uint64, s sampleSet, f PwMultiAff, want Set, up int64) {
	first := map[int64][]int64{}
	points(func(n, i, j int64) {
		if p := []int64{i, j}; s.has(n, i, j) && (first[n] == nil || up < 0) {
			first[n] = p
		}
	})
	small(func(n int64) {
		got := f.Eval(map[string]int64{"N": n}, "")["S"]
		require.Equal(t, first[n], got, "seed %d: N=%d\ns = %v\nf = %v", seed, n, s.set, f)
	})
	sameSets(t, want, MustSet(f.String()))
}

// TestPwLexMinOfMaps does so for relations, and checks that pieces are disjoint.
func TestPwLexMinOfMaps(t *testing.T) {
	for seed := range *rounds {
		checkPwLexMinOfMaps(t, seed)
	}
}

func checkPwLexMinOfMaps(t *testing.T, seed uint64) {
	g := newGen(seed)
	m := g.relation("A", "B")
	f := m.PwLexMin()
	small(func(i int64) {
		var want []int64
		small(func(j int64) {
			if want == nil && m.has(i, j) {
				want = []int64{j}
			}
		})
		require.Equal(t, want, f.Eval(nil, "A", i)["B"], "seed %d: i=%d\nm = %v\nf = %v", seed, i, m, f)
	})
	least := m.LexMin()
	require.True(t, f.Map().IsEqual(least), "seed %d: %v\nf = %v", seed, least, f)
	require.True(t, MustMap(f.String()).IsEqual(least), "seed %d: %v\nf = %v", seed, least, f)
	for i, p := range f.Pieces() {
		for _, q := range f.Pieces()[:i] {
			both, ok := p.Domain.intersect(q.Domain)
			require.False(t, ok && !both.isEmpty(), "seed %d: %v", seed, f)
		}
	}
	require.Equal(t, least.IsEqual(m.Map), m.IsSingleValued())
}

func TestFunctions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{ S[i] -> A[j] : 2j <= i <= 2j + 1 }", "{ S[i] -> A[(floor(i/2))] }"},
		{"{ S[i] -> A[j] : i <= j < i + 3 and j mod 3 = 1 }", ""},
		{"[N] -> { S[i] -> A[i + 1, N - i]; S[i] -> B[] : i > N }", "[N] -> { S[i] -> A[(i + 1), (N - i)]; S[i] -> B[] : i >= N + 1 }"},
		{"{ [i, j] -> [k] : k >= i and k >= j and (k = i or k = j) }", ""},
		{"{ [i] -> [j, k] : 0 <= 5j - 3k <= 1 and 7j + k = i and 0 <= i <= 60 }", ""},
		{"{ [i, j] -> [k] : i <= k and j <= k and k <= i + 3 and k <= j + 3 and (i - j = 3 or j - i = 3) }", ""},
		{"{ [i] -> [j] : i < j < i }", "{ }"},
	} {
		m := MustMap(c.text)
		f, ok := m.Function()
		require.True(t, ok, c.text)
		assert.True(t, f.Map().IsEqual(m), "%s\nf = %v", c.text, f)
		if c.want != "" {
			assert.Equal(t, c.want, f.String())
		}
	}
	_, ok := MustMap("{ [i] -> [j] : i <= j <= i + 1 }").Function()
	assert.False(t, ok)
	f := MustSet("[N] -> { S[i, j] : 0 <= i < N and 2j >= i + N }").PwLexMin()
	assert.Equal(t, "[N] -> { S[(0), (N - floor(N/2))] : N >= 1 }", f.String())
	a := f.Pieces()[0].Values[1]
	assert.Equal(t, int64(4), a.Eval(map[string]int64{"N": 7}))
	assert.Equal(t, []int64{-1}, a.Affine().Divs)
	assert.Equal(t, int64(2), a.Divs()[0].Den)
}

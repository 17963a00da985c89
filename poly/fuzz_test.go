package poly

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzParse checks that no text makes the parser panic, and that what it prints parses to the same points.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"{ [i] : 0 <= i < 10 }",
		"[N, T] -> { S[t, i] -> A[(t+1) mod 2, i] : 0 <= t < T and (i >= 1 or i = -3) and exists e: t = 2e; T[] -> B[] }",
		"{ [A[i] -> B[j]] : not (i = j) => floord(i, 3) <= max(j, 4) }",
		"{ [i, j = 2i + 1] : exists (a, b = floor(i/2) : a = 3b and 2 <= a, j <= 12) }",
		"{ P[[A[i] -> B[j = 2i]] -> C[k = 0:i, *]] : [i, j] <<= [k, 3] implies k = (i > 3 ? [i/2] : -2j mod 3) }", "[N = 3] -> { []; A[] : N > 3 }",
		"{ [] }", "[N] -> { [] -> [] : N > 3 }", "{ [[] -> A[]] : 1 > 0 }", "{ : false }", "{ [", "[N] -> {", "{ [i] : i ≥ 0 ∧ ¬(i % 3 = 1) }",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 120 {
			return
		}
		soon(t, func() {
			if s, err := ParseSet(text); err == nil {
				if again := MustSet(s.String()); !again.IsEqual(s) {
					t.Errorf("%s\nprints as %v\nparses as %v", text, s, again)
				}
				requireTuples(t, text, s.String())
			}
			if m, err := ParseMap(text); err == nil {
				if again := MustMap(m.String()); !again.IsEqual(m) {
					t.Errorf("%s\nprints as %v\nparses as %v", text, m, again)
				}
				requireTuples(t, text, m.String())
			}
		})
	})
}

// soon runs f, which may pass a limit but must end within seconds.
func soon(t *testing.T, f func()) {
	t.Helper()
	start := time.Now()
	err := Limited(func() error { f(); return nil })
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %v, %v", d, err)
	}
}

// FuzzSearch checks the search for integer points of small boxed systems by enumeration: each group of four bytes is a
// row a*i + b*j + c*k + d >= 0, or = 0 where d is odd.
func FuzzSearch(f *testing.F) {
	f.Add([]byte("\x0b\x0d\x00\xe5\xf5\xf3\x00\x2d\x07\xf7\x00\x0a\xf9\x09\x00\x04"))
	f.Add([]byte("\x02\xfd\x00\x00\x03\x05\xf9\x01"))
	f.Fuzz(checkSearch)
}

func checkSearch(t *testing.T, data []byte) {
	const size = 5
	var rows []row
	for c := 1; c <= 3; c++ {
		lo := vec{NewInt(size), {}, {}, {}}
		lo[c] = one
		hi := lo.clone()
		hi[c] = minusOne
		rows = append(rows, row{c: lo}, row{c: hi})
	}
	for len(data) >= 4 && len(rows) < 16 {
		b := func(i int) Int { return NewInt(int64(int8(data[i]))) }
		rows = append(rows, row{data[3]%2 == 1, vec{b(3), b(0), b(1), b(2)}})
		data = data[4:]
	}
	holds := func(x vec) bool {
		for _, r := range rows {
			if !r.holds(x) {
				return false
			}
		}
		return true
	}
	found := false
	for i := int64(-size); i <= size; i++ {
		for j := int64(-size); j <= size; j++ {
			for k := int64(-size); k <= size; k++ {
				found = found || holds(vec{one, NewInt(i), NewInt(j), NewInt(k)})
			}
		}
	}
	for name, solve := range map[string]func(*solver) (vec, bool){"search": (*solver).solve, "omega": omegaOnly, "lattice": latticeOnly} {
		x, ok := solve(newSolver(4, rows))
		if ok != found || ok && !holds(x) {
			t.Errorf("%s: %v, %t; rows %v", name, x, ok, rows)
		}
	}
}

// omegaOnly solves by the Omega test alone.
func omegaOnly(s *solver) (vec, bool) {
	if !s.presolve() {
		return nil, false
	}
	if len(s.rows) == 0 {
		x := newVec(s.width)
		x[0] = one
		return s.retrace(x), true
	}
	return s.omega()
}

// latticeOnly solves without branches in the coordinates as they are.
func latticeOnly(s *solver) (vec, bool) {
	s.plain = 0
	return s.solve()
}

// FuzzKnapsack checks the search for solutions of an equation with numbers of at least 0 by enumeration.
func FuzzKnapsack(f *testing.F) {
	for seed := range uint64(100) {
		f.Add(seed)
	}
	f.Fuzz(checkKnapsack)
}

func checkKnapsack(t *testing.T, seed uint64) {
	g := newGen(seed)
	n, size := 3+g.IntN(3), []int{9, 60, 400}[g.IntN(3)]
	sizes := make([]int, n)
	sum := vec{{}}
	for i := range sizes {
		sizes[i] = size/2 + g.IntN(size)
		sum = append(sum, NewInt(int64(sizes[i])))
	}
	total := size + g.IntN(7*size)
	sum[0] = NewInt(int64(-total))
	rows := []row{{true, sum}}
	for i := range sizes {
		rows = append(rows, row{c: unitVec(1+n, 1+i)})
	}
	reached := make([]bool, total+1) // by sums
	reached[0] = true
	for s := range reached {
		for _, k := range sizes {
			reached[s] = reached[s] || s >= k && reached[s-k]
		}
	}
	for name, solve := range map[string]func(*solver) (vec, bool){"search": (*solver).solve, "lattice": latticeOnly} {
		x, ok := solve(newSolver(1+n, rows))
		require.Equal(t, reached[total], ok, "%s: %v = %d", name, sizes, total)
		if ok {
			for _, r := range rows {
				require.True(t, r.holds(x), "%s: %v = %d: %v", name, sizes, total, x)
			}
		}
	}
}

// FuzzLaws checks the laws of operations by enumeration, on random operands chosen by the seed, as the tests do that have
// these checks.
func FuzzLaws(f *testing.F) {
	checks := []func(t *testing.T, seed uint64){
		checkMeaning, checkNested, checkProject, checkLaws, checkRelations, checkLexExtremes, checkMaps, checkProducts, checkDims, checkOrders,
		checkAffineHull, checkRemoveRedundant, checkSurvey, checkConvexHull, checkConvexHullContains, checkPwLexMin, checkPwLexMinOfMaps,
		checkCardRandom, checkParametric, checkCardPolytopes, checkCardUnions, checkCountAlgebra,
	}
	for i := range checks {
		f.Add(i, uint64(1))
	}
	f.Fuzz(func(t *testing.T, check int, seed uint64) {
		if check >= 0 && check < len(checks) {
			checks[check](t, seed)
		}
	})
}

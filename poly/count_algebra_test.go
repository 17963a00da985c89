package poly

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestParseCount pins what is printed for what is read.
func TestParseCount(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"{ 3 }", "{ 3 }"},
		{"{ }", "{ 0 }"},
		{"{ 2 - 2 }", "{ 0 }"},
		{"[n] -> { 2n^2 + n/2 - 3 * (n - 1) * n : n > 0 }", "[n] -> { -n^2 + 7/2*n : n >= 1 }"},
		{"[n] -> { [i, j] -> i*floor((j + n)/2)^2 : 0 <= i; [i] -> -i }",
			"[n] -> { [i, j] -> i*floor((n + j)/2)^2 : i >= 0; [i] -> -i }"},
		{"[n] -> { n : n >= 0; 1 : n >= 5 }", "[n] -> { n + 1 : n >= 5; n : 0 <= n <= 4 }"},
		{"{ A[i] -> infty : i > 3 or i < 0 }", "{ A[i] -> infty : (i >= 4) or (i <= -1) }"},
		{"{ [A[i] -> B[j]] -> i*j }", "{ [A[i] -> B[j]] -> i*j }"},
		{"[m, n] -> { n*m : m = 3 }", "[m, n] -> { m*n : m = 3 }"},
	} {
		count, err := ParseCount(c.text)
		require.NoError(t, err, c.text)
		require.Equal(t, c.want, count.String(), c.text)
		require.True(t, MustCount(c.want).IsEqual(count), c.text)
	}
	for _, c := range []struct{ text, want string }{
		{"{ n }", "1:3: n is not defined\n\t{ n }\n\t  ^"},
		{"[n] -> { n^n }", "1:12: expected an exponent of at most 60\n\t[n] -> { n^n }\n\t           ^"},
		{"[n] -> { 1/n }", "1:11: the divisor must be a constant other than 0\n\t[n] -> { 1/n }\n\t          ^"},
		{"[n] -> { [i] -> }", "1:17: expected a polynomial, found }\n\t[n] -> { [i] -> }\n\t                ^"},
		{"{ 1 } 2", "1:7: expected the end, found 2\n\t{ 1 } 2\n\t      ^"},
	} {
		_, err := ParseCount(c.text)
		require.EqualError(t, err, c.want)
	}
}

// TestCountAlgebra checks sums, products, restrictions and compositions of random functions by their values.
func TestCountAlgebra(t *testing.T) {
	for seed := range *rounds {
		checkCountAlgebra(t, seed)
	}
}

func checkCountAlgebra(t *testing.T, seed uint64) {
	g := newGen(seed)
	f, h := g.function("S"), g.function("S")
	m := g.relation("R", "S")
	sum, err := f.count.Plus(h.count)
	require.NoError(t, err)
	product, err := f.count.Times(h.count)
	require.NoError(t, err)
	total, err := f.count.Sum()
	require.NoError(t, err)
	composed, err := f.count.Compose(m.Map)
	require.NoError(t, err, "seed %d: %v of %v", seed, f.count, m.Map)
	within := f.count.IntersectDomain(m.Map.Range())
	again := MustCount(f.count.String())
	require.True(t, again.IsEqual(f.count), "seed %d: %v reads as %v", seed, f.count, again)
	for n := int64(-3); n <= 3; n++ {
		params := map[string]int64{"N": n}
		is := func(what string, c Count, want *big.Rat, point ...int64) {
			got, finite := c.At(params, point...)
			if !finite || got.Cmp(want) != 0 {
				t.Fatalf("seed %d: %s at N=%d, %v is %v, not %v\nf = %v\nh = %v\nm = %v\ngot %v", seed, what, n, point, got, want, f.count, h.count, m.Map, c)
			}
		}
		all := new(big.Rat)
		small(func(i int64) {
			x, y := f.value(n, i), h.value(n, i)
			all.Add(all, x)
			is("f", f.count, x, i)
			is("sum", sum, new(big.Rat).Add(x, y), i)
			is("product", product, new(big.Rat).Mul(x, y), i)
			image, hit := new(big.Rat), false
			small(func(j int64) {
				hit = hit || m.has(j, i)
				if m.has(i, j) {
					image.Add(image, f.value(n, j))
				}
			})
			is("composition", composed, image, i)
			if !hit {
				x = new(big.Rat)
			}
			is("restriction", within, x, i)
		})
		is("total", total, all)
	}
}

// A function is a random piecewise quasi-polynomial of N and i within the window, and its meaning.
type function struct {
	count Count
	value func(n, i int64) *big.Rat
}

func (g *gen) function(tuple string) function {
	vars := []string{"N", "i"}
	where := g.formula(vars, g.IntN(2))
	a, b, d := g.linear(vars), g.linear(vars), int64(1+g.IntN(3))
	text := fmt.Sprintf("[N] -> { %s[i] -> 1/2*(%s)*floor((%s)/%d) + i : -%d <= i <= %d and %s }", tuple, a.text, b.text, d, window, window, where.text)
	return function{MustCount(text), func(n, i int64) *big.Rat {
		e := env{"N": n, "i": i}
		if !where.holds(e) {
			return new(big.Rat)
		}
		return big.NewRat(a.value(e)*floorDiv(b.value(e), d)+2*i, 2)
	}}
}

// TestCountSum pins sums over pairs, and what has no sum.
func TestCountSum(t *testing.T) {
	sum, err := MustCount("[n] -> { [A[i] -> B[j]] -> i*j : 0 <= j <= i <= n }").Sum()
	require.NoError(t, err)
	require.Equal(t, "[n] -> { A[i] -> (1/2*i^3 + 1/2*i^2) : 0 <= i <= n }", sum.String())
	_, err = MustCount("{ [i] -> i }").Sum()
	require.EqualError(t, err, "poly: a sum over infinitely many points")
	sum, err = MustCount("{ [i] -> 2 : i > 0 }").Sum()
	require.NoError(t, err)
	require.Equal(t, "{ infty }", sum.String())
}

// FuzzParseCount checks that no text makes the parser panic, and that what it prints parses to the same function.
func FuzzParseCount(f *testing.F) {
	for _, text := range []string{
		"[n] -> { 2n^2 + n/2 - 3 * (n - 1) * n : n > 0; n : n >= 3 }", "{ [i, j] -> i*floor((j + i)/2)^2 : 0 <= i; [i] -> -i }", "{ [A[i] -> B[j]] -> infty }",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 100 {
			return
		}
		soon(t, func() {
			if c, err := ParseCount(text); err == nil {
				if again, err := ParseCount(c.String()); err != nil || again.String() != c.String() && !again.IsEqual(c) {
					t.Errorf("%s\nprints as %v\nparses as %v, %v", text, c, again, err)
				}
			}
		})
	})
}

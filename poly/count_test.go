package poly

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCard pins counts of common shapes, as text.
func TestCard(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"{ }", "{ 0 }"},
		{"{ [] }", "{ 1 }"},
		{"{ [i, j] : 0 <= i < 10 and 0 <= j < i }", "{ 45 }"},
		{"{ [i, j] : 0 <= i and 0 <= j and 27i + 19j <= 1000 }", "{ 1021 }"},
		{"[n] -> { : n > 3 }", "[n] -> { 1 : n >= 4 }"},
		{"[n] -> { [i] : 0 <= i < n }", "[n] -> { n : n >= 1 }"},
		{"[n] -> { A[i] : 0 <= i < n; B[] : n >= 0 }", "[n] -> { n + 1 : n >= 0 }"},
		{"[n] -> { [i] : 0 <= i < n; [i] : 3 <= i < n + 4 }", "[n] -> { n + 4 : n >= 4; 2*n + 1 : 0 <= n <= 3 }"},
		{"[n, m] -> { [i, j] : 0 <= i < n and 0 <= j < m }", "[n, m] -> { n*m : n >= 1 and m >= 1 }"},
		{"[n] -> { [i, j] : 0 <= i < n and 0 <= j <= i }", "[n] -> { 1/2*n^2 + 1/2*n : n >= 1 }"},
		{"[n] -> { [i, j, k] : 0 <= i, j, k and i + j + k <= n }", "[n] -> { 1/6*n^3 + n^2 + 11/6*n + 1 : n >= 0 }"},
		{"[n] -> { [i, j] : 0 <= i < n and 2i <= j < 2i + 5 }", "[n] -> { 5*n : n >= 1 }"}, // a parallelogram
		{"[n, m] -> { [i, j] : 0 <= i <= n and i <= j <= m }",
			"[n, m] -> { 1/2*m^2 + 3/2*m + 1 : 0 <= m <= n - 1; -1/2*n^2 + n*m + 1/2*n + m + 1 : n >= 0 and m >= n }"},
		{"[n, m] -> { [i, j, k] : 0 <= i <= j < n and 0 <= k < m and m <= 9 }", "[n, m] -> { 1/2*n^2*m + 1/2*n*m : n >= 1 and 1 <= m <= 9 }"},
		{"[n] -> { [i] : 0 <= 2i < n }", "[n] -> { floor((n + 1)/2) : n >= 1 }"},
		{"[n] -> { [i] : 0 <= i < n and i mod 3 = 1 }", "[n] -> { floor((n + 1)/3) : n >= 2 }"},
		{"[n] -> { [i] : 2i = n }", "[n] -> { 1 : (n) mod 2 = 0 }"},
		{"[n] -> { [i, j] : 0 <= i < n and j = floor(i/2) }", "[n] -> { n : n >= 1 }"},
		{"[n] -> { [j] : exists (i: j = floor(i/2) and 0 <= i < n) }", "[n] -> { floor((n + 1)/2) : n >= 1 }"},
		{"[n] -> { [i] : i >= n }", "[n] -> { infty }"},
		{"[n] -> { [i] : i >= n >= 3; [i] : 0 <= i < 5 }", "[n] -> { infty : n >= 3; 5 : n <= 2 }"},
		{"{ [i, j] : i >= 0 and 1 <= 3j <= 2 }", "{ 0 }"},
	} {
		count, err := MustSet(c.set).Card()
		require.NoError(t, err)
		require.Equal(t, c.want, count.String(), c.set)
		require.Equal(t, Symbolic, count.Method())
	}
}

// TestCardHexagon counts the hexagonal tile of slope 1: 2 * (h+1) * (h+1 + w0) points.
func TestCardHexagon(t *testing.T) {
	tile := MustSet(`[h, w] -> { [t, s] : h, w >= 0 and 0 <= t <= 2h + 1 and -t <= s and t - 2h - 1 <= s
		and s <= t + w and s <= 2h + 1 - t + w }`)
	count, err := tile.Card()
	require.NoError(t, err)
	require.Equal(t, "[h, w] -> { 2*h^2 + 2*h*w + 4*h + 2*w + 2 : h >= 0 and w >= 0 }", count.String())
	for h := range int64(5) {
		for w := range int64(5) {
			got, _ := count.At(map[string]int64{"h": h, "w": w})
			require.Equal(t, 2*(h+1)*(h+1+w), got.Num().Int64())
		}
	}
}

// TestMapCard counts images, as a function of the point.
func TestMapCard(t *testing.T) {
	m := MustMap("[n] -> { A[i] -> B[j] : 0 <= i < n and i <= j <= 2i; A[i] -> C[]; D[] -> D[i] : 0 <= i < n }")
	count, err := m.Card()
	require.NoError(t, err)
	require.Equal(t, "[n] -> { A[i] -> (i + 2) : 0 <= i <= n - 1; A[i] -> 1 : (i <= n - 1 and i <= -1) or (i >= n); D[] -> n : n >= 1 }",
		count.String())
	got, _ := count.At(map[string]int64{"n": 9}, 4)
	require.Equal(t, int64(6), got.Num().Int64())
	require.True(t, count.Domain().IsEqual(m.Domain()))
}

// TestCardBounds checks what happens beyond the bounds: sets without parameters are enumerated, others give an error.
func TestCardBounds(t *testing.T) {
	const simplex = "{ [x, y, z] : 0 <= x, y, z and 1001x + 1003y + 1009z <= %s }"
	count, err := MustSet(fmt.Sprintf(simplex, "50000")).Card()
	require.NoError(t, err)
	require.Equal(t, Enumeration, count.Method())
	want := int64(0)
	for x := range 50 {
		for y := range 50 {
			for z := range 50 {
				if 1001*x+1003*y+1009*z <= 50000 {
					want++
				}
			}
		}
	}
	got, _ := count.At(nil)
	require.Equal(t, want, got.Num().Int64())
	require.Equal(t, fmt.Sprintf("{ %d }", want), count.String())

	_, err = MustSet("[n] -> " + fmt.Sprintf(simplex, "n")).Card()
	limit := (*LimitError)(nil)
	require.True(t, errors.As(err, &limit), "%v", err)
}

// TestCardRandom checks counts of random sets by enumeration.
func TestCardRandom(t *testing.T) {
	for seed := range 2 * *rounds {
		checkCardRandom(t, seed)
	}
}

func checkCardRandom(t *testing.T, seed uint64) {
	g := newGen(seed)
	s := g.sampleSet(g.IntN(4), true)
	checkCount(t, seed, s.set, s.holds, func(int64) (lo, hi int64) { return -window, window })
}

// TestCardParametric checks counts of random sets between bounds that depend on the parameter.
func TestCardParametric(t *testing.T) {
	for seed := range 2 * *rounds {
		checkParametric(t, seed)
	}
}

func checkParametric(t *testing.T, seed uint64) {
	g := newGen(seed)
	f := g.formula([]string{"N", "i", "j"}, g.IntN(3))
	low, high := g.linear([]string{"N"}), g.linear([]string{"N"})
	bound := func(x string) string { return fmt.Sprintf("%s <= %s <= %s and ", low.text, x, high.text) }
	s := MustSet(g.text(f, bound("i")+bound("j")))
	checkCount(t, seed, s, f.holds, func(n int64) (lo, hi int64) { return low.value(env{"N": n}), high.value(env{"N": n}) })
}

// checkCount compares the number of points of s, which are those (i, j) between bounds that depend on the parameter N
// for which the formula holds, with enumeration.
func checkCount(t *testing.T, seed uint64, s Set, holds func(env) bool, bounds func(n int64) (lo, hi int64)) {
	t.Helper()
	count, err := s.Card()
	require.NoError(t, err, "seed %d: s = %v", seed, s)
	require.NotContains(t, count.String(), "infty", "seed %d: s = %v", seed, s)
	for n := int64(-window); n <= window; n++ {
		want := int64(0)
		e := env{"N": n}
		lo, hi := bounds(n)
		for e["i"] = lo; e["i"] <= hi; e["i"]++ {
			for e["j"] = lo; e["j"] <= hi; e["j"]++ {
				if holds(e) {
					want++
				}
			}
		}
		if got, finite := count.At(map[string]int64{"N": n}); !finite || got.Num().Int64() != want {
			t.Fatalf("seed %d: for N=%d there are %d points, not %v\ns = %v\ncount %v", seed, n, want, got, s, count)
		}
	}
}

// TestCardPolytopes checks counts of random polytopes in three dimensions with two parameters, and that a relation from
// the first dimension to the others counts the slices.
func TestCardPolytopes(t *testing.T) {
	for seed := range *rounds {
		checkCardPolytopes(t, seed)
	}
}

func checkCardPolytopes(t *testing.T, seed uint64) {
	g := newGen(seed)
	g.plain = true
	vars := []string{"N", "M", "i", "j", "k"}
	rows := make([]formula, 1+g.IntN(4))
	text := "0 <= i, j, k and i <= N and j <= M and k <= 3"
	for i := range rows {
		rows[i] = g.atom(vars)
		text += " and " + rows[i].text
	}
	holds := func(e env) bool {
		for _, r := range rows {
			if !r.holds(e) {
				return false
			}
		}
		return true
	}
	all, err := MustSet("[N, M] -> { [i, j, k] : " + text + " }").Card()
	require.NoError(t, err, "seed %d: %s", seed, text)
	slices, err := MustMap("[N, M] -> { [i] -> [j, k] : " + text + " }").Card()
	require.NoError(t, err, "seed %d: %s", seed, text)
	for n := int64(0); n <= 4; n++ {
		for m := int64(0); m <= 4; m++ {
			params := map[string]int64{"N": n, "M": m}
			sum := new(big.Rat)
			for i := range n + 1 {
				want := int64(0)
				for j := range m + 1 {
					for k := range int64(4) {
						if holds(env{"N": n, "M": m, "i": i, "j": j, "k": k}) {
							want++
						}
					}
				}
				got, _ := slices.At(params, i)
				require.Equal(t, want, got.Num().Int64(), "seed %d: %s: slice i=%d at %v of %v", seed, text, i, params, slices)
				sum.Add(sum, got)
			}
			got, _ := all.At(params)
			require.Equal(t, sum.Num().Int64(), got.Num().Int64(), "seed %d: %s: at %v of %v", seed, text, params, all)
		}
	}
}

// TestPowerSums checks Faulhaber's formulas by addition, for empty ranges and negative numbers as well.
func TestPowerSums(t *testing.T) {
	const x = 1
	for k := range 8 {
		p := constant(1, 1)
		for range k {
			p = p.times(variable(x))
		}
		for lo := int64(-5); lo <= 5; lo++ {
			want := new(big.Rat)
			for hi := lo - 1; hi <= 5; hi++ {
				if hi >= lo {
					want.Add(want, p.eval(vec{one, NewInt(hi)}))
				}
				sum := p.sumOver(x, constant(lo, 1), constant(hi, 1)).eval(nil)
				require.Zero(t, sum.Cmp(want), "x^%d from %d to %d: %v, not %v", k, lo, hi, sum, want)
			}
		}
	}
}

// TestCanonical checks that floors that look different but are the same are found out, and that values stay.
func TestCanonical(t *testing.T) {
	for seed := range 2 * *rounds {
		g := newGen(seed)
		c := newCounter(3)
		p := constant(int64(g.IntN(5)), 2)
		for range 1 + g.IntN(3) {
			num := vec{NewInt(int64(g.IntN(9))), NewInt(int64(g.IntN(5) - 2)), NewInt(int64(g.IntN(5) - 2))}
			f := linear(c.table.floor(num, NewInt(int64(1+g.IntN(5)))))
			p = p.plus(f.times(p)).plus(variable(1 + g.IntN(2)))
		}
		q := c.canonical(p)
		b := Basic{space: setSpace(nil, Tuple{Dims: make([]string, 2)})}
		for _, l := range c.table.locals {
			b.divs = append(b.divs, l.div)
		}
		for i := int64(-7); i <= 7; i++ {
			for j := int64(-7); j <= 7; j++ {
				x := b.extend(vec{one, NewInt(i), NewInt(j)})
				require.Zero(t, p.eval(x).Cmp(q.eval(x)), "seed %d: %v and %v at %v", seed, p, q, x)
			}
		}
	}
	c := newCounter(2)
	var sum polynomial // floor(n/3) + floor((n+1)/3) + floor((n+2)/3) = n
	for r := range int64(3) {
		sum = sum.plus(linear(c.table.floor(vec{NewInt(r), one}, NewInt(3))))
	}
	require.True(t, c.canonical(sum).equal(variable(1)))
}

// FuzzCard checks random sets, chosen by the seed.
func FuzzCard(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) {
		soon(t, func() { checkParametric(t, seed) })
	})
}

// FuzzCardText checks that no set makes Card panic or run on.
func FuzzCardText(f *testing.F) {
	for _, text := range []string{
		"[n] -> { [i, j] : 0 <= 2i <= 3j <= n }", "{ [i] : i >= 0 }", "[n] -> { A[i] : 7i <= n and 5i >= n - 9; B[i, j] : i = 2j = n }",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 100 {
			return
		}
		soon(t, func() {
			if s, err := ParseSet(text); err == nil {
				if c, err := s.Card(); err == nil && strings.Contains(c.String(), "infty") == s.IsEmpty() && s.IsEmpty() {
					t.Errorf("%s: the count is %v", text, c)
				}
			}
		})
	})
}

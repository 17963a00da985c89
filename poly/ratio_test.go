package poly

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMaxRatio(t *testing.T) {
	ds := Affine{In: []int64{0, -1}, Out: []int64{0, 1}}
	dt := Affine{In: []int64{-1}, Out: []int64{1}}
	for _, c := range []struct{ text, want string }{
		{"{ S[t, i] -> S[t + 1, i + 2] }", "2"},
		{"{ S[t, i] -> S[t + 2, i + 1]; S[t, i] -> S[t + 3, i + 1] }", "1/2"},
		{"{ S[t, i] -> S[t + 1, i - 3] }", "-3"},
		{"{ S[t, i] -> S[u, j] : u > t and i - 1 <= j <= i + 1 }", "1"},
		{"{ S[t, i] -> S[u, j] : u > t and 3j <= 3i + 2(u - t) }", "2/3"}, // a limit along a direction, met everywhere
		{"{ S[t, i] -> S[u, j] : u > t and j <= i + 2(u - t) - 1 }", "2"}, // a limit that no point meets
		{"{ S[t, i] -> S[u, j] : u > t and j >= i }", "unbounded"},
		{"[N] -> { S[t, i] -> S[t + 1, i + N] : 0 <= N }", "unbounded"},
		{"[N] -> { S[t, i] -> S[t + 1, i + N] : 0 <= N <= 5 }", "5"},
		{"{ S[t, i] -> S[u, j] : u > t and exists e : u - t = 2e + 1 and i - 1 <= j <= i + 1 }", "1"},
		{"{ S[t, i] -> S[t + 1, j] : 2j = 2i + 1 }", "none"}, // no integer points
		{"{ }", "none"},
	} {
		r, ok := MustMap(c.text).MaxRatio(ds, dt)
		got := "unbounded"
		switch {
		case ok && r == nil:
			got = "none"
		case ok:
			got = r.RatString()
		}
		assert.Equal(t, c.want, got, c.text)
	}
	assert.Panics(t, func() { MustMap("{ S[t] -> S[t] }").MaxRatio(Affine{}, Affine{In: []int64{-1}, Out: []int64{1}}) })
}

// A rational inequality c0 + c1*x1 + .. >= 0.
type rationalRow []*big.Rat

// feasible reports whether rational rows over n unknowns have a solution, by Fourier-Motzkin elimination.
func feasible(rows []rationalRow, n int) bool {
	for c := n; c > 0; c-- {
		var lower, upper, rest []rationalRow
		for _, r := range rows {
			switch s := r[c].Sign(); {
			case s > 0:
				lower = append(lower, r)
			case s < 0:
				upper = append(upper, r)
			default:
				rest = append(rest, r)
			}
		}
		for _, l := range lower {
			for _, u := range upper {
				sum := make(rationalRow, c)
				for i := range sum {
					x := new(big.Rat).Mul(l[i], new(big.Rat).Neg(u[c]))
					sum[i] = x.Add(x, new(big.Rat).Mul(u[i], l[c]))
				}
				rest = append(rest, sum)
			}
		}
		rows = rest
	}
	return !slices.ContainsFunc(rows, func(r rationalRow) bool { return r[0].Sign() < 0 })
}

// TestMaxRatioRandom checks suprema on random relations: no rational point has a larger ratio, and ratios come as
// close to it as one likes.
func TestMaxRatioRandom(t *testing.T) {
	ds := Affine{In: []int64{-1}, Out: []int64{1}}
	den := Affine{Const: 1, Params: []int64{1}} // N + 1, at least 1
	for seed := range 2 * *rounds {
		g := newGen(5000 + seed)
		g.plain = true
		text := "[N] -> { S[i] -> S[j] : N >= 0"
		for range 2 + g.IntN(4) {
			text += " and " + g.atom([]string{"N", "i", "j"}).text
		}
		if seed%3 == 0 {
			text += fmt.Sprintf(" and %dj = %di + N + %d", 1+g.IntN(3), 1+g.IntN(3), g.IntN(3))
		}
		m := MustMap(text + " }")
		if m.IsEmpty() {
			continue
		}
		var rows []rationalRow
		for _, r := range m.parts[0].rows {
			for _, half := range r.halves() {
				rows = append(rows, rationals(half.c))
			}
		}
		// above(r) is ds - r*den >= 0.
		above := func(r *big.Rat) rationalRow {
			return rationalRow{new(big.Rat).Neg(r), new(big.Rat).Neg(r), big.NewRat(-1, 1), big.NewRat(1, 1)}
		}
		reaches := func(r *big.Rat) bool { return feasible(append(slices.Clone(rows), above(r)), 3) }
		r, ok := m.MaxRatio(ds, den)
		if !ok {
			assert.True(t, reaches(big.NewRat(1_000_000, 1)), "seed %d: bounded: %s", seed, m)
			continue
		}
		assert.True(t, reaches(new(big.Rat).Sub(r, big.NewRat(1, 1_000_000))), "seed %d: %v is too much: %s", seed, r, m)
		assert.False(t, reaches(new(big.Rat).Add(r, big.NewRat(1, 1_000_000))), "seed %d: %v is too little: %s", seed, r, m)
	}
}

func rationals(v vec) rationalRow {
	r := make(rationalRow, len(v))
	for i, x := range v {
		r[i] = new(big.Rat).SetInt(x.Big())
	}
	return r
}

// TestRatiosOneByOne checks that ratios which were asked for before leave a relation as it was, and that the supremum over a union is the
// largest of those over its parts.
func TestRatiosOneByOne(t *testing.T) {
	for seed := range *rounds {
		g := newGen(6000 + seed)
		g.plain = true
		text := func() string {
			s := "[N] -> { S[i] -> S[j] : N >= 0"
			for range 1 + g.IntN(4) {
				s += " and " + g.atom([]string{"N", "i", "j"}).text
			}
			return s + " }"
		}
		a, b := MustMap(text()), MustMap(text())
		shared, union := a.Ratios(), a.Union(b).Ratios()
		for range 6 {
			num := Affine{Const: int64(g.IntN(5)), Params: []int64{int64(g.IntN(3) - 1)}, In: []int64{int64(g.IntN(3) - 1)}, Out: []int64{int64(g.IntN(3) - 1)}}
			den := Affine{Const: int64(1 + g.IntN(2)), Params: []int64{int64(g.IntN(2))}}
			want, bounded := a.MaxRatio(num, den)
			got, ok := shared.Max(num, den)
			require.Equal(t, fmt.Sprint(want, bounded), fmt.Sprint(got, ok), "seed %d: %v/%v over %s", seed, num, den, a)
			other, bounded2 := b.MaxRatio(num, den)
			if want == nil && bounded || other != nil && want != nil && other.Cmp(want) > 0 {
				want = other
			}
			if bounded = bounded && bounded2; !bounded {
				want = nil
			}
			got, ok = union.Max(num, den)
			require.Equal(t, fmt.Sprint(want, bounded), fmt.Sprint(got, ok), "seed %d: %v/%v over %s and %s", seed, num, den, a, b)
		}
	}
}

// TestBasics checks that a relation can be rebuilt from what Basics says of it.
func TestBasics(t *testing.T) {
	m := MustMap("[N] -> { S[t, i] -> A[a, j] : a = t mod 2 and j = i + 1 and 0 <= i < N and floor(t/3) <= 2i }")
	b := m.Basics()[0]
	assert.Equal(t, "S", b.Space().In.Name)
	assert.Equal(t, []string{"N"}, b.Space().Params)
	divs := b.Divs()
	for _, x := range [][]int64{{4, 5, 3, 1, 4}, {4, 5, 3, 0, 4}, {4, 7, 1, 1, 2}, {4, 6, 1, 0, 2}, {3, 2, 3, 0, 4}} {
		value := func(a Affine, q []int64) int64 {
			dot := func(k, x []int64) (sum int64) {
				for i := range k {
					sum += k[i] * x[i]
				}
				return sum
			}
			return a.Const + dot(a.Params, x[:1]) + dot(a.In, x[1:3]) + dot(a.Out, x[3:]) + dot(a.Divs, q)
		}
		var q []int64
		for _, d := range divs {
			q = append(q, floorDiv(value(d.Num, q), d.Den))
		}
		holds := true
		for _, c := range b.Constraints() {
			v := value(c.Affine, q)
			holds = holds && (v == 0 || v > 0 && !c.Eq)
		}
		want := m.Wrap().Contains(map[string]int64{"N": x[0]}, x[1:]...)
		assert.Equal(t, want, holds, fmt.Sprint(x))
	}
}

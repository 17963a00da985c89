package poly

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCardReadable bounds the text of counts of unions, whose parts share faces that meet on many lines and strips of
// parameters, and compares them with enumeration.
func TestCardReadable(t *testing.T) {
	for _, c := range []struct {
		points       string
		pieces, size int
	}{
		{"0<=i<n and 0<=j<m and 0<=k<=i+j; 1<=i<=m and 0<=j<n and i<=k<n+m", 2, 150},
		{"0<=i<n and 0<=j<m and 0<=2k<=i+j; 0<=i<m and 0<=3j<n and 0<=k<m", 3, 1200},
		{"0<=i,j,k and 2i+j+k<=n; 0<=i,j,k and i+2j+k<=m", 4, 500},
		{"0<=i,j,k and 2i+3j+k<=n; 0<=i,j,k and i+2j+3k<=m", 6, 22000},
		{"0<=i,j,k and i+j+k<=n; n-3<=i<=n+m and 0<=j<m and 0<=k<=n; m<=i<=2n and 0<=j<=i and j<=k<=m", 15, 1700},
		{"1<=i<=n+2 and 2<=j<=n and 3<=k<=m and j+k<=5 and 2k<=i+j; 2<=i<=n and 3<=j<=2n and 0<=k<=n+m and i+j<=n+2 and i<=5 and j mod 3 = 0; " +
			"0<=i<=n and 1<=j<=m and 0<=k<=n+2", 14, 2600},
		{"0<=i<n and 0<=j<m and 0<=k<=i and i mod 2 = 0; 0<=i<m and 0<=j<n and 0<=k<m and k mod 3 = 0", 2, 500},
		{"0<=i<=m-1 and 2<=j<=n+m and 0<=k<=m-1 and j<=m and i-k<=2m-n; 0<=i<=n and 3<=j<=n+m and 3<=k<=n+2 and 2k<=i+j and j+k<=n", 14, 3000},
	} {
		text := "[n, m] -> { [i, j, k] : " + strings.ReplaceAll(c.points, ";", "; [i, j, k] :") + " }"
		s := MustSet(text)
		count, err := s.Card()
		require.NoError(t, err)
		require.LessOrEqual(t, len(count.Pieces()), c.pieces, "%s: %v", text, count)
		require.LessOrEqual(t, len(count.String()), c.size, "%s: %v", text, count)
		checkEnumerated(t, s, -3, 9, count)
	}
}

// checkEnumerated compares counts with the points (i, j, k) of s, none of which has coordinates beyond lo and hi, where n and
// m are from -1 to 4.
func checkEnumerated(t *testing.T, s Set, lo, hi int64, counts ...Count) {
	t.Helper()
	for n := int64(-1); n <= 4; n++ {
		for m := int64(-1); m <= 4; m++ {
			params := map[string]int64{"n": n, "m": m}
			fixed, want := s.FixParam("n", n).FixParam("m", m), int64(0)
			for i := lo; i <= hi; i++ {
				for j := lo; j <= hi; j++ {
					for k := lo; k <= hi; k++ {
						if fixed.Contains(nil, i, j, k) {
							want++
						}
					}
				}
			}
			for _, count := range counts {
				got, finite := count.At(params)
				if !finite || got.Num().Int64() != want || !got.IsInt() {
					t.Fatalf("%v: at n=%d, m=%d there are %d points, not %v: %v", s, n, m, want, got, count)
				}
			}
		}
	}
}

// TestCardUnions counts random unions in both ways, as parts that are made disjoint and by inclusion and exclusion.
func TestCardUnions(t *testing.T) {
	for seed := range *rounds / 10 {
		checkCardUnions(t, seed)
	}
}

func checkCardUnions(t *testing.T, seed uint64) {
	g := newGen(seed)
	g.plain = true
	text := ""
	for range 2 + g.IntN(2) {
		text += "[i, j, k] : "
		for _, x := range []string{"i", "j", "k"} {
			text += fmt.Sprintf("%d <= %s <= %s and ", g.IntN(3)-1, x, []string{"n", "m", "n + 1", "m + 1", "n + m", "5"}[g.IntN(6)])
		}
		for range g.IntN(3) {
			text += g.atom([]string{"n", "m", "i", "j", "k"}).text + " and "
		}
		text += []string{"true", "i mod 2 = 0", "(i + j) mod 3 = 1", "2k <= i + j", "3j <= n + i"}[g.IntN(5)] + "; "
	}
	s := MustSet("[n, m] -> { " + text + " }")
	count, err := s.Card()
	require.NoError(t, err, "seed %d: %v", seed, s)
	counts := []Count{count}
	if len(s.parts) > 0 {
		first := func(sp Space) int { return sp.inCol() }
		c := newCounter(s.parts[0].space.inCol())
		if pieces, ok := c.overlapping([][]Basic{s.parts}, first); ok {
			counts = append(counts, Count{groups: []countGroup{c.group(domainSpace(s.parts[0].space, first), pieces)}})
		}
	}
	checkEnumerated(t, s, -1, 8, counts...)
}

// TestVanishes checks that a quasi-polynomial that is said to be zero where a conjunction holds is zero there, and that it
// is said of what is zero for reasons of all kinds.
func TestVanishes(t *testing.T) {
	zero := 0
	for seed := range 4 * *rounds {
		g := newGen(seed)
		b := MustSet("[N, M] -> { : " + []string{"N >= 0 and M >= 0", "N = 2M + 1", "3N = 2M + 1 and N >= 4", "M <= 2N <= M + 2", "0 <= N <= 3",
			"0 <= N <= 3 and N <= M <= N + 3", "2 <= 3N - 2M <= 4 and N >= 2", "N = 3 and M >= 1"}[g.IntN(8)] + " }").parts[0]
		c := newCounter(3)
		var p polynomial
		for range 1 + g.IntN(3) {
			num := vec{NewInt(int64(g.IntN(9))), NewInt(int64(g.IntN(5) - 2)), NewInt(int64(g.IntN(5) - 2))}
			f := linear(c.table.floor(num, NewInt(int64(1+g.IntN(5)))))
			p = p.plus(f.times(p)).plus(variable(1 + g.IntN(2)))
		}
		for _, r := range b.rows { // a product with what is zero on b, or at some of its points
			e := linear(r.c)
			q := e
			if !r.eq {
				for k := range int64(4 - g.IntN(2)) {
					q = q.times(e.minus(constant(k+1, 1)))
				}
			}
			if r.eq || g.IntN(2) == 0 {
				p = p.times(q)
			}
		}
		if !c.vanishes(p, b, 0) {
			continue
		}
		zero++
		for n := int64(-12); n <= 12; n++ {
			for m := int64(-12); m <= 12; m++ {
				if x := (vec{one, NewInt(n), NewInt(m)}); b.contains(x) {
					require.Zero(t, p.eval(c.extended(x)).Sign(), "seed %d: %v where %v at %v", seed, p, b, x)
				}
			}
		}
	}
	require.Greater(t, zero, int(*rounds))
}

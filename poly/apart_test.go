package poly

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPlainlyApart checks what is found at a glance of random conjunctions, by questions to the solver: that they have points, that
// each inequality is violated where the others hold, and that they satisfy no equalities but their own.
func TestPlainlyApart(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	apart, all := 0, 0
	for range 3000 {
		text := randomConjunction(rng)
		for _, b := range MustSet(text).parts {
			all++
			if !b.plainlyApart() {
				continue
			}
			apart++
			b.known = 0
			require.False(t, b.isEmpty(), "%s: %v", text, b)
			for i, r := range b.rows {
				if r.eq {
					continue
				}
				rows := append([]row(nil), b.rows...)
				rows[i] = row{c: r.c.complement()}
				require.False(t, Basic{space: b.space, divs: b.divs, rows: rows}.isEmpty(), "%s: row %d of %v is not needed", text, i, b)
			}
			plain := Basic{space: b.space, divs: b.divs}
			for _, r := range b.rows {
				if r.eq {
					plain.rows = append(plain.rows, r)
				}
			}
			require.True(t, Set{[]Basic{plain}}.IsSubset(Set{[]Basic{b}}.AffineHull()), "%s: equalities of %v", text, b)
		}
	}
	assert.Greater(t, apart, 500)
	assert.Greater(t, all, apart+300)
}

// randomConjunction returns a set of few variables, some of whose constraints are those of boxes and triangles.
func randomConjunction(rng *rand.Rand) string {
	names := []string{"n", "x", "y", "z"}
	term := func() string {
		return fmt.Sprintf("%d%s", []int{1, 1, 1, -1, -1, 2, 3}[rng.IntN(7)], names[rng.IntN(len(names))])
	}
	var all []string
	for range 1 + rng.IntN(5) {
		sum := term()
		for range rng.IntN(3) {
			sum += " + " + term()
		}
		op := []string{">=", ">=", ">=", "<=", "="}[rng.IntN(5)]
		switch rng.IntN(5) {
		case 0:
			sum = fmt.Sprintf("%s - %d*floor((%s)/%d)", sum, 1+rng.IntN(3), term(), 2+rng.IntN(3))
		case 1:
			sum, op = fmt.Sprintf("(%s) mod %d", sum, 2+rng.IntN(3)), "="
		}
		all = append(all, fmt.Sprintf("%s %s %d", sum, op, rng.IntN(9)-3))
	}
	return "[n] -> { [x, y, z] : " + strings.ReplaceAll(strings.Join(all, " and "), "+ -", "- ") + " }"
}

// TestPlainlyApartKnows pins for which sets no tableau is needed.
func TestPlainlyApartKnows(t *testing.T) {
	for text, want := range map[string]bool{
		"{ [i, j] : i <= 5 and 0 <= j <= i }":                      true,
		"[n] -> { [i, j] : 0 <= i, j < n }":                        true,
		"[n, m] -> { [i, j, i + j] : 0 <= i < n and 3 <= j <= m }": true,
		"{ [x] : x mod 32 = 0 }":                                   true,
		"{ [x, y] : y = floor(x/2) }":                              true,
		"{ [i] : i = 3 }":                                          true,
		"{ [i, j] : 2i = 3j }":                                     false,
		"{ [i, j] : 0 <= i <= 5 and 0 <= j <= i }":                 false,
		"{ [i, j] : i >= 0 and j >= 0 and i + j >= -1 }":           false, // the last one is not needed
		"{ [i, j] : i >= 0 and j >= i and i >= j + 1 }":            false, // empty
		"{ [i, j] : i >= 0 and j >= 0 and i + j <= 0 }":            false, // one point
		"{ [i] : 0 <= i <= 5 and i mod 2 = 0 }":                    false, // the bounds move
	} {
		parts := MustSet(text).parts
		got := len(parts) == 1 && parts[0].plainlyApart()
		assert.Equal(t, want, got, text)
	}
}

package poly

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// workOf returns the work of f.
func workOf(f func()) Work {
	before := WorkDone()
	f()
	return WorkDone().Minus(before)
}

// TestSubtractTiles checks that the searches for points outside of hexagonal tiles branch little: some of them have no
// point, and a range of values to look at in each direction but one.
func TestSubtractTiles(t *testing.T) {
	domain := MustSet("[T, n] -> { S[t, i] : 2 <= t < T and 2 <= i <= n - 3 }")
	tiles := MustMap(`[T, n] -> { S[t, i] -> [a, b] : 0 <= t - 8a + 4 <= 7 and 0 <= 2t + i - 13a - 139b + 70 <= 75 and
		-68 <= i - t + 11a - 139b <= 6 and -68 <= i + 3a - 139b <= 70;
		S[t, i] -> [a, b] : 0 <= t - 8a <= 7 and 0 <= 2t + i - 13a - 139b + 133 <= 75 and
		-143 <= i - t + 11a - 139b <= -69 and -139 <= i + 3a - 139b <= -1 }`).Domain()
	work := workOf(func() { assert.True(t, domain.Subtract(tiles).IsEmpty()) })
	assert.Less(t, work.Branches, int64(100), work.String())
}

// TestWork checks that each count counts, and that the same operations do the same work.
func TestWork(t *testing.T) {
	thin := MustSet("{ [x, y] : 27 <= 11x + 13y <= 45 and -10 <= 7x - 9y <= 4 }") // has no integer point
	box := MustSet("[n] -> { [i, j, k] : 0 <= i, j <= n and 3k <= 2i + j <= 3k + 1 }")
	wide := MustSet("{ [i, j] : 12345678901i >= 98765432109j + 1 and 3i <= 7j + 12345678901 }")
	for _, c := range []struct {
		name  string
		f     func()
		count func(Work) int64
	}{
		{"pivots", func() { box.Simplify() }, func(w Work) int64 { return w.Pivots }},
		{"branches", func() { thin.IsEmpty() }, func(w Work) int64 { return w.Cuts + w.Branches }},
		{"parts", func() { box.Complement() }, func(w Work) int64 { return w.Parts }},
		{"divs", func() { box.ProjectOut("k") }, func(w Work) int64 { return w.Divs }},
		{"big integers", func() { wide.Complement().Simplify() }, func(w Work) int64 { return w.BigInts }},
	} {
		first, second := workOf(c.f), workOf(c.f)
		assert.Equal(t, first, second, c.name)
		assert.Positive(t, c.count(first), "%s: %v", c.name, first)
	}
	assert.Equal(t, Work{}, workOf(func() {}))
	assert.Equal(t, "1 pivots, 2 cuts, 3 branches, 4 splinters, 5 parts, 6 divs, 7 big integers",
		Work{1, 1, 1, 1, 1, 1, 1}.Plus(Work{0, 1, 2, 3, 4, 5, 6}).String())
}

// TestHardSearches bounds the work of searches that branching alone does not end.
func TestHardSearches(t *testing.T) {
	for _, c := range []struct {
		text   string
		empty  bool
		pivots int64 // at most
	}{
		// Aardal and Lenstra, "Hard Equality Constrained Integer Knapsacks", Mathematics of Operations Research 29 (2004), and another one
		// without solutions.
		{"{ [a, b, c, d, e, f, g, h] : 25067a + 49300b + 49717c + 62124d + 87608e + 88025f + 113673g + 119169h = 33367335 and 0 <= a, b, c, d, e, f, g, h }", true, 800},
		{"{ [a, b, c, d, e] : 12223a + 12224b + 36674c + 61119d + 85569e = 89643481 and 0 <= a, b, c, d, e }", true, 800},
		{"{ [a, b, c, d, e, f] : 12228a + 36679b + 36682c + 48908d + 61139e + 73365f = 89716838 and 0 <= a, b, c, d, e, f }", true, 800},
		{"{ [a, b, c, d, e, f] : 12137a + 24269b + 36405c + 36407d + 48545e + 60683f = 58925134 and 0 <= a, b, c, d, e, f }", true, 800},
		{"{ [a, b, c, d, e, f, g] : 13211a + 13212b + 39638c + 52844d + 66060e + 79268f + 92482g = 104723595 and 0 <= a, b, c, d, e, f, g }", true, 800},
		{"{ [a, b, c, d, e, f, g, h] : 13429a + 26850b + 26855c + 40280d + 40281e + 53711f + 53714g + 67141h = 45094583 and 0 <= a, b, c, d, e, f, g, h }", true, 800},
		{"{ [a, b, c, d, e, f, g, h] : 25067a + 49300b + 49717c + 62124d + 87608e + 88025f + 113673g + 119169h = 33367336 and 0 <= a, b, c, d, e, f, g, h }", false, 800},
	} {
		s := MustSet(c.text)
		before := WorkDone()
		require.Equal(t, c.empty, s.IsEmpty(), c.text)
		work := WorkDone().Minus(before)
		require.LessOrEqual(t, work.Pivots, c.pivots, c.text)
		require.Zero(t, work.Splinters, c.text)
	}
}

// TestHardShapes bounds the work of operations on conjunctions of 12 dimensions, each of which bounds the next one, and the last one the first.
func TestHardShapes(t *testing.T) {
	ring := func(format string) Set {
		return MustSet("{ [" + names("x", 12) + "] : " + repeated(12, " and ", func(i int) string {
			return strings.NewReplacer("A", fmt.Sprint("x", i), "B", fmt.Sprint("x", (i+1)%12)).Replace(format)
		}) + " }")
	}
	for _, c := range []struct {
		format string
		pivots int64 // at most, of each operation
	}{
		{"0 <= 3A - 2B <= 10", 2000},
		{"A <= 2B + 1 and 0 <= A <= 20", 2000},
		{"1 <= A + B <= 7 and 0 <= A", 2000},
		{"5A >= 3B + 1 and 0 <= A <= 9", 3000},
	} {
		for name, op := range map[string]func(Set) Set{
			"LexMin": Set.LexMin, "LexMax": Set.LexMax, "AffineHull": Set.AffineHull, "RemoveRedundant": Set.RemoveRedundant,
		} {
			s := ring(c.format)
			before := WorkDone()
			got := op(s)
			work := WorkDone().Minus(before)
			require.LessOrEqual(t, work.Pivots, c.pivots, "%s of %s", name, c.format)
			require.LessOrEqual(t, work.BigInts, int64(20000), "%s of %s", name, c.format)
			if strings.HasPrefix(name, "Lex") {
				require.True(t, got.IsSubset(s), "%s of %s: %v", name, c.format, got)
			} else {
				require.True(t, s.IsSubset(got), "%s of %s: %v", name, c.format, got)
			}
		}
	}
}

package poly

import (
	"testing"

	"github.com/stretchr/testify/assert"
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

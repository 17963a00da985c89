package poly

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBounds checks what constraints of one column say of it, whatever their signs, and that others say nothing.
func TestBounds(t *testing.T) {
	const least, most = math.MinInt64, math.MaxInt64
	for text, want := range map[string][]colBounds{
		"{ [x] : 2x >= 3 }":   {{2, most}},
		"{ [x] : 2x >= -3 }":  {{-1, most}},
		"{ [x] : 3x <= 10 }":  {{least, 3}},
		"{ [x] : 3x <= -10 }": {{least, -4}},
		"{ [x] : x = -7 }":    {{-7, -7}},
		"{ [x, y] : 0 <= x <= 4 and 2 <= y <= 3 and x <= y }": {{0, 4}, {2, 3}},
		"{ [x, y] : x <= y and y <= 5 }":                      {{least, most}, {least, 5}},
		"{ [x] : x mod 2 = 0 and x >= 1 }":                    {{1, most}},
	} {
		require.Equal(t, want, MustSet(text).parts[0].bounds()[1:], text)
	}
}

// TestNearby takes parts that touch, overlap or lie apart along any column of their space: in operations on several of them none that have points in common are passed over.
func TestNearby(t *testing.T) {
	a := MustMap("{ [x] -> [y] : 0 <= x <= 3 and y = 2; [x] -> [y] : 4 <= x <= 5 and y = 1 }")
	b := MustMap("{ [x] -> [y] : x = 3 and 2 <= y <= 9; [x] -> [y] : 6 <= x <= 9 and y = 1; [x] -> [y] : x = 4 and y <= 1 }")
	near := nearby(a.parts, b.parts, allColumns)
	var pairs [][2]int
	for i := range a.parts {
		for j := range b.parts {
			if near(i, j) {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	require.Equal(t, [][2]int{{0, 0}, {1, 2}}, pairs)
	require.True(t, a.Intersect(b).IsEqual(MustMap("{ [3] -> [2]; [4] -> [1] }")))
	require.True(t, a.Subtract(b).IsEqual(MustMap("{ [x] -> [2] : 0 <= x <= 2; [5] -> [1] }")))
	require.True(t, a.ApplyRange(b).IsEmpty())
	require.True(t, a.ApplyRange(MustMap("{ [2] -> [7]; [1] -> [8]; [3] -> [9] }")).IsEqual(MustMap("{ [x] -> [7] : 0 <= x <= 3; [x] -> [8] : 4 <= x <= 5 }")))
}

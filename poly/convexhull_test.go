package poly

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// inTriangles reports whether p lies in the hull of points: in a triangle, segment or point that they span.
func inTriangles(points [][2]int64, p [2]int64) bool {
	side := func(a, b [2]int64) int64 { return (b[0]-a[0])*(p[1]-a[1]) - (b[1]-a[1])*(p[0]-a[0]) }
	within := func(a, b [2]int64) bool {
		return side(a, b) == 0 && (p[0]-a[0])*(p[0]-b[0]) <= 0 && (p[1]-a[1])*(p[1]-b[1]) <= 0
	}
	for _, a := range points {
		for _, b := range points {
			for _, c := range points {
				x, y, z := side(a, b), side(b, c), side(c, a)
				if within(a, b) || x > 0 && y > 0 && z > 0 {
					return true
				}
			}
		}
	}
	return false
}

// TestConvexHull checks hulls of random points in the plane by the triangles that the points span.
func TestConvexHull(t *testing.T) {
	for seed := range *rounds {
		checkConvexHull(t, seed)
	}
}

func checkConvexHull(t *testing.T, seed uint64) {
	g := rand.New(rand.NewPCG(seed, 11))
	list := make([][2]int64, 1+g.IntN(8))
	var texts []string
	for i := range list {
		list[i] = [2]int64{g.Int64N(13) - 6, g.Int64N(13) - 6}
		texts = append(texts, fmt.Sprintf("S[%d, %d]", list[i][0], list[i][1]))
	}
	hull := MustSet("{ " + strings.Join(texts, "; ") + " }").RationalConvexHull()
	require.Len(t, hull.parts, 1)
	points(func(n, i, j int64) {
		if want := inTriangles(list, [2]int64{i, j}); n == 0 && has(hull, n, i, j) != want {
			t.Fatalf("seed %d: (%d, %d) should be %t\npoints %v\nhull %v", seed, i, j, want, list, hull)
		}
	})
}

// TestConvexHullContains checks that hulls of any sets contain them, and lie in their simple hulls.
func TestConvexHullContains(t *testing.T) {
	for seed := range *rounds {
		checkConvexHullContains(t, seed)
	}
}

func checkConvexHullContains(t *testing.T, seed uint64) {
	g := newGen(seed)
	s := g.sampleSet(g.IntN(3), g.IntN(2) == 0).set
	hull := s.RationalConvexHull()
	require.True(t, s.IsSubset(hull), "seed %d: %v\nhull %v", seed, s, hull)
	require.True(t, hull.RationalConvexHull().IsEqual(hull), "seed %d: %v\nhull %v", seed, s, hull)
	if plain := MustSet(g.text(g.plainBox(), "")); !plain.IsEmpty() {
		require.True(t, plain.RationalConvexHull().IsSubset(plain.SimpleHull()), "seed %d: %v", seed, plain)
	}
}

// plainBox returns a random formula without divs.
func (g *gen) plainBox() formula {
	g.plain = true
	defer func() { g.plain = false }()
	return g.formula([]string{"N", "i", "j"}, 2)
}

func TestConvexHulls(t *testing.T) {
	for text, want := range map[string]string{
		"{ S[0, 0]; S[4, 0]; S[0, 4] }":                            "{ S[i, j] : i >= 0 and j >= 0 and i + j <= 4 }",
		"[N] -> { [i] : 0 <= i < N; [i] : i = 0 and N >= 1 }":      "[N] -> { [i] : 0 <= i < N }",
		"{ [i, j] : i >= 0 and j = 0; [0, 3] }":                    "{ [i, j] : i >= 0 and 0 <= j <= 3 }",
		"{ [i] : i >= 3; [i] : i <= -3 }":                          "{ [i] }",
		"{ [i, j] : i = j and i mod 2 = 0 and 0 <= i <= 6; T[7] }": "{ [i, i] : 0 <= i <= 6; T[7] }",
		"{ [i] : false }":                                          "{ }",
		"{ : }":                                                    "{ : }",
	} {
		sameSets(t, MustSet(want), MustSet(text).RationalConvexHull())
	}
	m := MustMap("{ A[i] -> B[i]; A[i] -> B[i + 2] }").RationalConvexHull()
	require.True(t, m.IsEqual(MustMap("{ A[i] -> B[j] : i <= j <= i + 2 }")), m)
}

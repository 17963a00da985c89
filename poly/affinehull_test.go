package poly

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rank returns the dimension of the affine hull of points, -1 if there are none.
func rank(points [][]int64) int {
	if len(points) == 0 {
		return -1
	}
	var basis [][]*big.Rat
	for _, p := range points[1:] {
		v := make([]*big.Rat, len(p))
		for i := range p {
			v[i] = big.NewRat(p[i]-points[0][i], 1)
		}
		for _, b := range basis {
			lead := 0
			for b[lead].Sign() == 0 {
				lead++
			}
			k := new(big.Rat).Quo(v[lead], b[lead])
			for i := range v {
				v[i].Sub(v[i], new(big.Rat).Mul(k, b[i]))
			}
		}
		for _, x := range v {
			if x.Sign() != 0 {
				basis = append(basis, v)
				break
			}
		}
	}
	return len(basis)
}

// TestAffineHull checks that hulls contain their sets and have the dimension of their points.
func TestAffineHull(t *testing.T) {
	for seed := range 2 * *rounds {
		checkAffineHull(t, seed)
	}
}

func checkAffineHull(t *testing.T, seed uint64) {
	g := newGen(seed)
	a, b := g.sampleSet(2, true), g.sampleSet(2, true)
	s := a.set.Intersect(b.set)
	var list [][]int64
	hull, slim := s.AffineHull(), s.RemoveRedundant()
	points(func(n, i, j int64) {
		in := a.has(n, i, j) && b.has(n, i, j)
		if in {
			list = append(list, []int64{n, i, j})
		}
		if in && !has(hull, n, i, j) || has(slim, n, i, j) != in {
			t.Fatalf("seed %d: (N=%d, %d, %d) %t\nset  %v\nhull %v\nslim %v", seed, n, i, j, in, s, hull, slim)
		}
	})
	if len(list) == 0 {
		require.Empty(t, hull.parts)
		return
	}
	require.Len(t, hull.parts, 1)
	plain := slices.DeleteFunc(hull.parts[0].equalities(), func(v vec) bool { return v.usesFrom(hull.parts[0].space.cols()) })
	require.Equal(t, 3-rank(list), len(plain), "seed %d: %v\nhull %v", seed, s, hull)
}

// TestRemoveRedundant checks that no constraint is left that the others imply.
func TestRemoveRedundant(t *testing.T) {
	for seed := range *rounds {
		checkRemoveRedundant(t, seed)
	}
}

func checkRemoveRedundant(t *testing.T, seed uint64) {
	g := newGen(seed)
	for _, b := range g.sampleSet(2, true).set.RemoveRedundant().Basics() {
		for i := range b.rows {
			require.False(t, b.system().impliedByOthers(i), "seed %d: %v, row %d", seed, b, i)
		}
	}
}

func TestEqualities(t *testing.T) {
	for text, want := range map[string]string{
		"{ S[i, j] : 2j <= 3i + 1 <= 2j + 1 and 0 <= i <= 0; T[i] }": "{ S[0, 0]; T[i] }",
		"{ [i, j] : 0 < 3i - 6j < 4 }":                               "{ [i, j] : i = 2j + 1 }",
		"[N] -> { [i] : N <= 2i <= N + 1 and 0 <= i <= N - 2i }":     "[N] -> { [i] : 0 <= i <= 0 and N = 0 }",
		"{ [2i, i] : i > 0; [4, j] : j = 2 }":                        "{ [2i, i] }",
		"{ [i] : i mod 2 = 0 and 0 <= i <= 9 }":                      "{ [i] : i mod 2 = 0 }",
		"{ [i] : i mod 6 = 0 or i mod 6 = 4 }":                       "{ [i] : i mod 2 = 0 }",
		"{ [i] : i mod 6 = 0 or i mod 6 = 3 or i = 2 }":              "{ [i] }",
		"{ [i, j] : (i + j) mod 4 = 1 and i = j }":                   "{ [i, i] : 1 = 0 }",
		"{ [i, j] : (i + 2j) mod 6 = 1 and j mod 3 = 0 }":            "{ [i, j] : i mod 6 = 1 and j mod 3 = 0 }",
		"{ [i, j] : j = floor(i/3) }":                                "{ [i, j] }",
	} {
		sameSets(t, MustSet(want), MustSet(text).AffineHull())
	}
	b := MustSet("{ [i, j] : 0 < 3i - 6j < 4 }").Basics()[0]
	assert.Len(t, b.ImplicitEqualities(), 1)
	assert.Equal(t, "{ [i, j] : 0 <= i <= 5 }", MustSet("{ [i, j] : 0 <= i <= 5 and 2i <= 11 and i >= -4 }").RemoveRedundant().String())
}

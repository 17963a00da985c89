package poly_test

import (
	"fmt"

	"github.com/hexcc/hexcc/poly"
)

func ExampleSet_Complement() {
	fmt.Println(poly.MustSet("[N] -> { S[i] : 0 <= i < N }").Complement())
	// Output: [N] -> { S[i] : i <= -1; S[i] : i >= 0 and i >= N }
}

func ExampleMap_TransitiveClosure() {
	step := poly.MustMap("[N] -> { S[i] -> S[i + 1] : 0 <= i < N }")
	fmt.Println(step.TransitiveClosure())
	fmt.Println(poly.MustMap("{ [i] -> [2i] : i > 0 }").TransitiveClosure()) // some pairs more, and not exact
	// Output:
	// [N] -> { S[i] -> S[o0] : i >= 0 and i + 1 <= o0 <= N } true
	// { [i] -> [o0] : i >= 1 and (o0) mod 2 = 0 and o0 >= i + 1 } false
}

// The flow of a stencil: each step reaches the neighbours, and many steps all that is near enough.
func ExampleMap_TransitiveClosure_stencil() {
	flow := poly.MustMap("[T, N] -> { S[t, i] -> S[t + 1, j] : 0 <= t < T and i - 1 <= j <= i + 1 and 0 < i, j < N }")
	all, exact := flow.TransitiveClosure()
	near := poly.MustMap("[T, N] -> { S[t, i] -> S[u, j] : 0 <= t < u <= T and t - u <= j - i <= u - t and 0 < i, j < N }")
	fmt.Println(exact, all.IsEqual(near))
	// Output: true true
}

func ExampleMap_PwLexMin() {
	tile := poly.MustMap("{ S[i] -> T[t, b] : 4t <= i and i < 4t + 4 and b = i - 4t }")
	fmt.Println(tile.PwLexMin())
	// Output: { S[i] -> T[(floor(i/4)), (i - 4*floor(i/4))] }
}

func ExampleSet_RationalConvexHull() {
	fmt.Println(poly.MustSet("{ S[0, 0]; S[4, 0]; S[0, 4] }").RationalConvexHull())
	s := poly.MustSet("{ S[i, j] : 0 <= 2i + 3j <= 7 and 0 <= 3i - 2j <= 4 }")
	fmt.Println(s.RationalConvexHull()) // not the hull of the integer points:
	fmt.Println(s.Scan())
	// Output:
	// { S[o0, o1] : o0 >= 0 and 0 <= o1 <= -o0 + 4 }
	// { S[i, j] : 3i - 4 <= 2j <= 3i and -2i <= 3j <= -2i + 7 }
	// { S[0, 0]; S[1, 0]; S[1, 1]; S[2, 1] }
}

func ExampleSet_AffineHull() {
	fmt.Println(poly.MustSet("{ S[i, j] : 1 <= i <= 6 and 3j = 2i }").AffineHull())
	// Output: { S[i, j] : 3j = 2i }
}

func ExampleSet_Simplify() {
	fmt.Println(poly.MustSet("[N] -> { S[i] : 0 <= i < N and i <= N + 3 and N >= -2 }").Simplify())
	// Output: [N] -> { S[i] : 0 <= i <= N - 1 }
}

func ExampleLimited() {
	grid := poly.MustSet("{ S[i, j] : 0 <= i, j <= 1000 }")
	fmt.Println(poly.Limited(func() error {
		fmt.Println(grid.Scan())
		return nil
	}))
	// Output: poly: scan: more than 10000 points
}

func ExampleWorkDone() {
	thin := poly.MustSet("{ [x, y] : 27 <= 11x + 13y <= 45 and -10 <= 7x - 9y <= 4 }")
	before := poly.WorkDone()
	fmt.Println(thin.IsEmpty())
	work := poly.WorkDone().Minus(before)
	fmt.Println(work.Pivots > 0, work.Splinters)
	// Output:
	// true
	// true 0
}

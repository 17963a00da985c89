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
	// Output: [N] -> { S[i] -> S[o0] : i >= 0 and i + 1 <= o0 <= N } true
}

func ExampleMap_PwLexMin() {
	tile := poly.MustMap("{ S[i] -> T[t, b] : 4t <= i and i < 4t + 4 and b = i - 4t }")
	fmt.Println(tile.PwLexMin())
	// Output: { S[i] -> T[(floor(i/4)), (i - 4*floor(i/4))] }
}

func ExampleSet_ConvexHull() {
	fmt.Println(poly.MustSet("{ S[0, 0]; S[4, 0]; S[0, 4] }").ConvexHull())
	// Output: { S[o0, o1] : o0 >= 0 and 0 <= o1 <= -o0 + 4 }
}

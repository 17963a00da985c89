package poly_test

import (
	"fmt"

	"github.com/hexcc/hexcc/poly"
)

// The number of points of a triangle, for all sizes at once, and for one.
func ExampleSet_Card() {
	triangle := poly.MustSet("[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }")
	count, err := triangle.Card()
	if err != nil {
		fmt.Println(err) // a bound was passed
	}
	fmt.Println(count)
	points, _ := count.At(map[string]int64{"n": 100})
	fmt.Println(points.Num(), count.Method())
	// Output:
	// [n] -> { 1/2*n^2 + 1/2*n : n >= 1 }
	// 5050 symbolic
}

// How many points each row of a triangle has.
func ExampleMap_Card() {
	row := poly.MustMap("[n] -> { S[i] -> [j] : 0 <= i < n and 0 <= j <= i }")
	count, _ := row.Card()
	for _, p := range count.Pieces() {
		fmt.Println(p.Value, "where", p.Domain)
	}
	// Output:
	// i + 1 where [n] -> { S[i] : 0 <= i <= n - 1 }
}

// The sum of a function over its domain.
func ExampleCount_Sum() {
	sum, _ := poly.MustCount("[n] -> { [i] -> i^2 : 1 <= i <= n }").Sum()
	fmt.Println(sum)
	// Output: [n] -> { 1/3*n^3 + 1/2*n^2 + 1/6*n : n >= 1 }
}

package poly_test

import (
	"fmt"

	"github.com/hexcc/hexcc/poly"
)

func ExampleSet_Subtract() {
	all := poly.MustSet("{ S[i] : 0 <= i < 10 }")
	mid := poly.MustSet("{ S[i] : 3 <= i < 5 }")
	fmt.Println(all.Subtract(mid))
	// Output: { S[i] : 0 <= i <= 2; S[i] : 5 <= i <= 9 }
}

func ExampleSet_ProjectOut() {
	s := poly.MustSet("[N] -> { S[i, j] : 0 <= i < N and i = 3j }")
	fmt.Println(s.ProjectOut("j"))
	fmt.Println(s.ProjectOut("i", "j"))
	// Output:
	// [N] -> { S[i] : (i) mod 3 = 0 and 0 <= i <= N - 1 }
	// [N] -> { S[] : N >= 1 }
}

func ExampleSet_LexMin() {
	s := poly.MustSet("[N] -> { S[i, j] : 0 <= i <= 4 and N <= i + j and j >= 0 }")
	fmt.Println(s.LexMin().FixParam("N", 7))
	// Output: { S[i, j] : i = 0 and j = 7 }
}

func ExampleSet_Gist() {
	s := poly.MustSet("[N] -> { S[i] : 0 <= i < N and N >= 1 }")
	fmt.Println(s.Gist(poly.MustSet("[N] -> { : N >= 4 }")))
	// Output: [N] -> { S[i] : 0 <= i <= N - 1 }
}

func ExampleMap_ApplyRange() {
	write := poly.MustMap("{ S[t, i] -> A[(t + 1) mod 2, i] }")
	read := poly.MustMap("{ S[t, i] -> A[t mod 2, i + 1] }")
	fmt.Println(write.ApplyRange(read.Inverse()))
	// Output: { S[t, i] -> S[t', i - 1] : (t + t' + 1) mod 2 = 0 }
}

func ExampleMap_MaxRatio() {
	dependence := poly.MustMap("{ S[t, i] -> S[u, j] : u > t and 2j <= 2i + 3(u - t) and j >= i - 1 }")
	ds := poly.Affine{In: []int64{0, -1}, Out: []int64{0, 1}}
	dt := poly.Affine{In: []int64{-1, 0}, Out: []int64{1, 0}}
	fmt.Println(dependence.MaxRatio(ds, dt))
	// Output: 3/2 true
}

func ExampleMap_Deltas() {
	fmt.Println(poly.MustMap("[N] -> { S[i] -> S[j] : 0 <= i < j < N }").Deltas())
	// Output: [N] -> { S[j] : 1 <= j <= N - 1 }
}

func ExampleParseSet() {
	_, err := poly.ParseSet("{ S[i] : 0 <= i < N }")
	fmt.Println(err)
	// Output:
	// 1:19: N is not defined
	// 	{ S[i] : 0 <= i < N }
	// 	                  ^
}

func ExampleBasic_Constraints() {
	b := poly.MustSet("[N] -> { S[i] : i <= N - 1 and i mod 4 <= 1 }").Basics()[0]
	for _, c := range b.Constraints() {
		fmt.Println(c.Const, c.Params, c.Out, c.Divs)
	}
	fmt.Println(b.Divs()[0].Num.Out, b.Divs()[0].Den)
	// Output:
	// -1 [1] [-1] [0]
	// 1 [0] [-1] [4]
	// [1] 4
}

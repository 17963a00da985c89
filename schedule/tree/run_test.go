package tree_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/schedules"
	"github.com/hexcc/hexcc/schedule/tree"
)

// runs has schedules with what they run, at n = 3.
var runs = []struct{ text, want string }{
	{`{ S[i] -> [-i, 0]; T[] -> [-1, 1] }
	{ : }`, "infinitely many"},
	{`[n] -> { S[i] -> [-i, 0] : 0 <= i < n; T[] -> [-1, 1] }`, "S[2] at (-2, 0); S[1] at (-1, 0); T[] at (-1, 1); S[0] at (0, 0)"},
	{`[n] -> { S[i] -> [t] : 0 <= i < 2 and i <= t < 2 } [n] -> { : n >= 3 } { }`, "S[0] at (0); S[0] at (1); S[1] at (1)"},
	{`[n] -> { S[i] -> [i] : 0 <= i < 2 } [n] -> { : n >= 4 } { }`, "the context"},
	{`{ S[i] -> [i] : 0 <= i < 1000000 }`, "more than"},
	{`{ S[i, j] -> [i + j, i - j] : 0 <= i + j <= 1 and 0 <= i - j <= 1 }`, "S[0, 0] at (0, 0); S[1, 0] at (1, 1)"},
	{`{ S[i] -> [i] : exists e : i = 1000000 e and 0 <= e <= 1 }`, "S[0] at (0); S[1000000] at (1000000)"},
	{`domain: "{ A[i] : 0 <= i < 2; B[i] : 0 <= i < 2 }"
child:
  sequence:
  - filter: "{ B[i] }"
  - filter: "{ A[i] : i >= 1 }"
    child: { schedule: "[{ A[i] -> [7] }]" }`, "B[0] at (0); B[1] at (0); A[1] at (1, 7)"},
	{`domain: "{ A[i] : 0 <= i < 2 }"
child:
  schedule: "[{ A[i] -> [i] }]"
  child:
    extension: "{ [t] -> X[t] : t >= 1 }"
    child:
      set: [ filter: "{ X[i] }", filter: "{ A[i] }" ]`, "A[0] at (0, 1); X[1] at (1, 0); A[1] at (1, 1)"},
	{`domain: "[n] -> { G[i] : 0 <= i < n }"
child:
  guard: "[n] -> { : n >= 3 }"
  child:
    schedule: "[{ G[i] -> [0] }]"
    child:
      contraction: "{ S[i] -> G[floor(i/2)] }"
      expansion: "{ G[i] -> S[j] : 2i <= j <= 2i + 1 and j <= 4 }"`, "S[0] at (0); S[1] at (0); S[2] at (0); S[3] at (0); S[4] at (0)"},
	{`domain: "[n] -> { G[i] : 0 <= i < n }"
child:
  guard: "[n] -> { : n >= 4 }"`, ""},
	{`domain: "[n] -> { G[i] : 0 <= i < n }"
child:
  schedule: "[]"
  child:
    context: "{ [] }"
    child: { filter: "{ G[i] : i mod 2 = 0 }" }`, "G[0] at (); G[2] at ()"},
	{`domain: "{ G[i] : 0 <= i < 3 }"
child:
  schedule: "[{ G[i] -> [0] : i = 1; G[i] -> [i] : i < 1 }]"`, "G[0] at (0); G[1] at (0)"},
}

// TestRun checks what runs, and when.
func TestRun(t *testing.T) {
	for _, c := range runs {
		n, err := tree.Parse(c.text)
		require.NoError(t, err, c.text)
		list, err := tree.Run(n, map[string]int64{"n": 3})
		if err != nil {
			assert.Contains(t, err.Error(), c.want, c.text)
			assert.NotEmpty(t, c.want)
			continue
		}
		var got []string
		for _, x := range list {
			got = append(got, x.String())
		}
		assert.Equal(t, c.want, strings.Join(got, "; "), c.text)
	}
}

// TestDomains compares the instances of random domains with package poly, point by point of a box.
func TestDomains(t *testing.T) {
	points := 0
	for seed := range uint64(24) {
		n, err := tree.Parse(schedules.Random(seed))
		require.NoError(t, err)
		d := n.(*tree.Domain)
		params := map[string]int64{"N": int64(seed % 7), "M": int64(seed % 5)}
		list, err := tree.Run(&tree.Domain{Set: d.Set}, params)
		require.NoError(t, err)
		had := map[string]bool{}
		for _, x := range list {
			require.False(t, had[x.String()], "%v twice", x)
			had[x.String()] = true
		}
		for _, b := range d.Set.Basics() {
			tuple := b.Space().Out
			only := d.Set.Intersect(universeOf(tuple.Name, len(tuple.Dims)))
			walkBox(len(tuple.Dims), -3, 10, nil, func(p []int64) {
				x := tree.Instance{Stmt: tuple.Name, Args: p}
				require.Equal(t, only.Contains(params, p...), had[x.String()], "%v in %v at %v", x, d.Set, params)
				points++
			})
		}
	}
	assert.Greater(t, points, 5000)
}

// TestSameOrder checks that what a schedule allows is taken, and changes of it are not.
func TestSameOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	found := map[string]int{}
	for seed := range uint64(60) {
		n, err := tree.Parse(schedules.Random(seed))
		require.NoError(t, err)
		params := map[string]int64{"N": 5, "M": 6}
		right, err := tree.Run(n, params)
		if err != nil || len(right) < 2 {
			continue
		}
		check := func(list []tree.Instance) error {
			return tree.SameOrder(n, params, func(call func(string, []int64)) {
				for _, x := range list {
					call(x.Stmt, x.Args)
				}
			})
		}
		require.NoError(t, check(right))
		i := rng.IntN(len(right))
		require.Error(t, check(slices.Delete(slices.Clone(right), i, i+1)))
		require.Error(t, check(slices.Insert(slices.Clone(right), i, right[i])))
		changed := slices.Clone(right)
		changed[i].Args = append(slices.Clone(changed[i].Args), 1)
		require.Error(t, check(changed))
		if seed%3 == 0 {
			for i := range min(len(right)-1, 25) { // neighbours in turn: wrong where their times say so
				swapped := slices.Clone(right)
				swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
				unique := func(x tree.Instance) bool {
					n := 0
					for _, y := range right {
						if y.Stmt == x.Stmt && slices.Equal(y.Args, x.Args) {
							n++
						}
					}
					return n == 1
				}
				if !unique(right[i]) || !unique(right[i+1]) {
					continue
				}
				free := mayTurn(right[i].Time, right[i+1].Time)
				require.Equal(t, free, check(swapped) == nil, "%v and %v", right[i], right[i+1])
				found[fmt.Sprint(free)]++
			}
		}
	}
	assert.Greater(t, found["true"], 10)
	assert.Greater(t, found["false"], 50)
}

// mayTurn reports whether instances with these times may run in any order.
func mayTurn(x, y []tree.Entry) bool {
	for i := range min(len(x), len(y)) {
		if x[i].Value != y[i].Value {
			return x[i].Unordered
		}
	}
	return true
}

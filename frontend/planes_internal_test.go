package frontend

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"modernc.org/cc/v4"
)

// sides returns the two expressions that the region of a program compares.
func sides(t *testing.T, x, y string) (a, b expr) {
	f := newFile(Source{Name: "s.c", Text: fmt.Appendf(nil, "void f(int s, int t, unsigned u, int r) {\n#pragma scop\nr = (%s) == (%s);\n#pragma endscop\n}\n", x, y)})
	u, errs := translate(f, Options{})
	require.Empty(t, errs)
	regions, errs := findRegions(f, u)
	require.Empty(t, errs)
	eachExprIn(regions[0].stmts[0], func(e expr) {
		if c, ok := e.(binary); ok && c.op == "==" && a == nil {
			a, b = c.x, c.y
		}
	})
	require.NotNil(t, a)
	return a, b
}

// TestAlwaysDiffer compares what is said of two subscripts with their values: where they are said to differ, they do.
func TestAlwaysDiffer(t *testing.T) {
	for _, x := range []struct {
		x, y string
		want bool
	}{
		{"(t + 1) % 2", "t % 2", true}, {"1 - t", "t", true}, {"t ^ 1", "t", true}, {"!t", "t", true}, {"(t + 1) & 1", "t & 1", true},
		{"(t + 2) % 3", "t % 3", true}, {"(t + 1) % 3", "(t + 2) % 3", true}, {"(t + 3) % 3", "t % 3", false}, {"(t + 2) % 2", "t % 2", false},
		{"s", "t", false}, {"1 - t % 2", "t % 2", true}, {"(u + 1) % 2", "u % 2", true}, {"(u + 1) % 3", "u % 3", false}, {"2 * s", "2 * t + 1", true},
	} {
		a, b := sides(t, x.x, x.y)
		require.Equal(t, x.want, alwaysDiffer(a, b), "%s, %s", x.x, x.y)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	apart := 0
	for range 3000 {
		x, y := subscriptOf(rng, 3), subscriptOf(rng, 3)
		if rng.IntN(2) == 0 {
			y = fmt.Sprintf("(%s + %d) %% %d", x, rng.IntN(4), 2+rng.IntN(3))
		}
		a, b := sides(t, x, y)
		if !alwaysDiffer(a, b) {
			continue
		}
		apart++
		for v := range int64(13 * 13) {
			at := map[string]int64{"s": v%13 - 6, "t": v/13 - 6}
			require.NotEqual(t, valueAt(t, a, at), valueAt(t, b, at), "%s, %s at %v", x, y, at)
		}
	}
	require.Greater(t, apart, 100)
}

// subscriptOf makes a random sum of s and t, with remainders.
func subscriptOf(rng *rand.Rand, depth int) string {
	if depth == 0 || rng.IntN(4) == 0 {
		return []string{"s", "t", "1", "2", "3"}[rng.IntN(5)]
	}
	x := subscriptOf(rng, depth-1)
	switch rng.IntN(6) {
	case 0:
		return fmt.Sprintf("(%s) %% %d", x, 2+rng.IntN(4))
	case 1:
		return fmt.Sprintf("(%s & %d)", x, []int{1, 3, 7}[rng.IntN(3)])
	case 2:
		return fmt.Sprintf("(%s ^ 1)", x)
	case 3:
		return fmt.Sprintf("(%s) * %d", x, 1+rng.IntN(4))
	}
	return fmt.Sprintf("(%s %s %s)", x, []string{"+", "-"}[rng.IntN(2)], subscriptOf(rng, depth-1))
}

// valueAt calculates e as C does.
func valueAt(t *testing.T, e expr, at map[string]int64) int64 {
	if v, ok := literal(e); ok {
		return v
	}
	switch e := e.(type) {
	case ident:
		return at[e.name]
	case cast:
		require.Equal(t, cc.Int, e.typ.Kind())
		return valueAt(t, e.x, at)
	case binary:
		x, y := valueAt(t, e.x, at), valueAt(t, e.y, at)
		switch e.op {
		case "+":
			return x + y
		case "-":
			return x - y
		case "*":
			return x * y
		case "%":
			return x % y
		case "&":
			return x & y
		case "^":
			return x ^ y
		}
	}
	require.FailNow(t, "unknown", "%T", e)
	return 0
}

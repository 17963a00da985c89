package frontend_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/scop"
)

// TestShortCircuit checks that random conditions, whose right sides are inside of
// their array only where the left sides let them run, are accepted, and mean what the C
// compiler makes of them.
func TestShortCircuit(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			g := &guards{rng: rand.New(rand.NewPCG(seed, 3))}
			text := g.program(8)
			res, err := frontend.Parse(frontend.Source{Name: "input.c", Text: []byte(text)}, frontend.Options{})
			require.NoError(t, err, text)
			var mems []*scop.Memory
			for n := int64(1); n < 12; n++ {
				p := res.Programs[0]
				values := make([]int64, len(p.Params))
				for i, q := range p.Params {
					values[i] = map[string]int64{"T": 3, "n": n}[q.Name]
				}
				mem, err := scop.NewMemory(p, values, seed)
				require.NoError(t, err)
				mems = append(mems, mem)
			}
			oracle.SameAsC(t, res.Programs[0], mems...)
		})
	}
}

// TestShortCircuitProvesNoMore checks that a guard on the wrong side, or of the
// wrong operator, keeps nothing inside.
func TestShortCircuitProvesNoMore(t *testing.T) {
	for _, statement := range []string{
		"if (A[i - 1] > 0.5 && i > 0) B[i] = 1;", "if (i > 0 || A[i - 1] > 0.5) B[i] = 1;", "if (!(i > 0) && A[i - 1] > 0.5) B[i] = 1;",
		"if (i >= 0 && A[i - 1] > 0.5) B[i] = 1;", "if (i == 0 && A[i - 1] > 0.5) B[i] = 1;", "B[i] = i > 0 ? A[i + 1] : 0;",
		"if (A[i] > 0 || i > 0 && A[i] > 0) B[i] = A[i - 1];", "B[i] = (i > 0 && A[i] > 0) + A[i - 1];", "if (A[i] > 0.5 && i > 0) B[i] = 1; else B[i] = A[i - 1];",
	} {
		text := "void f(int T, int n, double A[restrict n], double B[restrict n])\n{\n#pragma scop\n  for (int t = 0; t < T; t++) {\n    for (int i = 0; i < n; i++) {\n      " +
			statement + "\n    }\n    for (int i = 0; i < n; i++)\n      A[i] = B[i];\n  }\n#pragma endscop\n}\n" // it sets A, or else what A holds could be tested
		_, err := frontend.Parse(frontend.Source{Name: "input.c", Text: []byte(text)}, frontend.Options{})
		require.ErrorContains(t, err, "HX105", statement)
	}
}

// guards makes random statements. Conditions read elements around i where their guards allow it.
type guards struct {
	rng  *rand.Rand
	left int // how many guards more this statement may have
}

func (g *guards) program(nests int) string {
	var body strings.Builder
	for k := range nests {
		to, from := "B", "A"
		if k%2 == 1 {
			to, from = from, to
		}
		g.left = 3
		fmt.Fprintf(&body, "    for (int i = 0; i < n; i++) {\n      %s\n    }\n", strings.ReplaceAll(strings.ReplaceAll(g.statement(0, 0), "@", from), "$", to))
	}
	return "void f(int T, int n, double A[restrict n], double B[restrict n])\n{\n#pragma scop\n  for (int t = 0; t < T; t++) {\n" + body.String() + "  }\n#pragma endscop\n}\n"
}

// statement sets $[i] from @[i - low] .. @[i + high], and more where it tests that it may.
func (g *guards) statement(low, high int) string {
	switch g.rng.IntN(5) {
	case 0:
		return fmt.Sprintf("$[i] = %s ? %s : %s;", g.test(2, low, high), g.read(low, high), g.read(low, high))
	case 1:
		return fmt.Sprintf("$[i] = %s + (%s);", g.read(low, high), g.test(2, low, high))
	case 2:
		if g.left > 1 {
			guard, l, h := g.guard(low, high)
			return fmt.Sprintf("if (%s) { %s }", guard, g.statement(l, h))
		}
	}
	return fmt.Sprintf("if (%s) $[i] = %s; else $[i] = %s;", g.test(3, low, high), g.read(low, high), g.read(low, high))
}

// test returns a condition that reads @[i - low] .. @[i + high] unguarded.
func (g *guards) test(depth, low, high int) string {
	if depth == 0 {
		return fmt.Sprintf("%s > 0.%d", g.read(low, high), 1+g.rng.IntN(9))
	}
	switch k := g.rng.IntN(6); {
	case k == 0:
		return "!(" + g.test(depth-1, low, high) + ")"
	case k == 1:
		return fmt.Sprintf("(%s %s %s)", g.test(depth-1, low, high), []string{"&&", "||"}[g.rng.IntN(2)], g.test(depth-1, low, high))
	case g.left == 0:
		return g.test(0, low, high)
	}
	guard, l, h := g.guard(low, high)
	data := ""
	if g.rng.IntN(3) == 0 {
		data = g.test(0, low, high)
	}
	right := g.test(depth-1, l, h)
	switch and := g.rng.IntN(2) == 0; {
	case and && data == "":
		return fmt.Sprintf("(%s && %s)", guard, right)
	case and:
		return fmt.Sprintf("(%s && %s && %s)", data, guard, right)
	case data == "":
		return fmt.Sprintf("(!(%s) || %s)", guard, right)
	}
	return fmt.Sprintf("(!(%s) || %s || %s)", guard, data, right)
}

// guard returns a condition, and how far from i elements exist where it holds.
func (g *guards) guard(low, high int) (string, int, int) {
	g.left--
	k := 1 + g.rng.IntN(2)
	switch g.rng.IntN(4) {
	case 0:
		return fmt.Sprintf("i >= %d", k), max(low, k), high
	case 1:
		return fmt.Sprintf("i < n - %d", k), low, max(high, k)
	case 2:
		return fmt.Sprintf("i > %d && i + %d < n", k-1, k), max(low, k), max(high, k)
	}
	return "i == n - 1", low, high
}

func (g *guards) read(low, high int) string {
	return fmt.Sprintf("@[i%+d]", g.rng.IntN(low+high+1)-low)
}

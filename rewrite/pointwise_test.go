package rewrite_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/rewrite"
)

// TestPointwise computes temporaries where they are read if one nest reads them, at one place, and leaves all others.
func TestPointwise(t *testing.T) {
	nests := func(body string) string {
		return "void f(int T, int n, float a[restrict n], float b[restrict n], float c[restrict n])\n{\n  float d[n], e[n];\n#pragma scop\n" + body + "#pragma endscop\n}\n"
	}
	for _, x := range []struct {
		name, body string
		left       int // statements; 0: nothing is done
	}{
		{"at one place", "for (int i = 1; i < n - 1; i++) d[i] = a[i - 1] + a[i + 1];\nfor (int i = 2; i < n; i++) b[i] = d[i - 1] * d[i - 1];\n", 1},
		{"of two arrays", "for (int i = 0; i < n; i++) { d[i] = 2 * a[i]; e[i] = 3 * a[i]; }\nfor (int i = 0; i < n; i++) b[i] = d[i] + e[i];\n", 1},
		{"one after the other", "for (int i = 0; i < n; i++) d[i] = 2 * a[i];\nfor (int i = 0; i < n; i++) e[i] = d[i] + 1;\nfor (int i = 0; i < n; i++) b[i] = e[i] * e[i];\n", 1},
		{"some of it", "for (int i = 0; i < n; i++) d[i] = 2 * a[i];\nfor (int i = 0; i < n; i++) e[i] = d[i] + 1;\nfor (int i = 1; i < n; i++) b[i] = e[i] * e[i - 1];\n", 2},
		{"at two places", "for (int i = 0; i < n; i++) d[i] = 2 * a[i];\nfor (int i = 1; i < n; i++) b[i] = d[i] + d[i - 1];\n", 0},
		{"two arrays at two places", "for (int i = 0; i < n; i++) { d[i] = 2 * a[i]; e[i] = 3 * a[i]; }\nfor (int i = 1; i < n; i++) b[i] = d[i] + e[i - 1];\n", 0},
		{"of two nests", "for (int i = 0; i < n; i++) d[i] = 2 * a[i];\nfor (int i = 0; i < n; i++) b[i] = d[i];\nfor (int i = 0; i < n; i++) c[i] = d[i];\n", 0},
		{"that others see", "for (int i = 0; i < n; i++) c[i] = 2 * a[i];\nfor (int i = 0; i < n; i++) b[i] = c[i];\n", 0},
		{"of the iteration before", "for (int t = 0; t < T; t++) {\nfor (int i = 0; i < n; i++) b[i] = b[i] + (t > 0 ? d[i] : 0);\nfor (int i = 0; i < n; i++) d[i] = 2 * b[i];\n}\n", 0},
		{"made of what is stored over", "for (int i = 1; i < n; i++) d[i] = a[i - 1];\nfor (int i = 1; i < n; i++) a[i] = d[i];\n", 0},
		{"that is not written everywhere", "for (int i = 1; i < n; i++) d[i] = 2 * a[i];\nfor (int i = 0; i < n; i++) b[i] = d[i];\n", 0},
	} {
		t.Run(x.name, func(t *testing.T) {
			p := program(t, nests(x.body))
			r := rewrite.Pointwise(p)
			if x.left == 0 {
				require.Nil(t, r)
				return
			}
			require.NotNil(t, r)
			require.NoError(t, r.Program.Verify())
			require.Len(t, r.Program.Stmts, x.left)
			before, now := r.Cost()
			require.LessOrEqual(t, now, before)
			require.Empty(t, differs(t, p, r.Program, 8))
		})
	}
	r := rewrite.Pointwise(program(t, cases.ReadIdiom(t, "harris").Text))
	require.NotNil(t, r)
	require.Len(t, r.Program.Stmts, 2)
	require.Nil(t, rewrite.Pointwise(program(t, cases.ReadIdiom(t, "fused-diffusion").Text)))
}

// TestRandomPointwise compares random chains of nests with what is left of them.
func TestRandomPointwise(t *testing.T) {
	done := 0
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 31))
		text := chain(rng, 2+rng.IntN(4))
		p := program(t, text)
		if r := rewrite.Pointwise(p); r != nil {
			done++
			require.NoError(t, r.Program.Verify(), text)
			require.Empty(t, differs(t, p, r.Program, 4), fmt.Sprint(seed, "\n", text))
		}
	}
	require.Positive(t, done)
}

package rewrite_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/rewrite"
	"github.com/hexcc/hexcc/scop"
)

// split returns p with a statement distributed.
func split(t testing.TB, p *scop.Program, orders ...int) *rewrite.Result {
	t.Helper()
	r, err := rewrite.Fission(p, orders)
	require.NoError(t, err, "%v", p)
	require.NoError(t, r.Program.Verify(), "%v", r.Program)
	return r
}

// writes returns the arrays that each statement of p writes.
func writes(p *scop.Program) (all []string) {
	for _, s := range p.Stmts {
		var names []string
		for _, a := range s.Accesses {
			if a.Write && !slices.Contains(names, a.Array.Name) {
				names = append(names, a.Array.Name)
			}
		}
		all = append(all, strings.Join(names, "+"))
	}
	return all
}

// distributable is one nest that writes four arrays, with body in it.
func distributable(body string) string {
	return `void f(int T, int n, double A[restrict 2][n], double B[restrict 2][n], double C[restrict n], double D[restrict n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 2; i < n - 2; i++) {
` + body + `
    }
#pragma endscop
}
`
}

// TestFission: what nests of several outputs become, and that it leaves the same.
func TestFission(t *testing.T) {
	for _, x := range []struct{ body, want string }{
		{"double x = A[t % 2][i - 1]; A[(t + 1) % 2][i] = x; B[(t + 1) % 2][i] = 2 * x;", "A B"},
		{"C[i] = A[0][i]; D[i] = C[i] + 1;", "C D"},                                                         // one reads what the other one writes
		{"double x = C[i]; C[i] = x + 1; D[i] = x;", "D C"},                                                 // and here what it was before
		{"double x = C[i]; C[i] = D[i]; D[i] = x;", ""},                                                     // an exchange
		{"double x = C[i]; C[i] = D[i]; D[i] = x; A[0][i] = x;", "A C+D"},                                   // and one that is not in it
		{"C[i] = A[0][i]; D[i] = C[i - 1];", "C D"},                                                         // of a point before
		{"C[i] = A[0][i]; D[i] = C[i + 1];", "D C"},                                                         // of one behind, which has its old value
		{"D[i] = C[i - 1] + C[i + 1]; C[i] = A[0][i];", ""},                                                 // of both
		{"C[i] = 1; D[i] = 2; C[i] = C[i] + D[i];", "D C"},                                                  // one array is written twice, around the other
		{"C[i] = 1; D[i] = C[i]; C[i] = C[i] + D[i];", ""},                                                  // and is read between
		{"C[i] = 1; C[i + 1] = 2; D[i] = 3;", "C D"},                                                        // one array at two places
		{"double x = A[0][i]; x = x * 2; C[i] = x; x = x + 1; D[i] = x; B[0][i] = x;", "C D B"},             // a variable that is set again
		{"if (A[0][i] > 0) C[i] = A[0][i]; else D[i] = A[0][i];", "C D"},                                    // where conditions hold
		{"if (C[i] > 0) C[i] = 0; else D[i] = C[i];", ""},                                                   // whose values change: what both branches access counts for both
		{"double x = 0; for (int k = 0; k < 3; k++) { x += A[0][i + k - 1]; } C[i] = x; D[i] = -x;", "C D"}, // a loop that is written out
	} {
		p := program(t, distributable(x.body))
		r, err := rewrite.Fission(p, []int{0})
		if x.want == "" {
			var list diag.List
			require.ErrorAs(t, err, &list, x.body)
			require.Equal(t, diag.Code("HX221"), list[0].Code)
			continue
		}
		require.NoError(t, err, x.body)
		require.NoError(t, r.Program.Verify())
		require.Equal(t, x.want, strings.Join(writes(r.Program), " "), x.body)
		require.Equal(t, p, r.Program.Original())
		require.Empty(t, differs(t, p, r.Program, 6), x.body)
	}
	_, err := rewrite.Fission(program(t, distributable("C[i] = A[0][i];")), []int{0})
	require.ErrorContains(t, err, "S0 writes one array")
}

// TestFissionRandom distributes random nests: what comes of it leaves the same; with two parts in the other order that have to be in theirs it does not, mostly.
func TestFissionRandom(t *testing.T) {
	parts, changed, refused := 0, 0, 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 31))
		text := distributable(randomBody(rng))
		p := program(t, text)
		r, err := rewrite.Fission(p, []int{0})
		if err != nil {
			refused++
			continue
		}
		require.NoError(t, r.Program.Verify(), text)
		require.Empty(t, differs(t, p, r.Program, 4), "%s\n%v", text, r.Program)
		parts += len(r.Program.Stmts)
		for i := range len(r.Program.Stmts) - 1 {
			spoilt := *r.Program
			spoilt.Stmts = slices.Clone(spoilt.Stmts)
			spoilt.Stmts[i], spoilt.Stmts[i+1] = spoilt.Stmts[i+1], spoilt.Stmts[i]
			if differs(t, p, spoilt.Split(make([][][]scop.Affine, len(spoilt.Stmts))), 4) != "" {
				changed++
			}
		}
	}
	t.Logf("%d parts, %d orders that matter, %d refused", parts, changed, refused)
	require.Greater(t, parts, 200)
	require.Greater(t, changed, 20)
	require.Greater(t, refused, 20)
}

// randomBody returns statements that read and write at a point and beside it.
func randomBody(rng *rand.Rand) string {
	arrays := []string{"A[(t + 1) % 2]", "A[t % 2]", "B[(t + 1) % 2]", "B[t % 2]", "C", "D"}
	element := func(spread int) string {
		return fmt.Sprintf("%s[i + %d]", arrays[rng.IntN(len(arrays))], rng.IntN(2*spread+1)-spread)
	}
	text := "double x = " + element(1) + ", y = " + element(1) + ";\n"
	value := func() string {
		spread := 0
		if rng.IntN(3) == 0 {
			spread = 2
		}
		return []string{"x", "y", element(spread), "(x + " + element(spread) + ")", "2 * y"}[rng.IntN(5)]
	}
	for range 2 + rng.IntN(4) {
		switch rng.IntN(5) {
		case 0:
			text += "x = " + value() + " - 1;\n"
		case 1:
			text += "y = x * " + value() + ";\n"
		case 2:
			text += "if (" + value() + " > 0.5) " + element(0) + " = " + value() + ";\n"
		default:
			text += element(0) + " = " + value() + " + " + value() + ";\n"
		}
	}
	return text + "C[i] = x + y;\n"
}

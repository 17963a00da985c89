package rewrite_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/rewrite"
	"github.com/hexcc/hexcc/scop"
)

// program returns the only region of C text.
func program(t testing.TB, text string) *scop.Program {
	t.Helper()
	res, err := frontend.Parse(frontend.Source{Name: "f.c", Text: []byte(text)}, frontend.Options{NoAlias: true})
	require.NoError(t, err, text)
	require.Len(t, res.Programs, 1)
	return scop.WithCoefficients(res.Programs[0])
}

// inlined returns p with those groups in registers.
func inlined(t testing.TB, p *scop.Program, groups ...[]int) *rewrite.Result {
	t.Helper()
	r, err := rewrite.Inline(p, groups)
	require.NoError(t, err, "%v\n%v", groups, p)
	require.NoError(t, r.Program.Verify(), "%v", r.Program)
	return r
}

// tried returns p with a group in registers; nil: it cannot be.
func tried(p *scop.Program, group []int) *rewrite.Result {
	r, err := rewrite.Inline(p, [][]int{group})
	if err != nil {
		return nil
	}
	return r
}

// differs runs p and q, which has no other arrays than p, at n sizes, and returns where they first leave something else.
func differs(t testing.TB, p, q *scop.Program, n int) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(5, 6))
	var local []*scop.Array
	for _, a := range p.Arrays {
		if a.Local {
			local = append(local, a)
		}
	}
	for i := range n {
		mem, err := scop.NewMemory(p, oracle.RandomParams(p, rng, i), uint64(i))
		require.NoError(t, err)
		want, got := mem.Clone(), mem.Clone()
		require.NoError(t, scop.Run(p, want), mem.Sizes())
		if err := scop.Run(q, got); err != nil {
			return err.Error()
		}
		if d := want.Compare(got, local...); d.Differ > 0 {
			return fmt.Sprintf("%s: %d of %d elements differ; first %s: want %s, got %s", mem.Sizes(), d.Differ, d.Elements, d.First, d.A, d.B)
		}
	}
	return ""
}

// diffusion is horizontal diffusion with a limiter, in time steps, with locals in its nests.
const diffusion = `void f(int T, int n, int m, double q[restrict 2][n][m], const double alpha[restrict n][m])
{
  double lap[n][m], flx[n][m], fly[n][m];
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int j = 1; j < n - 1; j++)
      for (int i = 1; i < m - 1; i++)
        lap[j][i] = 4.0 * q[t % 2][j][i] - (q[t % 2][j][i + 1] + q[t % 2][j][i - 1] + q[t % 2][j + 1][i] + q[t % 2][j - 1][i]);
    for (int j = 2; j < n - 2; j++)
      for (int i = 1; i < m - 2; i++) {
        double f = lap[j][i + 1] - lap[j][i];
        flx[j][i] = f * (q[t % 2][j][i + 1] - q[t % 2][j][i]) > 0.0 ? 0.0 : f;
      }
    for (int j = 1; j < n - 2; j++)
      for (int i = 2; i < m - 2; i++) {
        double f = lap[j + 1][i] - lap[j][i];
        fly[j][i] = f * (q[t % 2][j + 1][i] - q[t % 2][j][i]) > 0.0 ? 0.0 : f;
      }
    for (int j = 2; j < n - 2; j++)
      for (int i = 2; i < m - 2; i++)
        q[(t + 1) % 2][j][i] = q[t % 2][j][i] - alpha[j][i] * (flx[j][i] - flx[j][i - 1] + fly[j][i] - fly[j - 1][i]);
  }
#pragma endscop
}
`

// TestInline compares programs with inner groups with the original, bit for bit, and says what is left and how often values are computed.
func TestInline(t *testing.T) {
	for _, x := range []struct {
		name, text string
		groups     [][]int
		left       string // the statements
		places     []int
		operations [2]int64
	}{
		{"diffusion", diffusion, [][]int{{0, 1, 2, 3}}, "[3]", []int{2, 2, 2, 2}, [2]int64{20, 50}},
		{"diffusion", diffusion, [][]int{{0, 1}}, "[0 1 2 3]", []int{2}, [2]int64{20, 30}},
		{"diffusion", diffusion, [][]int{{0, 1}, {2, 3}}, "[0 1 3]", []int{2, 2}, [2]int64{}},
		{"diffusion", diffusion, [][]int{{3, 1, 2}}, "[0 3]", []int{2, 2}, [2]int64{}},
		{"diffusion", diffusion, [][]int{{1}}, "[0 1 2 3]", nil, [2]int64{}},
		{"unsharp", cases.ReadIdiom(t, "unsharp").Text, [][]int{{0, 1, 2}}, "[2]", []int{15, 3}, [2]int64{}},
		{"harris", cases.ReadIdiom(t, "harris").Text, [][]int{{0, 1}, {2, 3}}, "[1 3]", []int{1, 1, 1, 1, 1}, [2]int64{}},
		{"harris", cases.ReadIdiom(t, "harris").Text, [][]int{{0, 1, 2, 3}}, "[3]", []int{1, 1, 9, 9, 9, 1, 1, 1}, [2]int64{}},
	} {
		p := program(t, x.text)
		r := inlined(t, p, x.groups...)
		name := fmt.Sprintf("%s %v", x.name, x.groups)
		require.Equal(t, x.left, fmt.Sprint(r.Orders), name)
		var places []int
		for _, v := range r.Values {
			places = append(places, v.Places)
		}
		require.Equal(t, x.places, places, name)
		before, now := r.Cost()
		if x.operations[0] != 0 {
			require.Equal(t, x.operations, [2]int64{before, now}, "%s\n%v", name, r.Program)
		}
		require.Empty(t, differs(t, p, r.Program, 6), name)
	}
}

// typed are temporaries of all types that round or wrap what is stored to them, of values that do not fit.
var typed = []struct{ temporary, value, out, in string }{
	{"float", "in[i] * 1.1 + in[i + 1]", "double", "double"},
	{"double", "in[i] * 1.1f", "float", "float"},
	{"int", "in[i] * 3.7", "double", "double"},
	{"unsigned char", "in[i] * 300 + i", "int", "int"},
	{"short", "in[i] * 70000 - i * 3", "int", "int"},
	{"_Bool", "in[i] & 6", "int", "int"},
	{"unsigned", "in[i] - 5 * i", "long", "int"},
	{"long", "(long)in[i] << 33", "int", "int"},
	{"_Float16", "in[i] / 3", "float", "float"},
}

// typedText is a program with a temporary of a type.
func typedText(temporary, value, out, in string) string {
	return fmt.Sprintf(`void f(int n, %s in[restrict n], %s out[restrict n])
{
  %s a[n];
#pragma scop
  for (int i = 0; i < n - 1; i++)
    a[i] = %s;
  for (int k = 3; k < n - 2; k++)
    out[k] = (a[k] + a[k + 1]) / 2 + a[k - 3];
#pragma endscop
}
`, in, out, temporary, value)
}

// TestTypes inlines a temporary of each type.
func TestTypes(t *testing.T) {
	for _, x := range typed {
		text := typedText(x.temporary, x.value, x.out, x.in)
		p := program(t, text)
		r := inlined(t, p, []int{0, 1})
		require.Len(t, r.Program.Stmts, 1)
		require.Empty(t, differs(t, p, r.Program, 6), "%s\n%v", text, r.Program)
	}
}

// TestSeveralStores inlines what is stored by several stores of a statement: the last one to an element counts.
func TestSeveralStores(t *testing.T) {
	p := program(t, `void f(int n, double in[restrict n], double out[restrict n])
{
  double a[2][n], b[n + 1];
#pragma scop
  for (int i = 0; i < n; i++) {
    a[0][i] = in[i];
    a[1][i] = a[0][i] + 1;
    b[i] = in[i];
    b[i] = in[i] / 3 - a[1][i];
    b[i + 1] = 7;
  }
  for (int i = 1; i < n - 1; i++)
    out[i] = a[0][i - 1] * a[1][i + 1] - b[i] * b[i + 1];
#pragma endscop
}
`)
	q := inlined(t, p, []int{0, 1}).Program
	require.Len(t, q.Stmts, 1)
	require.Empty(t, differs(t, p, q, 6))
}

// TestParameterShift inlines what is stored at a distance that is a parameter, by loops of other names, with iterators in the value.
func TestParameterShift(t *testing.T) {
	p := program(t, `void f(int n, int m, double in[restrict n][n], double out[restrict n + m][n])
{
  double a[n + m][n];
#pragma scop
  for (unsigned i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[i + m][j] = in[i][j] * (i - 3u) + j;
  for (int k = m + 1; k < n + m; k++)
    for (int l = 1; l < n; l++)
      out[k][l] = a[k - 1][l] - a[k][l - 1] * a[n + m - 1][l];
#pragma endscop
}
`)
	q := inlined(t, p, []int{0, 1}).Program
	require.Len(t, q.Stmts, 1)
	require.Empty(t, differs(t, p, q, 8), "%v", q)
	text, err := ctext.Region(q)
	require.NoError(t, err)
	require.Contains(t, text, "in[k - m - 1][l] * ((unsigned int)k - (int)m - 1u - 3u) + l;")
}

// TestNames inlines values of nests whose variables are called as scalars, iterators and other variables of what reads them.
func TestNames(t *testing.T) {
	p := program(t, `void f(int n, double w, double in[restrict n], double out[restrict n])
{
  double a[n], b[n], a_1 = w;
#pragma scop
  for (int i = 0; i < n; i++) {
    double v = in[i] * w;
    v = v * v - a_1;
    a[i] = v + i;
  }
  for (int k = 1; k < n; k++) {
    double w = in[k] + 1, i = 2 * w, v = a[k - 1];
    b[k] = a[k] * w - i * v;
  }
  for (int v = 2; v < n; v++)
    out[v] = b[v] - b[v - 1] * w;
#pragma endscop
}
`)
	q := inlined(t, p, []int{0, 1, 2}).Program
	require.Len(t, q.Stmts, 1)
	require.Empty(t, differs(t, p, q, 6), "%v", q)
}

// TestMutants changes what Inline made in the ways in which it could be wrong: each leaves something else.
func TestMutants(t *testing.T) {
	p := program(t, diffusion)
	for name, mutate := range map[string]func(q *scop.Program){
		"shift off by one": func(q *scop.Program) {
			for _, x := range q.Stmts[0].Accesses {
				if x.Text == "q[t % 2][j][i + 2]" {
					x.Index[2].Const--
				}
			}
		},
		"value of another place": func(q *scop.Program) {
			for i, act := range q.Stmts[0].Body {
				if let, ok := act.(scop.Let); ok && let.Name == "f_2" {
					let.Value = q.Stmts[0].Body[i-1].(scop.Let).Value
					q.Stmts[0].Body[i] = let
				}
			}
		},
		"writer that is missing": func(q *scop.Program) { q.Stmts[0].Body = q.Stmts[0].Body[1:] },
	} {
		q := inlined(t, p, []int{0, 1, 2, 3}).Program
		require.Empty(t, differs(t, p, q, 4), name)
		mutate(q)
		wrong := func() (text string) {
			defer func() {
				if bug := recover(); bug != nil {
					text = fmt.Sprint(bug)
				}
			}()
			return differs(t, p, q, 4)
		}()
		require.NotEmpty(t, wrong, name)
	}
	for _, x := range typed[:7] { // no conversion where a value is stored
		if x.temporary == "double" {
			continue // it holds all values of a float
		}
		text := fmt.Sprintf("void f(int n, %s in[restrict n], %s out[restrict n])\n{\n  %s a[n];\n#pragma scop\n"+
			"  for (int i = 0; i < n - 1; i++)\n    a[i] = %s;\n  for (int k = 1; k < n - 1; k++)\n    out[k] = a[k];\n#pragma endscop\n}\n", x.in, x.out, x.temporary, x.value)
		p := program(t, text)
		q := inlined(t, p, []int{0, 1}).Program
		require.Empty(t, differs(t, p, q, 6), text)
		if !unconverted(q) {
			continue // the value has the type already
		}
		require.NotEmpty(t, differs(t, p, q, 6), "%s\n%v", text, q)
	}
}

// unconverted leaves out what converts the first value of q to the type of the temporary, and back, if there is such a conversion.
func unconverted(q *scop.Program) bool {
	let := q.Stmts[0].Body[0].(scop.Let)
	outer, ok := let.Value.(scop.Cast)
	if !ok {
		return false
	}
	value := outer.X
	if inner, ok := value.(scop.Cast); ok {
		value = inner.X
	}
	t := value.Type()
	let.Type, let.Value = t, value
	q.Stmts[0].Body[0] = let
	store := q.Stmts[0].Body[1].(scop.Store)
	store.Value = scop.Cast{T: store.To.Array.Elem, X: scop.Var{T: t, Name: let.Name, Kind: scop.LocalVar}}
	q.Stmts[0].Body[1] = store
	return true
}

// refused are bodies of a function of in, x, out and the local arrays a and b, and why the statements of the first group cannot share registers.
var refused = []struct{ body, groups, why string }{
	{"for (int i = 0; i < n; i++) x[i] = in[i]; for (int i = 0; i < n; i++) out[i] = x[i];", "0 1", "it may be seen outside of the region"},
	{"for (int i = 1; i < n; i++) a[i] = in[i]; for (int i = 1; i < n; i++) out[i] = a[i - 1];", "0 1", "S1 reads a[i - 1] where no instance of S0 stores it, as at S1["},
	{"for (int i = 0; i < 4; i++) a[i] = in[i]; for (int i = 4; i < n; i++) a[i] = 2 * in[i]; for (int i = 0; i < n; i++) out[i] = a[i];", "1 2", "S1 and S0 write it"},
	{"for (int i = 0; i < n; i++) a[i] = in[i]; for (int i = 0; i < n; i++) in[i] = 1; for (int i = 0; i < n; i++) out[i] = a[i];", "0 2", "it is made of in[i], which S1 has stored anew when S2 reads a"},
	{"for (int i = 0; i < n; i++) a[i] = in[i]; for (int i = 1; i < n; i++) in[i] = a[i - 1];", "0 1", "it is made of in[i], which S1 has stored anew when S1 reads a"},
	{"for (int i = 0; i < n; i++) { a[i] = in[i]; in[i] = 0; } for (int i = 0; i < n; i++) out[i] = a[i];", "0 1", "it is made of in[i], which S0 has stored anew"},
	{"for (int i = 0; i < n; i++) a[i] = a[i] + 1; for (int i = 0; i < n; i++) out[i] = a[i];", "0 1", "it is made of a[i], which S0 has stored anew"},
	{"for (int i = 0; i < n; i++) out[i] = a[i]; for (int i = 0; i < n; i++) a[i] = in[i];", "0 1", "of S0, S1 none reads what another one writes"},
	{"for (int i = 0; i < n; i++) if (in[i] > 0) a[i] = in[i]; for (int i = 0; i < n; i++) out[i] = a[i];", "0 1", "S0"},
	{"for (int i = 1; i < n; i++) { a[i] = in[i]; a[i - 1] = in[i] * 2; } for (int i = 1; i < n; i++) out[i] = a[i];", "0 1", "S0 stores it again before S1 reads it"},
	{"for (int i = 0; 2 * i < n; i++) a[2 * i] = in[i]; for (int i = 0; 2 * i < n; i++) out[i] = a[2 * i];", "0 1", "no subscript is i, a loop of S0, plus a number"},
	{"for (int i = 0; i < n; i++) a[i] = in[i]; for (int i = 0; 2 * i < n; i++) out[i] = a[2 * i];", "0 1", "subscript 1 of a[2 * i] is not one loop variable plus a number"},
	{"for (int i = 0; i < n; i++) a[i] = in[i]; for (int i = 0; i < n; i++) b[i] = in[i]; for (int i = 0; i < n; i++) out[i] = a[i] + b[i];", "0 1", "of S0, S1 none reads what another one writes"},
}

// TestRefused asks for groups that cannot be, says why not, and checks that they cannot.
func TestRefused(t *testing.T) {
	for _, x := range refused {
		p := program(t, fmt.Sprintf("void f(int n, double in[restrict n], double x[restrict n], double out[restrict n])\n{\n  double a[n], b[n];\n#pragma scop\n  %s\n#pragma endscop\n}\n",
			strings.ReplaceAll(x.body, "; for (", ";\n  for (")))
		var group []int
		for _, s := range strings.Fields(x.groups) {
			group = append(group, int(s[0]-'0'))
		}
		_, err := rewrite.Inline(p, [][]int{group})
		var list diag.List
		require.True(t, errors.As(err, &list), "%s: %v", x.body, err)
		require.Contains(t, list[0].Msg, x.why, x.body)
		require.NotEmpty(t, list[0].Help)
	}
}

// TestRandom inlines chains of random temporaries of one and two dimensions, in random groups: what is accepted leaves the same.
func TestRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	accepted, dropped := 0, 0
	for try := range 60 {
		n := 2 + rng.IntN(4)
		p := program(t, chain(rng, n))
		var group []int
		for i := range n + 1 {
			if rng.IntN(4) > 0 {
				group = append(group, i)
			}
		}
		r, err := rewrite.Inline(p, [][]int{group})
		if err != nil {
			var list diag.List
			require.True(t, errors.As(err, &list), err)
			continue
		}
		require.NoError(t, r.Program.Verify())
		accepted++
		dropped += len(p.Stmts) - len(r.Program.Stmts)
		require.Empty(t, differs(t, p, r.Program, 4), "%d %v\n%s\n%v", try, group, p.Source, r.Program)
	}
	require.Greater(t, accepted, 20)
	require.Greater(t, dropped, 20)
}

// chain returns a program of n temporaries and a result, of which each reads some of those before it, and sometimes what is stored later.
func chain(rng *rand.Rand, n int) string {
	types := []string{"double", "float", "int"}
	decl, nests := "", ""
	at := func() string {
		return fmt.Sprintf("[i%+d][j%+d]", rng.IntN(3)-1, rng.IntN(3)-1)
	}
	for k := range n + 1 {
		name := fmt.Sprintf("v%d", k)
		if k == n {
			name = "out"
		} else {
			decl += fmt.Sprintf("  %s %s[n][m];\n", types[rng.IntN(3)], name)
		}
		value := "in" + at()
		for range 1 + rng.IntN(3) {
			from := "in"
			if k > 0 && rng.IntN(4) > 0 {
				from = fmt.Sprintf("v%d", rng.IntN(k))
			}
			value += fmt.Sprintf(" %s %s%s", []string{"+", "-", "* 0.37 +"}[rng.IntN(3)], from, at())
		}
		if rng.IntN(3) == 0 {
			value += " + i - 2 * j"
		}
		target, margin := name, k+1
		if rng.IntN(9) == 0 && k < n {
			margin = k + 2
		}
		body := fmt.Sprintf("%s[i][j] = %s;", target, value)
		if rng.IntN(3) == 0 {
			body = fmt.Sprintf("{ double f = %s; %s[i][j] = f * 0.5 - f / 3; }", value, target)
		}
		if rng.IntN(12) == 0 && k > 0 && k < n {
			body = fmt.Sprintf("{ %s[i][j] = %s; in[i][j] = 1.5; }", target, value)
		}
		nests += fmt.Sprintf("    for (int i = %d; i < n - %d; i++)\n      for (int j = %d; j < m - %d; j++)\n        %s\n", margin, margin, margin, margin, body)
	}
	return fmt.Sprintf("void f(int T, int n, int m, double in[restrict n][m], double out[restrict n][m])\n{\n%s#pragma scop\n  for (int t = 0; t < T; t++) {\n%s  }\n#pragma endscop\n}\n", decl, nests)
}

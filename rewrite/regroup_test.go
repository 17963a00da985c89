package rewrite_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/rewrite"
	"github.com/hexcc/hexcc/scop"
)

// sums are cases whose sums can be regrouped, and how many operations a point then takes, before and after.
var sums = []struct {
	name        string
	before, now float64
}{
	{"gaussian-2d", 50.75, 31},
	{"heat-2d", 11, 7.75},
	{"heat-3d", 30, 16.5},
	{"heat-3d-27", 35, 19.5},
	{"poisson-2d", 10, 8.25},
	{"poisson-3d", 22, 18.75},
	{"wave-3d", 25, 21},
}

// written are programs of few lines, with what a sum may be made of.
var written = []struct {
	name, params, body string
	before, now        float64
}{
	{"box", "double A[restrict 2][n][n]", "A[(t + 1) % 2][i][j] = (A[t % 2][i - 1][j - 1] + A[t % 2][i - 1][j] + A[t % 2][i - 1][j + 1] + A[t % 2][i][j - 1] + A[t % 2][i][j] + A[t % 2][i][j + 1] + A[t % 2][i + 1][j - 1] + A[t % 2][i + 1][j] + A[t % 2][i + 1][j + 1]) * 0.11;",
		9, 5.5},
	{"products", "double A[restrict 2][n][n], double c[restrict n][n]",
		"A[(t + 1) % 2][i][j] = 0.5 * A[t % 2][i][j] + 0.125 * c[i][j - 1] * A[t % 2][i][j - 1] + c[i][j] * (0.125 * A[t % 2][i][j]) + A[t % 2][i][j + 1] * (0.125 * c[i][j + 1]);", 8.5, 6.25},
	{"scalars", "double a, double b, double A[restrict 2][n][n]",
		"A[(t + 1) % 2][i][j] = a * (A[t % 2][i - 1][j] - 2.0 * A[t % 2][i][j] + A[t % 2][i + 1][j]) + a * (A[t % 2][i][j - 1] - 2.0 * A[t % 2][i][j] + A[t % 2][i][j + 1]) + (1 - b) * A[t % 2][i][j];", 10.125, 8.125},
	{"quotients", "double A[restrict 2][n][n], double c[restrict n][n]",
		"A[(t + 1) % 2][i][j] = 0.2 * A[t % 2][i][j - 1] / c[i][j - 1] + A[t % 2][i][j] * 0.2 / c[i][j] + 0.2 * A[t % 2][i][j + 1] / c[i][j + 1];", 13.25, 13},
	{"negative", "float A[restrict 2][n][n]",
		"A[(t + 1) % 2][i][j] = -(0.1f * A[t % 2][i - 1][j - 1] + 0.1f * A[t % 2][i + 1][j - 1]) - 0.1f * A[t % 2][i - 1][j + 1] - 0.1f * A[t % 2][i + 1][j + 1] + 0.3f * A[t % 2][i][j];", 7.5, 5.25},
	{"converted", "float A[restrict 2][n][n]",
		"A[(t + 1) % 2][i][j] = 0.11 * A[t % 2][i - 1][j - 1] + 0.11 * A[t % 2][i - 1][j] + 0.11 * A[t % 2][i - 1][j + 1] + 0.11 * A[t % 2][i][j];", 5.25, 4},
	{"variable", "double A[restrict 2][n][n]",
		"double x = A[t % 2][i - 1][j - 1] * 0.125 + A[t % 2][i + 1][j - 1] * 0.125 + A[t % 2][i - 1][j + 1] * 0.125 + A[t % 2][i + 1][j + 1] * 0.125; A[(t + 1) % 2][i][j] = x * x - fabs(x);", 0, 0},
	{"choice", "double A[restrict 2][n][n]",
		"A[(t + 1) % 2][i][j] = A[t % 2][i][j] > 0.5 ? 0.25 * A[t % 2][i][j - 1] + 0.25 * A[t % 2][i][j + 1] : 0.125 * A[t % 2][i - 1][j] + 0.125 * A[t % 2][i + 1][j];", 0, 0},
	{"inplace", "double A[restrict n][n]",
		"A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) * 0.11;", -1, -1},
	{"kept", "float A[restrict 2][n][n], unsigned K[restrict 2][n][n]",
		"A[(t + 1) % 2][i][j] = 0.1f * A[t % 2][i][j - 1] + 0.2f * A[t % 2][i][j] + 0.3f * A[t % 2][i][j + 1]; K[(t + 1) % 2][i][j] = 3 * K[t % 2][i][j - 1] + 3 * K[t % 2][i][j + 1] + 3 * K[t % 2][i][j];", -1, -1},
	{"reciprocals", "double A[restrict 2][n][n], double c[restrict n][n]",
		"A[(t + 1) % 2][i][j] = 0.5 * A[t % 2][i][j] + 0.125 * A[t % 2][i - 1][j] - 0.125 * (2.0 / c[i][j] - A[t % 2][i + 1][j]) - (1.0 / c[i][j]);", 23, 22},
	{"columns", "double A[restrict 2][n][n]",
		"double l = A[t % 2][i - 1][j - 1] + A[t % 2][i][j - 1] + A[t % 2][i + 1][j - 1], m = A[t % 2][i - 1][j] + A[t % 2][i][j] + A[t % 2][i + 1][j], r = A[t % 2][i - 1][j + 1] + A[t % 2][i][j + 1] + A[t % 2][i + 1][j + 1]; A[(t + 1) % 2][i][j] = (l + m + r) * 0.11;",
		9, 5.5},
	{"rows", "double A[restrict 2][n][n]",
		"double u = A[t % 2][i - 1][j - 1] + A[t % 2][i - 1][j] + A[t % 2][i - 1][j + 1], m = A[t % 2][i][j - 1] + A[t % 2][i][j] + A[t % 2][i][j + 1], d = A[t % 2][i + 1][j - 1] + A[t % 2][i + 1][j] + A[t % 2][i + 1][j + 1]; A[(t + 1) % 2][i][j] = (u + m + d) * 0.11;",
		9, 5.5},
	{"accumulated", "float A[restrict 2][n][n]",
		"float s = 0.0f; for (int a = -1; a <= 1; a++) for (int b = -1; b <= 1; b++) s += 0.11f * A[t % 2][i + a][j + b]; A[(t + 1) % 2][i][j] = s;", 12.75, 5.5},
	{"several uses", "double A[restrict 2][n][n], double B[restrict n][n]",
		"double s = 0.25 * A[t % 2][i - 1][j - 1] + 0.25 * A[t % 2][i + 1][j - 1]; A[(t + 1) % 2][i][j] = s + 0.25 * A[t % 2][i - 1][j + 1] + 0.25 * A[t % 2][i + 1][j + 1]; B[i][j] = s + A[t % 2][i - 1][j] + A[t % 2][i + 1][j];", 7.5, 5.5},
	{"set again", "double A[restrict 2][n][n], double c[restrict n][n]",
		"double s = A[t % 2][i - 1][j - 1] + A[t % 2][i - 1][j]; s = s + A[t % 2][i - 1][j + 1]; double u = s * c[i][j]; s = A[t % 2][i + 1][j - 1] + A[t % 2][i - 1][j - 1] + A[t % 2][i + 1][j]; s += A[t % 2][i - 1][j] + A[t % 2][i + 1][j + 1] + A[t % 2][i - 1][j + 1]; A[(t + 1) % 2][i][j] = 0.1 * s - 0.01 * u;", 11, 7.5},
	{"wider variable", "float A[restrict 2][n][n]", // sums in double are rounded once they are sums
		"double s = A[t % 2][i][j - 1]; s = s + A[t % 2][i][j]; float r = s + A[t % 2][i][j + 1]; A[(t + 1) % 2][i][j] = r * 0.3f;", -1, -1},
	{"stored over", "double A[restrict n][n], double B[restrict n][n]",
		"double s = B[i - 1][j - 1] + B[i + 1][j - 1] + B[i - 1][j] + B[i + 1][j]; B[i][j] = A[i][j]; A[i][j] = s + B[i - 1][j + 1] + B[i + 1][j + 1];", -1, -1},
	{"rounded", "float A[restrict 2][n][n]",
		"A[(t + 1) % 2][i][j] = (float)(0.11 * A[t % 2][i][j - 1]) + (float)(0.11 * A[t % 2][i][j]) + (float)(0.11 * A[t % 2][i][j + 1]);", -1, -1},
}

func writtenText(params, body string) string {
	return fmt.Sprintf("#include <math.h>\nvoid f(int T, int n, %s)\n{\n#pragma scop\n  for (int t = 0; t < T; t++)\n    for (int i = 1; i < n - 1; i++)\n      for (int j = 1; j < n - 1; j++) {\n        %s\n      }\n#pragma endscop\n}\n", params, body)
}

// TestRegrouped regroups sums, proves that, and compares with the program of the source, within the tolerance; and with products fused. TestPrograms runs them as C.
func TestRegrouped(t *testing.T) {
	type regrouped struct {
		name, text  string
		before, now float64
	}
	var all []regrouped
	for _, x := range sums {
		all = append(all, regrouped{x.name, cases.Input(t, x.name), x.before, x.now})
	}
	for _, x := range written {
		all = append(all, regrouped{x.name, writtenText(x.params, x.body), x.before, x.now})
	}
	rng := rand.New(rand.NewPCG(11, 12))
	worst := scop.Rounding{}
	for _, x := range all {
		p := program(t, x.text)
		r := rewrite.Reassociate(p, false, rewrite.AnyLoop)
		if x.before < 0 {
			require.Nil(t, r, "%s: %v", x.name, r)
			continue
		}
		require.NotNil(t, r, x.name)
		require.NoError(t, r.Verify())
		require.Same(t, p, r.Program.AsWritten())
		require.Same(t, r.Program, r.Program.Original())
		require.True(t, r.Prove().Holds, "%v", r.Prove())
		text, err := ctext.Region(r.Program)
		require.NoError(t, err)
		if x.before > 0 {
			require.Equal(t, x.before, r.Stmts[0].Before, "%s\n%s", x.name, text)
			require.Equal(t, x.now, r.Stmts[0].Now, "%s\n%s", x.name, text)
		}
		own := scop.Rounding{}
		for i := range 3 {
			mem, err := scop.NewMemory(p, oracle.RandomParams(p, rng, i), uint64(i))
			require.NoError(t, err)
			own.Add(near(t, r.Program, mem))
		}
		t.Logf("%s: of the source: %v", x.name, &own)
		worst.Add(own)
	}
	require.Positive(t, worst.Differ)
}

// near returns how far what p leaves lies from what the program of the source does, with products fused and without.
func near(t testing.TB, p *scop.Program, mem *scop.Memory) (all scop.Rounding) {
	t.Helper()
	written := mem.Clone()
	require.NoError(t, scop.RunAsWritten(p, written, nil))
	for _, q := range []*scop.Program{p, scop.Fused(p)} {
		got := mem.Clone()
		require.NoError(t, scop.RunOriginal(q, got, nil))
		r := got.CompareRounded(written, mem)
		require.True(t, r.OK(), "%s: %v\n%v", mem.Sizes(), r, q)
		all.Add(r)
	}
	return all
}

// loops returns that one, or any.
func loops(along string) rewrite.Loops {
	if along == "" {
		return rewrite.AnyLoop
	}
	return func(*scop.Stmt) []string { return []string{along} }
}

// TestRegroupedAlong: points are neighbours along the loop that is named, or else that for which it saves most.
func TestRegroupedAlong(t *testing.T) {
	p := program(t, writtenText(written[0].params, written[0].body))
	for along, want := range map[string]string{"": "j", "i": "i", "j": "j"} {
		r := rewrite.Reassociate(p, false, loops(along))
		require.Equal(t, want, r.Stmts[0].Along)
		require.Equal(t, 5.5, r.Stmts[0].Now)
	}
	text, err := ctext.Region(rewrite.Reassociate(p, false, loops("j")).Program)
	require.NoError(t, err)
	flat := strings.Join(strings.Fields(text), " ")
	for _, column := range []string{"- 1", "", "+ 1"} {
		at := strings.TrimSpace("j " + column)
		require.Contains(t, flat, fmt.Sprintf("(A[t %% 2][i - 1][%[1]s] + A[t %% 2][i][%[1]s] + A[t %% 2][i + 1][%[1]s]", at)[1:], flat)
	}
	alone := func(*scop.Stmt) []string { return nil }
	require.Nil(t, rewrite.Reassociate(p, false, alone), "a point alone has no parts in common with others")
	factors := rewrite.Reassociate(program(t, cases.Input(t, "heat-3d-27")), false, alone)
	require.Equal(t, rewrite.Regrouped{Stmt: factors.Stmts[0].Stmt, Points: 1, Before: 35, Now: 30}, factors.Stmts[0])
	factors = rewrite.Reassociate(program(t, writtenText(written[2].params, written[2].body)), false, alone)
	require.Equal(t, rewrite.Regrouped{Stmt: factors.Stmts[0].Stmt, Points: 1, Before: 11, Now: 9}, factors.Stmts[0])
	upright := program(t, writtenText("double A[restrict 2][n][n]", // rows of one weight each
		"A[(t + 1) % 2][i][j] = A[t % 2][i - 1][j - 1] + 0.3 * A[t % 2][i][j - 1] + 0.7 * A[t % 2][i + 1][j - 1] + A[t % 2][i - 1][j] + 0.3 * A[t % 2][i][j] + 0.7 * A[t % 2][i + 1][j] + A[t % 2][i - 1][j + 1] + 0.3 * A[t % 2][i][j + 1] + 0.7 * A[t % 2][i + 1][j + 1];"))
	require.Equal(t, "i", rewrite.Reassociate(upright, false, rewrite.AnyLoop).Stmts[0].Along)
}

// random returns a sum of a random box, with few coefficients, in a random order.
func random(rng *rand.Rand) string {
	elem, suffix := "double", ""
	if rng.IntN(2) == 0 {
		elem, suffix = "float", "f"
	}
	weights := []string{"0.1", "0.05", "0.2", "-0.1", "0.0625", "0.03125", "a", "a * 0.25", "0.3 * a"}
	weights = weights[rng.IntN(3) : 3+rng.IntN(len(weights)-2)]
	var terms []string
	box := 1 + rng.IntN(2)
	for i := -box; i <= box; i++ {
		for j := -box; j <= box; j++ {
			w := weights[(i*i+j*j*(1+rng.IntN(8)/7))%len(weights)]
			x := fmt.Sprintf("A[t %% 2][i + %d][j + %d]", i, j)
			switch rng.IntN(12) {
			case 0:
				continue
			case 1:
				x += fmt.Sprintf(" * c[i + %d][j + %d]", i, j)
			case 2:
				x = fmt.Sprintf("(%s - A[t %% 2][i][j])", x)
			case 3:
				x = fmt.Sprintf("(-%s) / (2 + c[i][j + %d] * c[i][j + %d])", x, j, j)
			case 4:
				x = fmt.Sprintf("3 / (2 + c[i][j + %d] * (0.5 * %s - A[t %% 2][i][j + %d] * 0.5))", j, x, j)
			case 5:
				x = fmt.Sprintf("(double)(%s - 0.25 * A[t %% 2][i][j + %d])", x, j)
			}
			terms = append(terms, strings.ReplaceAll(strings.ReplaceAll(w+" * "+x, "25 *", "25"+suffix+" *"), "+ -", "- "))
		}
	}
	if len(terms) == 0 {
		terms = []string{"A[t % 2][i][j]"}
	}
	rng.Shuffle(len(terms), func(i, j int) { terms[i], terms[j] = terms[j], terms[i] })
	text := strings.Join(terms, " + ")
	if rng.IntN(2) == 0 {
		text = fmt.Sprintf("0.25 * (%s)", text)
	}
	return fmt.Sprintf("void f(int T, int n, %[1]s a, %[1]s c[restrict n][n], %[1]s A[restrict 2][n][n])\n{\n#pragma scop\n  for (int t = 0; t < T; t++)\n    for (int i = %[3]d; i < n - %[3]d; i++)\n      for (int j = %[3]d; j < n - %[3]d; j++)\n        A[(t + 1) %% 2][i][j] = %[2]s;\n#pragma endscop\n}\n", elem, text, box)
}

// TestRegroupedRandom regroups random sums: what comes of it is proved, takes fewer operations, and lies near the source.
func TestRegroupedRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	regrouped := 0
	for range 60 {
		p := program(t, random(rng))
		for _, fma := range []bool{false, true} {
			r := rewrite.Reassociate(p, fma, rewrite.AnyLoop)
			if r == nil {
				continue
			}
			regrouped++
			require.True(t, r.Prove().Holds, "%v\n%v", r.Prove(), r.Program)
			require.Less(t, r.Stmts[0].Now, r.Stmts[0].Before+1e-9)
			mem, err := scop.NewMemory(p, []int64{2, 9}, rng.Uint64())
			require.NoError(t, err)
			near(t, r.Program, mem)
		}
	}
	require.Greater(t, regrouped, 60)
}

// TestSumsMutants changes what was regrouped: the proof says so each time, whatever the data.
func TestSumsMutants(t *testing.T) {
	texts := map[string]string{}
	for _, x := range sums {
		texts[x.name] = cases.Input(t, x.name)
	}
	for _, x := range written {
		texts[x.name] = writtenText(x.params, x.body)
	}
	for name, text := range texts {
		p := program(t, text)
		r := rewrite.Reassociate(p, false, rewrite.AnyLoop)
		if r == nil {
			continue
		}
		n := 0
		for i, s := range r.Program.Stmts {
			for k, act := range s.Body {
				for _, value := range mutants(scop.Assigned(act)) {
					q := *r.Program
					q.Stmts = slices.Clone(q.Stmts)
					other := *s
					other.Body = slices.Clone(s.Body)
					switch a := act.(type) {
					case scop.Let:
						a.Value, other.Body[k] = value, nil
						other.Body[k] = a
					case scop.Store:
						a.Value = value
						other.Body[k] = a
					}
					q.Stmts[i] = &other
					proof := rewrite.ProveSums(p, &q)
					require.False(t, proof.Holds, "%s: %v", name, value)
					require.NotEmpty(t, proof.Violation)
					n++
				}
			}
		}
		require.Greater(t, n, 10, name)
	}
}

// mutants returns e with one change each: a term dropped, another sign, another factor, another place of an element.
func mutants(e scop.Expr) (all []scop.Expr) {
	with := func(inner scop.Expr, f func(scop.Expr) scop.Expr) {
		for _, m := range mutants(inner) {
			all = append(all, f(m))
		}
	}
	switch e := e.(type) {
	case scop.Const:
		e.F, e.Text = e.F*1.0000001+0x1p-20, ""
		if e.T.IsFloat() {
			all = append(all, e)
		}
	case scop.Read:
		moved := *e.From
		moved.Index = slices.Clone(moved.Index)
		moved.Index[len(moved.Index)-1].Const++
		all = append(all, scop.Read{From: &moved})
	case scop.Unary:
		with(e.X, func(x scop.Expr) scop.Expr { return scop.Unary{Op: e.Op, X: x} })
	case scop.Cast:
		with(e.X, func(x scop.Expr) scop.Expr { return scop.Cast{T: e.T, X: x} })
	case scop.Cond:
		with(e.X, func(x scop.Expr) scop.Expr { return scop.Cond{C: e.C, X: x, Y: e.Y} })
		with(e.Y, func(y scop.Expr) scop.Expr { return scop.Cond{C: e.C, X: e.X, Y: y} })
	case scop.Call:
		with(e.Args[0], func(x scop.Expr) scop.Expr {
			return scop.Call{T: e.T, Func: e.Func, Args: append([]scop.Expr{x}, e.Args[1:]...)}
		})
	case scop.Binary:
		switch e.Op {
		case "+":
			all = append(all, e.X, e.Y, scop.Binary{Op: "-", X: e.X, Y: e.Y})
		case "-":
			all = append(all, e.X, scop.Binary{Op: "+", X: e.X, Y: e.Y}, scop.Binary{Op: "-", X: e.Y, Y: e.X})
		case "*":
			all = append(all, e.X, e.Y)
		}
		with(e.X, func(x scop.Expr) scop.Expr { return scop.Binary{Op: e.Op, X: x, Y: e.Y} })
		with(e.Y, func(y scop.Expr) scop.Expr { return scop.Binary{Op: e.Op, X: e.X, Y: y} })
	}
	return all
}

// TestRegroupedAll regroups all cases and idioms: what comes of it is proved and lies near the source.
func TestRegroupedAll(t *testing.T) {
	var regrouped atomic.Int64
	try := func(t *testing.T, name, text string) {
		res, err := frontend.Parse(frontend.Source{Name: name + ".c", Text: []byte(text)}, frontend.Options{NoAlias: true})
		require.NoError(t, err, name)
		for _, p := range res.Programs {
			p = scop.WithCoefficients(p)
			r := rewrite.Reassociate(p, false, rewrite.AnyLoop)
			if r == nil {
				continue
			}
			regrouped.Add(1)
			require.True(t, r.Prove().Holds, "%s: %v", name, r.Prove())
			require.NoError(t, r.Verify())
			mem, err := scop.NewMemory(p, oracle.RandomParams(p, rand.New(rand.NewPCG(1, 2)), 1), 3)
			require.NoError(t, err, name)
			near(t, r.Program, mem)
			t.Log(name, r)
		}
	}
	for _, x := range cases.All(t) {
		try(t, x.Name, x.Text)
	}
	t.Run("idioms", func(t *testing.T) {
		cases.EachNthIdiom(t, 3, 2, func(t *testing.T, x cases.Idiom) { try(t, x.Name, x.Text) })
	})
	require.Greater(t, regrouped.Load(), int64(8))
}

// TestSharing: models count what neighbours have in common once, where code has several points along that loop, until another rewrite changes the body.
func TestSharing(t *testing.T) {
	p := program(t, cases.Input(t, "heat-2d"))
	plain := float64(p.Stmts[0].Operations())
	require.Equal(t, plain, p.Stmts[0].OperationsInRow())
	row := rewrite.Reassociate(p, false, loops("j")).Program.Stmts[0]
	require.Equal(t, 7.75, row.OperationsInRow())
	require.Equal(t, float64(row.Operations()), row.OperationsAcross())
	across := rewrite.Reassociate(p, false, loops("i")).Program.Stmts[0]
	require.Equal(t, 7.75, across.OperationsAcross())
	require.Equal(t, float64(across.Operations()), across.OperationsInRow())
	require.Nil(t, p.Stmts[0].Sharing)
	line := rewrite.Reassociate(program(t, `void f(int T, int n, double c[restrict n], double A[restrict 2][n])
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = 0.25 * c[i - 1] * A[t % 2][i - 1] + 0.25 * c[i + 1] * A[t % 2][i + 1] + 0.5 * c[i] * A[t % 2][i];
#pragma endscop
}
`), false, rewrite.AnyLoop).Program.Stmts[0]
	require.Equal(t, line.OperationsInRow(), line.OperationsAcross())
	require.Less(t, line.OperationsInRow(), float64(line.Operations()))
}

// TestSumsOfVariables: a variable is put into a sum only where the proof shows that what it is made of is the same there.
func TestSumsOfVariables(t *testing.T) {
	text := func(body string) string {
		return writtenText("double A[restrict n][n], double B[restrict n][n]", body)
	}
	for _, x := range []struct {
		body string
		same bool
	}{
		{"double s = B[i][j - 1] + B[i][j + 1]; A[i][j] = s + 1.5;", true},
		{"double s = B[i][j - 1] + B[i][j + 1]; B[i][j] = 2; A[i][j] = s + 1.5;", false},              // it is stored over meanwhile
		{"double r = B[i][j]; double s = r + 3; r = A[i][j]; A[i][j] = s + r * r;", false},            // and so is a variable
		{"double s = B[i][j - 1] + B[i][j + 1]; A[i][j] = s + 1.5; B[i][j] = s;", true},               // at both places
		{"double s = B[i][j] + 1; s = s * 2; A[i][j] = s + 1.5;", false},                              // of two values the first
		{"float s = B[i][j - 1] + B[i][j + 1]; A[i][j] = s + 1.5;", true},                             // with what rounds it
		{"double s = B[i][j - 1] + B[i][j + 1]; double u = s; A[i][j] = u + 1.5; B[i][j] = u;", true}, // into another variable
	} {
		p := program(t, text(x.body))
		q, s := *p, *p.Stmts[0]
		at := slices.IndexFunc(s.Body, func(act scop.Action) bool { let, ok := act.(scop.Let); return ok && let.Name == "s" })
		let := s.Body[at].(scop.Let)
		s.Body = scop.WithValues(slices.Concat(s.Body[:at], s.Body[at+1:]), func(e scop.Expr) scop.Expr { return put(e, let) })
		q.Stmts = []*scop.Stmt{&s}
		require.Equal(t, x.same, rewrite.ProveSums(p, &q).Holds, "%s: %v", x.body, rewrite.ProveSums(p, &q))
		if cast, ok := let.Value.(scop.Cast); ok {
			let.Value, s.Body = cast.X, slices.Concat(p.Stmts[0].Body[:at], p.Stmts[0].Body[at+1:])
			s.Body = scop.WithValues(s.Body, func(e scop.Expr) scop.Expr { return put(e, let) })
			require.False(t, rewrite.ProveSums(p, &q).Holds, "%s: %v", x.body, s.Body)
		}
		unput := *p.Stmts[0] // without the value
		unput.Body = slices.Concat(unput.Body[:at], unput.Body[at+1:])
		q.Stmts = []*scop.Stmt{&unput}
		require.False(t, rewrite.ProveSums(p, &q).Holds, x.body)
	}
}

// put returns e with its value in place of a variable.
func put(e scop.Expr, let scop.Let) scop.Expr {
	switch e := e.(type) {
	case scop.Var:
		if e.Name == let.Name {
			return let.Value
		}
	case scop.Binary:
		e.X, e.Y = put(e.X, let), put(e.Y, let)
		return e
	case scop.Cast:
		e.X = put(e.X, let)
		return e
	}
	return e
}

// TestRegroupedPlanes: along the outer loop of a volume, sums are regrouped to sums within planes, of which a point takes one, or a few, from each plane in place of its elements. (ARTEMIS, section III-B2, calls
// it retiming, and adds each plane to the results that need it.)
func TestRegroupedPlanes(t *testing.T) {
	var box []string
	for k := range 27 {
		box = append(box, fmt.Sprintf("a[t %% 2][i + %d][j + %d][k + %d]", k/9-1, k/3%3-1, k%3-1))
	}
	boxText := "void f(int T, int n, double a[restrict 2][n][n][n])\n{\n#pragma scop\n  for (int t = 0; t < T; t++)\n    for (int i = 1; i < n - 1; i++)\n      for (int j = 1; j < n - 1; j++)\n        for (int k = 1; k < n - 1; k++)\n          a[(t + 1) % 2][i][j][k] = 0.03 * (" +
		strings.Join(box, " + ") + ");\n#pragma endscop\n}\n"
	for _, x := range []struct {
		name, text    string
		elements, now int // of a plane: that a point takes from all, and then
	}{
		{"box", boxText, 9, 1},
		{"heat-3d-27", cases.Input(t, "heat-3d-27"), 9, 3},
		{"heat-3d", cases.Input(t, "heat-3d"), 9, 1},
		{"poisson-3d", cases.Input(t, "poisson-3d"), 9, 4},
	} {
		p := program(t, x.text)
		r := rewrite.Reassociate(p, false, loops("i"))
		require.NotNil(t, r, x.name)
		elements := map[string]bool{}
		p.Stmts[0].Visit(func(e scop.Expr) {
			if _, ok := e.(scop.Read); ok {
				_, text, _ := plane(e)
				elements[text] = true
			}
		})
		require.Equal(t, x.elements, len(elements), x.name)
		require.Equal(t, x.now, len(inPlanes(r.Program.Stmts[0])), "%s\n%v\n%v", x.name, inPlanes(r.Program.Stmts[0]), r.Program)
	}
}

// inPlanes returns the largest parts of what s computes that are made of elements with one subscript i, whatever it is, but for factors that are the same everywhere.
func inPlanes(s *scop.Stmt) map[string]bool {
	all := map[string]bool{}
	var add func(e scop.Expr)
	add = func(e scop.Expr) {
		at, text, ok := plane(e)
		switch b, isBinary := e.(scop.Binary); {
		case isBinary && b.Op == "*" && fixed(b.X):
			add(b.Y)
		case isBinary && b.Op == "*" && fixed(b.Y):
			add(b.X)
		case ok && at != "":
			all[text] = true
		case isBinary:
			add(b.X)
			add(b.Y)
		}
	}
	for _, act := range s.Body {
		add(scop.Assigned(act))
	}
	return all
}

// fixed reports whether e reads nothing.
func fixed(e scop.Expr) bool {
	reads := false
	scop.Visit(e, func(e scop.Expr) { _, ok := e.(scop.Read); reads = reads || ok })
	return !reads
}

// plane returns the subscript i of all elements of e, "" for none, and e without it.
func plane(e scop.Expr) (at, text string, ok bool) {
	switch e := e.(type) {
	case scop.Read:
		return fmt.Sprint(e.From.Index[1].Const), fmt.Sprint(e.From.Array.Name, e.From.Index[2:]), true
	case scop.Binary:
		at, x, ok := plane(e.X)
		other, y, also := plane(e.Y)
		if at == "" {
			at = other
		}
		return at, "(" + x + e.Op + y + ")", ok && also && (other == "" || at == other)
	}
	return "", fmt.Sprint(e), fixed(e)
}

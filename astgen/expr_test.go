package astgen_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen"
)

var names = []string{"N", "S0", "T", "b0"}

// TestRules checks each simplification by its two sides.
func TestRules(t *testing.T) {
	n, s, b := astgen.Var("N"), astgen.Var("S0"), astgen.Var("b0")
	cases := []struct {
		name string
		got  astgen.Expr
		want string
	}{
		{"x + y - x => y", n.Plus(b).Minus(n), "b0"},
		{"terms in the order of names", b.Times(-2).Plus(n).Add(-3), "N - 2*b0 - 3"},
		{"0*x => 0", n.Times(0), "0"},
		{"x/1 => x", astgen.Floor(n.Add(2), 1), "N + 2"},
		{"c/d => floor", astgen.Floor(astgen.Num(-7), 3), "-3"},
		{"(d*x + c)/d => x + floor(c/d)", astgen.Floor(n.Times(4).Add(-5), 4), "N - 2"},
		{"(2*x + c)/4 => (x + floor(c/2))/2", astgen.Floor(n.Times(2).Add(5), 4), "floord(N + 2, 2)"},
		{"(x/c)/d => x/(c*d)", astgen.Floor(astgen.Floor(n, 3), 4), "floord(N, 12)"},
		{"ceil", astgen.Ceil(n.Add(-1), 12), "floord(N + 10, 12)"},
		{"(d*x + y) mod d => y mod d", astgen.Modulo(n.Times(6).Plus(s).Add(5), 3), "mod(S0 + 2, 3)"},
		{"c mod d => number", astgen.Modulo(n.Times(-2).Add(-1), 2), "1"},
		{"-x mod d => (d-1)*x mod d", astgen.Modulo(n.Times(-1), 3), "mod(2*N, 3)"},
		{"min(x, x + 1) => x", astgen.MinOf(n.Add(1), n, astgen.Num(4), astgen.Num(3)), "min(N, 3)"},
		{"max of quotients", astgen.MaxOf(astgen.Floor(n, 5), astgen.Floor(n.Add(2), 5)), "floord(N + 2, 5)"},
		{"min(min(x, y), x) => min(x, y)", astgen.MinOf(astgen.MinOf(n, b), n), "min(N, b0)"},
		{"offset goes inside", astgen.Offset(astgen.MaxOf(n, astgen.Floor(b, 3)), -2), "max(N - 2, floord(b0 - 6, 3))"},
		{"substitution simplifies", astgen.Subst(astgen.Floor(n.Plus(b), 4), map[string]astgen.Sum{"N": s.Times(4), "b0": astgen.Num(9)}), "S0 + 2"},
	}
	for _, c := range cases {
		require.Equal(t, c.want, fmt.Sprint(c.got), c.name)
	}
}

// A pair is an expression built by the rules, and the same built without them.
type pair struct{ simple, plain astgen.Expr }

func randomSum(rng *rand.Rand) astgen.Sum {
	x := astgen.Num(rng.Int64N(21) - 10)
	for _, name := range names {
		if rng.IntN(2) == 0 {
			x = x.Plus(astgen.Var(name).Times(rng.Int64N(13) - 6))
		}
	}
	return x
}

func randomPair(rng *rand.Rand, depth int) pair {
	if depth == 0 {
		x := randomSum(rng)
		return pair{x, x}
	}
	x, y, d := randomPair(rng, depth-1), randomPair(rng, depth-1), rng.Int64N(6)+1
	switch rng.IntN(4) {
	case 0:
		return pair{astgen.MinOf(x.simple, y.simple, x.simple), astgen.Min{Args: []astgen.Expr{x.plain, y.plain}}}
	case 1:
		return pair{astgen.MaxOf(x.simple, y.simple), astgen.Max{Args: []astgen.Expr{x.plain, y.plain, x.plain}}}
	case 2:
		if s, ok := x.simple.(astgen.Sum); ok {
			return pair{astgen.Modulo(s, d), astgen.Mod{X: x.plain, D: d}}
		}
	}
	return pair{astgen.Floor(x.simple, d), astgen.FloorDiv{X: x.plain, D: d}}
}

// TestExpressionsKeepTheirValue compares both sides of random expressions.
func TestExpressionsKeepTheirValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		p := randomPair(rng, rng.IntN(4))
		by := map[string]astgen.Sum{"T": randomSum(rng)}
		swapped := astgen.Subst(p.simple, by)
		for range 10 {
			env := map[string]int64{}
			for _, name := range names {
				env[name] = rng.Int64N(41) - 20
			}
			require.Equal(t, astgen.Eval(p.plain, env), astgen.Eval(p.simple, env), "%v => %v at %v", p.plain, p.simple, env)
			inner := map[string]int64{}
			for k, v := range env {
				inner[k] = v
			}
			inner["T"] = astgen.Eval(by["T"], env)
			require.Equal(t, astgen.Eval(p.plain, inner), astgen.Eval(swapped, env), "%v at T = %v", p.plain, by["T"])
		}
	}
}

// TestTighten checks that a row keeps its integers, and Solve that its bound is theirs.
func TestTighten(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		row := randomSum(rng)
		lo, hi := astgen.Solve(row, "T")
		for v := int64(-30); v <= 30; v++ {
			env := map[string]int64{"N": 3, "S0": -2, "b0": 5, "T": v}
			holds := astgen.Eval(row, env) >= 0
			require.Equal(t, holds, astgen.Eval(row.Tighten(), env) >= 0, "%v", row)
			if lo != nil {
				require.Equal(t, holds, v >= astgen.Eval(lo, env), "%v: %v", row, lo)
			}
			if hi != nil {
				require.Equal(t, holds, v <= astgen.Eval(hi, env), "%v: %v", row, hi)
			}
		}
	}
}

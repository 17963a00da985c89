package affine_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
)

var names = []string{"N", "S0", "T", "b0"}

// TestRules checks each simplification by its two sides.
func TestRules(t *testing.T) {
	n, s, b := affine.Var("N"), affine.Var("S0"), affine.Var("b0")
	cases := []struct {
		name string
		got  affine.Expr
		want string
	}{
		{"x + y - x => y", n.Plus(b).Minus(n), "b0"},
		{"terms in the order of names", b.Times(-2).Plus(n).Add(-3), "N - 2*b0 - 3"},
		{"0*x => 0", n.Times(0), "0"},
		{"x/1 => x", affine.Floor(n.Add(2), 1), "N + 2"},
		{"c/d => floor", affine.Floor(affine.Num(-7), 3), "-3"},
		{"(d*x + c)/d => x + floor(c/d)", affine.Floor(n.Times(4).Add(-5), 4), "N - 2"},
		{"(2*x + c)/4 => (x + floor(c/2))/2", affine.Floor(n.Times(2).Add(5), 4), "floord(N + 2, 2)"},
		{"(x/c)/d => x/(c*d)", affine.Floor(affine.Floor(n, 3), 4), "floord(N, 12)"},
		{"ceil", affine.Ceil(n.Add(-1), 12), "floord(N + 10, 12)"},
		{"(d*x + y) mod d => y mod d", affine.Modulo(n.Times(6).Plus(s).Add(5), 3), "mod(S0 + 2, 3)"},
		{"c mod d => number", affine.Modulo(n.Times(-2).Add(-1), 2), "1"},
		{"-x mod d => (d-1)*x mod d", affine.Modulo(n.Times(-1), 3), "mod(2*N, 3)"},
		{"min(x, x + 1) => x", affine.MinOf(n.Add(1), n, affine.Num(4), affine.Num(3)), "min(N, 3)"},
		{"max of quotients", affine.MaxOf(affine.Floor(n, 5), affine.Floor(n.Add(2), 5)), "floord(N + 2, 5)"},
		{"min(min(x, y), x) => min(x, y)", affine.MinOf(affine.MinOf(n, b), n), "min(N, b0)"},
		{"offset goes inside", affine.Offset(affine.MaxOf(n, affine.Floor(b, 3)), -2), "max(N - 2, floord(b0 - 6, 3))"},
		{"substitution simplifies", affine.Subst(affine.Floor(n.Plus(b), 4), map[string]affine.Sum{"N": s.Times(4), "b0": affine.Num(9)}), "S0 + 2"},
	}
	for _, c := range cases {
		require.Equal(t, c.want, fmt.Sprint(c.got), c.name)
	}
}

// A pair is an expression built by the rules, and the same built without them.
type pair struct{ simple, plain affine.Expr }

func randomSum(rng *rand.Rand) affine.Sum {
	x := affine.Num(rng.Int64N(21) - 10)
	for _, name := range names {
		if rng.IntN(2) == 0 {
			x = x.Plus(affine.Var(name).Times(rng.Int64N(13) - 6))
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
		return pair{affine.MinOf(x.simple, y.simple, x.simple), affine.Min{Args: []affine.Expr{x.plain, y.plain}}}
	case 1:
		return pair{affine.MaxOf(x.simple, y.simple), affine.Max{Args: []affine.Expr{x.plain, y.plain, x.plain}}}
	case 2:
		if s, ok := x.simple.(affine.Sum); ok {
			return pair{affine.Modulo(s, d), affine.Mod{X: x.plain, D: d}}
		}
	}
	return pair{affine.Floor(x.simple, d), affine.FloorDiv{X: x.plain, D: d}}
}

// TestExpressionsKeepTheirValue compares both sides of random expressions.
func TestExpressionsKeepTheirValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		p := randomPair(rng, rng.IntN(4))
		by := map[string]affine.Sum{"T": randomSum(rng)}
		swapped := affine.Subst(p.simple, by)
		for range 10 {
			env := map[string]int64{}
			for _, name := range names {
				env[name] = rng.Int64N(41) - 20
			}
			require.Equal(t, affine.Eval(p.plain, env), affine.Eval(p.simple, env), "%v => %v at %v", p.plain, p.simple, env)
			inner := map[string]int64{}
			for k, v := range env {
				inner[k] = v
			}
			inner["T"] = affine.Eval(by["T"], env)
			require.Equal(t, affine.Eval(p.plain, inner), affine.Eval(swapped, env), "%v at T = %v", p.plain, by["T"])
		}
	}
}

// TestTighten checks that a row keeps its integers, and Solve that its bound is theirs.
func TestTighten(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		row := randomSum(rng)
		lo, hi := affine.Solve(row, "T")
		for v := int64(-30); v <= 30; v++ {
			env := map[string]int64{"N": 3, "S0": -2, "b0": 5, "T": v}
			holds := affine.Eval(row, env) >= 0
			require.Equal(t, holds, affine.Eval(row.Tighten(), env) >= 0, "%v", row)
			if lo != nil {
				require.Equal(t, holds, v >= affine.Eval(lo, env), "%v: %v", row, lo)
			}
			if hi != nil {
				require.Equal(t, holds, v <= affine.Eval(hi, env), "%v: %v", row, hi)
			}
		}
	}
}

// Two sums cancel just where their sum lacks a variable that both have.
func TestCancels(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 11))
	random := func() (x affine.Sum) {
		for _, v := range []string{"a", "b", "c", "d"} {
			x = x.Plus(affine.Var(v).Times(rng.Int64N(5) - 2))
		}
		return x
	}
	seen := map[bool]int{}
	for range 2000 {
		x, y := random(), random()
		sum, want := x.Plus(y), false
		for _, term := range x.Terms {
			want = want || y.Coef(term.Var) != 0 && sum.Coef(term.Var) == 0
		}
		require.Equal(t, want, x.Cancels(y), "%v and %v", x, y)
		seen[want]++
	}
	require.Greater(t, min(seen[true], seen[false]), 100)
}

// TestOver divides sums by all small numbers: the quotient times the number is the sum, or some value of the sum is no multiple of it.
func TestOver(t *testing.T) {
	for _, x := range []affine.Sum{affine.Num(0), affine.Num(6), affine.Num(-9), affine.Var("i").Times(4).Add(2), affine.Var("i").Times(-6).Plus(affine.Var("j").Times(3)).Add(-12), affine.Var("i").Times(2).Plus(affine.Var("j").Times(3))} {
		for k := int64(-7); k <= 7; k++ {
			if k == 0 {
				continue
			}
			y, ok := x.Over(k)
			divides := true
			for i := range int64(7) {
				for j := range int64(7) {
					divides = divides && affine.Eval(x, map[string]int64{"i": i, "j": j})%k == 0
				}
			}
			require.Equal(t, divides, ok, "%v / %d", x, k)
			if ok {
				require.True(t, y.Times(k).Equal(x), "%v / %d = %v", x, k, y)
			}
		}
	}
}

package affine_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
)

// TestSumsDoNotOverflow compares sums of numbers at the ends of 64 bits with those of any size: they are right, or panic.
func TestSumsDoNotOverflow(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	number := func() int64 {
		x := []int64{0, 1, 2, 3, 1 << 31, 1 << 32, 1 << 62, math.MaxInt64}[rng.IntN(8)] - rng.Int64N(3)
		if rng.IntN(2) == 0 {
			return -x
		}
		return x
	}
	fits := func(x *big.Int) bool { return x.IsInt64() && x.Int64() != math.MinInt64 }
	right := 0
	check := func(what string, f func() int64, want *big.Int, more ...*big.Int) {
		ok := fits(want)
		for _, x := range more {
			ok = ok && fits(x)
		}
		if !ok {
			require.Panics(t, func() { f() }, "%s is %v", what, want)
			return
		}
		right++
		require.Equal(t, want.Int64(), f(), what)
	}
	for range 20_000 {
		a, b := number(), number()
		x, y := affine.Var("n").Times(a), affine.Var("n").Times(b)
		p, q := big.NewInt(a), big.NewInt(b)
		coef := func(s affine.Sum) int64 { return s.Coef("n") }
		check("+", func() int64 { return coef(x.Plus(y)) }, new(big.Int).Add(p, q))
		check("-", func() int64 { return coef(x.Minus(y)) }, new(big.Int).Sub(p, q))
		check("*", func() int64 { return coef(x.Times(b)) }, new(big.Int).Mul(p, q))
		check("+ c", func() int64 { return affine.Num(a).Add(b).Const }, new(big.Int).Add(p, q))
		check("- c", func() int64 { return affine.Num(a).Minus(affine.Num(b)).Const }, new(big.Int).Sub(p, q))
		check("* c", func() int64 { return affine.Num(a).Times(b).Const }, new(big.Int).Mul(p, q))
		product := new(big.Int).Mul(p, q)
		check("eval", func() int64 { return affine.Eval(x.Add(1), map[string]int64{"n": b}) }, new(big.Int).Add(product, big.NewInt(1)), product)
	}
	require.Greater(t, right, 20_000)
}

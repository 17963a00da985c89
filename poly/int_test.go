package poly

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestInt checks arithmetic near the bounds of 32, 64 and 128 bits against math/big.
func TestInt(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	edges := []Int{{}, one, minusOne, NewInt(math.MaxInt64), NewInt(math.MinInt64), NewInt(math.MaxInt32), NewInt(math.MinInt32)}
	draw := func() Int {
		x := edges[rng.IntN(len(edges))].Add(NewInt(int64(rng.IntN(7) - 3)))
		if rng.IntN(8) == 0 {
			x = x.Mul(edges[rng.IntN(len(edges))])
		}
		return x
	}
	big2 := func(f func(z, x, y *big.Int) *big.Int, a, b Int) Int {
		return fromBig(f(new(big.Int), a.Big(), b.Big()))
	}
	for range 20000 {
		a, b := draw(), draw()
		if a.big != nil {
			assert.False(t, a.big.IsInt64(), "big is nil iff the value fits")
		}
		same := func(name string, want, got Int) {
			if !want.Equal(got) || want.Cmp(got) != 0 {
				t.Fatalf("%v %s %v: want %v, got %v", a, name, b, want, got)
			}
		}
		same("+", big2((*big.Int).Add, a, b), a.Add(b))
		same("-", big2((*big.Int).Sub, a, b), a.Sub(b))
		same("*", big2((*big.Int).Mul, a, b), a.Mul(b))
		assert.Equal(t, a.Big().Cmp(b.Big()), a.Cmp(b))
		assert.Equal(t, a.Big().Sign(), a.Sign())
		assert.Equal(t, a.Big().String(), a.String())
		if b.isZero() {
			continue
		}
		same("gcd", fromBig(new(big.Int).GCD(nil, nil, a.Abs().Big(), b.Abs().Big())), a.gcd(b))
		q, r := a.FloorDiv(b), a.Mod(b)
		same("= q*b + r", a, q.Mul(b).Add(r))
		assert.True(t, r.Sign()*b.Sign() >= 0 && r.Abs().Cmp(b.Abs()) < 0, "%v mod %v = %v", a, b, r)
		assert.Equal(t, r.isZero(), b.divides(a))
		same("ceil", a.Neg().FloorDiv(b).Neg(), a.CeilDiv(b))
	}
}

// TestCombine checks sums of products of numbers of all sizes, and divisors, by package big.
func TestCombine(t *testing.T) {
	g := rand.New(rand.NewPCG(1, 3))
	number := func() Int {
		x := NewInt(g.Int64() >> g.IntN(64) * int64(1-2*g.IntN(2)))
		for range g.IntN(3) * g.IntN(2) {
			x = x.Mul(NewInt(g.Int64()))
		}
		return x
	}
	for range 5000 {
		a, b, x, y := number(), number(), number(), number()
		v := vec{x}
		v.combine(a, b, vec{y})
		want := new(big.Int).Mul(a.Big(), x.Big())
		want.Add(want, new(big.Int).Mul(b.Big(), y.Big()))
		require.Zero(t, want.Cmp(v[0].Big()), "%v*%v + %v*%v = %v", a, x, b, y, v[0])
		require.Equal(t, want.IsInt64(), v[0].big == nil)
		divisor := new(big.Int).GCD(nil, nil, new(big.Int).Abs(a.Big()), new(big.Int).Abs(b.Big()))
		require.Zero(t, divisor.Cmp(a.gcd(b).Big()), "%v, %v", a, b)
	}
}

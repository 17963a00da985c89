package poly

import (
	"math/big"
	"math/bits"
	"strconv"
)

// An Int is an integer of any size. Values that fit 64 bits are held inline: big is nil iff the value fits.
// Ints are immutable; the zero Int is 0.
type Int struct {
	small int64
	big   *big.Int
}

var (
	one      = Int{small: 1}
	minusOne = Int{small: -1}
)

// NewInt returns v as an Int.
func NewInt(v int64) Int { return Int{small: v} }

// fromBig returns x as an Int, which takes x over.
func fromBig(x *big.Int) Int {
	if x.IsInt64() {
		return Int{small: x.Int64()}
	}
	bigInts.Add(1)
	return Int{big: x}
}

// Big returns a as a big.Int, which the caller must not change.
func (a Int) Big() *big.Int {
	if a.big != nil {
		return a.big
	}
	return big.NewInt(a.small)
}

// Int64 returns a, and whether it fits.
func (a Int) Int64() (int64, bool) { return a.small, a.big == nil }

func (a Int) String() string {
	if a.big != nil {
		return a.big.String()
	}
	return strconv.FormatInt(a.small, 10)
}

// Sign returns -1, 0 or 1.
func (a Int) Sign() int {
	switch {
	case a.big != nil:
		return a.big.Sign()
	case a.small > 0:
		return 1
	case a.small < 0:
		return -1
	}
	return 0
}

func (a Int) isZero() bool { return a.small == 0 && a.big == nil }
func (a Int) isOne() bool  { return a.small == 1 && a.big == nil }

// isUnit reports whether a is 1 or -1.
func (a Int) isUnit() bool { return a.big == nil && (a.small == 1 || a.small == -1) }

// Cmp returns the sign of a - b.
func (a Int) Cmp(b Int) int {
	if a.big == nil && b.big == nil {
		switch {
		case a.small < b.small:
			return -1
		case a.small > b.small:
			return 1
		}
		return 0
	}
	return a.Big().Cmp(b.Big())
}

// Equal reports whether a and b are the same integer.
func (a Int) Equal(b Int) bool {
	if a.big == nil && b.big == nil {
		return a.small == b.small
	}
	return a.big != nil && b.big != nil && a.big.Cmp(b.big) == 0
}

// Add returns a + b.
func (a Int) Add(b Int) Int {
	s := a.small + b.small
	if a.big == nil && b.big == nil && (a.small^s)&(b.small^s) >= 0 {
		return Int{small: s}
	}
	return addBig(a, b)
}

func addBig(a, b Int) Int { return fromBig(new(big.Int).Add(a.Big(), b.Big())) }

// Sub returns a - b.
func (a Int) Sub(b Int) Int {
	s := a.small - b.small
	if a.big == nil && b.big == nil && (a.small^b.small)&(a.small^s) >= 0 {
		return Int{small: s}
	}
	return subBig(a, b)
}

func subBig(a, b Int) Int { return fromBig(new(big.Int).Sub(a.Big(), b.Big())) }

// Neg returns -a.
func (a Int) Neg() Int { return Int{}.Sub(a) }

// Abs returns |a|.
func (a Int) Abs() Int {
	if a.Sign() < 0 {
		return a.Neg()
	}
	return a
}

// Mul returns a * b.
func (a Int) Mul(b Int) Int {
	if a.fits32() && b.fits32() {
		return Int{small: a.small * b.small}
	}
	return mulWide(a, b)
}

// fits32 reports whether a fits 32 bits, so that a product of two such values cannot overflow.
func (a Int) fits32() bool { return a.big == nil && int64(int32(a.small)) == a.small }

// mulWide is Mul for operands of which one is wider than 32 bits.
func mulWide(a, b Int) Int {
	if a.big == nil && b.big == nil {
		hi, lo := bits.Mul64(magnitude(a.small), magnitude(b.small))
		if hi == 0 && lo < 1<<63 {
			if (a.small < 0) != (b.small < 0) {
				return Int{small: -int64(lo)}
			}
			return Int{small: int64(lo)}
		}
	}
	return fromBig(new(big.Int).Mul(a.Big(), b.Big()))
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// FloorDiv returns a / b rounded down; b must not be 0.
func (a Int) FloorDiv(b Int) Int {
	if a.big == nil && b.big == nil && (b.small > 0 || b.small < -1) { // the smallest value divided by -1 does not fit
		q := a.small / b.small
		if r := a.small % b.small; r != 0 && (r < 0) != (b.small < 0) {
			q--
		}
		return Int{small: q}
	}
	if b.Equal(minusOne) {
		return a.Neg()
	}
	return floorDivBig(a, b)
}

func floorDivBig(a, b Int) Int {
	if b.Sign() < 0 {
		a, b = a.Neg(), b.Neg()
	}
	return fromBig(new(big.Int).Div(a.Big(), b.Big())) // Euclidean, and so rounded down for b > 0
}

// CeilDiv returns a / b rounded up; b must not be 0.
func (a Int) CeilDiv(b Int) Int { return a.Neg().FloorDiv(b).Neg() }

// Mod returns a - b*floor(a/b).
func (a Int) Mod(b Int) Int { return a.Sub(b.Mul(a.FloorDiv(b))) }

// divides reports whether a divides b; a must not be 0.
func (a Int) divides(b Int) bool {
	if a.big == nil && b.big == nil && a.small > 0 {
		return b.small%a.small == 0
	}
	return b.Mod(a).isZero()
}

// quo returns a / b, which must be exact.
func (a Int) quo(b Int) Int {
	if b.isOne() {
		return a
	}
	return a.FloorDiv(b)
}

// gcd returns the greatest common divisor of a and b, at least 0.
func (a Int) gcd(b Int) Int {
	if a.big == nil && b.big == nil {
		x, y := magnitude(a.small), magnitude(b.small)
		for y != 0 {
			x, y = y, x%y
		}
		if x < 1<<63 {
			return Int{small: int64(x)}
		}
	}
	switch {
	case b.isZero():
		return a.Abs()
	case a.big != nil && b.big == nil:
		return b.gcd(Int{small: new(big.Int).Rem(a.big, big.NewInt(b.small)).Int64()})
	case a.big == nil && b.big != nil && a.small != 0:
		return b.gcd(a)
	}
	return fromBig(new(big.Int).GCD(nil, nil, new(big.Int).Abs(a.Big()), new(big.Int).Abs(b.Big())))
}

// lcm returns the least common multiple of a and b, which are positive.
func (a Int) lcm(b Int) Int { return a.quo(a.gcd(b)).Mul(b) }

// nearest returns a / b rounded to a nearest integer, halves down, so that a - b*nearest is in (-b/2, b/2]; b > 0.
func (a Int) nearest(b Int) Int {
	q := a.FloorDiv(b)
	r := a.Sub(q.Mul(b))
	if r.Add(r).Cmp(b) > 0 {
		return q.Add(one)
	}
	return q
}

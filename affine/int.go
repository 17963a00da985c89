package affine

import (
	"fmt"
	"math"
	"math/bits"
)

// This file computes with 64 bits, without -2^63, so that every number has a negative. What does not fit panics.

// An OverflowError says that a number does not fit 64 bits. Functions of this package panic with it.
type OverflowError struct {
	Op   string // such as +
	X, Y int64
}

func (e *OverflowError) Error() string {
	return fmt.Sprintf("affine: %d %s %d does not fit 64 bits", e.X, e.Op, e.Y)
}

// Plus returns a + b.
func Plus(a, b int64) int64 {
	s := a + b
	if (a^s)&(b^s) < 0 || s == math.MinInt64 {
		panic(&OverflowError{"+", a, b})
	}
	return s
}

// Minus returns a - b.
func Minus(a, b int64) int64 {
	s := a - b
	if (a^b)&(a^s) < 0 || s == math.MinInt64 {
		panic(&OverflowError{"-", a, b})
	}
	return s
}

// Times returns a * b.
func Times(a, b int64) int64 {
	if int64(int32(a)) == a && int64(int32(b)) == b {
		return a * b
	}
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	if hi != 0 || lo > math.MaxInt64 {
		panic(&OverflowError{"*", a, b})
	}
	if (a < 0) != (b < 0) {
		return -int64(lo)
	}
	return int64(lo)
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// GCD returns the greatest common divisor of a and b, which are not negative; GCD(0, b) = b.
func GCD(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// Quotient returns a/d rounded down, for d > 0.
func Quotient(a, d int64) int64 {
	q := a / d
	if a%d < 0 {
		q--
	}
	return q
}

// Remainder returns a - d*floor(a/d), for d > 0.
func Remainder(a, d int64) int64 {
	if r := a % d; r < 0 {
		return r + d
	}
	return a % d
}

package schedule

import (
	"fmt"
	"math/big"
)

// A slope is the rational num/den in lowest terms, den > 0, num >= 0: one side
// of a dependence cone. Both are small enough that products with tile sizes
// stay far from the ends of int64.
type slope struct{ num, den int64 }

// slopeLimit bounds the numerators and denominators of slopes.
const slopeLimit = 1 << 20

// slopeOf returns r as a slope; ok is false where it passes slopeLimit.
func slopeOf(r *big.Rat) (s slope, ok bool) {
	limit := big.NewInt(slopeLimit)
	if r.Num().Cmp(limit) > 0 || r.Denom().Cmp(limit) > 0 {
		return slope{0, 1}, false
	}
	if r.Sign() < 0 {
		panic(fmt.Sprintf("schedule: slope %v is negative", r))
	}
	return slope{r.Num().Int64(), r.Denom().Int64()}, true
}

// floorMul returns ⌊x·s⌋.
func (s slope) floorMul(x int64) int64 { return floorDiv(x*s.num, s.den) }

func (s slope) String() string {
	if s.den == 1 {
		return fmt.Sprint(s.num)
	}
	return fmt.Sprintf("%d/%d", s.num, s.den)
}

// ceilDiv returns ⌈x/d⌉ for d > 0.
func ceilDiv(x, d int64) int64 { return -floorDiv(-x, d) }

// floorDiv returns ⌊x/d⌋ for d > 0.
func floorDiv(x, d int64) int64 {
	q := x / d
	if x%d < 0 {
		q--
	}
	return q
}

// floorMod returns x - d·⌊x/d⌋ for d > 0.
func floorMod(x, d int64) int64 { return x - d*floorDiv(x, d) }

package scop

import (
	"fmt"
	"math"
	"strconv"
)

// This file says how the values of each Type are held in an int64 and in the
// bits of a cell of memory.

func fromBool(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// wrap reduces v to the values of integer type t.
func (t Type) wrap(v int64) int64 {
	switch t {
	case Int:
		return int64(int32(v))
	case Uint:
		return int64(uint32(v))
	case Char:
		return int64(int8(v))
	case Uchar:
		return int64(uint8(v))
	case Short:
		return int64(int16(v))
	case Ushort:
		return int64(uint16(v))
	}
	return v
}

// shift returns the bits that a shift of a value of type t by v goes, as the processor takes v.
func (t Type) shift(v int64) uint64 { return uint64(v) & uint64(8*t.Size()-1) }

// encode returns the bits of an integer of type t.
func (t Type) encode(v int64) uint64 {
	return uint64(v) & (1<<(8*t.Size()) - 1) // Go: a shift by 64 gives 0
}

// decode returns the integer of type t whose bits are u.
func (t Type) decode(u uint64) int64 { return t.wrap(int64(u)) }

// fromFloat returns f rounded towards zero. Where C leaves the result undefined
// it is what the processor's conversion gives.
func (t Type) fromFloat(f float64) int64 {
	switch t {
	case Int:
		if f > -1<<31-1 && f < 1<<31 {
			return int64(f)
		}
		return math.MinInt32
	case Ulong:
		if f >= 1<<63 {
			return toLong(f-1<<63) ^ math.MinInt64
		}
	}
	return t.wrap(toLong(f))
}

// toLong returns f rounded towards zero, or the least long if that is none.
func toLong(f float64) int64 {
	if f >= -1<<63 && f < 1<<63 {
		return int64(f)
	}
	return math.MinInt64
}

// Format returns the value with the given bits, in the notation of C and with
// all its digits.
func (t Type) Format(bits uint64) string {
	switch t {
	case Float:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(bits))), 'g', -1, 32)
	case Double, LongDouble:
		return strconv.FormatFloat(math.Float64frombits(bits), 'g', -1, 64)
	case Half:
		return strconv.FormatFloat(t.Number(bits), 'g', -1, 32)
	case Ulong:
		return strconv.FormatUint(bits, 10)
	case ComplexFloat, ComplexDouble:
		return strconv.FormatComplex(fromPair(bits), 'g', -1, 64)
	case Int, Long, Uint, Bool, Char, Uchar, Short, Ushort:
		return strconv.FormatInt(t.decode(bits), 10)
	}
	panic(fmt.Sprintf("scop: Format: unknown type %d", t))
}

// Number returns the value with the given bits as a float64, rounded if it must be.
func (t Type) Number(bits uint64) float64 {
	switch t {
	case Float:
		return float64(math.Float32frombits(uint32(bits)))
	case Double, LongDouble:
		return math.Float64frombits(bits)
	case Half:
		return fromHalf(bits)
	case ComplexFloat, ComplexDouble: // so that what is no number in either part is none
		return real(fromPair(bits)) + imag(fromPair(bits))
	case Ulong:
		return float64(bits)
	}
	return float64(t.decode(bits))
}

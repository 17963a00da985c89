package crun

import (
	"encoding/binary"
	"math"

	"github.com/hexcc/hexcc/scop"
)

// This file converts the elements of memories to what C programs on x86-64 hold: of a long double, which memories hold as a double,
// 64 digits and 16 bits of sign and exponent.

// Cell returns an element of type t as C holds it.
func Cell(t scop.Type, bits uint64) []byte {
	switch t {
	case scop.LongDouble:
		return toExtended(bits)
	case scop.ComplexDouble: // held as a pair of floats
		part := func(float uint64) uint64 { return scop.Double.OfFloat(scop.Float.Number(float)) }
		return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, part(bits&(1<<32-1))), part(bits>>32))
	}
	return binary.LittleEndian.AppendUint64(nil, bits)[:t.Size()]
}

// toExtended returns the long double of the same value as the double with the given bits.
func toExtended(bits uint64) []byte {
	f := math.Abs(math.Float64frombits(bits))
	sign := uint16(bits >> 63 << 15)
	digits, exp := uint64(0), uint16(0)
	switch {
	case math.IsInf(f, 1):
		digits, exp = 1<<63, 0x7fff
	case f != f:
		digits, exp = 3<<62, 0x7fff
	case f != 0:
		fraction, e := math.Frexp(f)
		digits, exp = uint64(math.Ldexp(fraction, 64)), uint16(e+16382)
	}
	out := binary.LittleEndian.AppendUint64(nil, digits)
	out = binary.LittleEndian.AppendUint16(out, sign|exp)
	return append(out, make([]byte, scop.LongDouble.Size()-len(out))...)
}

// fromExtended returns the bits of the double nearest to a long double.
func fromExtended(data []byte) uint64 {
	digits, high := binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint16(data[8:])
	f := math.Ldexp(float64(digits), int(high&0x7fff)-16383-63)
	if high&0x7fff == 0x7fff {
		if f = math.Inf(1); digits<<1 != 0 {
			f = math.NaN()
		}
	}
	if high>>15 != 0 {
		f = -f
	}
	return math.Float64bits(f)
}

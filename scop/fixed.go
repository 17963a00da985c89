package scop

import "math"

// A Fixed is a variable that is const where it is defined, so that nobody can give it other values than those.
type Fixed struct {
	// Values are the bits of its elements, in row-major order, or of the variable itself; nil: they are not known, such as
	// those of another file.
	Values []uint64
}

// OfInteger returns the bits of v in type t, which holds it.
func (t Type) OfInteger(v int64) uint64 {
	if t.IsFloat() {
		return t.OfFloat(float64(v))
	}
	return t.encode(v)
}

// OfFloat returns the bits of v in floating type t.
func (t Type) OfFloat(v float64) uint64 {
	switch t {
	case Float:
		return uint64(math.Float32bits(float32(v)))
	case Half:
		return toHalf(v)
	case ComplexFloat, ComplexDouble:
		return toPair(complex(v, 0))
	}
	return math.Float64bits(v)
}

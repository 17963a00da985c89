package scop

import (
	"fmt"
	"math"
	"slices"
)

// This file says how far results may lie from those of the source where products are fused: see Fused.
//
// A fused product differs from one that is rounded by at most half a unit in the last place of the product, and the sums that they feed, rounded
// each, by a unit more. How far the elements that come of it lie apart is not bounded by their own last places: where numbers cancel, what
// is left is all rounding. But where the weights of a step sum up to no more than 1, as they do where a scheme is stable, a step makes
// earlier differences no larger, and T steps of p products differ by at most about 1.5*T*p units in the last place of the largest number
// around. So differences are taken relative to the largest magnitude of an array, and 1024 units are allowed: 25 steps of 27 products
// at worst, and far more of those that happen, which have both signs and mostly are smaller. A program that goes further makes roundings
// larger, or runs for very long, and how it is rounded then matters to what it computes.

// Tolerance is how many units in the last place of the largest magnitude of an array its elements may differ by,
// and HalfTolerance that of a half, which is calculated in float and has few digits. Integers may not differ.
const (
	Tolerance     = 1024
	HalfTolerance = 16
)

// unit returns what one in the last place is of a number of type t near 1, as it is held in a memory.
func (t Type) unit() float64 {
	switch t {
	case Half:
		return 0x1p-10
	case Float, ComplexFloat, ComplexDouble: // pairs of floats
		return 0x1p-23
	case Double, LongDouble:
		return 0x1p-52
	}
	panic(fmt.Sprintf("scop: unit: %v has no last place", t))
}

// tolerates reports whether elements of t may differ by so many units.
func (t Type) tolerates(units float64) bool {
	if t == Half {
		return units <= HalfTolerance
	}
	return t.IsFloat() && units <= Tolerance
}

// A Rounding is the outcome of comparing a program with another that rounds otherwise.
type Rounding struct {
	Elements int64   // compared
	Differ   int64   // that differ
	Beyond   int64   // that differ by more than is tolerated
	Relative float64 // the largest difference, of the largest magnitude of its array; infinite if it is no number
	Units    float64 // the same in units in the last place
	Own      float64 // the largest difference in units in the last place of the element itself, the larger of both
	First    string  // the first element beyond: A[1][3][4]
	A, B     string  // its values
}

// OK reports whether no element differs by more than is tolerated.
func (r *Rounding) OK() bool { return r.Beyond == 0 }

// Add makes r the outcome of both.
func (r *Rounding) Add(s Rounding) {
	if r.Beyond == 0 {
		r.First, r.A, r.B = s.First, s.A, s.B
	}
	r.Elements, r.Differ, r.Beyond = r.Elements+s.Elements, r.Differ+s.Differ, r.Beyond+s.Beyond
	r.Relative, r.Units, r.Own = max(r.Relative, s.Relative), max(r.Units, s.Units), max(r.Own, s.Own)
}

// String says how far the two lie apart.
func (r *Rounding) String() string {
	if r.Differ == 0 {
		return "none"
	}
	return fmt.Sprintf("%.3g of the largest magnitude, %.3g units in its last place (%.3g in that of the element itself)", r.Relative, r.Units, r.Own)
}

// CompareRounded compares what a program made of before, m, with what another did, n. What is no number or infinite must be so in
// both. Arrays whose values nobody sees are left out.
func (m *Memory) CompareRounded(n, before *Memory) Rounding {
	var r Rounding
	for i, s := range m.Arrays {
		if s.Array.Local {
			continue
		}
		t := n.Arrays[i]
		if s.Array != t.Array || !slices.Equal(s.Extent, t.Extent) {
			panic(fmt.Sprintf("scop: CompareRounded: %s%v and %s%v", s.Array.Name, s.Extent, t.Array.Name, t.Extent))
		}
		most := max(s.most(), t.most(), before.Arrays[i].most())
		r.Elements += int64(len(s.Cells))
		for k, a := range s.Cells {
			if b := t.Cells[k]; a != b {
				r.add(s, k, most, b)
			}
		}
	}
	return r
}

// add adds element k of s, which is b in the other program; most is the largest magnitude.
func (r *Rounding) add(s *Storage, k int, most float64, b uint64) {
	t, a := s.Array.Elem, s.Cells[k]
	x, y := t.numbers(a), t.numbers(b)
	by := 0.0
	for i := range x {
		if x[i] != y[i] && !(math.IsNaN(x[i]) && math.IsNaN(y[i])) {
			by = max(by, distance(x[i], y[i]))
		}
	}
	if by == 0 { // zeros of both signs, or no numbers
		return
	}
	r.Differ++
	units := by / most
	if t.IsFloat() {
		units /= t.unit()
		r.Relative, r.Units, r.Own = max(r.Relative, by/most), max(r.Units, units), max(r.Own, by/(t.unit()*max(magnitude(x), magnitude(y))))
	}
	if t.tolerates(units) {
		return
	}
	if r.Beyond++; r.Beyond == 1 {
		r.First, r.A, r.B = s.Element(k), t.Format(a), t.Format(b)
	}
}

// distance returns |x-y|, infinite if it is no number.
func distance(x, y float64) float64 {
	if by := math.Abs(x - y); !math.IsNaN(by) {
		return by
	}
	return math.Inf(1)
}

// most returns the largest magnitude of s that is a number and finite.
func (s *Storage) most() (most float64) {
	for _, c := range s.Cells {
		most = max(most, magnitude(s.Array.Elem.numbers(c)))
	}
	return most
}

// magnitude returns the largest of x that is a number and finite.
func magnitude(x []float64) (most float64) {
	for _, v := range x {
		if v = math.Abs(v); v > most && !math.IsInf(v, 0) {
			most = v
		}
	}
	return most
}

// numbers returns the parts of a value with the given bits.
func (t Type) numbers(bits uint64) []float64 {
	if t.IsComplex() {
		z := fromPair(bits)
		return []float64{real(z), imag(z)}
	}
	return []float64{t.Number(bits)}
}

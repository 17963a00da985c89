package ctext

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/scop"
)

// This file says how values of scop.Half are held and converted where C's _Float16 may not be known: as their bits.

// HalfType declares hexcc_half for the host, once for all headers of a program: compilers of C++ and of CUDA may not
// know _Float16, and what they link with is C.
const HalfType = `#ifndef HEXCC_HALF
#define HEXCC_HALF
#if defined __FLT16_MANT_DIG__ && !defined __CUDACC__
__extension__ typedef _Float16 hexcc_half;
#else
typedef unsigned short hexcc_half; /* the bits of a _Float16 */
#endif
#endif
`

// HalfHeader returns HalfType where one of ps needs it, else "".
func HalfHeader(ps ...*scop.Program) string {
	if slices.ContainsFunc(ps, HasHalves) {
		return HalfType
	}
	return ""
}

// HasHalves reports whether p has arrays or expressions of type scop.Half.
func HasHalves(p *scop.Program) bool { return p.Uses(scop.Half) }

// The names of the functions that convert halves.
const (
	FloatOfHalf  = "hexcc_float_of_half"
	HalfOfFloat  = "hexcc_half_of_float"
	HalfOfDouble = "hexcc_half_of_double"
)

// A HalfConversion is a function of GPUs' kernels that converts a half: with one rounding at most.
type HalfConversion struct{ Name, Text string }

// UsedConversions returns the text of those of all that statements of ps need.
func UsedConversions(all []HalfConversion, ps ...*scop.Program) (text string) {
	used := map[string]bool{}
	for _, p := range ps {
		for _, s := range p.Stmts {
			s.Visit(func(e scop.Expr) {
				if c, ok := e.(scop.Cast); ok && (c.T == scop.Half || c.X.Type() == scop.Half) && c.T != c.X.Type() {
					used[halfConversion(c.X.Type(), c.T)] = true
				}
			})
		}
	}
	for _, f := range all {
		if used[f.Name] {
			text += f.Text
		}
	}
	return text
}

// halfConversion returns the name of the function that converts from one type to the other, one of which is scop.Half.
func halfConversion(from, to scop.Type) string {
	switch {
	case from == scop.Half && to == scop.Float:
		return FloatOfHalf
	case from == scop.Float:
		return HalfOfFloat
	case from == scop.Double:
		return HalfOfDouble
	}
	panic(fmt.Sprintf("ctext: no conversion from %v to %v", from, to))
}

package gpu

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/scop"
)

// A Base is an element of an array of several dimensions from which others that
// a thread uses lie at distances that are numbers; along each dimension it is the first of them.
type Base struct {
	Name  string // A_tile
	Array *scop.Array
	Index []affine.Expr // over tile indices, T, parameters and ThreadVars
}

// AddressesAtOnce is how many elements a thread may address from base addresses before a
// printer has the compiler compute strides anew, as it does at each barrier: a
// register that holds the address of a row for a later use is one less for values.
const AddressesAtOnce = 24

// A Stride is how many elements neighbours along dimension Dim of Array lie
// apart: the product of the extents of the later dimensions.
type Stride struct {
	Array *scop.Array
	Dim   int
}

// Factors returns the numbers among the factors of s, multiplied, and the others.
func (s Stride) Factors() (number int64, others []scop.Affine) {
	number = 1
	for _, e := range s.Array.Extents[s.Dim+1:] {
		if Constant(e) {
			number *= e.Const
		} else {
			others = append(others, e)
		}
	}
	return number, others
}

// A Step is so many strides from a base address.
type Step struct {
	Stride
	Count int64
}

// Steps returns how r, which has a base address, lies from it: elements, and multiples of strides that are no numbers.
func (r Ref) Steps() (elements int64, steps []Step) {
	for d, n := range r.Offset {
		s := Stride{Array: r.Array, Dim: d}
		switch number, others := s.Factors(); {
		case n == 0:
		case len(others) == 0:
			elements += n * number
		default:
			steps = append(steps, Step{s, n})
		}
	}
	return elements, steps
}

// Same reports whether s and o have the same factors.
func (s Stride) Same(o Stride) bool {
	n, xs := s.Factors()
	m, ys := o.Factors()
	return n == m && slices.EqualFunc(xs, ys, func(x, y scop.Affine) bool { return x.Const == y.Const && slices.Equal(x.Params, y.Params) })
}

// Constant reports whether an extent is a number, the same for all parameters.
func Constant(a scop.Affine) bool {
	for _, c := range a.Params {
		if c != 0 {
			return false
		}
	}
	return true
}

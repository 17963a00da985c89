package frontend

import (
	"fmt"
)

// This file reads bounds that are the minimum or maximum of several, written
// with ?:, as macros do.

// extremes returns the affine expressions whose maximum or minimum, by op, e is.
func (ar *affineReader) extremes(e expr, op string, at place) ([]linear, *reason) {
	switch x := e.(type) {
	case cond:
		left, right, ok := minMax(x, op)
		if !ok {
			return nil, ar.because(e, "is neither a sum nor the "+map[string]string{"min": "minimum", "max": "maximum"}[op]+" of two", "")
		}
		ls, why := ar.extremes(left, op, at)
		if why != nil {
			return nil, why
		}
		rs, why := ar.extremes(right, op, at)
		return append(ls, rs...), why
	case binary:
		if (x.op == "+" || x.op == "-") && (hasCond(x.x) || hasCond(x.y)) {
			return ar.extremesOfSum(x, op, at)
		}
	}
	x, why := ar.linear(e, at)
	if why != nil {
		return nil, why
	}
	return []linear{x}, nil
}

// extremesOfSum uses min(a, b) + min(c, d) = min(a+c, a+d, b+c, b+d), and the like.
func (ar *affineReader) extremesOfSum(e binary, op string, at place) (sums []linear, why *reason) {
	right, sign := op, int64(1)
	if e.op == "-" {
		right, sign = map[string]string{"min": "max", "max": "min"}[op], -1
	}
	xs, why := ar.extremes(e.x, op, at)
	if why != nil {
		return nil, why
	}
	ys, why := ar.extremes(e.y, right, at)
	if why != nil {
		return nil, why
	}
	if len(xs)*len(ys) > maxExtremes {
		return nil, ar.because(e, fmt.Sprintf("has more than %d cases", maxExtremes), "")
	}
	for _, x := range xs {
		for _, y := range ys {
			sum := x.plus(sign, y)
			if isUnsigned(intType(e)) {
				ar.oblige(e, sum, at)
			}
			sums = append(sums, sum)
		}
	}
	return sums, nil
}

// maxExtremes bounds the constraints of one bound.
const maxExtremes = 64

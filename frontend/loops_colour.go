package frontend

import (
	"fmt"
)

// This file reads loops that begin at one of several values, as they run over the points of one colour of a checkerboard:
//
//	for (j = 1 + (i + c) % 2; j < n - 1; j += 2)           for (j = 1; j < n - 1; j++)
//	  ..                                            =>       if ((j - (1 + (i + c) % 2)) % 2 == 0) ..
//
// That is the same if the first values are less than a step apart: then the least of them bounds j, and the remainder says the rest.

// A span is the values that an expression may have: first, to which at most more is added.
type span struct {
	first expr
	more  int64
	// divided are what remainders are taken of: where one is negative, so is C's remainder.
	divided []expr
}

// colourLoops returns s with the loops in it that begin at one of several values in steps of 1: their bodies test whether it is
// their turn.
func (lr *loopReader) colourLoops(s stmt) stmt {
	switch s := s.(type) {
	case block:
		s.items = mapAll(s.items, lr.colourLoops)
		return s
	case ifStmt:
		s.then = lr.colourLoops(s.then)
		if s.orElse != nil {
			s.orElse = lr.colourLoops(s.orElse)
		}
		return s
	case forStmt:
		s.body = lr.colourLoops(s.body)
		d, first := iteratorOf(s), initOf(s)
		by, ok := stepOf(s.step, d)
		if !ok || by >= -1 && by <= 1 || first == nil {
			return s
		}
		from, ok := lr.spanOf(first)
		if !ok || from.more == 0 || from.more >= abs(by) {
			return s
		}
		if by < 0 { // it begins at the greatest of them
			from.first = binary{first.at(), "+", from.first, numberAt(first.at(), from.more)}
		}
		made := denseLoop(s, d, first, by)
		made.init = mapStmt(s.init, func(e expr) expr { return withFirst(e, from.first) })
		made.divided = from.divided
		return made
	}
	return s
}

// withFirst returns e, the first value of a loop or its assignment to the variable, with another value.
func withFirst(e, first expr) expr {
	if a, ok := e.(assign); ok {
		a.y = first
		return a
	}
	return first
}

// spanOf returns the values that e may have; ok is false if e is computed by anything else than sums, remainders and conditions.
func (lr *loopReader) spanOf(e expr) (s span, ok bool) {
	if v, known := lr.constant(e); known {
		return span{first: numberAt(e.at(), v)}, true
	}
	switch e := e.(type) {
	case ident:
		return span{first: e}, true
	case cast:
		return lr.spanOf(e.x)
	case unary:
		x, ok := lr.spanOf(e.x)
		switch e.op {
		case "!":
			return bitSpan(e, x), ok
		case "-":
			s = x
			s.first = unary{e.at(), "-", binary{e.at(), "+", x.first, numberAt(e.at(), x.more)}}
			return s, ok
		}
	case binary:
		return lr.spanOfBinary(e)
	case cond:
		test, ok := lr.spanOf(e.c)
		x, ok1 := lr.spanOf(e.x)
		y, ok2 := lr.spanOf(e.y)
		a, isNumber1 := lr.constant(x.first)
		b, isNumber2 := lr.constant(y.first)
		if !ok || !ok1 || !ok2 || !isNumber1 || !isNumber2 {
			return s, false
		}
		least := min(a, b)
		return span{numberAt(e.at(), least), max(a+x.more, b+y.more) - least, join(test, x, y)}, true
	}
	return s, false
}

// bitSpan returns the span of a condition, e, made of x.
func bitSpan(e expr, x ...span) span { return span{numberAt(e.at(), 0), 1, join(x...)} }

func join(x ...span) (divided []expr) {
	for _, s := range x {
		divided = append(divided, s.divided...)
	}
	return divided
}

func (lr *loopReader) spanOfBinary(e binary) (s span, ok bool) {
	x, ok1 := lr.spanOf(e.x)
	y, ok2 := lr.spanOf(e.y)
	if !ok1 || !ok2 {
		return s, false
	}
	m, isNumber := lr.constant(e.y)
	s.divided = join(x, y)
	switch e.op {
	case "+":
		s.first, s.more = binary{e.at(), "+", x.first, y.first}, x.more+y.more
	case "-":
		s.first, s.more = binary{e.at(), "-", x.first, binary{e.at(), "+", y.first, numberAt(e.at(), y.more)}}, x.more+y.more
	case "%":
		if !isNumber || m < 1 || m > mostSpan {
			return s, false
		}
		if !isUnsigned(intType(e)) {
			s.divided = append(s.divided, e.x)
		}
		s.first, s.more = numberAt(e.at(), 0), m-1
	case "&":
		if !isNumber || m < 0 || m > mostSpan || m&(m+1) != 0 {
			return s, false
		}
		s.first, s.more = numberAt(e.at(), 0), m
	case "^":
		a, ok1 := lr.constant(x.first)
		b, ok2 := lr.constant(y.first)
		if !ok1 || !ok2 || a < 0 || b < 0 || a+x.more > 1 || b+y.more > 1 {
			return s, false
		}
		s.first, s.more = numberAt(e.at(), 0), 1
	case "==", "!=", "<", ">", "<=", ">=", "&&", "||":
		return bitSpan(e, x, y), true
	default:
		return s, false
	}
	return s, s.more <= mostSpan
}

// mostSpan bounds the values that a loop may begin at.
const mostSpan = 64

// checkDivided notes that what remainders are taken of in the first value of f must not be negative.
func (lr *loopReader) checkDivided(f forStmt, at place) {
	for _, e := range f.divided {
		x, why := lr.linear(e, at)
		if why != nil {
			lr.notAffine("bound", e, why)
			continue
		}
		lr.require("HX110", e, fmt.Sprintf("'%s' may be negative, and then so is the remainder that the loop begins at", lr.textOf(e)), x, at)
	}
}

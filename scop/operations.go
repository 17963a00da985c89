package scop

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Operations returns how many operations an instance of s does: additions,
// multiplications, comparisons and the like one each, a function of math.h that processors have an instruction for too, a division, but by a power of two, or another function
// CallCost. Both sides of a condition count. Casts, loads and stores do not.
func (s *Stmt) Operations() (n int64) {
	for _, a := range s.Body {
		n += operations(valueOf(a))
	}
	return n
}

// OperationsInRow returns how many operations an instance takes where code computes several next to each other along the innermost loop.
func (s *Stmt) OperationsInRow() float64 {
	if s.Sharing != nil && s.Sharing.Iter == len(s.Iters)-1 {
		return s.Sharing.Operations
	}
	return float64(s.Operations())
}

// OperationsAcross is OperationsInRow for code that computes several along the other loops, or along the only one.
func (s *Stmt) OperationsAcross() float64 {
	if last := len(s.Iters) - 1; s.Sharing != nil && (s.Sharing.Iter < last || last == 1) {
		return s.Sharing.Operations
	}
	return float64(s.Operations())
}

// CallCost is what a division or a function counts as: most take about as many
// instructions in single precision.
const CallCost = 8

func operations(e Expr) (n int64) {
	switch e := e.(type) {
	case Unary:
		n = 1
	case Binary:
		n = 1
		if e.isQuotient() {
			n = CallCost
		}
	case Call:
		if n = CallCost; e.isInstruction() {
			n = 1
		}
	case Cond:
		n = 1
	}
	for _, x := range Operands(e) {
		n += operations(x)
	}
	return n
}

// isQuotient reports whether e is a division that compilers make no product or shift of. They do by a power of two, whose reciprocal is exact.
func (e Binary) isQuotient() bool {
	if e.Op != "/" && e.Op != "%" {
		return false
	}
	by := e.Y
	for {
		cast, ok := by.(Cast)
		if !ok {
			break
		}
		by = cast.X
	}
	c, ok := by.(Const)
	x := c.F
	if !c.T.IsFloat() {
		x = float64(c.I)
	}
	fraction, _ := math.Frexp(x)
	return !ok || math.Abs(fraction) != 0.5
}

// isInstruction reports whether CPUs and GPUs have an instruction for e.
func (e Call) isInstruction() bool {
	switch strings.TrimSuffix(e.Func, "f") {
	case "fma", "fabs", "fmin", "fmax", "copysign", "floor", "ceil", "trunc", "rint", "nearbyint":
		return true
	}
	return false
}

// Calls returns how many quotients and functions of math.h an instance takes, for which compilers call subroutines at least in rare cases: those
// that are an instruction are none.
func (s *Stmt) Calls() (n int64) {
	s.Visit(func(e Expr) {
		if isCall(e) {
			n++
		}
	})
	return n
}

// Functions returns how many functions of math.h an instance takes, for which processors have no instruction.
func (s *Stmt) Functions() (n int64) {
	s.Visit(func(e Expr) {
		if call, ok := e.(Call); ok && !call.isInstruction() && strings.TrimSuffix(call.Func, "f") != "sqrt" {
			n++
		}
	})
	return n
}

// isCall reports whether e is one of Calls.
func isCall(e Expr) bool {
	switch e := e.(type) {
	case Call:
		return !e.isInstruction()
	case Binary:
		return e.isQuotient()
	}
	return false
}

// Waits returns how often an instance waits for elements that it reads, where all loads between two of its Calls are on their way at once and none
// is moved over one: compilers of GPUs move none over the branch for rare operands. x / y + z waits twice, for x and y, then for z.
func (s *Stmt) Waits() (n int64) {
	read, waiting := map[string]bool{}, false
	var visit func(Expr)
	visit = func(e Expr) {
		for _, x := range Operands(e) {
			visit(x)
		}
		if r, ok := e.(Read); ok {
			element := fmt.Sprint(r.From.Array.Name, r.From.Index)
			waiting = waiting || !read[element]
			read[element] = true
		}
		if waiting && isCall(e) {
			n++
			waiting = false
		}
	}
	for _, a := range s.Body {
		visit(valueOf(a))
	}
	if waiting {
		n++
	}
	return n
}

// Branches reports whether some instances of s leave out a part of it: a side
// of a condition, or what && and || skip.
func (s *Stmt) Branches() bool {
	return slices.ContainsFunc(s.Body, func(a Action) bool { return branches(valueOf(a)) })
}

func branches(e Expr) bool {
	switch e := e.(type) {
	case Cond:
		return true
	case Binary:
		if e.Op == "&&" || e.Op == "||" {
			return true
		}
	}
	return slices.ContainsFunc(Operands(e), branches)
}

func valueOf(a Action) Expr {
	switch a := a.(type) {
	case Let:
		return a.Value
	case Store:
		return a.Value
	}
	panic(fmt.Sprintf("scop: unknown action %T", a))
}

// Operands returns what e is made of, in the order of WithOperands.
func Operands(e Expr) []Expr {
	switch e := e.(type) {
	case Const, Read, Var:
		return nil
	case Unary:
		return []Expr{e.X}
	case Binary:
		return []Expr{e.X, e.Y}
	case Cast:
		return []Expr{e.X}
	case Call:
		return e.Args
	case Cond:
		return []Expr{e.C, e.X, e.Y}
	}
	panic(fmt.Sprintf("scop: unknown expression %T", e))
}

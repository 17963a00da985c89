package gpu

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/scop"
)

// Operations returns how many operations an instance of st does: additions,
// multiplications, comparisons and the like one each, a division or a function
// of math.h callCost. Both sides of a condition count. Casts, loads and stores do not.
func Operations(st *scop.Stmt) (n int64) {
	for _, a := range st.Body {
		n += operations(valueOf(a))
	}
	return n
}

// callCost is what a division or a function counts as: most take about as many
// instructions in single precision.
const callCost = 8

func operations(e scop.Expr) (n int64) {
	switch e := e.(type) {
	case scop.Unary:
		n = 1
	case scop.Binary:
		n = 1
		if e.Op == "/" || e.Op == "%" {
			n = callCost
		}
	case scop.Call:
		n = callCost
	case scop.Cond:
		n = 1
	}
	for _, x := range operands(e) {
		n += operations(x)
	}
	return n
}

// Conditional reports whether some instances of st leave out a part of it: a side
// of a condition, or what && and || skip.
func Conditional(st *scop.Stmt) bool {
	return slices.ContainsFunc(st.Body, func(a scop.Action) bool { return conditional(valueOf(a)) })
}

func conditional(e scop.Expr) bool {
	switch e := e.(type) {
	case scop.Cond:
		return true
	case scop.Binary:
		if e.Op == "&&" || e.Op == "||" {
			return true
		}
	}
	return slices.ContainsFunc(operands(e), conditional)
}

func valueOf(a scop.Action) scop.Expr {
	switch a := a.(type) {
	case scop.Let:
		return a.Value
	case scop.Store:
		return a.Value
	}
	panic(fmt.Sprintf("gpu: unknown action %T", a))
}

func operands(e scop.Expr) []scop.Expr {
	switch e := e.(type) {
	case scop.Const, scop.Read, scop.Var:
		return nil
	case scop.Unary:
		return []scop.Expr{e.X}
	case scop.Binary:
		return []scop.Expr{e.X, e.Y}
	case scop.Cast:
		return []scop.Expr{e.X}
	case scop.Call:
		return e.Args
	case scop.Cond:
		return []scop.Expr{e.C, e.X, e.Y}
	}
	panic(fmt.Sprintf("gpu: unknown expression %T", e))
}

// The estimate of registers.
const (
	baseRegisters  = 24 // tile indices, parameters, loop variables
	arrayRegisters = 4  // a pointer, and what subscripts share
	stepRegisters  = 2  // addresses of a step that a compiler computes once for all tiles
)

// registers estimates the registers of a thread: baseRegisters, arrayRegisters
// for each array, stepRegisters for each step, and room for all values that the
// widest statement reads and names, since a compiler loads early what it can;
// no more than the threads of a block leave for each.
func (ph *phase) registers(steps int) int {
	values := 0
	for _, st := range ph.scop.Stmts {
		n := 0
		for _, acc := range st.Accesses {
			n += words(acc.Array.Elem)
		}
		for _, a := range st.Body {
			if let, ok := a.(scop.Let); ok {
				n += words(let.Type)
			}
		}
		values = max(values, n)
	}
	n := baseRegisters + arrayRegisters*len(ph.scop.Arrays) + stepRegisters*steps + values
	return min(n, ph.device.RegistersPerThread, ph.registersAtMost())
}

// registersAtMost returns how many registers each thread of a block may have for it to start.
func (ph *phase) registersAtMost() int {
	return ph.device.RegistersFor(ph.threads[0] * ph.threads[1] * ph.threads[2])
}

// words returns how many registers a value takes.
func words(t scop.Type) int { return max(1, t.Size()/4) }

package kerneltext

import (
	"maps"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// exact are the functions that C's IEEE 754 arithmetic, CUDA and OpenCL define bit for bit, under their names for double.
var exact = []string{
	"sqrt", "fabs", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "fmin", "fmax", "fdim", "fma", "fmod", "remainder",
	"copysign", "abs", "labs", "llabs",
}

// Inexact returns the functions that statements of programs call and whose last
// bits each implementation of C and of a dialect chooses, by the names that the
// program has for them, sorted.
func Inexact(programs ...*gpu.Program) []string {
	found := map[string]bool{}
	for _, p := range programs {
		for _, s := range p.Scop.Stmts {
			s.Visit(func(e scop.Expr) {
				if c, ok := e.(scop.Call); ok && !slices.Contains(exact, c.Func) && !slices.Contains(exact, strings.TrimSuffix(c.Func, "f")) {
					found[c.Func] = true
				}
			})
		}
	}
	return slices.Sorted(maps.Keys(found))
}

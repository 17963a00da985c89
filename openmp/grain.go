package openmp

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/cpu"
)

// This file prints where threads run a region: where a phase has at least as much to do as HEXCC_GRAIN says. Where that is known not to be so, OpenMP is not asked at all, which
// takes a large part of a microsecond too, and more for each loop that is shared out.

// grainHead says how much is enough.
var grainHead = fmt.Sprintf(`
// Threads run a region where a phase, from barrier to barrier, takes one thread at least so many nanoseconds, about. With -DHEXCC_GRAIN=0 they always do.
#ifndef HEXCC_GRAIN
#define HEXCC_GRAIN %d
#endif
`, cpu.EnoughWork)

// enough returns the condition that threads run what has so much to do; "": they do.
func (r *region) enough(g cpu.Grain) string {
	if ns, ok := g.Known(); ok {
		return fmt.Sprintf("%d >= HEXCC_GRAIN", ns)
	}
	if len(g) == 0 {
		return ""
	}
	return g.Text(r.factor) + " >= HEXCC_GRAIN"
}

// factor returns e as an operand of a product.
func (r *region) factor(e affine.Expr) string {
	if x, ok := e.(affine.Sum); ok {
		return r.Factor(x)
	}
	return r.Expr(e)
}

// team prints a pragma that starts threads for what has so much to do.
func (r *region) team(g cpu.Grain, text string) {
	if _, known := g.Known(); !known && len(g) > 0 {
		of := ""
		if strings.HasSuffix(text, " simd") {
			of = "parallel: " // it would be of simd, too
		}
		text += " if(" + of + r.enough(g) + ")"
	}
	r.shared(g, text)
}

// shared prints a pragma for threads that run what has so much to do, which is left out where that is known to be too little.
func (r *region) shared(g cpu.Grain, text string) {
	if _, small := g.Known(); !small || r.names.Sequential {
		r.pragma(text)
		return
	}
	r.Raw("#if " + r.enough(g) + "\n")
	r.pragma(text)
	if strings.HasSuffix(text, " simd") {
		r.Raw("#else\n")
		r.pragma("omp simd")
	}
	r.Raw("#endif\n")
}

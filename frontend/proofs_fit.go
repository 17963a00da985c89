package frontend

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file proves that subscripts with products, such as p[i * m + j] in unsigned numbers of 32 bits, are those of the integers: what lies
// inside of an array is a number of 32 bits if the array has no more elements than those count. That it has not is tested before
// the kernels run, where it depends on the parameters.

// checkFits proves what must fit its type for the subscript of a to be what was read, or has it tested.
func (pr *prover) checkFits(n *nest, a *access, fr frame) {
	for _, f := range a.fits {
		inside := a.array.origin == nil || f.whole && f.typ == scop.Int
		if inside = inside && (f.whole || f.index != nil); inside && !f.whole {
			first, constraints := f.index[0], slices.Concat(n.constraints, pr.known())
			extent := a.array.extents[a.array.lead]
			if first.mod > 0 {
				inside = fr.proves(constraints, extent.addc(-first.mod))
			} else {
				inside = fr.proves(constraints, first.linear) && fr.proves(constraints, extent.sub(first.linear).addc(-1))
			}
		}
		if (!inside || !pr.fitElements(a.array, f)) && !pr.runs(n).IsEmpty() {
			pr.mayNotFit(f)
		}
	}
}

// fitElements has it tested that numbers of the type of f count the elements of a; it reports false if they never do.
func (pr *prover) fitElements(a *array, f fit) bool {
	b := bound{most: largest(f.typ), at: pr.f.span(f.where)}
	for _, e := range a.extents[a.lead : len(a.extents)-a.tail] {
		switch {
		case !e.isConstant():
			b.factors = append(b.factors, e)
		case e.c > b.most:
			return false
		case e.c > 0:
			b.most /= e.c
		}
	}
	if len(b.factors) > 0 {
		b.remark = &diag.Diagnostic{Severity: diag.Remark, Code: "HX111", At: b.at, Msg: fmt.Sprintf("'%s' is a number of type '%v'", f.text, f.typ)}
		pr.relyOnBound(b)
	}
	return true
}

package hexcc

import (
	"fmt"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file refuses types that a target does not have.

// checkTypes notes the first use of a long double or a complex number, in each region, if the target is a GPU, or of a long double if the file is C++.
func (f *file) checkTypes(regions []*scop.Program) {
	for _, p := range regions {
		if p == nil {
			continue
		}
		at, what, t := f.firstRefused(p)
		if what == "" {
			continue
		}
		d := &diag.Diagnostic{
			Code: "HX106", At: at, Msg: fmt.Sprintf("%s of type '%v', in which no GPU calculates", what, t),
			Notes: []diag.Note{{Msg: "text for CPUs, from C, has such numbers as the compiler of the program has them"}},
			Help:  "use double, or let CPUs run it: --target=openmp or --target=c",
		}
		if t.IsComplex() {
			d.Notes[0].Msg = "text for CPUs has such numbers as the compiler of the program has them"
			d.Help = "keep the parts as numbers of their own, such as A[i][j][2], or let CPUs run it: --target=openmp or --target=c"
		}
		if p.Cxx && t == scop.LongDouble {
			d.Msg = fmt.Sprintf("%s of type '%v', whose functions are not told from those of double in C++", what, t)
			d.Help = "put the region into a C file, and let CPUs run it: --target=openmp or --target=c"
		}
		f.errs = append(f.errs, f.origin.Moved(diag.List{d})...)
	}
}

// firstRefused returns where p first uses a type that the target does not have, what has it, "" if nothing does, and the type.
func (f *file) firstRefused(p *scop.Program) (at diag.Span, what string, t scop.Type) {
	only := func(t scop.Type) bool {
		return t == scop.LongDouble && (p.Cxx || !f.opts.Target.isCPU()) || t.IsComplex() && !f.opts.Target.isCPU()
	}
	for _, s := range p.Stmts {
		for _, a := range s.Accesses {
			if only(a.Array.Elem) {
				return a.Pos, fmt.Sprintf("'%s' has elements", a.Array.Name), a.Array.Elem
			}
		}
		s.Visit(func(e scop.Expr) {
			if only(e.Type()) && what == "" {
				at, what, t = s.Pos, "a value here is", e.Type()
			}
		})
		if what != "" {
			return at, what, t
		}
	}
	return at, "", 0
}

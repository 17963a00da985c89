package schedule

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/scop"
)

// variables returns the sums that are these names.
func variables(names []string) []affine.Sum {
	xs := make([]affine.Sum, len(names))
	for i, name := range names {
		xs[i] = affine.Var(name)
	}
	return xs
}

// exprs returns sums as expressions.
func exprs(xs []affine.Sum) []affine.Expr {
	es := make([]affine.Expr, len(xs))
	for i, x := range xs {
		es[i] = x
	}
	return es
}

// coef returns xs[i], or 0 where xs is short.
func coef(xs []int64, i int) int64 {
	if i < len(xs) {
		return xs[i]
	}
	return 0
}

// fresh returns name, with as many _ behind it as it takes to differ from the
// iterators of st and the parameters of p.
func fresh(name string, p *scop.Program, st *scop.Stmt) string {
	isParam := func(q scop.Param) bool { return q.Name == name }
	for slices.Contains(st.Iters, name) || slices.ContainsFunc(p.Params, isParam) {
		name += "_"
	}
	return name
}

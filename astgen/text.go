package astgen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
)

// Holds reports whether c is true under env. The nil Cond is true.
func (c Cond) Holds(env map[string]int64) bool {
	if c == nil {
		return true
	}
	return slices.ContainsFunc(c, func(all []affine.Expr) bool {
		return !slices.ContainsFunc(all, func(e affine.Expr) bool { return affine.Eval(e, env) < 0 })
	})
}

// String returns c in C's notation; the nil Cond is 1.
func (c Cond) String() string {
	if c == nil {
		return "1"
	}
	if len(c) == 0 {
		return "0"
	}
	alts := make([]string, len(c))
	for i, all := range c {
		rows := make([]string, len(all))
		for j, e := range all {
			rows[j] = relation(e)
		}
		if alts[i] = strings.Join(rows, " && "); len(all) == 0 {
			alts[i] = "1"
		}
		if len(c) > 1 && len(all) > 1 {
			alts[i] = "(" + alts[i] + ")"
		}
	}
	return strings.Join(alts, " || ")
}

// where returns w in C's notation after " if ", "" if w always holds.
func (w Work) where() string {
	if w == nil {
		return ""
	}
	return " if " + w.String()
}

// String returns w in C's notation.
func (w Work) String() string {
	if w == nil {
		return "1"
	}
	alts := make([]string, len(w))
	for i, r := range w {
		var rows []string
		for _, e := range r.Rows {
			rows = append(rows, relation(e))
		}
		if r.Lo != nil {
			rows = append(rows, fmt.Sprintf("%v <= %v", r.Lo, r.Hi))
		}
		if alts[i] = strings.Join(rows, " && "); len(rows) > 1 && len(w) > 1 {
			alts[i] = "(" + alts[i] + ")"
		}
	}
	return strings.Join(alts, " || ")
}

// relation returns e >= 0 with what e subtracts on the right: N - i - 2 >= 0 is N >= i + 2.
func relation(e affine.Expr) string {
	x, ok := e.(affine.Sum)
	if !ok {
		return fmt.Sprintf("%v >= 0", e)
	}
	var left, right affine.Sum
	for _, t := range x.Terms {
		if t.Coef > 0 {
			left.Terms = append(left.Terms, t)
		} else {
			right.Terms = append(right.Terms, affine.Term{Coef: -t.Coef, Var: t.Var})
		}
	}
	if left.IsNum() && !right.IsNum() { // c >= i reads better as i <= c
		return fmt.Sprintf("%v <= %d", right, x.Const)
	}
	right.Const = -x.Const
	return fmt.Sprintf("%v >= %v", left, right)
}

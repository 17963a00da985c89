package lower

import "github.com/hexcc/hexcc/affine"

// This file keeps the subscripts of straight code small. A tile names the same few
// elements again and again, so that equal subscripts are made once and shared.

// maxShared is how many subscripts an element has at most that are shared as a whole.
const maxShared = 4

// indices holds those of straight code, equal ones once.
type indices struct {
	exprs map[short]shared
	lists map[[maxShared]int32][]affine.Expr
}

// A short sum is one of at most one term.
type short struct {
	constant int64
	term     affine.Term
}

// A shared expression, and its number, from 1 on.
type shared struct {
	expr   affine.Expr
	number int32
}

// expr returns s as an expression, and its number; 0 if it is not shared.
func (u *indices) expr(s affine.Sum) (affine.Expr, int32) {
	if len(s.Terms) > 1 {
		return s, 0
	}
	key := short{constant: s.Const}
	if len(s.Terms) == 1 {
		key.term = s.Terms[0]
	}
	x, ok := u.exprs[key]
	if !ok {
		if u.exprs == nil {
			u.exprs, u.lists = map[short]shared{}, map[[maxShared]int32][]affine.Expr{}
		}
		x = shared{s, int32(len(u.exprs) + 1)}
		u.exprs[key] = x
	}
	return x.expr, x.number
}

// subst returns index with sums for variables. What it returns is not to be changed.
func (u *indices) subst(index []affine.Expr, by map[string]affine.Sum) []affine.Expr {
	var exprs [maxShared]affine.Expr
	var numbers [maxShared]int32
	if len(index) > maxShared {
		return affine.SubstAll(index, by)
	}
	all := true
	for k, e := range index {
		if s, ok := e.(affine.Sum); ok {
			exprs[k], numbers[k] = u.expr(s.Subst(by))
		} else {
			exprs[k] = affine.Subst(e, by)
		}
		all = all && numbers[k] > 0
	}
	if !all {
		return append([]affine.Expr(nil), exprs[:len(index)]...)
	}
	list, ok := u.lists[numbers]
	if !ok {
		list = append([]affine.Expr(nil), exprs[:len(index)]...)
		u.lists[numbers] = list
	}
	return list
}

package lower

import "github.com/hexcc/hexcc/astgen"

// This file keeps the subscripts of straight code small. A tile names the same few
// elements again and again, so that equal subscripts are made once and shared.

// maxShared is how many subscripts an element has at most that are shared as a whole.
const maxShared = 4

// indices holds those of straight code, equal ones once.
type indices struct {
	exprs map[short]shared
	lists map[[maxShared]int32][]astgen.Expr
}

// A short sum is one of at most one term.
type short struct {
	constant int64
	term     astgen.Term
}

// A shared expression, and its number, from 1 on.
type shared struct {
	expr   astgen.Expr
	number int32
}

// expr returns s as an expression, and its number; 0 if it is not shared.
func (u *indices) expr(s astgen.Sum) (astgen.Expr, int32) {
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
			u.exprs, u.lists = map[short]shared{}, map[[maxShared]int32][]astgen.Expr{}
		}
		x = shared{s, int32(len(u.exprs) + 1)}
		u.exprs[key] = x
	}
	return x.expr, x.number
}

// subst returns index with sums for variables. What it returns is not to be changed.
func (u *indices) subst(index []astgen.Expr, by map[string]astgen.Sum) []astgen.Expr {
	var exprs [maxShared]astgen.Expr
	var numbers [maxShared]int32
	if len(index) > maxShared {
		return substAll(index, by)
	}
	all := true
	for k, e := range index {
		if s, ok := e.(astgen.Sum); ok {
			exprs[k], numbers[k] = u.expr(s.Subst(by))
		} else {
			exprs[k] = astgen.Subst(e, by)
		}
		all = all && numbers[k] > 0
	}
	if !all {
		return append([]astgen.Expr(nil), exprs[:len(index)]...)
	}
	list, ok := u.lists[numbers]
	if !ok {
		list = append([]astgen.Expr(nil), exprs[:len(index)]...)
		u.lists[numbers] = list
	}
	return list
}

// substAll returns es with sums for variables.
func substAll(es []astgen.Expr, by map[string]astgen.Sum) []astgen.Expr {
	out := make([]astgen.Expr, len(es))
	for k, e := range es {
		out[k] = astgen.Subst(e, by)
	}
	return out
}

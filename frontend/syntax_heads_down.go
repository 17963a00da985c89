package frontend

// This file makes loops that count in their head of those that count down in their condition, as loops over unsigned integers do that are to
// come to 0:
//
//	for (i = n; i-- > 1; )     =>   for (i = n; i > 1; i--)
//	  A[i] = f(A[i - 1]);             A[i - 1] = f(A[(i - 1) - 1]);
//
//	for (i = n; --i > 0; )     =>   for (i = n - 1; i > 0; i--)
//	  A[i] = f(A[i - 1]);             A[i] = f(A[i - 1]);
//
// The loops that are made compare what the others do, so that an unsigned i wraps around where it did, which for the former kind is never while
// it is compared. What the variable holds behind the former loop is another value: where that is read, the region is refused, since of loops
// that count down it is not known.

// countedInHead returns f, a loop whose condition takes 1 off its variable, as one whose step does; ok is false if it is none.
func countedInHead(f forStmt) (one forStmt, ok bool) {
	d := iteratorOf(f)
	if d == nil || initOf(f) == nil || f.step != nil || f.cond == nil || assigns(f.body, d) {
		return f, false
	}
	test, counts := f.cond.(assign)
	compared, compares := f.cond.(binary)
	if compares {
		test, counts = compared.x.(assign)
	}
	if !counts || test.op != "--" || !isIdent(test.x, d) || compares && mentions(compared.y, d) {
		return f, false
	}
	if !compares {
		compared = binary{test.where, "!=", nil, truthNumber(test.where, false)}
	}
	compared.x = test.x
	f.cond, f.step = compared, test
	if test.x.at().first != test.first { // --i is compared, and what the body uses
		f.init = beginningWith(f.init, lessOne(initOf(f)))
		return f, true
	}
	f.body = mapStmt(f.body, func(e expr) expr {
		return mapExpr(e, func(e expr) expr {
			if isIdent(e, d) {
				return lessOne(e)
			}
			return e
		})
	})
	return f, true
}

// beginningWith returns init, which gives one variable its first value, with another one.
func beginningWith(init stmt, first expr) stmt {
	switch s := init.(type) {
	case declStmt:
		v := s.vars[0]
		v.init = first
		return declStmt{s.where, []varDecl{v}}
	case exprStmt:
		a := s.x.(assign)
		a.y = first
		return exprStmt{s.where, a}
	}
	panic("frontend: beginningWith: no first value")
}

// lessOne returns e - 1.
func lessOne(e expr) expr { return binary{e.at(), "-", e, truthNumber(e.at(), true)} }

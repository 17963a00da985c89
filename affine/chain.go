package affine

// This file says in which order code calculates a sum. Printers spell chains, and what is proved of the sizes
// of intermediate values is proved of the same chains: each product in them, and each value from the left up to a link.

// A Chain is a sum as code calculates it: the links are added, or subtracted, one after the other from the left.
type Chain []Link

// A Link is Coef*Var, or the number Coef where Var is "". Minus: it is subtracted; as the first link, negated.
type Link struct {
	Minus bool
	Coef  int64
	Var   string
}

// ChainOf returns what is added before what is subtracted, and c last: the numbers in links are positive.
// Where nothing is added, c comes first if it is positive: 5 - b0. Coefficients of terms are positive.
func ChainOf(plus, minus []Term, c int64) Chain {
	chain := make(Chain, 0, len(plus)+len(minus)+1)
	for _, t := range plus {
		chain = append(chain, Link{Coef: t.Coef, Var: t.Var})
	}
	if len(plus) == 0 && (c > 0 || len(minus) == 0) {
		chain = append(chain, Link{Coef: c})
		c = 0
	}
	for _, t := range minus {
		chain = append(chain, Link{Minus: true, Coef: t.Coef, Var: t.Var})
	}
	switch {
	case c > 0:
		chain = append(chain, Link{Coef: c})
	case c < 0:
		chain = append(chain, Link{Minus: true, Coef: negative(c)})
	}
	return chain
}

// negative returns -c.
func negative(c int64) int64 { return Minus(0, c) }

// NumberFirst returns the chain of s where each link is an operation of two operands: where nothing is added, the
// number comes first whatever it is; else it comes last, and may be negative.
func (x Sum) NumberFirst() Chain {
	plus, minus := x.Sides()
	chain := make(Chain, 0, len(x.Terms)+1)
	for _, t := range plus {
		chain = append(chain, Link{Coef: t.Coef, Var: t.Var})
	}
	if len(plus) == 0 {
		chain = append(chain, Link{Coef: x.Const})
	}
	for _, t := range minus {
		chain = append(chain, Link{Minus: true, Coef: t.Coef, Var: t.Var})
	}
	if len(plus) > 0 && x.Const != 0 {
		chain = append(chain, Link{Coef: x.Const})
	}
	return chain
}

// Chain returns the chain of s, as ChainOf has it.
func (x Sum) Chain() Chain {
	plus, minus := x.Sides()
	return ChainOf(plus, minus, x.Const)
}

// Sides returns the terms of s with positive coefficients, and the others, negated.
func (x Sum) Sides() (plus, minus []Term) {
	for _, t := range x.Terms {
		if t.Coef > 0 {
			plus = append(plus, t)
		} else {
			minus = append(minus, Term{negative(t.Coef), t.Var})
		}
	}
	return plus, minus
}

// A Comparison is a constraint as code tests it: Left >= Right, or Left <= Right if AtMost.
type Comparison struct {
	AtMost      bool
	Left, Right Chain
}

// Compare returns the constraint x >= 0 with each term on the side where it is positive, and the number on the right: of n - i - 2,
// i <= n - 2 if what is added in x shall stand on the right, or n >= i + 2.
func (x Sum) Compare(plusRight bool) Comparison {
	plus, minus := x.Sides()
	switch {
	case len(minus) == 0:
		return Comparison{Left: ChainOf(plus, nil, 0), Right: ChainOf(nil, nil, negative(x.Const))}
	case len(plus) == 0 || plusRight:
		return Comparison{AtMost: true, Left: ChainOf(minus, nil, 0), Right: ChainOf(plus, nil, x.Const)}
	}
	return Comparison{Left: ChainOf(plus, nil, 0), Right: ChainOf(minus, nil, negative(x.Const))}
}

// CompareNumberLeft is Compare with the number on the left, beside what is added, where something is added and something subtracted.
func (x Sum) CompareNumberLeft() Comparison {
	plus, minus := x.Sides()
	if len(plus) == 0 || len(minus) == 0 {
		return x.Compare(false)
	}
	left := ChainOf(plus, nil, 0)
	if x.Const != 0 {
		left = append(left, Link{Coef: x.Const})
	}
	return Comparison{Left: left, Right: ChainOf(minus, nil, 0)}
}

// Prefixes returns the values that calculating c has on the way: of each link, and of the links up to it.
func (c Chain) Prefixes() (values []Sum) {
	var so Sum
	for i, l := range c {
		at := Num(l.Coef)
		if l.Var != "" {
			at = Sum{Terms: []Term{{l.Coef, l.Var}}}
		}
		values = append(values, at)
		if l.Minus {
			at = at.Times(-1)
		}
		so = so.Plus(at)
		if i > 0 || l.Minus {
			values = append(values, so)
		}
	}
	return values
}

package scop

// This file fuses products with the sums that they feed. A fused multiply-add is one instruction and rounds once, so that results
// differ from those of the source, and so that is only done where it is asked for. It is done here, once, by calls of fma and fmaf of
// math.h, which are exactly defined: whatever prints, runs or proves the program works on the same calls, bit for bit.
//
// What is fused is that product of the expression itself: one that is assigned to a variable, or converted, is rounded before, as
// C has it for casts and assignments. Of a sum of two products the one on the left is fused, and sums are
// taken from the inside out; that is what gcc, clang and nvcc mostly do with an expression:
//
//	a*b + c          =>  fma(a, b, c)
//	c + a*b          =>  fma(a, b, c)
//	a*b - c          =>  fma(a, b, -c)
//	c - a*b          =>  fma(-a, b, c)
//	-(a*b) + c       =>  fma(-a, b, c)
//	a*b + c*d        =>  fma(a, b, c*d)
//	a*b + c*d + e*f  =>  fma(e, f, fma(a, b, c*d))
//
// A negative is exact, so that each differs from the sum by the rounding of the product alone.

// Fused returns p with each product that feeds a sum or a difference in float or double as a fused multiply-add;
// p itself if there is none. The result has p as its Unfused.
func Fused(p *Program) *Program {
	f := fuser{}
	out := *p
	out.Stmts = nil
	for _, s := range p.Stmts {
		out.Stmts = append(out.Stmts, f.statement(s))
	}
	if f.count == 0 {
		return p
	}
	out.Unfused, out.Fusions = p, f.count
	return &out
}

// FusedValue returns e with all sums in it fused.
func FusedValue(e Expr) Expr { return new(fuser).expr(e) }

// AsWritten returns the program of the source: p without what Fused did, with all its temporaries, nests and sums as they are.
func (p *Program) AsWritten() *Program {
	p = p.whole()
	if p.Unregrouped != nil {
		p = p.Unregrouped
	}
	return p
}

// whole returns p with products that are not fused, and with all its temporaries, and nests as they are. Sums are regrouped as they are in p.
func (p *Program) whole() *Program {
	if p.Unfused != nil {
		p = p.Unfused
	}
	for p.Uninlined != nil {
		p = p.Uninlined
	}
	return p
}

// Original returns the program whose results p equals bit for bit: p with all its temporaries, and nests as they are. A product that feeds a sum is fused in it where it is
// in p, since the value of a temporary is assigned to a variable wherever it is computed: so where products are fused, arrays that are folded stay so. Sums are regrouped as they are in p.
func (p *Program) Original() *Program {
	switch {
	case p.Uninlined == nil:
		return p
	case p.Unfused != nil:
		q := p.Unfused
		for q.Uninlined != nil && q.Combinations == 0 {
			q = q.Uninlined
		}
		return Fused(q)
	}
	return p.whole()
}

// Rounded reports whether results of p differ from those of the source by rounding: products are fused with sums, or sums are regrouped.
func (p *Program) Rounded() bool { return p.Unfused != nil || p.Unregrouped != nil }

// IsFMA reports whether e is a call of fma or fmaf of math.h.
func (e Call) IsFMA() bool {
	return len(e.Args) == 3 && (e.T == Double && e.Func == "fma" || e.T == Float && e.Func == "fmaf")
}

// A fuser counts what it fuses.
type fuser struct{ count int }

// statement returns s with its accesses, and the sums of its body fused.
func (f *fuser) statement(s *Stmt) *Stmt {
	out := *s
	out.Body = WithValues(s.Body, f.expr)
	return &out
}

// expr returns e with all sums in it fused.
func (f *fuser) expr(e Expr) Expr {
	e = WithOperands(e, f.expr)
	if sum, ok := e.(Binary); ok {
		return f.sum(sum)
	}
	return e
}

// sum returns e, whose operands are fused, as a fused multiply-add if it is a sum or difference of a product.
func (f *fuser) sum(e Binary) Expr {
	t := e.X.Type()
	if e.Op != "+" && e.Op != "-" || t != Float && t != Double {
		return e
	}
	if a, b, ok := factors(e.X); ok {
		if e.Op == "-" {
			e.Y = negative(e.Y)
		}
		return f.fma(t, a, b, e.Y)
	}
	if a, b, ok := factors(e.Y); ok {
		if e.Op == "-" {
			a = negative(a)
		}
		return f.fma(t, a, b, e.X)
	}
	return e
}

func (f *fuser) fma(t Type, args ...Expr) Expr {
	f.count++
	if t == Float {
		return Call{T: t, Func: "fmaf", Args: args}
	}
	return Call{T: t, Func: "fma", Args: args}
}

// factors returns what e is the product of, if it is one, or the negative of one.
func factors(e Expr) (a, b Expr, ok bool) {
	switch e := e.(type) {
	case Unary:
		a, b, ok = factors(e.X)
		if ok && e.Op == "-" {
			a = negative(a)
		}
		return a, b, ok
	case Binary:
		return e.X, e.Y, e.Op == "*"
	}
	return nil, nil, false
}

// negative returns -e.
func negative(e Expr) Expr {
	if u, ok := e.(Unary); ok && u.Op == "-" {
		return u.X
	}
	return Unary{Op: "-", X: e}
}

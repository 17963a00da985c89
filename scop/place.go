package scop

import (
	"fmt"

	"github.com/hexcc/hexcc/diag"
)

// Place returns where the source has e, cut to its first line; nil: it has no such expression.
func Place(e Expr) *diag.Span {
	switch e := e.(type) {
	case Read:
		if e.From.Pos.Line == 0 {
			return nil
		}
		return &e.From.Pos
	case Const:
		return e.At
	case Var:
		return e.At
	case Unary:
		return e.At
	case Binary:
		return e.At
	case Cast:
		return e.At
	case Call:
		return e.At
	case Cond:
		return e.At
	}
	panic(fmt.Sprintf("scop: Place: unknown expression %T", e))
}

// Placed returns e with at for its place. A conversion of C's own stands nowhere: then at is the place of what is converted. What has a place keeps it,
// as what a function of the source computes does, where it is called.
func Placed(e Expr, at *diag.Span) Expr {
	switch x := e.(type) {
	case Read:
	case Const:
		x.At = first(x.At, at)
		return x
	case Var:
		x.At = first(x.At, at)
		return x
	case Unary:
		x.At = first(x.At, at)
		return x
	case Binary:
		x.At = first(x.At, at)
		return x
	case Cast:
		if x.Implicit {
			x.X = Placed(x.X, at)
			return x
		}
		x.At = first(x.At, at)
		return x
	case Call:
		x.At = first(x.At, at)
		return x
	case Cond:
		x.At = first(x.At, at)
		return x
	}
	return e
}

func first(a, b *diag.Span) *diag.Span {
	if a != nil {
		return a
	}
	return b
}

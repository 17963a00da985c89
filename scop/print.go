package scop

import (
	"fmt"
	"strconv"
	"strings"
)

// String returns p for people: its variables, and each nest with its domain,
// accesses and body. Conversions that C makes unasked are shown as casts.
func (p *Program) String() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("function %s", p.Function)
	for _, q := range p.Params {
		line("param %s %s", q.Type, q.Name)
	}
	for _, s := range p.Scalars {
		if s.Of != nil {
			line("scalar %s %s = %s", s.Type, s.Name, elementName(s.Of.Array.Name, s.Of.Index))
			continue
		}
		line("scalar %s %s", s.Type, s.Name)
	}
	for _, a := range p.Arrays {
		line("%s", p.declaration(a))
	}
	line("context %s", p.Context)
	line("time %s", p.Time)
	if p.Unregrouped != nil {
		line("sums regrouped")
	}
	if p.Unfused != nil {
		line("fused products: %d", p.Fusions)
	}
	switch {
	case p.Combinations > 0:
		line("arrays folded: %d combinations of them have nests of their own", p.Combinations)
	case p.Uninlined != nil && len(p.Stmts) > len(p.Uninlined.Stmts):
		line("made by fission of %d statements", len(p.Uninlined.Stmts))
	case p.Uninlined != nil:
		line("temporaries computed where they are read: of %d statements %d are left", len(p.Uninlined.Stmts), len(p.Stmts))
	}
	for _, s := range p.Stmts {
		b.WriteString("\n" + p.stmt(s))
	}
	for _, w := range p.Walls {
		b.WriteString("\n" + p.wall(w))
	}
	return b.String()
}

// declaration returns "array float A[2][n][n]".
func (p *Program) declaration(a *Array) string {
	text := "array "
	if a.Const {
		text += "const "
	}
	text += a.Elem.String() + " " + a.Name
	for _, e := range a.Extents {
		text += "[" + p.affine(e, nil) + "]"
	}
	return text
}

func (p *Program) stmt(s *Stmt) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", s.Domain)
	for _, r := range s.Bounds {
		fmt.Fprintf(&b, "  bound %s >= 0\n", p.affine(r, s.Iters))
	}
	for i, name := range s.Iters {
		if s.CountsDown(i) {
			fmt.Fprintf(&b, "  loop %s counts down\n", name)
		}
	}
	for _, a := range s.Accesses {
		kind := "read "
		if a.Write {
			kind = "write"
		}
		fmt.Fprintf(&b, "  %s %s\n", kind, p.access(a, s.Iters))
	}
	for _, act := range s.Body {
		fmt.Fprintf(&b, "  %s\n", p.action(act, s.Iters))
	}
	return b.String()
}

func (p *Program) wall(w Wall) string {
	text := fmt.Sprintf("wall %s, at all %s with\n", w.Text, strings.Join(w.Nest.Iters, ", "))
	for _, r := range w.Nest.Bounds {
		text += fmt.Sprintf("  bound %s >= 0\n", p.affine(r, w.Nest.Iters))
	}
	return text + fmt.Sprintf("  does not stand where %s\n", p.expr(w.Broken(), w.Nest.Iters))
}

func (p *Program) action(act Action, iters []string) string {
	switch a := act.(type) {
	case Let:
		text := a.Name + " = " + p.expr(a.Value, iters) + ";"
		if a.Declare {
			return a.Type.String() + " " + text
		}
		return text
	case Store:
		return p.access(a.To, iters) + " = " + p.expr(a.Value, iters) + ";"
	}
	panic(fmt.Sprintf("scop: action: unknown action %T", act))
}

// AccessText returns the element that a, an access of s, touches, such as A[t % 2][i - 1].
func (p *Program) AccessText(s *Stmt, a *Access) string { return p.access(a, s.Iters) }

func (p *Program) access(a *Access, iters []string) string {
	text := a.Array.Name
	for _, x := range a.Index {
		s := p.affine(x.Affine, iters)
		if x.Mod > 0 {
			if strings.Contains(s, " ") {
				s = "(" + s + ")"
			}
			s = fmt.Sprintf("%s %% %d", s, x.Mod)
		}
		text += "[" + s + "]"
	}
	return text
}

// affine returns a as a sum, such as 2*i - n + 1.
func (p *Program) affine(a Affine, iters []string) string {
	var b strings.Builder
	add := func(c int64, name string) {
		sign, size := "+", c
		if c < 0 {
			sign, size = "-", -c
		}
		switch {
		case c == 0:
			return
		case b.Len() > 0:
			b.WriteString(" " + sign + " ")
		case c < 0:
			b.WriteString("-")
		}
		switch {
		case name == "":
			b.WriteString(strconv.FormatInt(size, 10))
		case size == 1:
			b.WriteString(name)
		default:
			fmt.Fprintf(&b, "%d*%s", size, name)
		}
	}
	for i, c := range a.Iters {
		add(c, iters[i])
	}
	for i, c := range a.Params {
		add(c, p.Params[i].Name)
	}
	add(a.Const, "")
	if b.Len() == 0 {
		return "0"
	}
	return b.String()
}

// expr returns e as C, with parentheses around every operation inside another.
func (p *Program) expr(e Expr, iters []string) string {
	inner := func(e Expr) string {
		text := p.expr(e, iters)
		switch e.(type) {
		case Binary, Cond:
			return "(" + text + ")"
		}
		return text
	}
	switch e := e.(type) {
	case Const:
		return e.literal()
	case Read:
		return p.access(e.From, iters)
	case Var:
		return e.Name
	case Unary:
		return e.Op + inner(e.X)
	case Binary:
		return inner(e.X) + " " + e.Op + " " + inner(e.Y)
	case Cast:
		return "(" + e.T.String() + ")" + inner(e.X)
	case Call:
		args := make([]string, len(e.Args))
		for i, a := range e.Args {
			args[i] = p.expr(a, iters)
		}
		return e.Func + "(" + strings.Join(args, ", ") + ")"
	case Cond:
		return inner(e.C) + " ? " + inner(e.X) + " : " + inner(e.Y)
	}
	panic(fmt.Sprintf("scop: expr: unknown expression %T", e))
}

// literal returns c as it was written, or its value.
func (c Const) literal() string {
	switch {
	case c.Text != "":
		return c.Text
	case c.T.IsFloat():
		return strconv.FormatFloat(c.F, 'g', -1, 64)
	}
	return strconv.FormatInt(c.I, 10)
}

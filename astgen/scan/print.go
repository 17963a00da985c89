package scan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/affine"
)

// Prelude is C that declares what the text of loops may use.
const Prelude = `#define floord(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
#define mod(n, d) (((n) % (d) + (d)) % (d))
#define min(x, y) ((x) < (y) ? (x) : (y))
#define max(x, y) ((x) > (y) ? (x) : (y))
`

// C returns loops as C, in the style of isl: a call S(i, j); for each instance. It uses the macros of Prelude.
func C(n Node) string {
	p := &printer{}
	p.node(n)
	return p.String()
}

type printer struct {
	strings.Builder
	depth int
}

func (p *printer) line(format string, args ...any) {
	fmt.Fprintf(p, "%*s%s\n", 2*p.depth, "", fmt.Sprintf(format, args...))
}

func (p *printer) node(n Node) {
	switch n := n.(type) {
	case nil:
	case Block:
		for _, c := range n {
			p.node(c)
		}
	case *For:
		p.loop(n)
	case *If:
		p.branch("if", n)
	case *Call:
		p.line("%s(%s);", n.Stmt, exprs(n.Args))
	case *Mark:
		p.line("// %s", strings.Join(strings.Fields(n.Name), " "))
		p.node(n.Body)
	default:
		panic(fmt.Sprintf("scan: print: unknown node %T", n))
	}
}

func (p *printer) loop(n *For) {
	while := fmt.Sprintf("%s <= %s", n.Var, Expr(n.Hi))
	if hi, ok := n.Hi.(affine.Sum); ok && hi.Const == -1 && len(hi.Terms) > 0 {
		while = fmt.Sprintf("%s < %s", n.Var, Expr(hi.Add(1)))
	}
	head := fmt.Sprintf("for (int %s = %s; %s; %s += %d)", n.Var, Expr(n.Lo), while, n.Var, n.Step)
	p.body(head, n.Body, printedAs(n.Body) != 1)
}

// body prints what stands below head, in braces if they are set.
func (p *printer) body(head string, body Node, braces bool) {
	if braces {
		head += " {"
	}
	p.line("%s", head)
	p.depth++
	p.node(body)
	p.depth--
	if braces {
		p.line("}")
	}
}

// branch prints an If that starts with the words if or } else if.
func (p *printer) branch(words string, n *If) {
	head := fmt.Sprintf("%s (%v)", words, n.Cond)
	if printedAs(n.Else) == 0 {
		p.body(head, n.Then, words != "if" || printedAs(n.Then) != 1 || hasElse(n.Then))
		return
	}
	p.line("%s {", head)
	p.depth++
	p.node(n.Then)
	p.depth--
	if next, ok := only(n.Else).(*If); ok {
		p.branch("} else if", next)
		return
	}
	p.body("} else", n.Else, true)
}

// hasElse reports whether an else after n would be taken to be that of n.
func hasElse(n Node) bool {
	i, ok := only(n).(*If)
	return ok && (printedAs(i.Else) > 0 || hasElse(i.Then))
}

// only returns the node that a block is in the end, if it is one.
func only(n Node) Node {
	for {
		b, ok := n.(Block)
		if !ok || len(b) != 1 {
			return n
		}
		n = b[0]
	}
}

// printedAs returns the number of statements of C that n is printed as, but no more than 2.
func printedAs(n Node) (count int) {
	switch n := n.(type) {
	case nil:
		return 0
	case Block:
		for _, c := range n {
			count += printedAs(c)
		}
		return min(count, 2)
	case *Mark:
		return 2 // a comment, for which braces are clearer
	}
	return 1
}

// String returns c as C.
func (c Cond) String() string {
	if len(c) == 0 {
		return "0"
	}
	var any []string
	for _, conj := range c {
		var all []string
		for _, r := range conj {
			all = append(all, r.String())
		}
		text := strings.Join(all, " && ")
		switch {
		case len(all) == 0:
			text = "1"
		case len(all) > 1 && len(c) > 1:
			text = "(" + text + ")"
		}
		any = append(any, text)
	}
	return strings.Join(any, " || ")
}

// String returns r as C.
func (r Comparison) String() string {
	op := []string{AtLeast: ">=", AtMost: "<=", Equal: "=="}[r.Op]
	left, right := Expr(r.Left), Expr(r.Right)
	if m, ok := r.Left.(affine.Mod); ok && r.Op == Equal && isZero(r.Right) { // whatever the sign of a remainder of C
		left = fmt.Sprintf("%s %% %d", factor(m.X), m.D)
	}
	return fmt.Sprintf("%s %s %s", left, op, right)
}

func isZero(e affine.Expr) bool {
	x, ok := e.(affine.Sum)
	return ok && x.IsNum() && x.Const == 0
}

// factor returns e as a factor.
func factor(e affine.Expr) string {
	text := Expr(e)
	if strings.ContainsAny(text, " -") {
		return "(" + text + ")"
	}
	return text
}

// Expr returns e as C.
func Expr(e affine.Expr) string {
	switch e := e.(type) {
	case affine.Sum:
		return total(e, nil)
	case affine.Linear:
		return total(e.Sum, e.Parts)
	case affine.FloorDiv:
		return fmt.Sprintf("floord(%s, %d)", Expr(e.X), e.D)
	case affine.Mod:
		return fmt.Sprintf("mod(%s, %d)", Expr(e.X), e.D)
	case affine.Min:
		return nested("min", e.Args)
	case affine.Max:
		return nested("max", e.Args)
	}
	panic(fmt.Sprintf("scan: print: unknown expression %T", e))
}

func exprs(list []affine.Expr) string {
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = Expr(e)
	}
	return strings.Join(texts, ", ")
}

// nested returns the function of two arguments called name of two or more.
func nested(name string, args []affine.Expr) string {
	text := Expr(args[0])
	for _, a := range args[1:] {
		text = fmt.Sprintf("%s(%s, %s)", name, text, Expr(a))
	}
	return text
}

// total returns a sum, with what is added before what is subtracted, and the number last.
func total(x affine.Sum, parts []affine.Part) string {
	type link struct {
		coef int64
		text string
	}
	var links []link
	for _, t := range x.Terms {
		links = append(links, link{t.Coef, t.Var})
	}
	for _, t := range parts {
		links = append(links, link{t.Coef, Expr(t.X)})
	}
	slices.SortStableFunc(links, func(a, b link) int {
		if (a.coef > 0) == (b.coef > 0) {
			return 0
		} else if a.coef > 0 {
			return -1
		}
		return 1
	})
	if x.Const != 0 || len(links) == 0 {
		if len(links) > 0 && links[0].coef < 0 && x.Const > 0 {
			links = slices.Insert(links, 0, link{x.Const, ""})
		} else {
			links = append(links, link{x.Const, ""})
		}
	}
	var b strings.Builder
	for i, l := range links {
		c := l.coef
		switch {
		case i > 0 && c < 0:
			b.WriteString(" - ")
			c = -c
		case i > 0:
			b.WriteString(" + ")
		case c < 0:
			b.WriteString("-")
			c = -c
		}
		switch {
		case l.text == "":
			b.WriteString(strconv.FormatInt(c, 10))
		case c == 1:
			b.WriteString(l.text)
		default:
			fmt.Fprintf(&b, "%d * %s", c, l.text)
		}
	}
	return b.String()
}

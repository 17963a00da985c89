package astgen

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/schedule"
)

// String returns the loops in C-like notation, with statements as calls.
func (p *Program) String() string {
	var w printer
	w.node(p.Body)
	return w.b.String()
}

// A printer writes indented lines.
type printer struct {
	b     strings.Builder
	depth int
}

func (w *printer) line(format string, args ...any) {
	w.b.WriteString(strings.Repeat("  ", w.depth))
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

// nest writes body one level deeper.
func (w *printer) nest(body func()) {
	w.depth++
	body()
	w.depth--
}

func (w *printer) node(n Node) {
	switch n := n.(type) {
	case nil:
	case Block:
		for _, m := range n {
			w.node(m)
		}
	case For:
		w.line("for (%s = %v; %s <= %v; %s++) // %s", n.Var, n.Lo, n.Var, n.Hi, n.Var, roles[n.Role])
		w.nest(func() { w.node(n.Body) })
	case Launch:
		w.line("launch phase %d%s", n.Phase, n.Work.where())
		w.nest(func() { w.node(n.Body) })
	case If:
		w.line("if (%v)", n.Cond)
		w.nest(func() { w.node(n.Then) })
		if n.Else != nil {
			w.line("else")
			w.nest(func() { w.node(n.Else) })
		}
	case Tile:
		kind := "partial"
		if n.Full {
			kind = "full"
		}
		w.line("%s tile", kind)
		w.nest(func() {
			for _, s := range n.Steps {
				w.line("%v", s)
			}
		})
	case Rolled:
		w.line("for (%s = %v; %s <= %v; %s++) // steps", n.Var, n.Lo, n.Var, n.Hi, n.Var)
		w.nest(func() {
			for _, s := range n.Steps {
				w.line("%v", s)
			}
		})
	default:
		panic(fmt.Sprintf("astgen: unknown node %T", n))
	}
}

var roles = [...]string{schedule.Host: "host", schedule.Block: "block", schedule.Seq: "seq", schedule.Thread: "thread"}

// String returns s in a line: step 3: 0 <= b0 <= 5: S0(t, b0 + 1).
func (s Step) String() string {
	var loops, iters strings.Builder
	for _, l := range s.Loops {
		fmt.Fprintf(&loops, " %v <= %s <= %v,", l.Lo, l.Var, l.Hi)
	}
	for i, e := range s.Iters {
		if i > 0 {
			iters.WriteString(", ")
		}
		fmt.Fprint(&iters, e)
	}
	guard := ""
	if s.Guard != nil {
		guard = fmt.Sprintf(" if (%v)", s.Guard)
	}
	return fmt.Sprintf("step %d:%s%s: %s(%s)", s.A, strings.TrimSuffix(loops.String(), ","), guard, s.Stmt.Name, iters.String())
}

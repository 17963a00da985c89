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
	return w.String()
}

// Lines are lines of text, indented by how deep they are nested. Printers of programs embed them.
type Lines struct {
	text  strings.Builder
	depth int
}

// String returns the lines.
func (w *Lines) String() string { return w.text.String() }

// Line adds a line.
func (w *Lines) Line(format string, args ...any) {
	w.text.WriteString(strings.Repeat("  ", w.depth))
	fmt.Fprintf(&w.text, format, args...)
	w.text.WriteByte('\n')
}

// Nest adds what body does one level deeper.
func (w *Lines) Nest(body func()) {
	w.depth++
	body()
	w.depth--
}

// A printer prints the nodes of a program.
type printer struct{ Lines }

func (w *printer) node(n Node) {
	switch n := n.(type) {
	case nil:
	case Block:
		for _, m := range n {
			w.node(m)
		}
	case For:
		w.Line("for (%s = %v; %s <= %v; %s++) // %s", n.Var, n.Lo, n.Var, n.Hi, n.Var, roles[n.Role])
		w.Nest(func() { w.node(n.Body) })
	case Launch:
		w.Line("launch phase %d%s", n.Phase, n.Work.where())
		w.Nest(func() { w.node(n.Body) })
	case If:
		w.Line("if (%v)", n.Cond)
		w.Nest(func() { w.node(n.Then) })
		if n.Else != nil {
			w.Line("else")
			w.Nest(func() { w.node(n.Else) })
		}
	case Tile:
		kind := "partial"
		if n.Full {
			kind = "full"
		}
		w.Line("%s tile", kind)
		w.Nest(func() {
			for _, s := range n.Steps {
				w.Line("%v", s)
			}
		})
	case Rolled:
		w.Line("for (%s = %v; %s <= %v; %s++) // steps", n.Var, n.Lo, n.Var, n.Hi, n.Var)
		w.Nest(func() {
			for _, s := range n.Steps {
				w.Line("%v", s)
			}
		})
	case Streamed:
		w.Line("for (%s = %v; %s <= %v; %s++) // planes", n.Var, n.Lo, n.Var, n.Hi, n.Var)
		w.Nest(func() {
			for _, s := range n.Steps {
				w.Line("%v", s)
			}
		})
	case Waves:
		w.Line("for (%s = %v; %s <= %v; %s++) // waves", n.Var, n.Lo, n.Var, n.Hi, n.Var)
		w.Nest(func() {
			for _, s := range n.Steps {
				w.Line("%v", s)
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

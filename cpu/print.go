package cpu

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/schedule"
)

// String returns the loops in C-like notation, with statements as calls and how their rows run as comments.
func (p *Program) String() string {
	var w printer
	w.Line("if (%v)", p.Busy)
	w.Nest(func() {
		if len(p.Grain) > 0 {
			w.Line("// %v", p.Grain)
		}
		w.Line("for (%s = %v; %s <= %v; %s++)", p.Names.T, p.TLo, p.Names.T, p.THi, p.Names.T)
		w.Nest(func() {
			for _, ph := range p.Phases {
				w.Line("phase %d, if (%v)", ph.Number, ph.Work)
				w.Line("for (%s = %v; %s <= %v; %s++) // threads", ph.Tile, ph.Lo, ph.Tile, ph.Hi, ph.Tile)
				w.Nest(func() {
					for i := range p.Buffers {
						w.Line("%v // of the tile", &p.Buffers[i])
					}
					w.nodes(ph.Body)
				})
			}
			if p.Chains != nil {
				w.Line("// chains are taken in this order, and start when they can")
			}
		})
	})
	return w.String()
}

// A printer prints the nodes of a program.
type printer struct{ astgen.Lines }

func (w *printer) nodes(list []Node) {
	for _, n := range list {
		switch n := n.(type) {
		case For:
			w.Line("for (%s = %v; %s <= %v; %s++)", n.Var, n.Lo, n.Var, n.Hi, n.Var)
			w.Nest(func() { w.nodes(n.Body) })
		case If:
			w.Line("if (%v)", n.Cond)
			w.Nest(func() { w.nodes(n.Then) })
			if n.Else != nil {
				w.Line("else")
				w.Nest(func() { w.nodes(n.Else) })
			}
		case Tile:
			w.tile(n)
		case Await:
			if n.Var == "" {
				w.Line("await the end of what is before")
			} else {
				w.Line("await %s + %d of what is before", n.Var, n.Lag)
			}
		case Signal:
			w.Line("signal %s", n.Var)
		default:
			panic(fmt.Sprintf("cpu: unknown node %T", n))
		}
	}
}

func (w *printer) tile(t Tile) {
	switch {
	case t.Var != "":
		w.Line("for (%s = %v; %s <= %v; %s++) // steps", t.Var, t.Lo, t.Var, t.Hi, t.Var)
	case t.Full:
		w.Line("full tile")
	default:
		w.Line("partial tile")
	}
	w.Nest(func() {
		if t.Pass != nil {
			w.pass(t)
		}
		for _, s := range t.Steps {
			w.Line("%s", s)
			w.Nest(func() { w.rows(s, t.Var) })
		}
	})
}

// pass says how steps of t run in one pass over rows.
func (w *printer) pass(t Tile) {
	w.Line("// %d steps in one pass over rows, each %v behind the one before, %d rows at once", t.Pass.Steps, t.Pass.Pass, t.Pass.Beside)
	for k, sources := range t.Pass.Sources {
		for i, x := range sources {
			if at := t.Pass.Vectors.Windows[i]; x.Handed > 0 {
				w.Line("//   step %d: a row of %s that row %d reads is row %d of step %d, handed on in registers", k, at.From.Array.Name, at.Row, x.Handed-1, k-1)
			}
		}
	}
	for _, f := range t.Pass.Fetch {
		if len(f.Lines) > 0 || f.Beyond {
			w.Line("//   fetch of %s: %s", f.From.Array.Name, f.what())
		}
	}
}

// rows says how the rows of s run.
func (w *printer) rows(s *Step, count string) {
	if s.Ordered {
		w.Line("// points one by one, in order")
	}
	if s.Way != schedule.Any {
		w.Line("// rows run in turn, %v along columns", s.Way)
	}
	if s.Align != nil {
		w.Line("// rows begin at a cache line of %s", s.Align.Text)
	}
	if s.Back != [2]bool{} {
		names := [2]string{"even", "odd"}
		for i, back := range s.Back {
			if back {
				w.Line("// rows run from the last to the first where %s is %s", count, names[i])
			}
		}
	}
	for _, g := range s.Groups {
		if s.Align == nil && g.Size == 1 && g.Vectors == nil {
			continue
		}
		w.Line("// %d at once%s", g.Size, g.how())
		for _, f := range g.Fetch {
			if len(f.Lines) > 0 || f.Beyond {
				w.Line("//   fetch row %d of %s: %s", f.Row, f.From.Array.Name, f.what())
			}
		}
	}
	if s.Grows > 0 {
		w.Line("// rows beyond are fetched where %s < %d", count, s.Grows)
	}
}

// how says how the points of a row run.
func (g Group) how() string {
	v := g.Vectors
	if v == nil {
		return ", point by point"
	}
	text := fmt.Sprintf(", in vectors of %d %v", v.Lanes, v.Elem)
	for _, w := range v.Windows {
		text += fmt.Sprintf("; %s[%v + %v]", w.From.Array.Name, w.Index, w.Offsets)
	}
	if v.Apart {
		text += "; each loaded by itself"
	} else {
		text += fmt.Sprintf("; up to %v", v.Limits)
	}
	if v.Repeat {
		text += "; points may run twice"
	}
	if v.Halves {
		text += "; or in halves of a line"
	}
	return text
}

func (f Fetch) what() string {
	var parts []string
	if len(f.Lines) > 0 {
		parts = append(parts, fmt.Sprintf("%d lines from %d elements before", len(f.Lines), f.Since))
	}
	if f.Beyond {
		parts = append(parts, fmt.Sprintf("rows %v before the first and %v after the last", f.Rows.Before, f.Rows.After))
	}
	return strings.Join(parts, ", ")
}

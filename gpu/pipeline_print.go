package gpu

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
)

// stream prints what a block does with a chain, and the pipeline.
func (w *printer) stream(s Stream) {
	p := s.Pipeline
	line, behind := "", ""
	if s.Line != nil {
		line, behind = fmt.Sprintf(", %s = %v", p.Vars.Line, s.Line), fmt.Sprintf(", and for %d of the chain before", s.Behind)
	}
	w.Line("stream %s with %s = %v, %s = %v%s", p.Name, p.Vars.Time, s.Time, p.Vars.Column, s.Column, line)
	waiting := fmt.Sprintf(", waiting for %d ahead%s", s.Lag, behind)
	if s.Lag == 0 { // all chains of the phase before have ended
		waiting = ""
	}
	w.Line("for (%s : %v..%v)%s", p.Vars.Beat, s.Lo, s.Hi, waiting)
}

// pipeline prints p. Of each stage it prints the first beat of a turn: the others differ in the rows and slots that take turns.
func (w *printer) pipeline(p *Pipeline) {
	across := ""
	if p.Across > 1 {
		across = fmt.Sprintf(", %d across a strip", p.Across)
	}
	w.Line("pipeline %s: %d warps of %d steps%s, %d columns a lane, a barrier every %d beats, turns of %d, code of %d, and of %d and %d beats for those at borders, %d slots", p.Name, p.Warps, p.Steps, across, p.Columns, p.Period, p.Turn, p.Straight, p.Steady, p.Guarded, p.Slots)
	w.Nest(func() {
		w.Line("full: %v", p.Full)
		for _, c := range p.Copies {
			way := "out of"
			if c.In {
				way = "into"
			}
			line := ""
			if p.Lines > 0 {
				line = fmt.Sprintf(", line %d", c.Line)
			}
			w.Line("copy %d %s %s[%d], of step %d%s: %v at %s = %v.. if %v", c.Count, way, c.Ring.Name, c.Number, c.Step, line, elementText(c.Element), p.Vars.At, c.First, c.Guard)
		}
		for i := range p.Stages {
			w.stage(p, &p.Stages[i])
		}
	})
}

// number returns the number of a ring that a warp accesses, so many further than its own.
func (p *Pipeline) number(by int) affine.Sum { return affine.Var(p.Vars.Warp).Add(int64(by)) }

func elementText(e Element) string {
	var b strings.Builder
	b.WriteString(e.Array.Name)
	for _, x := range e.Index {
		fmt.Fprintf(&b, "[%v]", x)
	}
	return b.String()
}

func (w *printer) stage(p *Pipeline, st *Stage) {
	w.Line("warps %d..%d: %d rows from column %v on", st.First, st.First+st.Count-1, len(st.Rows), st.Origin)
	w.Nest(func() {
		cursors := st.Cursors
		if st.Margins != nil {
			cursors = append(slices.Clone(cursors), st.Margins)
		}
		for _, c := range cursors {
			for _, g := range c.Groups {
				w.Line("%s: %d of %s at %s = %v, warps %d..%d if %v", c.Name, g.Count, elementText(g.Element), p.Vars.At, g.At, g.Warps.First, g.Warps.Last, g.Guard)
			}
		}
		for _, op := range st.Beats[0] {
			w.warpOp(p, op)
		}
		if st.Inactive == nil {
			return
		}
		w.Line("inactive: %v", st.Inactive)
		for _, op := range st.Feeds[0] {
			w.Line("%s[%v][%d] = %s in %v..%v, %d beats later", op.Ring.Name, p.number(op.To), op.Slot, elementText(op.Element), op.Need[0], op.Need[1], p.Ahead)
		}
	})
}

func (w *printer) warpOp(p *Pipeline, op WarpOp) {
	switch op := op.(type) {
	case ReadRow:
		w.Line("r%d = %s[%v][%d] moved by %v", op.Row, op.Ring.Name, p.number(op.From), op.Slot, op.Shift)
	case WriteRow:
		w.Line("%s[%v][%d] = r%d", op.Ring.Name, p.number(op.To), op.Slot, op.Row)
	case Exchange:
		w.Line("exchange %d and %d columns of r%d", op.Left, op.Right, op.Row)
	case Evaluate:
		var to, from, at []string
		for k, x := range op.Operands {
			switch {
			case op.Stmt.Accesses[k].Write:
				to = append(to, fmt.Sprintf("r%d", x.Row))
			case x.Element != nil:
				from = append(from, elementText(*x.Element))
			default:
				from = append(from, fmt.Sprintf("r%d%+d", x.Row, x.Shift))
			}
		}
		for _, e := range op.Iters {
			at = append(at, fmt.Sprint(e))
		}
		border := ""
		if op.Border {
			border = fmt.Sprintf(", where %v", op.Domain)
		}
		w.Line("%s = %s(%s) at [%s], of %v..%v%s", strings.Join(to, ", "), op.Stmt.Name, strings.Join(from, ", "), strings.Join(at, ", "), op.Own[0], op.Own[1], border)
	case Patch:
		w.Line("patch r%d by %s where not %v, in %v..%v; store where %v, but %s", op.Row, elementText(op.Element), op.Domain, op.Need[0], op.Need[1], op.Final, columnsText(op.Stored))
		if b := op.Beside; b != nil {
			w.Line("  where %v, by %s[%d]%s; nothing else where %v", b.Where, b.Edge.Name, b.Slot, marginsText(b.Margins), b.Alone)
			if b.Lines != nil {
				w.Line("  where %v, by %s[%d]", b.Outside, b.Lines.Name, b.Slot)
			}
		}
	case Fetch:
		border := ""
		if op.Border {
			border = ", where turns are not full"
		}
		w.Line("%s[%d] = %s, %d beats later%s", op.Edge.Name, op.Slot, op.Cursor.Name, p.Ahead, border)
	case FetchLine:
		for _, x := range op.Lines {
			w.Line("%s[%d] = %s in %v..%v, if %v, %d beats later, where turns are not full", op.Ring.Name, op.Slot, elementText(x.Element), op.Need[0], op.Need[1], x.Where, p.Ahead)
		}
	case Enter:
		w.Line("r%d[%d] of lane %v = %s[%d][%d]%s", op.Row, op.X, op.Lane, op.Edge.Name, op.Slot, op.Element, op.Warps)
	case Leave:
		w.Line("%s[%d][%d] = r%d[%d] of lane %v%s", op.Edge.Name, op.Slot, op.Element, op.Row, op.X, op.Lane, op.Warps)
	case Put:
		w.Line("%s = %s[%d]", op.Cursor.Name, op.Edge.Name, op.Slot)
	case StoreColumn:
		w.Line("%s = r%d[%d] of lane %v at %s = %v%s", elementText(op.Element), op.Row, op.X, op.Lane, p.Vars.At, op.At, op.Warps)
	}
}

func columnsText(all []Columns) string {
	var texts []string
	for _, c := range all {
		texts = append(texts, fmt.Sprintf("%v..%v%s", c.Lo, c.Hi, c.Warps))
	}
	return strings.Join(texts, ", ")
}

func marginsText(all []Margin) string {
	var texts []string
	for _, m := range all {
		texts = append(texts, fmt.Sprintf("[%d]: %d from %v on", m.Element, m.Count, m.At))
	}
	return strings.Join(texts, ", ")
}

// String returns s in words, as in " in warps 0..1".
func (s Span) String() string {
	return fmt.Sprintf(" in warps %v..%v", affine.Num(int64(s.First)), affine.Num(int64(s.Last)))
}

package gpu

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
)

// stream checks a pipeline: what its expressions are over, that rows, slots and elements are among those that there are, and that the parts of
// it fit each other.
func (v *verifier) stream(s Stream, bound map[string]bool) {
	p := s.Pipeline
	if (s.Line != nil) != (p.Vars.Line != "") {
		v.fail("%s: a stream has a line %v, and the pipeline %q", p.Name, s.Line, p.Vars.Line)
	}
	exprs := []affine.Expr{s.Time, s.Column, s.Lo, s.Hi}
	if s.Line != nil {
		exprs = append(exprs, s.Line)
	}
	for _, e := range exprs {
		v.expr("pipeline", e, bound)
	}
	switch {
	case p.Turn%p.Period != 0 || p.Turn%p.Slots != 0 || p.Ahead < p.Period || p.Ahead%p.Period != 0 || p.Slots < p.Ahead+p.Period || p.Every%p.Turn != 0:
		v.fail("%s: turns of %d beats, %d between barriers, %d slots, %d beats ahead, a look every %d", p.Name, p.Turn, p.Period, p.Slots, p.Ahead, p.Every)
	case slices.ContainsFunc([]int{p.Straight, p.Steady, p.Final, p.Guarded}, func(code int) bool { return code < 1 || p.Turn%code != 0 }):
		v.fail("%s: code of %d, %d, %d and %d beats for turns of %d", p.Name, p.Straight, p.Steady, p.Final, p.Guarded, p.Turn)
	case v.inside.Threads != [3]int{p.Threads(), 1, 1}:
		v.fail("%s: %d warps and threads %v", p.Name, p.Warps, v.inside.Threads)
	}
	names := map[string]bool{}
	for _, x := range p.Scop.Params {
		names[x.Name] = true
	}
	names[p.Vars.Time], names[p.Vars.Column] = true, true
	if p.Vars.Line != "" {
		names[p.Vars.Line] = true
	}
	if p.Across < 1 || p.Warps%p.Across != 0 || p.Across > 1 && p.Lines == 0 {
		v.fail("%s: %d warps, %d of them across strips of %d lines each", p.Name, p.Warps, p.Across, p.Lines)
	}
	c := pipelineVerifier{v, p, names}
	full := with(with(names, p.Vars.Beat), p.Vars.Last)
	v.cond(p.Name, p.Full, full)
	next := 0
	for i := range p.Stages {
		st := &p.Stages[i]
		if st.First != next || st.Count < 1 {
			v.fail("%s: stage %d has warps from %d on, not %d", p.Name, i, st.First, next)
		}
		next = st.First + st.Count
		if p.Across > 1 && (st.First%p.Across != 0 || st.Count != p.Across) {
			v.fail("%s: stage %d has the warps %d to %d, of %d across", p.Name, i, st.First, next-1, p.Across)
		}
		if len(st.Beats) != p.Turn {
			v.fail("%s: stage %d has %d beats", p.Name, i, len(st.Beats))
		} else if _, ok := p.Next(st); !ok && min(p.Straight, p.Steady, p.Final, p.Guarded) < p.Turn {
			v.fail("%s: beats of stage %d differ in more than rows and slots, and run the same code", p.Name, i)
		}
		for _, ops := range st.Beats {
			for _, op := range ops {
				c.op(st, op)
			}
		}
		c.inactive(st)
		cursors := st.Cursors
		if st.Margins != nil {
			cursors = append(slices.Clone(cursors), st.Margins)
		}
		for _, cursor := range cursors {
			for _, g := range cursor.Groups {
				c.element(g.Element, g.Guard)
			}
		}
	}
	if next != p.Warps {
		v.fail("%s: stages of %d warps, of %d", p.Name, next, p.Warps)
	}
	for _, x := range p.Copies {
		if len(x.Slots) != p.Turn {
			v.fail("%s: a copy of rows has %d slots", p.Name, len(x.Slots))
		}
		if x.Number < 0 || x.Number >= x.Ring.Numbers {
			v.fail("%s: a copy of number %d of %s, which has %d", p.Name, x.Number, x.Ring.Name, x.Ring.Numbers)
		}
		c.element(x.Element, x.Guard)
	}
}

// A pipelineVerifier checks the ops of a pipeline.
type pipelineVerifier struct {
	*verifier
	*Pipeline
	names map[string]bool // parameters, Time, Column and Line
}

// element checks an element, and conditions at its place.
func (v pipelineVerifier) element(e Element, conds ...astgen.Cond) {
	at := maps.Clone(v.names)
	at[v.Vars.Beat], at[v.Vars.Warp], at[v.Vars.At] = true, true, true
	if len(e.Index) != len(e.Array.Extents) {
		v.fail("%s: an element of %s has %d subscripts", v.Name, e.Array.Name, len(e.Index))
	}
	for _, x := range e.Index {
		v.expr(v.Name, x, at)
	}
	for _, c := range append(conds, e.Exists) {
		v.cond(v.Name, c, at)
	}
}

func (v pipelineVerifier) row(st *Stage, n int) {
	if n < 0 || n >= len(st.Rows) {
		v.fail("%s: row %d of %d", v.Name, n, len(st.Rows))
	}
}

func (v pipelineVerifier) slot(n int) {
	if n < 0 || n >= v.Slots {
		v.fail("%s: slot %d of %d", v.Name, n, v.Slots)
	}
}

// numbers checks those of a ring that the warps of a stage access, each so many further than its own number.
func (v pipelineVerifier) numbers(st *Stage, r *Ring, by int) {
	if first, last := st.First+by, st.First+st.Count-1+by; first < 0 || last >= r.Numbers {
		v.fail("%s: numbers %d to %d of %s, which has %d", v.Name, first, last, r.Name, r.Numbers)
	}
}

// among checks that a ring has a number for each warp of a stage, or all of those across.
func (v pipelineVerifier) among(st *Stage, r *Ring) {
	if last := v.Among(st, st.First+st.Count-1); last >= r.Numbers {
		v.fail("%s: number %d of %s, which has %d", v.Name, last, r.Name, r.Numbers)
	}
}

// ofChain returns the names of what is the same in all beats of a chain.
func (v pipelineVerifier) ofChain() map[string]bool {
	names := with(v.names, v.Vars.Warp)
	delete(names, v.Vars.Time)
	delete(names, v.Vars.Column)
	return names
}

// column checks a column of a row in a lane.
func (v pipelineVerifier) column(st *Stage, row, x int, lane affine.Sum, warps Span) {
	v.row(st, row)
	if x < 0 || x >= v.Columns || warps.First < st.First || warps.Last >= st.First+st.Count {
		v.fail("%s: column %d in warps %v", v.Name, x, warps)
		return
	}
	for q := warps.First; q <= warps.Last; q++ {
		if l := affine.Eval(lane, map[string]int64{v.Vars.Warp: int64(q)}); l < 0 || l >= WarpLanes {
			v.fail("%s: lane %d of warp %d", v.Name, l, q)
		}
	}
}

func (v pipelineVerifier) op(st *Stage, op WarpOp) {
	switch op := op.(type) {
	case ReadRow:
		v.row(st, op.Row)
		v.slot(op.Slot)
		v.numbers(st, op.Ring, op.From)
		if len(op.Shift) != st.Count {
			v.fail("%s: %d shifts of %d warps", v.Name, len(op.Shift), st.Count)
		}
		for _, d := range op.Shift {
			if d > v.Columns || -d > v.Columns {
				v.fail("%s: a row is read %d columns from where it lies", v.Name, d)
			}
		}
	case WriteRow:
		v.row(st, op.Row)
		v.slot(op.Slot)
		v.numbers(st, op.Ring, op.To)
	case Exchange:
		v.row(st, op.Row)
		if op.Left > v.Columns || op.Right > v.Columns {
			v.fail("%s: %d and %d columns of lanes beside", v.Name, op.Left, op.Right)
		}
	case Evaluate:
		v.evaluate(st, op)
	case Patch:
		v.row(st, op.Row)
		v.element(op.Element, op.Domain, op.Final)
		v.cond(v.Name, op.Inside, with(with(v.names, v.Vars.Beat), v.Vars.Warp))
		v.beside(st, op.Beside)
	case Fetch:
		v.slot(op.Slot)
		if op.Border != (op.Cursor == st.Margins) {
			v.fail("%s: %s is fetched in full turns, or is not", v.Name, op.Cursor.Name)
		}
		if op.Cursor.Elements() != op.Edge.Elements {
			v.fail("%s: %d elements, and %d in shared memory", v.Name, op.Cursor.Elements(), op.Edge.Elements)
		}
	case FetchLine:
		v.slot(op.Slot)
		v.among(st, op.Ring)
		for _, x := range op.Lines {
			v.element(x.Element)
			v.cond(v.Name, x.Where, v.ofChain())
		}
	case Put:
		v.slot(op.Slot)
		if op.Cursor.Elements() != op.Edge.Elements {
			v.fail("%s: %d elements, and %d in shared memory", v.Name, op.Cursor.Elements(), op.Edge.Elements)
		}
	case Enter:
		v.slot(op.Slot)
		v.column(st, op.Row, op.X, op.Lane, op.Warps)
		if op.Element < 0 || op.Element >= op.Edge.Elements {
			v.fail("%s: element %d of %d", v.Name, op.Element, op.Edge.Elements)
		}
	case Leave:
		v.slot(op.Slot)
		v.column(st, op.Row, op.X, op.Lane, op.Warps)
		if op.Element < 0 || op.Element >= op.Edge.Elements {
			v.fail("%s: element %d of %d", v.Name, op.Element, op.Edge.Elements)
		}
	case StoreColumn:
		v.column(st, op.Row, op.X, op.Lane, op.Warps)
		v.element(op.Element, op.Domain)
	default:
		v.fail("%s: unknown %T", v.Name, op)
	}
}

// inactive checks what warps do that run no step, and where: that no point of their steps is an instance there, and that no turn is full.
func (v pipelineVerifier) inactive(st *Stage) {
	if st.Inactive == nil {
		return
	}
	names := with(v.names, v.Vars.Warp)
	delete(names, v.Vars.Column)
	v.cond(v.Name, st.Inactive, names)
	if len(st.Feeds) != v.Turn {
		v.fail("%s: warps that run no step have %d beats", v.Name, len(st.Feeds))
		return
	}
	for r, ops := range st.Feeds {
		for _, op := range ops {
			v.slot(op.Slot)
			v.numbers(st, op.Ring, op.To)
			v.element(op.Element)
			later := (r + v.FeedAhead()) % v.Turn
			if !slices.ContainsFunc(st.Beats[later], func(o WarpOp) bool {
				x, ok := o.(WriteRow)
				return ok && x.Ring == op.Ring && x.To == op.To && x.Slot == op.Slot
			}) {
				v.fail("%s: slot %d of %s is filled in another way than at beat %d", v.Name, op.Slot, op.Ring.Name, later)
			}
		}
	}
	if err := v.Inactive(st); err != nil {
		v.fail("%s: %v", v.Name, err)
	}
}

// Inactive returns an error where a warp of a stage may be inactive in a chain in which one of its steps has an instance, or in which a turn is full.
func (p *Pipeline) Inactive(st *Stage) error {
	for _, rows := range st.Inactive {
		for q := st.First; q < st.First+st.Count; q++ {
			warp := map[string]affine.Sum{p.Vars.Warp: affine.Num(int64(q))}
			for _, op := range st.Beats[0] {
				if x, ok := op.(Evaluate); ok && !excludes(rows, x.Domain, warp) {
					return fmt.Errorf("%s may have instances in warp %d, which runs no step where %v", x.Stmt.Name, q, rows)
				}
			}
			if p.Full != nil && !excludes(rows, p.Full, warp) {
				return fmt.Errorf("a turn may be full where warp %d runs no step: %v", q, rows)
			}
		}
	}
	return nil
}

// excludes reports whether no alternative of c holds where rows do, since a row of each is negative where one of rows is not.
func excludes(rows []affine.Expr, c astgen.Cond, at map[string]affine.Sum) bool {
	for _, all := range c {
		if !slices.ContainsFunc(all, func(y affine.Expr) bool {
			return slices.ContainsFunc(rows, func(x affine.Expr) bool {
				a, ok := x.(affine.Sum)
				b, also := y.(affine.Sum)
				if !ok || !also {
					return false
				}
				both := a.Plus(b).Subst(at)
				return both.IsNum() && both.Const < 0
			})
		}) {
			return false
		}
	}
	return true
}

// beside checks the columns next to a domain.
func (v pipelineVerifier) beside(st *Stage, b *Beside) {
	if b == nil {
		return
	}
	v.slot(b.Slot)
	for _, c := range []astgen.Cond{b.Where, b.Alone} {
		v.cond(v.Name, c, with(with(v.names, v.Vars.Beat), v.Vars.Warp))
	}
	v.cond(v.Name, b.Outside, v.ofChain())
	if b.Lines != nil {
		v.among(st, b.Lines)
	}
	if len(b.Margins) > 0 && st.Margins == nil {
		v.fail("%s: no margins are fetched", v.Name)
	}
	for _, m := range b.Margins {
		if m.Count < 1 || m.Element < 0 || m.Element+m.Count > b.Edge.Elements {
			v.fail("%s: elements %d..%d of %d", v.Name, m.Element, m.Element+m.Count-1, b.Edge.Elements)
		}
		v.expr(v.Name, m.At, v.names)
	}
}

func (v pipelineVerifier) evaluate(st *Stage, op Evaluate) {
	if len(op.Operands) != len(op.Stmt.Accesses) || len(op.Iters) != len(op.Stmt.Iters) {
		v.fail("%s: %d operands and %d iterators of %s", v.Name, len(op.Operands), len(op.Iters), op.Stmt.Name)
		return
	}
	for k, a := range op.Stmt.Accesses {
		x := op.Operands[k]
		switch {
		case a.Write:
			v.row(st, x.Row)
		case x.Element != nil:
			v.element(*x.Element)
		default:
			v.row(st, x.Row)
			if r := st.Rows[x.Row]; -x.Shift > r.Left || x.Shift > r.Right {
				v.fail("%s: column %d beside, of a row with %d and %d", v.Name, x.Shift, r.Left, r.Right)
			}
		}
	}
}

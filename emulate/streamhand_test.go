package emulate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file makes pipelines by hand: of programs with one statement that computes A[(t+1)%2][i][j] of neighbours at distances up to 1 in A[t%2].

// A hand is a shape: tiles of warps*steps steps, whose first step has width columns and one more.
type hand struct {
	columns, steps, warps, period int
	width                         int64
	every                         int // turns
}

func (x hand) height() int64 { return int64(x.steps * x.warps) }

// half is the last step of the growing half.
func (x hand) half() int64 { return x.height()/2 - 1 }

// lag is what dependences need: most what enters at step half, a Period after the last warp of the phase before has computed it.
func (x hand) lag() int64 {
	return int64(x.every*3*x.period+2*x.period+x.period*(x.warps/2+1)) + x.half()
}

// growing reports whether a warp is of the growing half.
func (x hand) growing(q int) bool { return q < x.warps/2 }

// lo and hi are the columns of a step of a warp, in local coordinates, over Warp.
func (x hand) lo(q, s int) affine.Sum {
	a := sum(int64(s), int64(x.steps), "q")
	if x.growing(q) {
		return affine.Num(x.half()).Minus(a)
	}
	return a.Add(-x.half() - 1)
}

func (x hand) hi(q, s int) affine.Sum {
	a := sum(int64(s), int64(x.steps), "q")
	if x.growing(q) {
		return a.Add(x.half() + x.width)
	}
	return affine.Num(3*x.half() + 1 + x.width).Minus(a)
}

// origin is the local coordinate of the first column of a warp.
func (x hand) origin(q int) affine.Sum {
	if x.growing(q) {
		return sum(x.half()-int64(x.steps)-1, int64(-x.steps), "q")
	}
	return sum(-int64(x.steps*x.warps/2)-2, int64(x.steps), "q")
}

// of returns the value of a sum over Warp.
func of(e affine.Sum, q int) int64 { return affine.Eval(e, map[string]int64{"q": int64(q)}) }

// An access of the statement: which neighbour it is.
type neighbour struct{ di, dj int }

// A maker makes the pipeline of a program.
type maker struct {
	hand
	scop       *scop.Program
	stmt       *scop.Stmt
	array      *scop.Array
	neighbours []neighbour
	rows, cols affine.Sum // of the array
}

func newMaker(t testing.TB, name string, x hand) *maker {
	p := pipeline.Read(t, name, cases.Input(t, name)).Scop
	require.Len(t, p.Stmts, 1)
	m := &maker{hand: x, scop: p, stmt: p.Stmts[0]}
	for _, a := range m.stmt.Accesses {
		m.array = a.Array
		m.neighbours = append(m.neighbours, neighbour{int(a.Index[1].Const), int(a.Index[2].Const)})
	}
	m.rows, m.cols = p.Sum(m.array.Extents[1], nil), p.Sum(m.array.Extents[2], nil)
	return m
}

// step is a step of a warp, over Warp.
func (m *maker) step(s int) affine.Sum { return sum(int64(s), int64(m.steps), "q") }

// row is the row of step s of a warp, at Beat.
func (m *maker) row(s int) affine.Sum {
	return affine.Var("b").Minus(affine.Var("q").Times(int64(m.period))).Minus(m.step(s))
}

// element is that of At in a row, at the level of so many steps after Time.
func (m *maker) element(level, row affine.Sum) gpu.Element {
	e := gpu.Element{Array: m.array, Index: []affine.Expr{affine.Modulo(affine.Var("t0").Plus(level), 2), row, affine.Var("j")}}
	e.Exists = astgen.Cond{{row, m.rows.Add(-1).Minus(row), affine.Var("j"), m.cols.Add(-1).Minus(affine.Var("j"))}}
	return e
}

// iters are the iterators at a step.
func (m *maker) iters(step, row affine.Sum) []affine.Sum {
	return []affine.Sum{affine.Var("t0").Plus(step), row, affine.Var("j")}
}

// domain holds of instances.
func (m *maker) domain(step, row affine.Sum) astgen.Cond {
	var all []affine.Expr
	for _, b := range m.stmt.Bounds {
		all = append(all, m.scop.Sum(b, m.iters(step, row)))
	}
	return astgen.Cond{all}
}

// stages returns how warps are divided in stages: those that differ in where the right edge lies are apart.
func (m *maker) stages() (all []gpu.Stage) {
	half := m.warps / 2
	if 2*m.steps%m.columns == 0 {
		return []gpu.Stage{{First: 0, Count: half}, {First: half, Count: m.warps - half}}
	}
	for q := range m.warps {
		all = append(all, gpu.Stage{First: q, Count: 1})
	}
	return all
}

// lane returns the register and lane of a column in the warps of a stage.
func (m *maker) lane(s *gpu.Stage, local affine.Sum) (x int, lane affine.Sum) {
	at := func(q int) int64 { return of(local.Minus(s.Origin), q) }
	first, k := at(s.First), int64(m.columns)
	x, lane = int(first%k), affine.Num(first/k)
	if s.Count > 1 {
		by := at(s.First+1) - first
		lane = sum(first/k-by/k*int64(s.First), by/k, "q")
	}
	return x, lane
}

func (m *maker) pipeline() *gpu.Pipeline {
	d := m.period
	p := &gpu.Pipeline{
		Name: "p", Scop: m.scop, Warps: m.warps, Across: 1, Steps: m.steps, Columns: m.columns, Period: d, Turn: 3 * d, Steady: 3 * d, Guarded: 3 * d, Ahead: 2 * d, Every: m.every * 3 * d, Slots: 3 * d,
		Vars:  gpu.PipelineVars{Time: "t0", Column: "c0", Beat: "b", Last: "l", Warp: "q", At: "j"},
		Rings: []*gpu.Ring{{Name: "ring", Array: m.array, Numbers: m.warps + 1}},
		Edges: []*gpu.Edge{{Name: "edge", Array: m.array, Elements: 4 * m.steps}},
	}
	p.Stages = m.stages()
	for i := range p.Stages {
		m.stage(p, &p.Stages[i])
	}
	m.copies(p)
	m.full(p)
	return p
}

func (m *maker) full(p *gpu.Pipeline) {
	t, c, b, l := affine.Var("t0"), affine.Var("c0"), affine.Var("b"), affine.Var("l")
	last := m.scop.Sum(m.stmt.Bounds[1], m.iters(affine.Num(m.height()-1), affine.Num(0))) // T - 1 - t
	h := m.half()
	p.Full = astgen.Cond{{
		t, last.Add(-2),
		c.Add(-2), m.cols.Add(-1 - 2*h - m.width - 2).Minus(c),
		b.Add(-int64(p.Period*p.Warps) - m.height()), m.rows.Add(-1 - int64(p.Ahead) - 1).Minus(l),
	}}
}

func (m *maker) copies(p *gpu.Pipeline) {
	h, c, total := m.height(), affine.Var("c0"), int64(m.period*m.warps)
	in := gpu.RowCopy{In: true, Ring: p.Rings[0], First: c.Add(m.half() - 1), Origin: c.Add(of(m.origin(0), 0)), Count: int(m.width) + 3,
		Element: m.element(affine.Num(0), affine.Var("b").Add(1+int64(p.Ahead)))}
	in.Guard = in.Element.Exists
	row := affine.Var("b").Add(1 - total - h)
	out := gpu.RowCopy{Ring: p.Rings[0], Number: m.warps, First: c.Add(m.half()), Origin: c.Add(of(m.origin(m.warps-1), m.warps-1)), Count: int(m.width) + 1,
		Element: m.element(affine.Num(h), row), Guard: m.domain(affine.Num(h-1), row)}
	for r := range p.Turn {
		in.Slots, out.Slots = append(in.Slots, (r+p.Ahead)%p.Slots), append(out.Slots, r%p.Slots)
	}
	p.Copies = []gpu.RowCopy{in, out}
}

func (m *maker) stage(p *gpu.Pipeline, s *gpu.Stage) {
	q, c := s.First, affine.Var("c0")
	s.Origin = m.origin(q)
	for range 3*m.steps + 1 {
		s.Rows = append(s.Rows, gpu.Row{Array: m.array, Left: 1, Right: 1})
	}
	all := gpu.Span{First: 0, Last: m.warps}
	cursor := &gpu.Cursor{Name: "cursor"}
	for k := range m.steps {
		lo, hi := c.Plus(m.lo(q, k)), c.Plus(m.hi(q, k))
		at, warps := []affine.Sum{lo.Add(-2), hi.Add(1)}, all
		row := m.row(k)
		if m.growing(q) {
			row = row.Add(int64(p.Ahead))
		}
		e := m.element(m.step(k).Add(1), row)
		guard := e.Exists
		if !m.growing(q) {
			at, guard = []affine.Sum{lo, hi.Add(-1)}, m.domain(m.step(k), row)
			if k == m.steps-1 {
				warps.Last = m.warps - 2 // the last row leaves whole
			}
		}
		for _, x := range at {
			cursor.Groups = append(cursor.Groups, gpu.Group{Count: 2, Warps: warps, At: x, Element: e, Guard: guard})
		}
	}
	s.Cursors = []*gpu.Cursor{cursor}
	for r := range p.Turn {
		s.Beats = append(s.Beats, m.beat(p, s, r))
	}
}

// beat returns what warps of a stage do at beat r of a turn.
func (m *maker) beat(p *gpu.Pipeline, st *gpu.Stage, r int) (ops []gpu.WarpOp) {
	q, ring, edge, cursor := st.First, p.Rings[0], p.Edges[0], st.Cursors[0]
	shift := make([]int, st.Count)
	for i := range shift {
		if q+i > 0 {
			shift[i] = int(of(m.origin(q+i), q+i) - of(m.origin(q+i-1), q+i-1))
		}
	}
	age := func(s, di int) int { return 3*s + (r+1+di)%3 } // the row beside the one that is computed
	ops = append(ops, gpu.ReadRow{Row: age(0, 1), Ring: ring, Slot: r % p.Slots, Shift: shift})
	if m.growing(q) {
		ops = append(ops, gpu.Fetch{Edge: edge, Slot: (r + p.Ahead) % p.Slots, Cursor: cursor})
	}
	all := gpu.Span{First: 0, Last: m.warps}
	for s := range m.steps {
		to := 3 * m.steps
		if s < m.steps-1 {
			to = age(s+1, 1)
		}
		lo, hi := m.lo(q, s), m.hi(q, s)
		own, domain := [2]affine.Sum{lo, hi}, m.domain(m.step(s), m.row(s))
		ops = append(ops, gpu.Exchange{Row: age(s, 1), Left: 1, Right: 1})
		e := gpu.Evaluate{Stmt: m.stmt, Own: own, Domain: domain}
		for _, x := range m.iters(m.step(s), m.row(s)) {
			e.Iters = append(e.Iters, x)
		}
		for k, n := range m.neighbours {
			o := gpu.Operand{Row: age(s, n.di), Shift: n.dj}
			if m.stmt.Accesses[k].Write {
				o = gpu.Operand{Row: to}
			}
			e.Operands = append(e.Operands, o)
		}
		last := m.scop.Sum(m.stmt.Bounds[1], m.iters(m.step(s), m.row(s))) // T - 1 - t
		patch := gpu.Patch{Row: to, Element: m.element(m.step(s).Add(1), m.row(s)), Own: own, Need: [2]affine.Sum{lo.Add(-2), hi.Add(2)}, Domain: domain,
			Final: astgen.Cond{{affine.Num(1).Minus(last)}}}
		sides := []gpu.Columns{{Warps: all, Lo: lo, Hi: lo.Add(1)}, {Warps: all, Lo: hi.Add(-1), Hi: hi}}
		var behind []gpu.WarpOp
		for side, at := range [][2]affine.Sum{{lo, hi}, {lo.Add(-2), hi.Add(1)}} {
			for n := range 4 {
				local := at[n/2].Add(int64(n % 2))
				if side == 0 && n > 1 {
					local = local.Add(-1)
				}
				x, lane := m.lane(st, local)
				warps := all
				switch {
				case side == 1 && m.growing(q):
					behind = append(behind, gpu.Enter{Row: to, X: x, Lane: lane, Edge: edge, Slot: r % p.Slots, Element: 4*s + n, Warps: all})
				case side == 0 && !m.growing(q):
					if s == m.steps-1 {
						warps.Last = m.warps - 2
					}
					behind = append(behind, gpu.Leave{Row: to, X: x, Lane: lane, Edge: edge, Slot: r % p.Slots, Element: 4*s + n, Warps: warps})
				case side == 0 && s == m.steps-1:
					behind = append(behind, gpu.StoreColumn{Row: to, X: x, Lane: lane, Warps: gpu.Span{First: m.warps/2 - 1, Last: m.warps/2 - 1},
						At: affine.Var("c0").Plus(local), Element: m.element(m.step(s).Add(1), m.row(s)), Domain: domain})
				}
			}
		}
		switch {
		case !m.growing(q) && s == m.steps-1:
			patch.Stored = append(sides, gpu.Columns{Warps: gpu.Span{First: m.warps - 1, Last: m.warps - 1}, Lo: lo, Hi: hi})
		case !m.growing(q):
			patch.Stored = sides
		case s == m.steps-1:
			for i := range sides {
				sides[i].Warps = gpu.Span{First: m.warps/2 - 1, Last: m.warps/2 - 1}
			}
			patch.Stored = sides
		}
		ops = append(ops, e, patch)
		ops = append(ops, behind...)
		if s == m.steps-1 {
			ops = append(ops, gpu.WriteRow{Row: to, Ring: ring, To: 1, Slot: (r + m.period) % p.Slots})
		}
	}
	if !m.growing(q) {
		ops = append(ops, gpu.Put{Edge: edge, Slot: r % p.Slots, Cursor: cursor})
	}
	return ops
}

// program returns the kernels.
func (m *maker) program() *gpu.Program {
	h, w := m.half(), 2*m.width+2+2*m.half()
	steps := m.scop.Sum(m.stmt.Bounds[1], m.iters(affine.Num(0), affine.Num(0))).Plus(affine.Var("t0")).Add(1) // T
	p := &gpu.Program{Scop: m.scop, T: "TT", TLo: affine.Num(0), THi: affine.Floor(steps.Add(h), m.height()),
		Busy:   astgen.Cond{{steps.Add(-1)}},
		Chains: &schedule.Chains{Blocks: 1, Steps: []schedule.Wait{{From: 1, Time: 1, Lo: []int64{0}, Hi: []int64{1}}, {From: 0, Lo: []int64{-1}, Hi: []int64{0}}}}}
	line := m.pipeline()
	for phase, name := range []string{"phase0", "phase1"} {
		time, column := sum(0, m.height(), "TT"), sum(0, w, "S0")
		if phase == 0 {
			time, column = time.Add(-h-1), column.Add(-h-m.width-1)
		}
		p.Kernels = append(p.Kernels, &gpu.Kernel{Name: name, Phase: phase, Threads: [3]int{line.Threads(), 1, 1},
			Grid: []gpu.Axis{{Var: "S0", Lo: affine.Num(-1), Hi: affine.Offset(affine.Floor(m.cols, w), 1)}},
			Body: []gpu.Node{gpu.Stream{Pipeline: line, Time: time, Column: column, Lo: affine.Num(int64(-3 * m.period)),
				Hi: m.rows.Add(m.height() + int64(m.period*m.warps) - 3), Lag: m.lag()}}})
	}
	return p
}

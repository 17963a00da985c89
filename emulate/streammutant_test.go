package emulate_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// A mistake is made in a program that a maker has just made. It reports whether there was anything to spoil.
type mistake func(m *maker, p *gpu.Program) bool

// ofLine returns a mistake in the pipeline.
func ofLine(f func(m *maker, p *gpu.Pipeline)) mistake {
	return func(m *maker, p *gpu.Program) bool {
		f(m, p.Kernels[0].Body[0].(gpu.Stream).Pipeline)
		return true
	}
}

// ofStreams returns a mistake in both kernels.
func ofStreams(f func(m *maker, s *gpu.Stream)) mistake {
	return func(m *maker, p *gpu.Program) bool {
		for _, k := range p.Kernels {
			s := k.Body[0].(gpu.Stream)
			f(m, &s)
			k.Body[0] = s
		}
		return true
	}
}

// ofOps returns a mistake in the operations of a type: f is given each, with the warp that is first to run it, and how many of its type come before it there in its beat. It returns what is there instead,
// nil for nothing; or op, to let it be.
func ofOps[T gpu.WarpOp](f func(m *maker, op T, q, n int) gpu.WarpOp) mistake {
	return func(m *maker, p *gpu.Program) (done bool) {
		line := p.Kernels[0].Body[0].(gpu.Stream).Pipeline
		for i := range line.Stages {
			s := &line.Stages[i]
			for r, ops := range s.Beats {
				n, out := 0, []gpu.WarpOp{}
				for _, op := range ops {
					if x, ok := op.(T); ok {
						done = true
						op, n = f(m, x, s.First, n), n+1
					}
					if op != nil {
						out = append(out, op)
					}
				}
				s.Beats[r] = out
			}
		}
		return done
	}
}

// first spoils the n-th of each beat only.
func nth[T gpu.WarpOp](n int, f func(m *maker, op T) gpu.WarpOp) mistake {
	return ofOps(func(m *maker, op T, _, at int) gpu.WarpOp {
		if at != n {
			return op
		}
		return f(m, op)
	})
}

// missing leaves the n-th operation of a type out.
func missing[T gpu.WarpOp](n int) mistake {
	return nth(n, func(*maker, T) gpu.WarpOp { return nil })
}

// ofGroups returns a mistake in what growing warps fetch, or others put.
func ofGroups(growing bool, f func(g *gpu.Group)) mistake {
	return ofLine(func(m *maker, p *gpu.Pipeline) {
		for _, s := range p.Stages {
			if m.growing(s.First) == growing {
				for i := range s.Cursors[0].Groups {
					f(&s.Cursors[0].Groups[i])
				}
			}
		}
	})
}

// inRow moves an element by rows.
func inRow(e *gpu.Element, by int64) {
	e.Index = slices.Clone(e.Index)
	e.Index[1] = affine.Offset(e.Index[1], by)
}

// without drops row k of a condition.
func without(c *astgen.Cond, k int) { *c = astgen.Cond{slices.Delete(slices.Clone((*c)[0]), k, k+1)} }

// ofPlan returns a mistake in what chains wait for.
func ofPlan(f func(w *schedule.Wait)) mistake {
	return func(_ *maker, p *gpu.Program) bool { return ofWaitsOnGPU(f)(p) }
}

// streamMutants are mistakes in pipelines, each of which must be found.
var streamMutants = map[string]mistake{
	"a row of a ring is read from the next slot": ofOps(func(m *maker, op gpu.ReadRow, _, _ int) gpu.WarpOp {
		op.Slot = (op.Slot + 1) % (3 * m.period)
		return op
	}),
	"a row of a ring is written a beat early": ofOps(func(m *maker, op gpu.WriteRow, _, _ int) gpu.WarpOp {
		op.Slot = (op.Slot + 3*m.period - 1) % (3 * m.period)
		return op
	}),
	"rows are shifted the other way": ofOps(func(_ *maker, op gpu.ReadRow, _, _ int) gpu.WarpOp {
		op.Shift = slices.Clone(op.Shift)
		for i := range op.Shift {
			op.Shift[i] *= -1
		}
		return op
	}),
	"no row is read":      missing[gpu.ReadRow](0),
	"no row is written":   missing[gpu.WriteRow](0),
	"neighbours are old":  missing[gpu.Exchange](0),
	"no right neighbours": nth(0, func(_ *maker, op gpu.Exchange) gpu.WarpOp { op.Right = 0; return op }),
	"a column enters one off": nth(1, func(m *maker, op gpu.Enter) gpu.WarpOp {
		op.X = (op.X + 1) % m.columns
		return op
	}),
	"a column enters a lane off": nth(2, func(_ *maker, op gpu.Enter) gpu.WarpOp { op.Lane = op.Lane.Add(-1); return op }),
	"another element enters":     nth(2, func(_ *maker, op gpu.Enter) gpu.WarpOp { op.Element++; return op }),
	"a column does not enter":    missing[gpu.Enter](0),
	"a column enters from the slot before": nth(0, func(m *maker, op gpu.Enter) gpu.WarpOp {
		op.Slot = (op.Slot + 3*m.period - 1) % (3 * m.period)
		return op
	}),
	"no column is fetched":         missing[gpu.Fetch](0),
	"columns of the row behind":    ofGroups(true, func(g *gpu.Group) { inRow(&g.Element, -1) }),
	"columns of the row before":    ofGroups(true, func(g *gpu.Group) { inRow(&g.Element, 1) }),
	"columns beside are fetched":   ofGroups(true, func(g *gpu.Group) { g.At = g.At.Add(1) }),
	"a column fetched is too few":  ofGroups(true, func(g *gpu.Group) { g.Guard = astgen.Cond{append(slices.Clone(g.Guard[0]), affine.Var("j").Add(-4))} }),
	"columns are fetched too late": ofOps(func(m *maker, op gpu.Fetch, _, _ int) gpu.WarpOp { op.Slot = (op.Slot + 1) % (3 * m.period); return op }),
	"columns are fetched too early": ofOps(func(m *maker, op gpu.Fetch, _, _ int) gpu.WarpOp {
		op.Slot = (op.Slot + 3*m.period - 1) % (3 * m.period)
		return op
	}),
	"a column does not leave":           missing[gpu.Leave](1),
	"a column leaves a lane off":        nth(0, func(_ *maker, op gpu.Leave) gpu.WarpOp { op.Lane = op.Lane.Add(1); return op }),
	"a column leaves one off":           nth(0, func(m *maker, op gpu.Leave) gpu.WarpOp { op.X = (op.X + 1) % m.columns; return op }),
	"columns are not put":               missing[gpu.Put](0),
	"columns are put elsewhere":         ofGroups(false, func(g *gpu.Group) { g.At = g.At.Add(-1) }),
	"columns are put in the row before": ofGroups(false, func(g *gpu.Group) { inRow(&g.Element, 1) }),
	"columns of the slot before are put": nth(0, func(m *maker, op gpu.Put) gpu.WarpOp {
		op.Slot = (op.Slot + 3*m.period - 1) % (3 * m.period)
		return op
	}),
	"a column of the widest step is not stored": missing[gpu.StoreColumn](3),
	"columns of the widest step are stored one off": ofOps(func(m *maker, op gpu.StoreColumn, _, _ int) gpu.WarpOp {
		op.X = (op.X + 1) % m.columns
		return op
	}),
	"columns of the widest step in another warp": ofOps(func(_ *maker, op gpu.StoreColumn, _, _ int) gpu.WarpOp {
		op.Warps = gpu.Span{First: op.Warps.First - 1, Last: op.Warps.Last - 1}
		return op
	}),
	"a step is too narrow": nth(0, func(_ *maker, op gpu.Evaluate) gpu.WarpOp { op.Own[0] = op.Own[0].Add(1); return op }),
	"a step is too wide":   nth(1, func(_ *maker, op gpu.Evaluate) gpu.WarpOp { op.Own[1] = op.Own[1].Add(1); return op }),
	"a neighbour is another": nth(0, func(_ *maker, op gpu.Evaluate) gpu.WarpOp {
		op.Operands = slices.Clone(op.Operands)
		op.Operands[len(op.Operands)-2].Shift++
		op.Operands[len(op.Operands)-2].Shift %= 2
		return op
	}),
	"a row is another": nth(1, func(m *maker, op gpu.Evaluate) gpu.WarpOp {
		op.Operands = slices.Clone(op.Operands)
		op.Operands[0].Row += 1 - 3*((op.Operands[0].Row%3)/2)
		return op
	}),
	"an instance is left out": nth(0, func(_ *maker, op gpu.Evaluate) gpu.WarpOp {
		op.Domain = astgen.Cond{append(slices.Clone(op.Domain[0]), affine.Var("j").Add(-2))}
		return op
	}),
	"the last column is computed":  nth(0, func(_ *maker, op gpu.Evaluate) gpu.WarpOp { without(&op.Domain, 5); return op }),
	"boundaries are not loaded":    missing[gpu.Patch](0),
	"boundaries of the row before": nth(1, func(_ *maker, op gpu.Patch) gpu.WarpOp { inRow(&op.Element, -1); return op }),
	"last values are not stored": ofOps(func(_ *maker, op gpu.Patch, _, _ int) gpu.WarpOp {
		op.Final = astgen.Cond{{op.Final[0][0].(affine.Sum).Add(-1)}}
		return op
	}),
	"more columns leave": nth(0, func(_ *maker, op gpu.Patch) gpu.WarpOp {
		op.Stored = append(slices.Clone(op.Stored), gpu.Columns{Warps: gpu.Span{Last: 99}, Lo: op.Own[0].Add(3), Hi: op.Own[0].Add(3)})
		return op
	}),
	"a row is copied in from below": ofLine(func(_ *maker, p *gpu.Pipeline) { inRow(&p.Copies[0].Element, -1) }),
	"a row is copied in beside":     ofLine(func(_ *maker, p *gpu.Pipeline) { p.Copies[0].Origin = p.Copies[0].Origin.Add(1) }),
	"a row is copied in too short":  ofLine(func(_ *maker, p *gpu.Pipeline) { p.Copies[0].Count-- }),
	"a row is copied in without its first": ofLine(func(_ *maker, p *gpu.Pipeline) {
		p.Copies[0].First, p.Copies[0].Count = p.Copies[0].First.Add(1), p.Copies[0].Count-1
	}),
	"a row is copied out too short": ofLine(func(_ *maker, p *gpu.Pipeline) { p.Copies[1].Count-- }),
	"a row is copied out too long":  ofLine(func(_ *maker, p *gpu.Pipeline) { p.Copies[1].Count++ }),
	"a row is copied out elsewhere": ofLine(func(_ *maker, p *gpu.Pipeline) { inRow(&p.Copies[1].Element, -1) }),
	"a row is copied out early": ofLine(func(_ *maker, p *gpu.Pipeline) {
		p.Copies[1].Slots = append(slices.Clone(p.Copies[1].Slots[1:]), p.Copies[1].Slots[0])
	}),
	"a row is copied in to the slot in use": ofLine(func(_ *maker, p *gpu.Pipeline) {
		n := len(p.Copies[0].Slots)
		p.Copies[0].Slots = append(slices.Clone(p.Copies[0].Slots[n-1:]), p.Copies[0].Slots[:n-1]...)
	}),
	"no row is copied in":             ofLine(func(_ *maker, p *gpu.Pipeline) { p.Copies = p.Copies[1:] }),
	"no row is copied out":            ofLine(func(_ *maker, p *gpu.Pipeline) { p.Copies = p.Copies[:1] }),
	"a barrier a turn":                ofLine(func(_ *maker, p *gpu.Pipeline) { p.Period = p.Turn }),
	"the last steps are full":         ofLine(func(_ *maker, p *gpu.Pipeline) { without(&p.Full, 1) }),
	"steps before the first are full": ofLine(func(_ *maker, p *gpu.Pipeline) { without(&p.Full, 0) }),
	"the left edge is full":           ofLine(func(_ *maker, p *gpu.Pipeline) { without(&p.Full, 2) }),
	"the right edge is full":          ofLine(func(_ *maker, p *gpu.Pipeline) { without(&p.Full, 3) }),
	"the first rows are full":         ofLine(func(_ *maker, p *gpu.Pipeline) { without(&p.Full, 4) }),
	"the last rows are full":          ofLine(func(_ *maker, p *gpu.Pipeline) { without(&p.Full, 5) }),
	"chains begin too late":           ofStreams(func(m *maker, s *gpu.Stream) { s.Lo = affine.Offset(s.Lo, int64(3*m.period)) }),
	"chains end early":                ofStreams(func(m *maker, s *gpu.Stream) { s.Hi = affine.Offset(s.Hi, int64(-3*m.period)) }),
	"tiles lie a column further": func(_ *maker, p *gpu.Program) bool {
		s := p.Kernels[1].Body[0].(gpu.Stream)
		s.Column = affine.Offset(s.Column, 1)
		p.Kernels[1].Body[0] = s
		return true
	},
	"no wait":               ofStreams(func(_ *maker, s *gpu.Stream) { s.Lag = -1000 }),
	"a lag too short":       ofStreams(func(m *maker, s *gpu.Stream) { s.Lag = m.shortest() - 1 }),
	"one chain less before": ofPlan(func(w *schedule.Wait) { w.Hi[0]-- }),
	"one chain less behind": ofPlan(func(w *schedule.Wait) { w.Lo[0]++ }),
	"in place of the level, that after": ofLine(func(m *maker, p *gpu.Pipeline) {
		p.Copies[0].Element.Index[0] = affine.Modulo(affine.Var("t0").Add(1), 2)
	}),
}

// shortest returns the least lag with which chains wait as they do with lag: beats are signalled some at a time.
func (x hand) shortest() int64 { return x.lag() - x.lag()%int64(x.every*3*x.period) }

// mutantHands are shapes for mutants: lags, ring slots and both halves matter.
var mutantHands = []hand{
	{columns: 2, steps: 2, warps: 4, period: 1, width: 9, every: 1},
	{columns: 4, steps: 4, warps: 2, period: 2, width: 13, every: 1},
}

// TestStreamMutants spoils pipelines: each mistake is found, by findings or by values, in a few runs.
func TestStreamMutants(t *testing.T) {
	for i, x := range mutantHands {
		for what, spoil := range streamMutants {
			t.Run(fmt.Sprint(what, i), func(t *testing.T) {
				t.Parallel()
				if x.warps == 2 && (what == "columns of the widest step in another warp" || what == "rows are shifted the other way") {
					return // one warp grows, and rows are not shifted from there
				}
				for seed := range uint64(6) {
					m := newMaker(t, []string{"heat-2d", "jacobi-2d"}[seed%2], x)
					p := m.program()
					require.True(t, spoil(m, p))
					r, d := streamed(t, p, m.sizes(2*m.height()+int64(seed), 47+int64(seed), 83+5*int64(seed)), emulate.Options{Seed: seed, First: true, Last: seed%3 > 0})
					if !r.OK() || d.Differ > 0 {
						if len(r.Findings) > 0 {
							t.Log(r.Findings[0])
						} else {
							t.Log("values differ")
						}
						return
					}
				}
				t.Error("is not found")
			})
		}
	}
}

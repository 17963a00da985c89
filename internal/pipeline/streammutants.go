package pipeline

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// This file makes mistakes in kernels whose rows stream, each of which must be found: by running them, and those that are about full turns by proofs of these, too.

// A StreamMutant is a mistake.
type StreamMutant struct {
	Name string
	Full bool // full turns are wrong
	// Spoil makes the mistake. It reports whether there was anything to spoil.
	Spoil func(p *gpu.Program) bool
}

// streamOf returns what kernel k runs.
func streamOf(k *gpu.Kernel) gpu.Stream {
	s, _ := k.Stream()
	return s
}

// ofLine spoils the pipeline.
func ofLine(f func(p *gpu.Pipeline) bool) func(*gpu.Program) bool {
	return func(p *gpu.Program) bool { return f(p.Pipeline()) }
}

// ofKernels spoils what kernels run.
func ofKernels(f func(s *gpu.Stream)) func(*gpu.Program) bool {
	return func(p *gpu.Program) bool {
		for _, k := range p.Kernels {
			s := streamOf(k)
			f(&s)
			k.Body[0] = s
		}
		return true
	}
}

// ofPhase spoils what the kernel of a phase runs.
func ofPhase(phase int, f func(s *gpu.Stream)) func(*gpu.Program) bool {
	return func(p *gpu.Program) bool {
		s := streamOf(p.Kernels[phase])
		f(&s)
		p.Kernels[phase].Body[0] = s
		return true
	}
}

// ofOps spoils the operations of a type: f gives what is there instead of one, nil for nothing, or returns that it lets it be. n is the number of the
// operation among those of its type in a beat; a negative one asks for any.
func ofOps[T gpu.WarpOp](n int, f func(p *gpu.Pipeline, op T) (gpu.WarpOp, bool)) func(*gpu.Program) bool {
	return ofLine(func(p *gpu.Pipeline) (done bool) {
		for i := range p.Stages {
			s := &p.Stages[i]
			for r, ops := range s.Beats {
				at, out := 0, []gpu.WarpOp{}
				for _, op := range ops {
					if x, ok := op.(T); ok {
						if n < 0 || at == n {
							if by, spoiled := f(p, x); spoiled {
								op, done = by, true
							}
						}
						at++
					}
					if op != nil {
						out = append(out, op)
					}
				}
				s.Beats[r] = out
			}
		}
		return done
	})
}

// each is ofOps where all are spoiled.
func each[T gpu.WarpOp](n int, f func(p *gpu.Pipeline, op *T)) func(*gpu.Program) bool {
	return ofOps(n, func(p *gpu.Pipeline, op T) (gpu.WarpOp, bool) {
		f(p, &op)
		return op, true
	})
}

func missing[T gpu.WarpOp](n int) func(*gpu.Program) bool {
	return ofOps(n, func(*gpu.Pipeline, T) (gpu.WarpOp, bool) { return nil, true })
}

// ofStages spoils the stages whose warps may run no step.
func ofStages(f func(p *gpu.Pipeline, s *gpu.Stage)) func(*gpu.Program) bool {
	return ofLine(func(p *gpu.Pipeline) (done bool) {
		for i := range p.Stages {
			if p.Stages[i].Inactive != nil {
				f(p, &p.Stages[i])
				done = true
			}
		}
		return done
	})
}

// ofFeeds spoils what such warps bring.
func ofFeeds(f func(p *gpu.Pipeline, op gpu.FetchRow) []gpu.FetchRow) func(*gpu.Program) bool {
	return ofStages(func(p *gpu.Pipeline, s *gpu.Stage) {
		for r, ops := range s.Feeds {
			var out []gpu.FetchRow
			for _, op := range ops {
				out = append(out, f(p, op)...)
			}
			s.Feeds[r] = out
		}
	})
}

// slot returns the slot that many further.
func slot(p *gpu.Pipeline, n, by int) int { return (n + by + p.Slots) % p.Slots }

// ofGroups spoils the groups of the cursors by which columns enter, or leave.
func ofGroups(enter bool, f func(p *gpu.Pipeline, g *gpu.Group)) func(*gpu.Program) bool {
	return ofLine(func(p *gpu.Pipeline) (done bool) {
		spoiled := map[*gpu.Cursor]bool{}
		spoil := func(c *gpu.Cursor) {
			for i := range c.Groups {
				if !spoiled[c] {
					f(p, &c.Groups[i])
					done = true
				}
			}
			spoiled[c] = true
		}
		for _, s := range p.Stages {
			for _, ops := range s.Beats {
				for _, op := range ops {
					switch op := op.(type) {
					case gpu.Fetch:
						if enter {
							spoil(op.Cursor)
						}
					case gpu.Put:
						if !enter {
							spoil(op.Cursor)
						}
					}
				}
			}
		}
		return done
	})
}

// ofBeside spoils where columns beside domains come from.
func ofBeside(f func(b *gpu.Beside)) func(*gpu.Program) bool {
	return ofOps(-1, func(_ *gpu.Pipeline, op gpu.Patch) (gpu.WarpOp, bool) {
		if op.Beside == nil || len(op.Beside.Margins) == 0 {
			return op, false
		}
		b := *op.Beside
		b.Margins = slices.Clone(b.Margins)
		f(&b)
		op.Beside = &b
		return op, true
	})
}

// ofMargins spoils what is fetched of columns beside domains.
func ofMargins(f func(p *gpu.Pipeline, g *gpu.Group)) func(*gpu.Program) bool {
	return ofLine(func(p *gpu.Pipeline) (done bool) {
		for _, s := range p.Stages {
			if s.Margins != nil {
				for i := range s.Margins.Groups {
					f(p, &s.Margins.Groups[i])
					done = true
				}
			}
		}
		return done
	})
}

// ofCopies spoils the copies of rows that come in, or go out.
func ofCopies(in bool, f func(p *gpu.Pipeline, c *gpu.RowCopy)) func(*gpu.Program) bool {
	return ofLine(func(p *gpu.Pipeline) (done bool) {
		for i := range p.Copies {
			if p.Copies[i].In == in {
				f(p, &p.Copies[i])
				done = true
			}
		}
		return done
	})
}

// moved moves an element by rows.
func moved(p *gpu.Pipeline, e *gpu.Element, by int64) {
	e.Index = slices.Clone(e.Index)
	for k, x := range e.Index {
		if s, ok := x.(affine.Sum); ok && s.Coef(p.Vars.Beat) != 0 {
			e.Index[k] = s.Add(by)
		}
	}
}

// also adds a condition that columns are so far from the first one.
func also(p *gpu.Pipeline, c astgen.Cond, first int64) (out astgen.Cond) {
	for _, all := range c {
		out = append(out, append(slices.Clone(all), affine.Var(p.Vars.At).Add(-first)))
	}
	return out
}

// turned returns a list that begins by places later.
func turned(list []int, by int) []int {
	by = (by + len(list)) % len(list)
	return append(slices.Clone(list[by:]), list[:by]...)
}

// OfWaits spoils what chains wait for.
func OfWaits(f func(w *schedule.Wait)) func(*gpu.Program) bool {
	return func(p *gpu.Program) bool {
		c := *p.Chains
		c.Steps = slices.Clone(c.Steps)
		for i := range c.Steps {
			w := &c.Steps[i]
			w.Lo, w.Hi = slices.Clone(w.Lo), slices.Clone(w.Hi)
			f(w)
		}
		p.Chains = &c
		return true
	}
}

// StreamMutants returns the mistakes. The lag that is needed is least at most slack shorter than the one there is.
func StreamMutants(slack int64) []StreamMutant {
	all := []StreamMutant{
		{"a row of a ring is read from the next slot", true, each(-1, func(p *gpu.Pipeline, op *gpu.ReadRow) { op.Slot = slot(p, op.Slot, 1) })},
		{"a row of a ring is read from the slot before", true, each(-1, func(p *gpu.Pipeline, op *gpu.ReadRow) { op.Slot = slot(p, op.Slot, -1) })},
		{"a row of a ring is written a beat early", true, each(-1, func(p *gpu.Pipeline, op *gpu.WriteRow) { op.Slot = slot(p, op.Slot, -1) })},
		{"rows are shifted the other way", true, ofOps(-1, func(_ *gpu.Pipeline, op gpu.ReadRow) (gpu.WarpOp, bool) {
			op.Shift = slices.Clone(op.Shift)
			some := false
			for i := range op.Shift {
				some = some || op.Shift[i] != 0
				op.Shift[i] *= -1
			}
			return op, some
		})},
		{"rows are shifted by one more", true, each(-1, func(_ *gpu.Pipeline, op *gpu.ReadRow) {
			op.Shift = slices.Clone(op.Shift)
			for i := range op.Shift {
				op.Shift[i]++
			}
		})},
		{"no row is read", true, missing[gpu.ReadRow](0)},
		{"no row is written that is read", true, ofLine(func(p *gpu.Pipeline) bool {
			read := map[*gpu.Ring]bool{}
			for _, s := range p.Stages[1:] {
				for _, op := range s.Beats[0] {
					if x, ok := op.(gpu.ReadRow); ok {
						read[x.Ring] = true
					}
				}
			}
			return ofOps(-1, func(_ *gpu.Pipeline, op gpu.WriteRow) (gpu.WarpOp, bool) {
				if read[op.Ring] {
					return nil, true
				}
				return op, false
			})(&gpu.Program{Kernels: []*gpu.Kernel{{Body: []gpu.Node{gpu.Stream{Pipeline: p}}}}})
		})},
		{"neighbours are old", true, missing[gpu.Exchange](0)},
		{"no right neighbours", true, ofOps(0, func(_ *gpu.Pipeline, op gpu.Exchange) (gpu.WarpOp, bool) {
			some := op.Right > 0
			op.Right = 0
			return op, some
		})},
		{"a column enters one off", true, each(1, func(p *gpu.Pipeline, op *gpu.Enter) { op.X = (op.X + 1) % p.Columns })},
		{"a column enters a lane off", true, each(2, func(_ *gpu.Pipeline, op *gpu.Enter) { op.Lane = op.Lane.Add(-1) })},
		{"another element enters", true, each(0, func(_ *gpu.Pipeline, op *gpu.Enter) { op.Element = (op.Element + 1) % op.Edge.Elements })},
		{"a column does not enter", true, missing[gpu.Enter](0)},
		{"a column enters from the slot before", true, each(0, func(p *gpu.Pipeline, op *gpu.Enter) { op.Slot = slot(p, op.Slot, -1) })},
		{"no column is fetched", true, missing[gpu.Fetch](-1)},
		{"columns of the row behind are fetched", true, ofGroups(true, func(p *gpu.Pipeline, g *gpu.Group) { moved(p, &g.Element, -1) })},
		{"columns of the row before are fetched", true, ofGroups(true, func(p *gpu.Pipeline, g *gpu.Group) { moved(p, &g.Element, 1) })},
		{"columns beside are fetched", true, ofGroups(true, func(_ *gpu.Pipeline, g *gpu.Group) { g.At = g.At.Add(1) })},
		{"a column fetched is too few", false, ofGroups(true, func(p *gpu.Pipeline, g *gpu.Group) { g.Guard = also(p, g.Guard, 4) })},
		{"columns are fetched too late", true, each(-1, func(p *gpu.Pipeline, op *gpu.Fetch) { op.Slot = slot(p, op.Slot, 1) })},
		{"columns are fetched too early", true, each(-1, func(p *gpu.Pipeline, op *gpu.Fetch) { op.Slot = slot(p, op.Slot, -1) })},
		{"a column does not leave", true, missing[gpu.Leave](0)},
		{"a column leaves a lane off", true, each(0, func(_ *gpu.Pipeline, op *gpu.Leave) { op.Lane = op.Lane.Add(1) })},
		{"a column leaves one off", true, each(0, func(p *gpu.Pipeline, op *gpu.Leave) { op.X = (op.X + 1) % p.Columns })},
		{"columns are not put", true, missing[gpu.Put](0)},
		{"columns are put elsewhere", true, ofGroups(false, func(_ *gpu.Pipeline, g *gpu.Group) { g.At = g.At.Add(-1) })},
		{"columns are put in the row before", true, ofGroups(false, func(p *gpu.Pipeline, g *gpu.Group) { moved(p, &g.Element, 1) })},
		{"columns of the slot before are put", true, each(0, func(p *gpu.Pipeline, op *gpu.Put) { op.Slot = slot(p, op.Slot, -1) })},
		{"a column of the widest step is not stored", true, missing[gpu.StoreColumn](0)},
		{"columns of the widest step are stored one off", true, each(-1, func(p *gpu.Pipeline, op *gpu.StoreColumn) { op.X = (op.X + 1) % p.Columns })},
		{"a step is too narrow", true, each(0, func(_ *gpu.Pipeline, op *gpu.Evaluate) { op.Own[0] = op.Own[0].Add(1) })},
		{"a step is too wide", true, each(1, func(_ *gpu.Pipeline, op *gpu.Evaluate) { op.Own[1] = op.Own[1].Add(1) })},
		{"a neighbour is another", true, ofOps(0, func(_ *gpu.Pipeline, op gpu.Evaluate) (gpu.WarpOp, bool) {
			op.Operands = slices.Clone(op.Operands)
			for k := range op.Operands {
				if o := &op.Operands[k]; !op.Stmt.Accesses[k].Write && o.Element == nil && o.Shift != 0 {
					o.Shift *= -1
					return op, true
				}
			}
			return op, false
		})},
		{"a row is another", true, ofOps(0, func(_ *gpu.Pipeline, op gpu.Evaluate) (gpu.WarpOp, bool) {
			op.Operands = slices.Clone(op.Operands)
			for k := range op.Operands {
				for j := range k {
					x, y := &op.Operands[k], &op.Operands[j]
					if !op.Stmt.Accesses[k].Write && !op.Stmt.Accesses[j].Write && x.Element == nil && y.Element == nil && x.Row != y.Row && x.Shift == y.Shift {
						x.Row, y.Row = y.Row, x.Row
						return op, true
					}
				}
			}
			return op, false
		})},
		{"an instance is left out", false, each(0, func(p *gpu.Pipeline, op *gpu.Evaluate) { op.Domain = also(p, op.Domain, 2) })},
		{"columns beside a domain are not fetched", false, ofOps(-1, func(_ *gpu.Pipeline, op gpu.Fetch) (gpu.WarpOp, bool) { return nil, op.Border })},
		{"columns beside a domain are fetched late", false, ofOps(-1, func(p *gpu.Pipeline, op gpu.Fetch) (gpu.WarpOp, bool) {
			by := 0
			if op.Border {
				by = 1
			}
			op.Slot = slot(p, op.Slot, by)
			return op, op.Border
		})},
		{"columns beside a domain are one off", false, ofBeside(func(b *gpu.Beside) {
			for i := range b.Margins {
				b.Margins[i].At = b.Margins[i].At.Add(1)
			}
		})},
		{"columns beside a domain are of the row before", false, ofMargins(func(p *gpu.Pipeline, g *gpu.Group) { moved(p, &g.Element, 1) })},
		{"columns beside a domain are not of the array", false, ofMargins(func(_ *gpu.Pipeline, g *gpu.Group) { g.Guard = astgen.Cond{} })},
		{"rows at a border are taken for columns beside a domain", false, ofBeside(func(b *gpu.Beside) { b.Where = nil })},
		{"rows at a border are not loaded, nor last ones stored", false, ofBeside(func(b *gpu.Beside) { b.Alone = nil })},
		{"boundaries are not loaded", false, missing[gpu.Patch](0)},
		{"boundaries of the row before", false, each(0, func(p *gpu.Pipeline, op *gpu.Patch) { moved(p, &op.Element, -1) })},
		{"last values are not stored", false, each(-1, func(_ *gpu.Pipeline, op *gpu.Patch) { op.Final = astgen.Cond{} })},
		{"more columns leave", false, each(0, func(p *gpu.Pipeline, op *gpu.Patch) {
			op.Stored = append(slices.Clone(op.Stored), gpu.Columns{Warps: gpu.Span{Last: p.Warps}, Lo: op.Own[0].Add(3), Hi: op.Own[0].Add(3)})
		})},
		{"a row is copied in from below", true, ofCopies(true, func(p *gpu.Pipeline, c *gpu.RowCopy) { moved(p, &c.Element, -1) })},
		{"a row is copied in beside", true, ofCopies(true, func(_ *gpu.Pipeline, c *gpu.RowCopy) { c.Origin = c.Origin.Add(1) })},
		{"a row is copied in too short", true, ofCopies(true, func(_ *gpu.Pipeline, c *gpu.RowCopy) { c.Count-- })},
		{"a row is copied in without its first", true, ofCopies(true, func(_ *gpu.Pipeline, c *gpu.RowCopy) { c.First, c.Count = c.First.Add(1), c.Count-1 })},
		{"a row is copied out too short", true, ofCopies(false, func(_ *gpu.Pipeline, c *gpu.RowCopy) { c.Count-- })},
		{"a row is copied out too long", true, ofCopies(false, func(_ *gpu.Pipeline, c *gpu.RowCopy) { c.Count++ })},
		{"a row is copied out elsewhere", true, ofCopies(false, func(p *gpu.Pipeline, c *gpu.RowCopy) { moved(p, &c.Element, -1) })},
		{"a row is copied out early", true, ofCopies(false, func(_ *gpu.Pipeline, c *gpu.RowCopy) { c.Slots = turned(c.Slots, 1) })},
		{"a row is copied in early", true, ofCopies(true, func(_ *gpu.Pipeline, c *gpu.RowCopy) { c.Slots = turned(c.Slots, -1) })},
		{"no row is copied in", true, ofLine(func(p *gpu.Pipeline) bool {
			p.Copies = slices.DeleteFunc(slices.Clone(p.Copies), func(c gpu.RowCopy) bool { return c.In })
			return true
		})},
		{"no row is copied out", true, ofLine(func(p *gpu.Pipeline) bool {
			p.Copies = slices.DeleteFunc(slices.Clone(p.Copies), func(c gpu.RowCopy) bool { return !c.In })
			return true
		})},
		{"a barrier a turn", true, ofLine(func(p *gpu.Pipeline) bool {
			some := p.Period != p.Turn
			p.Period = p.Turn
			return some
		})},
		{"all turns are full", true, ofLine(func(p *gpu.Pipeline) bool { p.Full = astgen.Cond{{}}; return true })},
		{"warps run no step where they have some", false, ofStages(func(p *gpu.Pipeline, s *gpu.Stage) {
			s.Inactive = astgen.Cond{{s.Inactive[0][0].(affine.Sum).Add(int64(p.Steps))}, s.Inactive[1]}
		})},
		{"warps run no step before the last ones", false, ofStages(func(p *gpu.Pipeline, s *gpu.Stage) {
			s.Inactive = astgen.Cond{s.Inactive[0], {s.Inactive[1][0].(affine.Sum).Add(int64(p.Steps))}}
		})},
		{"no row is brought for the next warp", false, ofFeeds(func(*gpu.Pipeline, gpu.FetchRow) []gpu.FetchRow { return nil })},
		{"a row is brought for another beat", false, ofFeeds(func(p *gpu.Pipeline, op gpu.FetchRow) []gpu.FetchRow {
			moved(p, &op.Element, -1)
			return []gpu.FetchRow{op}
		})},
		{"a row is brought elsewhere", false, ofFeeds(func(p *gpu.Pipeline, op gpu.FetchRow) []gpu.FetchRow {
			op.Slot = slot(p, op.Slot, 1)
			return []gpu.FetchRow{op}
		})},
		{"a row is brought without its first column", false, ofFeeds(func(_ *gpu.Pipeline, op gpu.FetchRow) []gpu.FetchRow {
			op.Need[0] = op.Need[0].Add(1)
			return []gpu.FetchRow{op}
		})},
		{"a row is brought without its last column", false, ofFeeds(func(_ *gpu.Pipeline, op gpu.FetchRow) []gpu.FetchRow {
			op.Need[1] = op.Need[1].Add(-1)
			return []gpu.FetchRow{op}
		})},
		{"chains begin too late", false, ofKernels(func(s *gpu.Stream) { s.Lo = affine.Offset(s.Lo, 2*int64(s.Pipeline.Turn)) })},
		{"chains end early", false, ofKernels(func(s *gpu.Stream) { s.Hi = affine.Offset(s.Hi, -int64(s.Pipeline.Turn)) })},
		{"tiles of a phase lie a column further", false, ofPhase(1, func(s *gpu.Stream) { s.Column = affine.Offset(s.Column, 1) })},
		{"no wait", true, ofKernels(func(s *gpu.Stream) { s.Lag = -1000 })},
		{"a lag too short", true, ofKernels(func(s *gpu.Stream) { s.Lag -= slack + 1 })},
		{"one chain less before", true, OfWaits(func(w *schedule.Wait) { w.Hi[0]-- })},
		{"one chain less behind", true, OfWaits(func(w *schedule.Wait) { w.Lo[0]++ })},
	}
	for k := range 12 {
		all = append(all, StreamMutant{"full turns, without condition " + string(rune('a'+k)), true, ofLine(func(p *gpu.Pipeline) bool {
			if k >= len(p.Full[0]) {
				return false
			}
			p.Full = astgen.Cond{slices.Delete(slices.Clone(p.Full[0]), k, k+1)}
			return true
		})})
	}
	return all
}

package pipeline

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// This file has mistakes of pipelines in three dimensions: in what strips pass on, and in how they wait for each other.

// VolumeMutants returns them.
func VolumeMutants() []StreamMutant {
	return []StreamMutant{
		{"a strip does not wait for the one before", true, func(p *gpu.Program) bool {
			c := *p.Chains
			c.Along = false
			p.Chains = &c
			return true
		}},
		{"a strip waits for too little of the one before", true, ofKernels(func(s *gpu.Stream) {
			s.Behind = int64(s.Pipeline.Ahead + s.Pipeline.Period - 1) // which suffices before the first of the beats that it is for, less one
		})},
		{"strips of the phase before are too few", true, OfWaits(func(w *schedule.Wait) { w.Lo[1] = 0 })},
		{"a line of the strip before is another line", true, ofStrips(true, func(p *gpu.Pipeline, c *gpu.RowCopy) { lined(p, &c.Element, 1) })},
		{"a line of the strip before is a row late", true, ofStrips(true, func(p *gpu.Pipeline, c *gpu.RowCopy) { moved(p, &c.Element, -1) })},
		{"a line of the strip before is of another step", true, ofStrips(true, func(p *gpu.Pipeline, c *gpu.RowCopy) { c.Number = (c.Number + c.Ring.Numbers/2) % c.Ring.Numbers })},
		{"a line that goes on is a line off", true, ofStrips(false, func(p *gpu.Pipeline, c *gpu.RowCopy) { lined(p, &c.Element, -1) })},
		{"a line that goes on is a row off", true, ofStrips(false, func(p *gpu.Pipeline, c *gpu.RowCopy) { moved(p, &c.Element, 1) })},
		{"a line that goes on is not stored", true, ofLine(func(p *gpu.Pipeline) bool {
			at := slices.IndexFunc(p.Copies, func(c gpu.RowCopy) bool { return !c.In && strips(p, c.Ring) })
			if at < 0 {
				return false
			}
			p.Copies = slices.Delete(slices.Clone(p.Copies), at, at+1)
			return true
		})},
		{"a line that goes on is too narrow", true, ofStrips(false, func(_ *gpu.Pipeline, c *gpu.RowCopy) { c.Count-- })},
		{"a line that goes on is too wide", true, ofStrips(false, func(_ *gpu.Pipeline, c *gpu.RowCopy) { c.Count += 4 })}, // the next one has entered
		{"a line that goes on is stored early", true, ofStrips(false, func(_ *gpu.Pipeline, c *gpu.RowCopy) { c.Slots = turned(c.Slots, 1) })},
		{"a line that goes on is a column off", true, ofStrips(false, func(_ *gpu.Pipeline, c *gpu.RowCopy) { c.Origin = c.Origin.Add(1) })},
		{"a line that goes on is stored where no instance is", false, ofStrips(false, func(_ *gpu.Pipeline, c *gpu.RowCopy) { c.Guard = astgen.Cond{{}} })},
		{"a line that goes on is stored in part", false, ofStrips(false, func(p *gpu.Pipeline, c *gpu.RowCopy) { c.Guard = also(p, c.Guard, 5) })},
		{"a line of the strip before is too narrow", true, ofStrips(true, func(_ *gpu.Pipeline, c *gpu.RowCopy) { c.Count-- })},
		{"a line of the strip before has no first column", true, ofStrips(true, func(_ *gpu.Pipeline, c *gpu.RowCopy) { c.First, c.Count = c.First.Add(1), c.Count-1 })},
		{"a line of the strip before is a column off", true, ofStrips(true, func(_ *gpu.Pipeline, c *gpu.RowCopy) { c.Origin = c.Origin.Add(-1) })},
		{"a line of the strip before is copied early", true, ofStrips(true, func(_ *gpu.Pipeline, c *gpu.RowCopy) { c.Slots = turned(c.Slots, -1) })},
		{"a line of the strip before is copied late", true, ofStrips(true, func(_ *gpu.Pipeline, c *gpu.RowCopy) { c.Slots = turned(c.Slots, 1) })},
		{"a line of the strip before is not of the array", false, ofStrips(true, func(_ *gpu.Pipeline, c *gpu.RowCopy) { c.Guard = astgen.Cond{{}} })},
		{"a line of the strip before is copied in part", false, ofStrips(true, func(p *gpu.Pipeline, c *gpu.RowCopy) { c.Guard = also(p, c.Guard, 3) })},
		{"no line of the strip before is copied", true, ofLine(func(p *gpu.Pipeline) bool {
			n := len(p.Copies)
			p.Copies = slices.DeleteFunc(slices.Clone(p.Copies), func(c gpu.RowCopy) bool { return c.In && strips(p, c.Ring) })
			return len(p.Copies) < n
		})},
		{"a line of the strip before is read from the slot before", true, ofOps(-1, func(p *gpu.Pipeline, op gpu.ReadRow) (gpu.WarpOp, bool) {
			if strips(p, op.Ring) {
				op.Slot = slot(p, op.Slot, -1)
			}
			return op, strips(p, op.Ring)
		})},
		{"a line of the strip before is not read", true, ofOps(-1, func(p *gpu.Pipeline, op gpu.ReadRow) (gpu.WarpOp, bool) { return nil, strips(p, op.Ring) })},
		{"a line that goes on is written a beat early", true, ofOps(-1, func(p *gpu.Pipeline, op gpu.WriteRow) (gpu.WarpOp, bool) {
			if strips(p, op.Ring) {
				op.Slot = slot(p, op.Slot, -1)
			}
			return op, strips(p, op.Ring)
		})},
		{"a line that goes on does not leave the warp", true, ofOps(-1, func(p *gpu.Pipeline, op gpu.WriteRow) (gpu.WarpOp, bool) { return nil, strips(p, op.Ring) })},
		{"columns enter from the line before", true, ofGroups(true, func(p *gpu.Pipeline, g *gpu.Group) { lined(p, &g.Element, -1) })},
		{"columns leave to the line behind", true, ofGroups(false, func(p *gpu.Pipeline, g *gpu.Group) { lined(p, &g.Element, 1) })},
		{"columns beside a domain are of the line before", false, ofMargins(func(p *gpu.Pipeline, g *gpu.Group) { lined(p, &g.Element, -1) })},
		{"boundaries of the line before", false, each(0, func(p *gpu.Pipeline, op *gpu.Patch) { lined(p, &op.Element, -1) })},
		{"a line is computed as the one before", true, each(1, func(p *gpu.Pipeline, op *gpu.Evaluate) {
			op.Iters = slices.Clone(op.Iters)
			for i, x := range op.Iters {
				op.Iters[i] = onLine(p, x, -1)
			}
		})},
		{"no line beside a domain is fetched", false, ofOps(-1, func(_ *gpu.Pipeline, op gpu.FetchLine) (gpu.WarpOp, bool) { return nil, true })},
		{"lines beside a domain are fetched late", false, each(-1, func(p *gpu.Pipeline, op *gpu.FetchLine) { op.Slot = slot(p, op.Slot, 1) })},
		{"lines beside a domain are fetched early", false, each(-1, func(p *gpu.Pipeline, op *gpu.FetchLine) { op.Slot = slot(p, op.Slot, -1) })},
		{"lines beside a domain are too short", false, each(-1, func(_ *gpu.Pipeline, op *gpu.FetchLine) { op.Need[1] = op.Need[1].Add(-2) })},
		{"lines beside a domain are of the row before", false, ofFarLines(func(p *gpu.Pipeline, x *gpu.FarLine) { moved(p, &x.Element, -1) })},
		{"lines beside a domain are of the line behind", false, ofFarLines(func(p *gpu.Pipeline, x *gpu.FarLine) { lined(p, &x.Element, 1) })},
		{"lines beside a domain are another line of the warp", false, ofFarLines(func(p *gpu.Pipeline, x *gpu.FarLine) {
			for i, rows := range x.Where {
				x.Where[i] = slices.Clone(rows)
				for k, e := range rows {
					x.Where[i][k] = onLine(p, e, 1)
				}
			}
		})},
		{"no line is set to what is beside a domain", false, ofBeside(func(b *gpu.Beside) { b.Outside = nil })},
		{"lines are beside a domain at one side alone", false, ofBeside(func(b *gpu.Beside) {
			if len(b.Outside) > 1 {
				b.Outside = b.Outside[:1]
			}
		})},
		// by a line, or if all do so, strips cover the same points, and wait long enough: that is left to the proof of emission
		{"strips of a phase lie further", false, ofPhase(1, func(s *gpu.Stream) { s.Line = affine.Offset(s.Line, 2*int64(s.Pipeline.Lines)) })},
	}
}

// AcrossMutants returns mistakes of pipelines of which several warps lie along a strip: in which of them hands lines on to which, and when.
func AcrossMutants() []StreamMutant {
	read := func(f func(p *gpu.Pipeline, op *gpu.ReadRow)) func(*gpu.Program) bool {
		return ofOps(-1, func(p *gpu.Pipeline, op gpu.ReadRow) (gpu.WarpOp, bool) {
			handed := handed(p, op)
			if handed {
				f(p, &op)
			}
			return op, handed
		})
	}
	return []StreamMutant{
		{"a line of the warp before is that of the warp itself", true, read(func(_ *gpu.Pipeline, op *gpu.ReadRow) { op.From++ })},
		{"a line of the warp before is read a beat early", true, read(func(p *gpu.Pipeline, op *gpu.ReadRow) { op.Slot = slot(p, op.Slot, 1) })},
		{"a line of the warp before is read a beat late", true, read(func(p *gpu.Pipeline, op *gpu.ReadRow) { op.Slot = slot(p, op.Slot, -1) })},
		{"a line for the warp behind goes to the warp itself", true, ofOps(-1, func(p *gpu.Pipeline, op gpu.WriteRow) (gpu.WarpOp, bool) {
			own := strips(p, op.Ring)
			if own {
				op.To--
			}
			return op, own
		})},
		{"warps across run the same rows at the same beats", true, each(-1, func(p *gpu.Pipeline, op *gpu.Evaluate) {
			op.Iters = slices.Clone(op.Iters)
			for i, x := range op.Iters {
				if s, ok := x.(affine.Sum); ok && s.Coef(p.Vars.Beat) != 0 {
					op.Iters[i] = s.Without(p.Vars.Warp)
				}
			}
		})},
		{"warps across run the same lines", true, each(-1, func(p *gpu.Pipeline, op *gpu.Evaluate) {
			op.Iters = slices.Clone(op.Iters)
			for i, x := range op.Iters {
				if s, ok := x.(affine.Sum); ok && s.Coef(p.Vars.Line) != 0 {
					op.Iters[i] = s.Without(p.Vars.Warp)
				}
			}
		})},
		{"the last warp hands no line to the strip behind", true, ofLine(func(p *gpu.Pipeline) bool {
			n := len(p.Copies)
			p.Copies = slices.DeleteFunc(slices.Clone(p.Copies), func(c gpu.RowCopy) bool { return !c.In && c.Halo })
			return len(p.Copies) < n
		})},
		{"the strip behind gets lines of the first warp", true, ofCopies(false, func(p *gpu.Pipeline, c *gpu.RowCopy) {
			if c.Halo {
				c.Number--
			}
		})},
	}
}

// handed reports whether op reads a line of the warp before along the strip.
func handed(p *gpu.Pipeline, op gpu.ReadRow) bool {
	return slices.ContainsFunc(p.Copies, func(c gpu.RowCopy) bool {
		return c.In && c.Halo && c.Ring == op.Ring && c.Number == c.Warp+op.From
	})
}

// onLine returns what e is that many lines further.
func onLine(p *gpu.Pipeline, e affine.Expr, by int64) affine.Expr {
	if s, ok := e.(affine.Sum); ok {
		return s.Add(by * s.Coef(p.Vars.Line))
	}
	return e
}

// strips reports whether all that is copied to or from a ring is lines that strips pass on.
func strips(p *gpu.Pipeline, r *gpu.Ring) bool {
	return !slices.ContainsFunc(p.Copies, func(c gpu.RowCopy) bool { return c.Ring == r && !c.Halo })
}

// ofStrips spoils the copies of lines that strips get, or pass on.
func ofStrips(in bool, f func(p *gpu.Pipeline, c *gpu.RowCopy)) func(*gpu.Program) bool {
	return ofCopies(in, func(p *gpu.Pipeline, c *gpu.RowCopy) {
		if strips(p, c.Ring) {
			f(p, c)
		}
	})
}

// lined moves an element by lines.
func lined(p *gpu.Pipeline, e *gpu.Element, by int64) {
	e.Index = slices.Clone(e.Index)
	for k, x := range e.Index {
		e.Index[k] = onLine(p, x, by)
	}
}

// ofFarLines spoils which lines beside domains are fetched.
func ofFarLines(f func(p *gpu.Pipeline, x *gpu.FarLine)) func(*gpu.Program) bool {
	return ofOps(-1, func(p *gpu.Pipeline, op gpu.FetchLine) (gpu.WarpOp, bool) {
		op.Lines = slices.Clone(op.Lines)
		for i := range op.Lines {
			op.Lines[i].Where = slices.Clone(op.Lines[i].Where)
			f(p, &op.Lines[i])
		}
		return op, true
	})
}

package pipeline

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// This file has mistakes of pipelines in three dimensions: in what strips pass on, and in how they wait for each other.

// VolumeMutants returns them. What a chain waits for of the strip before it is at most slack more than it needs.
func VolumeMutants(slack int64) []StreamMutant {
	return []StreamMutant{
		{"a strip does not wait for the one before", true, func(p *gpu.Program) bool {
			c := *p.Chains
			c.Along = false
			p.Chains = &c
			return true
		}},
		{"a strip waits for too little of the one before", true, ofKernels(func(s *gpu.Stream) { s.Behind -= slack })},
		{"strips of the phase before are too few", true, OfWaits(func(w *schedule.Wait) { w.Lo[1] = 0 })},
		{"a line of the strip before is another line", true, ofStrips(true, func(p *gpu.Pipeline, c *gpu.RowCopy) { lined(p, &c.Element, 1) })},
		{"a line of the strip before is a row late", true, ofStrips(true, func(p *gpu.Pipeline, c *gpu.RowCopy) { moved(p, &c.Element, -1) })},
		{"a line of the strip before is of another step", true, ofStrips(true, func(p *gpu.Pipeline, c *gpu.RowCopy) { c.Number = 1 - c.Number })},
		{"a line that goes on is a line off", true, ofStrips(false, func(p *gpu.Pipeline, c *gpu.RowCopy) { lined(p, &c.Element, -1) })},
		{"a line that goes on is a row off", true, ofStrips(false, func(p *gpu.Pipeline, c *gpu.RowCopy) { moved(p, &c.Element, 1) })},
		{"a line that goes on is not stored", true, ofLine(func(p *gpu.Pipeline) bool {
			at := slices.IndexFunc(p.Copies, func(c gpu.RowCopy) bool { return !c.In && c.Ring.Next == 0 })
			if at < 0 {
				return false
			}
			p.Copies = slices.Delete(slices.Clone(p.Copies), at, at+1)
			return true
		})},
		{"a line that goes on is too narrow", true, ofStrips(false, func(_ *gpu.Pipeline, c *gpu.RowCopy) { c.Count-- })},
	}
}

// ofStrips spoils the copies of lines that strips get, or pass on.
func ofStrips(in bool, f func(p *gpu.Pipeline, c *gpu.RowCopy)) func(*gpu.Program) bool {
	return ofCopies(in, func(p *gpu.Pipeline, c *gpu.RowCopy) {
		if c.Ring.Next == 0 {
			f(p, c)
		}
	})
}

// lined moves an element by lines.
func lined(p *gpu.Pipeline, e *gpu.Element, by int64) {
	e.Index = slices.Clone(e.Index)
	for k, x := range e.Index {
		if s, ok := x.(affine.Sum); ok && s.Coef(p.Vars.Line) != 0 {
			e.Index[k] = s.Add(by * s.Coef(p.Vars.Line))
		}
	}
}

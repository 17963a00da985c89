package frontend

import "slices"

// This file finds regions that are programs, but that only the host can run in part.

// accumulating returns those of the regions, by number, that are programs as they are, but for nests that gather in elements: these carry dependences along too many loops for any schedule.
func (t *text) accumulating(regions []region, o Options) map[int]bool {
	found := map[int]bool{}
	if o.Ranks || o.Parts {
		return found
	}
	for i, r := range regions {
		h := &hostLoops{origin: t.origin, source: &source{t.f, t.u, r, o}, patchwork: &patchwork{user: t.f, region: true}}
		if t.made[i].p != nil && slices.ContainsFunc(r.stmts, h.accumulates) {
			found[r.Index] = true
		}
	}
	return found
}

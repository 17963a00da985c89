package frontend

import "github.com/hexcc/hexcc/diag"

// This file writes bodies of functions where regions call them, round by round, for several ranks (hostloop_inline.go).

// mostRounds bounds how deep calls are in each other.
const mostRounds = 12

// inlined returns t with bodies in place of calls of functions with nests in the regions for which write holds, and the regions that are to be read; t itself where there are none. Of regions
// with calls of which that could not be done, by number, refused says why where that is known, in places of the user's file.
func (t *text) inlined(regions []region, o Options) (_ *text, _ []region, refused map[int]diag.List) {
	refused = map[int]diag.List{}
	for round := 1; round <= mostRounds; round++ {
		write := t.wrong(regions)
		var parts []hostPart
		var inner []innerRegion
		found := false
		for i, r := range t.regions {
			inner = append(inner, innerRegion{of: i})
			if !write[i] || len(r.stmts) == 0 {
				continue
			}
			h := &hostLoops{origin: t.origin, source: &source{t.f, t.u, r, o}, patchwork: &patchwork{user: t.f, cursor: r.Start, region: true}, functions: &hostFunctions{}}
			in := &inliner{hostLoops: h, round: round}
			h.skipTo(t.f.lines[r.StartLine])
			start := h.cursor
			in.list(r.stmts)
			end := t.f.lines[r.EndLine-1]
			h.upTo(end)
			if in.found && !h.failed {
				found = true
				parts = append(parts, hostPart{at: start, to: end, text: h.patchwork})
			} else if len(h.refused) > 0 {
				refused[i] = t.origin.Moved(h.refused)
			}
		}
		if !found {
			return t, regions, refused
		}
		origin, _, _ := assembled(t.f, parts)
		if again, err := newText(origin.text, o); err != nil || len(again.regions) != len(inner) || again.errs.HasErrors() {
			return t, regions, refused // a name of the function means another thing where it is called
		}
		again, chosen := readAnew(origin, inner, nil, regions, o)
		if t.origin != nil {
			again = again.behind(t)
		}
		t, regions = again, chosen
	}
	return t, regions, refused
}

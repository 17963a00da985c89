package frontend

import (
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file writes bodies of functions where regions call them, round by round: for several ranks (hostloop_inline.go), and where these set scalars (hostloop_setters.go).

// mostRounds bounds how deep calls are in each other.
const mostRounds = 12

// withSetters returns what is read in place of t where functions that set scalars stand where regions call them; nil if that does not help.
func (t *text) withSetters(regions []region, o Options) *text {
	calls, chosen, _ := t.inlined(regions, o, (*inliner).setters)
	good := func(t *text) bool { return !t.hasErrors() && !t.errs.HasErrors() && !t.remarks.HasErrors() }
	switch {
	case calls == t:
		return nil
	case good(calls):
		return calls
	case o.Ranks || o.Parts:
		return nil
	}
	again := calls.tabulate(chosen, o)
	if again == nil {
		again = calls.rewrite(chosen, o)
	}
	if again == nil || !good(again) {
		return nil
	}
	return again.behind(calls)
}

// gathersInElements reports whether a nest of a loop that the host runs sets one element in all of its iterations, such as *sum of a function that is passed the address of a
// sum: where that is called, it is a scalar.
func (t *text) gathersInElements() bool {
	return t.origin != nil && slices.ContainsFunc(t.made, func(m made) bool {
		return m.p != nil && slices.ContainsFunc(m.p.Stmts, func(s *scop.Stmt) bool {
			return len(s.Iters) > 1 && slices.ContainsFunc(s.Accesses, func(x *scop.Access) bool {
				return x.Write && !slices.ContainsFunc(x.Index, func(i scop.Index) bool {
					return slices.ContainsFunc(slices.Concat(i.Iters, i.Params), func(c int64) bool { return c != 0 })
				})
			})
		})
	})
}

// inlined returns t with bodies in place of the calls that look finds in regions that cannot be read, and the regions that are to be read; t itself where there are none. Of regions
// with calls of which that could not be done, by number, refused says why where that is known, in places of the user's file.
func (t *text) inlined(regions []region, o Options, look func(*inliner, []stmt)) (_ *text, _ []region, refused map[int]diag.List) {
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
			look(in, r.stmts)
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

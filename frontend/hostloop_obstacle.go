package frontend

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/diag"
)

// This file says why a loop that ends by a value is not run by the host, where nothing else says what is wrong with it.

// obstructed returns that of a region whose only loop is none that counts, as while (err > tol); none if it is not known.
func (h *hostLoops) obstructed() diag.List {
	loops := slices.DeleteFunc(flatten(h.r.stmts), func(s stmt) bool { return !isLoop(s) })
	if len(loops) != 1 {
		return nil
	}
	loop, ok := loops[0].(otherStmt)
	if !ok {
		return nil
	}
	for _, e := range loop.exprs {
		if fs := h.callsOfNests(exprStmt{e.at(), e}); len(fs) > 0 {
			return diag.List{{Code: "HX102", At: h.f.span(e.at()), Msg: fmt.Sprintf("'%s' is called where this loop ends, and has loops of its own", fs[0].name),
				Notes: []diag.Note{{Msg: "the host evaluates that between steps, and no tiles run in it"}},
				Help:  "call it in the body, and end the loop by a variable that gets its value"}}
		}
	}
	if h.obstacle == nil || h.obstacle.at() == loop.where {
		return nil
	}
	at := firstPart(h.obstacle)
	return diag.List{{Code: "HX102", At: h.f.span(at), Msg: fmt.Sprintf("'%s' keeps the host from running the loop in line %d, step by step", shortened(oneLine(h.f.slice(at))), h.userLine(loop)),
		Notes: []diag.Note{{Msg: "allowed in a loop that ends by a value: nests that a region may hold, scalars, and calls, of functions with nests too, between them"}},
		Help:  "write it so, or keep it out of the loop"}}
}

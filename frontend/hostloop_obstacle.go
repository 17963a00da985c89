package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
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
	notes := []diag.Note{{Msg: "allowed in a loop that ends by a value: nests that a region may hold, scalars, and calls, of functions with nests too, between them"}}
	if name := h.unknownIn(h.obstacle, map[*cc.FunctionDefinition]bool{}); name != "" {
		notes = append([]diag.Note{{Msg: fmt.Sprintf("'%s' is called there, and what it does is not known", name)}}, notes...)
	}
	return diag.List{{Code: "HX102", At: h.f.span(at), Msg: fmt.Sprintf("'%s' keeps the host from running the loop in line %d, step by step", shortened(oneLine(h.f.slice(at))), h.userLine(loop)),
		Notes: notes,
		Help:  "write it so, or keep it out of the loop"}}
}

// unknownIn returns the name of a function that a nest of s calls, in functions of the file, too, and that is neither of the file nor one that only computes a value; "" if there is none. Those of seen were searched before.
func (h *hostLoops) unknownIn(s stmt, seen map[*cc.FunctionDefinition]bool) (name string) {
	search := func(in stmt, nest bool) {
		eachExprIn(in, func(e expr) {
			c, is := e.(call)
			f, named := c.fun.(ident)
			if !is || name != "" || !named {
				return
			}
			if fd := h.definition(f); fd != nil && !seen[fd] {
				seen[fd] = true
				name = h.inside(fd).unknownIn(h.bodyOf(fd), seen)
			} else if _, computed := scop.Computable(f.name); fd == nil && !computed && nest {
				name = f.name
			}
		})
	}
	eachStmt(s, func(in stmt) {
		if f, nest := in.(forStmt); nest && setsElements(f) && name == "" {
			search(f.body, true)
		}
	})
	search(s, false)
	return name
}

// onlyGathers says that nothing of the region is left to be tiled when the host has gathered.
func (h *hostLoops) onlyGathers() diag.List {
	for _, s := range h.r.stmts {
		if f, ok := s.(forStmt); ok {
			if ds := h.gatheredByNest(f); len(ds) > 0 {
				return diag.List{{Code: "HX107", At: h.f.span(firstPart(s)), Msg: fmt.Sprintf("this nest gathers '%s', and the region holds no nest that sets elements", ds[0].Name()),
					Notes: []diag.Note{{Msg: "what is gathered the host gathers, of what nests have set: alone it is a loop with '#pragma omp parallel for reduction'"}},
					Help:  "let the region hold the nests that set what is gathered, too"}}
			}
		}
	}
	return nil
}

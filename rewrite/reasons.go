package rewrite

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file says why a temporary cannot be computed where it is read, and what helps.

const code diag.Code = "HX219"

// refusal says why a, at an access, cannot be computed where it is read.
func refusal(at diag.Span, a *scop.Array, why, help string, notes ...diag.Note) *diag.Diagnostic {
	return &diag.Diagnostic{Code: code, At: at, Msg: fmt.Sprintf("%s cannot be computed where it is read: %s", a.Name, why), Help: help, Notes: notes}
}

// final is a refusal where nothing about a can be mended.
func final(at diag.Span, a *scop.Array, why string, notes ...diag.Note) *diag.Diagnostic {
	return refusal(at, a, why, fmt.Sprintf("leave the brackets around what writes and reads %s out: then tiles keep it in memory", a.Name), notes...)
}

// apart says that none of some statements reads what another one writes.
func apart(p *scop.Program, orders []int) *diag.Diagnostic {
	var names []string
	for _, i := range orders {
		names = append(names, p.Stmts[i].Name)
	}
	first := p.Stmts[orders[0]]
	return &diag.Diagnostic{Code: code, At: first.Pos,
		Msg:  fmt.Sprintf("of %s none reads what another one writes in the same iteration: nothing of it stays in registers", strings.Join(names, ", ")),
		Help: "put into inner brackets what writes a temporary and what reads it"}
}

// written shows where w stores to a.
func written(w *scop.Stmt, a *scop.Array) diag.Note {
	return diag.Note{At: accessOf(w, a, true).Pos, Msg: "written here"}
}

// accessOf returns the first access of s to a that writes or reads it.
func accessOf(s *scop.Stmt, a *scop.Array, write bool) *scop.Access {
	for _, x := range s.Accesses {
		if x.Array == a && x.Write == write {
			return x
		}
	}
	panic(fmt.Sprintf("rewrite: %s has no such access to %s", s.Name, a.Name))
}

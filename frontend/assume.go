package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
)

// This file reads the facts that the user states about parameters: --assume='n>=1024'.

// given notes the facts of the options. A fact about variables that are no
// parameters of this region does not concern it.
func (fs *facts) given() {
	fr := fs.frame()
	for _, text := range fs.o.Assume {
		set, err := poly.ParseSet(fr.set("", text))
		if err != nil {
			continue // checkFacts reports it if no region knows its names
		}
		rows, ok := fr.rowsOf(set)
		if !ok {
			fs.errs = append(fs.errs, factError(text, "is not a conjunction of affine comparisons"))
		}
		for _, row := range rows {
			fs.rely(fact{row: row})
		}
	}
}

// rowsOf returns the constraints of s, which has no dimensions, if s is one conjunction.
func (fr frame) rowsOf(s poly.Set) (rows []linear, ok bool) {
	basics := s.Basics()
	if len(basics) != 1 || len(basics[0].Divs()) > 0 {
		return nil, false
	}
	for _, c := range basics[0].Constraints() {
		row := fr.row(basics[0], c)
		rows = append(rows, row)
		if c.Eq {
			rows = append(rows, row.scale(-1))
		}
	}
	return rows, true
}

// row returns constraint c of b, which is over parameters only.
func (fr frame) row(b poly.Basic, c poly.Constraint) linear {
	row := linear{c: c.Const, v: map[*cc.Declarator]int64{}}
	for i, k := range c.Params {
		at := slices.Index(fr.paramNames, b.Space().Params[i])
		row = row.plus(k, variable(fr.params[at]))
	}
	return row
}

func factError(fact, what string) *diag.Diagnostic {
	return &diag.Diagnostic{Code: "HX114", Msg: fmt.Sprintf("fact '%s' %s", fact, what),
		Notes: []diag.Note{{Msg: "allowed: comparisons of sums of parameters by < <= > >= =, joined by and"}},
		Help:  "write a condition on integer parameters of the region, such as --assume='n >= 1024'"}
}

// checkFacts reports the facts that no region understands.
func checkFacts(o Options, frames []frame) (errs diag.List) {
	for _, fact := range o.Assume {
		understood := func(fr frame) bool { _, err := poly.ParseSet(fr.set("", fact)); return err == nil }
		if !slices.ContainsFunc(frames, understood) {
			errs = append(errs, factError(fact, "is not about the parameters of a region"))
		}
	}
	return errs
}

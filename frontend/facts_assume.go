package frontend

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/diag"
)

// This file reads the facts that the user states about parameters: --assume='n>=1024'.

// given notes the facts of the options. A fact about variables that are no
// parameters of this region does not concern it.
func (fs *facts) given() {
	fr := fs.frame()
	for _, text := range fs.o.Assume {
		set, err := fr.parse(text)
		if err != nil {
			continue // checkFacts reports it if no region knows its names
		}
		constraints, ok := fr.rowsOf(set)
		if !ok {
			fs.note(factError(text, "is not a conjunction of affine comparisons"))
		}
		for _, constraint := range constraints {
			fs.rely(fact{constraint: constraint})
		}
	}
}

func factError(fact, what string) *diag.Diagnostic {
	return &diag.Diagnostic{Code: "HX114", Msg: fmt.Sprintf("fact '%s' %s", fact, what),
		Notes: []diag.Note{{Msg: "allowed: comparisons of sums of parameters by < <= > >= =, joined by and"}},
		Help:  "write a condition on integer parameters of the region, such as --assume='n >= 1024'"}
}

// checkFacts reports the facts that no region understands.
func checkFacts(o Options, frames []frame) (errs diag.List) {
	for _, fact := range o.Assume {
		understood := func(fr frame) bool { _, err := fr.parse(fact); return err == nil }
		if !slices.ContainsFunc(frames, understood) {
			errs = append(errs, factError(fact, "is not about the parameters of a region"))
		}
	}
	return errs
}

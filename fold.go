package hexcc

import (
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/rewrite"
	"github.com/hexcc/hexcc/scop"
)

// This file folds arrays into the combinations in which their elements are used, where Options.Fold asks for it.

// AnyArrays asks for all arrays folded whose elements are used in one combination alone.
const AnyArrays = "auto"

// fold returns p with arrays folded, and a remark where that changes nothing. Arrays that are named and cannot be folded are an error.
func (u *unit) fold(p *scop.Program) (*scop.Program, *diag.Diagnostic, error) {
	names := u.opts.Fold
	if slices.Equal(names, []string{AnyArrays}) {
		names = nil
	}
	r, err := rewrite.Fold(p, names)
	switch {
	case err != nil:
		return p, nil, err
	case r == nil:
		return p, &diag.Diagnostic{Severity: diag.Remark, Code: "HX224", At: p.Start(),
			Msg: "no arrays are folded: none are used at several places and in one combination alone"}, nil
	}
	u.Folded = r
	return r.Program, nil, nil
}

// proveFolding proves that statements compute what they did before arrays were folded.
func (u *unit) proveFolding() error {
	if u.Folded == nil {
		return nil
	}
	_, err := u.proved(u.Folded.Prove(), u.Folded)
	return err
}

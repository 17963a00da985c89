package hexcc

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/rewrite"
	"github.com/hexcc/hexcc/scop"
)

// This file makes several nests of one, for the arrays that it writes, where Options.Fission asks for it.

// allNests asks for all nests that can be several.
const allNests = "all"

// fission returns p with the nests distributed that are asked for. Arrays and statements of another region, or of no region, are an error.
func (u *unit) fission(p *scop.Program) (*scop.Program, error) {
	var orders []int
	if slices.Contains(u.opts.Fission, allNests) {
		for i := range p.Stmts {
			if _, err := rewrite.Fission(p, []int{i}); err == nil {
				orders = append(orders, i)
			} else if errors.As(err, new(diag.List)) {
				continue
			} else {
				return p, err
			}
		}
		if orders == nil {
			return p, nil
		}
	} else {
		var err error
		if orders, err = named(u.opts.Fission, p); err != nil {
			return p, diag.List{{Code: "HX221", At: p.Start(), Msg: fmt.Sprintf("fission(%s): %v", strings.Join(u.opts.Fission, ","), err),
				Help: "name statements, or what they write, or all"}}
		}
	}
	r, err := rewrite.Fission(p, orders)
	if err != nil {
		return p, err
	}
	u.Fission = r
	return r.Program, nil
}

// inRegion returns those of names that the flag of a command line has for a region of a file of several, i of programs: those that the region has, as has reports, and, in the first one, those that
// none has, which is an error there. So a name of one region alone says which region is meant. nil: none is.
func inRegion(names []string, i int, programs []*scop.Program, has func(p *scop.Program, name string) bool) (own []string) {
	first := slices.IndexFunc(programs, func(p *scop.Program) bool { return p != nil })
	for _, name := range names {
		some := slices.ContainsFunc(programs, func(p *scop.Program) bool { return p != nil && has(p, name) })
		if has(programs[i], name) || !some && i == first {
			own = append(own, name)
		}
	}
	return own
}

// parts reports whether nests of p are meant by a name of Options.Fission.
func parts(p *scop.Program, name string) bool {
	_, err := named([]string{name}, p)
	return name == allNests || err == nil
}

// folds reports whether arrays of p are meant by a name of Options.Fold.
func folds(p *scop.Program, name string) bool {
	return name == AnyArrays || slices.ContainsFunc(p.Arrays, func(a *scop.Array) bool { return a.Name == name })
}

// named returns the statements that names stand for, by Order.
func named(names []string, p *scop.Program) (orders []int, err error) {
	for _, name := range names {
		r := fusionReader{text: name, rest: name, program: p}
		all, err := r.name()
		if err != nil {
			return nil, err
		}
		orders = append(orders, without(all, [][]int{orders})...)
	}
	return orders, nil
}

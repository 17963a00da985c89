package crun

import (
	"errors"
	"slices"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/scop"
)

// This file finds inputs for which what translated programs test before the kernels run does not hold, though
// the original program may run.

// A Failing is an input on which something that is tested does not hold.
type Failing struct {
	What  string // is tested, as ctext.Conditions says it
	Input Input
	Err   error // there is no such input: why
}

// FailingInputs returns one for each condition that p is entered by, in the order of ctext.Conditions. near are values of the
// parameters for which all hold, small ones first; seed is that of the arrays.
func FailingInputs(p *scop.Program, near [][]int64, seed uint64) (all []Failing) {
	texts := ctext.Conditions(p)
	for i, f := range p.Facts {
		x := Failing{What: texts[i]}
		x.Input.Memory, x.Err = outside(p, f, near, seed)
		all = append(all, x)
	}
	for i, pair := range p.Apart {
		x := Failing{What: texts[len(p.Facts)+i], Err: errors.New("no arrays are large enough to overlap")}
		if !slices.Contains(p.Arrays, pair[0].Array) || !slices.Contains(p.Arrays, pair[1].Array) {
			x.Err = errors.New("of one of them only some elements are used, which are no part of such an input")
			all = append(all, x)
			continue
		}
		for _, params := range near {
			mem, err := scop.NewMemory(p, params, seed)
			if err != nil {
				continue
			}
			in := Input{mem, &pair}
			least := uint64(2 * max(pair[0].Array.Elem.Size(), pair[1].Array.Elem.Size()))
			if in.bytes(pair[0]) >= least && in.bytes(pair[1]) >= least {
				x.Input, x.Err = in, nil // the last is the largest
			}
		}
		all = append(all, x)
	}
	return all
}

// outside returns a memory of a size for which f does not hold and that p runs with: one for which
// the other facts hold, if there is one.
func outside(p *scop.Program, f scop.Fact, near [][]int64, seed uint64) (*scop.Memory, error) {
	err := errors.New("no size was found for which it does not hold")
	if len(f.Factors) > 0 {
		return nil, errors.New("it does not hold for very large arrays only")
	}
	var some *scop.Memory
	for _, params := range candidates(f, near) {
		p.Settle(params)
		if f.Holds(params) {
			continue
		}
		mem, e := scop.NewMemory(p, params, seed)
		if e == nil {
			e = scop.Run(p, mem.Clone())
		}
		if e != nil {
			err = e
			continue
		}
		others := slices.DeleteFunc(slices.Clone(p.Facts), func(g scop.Fact) bool { return g.Holds(params) })
		if len(others) == 1 {
			return mem, nil
		}
		if some == nil {
			some = mem
		}
	}
	if some != nil {
		return some, nil
	}
	return nil, err
}

// candidates returns values that differ from those near in one parameter such that f just does not hold;
// and the same where another parameter is 0 or 1, so that fewer iterations or none are run.
func candidates(f scop.Fact, near [][]int64) (all [][]int64) {
	for _, base := range near {
		for i, c := range f.Row.Params {
			if c == 0 {
				continue
			}
			at := slices.Clone(base)
			for row := f.Row.At(nil, at); row >= 0; row = f.Row.At(nil, at) { // each step makes it less
				step := row/max(c, -c) + 1
				if c > 0 {
					step = -step
				}
				at[i] += step
			}
			all = append(all, at)
		}
	}
	for _, params := range slices.Clone(all) {
		for i := range params {
			for v := range int64(2) {
				few := slices.Clone(params)
				few[i] = v
				all = append(all, few)
			}
		}
	}
	return all
}

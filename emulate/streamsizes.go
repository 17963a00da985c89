package emulate

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
)

// This file finds small values of parameters for which a pipeline of warps has full turns: tiles are wide, and a turn is full far from all borders only.

// fullTurn returns values for which the pipeline of the program has a full turn, and a turn more: they are as small as they become one after the other, and those that s gives stay.
// nil: the program has no pipeline, or no full turn for any of the values that are tried.
func (r *Request) fullTurn(base []int64, roles []role, s Size) []int64 {
	if r.Program == nil || r.Program.Pipeline() == nil {
		return nil
	}
	p, pipe := r.scop(), r.Program.Pipeline()
	rows := int64(4 * (pipe.Turn + pipe.Period*(pipe.Warps+2) + pipe.Steps*pipe.Warps))
	params := make([]int64, len(p.Params))
	for i, v := range p.Params {
		switch params[i] = base[i] - 1 + max(3*roles[i].unit, rows); {
		case roles[i].start:
			params[i] = base[i]
		case roles[i].time:
			params[i] = base[i] - 1 + 3*roles[i].height
		}
		if given, ok := s[v.Name]; ok {
			params[i] = given
		}
	}
	p.Settle(params)
	if !admissible(p, params) || !r.hasFullTurn(params) {
		return nil
	}
	for i, v := range p.Params {
		if _, given := s[v.Name]; given || roles[i].start || v.Of != nil {
			continue
		}
		for step := params[i] / 2; step > 0; step /= 2 {
			for params[i]-step >= base[i] {
				less := slices.Clone(params)
				less[i] -= step
				p.Settle(less)
				if !admissible(p, less) || !r.hasFullTurn(less) {
					break
				}
				params = less
			}
		}
	}
	for i, v := range p.Params { // and some more, so that there are several
		if _, given := s[v.Name]; !given && !roles[i].start && v.Of == nil {
			params[i] += 9
		}
	}
	p.Settle(params)
	return params
}

// hasFullTurn reports whether a chain of the first time tiles has a full turn.
func (r *Request) hasFullTurn(params []int64) bool {
	g := r.Program
	env := map[string]int64{}
	for i, v := range g.Scop.Params {
		env[v.Name] = params[i]
	}
	if !g.Busy.Holds(env) {
		return false
	}
	lo, hi := affine.Eval(g.TLo, env), affine.Eval(g.THi, env)
	for t := lo; t <= min(hi, lo+2); t++ {
		env[g.T] = t
		for _, k := range g.Kernels {
			s, _ := k.Stream()
			if anyBlock(k.Grid, env, func() bool { return fullTurnIn(s, env) }) {
				return true
			}
		}
	}
	return false
}

// anyBlock reports whether f holds for one of the blocks of a grid, of which env has the place then.
func anyBlock(grid []gpu.Axis, env map[string]int64, f func() bool) bool {
	if len(grid) == 0 {
		return f()
	}
	x := grid[0]
	for at := affine.Eval(x.Lo, env); at <= affine.Eval(x.Hi, env); at++ {
		env[x.Var] = at
		if anyBlock(grid[1:], env, f) {
			return true
		}
	}
	return false
}

// fullTurnIn reports whether the chain of s that env names has a full turn.
func fullTurnIn(s gpu.Stream, env map[string]int64) bool {
	p := s.Pipeline
	env[p.Vars.Time], env[p.Vars.Column] = affine.Eval(s.Time, env), affine.Eval(s.Column, env)
	if s.Line != nil {
		env[p.Vars.Line] = affine.Eval(s.Line, env)
	}
	last := affine.Eval(s.Hi, env)
	for b := affine.Eval(s.Lo, env); b <= last; b += int64(p.Turn) {
		env[p.Vars.Beat], env[p.Vars.Last] = b, b+int64(p.Turn)-1
		if p.Full.Holds(env) {
			return true
		}
	}
	return false
}

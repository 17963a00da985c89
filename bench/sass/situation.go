package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
)

// This file says what holds in a turn that is not full, from the conditions of the pipeline.

// A situation says what holds in a turn that is not full: of which operations, by warp, which guards hold in which beats of the turn, as bits.
type situation struct {
	holds map[situationKey]uint64
	idle  map[int]bool // warps that run no step
	rows  bool         // all rows are inside of the domain, so that turns without a patch are steady
}

type situationKey struct {
	warp int
	op   int
	kind guardKind
}

// situationOf finds what holds in the turn that begins with a beat, from the values of the variables of a chain.
func situationOf(p *gpu.Pipeline, env map[string]int64, beat int64) (s situation) {
	s.holds, s.idle = map[situationKey]uint64{}, map[int]bool{}
	v := p.Vars
	for i := range p.Stages {
		st := &p.Stages[i]
		for q := st.First; q < st.First+st.Count; q++ {
			env[v.Warp] = int64(q)
			s.idle[q] = st.Inactive != nil && st.Inactive.Holds(env)
			origin := affine.Eval(st.Origin, env) + env[v.Column]
			note := func(op int, kind guardKind, r int) { s.holds[situationKey{q, op, kind}] |= 1 << r }
			for n, op := range st.Beats[0] {
				for r := range p.Turn {
					env[v.Beat] = beat + int64(r)
					switch op := op.(type) {
					case gpu.Patch:
						patchSituation(p, op, env, origin, func(kind guardKind) { note(n, kind, r) })
					case gpu.FetchLine:
						if slices.ContainsFunc(op.Lines, func(x gpu.FarLine) bool { return x.Where.Holds(env) }) {
							note(n, farGuard, r)
							note(firstFar(st.Beats[0]), farsGuard, r)
						}
					case gpu.Evaluate:
						if op.Border && someColumn(p, op.Domain, env, origin) {
							note(n, borderGuard, r)
						}
					}
				}
			}
		}
	}
	return s
}

// firstFar returns the number of the first FetchLine, which stands for all of them where they are tested together.
func firstFar(ops []gpu.WarpOp) int {
	return slices.IndexFunc(ops, func(op gpu.WarpOp) bool { _, ok := op.(gpu.FetchLine); return ok })
}

// patchSituation notes which guards of a patch hold.
func patchSituation(p *gpu.Pipeline, op gpu.Patch, env map[string]int64, origin int64, note func(guardKind)) {
	idle, width := op.Inside, int64(gpu.WarpLanes*p.Columns)
	fetched := false
	if b := op.Beside; b != nil {
		idle, fetched = b.Alone, b.Where.Holds(env)
		for _, m := range b.Margins {
			at := affine.Eval(m.At, env) - origin
			if at+int64(m.Count) > 0 && at < width {
				note(besideGuard)
			}
		}
	}
	if b := op.Beside; b != nil && b.Lines != nil && b.Outside.Holds(env) {
		note(lineGuard)
	}
	if idle != nil && idle.Holds(env) {
		return
	}
	note(patchGuard)
	column := env[p.Vars.Column]
	range_ := func(x [2]affine.Sum) (lo, hi int64) {
		return column + affine.Eval(x[0], env), column + affine.Eval(x[1], env)
	}
	lo, hi := range_(op.Need)
	ownLo, ownHi := range_(op.Own)
	load, store := false, false
	for at := min(lo, ownLo); at <= max(hi, ownHi); at++ {
		env[p.Vars.At] = at
		domain := op.Domain.Holds(env)
		load = load || !fetched && !domain && lo <= at && at <= hi && op.Element.Exists.Holds(env)
		store = store || domain && ownLo <= at && at <= ownHi && op.Final.Holds(env)
	}
	if load {
		note(loadGuard)
	}
	if store {
		note(storeGuard)
	}
}

// someColumn reports whether c holds in some column of a warp.
func someColumn(p *gpu.Pipeline, c astgen.Cond, env map[string]int64, origin int64) bool {
	for x := range int64(gpu.WarpLanes * p.Columns) {
		if env[p.Vars.At] = origin + x; c.Holds(env) {
			return true
		}
	}
	return false
}

// steady reports whether a warp has nothing to load or to store, and tests the same in all beats.
func (s situation) steady(warp int) bool {
	if !s.rows {
		return false
	}
	for k, bits := range s.holds {
		if k.warp == warp && k.kind == patchGuard && bits != 0 {
			return false
		}
	}
	return true
}

// key names what s holds.
func (s situation) key() string {
	var all []string
	for k, bits := range s.holds {
		all = append(all, fmt.Sprint(k, bits))
	}
	for q, idle := range s.idle {
		if idle {
			all = append(all, fmt.Sprint("idle ", q))
		}
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// String says how many warps have columns beside a domain, load rows and store final ones, as far as there are any.
func (s situation) String() string {
	var all []string
	for _, x := range []struct {
		kind guardKind
		what string
	}{{besideGuard, "with columns at a side"}, {loadGuard, "that load rows"}, {storeGuard, "that store results"}} {
		warps := map[int]bool{}
		for k := range s.holds {
			if k.kind == x.kind {
				warps[k.warp] = true
			}
		}
		if len(warps) > 0 {
			all = append(all, fmt.Sprint(x.what, " ", len(warps)))
		}
	}
	if all == nil {
		return "no warp at a side, or that loads rows or stores results"
	}
	return "warps " + strings.Join(all, ", ")
}

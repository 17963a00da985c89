package lower

import (
	"maps"
	"math"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
)

// This file says for which parameters indices of 32 bits suffice. A host and its
// kernels add, and multiply by numbers, parameters and tile indices, in the order in
// which a sum is printed. Each partial sum lies between bounds over the parameters,
// found by eliminating the tile indices from what their loops say of them. What comes of it is rough
// in places, but on the safe side: package proof shows of each kernel that no value passes 32 bits.

// narrow sets p.Narrow, p.Told and p.Most. inner are variables of loops inside of tiles, over numbers: positions of tiles that stream, and places along columns.
func narrow(p *gpu.Program, inner ...string) {
	n := narrowing{inner: inner, worst: map[string]reached{}, local: map[string]int64{}, known: true, least: math.MaxInt64}
	for _, q := range p.Scop.Params {
		if gpu.IsWide(q) { // it is passed as an int
			v := affine.Var(q.Name)
			n.rows = append(n.rows, affine.Num(mostIndex).Minus(v), v.Add(mostIndex))
		}
	}
	n.conds(p.Busy)
	ok := n.close(nil, nil)
	host := astgen.For{Var: p.T, Lo: p.TLo, Hi: p.THi}
	n.see(p.TLo, p.THi)
	ok = n.close(nil, p.Busy) && ok
	for _, k := range p.Kernels {
		n.along = k.Threads
		loops := []astgen.For{host}
		for _, x := range k.Grid {
			n.see(x.Lo, x.Hi)
			loops = append(loops, astgen.For{Var: x.Var, Lo: x.Lo, Hi: x.Hi})
		}
		n.see(k.Work.Exprs()...)
		for axis, lane := range k.ThreadVars {
			n.local[lane] = int64(k.Threads[axis])
		}
		loops = append(loops, n.nodes(k.Body)...)
		ok = n.close(loops, p.Busy) && ok
	}
	p.Narrow, p.Told = n.rows, ok
	p.Most = max(1, min(n.least, mostParameter>>30)) << 30 // sums grow as parameters do, 2^30 times: then they have 61 bits
}

// mostParameter is more than an array can have elements where addresses have 47 bits.
const mostParameter = 1 << 47

// A reached is a sum of parameters and tile indices, and by how much at most it is
// moved from there by numbers and by variables of threads.
type reached struct {
	sum affine.Sum
	by  int64
}

// A narrowing collects sums, and then what they ask of parameters.
type narrowing struct {
	worst map[string]reached // by sum
	local map[string]int64   // variables of threads, and positions: their greatest magnitude
	inner []string           // variables of loops inside of a tile, of which a point has one value
	rows  []affine.Sum
	least int64 // a magnitude that all parameters may have, whatever the row
	known bool
	along [3]int // threads of a block
}

// mostIndex is the greatest index of 32 bits.
const mostIndex = math.MaxInt32

// nodes collects what ns compute, and returns the loops over tiles in them.
func (n *narrowing) nodes(ns []gpu.Node) (loops []astgen.For) {
	for _, x := range ns {
		switch x := x.(type) {
		case gpu.For:
			n.see(x.Lo, x.Hi)
			if lo, hi, ok := numbers(x.Lo, x.Hi); ok && slices.Contains(n.inner, x.Var) {
				n.local[x.Var] = max(n.local[x.Var], abs(lo)+1, abs(hi)+1)
				loops = append(loops, n.nodes(x.Body)...)
				continue
			}
			loops = append(append(loops, astgen.For{Var: x.Var, Lo: x.Lo, Hi: x.Hi}), n.nodes(x.Body)...)
		case gpu.Test:
			n.conds(x.Cond)
		case gpu.If:
			n.conds(x.Cond)
			for _, c := range x.Bases {
				n.see(c.Index...)
			}
			loops = append(append(loops, n.nodes(x.Then)...), n.nodes(x.Else)...)
		case gpu.Threads:
			n.threads(x)
		}
	}
	return loops
}

func (n *narrowing) threads(x gpu.Threads) {
	for _, l := range x.Loops {
		n.see(l.Lo, l.Hi)
		lo, hi, ok := numbers(l.Lo, l.Hi)
		if x, isSum := l.Lo.(affine.Sum); isSum && affine.Same(l.Lo, l.Hi) && len(x.Terms) == 1 && slices.Contains(n.inner, x.Terms[0].Var) && n.local[x.Terms[0].Var] > 0 {
			lo, ok = affine.Plus(affine.Times(abs(x.Terms[0].Coef), n.local[x.Terms[0].Var]), abs(x.Const)), true
		}
		n.known = n.known && ok
		n.local[l.Var] = max(abs(lo), abs(hi)) + gpu.ThreadsAlong(n.along, l.Axis) // the last addition is one too many
	}
	n.conds(x.Guard)
	for _, op := range x.Body {
		gpu.EachRef(op, func(r gpu.Ref) {
			if r.Base == nil {
				n.see(r.Index...)
			}
		})
		if c, ok := op.(gpu.Compute); ok {
			n.see(c.Iters...)
		}
	}
}

// numbers returns the best numbers between which the bounds of a loop lie.
func numbers(lower, upper affine.Expr) (lo, hi int64, ok bool) {
	lo, ok = number(lower, func(a, b int64) bool { return a > b })
	hi, ok2 := number(upper, func(a, b int64) bool { return a < b })
	return lo, hi, ok && ok2
}

// number returns the best of the numbers that are e or, as one of several arguments, bound it.
func number(e affine.Expr, better func(a, b int64) bool) (best int64, ok bool) {
	args := []affine.Expr{e}
	switch e := e.(type) {
	case affine.Min:
		args = e.Args
	case affine.Max:
		args = e.Args
	}
	for _, a := range args {
		if s, isSum := a.(affine.Sum); isSum && s.IsNum() && (!ok || better(s.Const, best)) {
			best, ok = s.Const, true
		}
	}
	return best, ok
}

func (n *narrowing) conds(c astgen.Cond) {
	for _, rows := range c {
		for _, r := range rows {
			if s, ok := r.(affine.Sum); ok { // n - 2*i - 3 >= 0 is printed as 2*i <= n - 3
				n.sum(side(s, 1))
				n.sum(side(s, -1).Add(-s.Const))
			} else {
				n.see(r)
			}
		}
	}
}

// side returns the terms of s with that sign, times it.
func side(s affine.Sum, sign int64) (out affine.Sum) {
	for _, t := range s.Terms {
		if t.Coef*sign > 0 {
			out.Terms = append(out.Terms, affine.Term{Coef: t.Coef * sign, Var: t.Var})
		}
	}
	return out
}

func (n *narrowing) see(es ...affine.Expr) {
	for _, e := range es {
		switch e := e.(type) {
		case affine.Sum:
			n.sum(e)
		case affine.FloorDiv:
			n.see(e.X)
		case affine.Mod:
			n.see(e.X)
		case affine.Min:
			n.see(e.Args...)
		case affine.Max:
			n.see(e.Args...)
		}
	}
}

// sum notes the partial sums of s: first what is added, then what is subtracted, the number last.
func (n *narrowing) sum(s affine.Sum) {
	var so affine.Sum
	by := int64(0)
	for _, sign := range []int64{1, -1} {
		for _, t := range s.Terms {
			if t.Coef*sign <= 0 {
				continue
			}
			if most, ok := n.local[t.Var]; ok {
				by = affine.Plus(by, affine.Times(t.Coef*sign, most))
				n.note(so, by)
				continue
			}
			term := affine.Sum{Terms: []affine.Term{t}}
			so = so.Plus(term)
			n.note(term, 0)
			n.note(so, by)
		}
	}
	n.note(so, affine.Plus(by, abs(s.Const)))
}

func (n *narrowing) note(s affine.Sum, by int64) {
	if by == 0 && len(s.Terms) == 1 && s.Terms[0].Coef == 1 {
		return // a variable
	}
	key := "0"
	if !s.IsNum() || s.Const != 0 {
		key = s.String()
	}
	if have, ok := n.worst[key]; !ok || have.by < by {
		n.worst[key] = reached{s, by}
	}
}

// close turns what was collected inside of the loops into rows. It reports false
// where a sum has no bounds, and starts anew.
func (n *narrowing) close(loops []astgen.For, busy astgen.Cond) bool {
	where := astgen.Cond{{}}
	if busy != nil {
		where = busy
	}
	var vars []string
	for _, l := range loops {
		vars = append(vars, l.Var)
		v := affine.Var(l.Var)
		n.note(v, 1) // a loop adds one after its last turn
		where = conjunction(conjunction(where, beyond(v, l.Lo, 1, 0)), beyond(v, l.Hi, -1, 0))
	}
	ok := n.known && len(where) <= maxAlternatives
	for _, rows := range where {
		for _, key := range slices.Sorted(maps.Keys(n.worst)) {
			r := n.worst[key]
			ok = ok && n.below(r.sum, r.by, sums(rows), vars) && n.below(r.sum.Times(-1), r.by, sums(rows), vars)
		}
	}
	n.worst, n.local, n.known = map[string]reached{}, map[string]int64{}, true
	return ok
}

// maxAlternatives bounds the alternatives in what loops say of their variables.
const maxAlternatives = 64

// below notes the weakest row found that keeps s + by in range where the rows hold,
// and reports whether there is one.
func (n *narrowing) below(s affine.Sum, by int64, rows []affine.Sum, vars []string) bool {
	const z = "@s"
	system := append(slices.Clone(rows), s.Minus(affine.Var(z)))
	for _, v := range slices.Backward(vars) {
		if pairs(system, v) > maxRows {
			return false
		}
		system = astgen.Eliminate(system, v)
	}
	var best affine.Sum
	found := false
	for _, r := range system { // s <= r + c*z where z is s, c < 0
		c := r.Coef(z)
		if c >= 0 {
			continue
		}
		need := affine.Num(-c * (mostIndex - by)).Minus(r.Without(z)).Tighten()
		if !found || allows(need) > allows(best) {
			best, found = need, true
		}
	}
	if !found {
		return false
	}
	if !best.IsNum() && exclude([]affine.Sum{best.Times(-1).Add(-1)}, rows) {
		return true
	}
	if best.IsNum() && best.Const < 0 {
		return false
	}
	n.least = min(n.least, allows(best))
	if allows(best) < mostIndex+1 {
		n.rows = astgen.WithRow(n.rows, best)
	}
	return true
}

const maxRows = 1 << 10

// pairs returns how many rows the elimination of a variable makes of those that have it, at most.
func pairs(rows []affine.Sum, name string) int {
	lower, upper := 0, 0
	for _, r := range rows {
		if c := r.Coef(name); c > 0 {
			lower++
		} else if c < 0 {
			upper++
		}
	}
	return lower * upper
}

// allows returns a magnitude that parameters may have so that r >= 0.
func allows(r affine.Sum) int64 {
	var coefs int64
	for _, t := range r.Terms {
		coefs += abs(t.Coef)
	}
	if coefs == 0 {
		if r.Const < 0 {
			return -1
		}
		return math.MaxInt64
	}
	return r.Const / coefs
}

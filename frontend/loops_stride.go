package frontend

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"github.com/hexcc/hexcc/scop"
)

// This file reads loops in steps of more than 1, and loops that end with !=.

// strided returns l, a loop in steps of by, as a loop over the number of its
// iterations, from 0 in steps of 1; the variable of f becomes a local at the place, its first
// value plus by times that number.
func (lr *loopReader) strided(f forStmt, l loop, at place, by int64) loop {
	d := l.decl
	first, why := lr.linear(initOf(f), at)
	if why != nil {
		lr.errorf("HX102", initOf(f).at(), loopRule, "begin at one value", "this loop in steps of %d begins at one of several values", abs(by))
		return l
	}
	if lr.counts[d] == nil {
		lr.counts[d] = new(cc.Declarator) // the same whenever the loop is read: parts of its nest have constraints of it
	}
	count := loop{where: l.where, decl: lr.counts[d], name: l.name, typ: l.typ}
	value := first.plus(by, variable(count.decl))
	count.constraints = []linear{variable(count.decl)}
	for _, r := range l.constraints {
		k := r.v.of(d)
		rest := r.plus(-k, variable(d))
		if r = rest.plus(k, value); k == 0 || k*by < 0 { // not the constraints of the first value
			count.constraints = append(count.constraints, r)
		}
	}
	if by < 0 {
		lr.obligeNext(f, l.typ, by, value.addc(by), at.inside(count))
	} else { // of every value up to the end: that is one fact of the parameters
		lr.obligeNext(f, l.typ, by, variable(d).addc(by), at.inside(l))
	}
	at.locals[d] = &local{name: l.name, typ: l.typ, set: true, assigned: true, value: &value,
		alias: lr.sum(value, at.inside(count).loops, l.typ)}
	return count
}

// sum returns a as an expression of type t.
func (lr *loopReader) sum(a linear, loops []loop, t scop.Type) scop.Expr {
	var x scop.Expr = scop.Const{T: scop.Long, I: a.c}
	add := func(k int64, v scop.Var) {
		var y scop.Expr = convert(v, scop.Long, true)
		if k != 1 {
			y = scop.Binary{Op: "*", X: scop.Const{T: scop.Long, I: k}, Y: y}
		}
		x = scop.Binary{Op: "+", X: x, Y: y}
	}
	for _, l := range loops {
		if k := a.v.of(l.decl); k != 0 {
			add(k, scop.Var{T: l.typ, Name: l.name, Kind: scop.IterVar})
		}
	}
	for _, d := range inOrder(lr.source, lr.params) {
		if k := a.v.of(d); k != 0 {
			add(k, scop.Var{T: lr.params[d].Type, Name: lr.params[d].Name, Kind: scop.ParamVar})
		}
	}
	return convert(x, t, true)
}

// reached returns c, by which l ends, with the comparison that it means: it is to
// be proved that l comes to its end, in steps of 1.
func (lr *loopReader) reached(c binary, l *loop, at place, down bool) (less binary, ok bool) {
	x, why := lr.linear(c.x, at)
	y, whyNot := lr.linear(c.y, at)
	if why != nil || whyNot != nil || len(l.constraints) != 1 || l.by != 1 && l.by != -1 {
		return c, false
	}
	away := y.sub(x) // 0 where the loop ends
	k := away.v.of(l.decl)
	if abs(k) != 1 || abs(l.constraints[0].v.of(l.decl)) != 1 {
		return c, false
	}
	less, grows := c, (k < 0) != down // whether x grows towards y
	if less.op = ">"; grows {
		less.op = "<"
	}
	first := variable(l.decl).plus(-l.constraints[0].v.of(l.decl), l.constraints[0])
	claim := away.plus(-k, variable(l.decl)).plus(k, first)
	if !grows {
		claim = claim.scale(-1)
	}
	outer := at.loops[:len(at.loops)-1]
	o := obligation{where: c.at(), code: "HX102", msg: fmt.Sprintf("condition '%s' may never end the loop", lr.textOf(c)), value: claim, loops: slices.Clone(outer)}
	for _, l := range outer {
		o.constraints = append(o.constraints, l.constraints...)
	}
	lr.owe(o)
	return less, true
}

package frontend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
)

// This file proves what the text of the program does not say: that subscripts
// stay inside their arrays, that operands of % are not negative, that unsigned
// arithmetic does not wrap around. Each claim is a constraint that must hold
// wherever others do.

// A prover proves what the text of a program does not say, or notes what is wrong, or has it tested at run time.
type prover struct{ *facts }

// checkAccess proves that a lies inside its array for all parameter values, or
// notes an error, or assumes what C requires for it.
func (pr *prover) checkAccess(n *nest, a *access, fr frame) {
	constraints := slices.Concat(n.constraints, pr.known())
	for i, s := range a.index {
		extent := a.array.extents[i]
		if s.mod > 0 {
			pr.checkRemainder(a, i, fr, constraints)
			if !fr.proves(constraints, extent.addc(-s.mod)) {
				pr.outside(n, a, i, fr, poly.AtMost(fr.sum(extent), fr.value(s)))
			}
			continue
		}
		if !fr.proves(constraints, s.linear) {
			pr.outside(n, a, i, fr, fr.negative(s.linear))
		}
		if !fr.proves(constraints, extent.sub(s.linear).addc(-1)) {
			pr.outside(n, a, i, fr, poly.AtMost(fr.sum(extent), fr.sum(s.linear)))
		}
	}
}

// checkRemainder proves that the left side of % is not negative, or has it tested, where that depends on the parameters.
func (pr *prover) checkRemainder(a *access, i int, fr frame, constraints []linear) {
	s := a.index[i]
	if s.left == nil || fr.proves(constraints, *s.left) {
		return
	}
	bad := fr.points(constraints, fr.negative(*s.left))
	runs, wrong := fr.points(constraints).ProjectOut(fr.iterNames...), bad.ProjectOut(fr.iterNames...)
	if !runs.IsSubset(wrong) {
		if facts, ok := fr.negation(wrong.Gist(runs), pr.known()); ok {
			for _, constraint := range facts {
				pr.rely(fact{constraint: constraint, at: a.Pos, always: true, remark: &diag.Diagnostic{
					Severity: diag.Remark, Code: "HX110", At: a.Pos,
					Msg: fmt.Sprintf("the left side of '%s' is not negative", pr.textOf(a.subs[i])),
				}})
			}
			return
		}
	}
	pr.errorf("HX110", a.subs[i].at(), fmt.Sprintf("for %s the left side is negative, and C's %% then gives a negative result or 0", fr.example(bad)+turnsIn(a.subs[i])),
		fmt.Sprintf("add a multiple of %d to the left side", s.mod), "the left side of subscript '%s' may be negative", pr.textOf(a.subs[i]))
}

// outside handles subscript i of a, for which the condition of being outside
// of the array has points. Either every run that gets there is wrong, an error,
// or the values of parameters that go wrong are excluded by C, and are noted.
func (pr *prover) outside(n *nest, a *access, i int, fr frame, condition poly.Formula) {
	constraints := slices.Concat(n.constraints, pr.known())
	bad := fr.points(constraints, condition)
	if bad.IsEmpty() {
		return
	}
	wrong := bad.ProjectOut(fr.iterNames...)
	always := pr.runs(n).IsSubset(wrong)
	wrongBuffer := a.index[i].mod > 0 && a.array.extents[i].isConstant()
	if !wrongBuffer {
		if facts, ok := pr.factsAgainst(wrong, n, pr.known()); ok {
			pr.assume(a, facts)
			return
		}
		if facts, ok := pr.factsOfLoops(n, fr, condition); ok {
			pr.assume(a, facts)
			return
		}
	}
	if d, _, ok := n.along(a.index[i]); ok {
		pr.reachAlong(d)
	}
	verb, help := "is", "change the bounds of the loop or the extent of the array"
	if !always {
		verb, help = "may be", help+", or state what is known of the parameters with --assume"
	}
	pr.errorf("HX105", a.subs[i].at(), outsideNote(a, i, fr, bad), help,
		"subscript '%s' %s outside of array '%s'", pr.textOf(a.subs[i]), verb, a.array.Name)
}

// factsOfLoops returns conditions on parameters under which no iteration of n is where condition holds, nor would be without the constraints of branches, or one of them: where
// those, as of if (j <= m), are in the way of saying which sizes go wrong.
func (pr *prover) factsOfLoops(n *nest, fr frame, condition poly.Formula) (facts []linear, ok bool) {
	var bounds []linear
	for _, l := range n.loops {
		bounds = append(bounds, l.constraints...)
	}
	fewer := [][]linear{bounds}
	for k, r := range n.constraints {
		if !slices.ContainsFunc(bounds, r.equal) {
			fewer = append(fewer, slices.Delete(slices.Clone(n.constraints), k, k+1))
		}
	}
	for _, constraints := range fewer {
		more := *n
		more.constraints = constraints
		wrong := fr.points(slices.Concat(constraints, pr.known()), condition).ProjectOut(fr.iterNames...)
		facts, ok := pr.factsAgainst(wrong, &more, pr.known())
		if ok && !pr.runsWhere(n, slices.Concat(pr.known(), facts)).IsEmpty() {
			return facts, true
		}
	}
	return nil, false
}

func outsideNote(a *access, i int, fr frame, bad poly.Set) string {
	params, point := smallSample(bad)
	value := fr.at(a.index[i].linear, params, point)
	if m := a.index[i].mod; m > 0 {
		value = ((value % m) + m) % m
	}
	extent := fr.at(a.array.extents[i], params, point)
	return fmt.Sprintf("for %s it is %d, and %s has %d %s", fr.example(bad)+turnsIn(a.subs[i]), value, dimension(a, i), extent, plural(extent, "element"))
}

// dimension names dimension i of the array of a.
func dimension(a *access, i int) string {
	if len(a.index) == 1+a.array.lead {
		return "'" + a.array.Name + "'"
	}
	return fmt.Sprintf("dimension %d of '%s'", i+1-a.array.lead, a.array.Name)
}

// assume relies on constraints that C requires for access a.
func (pr *prover) assume(a *access, constraints []linear) {
	for _, constraint := range constraints {
		pr.rely(fact{constraint: constraint, at: a.Pos, remark: &diag.Diagnostic{
			Severity: diag.Remark, Code: "HX105", At: a.Pos,
			Msg: fmt.Sprintf("'%s' is inside of its array", a.Text),
		}})
	}
}

// testTurns relies on what is to be tested about remainders: parts of nests that only small sizes have, where nothing is
// right, have no iterations then.
func (pr *prover) testTurns() {
	for _, o := range pr.obligations {
		fr := pr.frame().with(o.loops)
		constraints := slices.Concat(o.constraints, pr.known(), pr.ranges(o.loops))
		if o.tested != "" && !fr.proves(constraints, o.value) {
			pr.excluded(o, fr, fr.points(slices.Concat(constraints, o.small), fr.negative(o.value)), o.tested)
		}
	}
}

// checkUnsigned proves that no unsigned value of n is negative, so that C's
// arithmetic modulo 2^32 or 2^64 is that of the integers.
func (pr *prover) checkUnsigned(o obligation, fr frame) {
	constraints := slices.Concat(o.constraints, pr.known(), pr.ranges(o.loops))
	if fr.proves(constraints, o.value) {
		return
	}
	bad := fr.points(slices.Concat(constraints, o.small), fr.negative(o.value))
	if bad.IsEmpty() {
		return
	}
	params, point := smallSample(bad)
	if o.tested != "" && pr.excluded(o, fr, bad, o.tested) {
		return
	}
	if o.code == "HX102" {
		pr.errorf(o.code, o.where, "for "+fr.example(bad)+" it begins beyond its end, and never comes there", "compare with <", "%s", o.msg)
		return
	}
	if o.code != "HX111" {
		note := "it is outside for "
		if o.code == "HX110" {
			note = "that happens for "
		}
		pr.errorf(o.code, o.where, note+fr.example(bad), "change the bounds of the loop", "%s", o.msg)
		return
	}
	if pr.excluded(o, fr, bad, "fits its type") {
		return
	}
	note := fmt.Sprintf("for %s it is %d, which as an unsigned number is very large", fr.example(bad), fr.at(o.value, params, point))
	if strings.Contains(o.msg, " may be too ") {
		note = "that happens for " + fr.example(bad) + "; C then takes another number"
	}
	pr.errorf("HX111", o.where, note, "use int or long for sizes and loop variables", "%s", o.msg)
}

// excluded relies on the parameters not to have the values of bad, if they are all to blame: what is claimed then holds.
// Such runs are rare, so they are tested for.
func (pr *prover) excluded(o obligation, fr frame, bad poly.Set, claim string) bool {
	known := slices.Concat(pr.known(), pr.ranges(o.loops))
	runs := fr.points(slices.Concat(o.constraints, known)).ProjectOut(fr.iterNames...)
	facts, ok := fr.negation(bad.ProjectOut(fr.iterNames...).Gist(runs), slices.Concat(pr.known(), pr.ranges(nil), fr.implied(runs)))
	for _, constraint := range facts {
		pr.rely(fact{constraint: constraint, at: pr.f.span(o.where), always: o.tested != "", remark: &diag.Diagnostic{
			Severity: diag.Remark, Code: o.code, At: pr.f.span(o.where),
			Msg: fmt.Sprintf("'%s' %s", oneLine(pr.f.slice(o.where)), claim),
		}})
	}
	return ok
}

// warnIdle warns of the nests of the source that never run, whatever the parameters: of those that were split, no part does.
func (pr *prover) warnIdle() {
	runs := map[diag.Pos]bool{}
	for _, n := range pr.nests {
		fr := pr.frame().with(n.loops)
		at := n.stmt.Pos.Pos
		runs[at] = runs[at] || !fr.points(slices.Concat(n.constraints, pr.assumptions())).IsEmpty()
	}
	for _, n := range pr.nests {
		if at := n.stmt.Pos.Pos; !runs[at] {
			runs[at] = true // it is said once
			pr.note(&diag.Diagnostic{Severity: diag.Warning, Code: "HX115", At: n.stmt.Pos,
				Msg: "this loop nest never runs: its bounds exclude each other"})
		}
	}
}

// byLoops writes subscripts by the loops that run once. Where a nest is split at borders, a part may have i = 0 or
// i = n - 1 only, and there a subscript 0 or n - 1 is also i: the same element, but by its distance
// from what the part writes, which is what tiles are made of. So the clamped reads of
//
//	A[(t+1)%2][i] = f(A[t%2][i > 0 ? i-1 : 0], A[t%2][i < n-1 ? i+1 : n-1])
//
// are at distance 0 at the borders, not at one that grows with n.
//
// It returns subscript number k of a, an access of n, which no space loop changes. If in all iterations of n it is a constant
// away from that of another access to the array, which one does, it is written as that plus the constant.
func (pr *prover) byLoops(n *nest, a *access, k int, fr frame) linear {
	s := a.index[k]
	if s.mod > 0 || n.variesInSpace(s.linear) {
		return s.linear
	}
	for _, other := range n.accesses {
		near := other.index
		if other.array != a.array || near[k].mod > 0 || !n.variesInSpace(near[k].linear) {
			continue
		}
		params, point, ok := n.stmt.Domain.Sample()
		if !ok {
			break
		}
		far := s.sub(near[k].linear)
		far = far.addc(-fr.at(far, params, point))
		if constraints := slices.Concat(n.constraints, pr.known()); fr.proves(constraints, far) && fr.proves(constraints, far.scale(-1)) {
			return s.sub(far)
		}
	}
	return s.linear
}

// checkUnused checks what n reads for nothing: C demands that it exists. Only of arrays with
// declared extents is known where they end.
func (pr *prover) checkUnused(n *nest, fr frame) {
	for _, a := range n.unused {
		if o := a.array; a.flat == nil && !o.guess && !o.inferred && o.lead == 0 && len(a.index) == len(o.extents) {
			pr.checkAccess(n, a, fr)
		}
	}
}

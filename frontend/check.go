package frontend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// This file proves what the text of the program does not say: that subscripts
// stay inside their arrays, that operands of % are not negative, that unsigned
// arithmetic does not wrap around. Each claim is a row that must be >= 0
// wherever other rows are.

// An obligation is a claim about an expression: its value is at least 0
// wherever rows are.
type obligation struct {
	where
	code  diag.Code
	msg   string // what is wrong if it is negative
	value linear
	loops []loop
	rows  []linear
}

// proves reports whether claim >= 0 wherever rows >= 0. It is exact.
func (fr frame) proves(rows []linear, claim linear) bool {
	return fr.plainlyProves(rows, claim) || fr.points(rows, fr.text(claim)+" < 0").IsEmpty()
}

// plainlyProves looks for rows that add up to the claim. True is certain, false is not.
func (fr frame) plainlyProves(rows []linear, claim linear) bool {
	enough := func(r linear) bool { return r.isConstant() && r.c >= 0 }
	if enough(claim) {
		return true
	}
	for i, r := range rows {
		rest := claim.sub(r)
		if enough(rest) || slices.ContainsFunc(rows[i:], func(s linear) bool { return enough(rest.sub(s)) }) {
			return true
		}
	}
	return false
}

// points returns the instances of rows that satisfy a condition in isl notation.
func (fr frame) points(rows []linear, condition string) poly.Set {
	conditions := []string{condition}
	if text := fr.conditions(rows); text != "" {
		conditions = append(conditions, text)
	}
	return poly.MustSet(fr.set("X["+list(fr.iterNames)+"]", strings.Join(conditions, " and ")))
}

// A prover proves what the text of a program does not say.
type prover struct{ *facts }

// checkAccess proves that a lies inside its array for all parameter values, or
// notes an error, or assumes what C requires for it.
func (pr *prover) checkAccess(n *nest, a *access, fr frame) {
	rows := slices.Concat(n.rows, pr.known())
	for i, s := range a.index {
		extent := a.array.extents[i]
		if s.mod > 0 {
			pr.checkRemainder(a, i, fr, rows)
			if !fr.proves(rows, extent.addc(-s.mod)) {
				text := fmt.Sprintf("(%s) mod %d", fr.text(s.linear), s.mod)
				pr.outside(n, a, i, fr, text+" >= "+fr.text(extent))
			}
			continue
		}
		if !fr.proves(rows, s.linear) {
			pr.outside(n, a, i, fr, fr.text(s.linear)+" < 0")
		}
		if !fr.proves(rows, extent.sub(s.linear).addc(-1)) {
			pr.outside(n, a, i, fr, fr.text(s.linear)+" >= "+fr.text(extent))
		}
	}
}

// checkRemainder proves that the left side of % is not negative.
func (pr *prover) checkRemainder(a *access, i int, fr frame, rows []linear) {
	s := a.index[i]
	if s.left == nil || fr.proves(rows, *s.left) {
		return
	}
	bad := fr.points(rows, fr.text(*s.left)+" < 0")
	pr.errorf("HX110", a.subs[i].at(), fmt.Sprintf("for %s the left side is negative, and C's %% then gives a negative result or 0", fr.example(bad)+turnsIn(a.subs[i])),
		fmt.Sprintf("add a multiple of %d to the left side", s.mod), "the left side of subscript '%s' may be negative", pr.textOf(a.subs[i]))
}

// outside handles subscript i of a, for which the condition of being outside
// of the array has points. Either every run that gets there is wrong, an error,
// or the values of parameters that go wrong are excluded by C, and are noted.
func (pr *prover) outside(n *nest, a *access, i int, fr frame, condition string) {
	rows := slices.Concat(n.rows, pr.known())
	bad := fr.points(rows, condition)
	if bad.IsEmpty() {
		return
	}
	runs := fr.points(rows, "0 = 0").ProjectOut(fr.iterNames...)
	wrong := bad.ProjectOut(fr.iterNames...)
	always := runs.IsSubset(wrong)
	wrongBuffer := a.index[i].mod > 0 && a.array.extents[i].isConstant()
	if !wrongBuffer && !always {
		if facts, ok := fr.negation(wrong.Gist(runs), pr.known()); ok {
			pr.assume(a, facts)
			return
		}
	}
	verb, help := "is", "change the bounds of the loop or the extent of the array"
	if !always {
		verb, help = "may be", help+", or state what is known of the parameters with --assume"
	}
	pr.errorf("HX105", a.subs[i].at(), pr.outsideNote(a, i, fr, bad), help,
		"subscript '%s' %s outside of array '%s'", pr.textOf(a.subs[i]), verb, a.array.Name)
}

func (pr *prover) outsideNote(a *access, i int, fr frame, bad poly.Set) string {
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

func plural(n int64, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// assume relies on rows that C requires for access a.
func (pr *prover) assume(a *access, rows []linear) {
	for _, row := range rows {
		pr.rely(fact{row: row, at: a.Pos, remark: &diag.Diagnostic{
			Severity: diag.Remark, Code: "HX105", At: a.Pos,
			Msg: fmt.Sprintf("'%s' is inside of its array", a.Text),
		}})
	}
}

// negation returns rows that, where facts >= 0, are >= 0 exactly where s does
// not hold, if s is a union of single half-spaces of the parameters.
func (fr frame) negation(s poly.Set, facts []linear) (rows []linear, ok bool) {
	for _, basic := range s.Basics() {
		cs := basic.Constraints()
		if len(cs) != 1 || len(basic.Divs()) > 0 {
			return nil, false
		}
		row := fr.row(basic, cs[0])
		switch {
		case !cs[0].Eq:
			row = row.scale(-1)
		case fr.proves(facts, row):
		case fr.proves(facts, row.scale(-1)):
			row = row.scale(-1)
		default:
			return nil, false
		}
		rows = append(rows, row.addc(-1))
	}
	return rows, true
}

// at returns the value of a at a point.
func (fr frame) at(a linear, params, point []int64) int64 {
	v := a.c
	for i, d := range fr.params {
		v += a.v[d] * params[i]
	}
	for i, d := range fr.iters {
		v += a.v[d] * point[i]
	}
	return v
}

// example returns a point of s as "n = 3, t = 0, i = 2".
func (fr frame) example(s poly.Set) string {
	params, point := smallSample(s)
	var parts []string
	for i, v := range params {
		parts = append(parts, fmt.Sprintf("%s = %d", fr.paramNames[i], v))
	}
	for i, v := range point {
		parts = append(parts, fmt.Sprintf("%s = %d", fr.iterNames[i], v))
	}
	return strings.Join(parts, ", ")
}

// smallSample returns a point of s, which has one, with small values if it can.
func smallSample(s poly.Set) (params, point []int64) {
	for _, bound := range []int{4, 16, 64} {
		var cs []string
		for _, p := range s.Params() {
			cs = append(cs, fmt.Sprintf("%d <= %s <= %d", -bound, p, bound))
		}
		box := poly.MustSet(fmt.Sprintf("[%s] -> { : %s }", list(s.Params()), strings.Join(cs, " and ")))
		if len(cs) == 0 {
			break
		}
		if params, point, ok := s.IntersectParams(box).Sample(); ok {
			return params, point
		}
	}
	params, point, ok := s.Sample()
	if !ok {
		panic(fmt.Sprintf("frontend: smallSample: no point in %v", s))
	}
	return params, point
}

// checkUnsigned proves that no unsigned value of n is negative, so that C's
// arithmetic modulo 2^32 or 2^64 is that of the integers.
func (pr *prover) checkUnsigned(o obligation, fr frame) {
	rows := slices.Concat(o.rows, pr.known(), pr.ranges(o.loops))
	if fr.proves(rows, o.value) {
		return
	}
	bad := fr.points(rows, fr.text(o.value)+" < 0")
	params, point := smallSample(bad)
	if o.code == "HX102" {
		pr.errorf(o.code, o.where, "for "+fr.example(bad)+" it begins beyond its end, and never comes there", "compare with <", "%s", o.msg)
		return
	}
	if o.code != "HX111" {
		pr.errorf(o.code, o.where, "it is outside for "+fr.example(bad), "change the bounds of the loop", "%s", o.msg)
		return
	}
	if pr.excluded(o, fr, bad) {
		return
	}
	note := fmt.Sprintf("for %s it is %d, which as an unsigned number is very large", fr.example(bad), fr.at(o.value, params, point))
	if strings.Contains(o.msg, " may be too ") {
		note = "that happens for " + fr.example(bad) + "; C then takes another number"
	}
	pr.errorf("HX111", o.where, note, "use int or long for sizes and loop variables", "%s", o.msg)
}

// excluded relies on the parameters not to have the values of bad, if they are all to blame
// and the claim is about numbers that are too large: such runs are rare, so they are tested for.
func (pr *prover) excluded(o obligation, fr frame, bad poly.Set) bool {
	if !strings.Contains(o.msg, " may be too large ") {
		return false
	}
	known := slices.Concat(pr.known(), pr.ranges(o.loops))
	runs := fr.points(slices.Concat(o.rows, known), "0 = 0").ProjectOut(fr.iterNames...)
	facts, ok := fr.negation(bad.ProjectOut(fr.iterNames...).Gist(runs), slices.Concat(pr.known(), pr.ranges(nil)))
	for _, row := range facts {
		pr.rely(fact{row: row, at: pr.f.span(o.where), remark: &diag.Diagnostic{
			Severity: diag.Remark, Code: "HX111", At: pr.f.span(o.where),
			Msg: fmt.Sprintf("'%s' fits its type", oneLine(pr.f.slice(o.where))),
		}})
	}
	return ok
}

// ranges returns what the types say of parameters and of the variables of loops, where they have 32 bits.
func (sym *symbols) ranges(loops []loop) (rows []linear) {
	within := func(x linear, t scop.Type) {
		if t.Size() == 4 {
			rows = append(rows, constant(largest(t)).sub(x))
		}
		if t == scop.Int {
			rows = append(rows, x.addc(1<<31))
		}
	}
	for _, d := range inOrder(sym.source, sym.params) {
		within(variable(d), sym.params[d].Type)
	}
	for _, l := range loops {
		if l.by == 1 || l.by == -1 {
			within(variable(l.decl), l.typ)
		}
	}
	return rows
}

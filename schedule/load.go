package schedule

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file reads what Save writes. After the first line, each line is one of
//
//	strategy space (or untiled, wavefront, overlapped)
//	tile h=2, w0=3, w1=32
//	place S0[t, i, j] -> [t, i, j + 1]
//	slope s0 -1..1/2
//	phase 0 time = -h - 1, s0 = -f0 - w0 - 1, s1 = 0
//	sweep 1
//	order i, j
//	front 2 3
//	group S0, S1
//	box S0 1: s0 = -1..w0, s1 = -1..w1
//	delay S0 1: 2
//	clause registers(64)
//
// in any order; # begins a comment. Without the first, the strategy is hybrid.
// Tiles of space alone have no h, no slopes and no phases; sweep lines, which they alone have, name levels whose tiles are in order along s0.
// What parallelograms and tiles that overlap have is read in loadtiles.go.

// fileVersion is the version of the form that Save writes and Load reads.
const fileVersion = 1

// Load reads the text of a schedule file for a program. It fails with a
// diag.List (HX011) that names each bad line, with its place.
func Load(file string, text []byte, prog *scop.Program) (Plan, error) {
	l := &loader{prog: prog, plan: Plan{File: file, at: map[string]diag.Span{}}}
	for _, st := range prog.Stmts {
		l.tuples = append(l.tuples, st.Name)
	}
	for i := range dimensions(prog) {
		l.space = append(l.space, fmt.Sprint("s", i))
	}
	l.sums = l.sizeNames()
	l.plan.Slopes, l.plan.Layout.Places = make([]Slopes, len(l.space)), make([][]Place, prog.K())
	started := false
	for i, line := range strings.Split(string(text), "\n") {
		l.scan(diag.Pos{File: file, Line: i + 1, Col: 1}, line)
		if len(l.tokens) == 1 { // the end only
			continue
		}
		l.guard(func() {
			if started {
				l.line()
			} else {
				l.version()
			}
		})
		started = true
	}
	l.guard(func() { l.complete(started) })
	if len(l.list) > 0 {
		return Plan{}, diag.Sorted(l.list)
	}
	return l.plan, nil
}

// version reads the first line.
func (l *loader) version() {
	first := l.tokens[0].at
	for _, want := range []string{"hexcc", "schedule", fmt.Sprint(fileVersion)} {
		if l.next().text != want {
			fail(first, "write a file with --save-schedule and edit that", "a schedule file begins with the line 'hexcc schedule %d'", fileVersion)
		}
	}
	l.end()
}

// line reads any other line.
func (l *loader) line() {
	word := l.next()
	switch word.text {
	case "strategy":
		l.once(word, "strategy")
		l.strategy()
	case "tile":
		l.once(word, "tile")
		l.tile(word)
	case "place":
		l.place(word)
	case "slope":
		l.slope(word)
	case "phase":
		l.phase(word)
	case "sweep":
		l.sweep(word)
	case "order":
		l.once(word, "order")
		l.order()
	case "front":
		l.once(word, "front")
		l.plan.Fronts = &Fronts{l.number(1, slopeLimit), l.number(1, slopeLimit)}
	case "group":
		l.group(word)
	case "box":
		l.box(word)
	case "delay":
		l.delay(word)
	case "clause":
		l.clause()
	default:
		fail(word.at, "", "%s: a line begins with strategy, tile, place, slope, phase, sweep, order, front, group, box, delay or clause", said(word))
	}
	l.end()
}

// once notes where a thing is said, and that it is said once.
func (l *loader) once(at token, thing string) {
	if before, found := l.plan.at[thing]; found {
		fail(at.at, "", "%s is given twice, first in line %d", thing, before.Line)
	}
	l.plan.at[thing] = at.at
}

// strategy reads the name of a scheme.
func (l *loader) strategy() {
	t := l.next()
	switch t.text {
	case "hybrid":
	case "space", untiled, waves, overlaps:
		l.plan.Strategy = t.text
	default:
		fail(t.at, "", "%s is none of hybrid, space, untiled, wavefront and overlapped", said(t))
	}
}

// tile reads h=2, w0=3, ..: all sizes in any order.
func (l *loader) tile(word token) {
	values := map[string]int64{}
	for {
		name := l.next()
		if i := slices.Index(l.sizeNames(), name.text); (i < 0 || i == len(l.sizeNames())-1 || i == len(l.sizeNames())-2) && name.text != "stream" {
			fail(name.at, "", "%s is no tile size: they are h, %s", said(name), sizeNames(len(l.space)))
		}
		if _, again := values[name.text]; again {
			fail(name.at, "", "%s is given twice", name.text)
		}
		l.take("=")
		values[name.text] = l.number(0, WidthLimit)
		if l.peek() != "," {
			break
		}
		l.next()
	}
	sizes := &Sizes{H: NoHeight}
	if h, found := values["h"]; found {
		sizes.H = h
	}
	for i := range l.space {
		name := fmt.Sprint("w", i)
		v, found := values[name]
		if !found {
			fail(word.at, "", "tile size %s is missing", name)
		}
		sizes.W = append(sizes.W, v)
	}
	if k, found := values["stream"]; found {
		sizes.Stream = new(int(k))
	}
	l.plan.Sizes = sizes
}

// sizeNames returns h, w0, .., then f0 and f1.
func (l *loader) sizeNames() []string {
	names := append([]string{"h"}, strings.Split(sizeNames(len(l.space)), ", ")...)
	return append(names, "f0", "f1")
}

// place reads S0[t, i, j] -> [t, i, j + 1].
func (l *loader) place(word token) {
	name := l.next()
	i := slices.Index(l.tuples, name.text)
	if i < 0 {
		fail(name.at, "", "there is no statement %s: there are %s", said(name), strings.Join(l.tuples, ", "))
	}
	l.once(word, "place "+name.text)
	if _, found := l.plan.at["place"]; !found {
		l.plan.at["place"] = word.at
	}
	st := l.prog.Stmts[i]
	for k, iter := range st.Iters {
		l.take([]string{"[", ","}[min(k, 1)], iter)
	}
	l.take("]", "->", "[")
	names := slices.Clone(st.Iters)
	for _, p := range l.prog.Params {
		names = append(names, p.Name)
	}
	l.tau(st, names)
	places, used := make([]Place, len(l.space)), make([]bool, len(st.Iters))
	for p := range places {
		l.take(",")
		at := l.tokens[0].at
		places[p] = l.onePlace(st, at, l.affine(names))
		if iter := places[p].Iter; iter >= 0 {
			if used[iter] {
				fail(at, "each loop is one dimension", "loop %s of %s is two dimensions", st.Iters[iter], st.Name)
			}
			used[iter] = true
		}
	}
	at := l.tokens[0].at
	l.take("]")
	if k := slices.Index(used[1:], false); k >= 0 {
		fail(at, "each loop is one dimension", "loop %s of %s is in none of the dimensions", st.Iters[k+1], st.Name)
	}
	l.plan.Layout.Places[i] = places
}

// tau reads the time of st, K*t + its level, the same K for all.
func (l *loader) tau(st *scop.Stmt, names []string) {
	at := l.tokens[0].at
	f := l.affine(names)
	k, level := int64(0), f.Const
	for _, t := range f.Terms {
		if t.Var != st.Iters[0] {
			fail(at, "write a number times "+st.Iters[0]+" plus a number", "the time of %s is %v, which is more than steps of the time loop", st.Name, f)
		}
		k = t.Coef
	}
	switch {
	case k < 1 || level < 0 || level >= k:
		fail(at, "write k*"+st.Iters[0]+" + l, with 0 <= l < k: step l of the k of an iteration", "the time of %s is %v", st.Name, f)
	case l.plan.Layout.K > 0 && k != int64(l.plan.Layout.K):
		fail(at, "all statements have the same number of steps", "the time of %s has %d steps for an iteration of the time loop, and that of a statement before has %d", st.Name, k, l.plan.Layout.K)
	case k > int64(l.prog.K()):
		fail(at, "an iteration has at most as many steps as loop nests", "the time of %s has %d steps for an iteration of the time loop, which has %d nests", st.Name, k, l.prog.K())
	}
	if l.plan.Layout.Levels == nil {
		l.plan.Layout.Levels = make([]int, l.prog.K())
	}
	l.plan.Layout.K, l.plan.Layout.Levels[st.Order] = int(k), int(level)
}

// onePlace returns f, which stands at a place of a line about st, as a place.
func (l *loader) onePlace(st *scop.Stmt, at diag.Span, f affine.Sum) Place {
	place := Place{Iter: -1, Shift: scop.Affine{Const: f.Const, Params: make([]int64, len(l.prog.Params))}}
	for _, t := range f.Terms {
		if i := slices.Index(st.Iters, t.Var); i >= 0 {
			if i == 0 || place.Iter >= 0 || t.Coef*t.Coef != 1 {
				fail(at, "write one loop, with factor 1 or -1, plus numbers and parameters", "%v is not a place of %s: it is more than a shift of one space loop", f, st.Name)
			}
			place.Iter, place.Down = i, t.Coef < 0
			continue
		}
		for i, p := range l.prog.Params {
			if p.Name == t.Var {
				place.Shift.Params[i] = t.Coef
			}
		}
	}
	return place
}

// affine reads a sum such as 2*t - i + n - 1 over names.
func (l *loader) affine(names []string) affine.Sum {
	var f affine.Sum
	for first := true; first || l.peek() == "+" || l.peek() == "-"; first = false {
		sign := int64(1)
		for l.peek() == "-" || l.peek() == "+" {
			if l.next().text == "-" {
				sign = -sign
			}
		}
		f = f.Plus(l.product(names).Times(sign))
	}
	return f
}

// product reads 2, n or 2*n.
func (l *loader) product(names []string) affine.Sum {
	coefficient, t := int64(1), l.next()
	if n, err := strconv.ParseInt(t.text, 10, 32); err == nil {
		if l.peek() != "*" {
			return affine.Num(n)
		}
		l.next()
		coefficient, t = n, l.next()
	}
	if !slices.Contains(names, t.text) {
		fail(t.at, "", "%s is neither a number nor one of %s", said(t), strings.Join(names, ", "))
	}
	return affine.Var(t.text).Times(coefficient)
}

// slope reads s0 -1..1/2.
func (l *loader) slope(word token) {
	name := l.next()
	i := slices.Index(l.space, name.text)
	if i < 0 {
		fail(name.at, "", "there is no space dimension %s: there are %s", said(name), strings.Join(l.space, ", "))
	}
	l.once(word, "slope "+name.text)
	lo := l.tokens[0]
	if l.peek() == "-" {
		l.next()
	}
	s := Slopes{Lo: l.rational()}
	if lo.text != "-" && s.Lo.Sign() > 0 {
		fail(lo.at, "", "the slope below is -%v or 0: tiles with a positive one do not fit together", s.Lo.RatString())
	}
	l.take("..")
	switch {
	case l.peek() != "inf":
		s.Hi = l.rational()
	default:
		l.plan.at["inf "+name.text] = l.next().at
	}
	l.plan.Slopes[i] = s
}

// phase reads 0 time = -h - 1, s0 = 5, s1 = 0.
func (l *loader) phase(word token) {
	phase := l.number(0, int64(len(phases)-1))
	l.once(word, fmt.Sprint("phase ", phase))
	var starts []affine.Sum
	for dim, name := range append([]string{"time"}, l.space...) {
		if dim > 0 {
			l.take(",")
		}
		l.take(name, "=")
		starts = append(starts, l.affine(l.sizeNames()))
	}
	l.plan.Starts[phase] = starts
}

// clause reads registers(64): a name, and in parentheses what only those know who ask for it.
func (l *loader) clause() {
	name := l.next()
	l.once(name, "clause "+name.text)
	l.take("(")
	c := Clause{Name: name.text, At: name.at}
	for l.peek() != ")" && l.peek() != "" {
		c.Value += l.next().text
	}
	l.take(")")
	l.plan.Clauses = append(l.plan.Clauses, c)
}

// sweep reads 1: points of that level are in order along s0.
func (l *loader) sweep(word token) {
	level := l.number(0, int64(l.prog.K()-1))
	l.once(word, fmt.Sprint("sweep ", level))
	if l.plan.Layout.Sweeps == nil {
		l.plan.Layout.Sweeps = make([]bool, l.prog.K())
	}
	l.plan.Layout.Sweeps[level] = true
}

// ofSweeps checks that the levels of sweep lines are there.
func (l *loader) ofSweeps() {
	for level, sweeps := range l.plan.Layout.Sweeps {
		at, k := l.plan.at[fmt.Sprint("sweep ", level)], l.plan.Layout.K
		switch {
		case !sweeps:
		case l.plan.Strategy == "":
			fail(at, "write the line 'strategy space', too", "only tiles of space alone are in order along s0")
		case level >= k:
			fail(at, "leave the line out", "an iteration has %d steps by the place lines, and none is step %d", k, level)
		}
	}
	if l.plan.Layout.Sweeps != nil {
		l.plan.Layout.Sweeps = l.plan.Layout.Sweeps[:l.plan.Layout.K]
	}
}

// ofStrategy checks that the file says what its strategy needs, and no more.
func (l *loader) ofStrategy() {
	hasHeight := l.plan.Sizes != nil && l.plan.Sizes.H != NoHeight
	l.theirs()
	if hybrid := l.plan.Strategy == ""; hybrid || l.plan.Strategy == waves || l.plan.Strategy == overlaps {
		if l.plan.Sizes != nil && !hasHeight {
			fail(l.plan.at["tile"], "", "tile size h is missing")
		}
		if at, found := l.plan.at["inf "+l.space[0]]; hybrid && found {
			fail(at, "", "the slope of hexagons, in s0, is a number")
		}
		return
	}
	if hasHeight {
		fail(l.plan.at["tile"], "give w0, w1, .. only", "tiles of space only have no height h")
	}
	for _, line := range slices.Sorted(maps.Keys(l.plan.at)) {
		if word, _, _ := strings.Cut(line, " "); word == "slope" || word == "phase" {
			fail(l.plan.at[line], "leave the line out", "tiles of space only have no %ss", word)
		}
	}
}

// complete checks that what comes in several lines is complete or absent.
func (l *loader) complete(started bool) {
	if !started {
		l.scan(diag.Pos{File: l.plan.File, Line: 1, Col: 1}, "")
		l.version()
	}
	all := func(kind string, names []string, missing func(int) bool) (none bool) {
		var absent []string
		for i, name := range names {
			if missing(i) {
				absent = append(absent, name)
			}
		}
		if len(absent) > 0 && len(absent) < len(names) && len(l.list) == 0 {
			given := slices.IndexFunc(names, func(name string) bool { return !slices.Contains(absent, name) })
			fail(l.plan.at[kind+" "+names[given]], "give all of them or none", "there is a %s line for %s, but none for %s", kind, names[given], strings.Join(absent, ", "))
		}
		return len(absent) == len(names)
	}
	l.guard(l.ofStrategy)
	l.guard(l.ofBoxes)
	if all("place", l.tuples, func(i int) bool { return l.plan.Layout.Places[i] == nil }) {
		l.plan.Layout.Places, l.plan.Layout.Levels = nil, nil
	}
	l.guard(l.ofSweeps)
	if all("slope", l.space, func(i int) bool { return l.plan.Slopes[i].Lo == nil }) {
		l.plan.Slopes = nil
	}
}

package openmp

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/scop"
)

// This file prints steps of a tile that run in one pass over rows, as
//
//	if there are as many steps in the tile:
//	  their rows, and places along them
//	  if rows have whole cache lines, each step those before the ones of the step before:
//	    for each row of the first step, in order:
//	      if all steps have their rows: all of them, vector by vector
//	      else: those that have, step by step
//	    go on behind the last step

// A pass prints one of them. Its text is over the iterators of its first step.
type pass struct {
	*point
	of   *cpu.Pass
	tile cpu.Tile
	// Names: the first step, the row of it, whether cache lines are whole, and the first and last row and place of each step.
	first, at, whole, lows, highs, starts, ends string
	begin                                       []string // what is loaded before the first vector of a row
	body, next                                  []string // what runs for each vector, and behind it
	fetches                                     []ahead  // by step
	stored                                      string   // the name of what the step before has stored
}

// pass prints the pass of a tile, in its loop over steps.
func (r *region) pass(n cpu.Tile) {
	s := n.Steps[0]
	single := newPoint(r, s, n.Var)
	name := func(want string) string { return r.own("pass", want) }
	p := &pass{
		point: &point{region: r, step: s, count: n.Var, used: map[string]bool{}, values: map[string]affine.Sum{}}, of: n.Pass, tile: n,
		first: name("first"), at: name("row"), whole: name("whole"), lows: name("lows"), highs: name("highs"), starts: name("starts"), ends: name("ends"),
	}
	p.text()
	r.Raw("#if HEXCC_PASSES\n")
	r.Braces(fmt.Sprintf("if (%s + %d <= %s)", r.Use(n.Var), n.Pass.Steps-1, r.Expr(n.Hi)), func() {
		p.bounds(single)
		r.Braces(fmt.Sprintf("if (%s)", p.condition()), func() {
			r.Line("// %d steps in one pass over rows", n.Pass.Steps)
			p.iterators(-1)
			for _, q := range p.pointers {
				r.Line("%s", q.declaration())
			}
			p.rowLoop(single)
			r.Line("%s = %s + %d;", n.Var, p.first, n.Pass.Steps-1)
			r.Line("continue;")
		})
	})
	r.Raw("#endif\n")
}

// text makes the text of a row of all steps, and notes what it uses.
func (p *pass) text() {
	for _, name := range p.step.Stmt.Iters {
		delete(p.Uses, p.iters[name])
	}
	for k := range p.of.Steps {
		p.turn(k)
		p.vectorOf(k)
		p.turn(k)
		p.fetches = append(p.fetches, p.fetchedAhead(k))
	}
	clear(p.values)
	for _, name := range p.step.Stmt.Iters {
		p.used[p.iters[name]] = p.Uses[p.iters[name]]
	}
}

// turn makes iterators those of step k.
func (p *pass) turn(k int64) {
	clear(p.values)
	for i, at := range p.of.At(p.step, p.count, k) {
		p.values[p.step.Stmt.Iters[i]] = at
	}
}

// vectorOf makes the text of a vector of step k.
func (p *pass) vectorOf(k int64) {
	v := &vectors{Vectors: p.step.Groups[0].Vectors}
	windows := make([]window, len(v.Windows))
	for i, w := range v.Windows {
		base, _ := p.element(w.From)
		windows[i] = window{w, base, p.numbered("x", int(k)*len(v.Windows)+i)}
		p.window(v, windows[i], p.of.Sources[k][i])
	}
	body, stores := p.actions(int(k), int(p.of.Steps), p.vectorForm(v, windows, 0))
	p.body = slices.Concat(p.body, body, stores)
	for i, action := range p.step.Stmt.Actions() {
		if _, ok := action.(scop.Store); ok {
			p.stored = p.numbered("value", int(k)*len(p.step.Stmt.Body)+i)
		}
	}
}

// window adds what loads the elements of a window, or has them from the step before, and hands them on to the next vector.
func (p *pass) window(v *vectors, w window, from cpu.Source) {
	_, index := p.element(w.From)
	index = index.Add(-w.From.Index[len(w.From.Index)-1].Const)
	start := p.fromStart(index)
	here, before, after := p.elements(w, w.Center), "", p.own("window", w.name+"_after")
	at := func(place affine.Sum, c int64) string { return v.load("&" + w.at(p.point, place, c)) }
	if w.Before() && !from.Apart {
		before = p.own("window", w.name+"_before")
		p.begin = append(p.begin, fmt.Sprintf("%s %s = {0};", v.typeName(), before))
		for c := w.Offsets[0]; c < w.Center; c++ {
			p.begin = append(p.begin, fmt.Sprintf("%s[%d] = %s;", before, v.Lanes+c-w.Center, w.at(p.point, start, c)))
		}
		p.next = append(p.next, fmt.Sprintf("%s = %s;", before, here))
	}
	switch {
	case from.Handed:
		after = p.stored
	case w.After():
		p.body = append(p.body, v.constant(after, at(index, w.Center+v.Lanes)))
	default:
		p.body = append(p.body, v.constant(here, at(index, w.Center)))
	}
	if from.Handed || w.After() {
		p.begin = append(p.begin, fmt.Sprintf("%s %s = %s;", v.typeName(), here, at(start, w.Center)))
		p.next = append(p.next, fmt.Sprintf("%s = %s;", here, after))
	}
	for _, c := range w.Offsets {
		switch {
		case c < w.Center && from.Apart:
			p.body = append(p.body, v.constant(p.elements(w, c), at(index, c)))
		case c < w.Center:
			p.body = append(p.body, v.constant(p.elements(w, c), v.join(v.Lanes+c-w.Center, before, here)))
		case c > w.Center:
			p.body = append(p.body, v.constant(p.elements(w, c), v.join(c-w.Center, here, after)))
		}
	}
}

// eachTurn prints a loop over the steps of the pass; turn is the number of one.
func (p *pass) eachTurn(body func(turn string)) {
	p.Braces(fmt.Sprintf("for (%v %s = %s; %s < %s + %d; %s++)", p.Index, p.count, p.first, p.count, p.first, p.of.Steps, p.count), func() {
		body(fmt.Sprintf("%s - %s", p.count, p.first))
	})
}

// fetchedAhead returns the text of what step k fetches for that of the next pass.
func (p *pass) fetchedAhead(k int64) ahead {
	return p.aheadOf(cpu.Group{Size: 1, Fetch: p.of.Fetch}, p.of.Ahead.Grows, func(int) { p.turn(k) })
}

// bounds prints the rows of all steps, and whether these start cache lines: the first two of each do.
func (p *pass) bounds(single *point) {
	rows, places := p.step.Loops[0], p.step.Loops[1]
	p.Line("const %v %s = %s;", p.Index, p.first, p.count)
	n := p.of.Steps
	p.Line("%v %s[%d], %s[%d], %s[%d], %s[%d];", p.Index, p.lows, n, p.highs, n, p.starts, n, p.ends, n)
	p.Line("int %s = 1;", p.whole)
	p.eachTurn(func(turn string) {
		p.Line("%s[%s] = %s;", p.lows, turn, p.Expr(rows.Lo))
		p.Line("%s[%s] = %s;", p.highs, turn, p.Expr(rows.Hi))
		p.Line("%s[%s] = %s;", p.starts, turn, p.Expr(places.Lo))
		p.Line("%s[%s] = %s;", p.ends, turn, p.Expr(places.Hi))
		address := single.address()
		inRow := single.needed(single.groups[0].pointers, address)
		inStep := single.needed(single.pointers, address+strings.Join(inRow, ""))
		all := address + strings.Join(inRow, "") + strings.Join(inStep, "")
		p.declare(-1, all, inStep)
		p.Braces(fmt.Sprintf("for (%v %s = %s[%s]; %s < %s[%s] + 2; %s++)", p.Index, rows.Var, p.lows, turn, rows.Var, p.lows, turn, rows.Var), func() {
			p.declare(0, all, inRow)
			p.Line("const %v %s = %s[%s];", p.Index, p.start, p.starts, turn)
			p.Line("%s &= %s %% %d == 0;", p.whole, address, cacheLine)
		})
	})
}

// needed returns the declarations of those pointers that text names.
func (p *point) needed(pointers []pointer, text string) (declarations []string) {
	for _, q := range pointers {
		if names(text, q.name) {
			declarations = append(declarations, q.declaration())
		}
	}
	return declarations
}

// declare declares the iterators known inside loop d that text names, and then pointers.
func (p *point) declare(d int, text string, pointers []string) {
	for i, name := range p.step.Stmt.Iters {
		if names(text, p.iters[name]) && p.step.Depth(p.step.Iters[i]) == d {
			p.Line("const %v %s = %s;", p.Index, p.iters[name], p.Expr(p.step.Iters[i]))
		}
	}
	for _, line := range pointers {
		p.Line("%s", line)
	}
}

// names reports whether a name is in text.
func names(text, name string) bool {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).MatchString(text)
}

// condition returns the condition that rows have whole cache lines, each step those before the ones of the step before.
func (p *pass) condition() string {
	v := p.step.Groups[0].Vectors
	text := fmt.Sprintf("%s && %s[0] <= %s[0] && (%s[0] - %s[0] + 1) %% %d == 0", p.whole, p.starts, p.ends, p.ends, p.starts, v.Lanes)
	for k := int64(1); k < p.of.Steps; k++ {
		for _, name := range []string{p.starts, p.ends} {
			text += fmt.Sprintf(" && %s[%d] == %s[0] - %d", name, k, name, k*p.of.Places)
		}
	}
	for _, limit := range v.Limits {
		if limit.Coef(cpu.RowEnd) == 0 { // else that of the last vector of the row
			text += fmt.Sprintf(" && %s[0]%s <= %s", p.ends, ctext.Plus(1-v.Lanes), p.Expr(limit))
		}
	}
	return text
}

// rowLoop prints the rows of all steps.
func (p *pass) rowLoop(single *point) {
	var from, to []affine.Expr
	var all []string
	for k := range p.of.Steps {
		behind := k * p.of.Rows
		low, high := fmt.Sprintf("%s[%d]", p.lows, k), fmt.Sprintf("%s[%d]", p.highs, k)
		from, to = append(from, affine.Var(low).Add(behind)), append(to, affine.Var(high).Add(behind))
		at := p.at + ctext.Plus(-behind)
		all = append(all, fmt.Sprintf("%s <= %s && %s <= %s", low, at, at, high))
	}
	p.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s; %s++)", p.Index, p.at, p.Expr(affine.MinOf(from...)), p.at, p.Expr(affine.MaxOf(to...)), p.at), func() {
		p.Line("if (%s) {", strings.Join(all, " && "))
		p.Depth++
		p.together()
		p.Depth--
		p.Line("} else {")
		p.Depth++
		p.apart(single)
		p.Depth--
		p.Line("}")
	})
}

// together prints a row of all steps.
func (p *pass) together() {
	p.Line("const %v %s = %s;", p.Index, p.step.Loops[0].Var, p.at)
	p.iterators(0)
	here := []string{p.start, p.stop}
	for _, q := range p.rows {
		p.Line("%s", q.variable())
		here = append(here, q.name)
	}
	p.Line("%v %s = %s[0], %s = %s[0];", p.Index, p.start, p.starts, p.stop, p.ends)
	for k, a := range p.fetches {
		if len(a.starts) == 0 {
			continue
		}
		p.Braces("", func() {
			if a.grows != "" {
				p.Line("const %v %s = %s%s, %s = %s%s;", p.Index, p.count, p.first, ctext.Plus(int64(k)), p.step.Loops[0].Var, p.at, ctext.Plus(-int64(k)*p.of.Rows))
				p.Line("const %v %s = %s[%d], %s = %s[%d];", p.Index, p.least, p.lows, k, p.most, p.highs, k)
			}
			p.fetch(group{Group: cpu.Group{Size: 1}, ahead: a})
		})
	}
	for _, line := range p.begin {
		p.Line("%s", line)
	}
	for _, name := range here {
		p.Line("HEXCC_HERE(%s);", name)
	}
	p.Braces(fmt.Sprintf("for (; %s <= %s; %s += %d)", p.start, p.stop, p.start, p.step.Groups[0].Vectors.Lanes), func() {
		p.vector(p.start, slices.Concat(p.body, p.next))
	})
}

// apart prints the rows of those steps that have one, step by step.
func (p *pass) apart(single *point) {
	p.eachTurn(func(turn string) {
		at := p.step.Loops[0].Var
		p.Line("const %v %s = %s - (%s) * %d;", p.Index, at, p.at, turn, p.of.Rows)
		p.Line("if (%s < %s[%s] || %s[%s] < %s)", at, p.lows, turn, p.highs, turn, at)
		p.Line("  continue;")
		if p.step.Grows > 0 {
			p.Line("const %v %s = %s[%s], %s = %s[%s];", p.Index, p.least, p.lows, turn, p.most, p.highs, turn)
		}
		single.iterators(-1)
		for _, q := range single.pointers {
			p.Line("%s", q.declaration())
		}
		single.iterators(0)
		single.row(single.groups[0])
	})
}

// passHead says where steps run in one pass.
const passHead = `
// Steps of a tile in one pass over rows, in such vectors. With -DHEXCC_PASSES=0 they run one by one.
#if !defined HEXCC_PASSES && HEXCC_VECTORS
#define HEXCC_PASSES 1
#endif
`

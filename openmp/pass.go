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
//	      if all steps have their rows: all of them, a cache line at a time, as one vector or two halves
//	      else: those that have, step by step
//	    go on behind the last step

// A pass prints one of them. Its text is over the iterators of the first row of its first step.
type pass struct {
	*point
	of *cpu.Pass
	// Names: the first step, the row of it, whether cache lines are whole, where the row before begins, and the first and last row and place of each step.
	first, at, whole, before, lows, highs, starts, ends string
	lines                                               lineText  // in vectors that fill cache lines
	halves                                              *lineText // in halves of them; nil: not at all
	fetches                                             []ahead   // by step
}

// A lineText is what runs in a row, a cache line at a time.
type lineText struct {
	begin, body, next []string // before the first line, for each, and behind it
	stored            []string // the names of what the step before has stored, by row
	parts             int
}

// pass prints the pass of a tile, in its loop over steps.
func (r *region) pass(n cpu.Tile) {
	s := n.Steps[0]
	single := newPoint(r, s, n.Var)
	name := func(want string) string { return r.own("pass", want) }
	p := &pass{
		point: &point{region: r, step: s, count: n.Var, used: map[string]bool{}, values: map[string]affine.Sum{}}, of: n.Pass,
		first: name("first"), at: name("row"), whole: name("whole"), before: name("before"), lows: name("lows"), highs: name("highs"), starts: name("starts"), ends: name("ends"),
	}
	if !calls(s) {
		p.halves = &lineText{}
	}
	p.text()
	if p.halves != nil {
		r.Raw("#if HEXCC_PASSES && (HEXCC_VECTORS || HEXCC_HALVES)\n")
	} else {
		r.Raw("#if HEXCC_PASSES && HEXCC_VECTORS\n")
	}
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

// calls reports whether the body of s calls functions.
func calls(s *cpu.Step) (found bool) {
	for _, action := range s.Stmt.Actions() {
		scop.Visit(scop.Assigned(action), func(e scop.Expr) {
			_, call := e.(scop.Call)
			found = found || call
		})
	}
	return found
}

// text makes the text of rows of all steps, and notes what it uses.
func (p *pass) text() {
	for _, name := range p.step.Stmt.Iters {
		delete(p.Uses, p.iters[name])
	}
	for k := range p.of.Steps {
		p.inVectors(k)
		if p.halves != nil {
			p.inHalves(k)
		}
		p.fetches = append(p.fetches, p.fetchedAhead(k))
	}
	clear(p.values)
	for _, name := range p.step.Stmt.Iters {
		p.used[p.iters[name]] = p.Uses[p.iters[name]]
	}
}

// turn makes iterators those of step k, at a row of those side by side.
func (p *pass) turn(k int64, row int) {
	clear(p.values)
	for i, at := range p.of.At(p.step, p.count, k, int64(row)) {
		p.values[p.step.Stmt.Iters[i]] = at
	}
}

// fetchedAhead returns the text of what step k fetches for that of the next pass.
func (p *pass) fetchedAhead(k int64) ahead {
	return p.aheadOf(cpu.Group{Size: int(p.of.Beside), Fetch: p.of.Fetch}, p.of.Ahead.Grows, func(row int) { p.turn(k, row) })
}

// eachTurn prints a loop over the steps of the pass; turn is the number of one.
func (p *pass) eachTurn(body func(turn string)) {
	p.Braces(fmt.Sprintf("for (%v %s = %s; %s < %s + %d; %s++)", p.Index, p.count, p.first, p.count, p.first, p.of.Steps, p.count), func() {
		body(fmt.Sprintf("%s - %s", p.count, p.first))
	})
}

// wayBytes is how far apart lines lie that fall on the same places of the first cache: a way of it, of 48 KiB in 12 ways as of 32 KiB in 8.
const wayBytes = 4096

// bounds prints the rows of all steps, and whether these start cache lines: the first two of each do. In whole vectors, rows that fall on the same places of the first cache
// run step by step: there are more of them at once in a pass than it has ways for.
func (p *pass) bounds(single *point) {
	rows, places := p.step.Loops[0], p.step.Loops[1]
	p.Line("const %v %s = %s;", p.Index, p.first, p.count)
	n := p.of.Steps
	p.Line("%v %s[%d], %s[%d], %s[%d], %s[%d];", p.Index, p.lows, n, p.highs, n, p.starts, n, p.ends, n)
	p.Line("int %s = 1;", p.whole)
	p.Raw("#if HEXCC_VECTORS\n")
	p.Line("__UINTPTR_TYPE__ %s = 0;", p.before)
	p.Raw("#endif\n")
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
			p.Raw("#if HEXCC_VECTORS\n")
			p.Line("%s &= %s == %s[%s] || (%s - %s) %% %d != 0; // rows that do not fall on each other in the cache", p.whole, rows.Var, p.lows, turn, address, p.before, wayBytes)
			p.Line("%s = %s;", p.before, address)
			p.Raw("#endif\n")
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
		all = append(all, fmt.Sprintf("%s <= %s && %s%s <= %s", low, at, p.at, ctext.Plus(p.of.Beside-1-behind), high))
	}
	p.Braces(fmt.Sprintf("for (%v %s = %s; %s <= %s;)", p.Index, p.at, p.Expr(affine.MinOf(from...)), p.at, p.Expr(affine.MaxOf(to...))), func() {
		p.Line("if (%s) {", strings.Join(all, " && "))
		p.Depth++
		p.together()
		p.Line("%s += %d;", p.at, p.of.Beside)
		p.Depth--
		p.Line("} else {")
		p.Depth++
		p.apart(single)
		p.Line("%s++;", p.at)
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
			p.fetch(group{Group: cpu.Group{Size: int(p.of.Beside)}, ahead: a})
		})
	}
	loop := func(text lineText) {
		for _, line := range text.begin {
			p.Line("%s", line)
		}
		for _, name := range here {
			p.Line("HEXCC_HERE(%s);", name)
		}
		p.Braces(fmt.Sprintf("for (; %s <= %s; %s += %d)", p.start, p.stop, p.start, p.of.Vectors.Lanes), func() {
			p.vector(p.start, slices.Concat(text.body, text.next))
		})
	}
	if p.halves == nil {
		loop(p.lines)
		return
	}
	p.Raw("#if HEXCC_VECTORS\n")
	loop(p.lines)
	p.Raw("#else\n")
	loop(*p.halves)
	p.Raw("#endif\n")
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

// passHead says where steps run in one pass, and what lies between two lines.
const passHead = `
// Steps of a tile in one pass over rows, in such vectors or halves. With -DHEXCC_PASSES=0 they run one by one.
#if !defined HEXCC_PASSES && (HEXCC_VECTORS || HEXCC_HALVES) && defined __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define HEXCC_PASSES 1
#endif
#endif
#if HEXCC_PASSES && HEXCC_HALVES
#define HEXCC_HALF(k, a, b) ((k) == 0 ? (a).low : (k) == 1 ? (a).high : (k) == 2 ? (b).low : (b).high)
#define HEXCC_ACROSS8(k, a, b) \
  __builtin_shufflevector(HEXCC_HALF((k) / 4, a, b), HEXCC_HALF((k) / 4 + 1, a, b), (k) % 4, (k) % 4 + 1, (k) % 4 + 2, (k) % 4 + 3)
#define HEXCC_ACROSS16(k, a, b) \
  __builtin_shufflevector(HEXCC_HALF((k) / 8, a, b), HEXCC_HALF((k) / 8 + 1, a, b), (k) % 8, (k) % 8 + 1, (k) % 8 + 2, (k) % 8 + 3, \
    (k) % 8 + 4, (k) % 8 + 5, (k) % 8 + 6, (k) % 8 + 7)
// The elements from element k on, 0 < k, of a followed by b.
#define HEXCC_BETWEEN8(k, a, b) {HEXCC_ACROSS8(k, a, b), HEXCC_ACROSS8((k) + 4, a, b)}
#define HEXCC_BETWEEN16(k, a, b) {HEXCC_ACROSS16(k, a, b), HEXCC_ACROSS16((k) + 8, a, b)}
#endif
`

const passTail = `
#undef HEXCC_HALF
#undef HEXCC_ACROSS8
#undef HEXCC_ACROSS16
#undef HEXCC_BETWEEN8
#undef HEXCC_BETWEEN16
`

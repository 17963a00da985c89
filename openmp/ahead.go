package openmp

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/cpu"
)

// This file fetches, while a step runs, what the next one is the first to touch: where rows start
// then, and rows that the hexagon does not reach yet. Processors fetch rows by themselves once they
// have begun to be read. Addresses are numbers: they may lie outside of arrays.

// An ahead is the text that fetches while a row runs, or several side by side.
type ahead struct {
	starts []string // fetches where rows start in the next step
	grown  []string // the addresses of rows before the first and after the last
	grows  string   // the condition that there are such rows
}

// ahead returns the text for what to fetch while a group runs.
func (p *point) ahead(g cpu.Group) (a ahead) {
	a = p.aheadOf(g, p.step.Grows, p.shift)
	p.shift(0)
	return a
}

// aheadOf returns the text for what to fetch while a group runs, of whose rows shift chooses one; there are rows beyond while the step is less than grows.
func (p *point) aheadOf(g cpu.Group, grows int64, shift func(row int)) (a ahead) {
	for k, f := range g.Fetch {
		shift(f.Row)
		next := p.numbered("next", k)
		var starts, grown []string
		for _, at := range f.Lines {
			starts = append(starts, fetch(next, at))
		}
		if f.Beyond {
			grown = p.beyond(f.Rows, next)
		}
		if len(starts)+len(grown) == 0 {
			continue
		}
		at, index := p.element(f.From)
		a.starts = append(a.starts, fmt.Sprintf("const __UINTPTR_TYPE__ %s = (__UINTPTR_TYPE__)%s + (%s) * %d;", next, at,
			p.Expr(p.fromStart(index).Add(-f.Since)), f.From.Array.Elem.Size()))
		a.starts, a.grown = append(a.starts, starts...), append(a.grown, grown...)
	}
	if len(a.grown) > 0 {
		a.grows = fmt.Sprintf("%s < %d", p.Use(p.count), grows)
	}
	return a
}

// beyond returns the addresses where the rows before the first and after the last start.
func (p *point) beyond(rows cpu.Rows, next string) (addresses []string) {
	add := func(edge string, by [2]int64) {
		for k := by[0]; k <= by[1]; k++ {
			distance := affine.Var(edge).Minus(affine.Var(p.step.Loops[0].Var)).Add(k)
			addresses = append(addresses, fmt.Sprintf("%s + (%s) * %s", next, p.Expr(distance), p.rowBytes(rows)))
		}
	}
	add(p.least, rows.Before)
	add(p.most, rows.After)
	return addresses
}

// rowBytes returns the bytes from row to row along the first dimension.
func (p *point) rowBytes(rows cpu.Rows) string {
	var factors []string
	a := rows.From.Array
	for d := rows.Index + 1; d < len(a.Extents); d++ {
		factors = append(factors, p.Factor(p.extent(a, d)))
	}
	return strings.Join(append(factors, fmt.Sprint(rows.From.Array.Elem.Size())), " * ")
}

// fetch returns the statement that fetches the line of an address.
func fetch(from string, bytes int64) string {
	if bytes == 0 {
		return fmt.Sprintf("HEXCC_FETCH(%s);", from)
	}
	return fmt.Sprintf("HEXCC_FETCH(%s + %d);", from, bytes)
}

// fetch prints what runs before a row, or several.
func (p *point) fetch(g group) {
	a := g.ahead
	if len(a.starts) == 0 {
		return
	}
	if where := p.fetching(); where != "" {
		p.Braces("if ("+where+")", func() { p.fetchAhead(g, a) })
		return
	}
	p.fetchAhead(g, a)
}

// fetchAhead prints what fetches a.
func (p *point) fetchAhead(g group, a ahead) {
	for _, line := range a.starts {
		p.Line("%s", line)
	}
	if a.grows == "" {
		return
	}
	side := 1
	if len(p.step.Loops) == 2 {
		side = g.Size
	}
	elements := cacheLine / int64(p.step.Align.Array.Elem.Size())
	first := p.step.Loops[0].Var
	p.Braces("if ("+a.grows+")", func() {
		p.Line("const %v %s = (%s - %s) / %d + 2, %s = %s / (%s - %s + 1) + 1;", p.Index, p.lineCount, p.stop, p.start, elements,
			p.share, p.lineCount, p.most, p.least)
		var names []string
		for k, address := range a.grown {
			names = append(names, p.numbered("row", k))
			p.Line("__UINTPTR_TYPE__ %s = %s;", names[k], address)
			p.Line("HEXCC_HERE(%s);", names[k])
		}
		p.Braces(fmt.Sprintf("for (%v %s = (%s - %s) * %s; %s < (%s - %s + %d) * %s && %s < %s; %s++)", p.Index, p.line, first, p.least, p.share,
			p.line, first, p.least, side, p.share, p.line, p.lineCount, p.line), func() {
			for _, name := range names {
				p.Line("HEXCC_FETCH(%s + %s * %d);", name, p.line, cacheLine)
			}
		})
	})
}

// fetchHead says how a line is fetched, and keeps compilers from computing addresses for
// it beside those of loops: they would spill both. Addresses of a loop that are computed just before it stay in registers.
const fetchHead = `
#define HEXCC_FETCH(address) __builtin_prefetch((const void *)(address))
#define HEXCC_HERE(address) __asm__("" : "+r"(address)) /* compute it here, not step by step in loops outside */
`

const fetchTail = `
#undef HEXCC_FETCH
#undef HEXCC_HERE
`

package kerneltext

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
)

// This file prints the turns of warps that run no step of the program in a chain: they bring rows that the next warp reads, and do their part of what all threads copy.

// needed returns the columns of the lane that a FetchRow brings, as far as they lie between bounds.
func needed(op gpu.FetchRow) mask {
	return mask{within: &gpu.Columns{Lo: op.Need[0], Hi: op.Need[1]}}
}

// feedMasks notes the masks of what the stage brings.
func (p *stage) feedMasks(b *beat) {
	for _, ops := range p.Feeds {
		for _, op := range ops {
			b.feed(op, func(astgen.Cond) string { return "" })
		}
	}
}

// feed returns as bits which columns of the lane are brought; cond returns the text of a condition on the row.
func (b *beat) feed(op gpu.FetchRow, cond func(astgen.Cond) string) string {
	var all []string
	for _, rows := range op.Element.Exists {
		m := needed(op)
		var rest []affine.Expr
		for _, e := range rows {
			if row := sum(e); row.Coef(b.streamer.Vars.At) != 0 {
				m.at = append(m.at, row)
			} else {
				rest = append(rest, row)
			}
		}
		text := fmt.Sprintf("%s[%d]", b.maskedAt(), b.st.mask(m)*b.st.Threads())
		if c := cond(conj(rest...)); c != "" {
			text = fmt.Sprintf("(%s ? %s : 0u)", c, text)
		}
		all = append(all, text)
	}
	return strings.Join(all, " | ")
}

// rest prints a turn of a warp that runs no step.
func (p *stage) rest(copies rowCopier) *function {
	v, index := p.Vars, p.spelled.Index
	i, start, bits := p.spelled.own("i"), p.spelled.own("start"), p.spelled.own("mask")
	s := p.scope()
	body := p.scope()
	body.Depth = 2
	b := &beat{scope: body, st: p, passed: map[string]string{}}
	for _, op := range p.Feeds[0] {
		b.bring(op, bits, fmt.Sprintf("(%s + %d) %% %d", i, p.FeedAhead(), p.Slots))
	}
	if copies != nil {
		body.Line("%s;", copies.call(body, p, guardedTurn, 0, 1, i, v.Beat))
	}
	body.Line("if ((%s) %% %d == %d)", i, p.Period, p.Period-1)
	body.Line("  %s;", p.passing())
	delete(body.Uses, v.Beat)
	s.Uses = body.Uses
	text := body.Buf.String()
	beat := ""
	if regexp.MustCompile(`\b` + v.Beat + `\b`).MatchString(text) {
		beat = fmt.Sprintf("const %v %s = %s + %s;", index, v.Beat, start, i)
	}
	s.about(s)
	var words []int // that are asked for
	for word := range p.whenWords() {
		if strings.Contains(text, p.when(word)) {
			words = append(words, word)
		}
	}
	p.duringBits(s, words, start)
	b.declare(s)
	delete(s.Uses, b.maskedAt())
	s.Line("#pragma unroll 1")
	s.Braces(fmt.Sprintf("for (int %s = 0; %s < %d; %s += 1)", i, i, p.Turn, i), func() {
		if beat != "" {
			s.Line("%s", beat)
		}
		for _, word := range words {
			s.Line("const unsigned %s = %s;", p.when(word), p.ballot(fmt.Sprintf("%s >> %s & 1", p.during(word), i)))
		}
		s.Raw(text)
	})
	var own []param
	if copies != nil {
		own = append(own, copies.param())
	}
	own = append(own, param{start, index.String() + " " + start})
	return s.define("rest", fmt.Sprintf("%d beats of a warp of %s that runs no step in the chain.", p.Turn, p.warps()), "", "void", own)
}

// bring prints that columns of a row are copied to shared memory.
func (b *beat) bring(op gpu.FetchRow, bits, slot string) {
	r, elem := b.layout.rings[op.Ring.Name], op.Ring.Array.Elem.InMemory()
	b.Braces("", func() {
		first := b.spelledName("first")
		b.Line("const %v %s = %s;", b.streamer.spelled.Index, first, b.lane0())
		b.Line("const unsigned %s = %s;", bits, b.feed(op, b.Cond))
		b.Line("if (%s != 0)", bits)
		b.Line("  hexcc_bring<%d, %d>(%s, %s, %s);", b.st.Columns, r.chunk, b.ring(elem, op.Ring, op.To, slot, "("+b.use(b.lane())+" + 1)"), bits, b.element(op.Element))
	})
}

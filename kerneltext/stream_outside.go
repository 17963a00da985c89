package kerneltext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
)

// This file prints what turns that are not full do with the lines beside a domain, each of which a warp copies to shared memory some beats before it sets a row to it. Which of its
// lines are such is the same in all beats of a chain: when it begins, the warp notes where the elements of column 0 are, and as bits which of them there are.

// farLines returns what the stage copies of lines in a beat.
func (p *stage) farLines() (all []gpu.FetchLine) {
	for _, op := range p.Beats[0] {
		if op, ok := op.(gpu.FetchLine); ok {
			all = append(all, op)
		}
	}
	return all
}

// linesName names the bits that say which of the stage's FetchLines a warp does in a chain.
func (p *streamer) linesName() string { return p.spelled.own("lines") }

// lineBytes returns the room for those bits, and for where their elements are, of a warp.
func (p *stage) lineBytes() int { return 8 * (1 + len(p.farLines())) }

// lineKept returns where the warp keeps them: the bits, then the addresses that elements would have at beat 0.
func (p *stage) lineKept(s *scope, qualifier string) string {
	return fmt.Sprintf("%s + %d * %s", p.sharedAt(qualifier+"long", p.linesAt), 1+len(p.farLines()), p.warpHere(s))
}

// parted returns the rows of a condition of one alternative that are about columns, about beats, and about neither.
func (p *streamer) parted(c astgen.Cond) (columns, beats, chain []affine.Expr) {
	for _, e := range c[0] {
		switch x := sum(e); {
		case x.Coef(p.Vars.At) != 0:
			columns = append(columns, e)
		case x.Coef(p.Vars.Beat) != 0:
			beats = append(beats, e)
		default:
			chain = append(chain, e)
		}
	}
	return columns, beats, chain
}

// beginLines prints what notes the lines beside domains that the warp has.
func (p *stage) beginLines(s *scope) {
	all := p.farLines()
	if len(all) == 0 {
		return
	}
	kept, lines, v := p.spelled.own("kept"), p.linesName(), p.Vars
	s.Line("// lines of the warp that are beside a domain")
	s.Braces(fmt.Sprintf("if (%s == 0)", s.use(p.lane())), func() {
		s.Line("%s *const %s = %s;", p.inShared("long"), kept, p.lineKept(s, ""))
		s.Line("unsigned %s = 0;", lines)
		for i, op := range all {
			for _, x := range op.Lines {
				_, _, exists := p.parted(x.Element.Exists)
				var where astgen.Cond
				for _, rows := range x.Where {
					where = append(where, slices.Concat(rows, exists))
				}
				s.Braces("if ("+s.Cond(where)+")", func() {
					s.Line("const %v %s = %s;", p.spelled.Index, v.At, s.Expr(affine.Var(v.Column).Plus(p.Origin)))
					s.Line("%s[%d] = (long)&%s - %s * (%s) * %d;", kept, i+1, s.ref(gpu.Ref{Array: x.Element.Array, Index: x.Element.Index}), s.use(v.Beat), s.strideOf(x.Element, v.Beat), x.Element.Array.Elem.Size())
					s.Line("%s |= %#xu;", lines, 1<<i)
					delete(s.Uses, v.At)
				})
			}
		}
		s.Line("%s[0] = %s;", kept, lines)
	})
}

// turnLines prints what a turn knows of lines.
func (p *stage) turnLines(s *scope) {
	if len(p.farLines()) > 0 {
		s.Line("const unsigned %s = (unsigned)(%s)[0];", p.linesName(), p.lineKept(s, "const "))
	}
}

// lineCopied returns as bits which columns of the lane a FetchLine copies, and the condition that there are some in this beat, "" for all.
func (b *beat) lineCopied(op gpu.FetchLine) (columns, when string) {
	at, beats, _ := b.streamer.parted(op.Lines[0].Element.Exists)
	m := mask{within: &gpu.Columns{Lo: op.Need[0], Hi: op.Need[1]}}
	for _, e := range at {
		m.at = append(m.at, sum(e))
	}
	if len(beats) > 0 {
		when = b.bit(b.st.whens(conj(beats...))[0].beats)
	}
	return fmt.Sprintf("%s[%d]", b.maskedAt(), b.st.mask(m)*b.st.Threads()), when
}

// fetchLines prints the copies of lines of a beat.
func (b *beat) fetchLines(run []gpu.FetchLine) {
	p, st := b.streamer, b.st
	b.Braces(fmt.Sprintf("if (!%s && %s != 0)", b.use(b.full()), b.use(p.linesName())), func() {
		for i, op := range run {
			r, elem := b.layout.rings[op.Ring.Name], op.Ring.Array.Elem.InMemory()
			columns, when := b.lineCopied(op)
			b.Line("if (%s)", and(fmt.Sprintf("%s >> %d & 1", p.linesName(), i), when))
			from := fmt.Sprintf("(%s)(%s)[%d] + (%s * (%s) + %d * %s)", p.inGlobal("const "+elem+" *"), st.lineKept(b.scope, "const "), i+1,
				b.use(p.Vars.Beat), b.strideOf(op.Lines[0].Element, p.Vars.Beat), st.Columns, b.use(b.lane()))
			b.Line("  %s;", b.generic("hexcc_bring_line", op.Ring.Array, numbers(st.Columns, r.chunk), b.outer(elem, op.Ring, b.slot("bring", op.Ring.Name, op.Slot))+ctext.Plus(int64(r.chunk)), columns, from))
		}
	})
}

// outer returns where the columns of a lane begin in a slot of the warp's number of a ring of lines beside domains, less those of the lane before.
func (b *beat) outer(elem string, of *gpu.Ring, slot string) string {
	r, number := b.layout.rings[of.Name], slot
	if of.Numbers > 1 {
		number = fmt.Sprintf("(%s * %d + %s)", b.st.warpHere(b.scope), b.st.Slots, slot)
	}
	return fmt.Sprintf("%s + %s * %d + %d * %s", b.sharedAt(elem, r.at), number, r.slot, r.chunk, b.use(b.lane()))
}

// outside prints that a row is set to a line beside the domain, where it is one.
func (b *beat) outside(op gpu.Patch) {
	x := op.Beside
	if x == nil || x.Lines == nil {
		return
	}
	r, elem, left := b.layout.rings[x.Lines.Name], x.Lines.Array.Elem.InMemory(), b.st.Rows[op.Row].Left
	row, slot := b.row(op.Row), b.slot("line", x.Lines.Name, x.Slot)
	var gets []string
	for c := range b.st.Columns / r.chunk {
		gets = append(gets, b.generic("hexcc_get", x.Lines.Array, numbers(r.chunk), fmt.Sprintf("%s + %d", row, left+c*r.chunk), b.outer("const "+elem, x.Lines, slot)+ctext.Plus(int64(r.chunkAt(b.st.Columns, c))))+";")
	}
	head := fmt.Sprintf("if (!%s && %s)", b.use(b.full()), b.somewhere(x.Outside))
	if len(gets) == 1 {
		b.Line("%s", head)
		b.Line("  %s", gets[0])
		return
	}
	b.Braces(head, func() { b.Line("%s", strings.Join(gets, " ")) })
}

// somewhere returns that an alternative of c holds, none of which is about columns.
func (b *beat) somewhere(c astgen.Cond) string {
	text, ok := b.none(c)
	if !ok {
		panic(fmt.Sprintf("kerneltext: lines are beside a domain where %v", c))
	}
	return "!(" + text + ")"
}

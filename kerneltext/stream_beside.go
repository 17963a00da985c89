package kerneltext

import (
	"fmt"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
)

// This file prints what turns that are not full do with the columns beside a domain, which have been copied to shared memory some beats before.
// Which columns of a lane they are is the same in all beats of a chain: bits, and behind these where the first of the elements is, or, if a lane has
// no more than one, where that is.

// placeBit is from where on a word of bits of columns says where the elements of the lane are.
const placeBit = 16

// geometry returns margins with elements counted from the first: where that is alike, lanes have the same of them.
func geometry(all []gpu.Margin) (out []gpu.Margin) {
	for _, m := range all {
		m.Element -= all[0].Element
		out = append(out, m)
	}
	return out
}

// single reports whether a lane has one column of these, at most.
func single(all []gpu.Margin) bool {
	for _, m := range all {
		if m.Count > 1 {
			return false
		}
	}
	return true
}

// beginMargins prints what notes the columns of margins that a lane has.
func (p *stage) beginMargins(s *scope, all []gpu.Margin, to string) {
	first, index := p.spelled.own("first"), p.spelled.Index
	bits := p.spelled.own("bits")
	s.Line("%s = 0; // columns beside a domain", to)
	for _, m := range geometry(all) {
		s.Braces("", func() {
			at := func(n int64) string { return fmt.Sprintf("(%v)(%s)", index, s.less(m.At.Add(n), first)) }
			s.Line("const unsigned %s = hexcc_bits(%s, %s) & %#xu;", bits, at(0), at(int64(m.Count-1)), uint64(1)<<p.Columns-1)
			place := fmt.Sprint(m.Element)
			if !single(all) { // of column 0, and Columns more, so that it is not negative
				place = fmt.Sprintf("(unsigned)(%d - (int)(%s))", m.Element+p.Columns, s.less(m.At, first))
			}
			s.Line("if (%s != 0)", bits)
			s.Line("  %s = %s | %s << %d;", to, bits, place, placeBit)
		})
	}
}

// besides and some are names of what a lane has of margins of a kind, and of whether any lane of the warp has some.
func (p *streamer) besides(n int) string { return p.spelled.own(fmt.Sprintf("beside%d", n)) }
func (p *streamer) some(n int) string    { return p.spelled.own(fmt.Sprintf("some%d", n)) }

// beside prints that the columns of a row which are beside a domain are set.
func (b *beat) beside(op gpu.Patch) {
	x := op.Beside
	if x == nil || len(x.Margins) == 0 {
		return
	}
	n := b.st.mask(mask{margins: x.Margins})
	bits, left := b.use(b.streamer.besides(n)), b.st.Rows[op.Row].Left
	row, slot := b.row(op.Row), b.slot("beside", x.Edge.Name, x.Slot)
	from := b.edge(x.Edge, slot, fmt.Sprintf("%s + (int)(%s >> %d)", ctext.Plus(int64(x.Margins[0].Element)), bits, placeBit))
	columns, head, some := bits, "", b.unlessSteady(b.use(b.some(n)))
	switch {
	case b.st.selects(x.Margins):
		b.blend(n, row, left, from)
		head, some = "else ", b.some(n)
	case b.st.steadies:
		// kept in a register, what it says of columns would take more of them than there are
		columns = fmt.Sprintf("%s ? ((%s *)%s)[%d] : %s", b.use(b.steady()), b.inShared("const volatile unsigned"), b.maskedAt(), n*b.st.Threads(), bits)
	}
	b.Line("%sif (!%s && %s)", head, b.use(b.full()), some)
	if single(x.Margins) {
		b.Line("  %s;", b.generic("hexcc_hold", x.Edge.Array, numbers(b.st.Columns), fmt.Sprintf("%s + %d", row, left), columns, fmt.Sprintf("*(%s)", from)))
		return
	}
	b.Line("  %s;", b.generic("hexcc_beside", x.Edge.Array, numbers(b.st.Columns), fmt.Sprintf("%s + %d", row, left), columns, fmt.Sprintf("%s - %d", from, b.st.Columns)))
}

// turnMargins prints what a turn knows of margins, and of lines beside domains.
func (p *stage) turnMargins(s *scope, kind turnKind) {
	p.turnLines(s)
	for n, m := range p.masks {
		if len(m.margins) == 0 {
			continue
		}
		s.Line("const unsigned %s = (%s + %s)[%d];", p.besides(n), p.sharedAt("const unsigned", p.masksAt), s.use(p.thread()), n*p.Threads())
		switch {
		case kind == guardedTurn:
			s.Line("const bool %s = %s != 0;", p.some(n), p.ballot(p.besides(n)+" != 0"))
		case p.selects(m.margins):
			p.turnEdges(s, n)
		}
	}
	if p.Margins == nil {
		return
	}
	v, at, elem := p.Vars, p.marginAt(), p.Margins.Groups[0].Element.Array.Elem.InMemory()
	by := p.strides(p.Margins)
	kept := p.spelled.own("kept")
	s.Line("%s *const %s = %s;", p.inShared("const long"), kept, p.marginKept(s))
	if by == "" {
		s.Line("const long %s_by = %s[1];", at, kept)
		by = at + "_by"
	} else {
		by = s.strideOf(p.Margins.Groups[0].Element, v.Beat)
	}
	pointer := p.inGlobal("const " + elem + " *")
	s.Line("%s", p.changed(pointer, at, fmt.Sprintf("(%s)%s[0] + (%s - %s) * (%s)", pointer, kept, v.Beat, p.noted("lo"), by)))
}

// marginAt names the pointer to the element of a margin that a lane copies next.
func (p *streamer) marginAt() string { return p.spelled.own("margin_at") }

// marginKept returns where a thread keeps where that is in the first beat of a chain, and how far it moves in a beat if that is not the same in all lanes.
func (p *stage) marginKept(s *scope) string {
	return fmt.Sprintf("%s + 2 * %s", p.sharedAt("long", p.marginsAt), s.use(p.thread()))
}

// beginMargin prints the first elements of margins.
func (p *stage) beginMargin(s *scope) {
	if p.Margins == nil {
		return
	}
	kept := p.spelled.own("kept")
	p.beginCursor(s, p.Margins, 0, func(x gpu.Element, of *gpu.Group) {
		s.Line("%s *const %s = %s;", p.inShared("long"), kept, p.marginKept(s))
		if of == nil {
			s.Line("%s[0] = %s[1] = 0;", kept, kept)
			return
		}
		s.Line("%s[0] = (long)&%s;", kept, s.ref(gpu.Ref{Array: x.Array, Index: x.Index}))
		s.Line("%s[1] = %s;", kept, s.strideOf(of.Element, p.Vars.Beat))
	})
}

// fetchMargin prints that elements of margins are copied, and that the pointer moves on.
func (b *beat) fetchMargin(op gpu.Fetch) {
	p, st := b.streamer, b.st
	at := b.use(p.marginAt())
	slot := b.slot("fetch margin", op.Edge.Name, op.Slot)
	b.Braces(fmt.Sprintf("if (!%s)", b.use(b.full())), func() {
		b.Line("if (%s)", b.copies(op.Cursor, 0))
		b.Line("  hexcc_fetch(%s, %s);", b.edge(op.Edge, slot, " + "+b.use(b.lane())), p.referred(at))
		by := st.strides(op.Cursor)
		if by == "" {
			by = b.use(at + "_by")
		} else {
			by = b.strideOf(op.Cursor.Groups[0].Element, p.Vars.Beat)
		}
		b.Line("%s += %s;", p.referred(at), by)
	})
}

// atColumn returns a condition about the column that a statement of c stores.
func atColumn(c gpu.StoreColumn, at string) (out [][]affine.Expr) {
	for _, rows := range c.Domain {
		var all []affine.Expr
		for _, e := range rows {
			all = append(all, sum(e).Subst(map[string]affine.Sum{at: c.At}))
		}
		out = append(out, all)
	}
	return out
}

package kerneltext

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
)

// This file prints pointers that move on by a row each beat: of the elements that a lane copies in or out, of columns that are stored
// directly, and of whole rows.

// parts returns how many elements of c a lane may have.
func parts(c *gpu.Cursor) int { return (c.Elements() + gpu.WarpLanes - 1) / gpu.WarpLanes }

// cursor returns the member of what a warp holds that is the pointer for a part of c.
func (p *stage) cursor(c *gpu.Cursor, part int) string {
	if p.spelled.Dialect.Lanes.Together {
		return p.cursorMembers[c][part]
	}
	return fmt.Sprintf("at%d", p.layout.cursor[c]+part)
}

// fetches reports whether c is of elements that are copied in.
func (p *stage) fetches(c *gpu.Cursor) bool {
	for _, ops := range p.Beats {
		for _, op := range ops {
			if f, ok := op.(gpu.Fetch); ok && f.Cursor == c { // of margins, too
				return true
			}
		}
	}
	return false
}

func (p *stage) qualifier(c *gpu.Cursor) string {
	if p.fetches(c) {
		return "const "
	}
	return ""
}

func (p *stage) verb(c *gpu.Cursor) string {
	if p.fetches(c) {
		return "enters"
	}
	return "leaves to"
}

// strideOf returns by how many elements x moves in a beat.
func (s *scope) strideOf(x gpu.Element, along string) string {
	var all []string
	for d, e := range x.Index {
		sum, ok := e.(affine.Sum)
		if !ok {
			affine.Vars(e, func(name string) {
				if name == along {
					panic(fmt.Sprintf("kerneltext: %v does not move evenly with %s", e, along))
				}
			})
			continue
		}
		c := sum.Coef(along)
		if c == 0 {
			continue
		}
		text := s.factors(gpu.Stride{Array: x.Array, Dim: d}, "long")
		for _, q := range x.Array.Extents[d+1:] {
			s.Expr(s.Affine(q)) // notes the parameters
		}
		switch {
		case text == "":
			text = fmt.Sprint(c)
		case c == -1:
			text = "-(" + text + ")"
		case c != 1:
			text = fmt.Sprintf("%d * %s", c, text)
		}
		all = append(all, text)
	}
	if len(all) == 0 {
		return "0"
	}
	return strings.Join(all, " + ")
}

// strides returns by how much all elements of c move, "" if they differ.
func (p *stage) strides(c *gpu.Cursor) string {
	s := p.scope()
	text := s.strideOf(c.Groups[0].Element, p.Vars.Beat)
	for _, g := range c.Groups {
		if s.strideOf(g.Element, p.Vars.Beat) != text {
			return ""
		}
	}
	return text
}

// begin prints where pointers begin, at beat Beat.
func (p *stage) begin(s *scope) {
	for _, c := range p.Cursors {
		for part := range parts(c) {
			p.beginCursor(s, c, part, func(x gpu.Element, of *gpu.Group) { p.beginPointer(s, c, part, x, of) })
		}
	}
	p.beginMargin(s)
	for _, m := range p.columns {
		s.Braces("", func() {
			s.Line("const %v %s = %s;", p.spelled.Index, p.Vars.At, s.Expr(m.of.At))
			s.Line("%s = &%s;", p.held(m.member), s.ref(gpu.Ref{Array: m.of.Element.Array, Index: m.of.Element.Index}))
			delete(s.Uses, p.Vars.At)
		})
	}
}

// beginPointer prints that x is the first element of a lane, of a group; nil: it has none.
func (p *stage) beginPointer(s *scope, c *gpu.Cursor, part int, x gpu.Element, of *gpu.Group) {
	if of == nil {
		s.Line("%s = NULL;", p.held(p.cursor(c, part)))
		if p.strides(c) == "" {
			s.Line("%s_by = 0;", p.held(p.cursor(c, part)))
		}
		return
	}
	s.Line("%s = &%s;", p.held(p.cursor(c, part)), s.ref(gpu.Ref{Array: x.Array, Index: x.Index}))
	if p.strides(c) == "" {
		s.Line("%s_by = %s;", p.held(p.cursor(c, part)), s.strideOf(of.Element, p.Vars.Beat))
	}
}

// beginCursor prints in which beats the element of a lane is copied, and, by begin, where the first is, of some group; nil: it has none.
func (p *stage) beginCursor(s *scope, c *gpu.Cursor, part int, begin func(x gpu.Element, of *gpu.Group)) {
	pair, lane := p.spelled.own("pair"), s.use(p.lane())
	elements := ownElements(c, part)
	s.Braces("", func() {
		s.Line("%s *const %s = %s; // the beats in which the element is copied", p.inShared(p.spelled.Index.String()), pair, p.lanePairs(s, c, part))
		for alt := range p.alternatives(c) {
			var all [][]affine.Sum
			for i := range gpu.WarpLanes {
				rows := never()
				if i < len(elements) {
					rows = p.copiedRows(elements[i], alt)
				}
				all = append(all, rows)
			}
			s.beatRanges(pair+ctext.Plus(int64(2*alt)), all, lane)
		}
		forms := p.forms(elements)
		if len(forms) != 1 || len(elements) < gpu.WarpLanes {
			begin(gpu.Element{}, nil)
		}
		for k, f := range forms {
			head := ""
			switch {
			case len(forms) > 1:
				var of []affine.Sum // 1 for lanes of the form
				for i := range gpu.WarpLanes {
					_, has := f.sums[i]
					of = append(of, affine.Num(map[bool]int64{true: 1}[has]))
				}
				head = fmt.Sprintf("if (%s[%s])", s.table([][]affine.Sum{of}, "").name, lane)
			case len(elements) < gpu.WarpLanes:
				head = fmt.Sprintf("if (%s < %d)", lane, len(elements))
			}
			if k > 0 {
				head = "else " + head
			}
			s.Braces(head, func() {
				p.beginForm(s, f, begin)
			})
		}
	})
}

// copying returns the condition under which a lane has an element of a part of c, "" if all lanes of all warps do.
func (p *stage) copying(s *scope, c *gpu.Cursor, part int) string {
	var all []string
	from := -part * gpu.WarpLanes
	lane := s.use(p.lane())
	for i := 0; i < len(c.Groups); {
		span, lo := c.Groups[i].Warps, from
		for ; i < len(c.Groups) && c.Groups[i].Warps == span; i++ {
			from += c.Groups[i].Count
		}
		first, last := max(lo, 0), min(from, gpu.WarpLanes)
		if first >= last {
			continue
		}
		var lanes []string
		if first > 0 {
			lanes = append(lanes, fmt.Sprintf("%s >= %d", lane, first))
		}
		if last < gpu.WarpLanes {
			lanes = append(lanes, fmt.Sprintf("%s < %d", lane, last))
		}
		c := and(append(lanes, p.in(s, span))...)
		if c == "" {
			return ""
		}
		all = append(all, c)
	}
	if len(all) > 1 {
		for i := range all {
			all[i] = "(" + all[i] + ")"
		}
	}
	return strings.Join(all, " || ")
}

// eachPart prints what copies the parts of c, under their conditions, and moves the pointers on.
func (b *beat) eachPart(c *gpu.Cursor, copy func(part int, pointer string) string) {
	p, st := b.streamer, b.st
	for part := range parts(c) {
		b.use(p.state())
		pointer := st.held(st.cursor(c, part))
		has := st.copying(b.scope, c, part)
		if has == "" {
			has = "true"
		}
		b.Line("if (%s ? %s : %s)", b.use(p.full()), has, b.copies(c, part))
		b.Line("  %s;", copy(part, pointer))
		if by := st.strides(c); by != "" {
			b.Line("%s += %s;", pointer, b.strideOf(c.Groups[0].Element, p.Vars.Beat))
		} else {
			b.Line("%s += %s_by;", pointer, pointer)
		}
	}
}

// copies returns the condition that a lane has an element to copy of a part of c in this beat, of a turn that is not full.
func (b *beat) copies(c *gpu.Cursor, part int) string {
	word := fmt.Sprintf("*(%s) >> %s & 1", b.st.laneWord(b.scope, c, part), b.number())
	if !b.st.steadies {
		return word
	}
	return fmt.Sprintf("%s ? %s : %s", b.use(b.steady()), b.copiedBit(c, part), word)
}

func (b *beat) fetch(op gpu.Fetch) {
	if op.Border {
		b.fetchMargin(op)
		return
	}
	slot := b.slot("fetch", op.Edge.Name, op.Slot)
	b.eachPart(op.Cursor, func(part int, pointer string) string {
		return fmt.Sprintf("hexcc_fetch(%s, %s)", b.edge(op.Edge, slot, " + "+b.use(b.lane())+ctext.Plus(int64(part*gpu.WarpLanes))), pointer)
	})
}

func (b *beat) put(op gpu.Put) {
	slot := b.slot("leave", op.Edge.Name, op.Slot)
	b.Line("%s;", b.streamer.spelled.Dialect.Lanes.Meet)
	b.eachPart(op.Cursor, func(part int, pointer string) string {
		return fmt.Sprintf("*%s = *(%s)", pointer, b.edge(op.Edge, slot, " + "+b.use(b.lane())+ctext.Plus(int64(part*gpu.WarpLanes))))
	})
}

// findColumns finds the elements that StoreColumn stores to.
func (p *stage) findColumns() {
	for _, ops := range p.Beats {
		for _, op := range ops {
			if c, ok := op.(gpu.StoreColumn); ok {
				if _, _, known := p.moved(c); !known {
					s := p.scope()
					p.columns = append(p.columns, moving{member: fmt.Sprintf("to%d", len(p.columns)), stride: s.strideOf(c.Element, p.Vars.Beat), of: c})
				}
			}
		}
	}
}

// moved returns how far the element of c lies from one that a pointer moves with: so many elements along each dimension.
func (p *stage) moved(c gpu.StoreColumn) (m moving, apart []int64, ok bool) {
	at := func(c gpu.StoreColumn, e affine.Expr) affine.Expr {
		return affine.Subst(e, map[string]affine.Sum{p.Vars.At: c.At})
	}
next:
	for _, m := range p.columns {
		if m.of.Element.Array != c.Element.Array {
			continue
		}
		var apart []int64
		for d, e := range c.Element.Index {
			x, y := at(c, e), at(m.of, m.of.Element.Index[d])
			a, isSum := x.(affine.Sum)
			b, areSums := y.(affine.Sum)
			switch {
			case isSum && areSums && a.Parallel(b):
				apart = append(apart, a.Const-b.Const)
			case affine.Same(x, y):
				apart = append(apart, 0)
			default:
				continue next
			}
		}
		return m, apart, true
	}
	return m, nil, false
}

func (b *beat) storeColumn(op gpu.StoreColumn) {
	p := b.streamer
	m, apart, _ := b.st.moved(op)
	offset := []string{}
	for d, n := range apart {
		if n == 0 {
			continue
		}
		text := b.factors(gpu.Stride{Array: op.Element.Array, Dim: d}, "long")
		for _, q := range op.Element.Array.Extents[d+1:] {
			b.Expr(b.Affine(q))
		}
		if text == "" {
			offset = append(offset, fmt.Sprint(n))
		} else {
			offset = append(offset, fmt.Sprintf("%d * %s", n, text))
		}
	}
	if len(offset) == 0 {
		offset = []string{"0"}
	}
	cond := b.laneIs(op.Lane, op.Warps)
	if op.Domain != nil {
		if none, ok := b.none(atColumn(op, p.Vars.At)); !ok {
			panic("kerneltext: where a column is stored is about others")
		} else if none == "" {
			cond += " && " + b.use(p.full())
		} else {
			cond += fmt.Sprintf(" && (%s || !(%s))", b.use(p.full()), none)
		}
	}
	b.Line("if (%s)", cond)
	b.use(p.state())
	b.Line("  %s[%s] = %s[%d];", b.st.held(m.member), strings.Join(offset, " + "), b.row(op.Row), b.st.Rows[op.Row].Left+op.X)
}

// move prints that the pointers of columns move on.
func (b *beat) move() {
	for _, m := range b.st.columns {
		b.use(b.state())
		b.Line("%s += %s;", b.st.held(m.member), b.strideOf(m.of.Element, b.streamer.Vars.Beat))
	}
}

package kerneltext

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
)

// This file prints the copies of rows between global memory and the rings in shared memory.

// A copier prints the copies of whole rows, which all threads do.
type copier struct {
	*streamer
	f     *function
	slots []string
}

func (p *copier) typeName() string { return p.name + "_copies" }
func (p *copier) state() string    { return p.spelled.own("c") }
func (p *copier) param() param {
	return param{p.state(), fmt.Sprintf("struct %s &%s", p.typeName(), p.state())}
}

// copies prints the type of what threads hold for copies, and the function of a beat's; nil if there are none.
func (p *streamer) copies() *copier {
	if len(p.Copies) == 0 {
		return nil
	}
	c := &copier{streamer: p}
	var out ctext.Printer
	out.Blank()
	out.Line("// What a thread copies of whole rows.")
	out.Line("struct %s {", c.typeName())
	out.Depth++
	for i, r := range p.Copies {
		qualifier := ""
		if r.In {
			qualifier = "const "
		}
		out.Line("%s%s *at%d; // the thread's first element of the row", qualifier, r.Element.Array.Elem.InMemory(), i)
		if c.even() {
			out.Line("int place%d; // where it is in a slot", i)
		} else {
			out.Line("int place%d[%d]; // where its elements are in a slot", i, c.rounds(r))
		}
	}
	out.Depth--
	out.Line("};")
	p.text.Write(out.Buf.Bytes())
	s := p.scope()
	own := []param{c.param()}
	for i, r := range p.Copies {
		slot := p.spelled.own(fmt.Sprintf("slot%d", i))
		own = append(own, param{slot, "int " + slot})
		c.slots = append(c.slots, slot)
		c.copy(s, i, r, slot)
	}
	c.f = s.define("copy", "Copies of rows in a beat.", p.template(), "void", own)
	return c
}

// even reports whether the elements of a thread lie in one column of lanes that are evenly apart.
func (c *copier) even() bool { return c.Threads()%c.Columns == 0 }

// rounds returns how many elements of r a thread copies.
func (c *copier) rounds(r gpu.RowCopy) int { return (r.Count + c.Threads() - 1) / c.Threads() }

// copy prints one copy.
func (c *copier) copy(s *scope, i int, r gpu.RowCopy, slot string) {
	ring, elem, v := c.layout.rings[r.Ring.Name], r.Ring.Array.Elem.InMemory(), c.Vars
	n, u, thread := c.rounds(r), c.spelled.own("i"), s.use(c.thread())
	s.Line("#pragma unroll")
	s.Braces(fmt.Sprintf("for (int %s = 0; %s < %d; %s++)", u, u, n, u), func() {
		index := fmt.Sprintf("%s + %d * %s", thread, c.Threads(), u)
		cond := ""
		if r.Count%c.Threads() != 0 {
			cond = fmt.Sprintf("%s < %d", index, r.Count)
		}
		if test := c.guard(s, i, fmt.Sprintf("%s + %s", s.Expr(r.First), index)); test != "" {
			cond = and(cond, fmt.Sprintf("%s || %s", s.use(c.full()), test))
		}
		place := fmt.Sprintf("%s.place%d[%s]", s.use(c.state()), i, u)
		if c.even() {
			place = fmt.Sprintf("%s.place%d + %d * %s", s.use(c.state()), i, c.Threads()/c.Columns*ring.chunk, u)
		}
		at := fmt.Sprintf("%s.at%d + %d * %s", c.state(), i, c.Threads(), u)
		if by := s.strideOf(r.Element, v.At); by != "1" {
			at = fmt.Sprintf("%s.at%d + %d * %s * (%s)", c.state(), i, c.Threads(), u, by)
		}
		if cond != "" {
			s.Line("if (%s)", cond)
		}
		in := fmt.Sprintf("(%s *)(hexcc_shared + %d) + (%d + %s) * %d + %s", elem, ring.at, r.Number*c.Slots, slot, ring.slot, place)
		if r.In {
			s.Line("  hexcc_fetch(%s, %s);", in, at)
		} else {
			s.Line("  (%s)[0] = *(%s);", at, in)
		}
	})
	s.Line("%s.at%d += %s;", c.state(), i, s.strideOf(r.Element, v.Beat))
}

// begin prints where copies begin, at beat Beat.
func (c *copier) begin(s *scope) {
	v, thread := c.Vars, s.use(c.thread())
	for i, r := range c.Copies {
		ring := c.layout.rings[r.Ring.Name]
		s.Braces("", func() {
			s.Line("const %v %s = %s + %s;", c.spelled.Index, v.At, s.Expr(r.First), thread)
			s.Line("%s.at%d = &%s;", c.state(), i, s.ref(gpu.Ref{Array: r.Element.Array, Index: r.Element.Index}))
			delete(s.Uses, v.At)
		})
		apart := r.First.Minus(r.Origin)
		if !apart.IsNum() {
			panic(fmt.Sprintf("kerneltext: %v and %v are not a number apart", r.First, r.Origin))
		}
		at := fmt.Sprintf("hexcc_place<%d, %d>(%s%s", c.Columns, ring.chunk, thread, ctext.Plus(apart.Const))
		if c.even() {
			s.Line("%s.place%d = %s);", c.state(), i, at)
			continue
		}
		for u := range c.rounds(r) {
			s.Line("%s.place%d[%d] = %s%s);", c.state(), i, u, at, ctext.Plus(int64(u*c.Threads())))
		}
	}
}

// call returns the call of the copies of beat r of a turn, or, in a loop over i by so many beats, of all that are like it.
func (c *copier) call(s *scope, r, by int, i, beat string) string {
	args := map[string]string{c.Vars.Beat: beat}
	for n, copy := range c.Copies {
		all := []string{fmt.Sprint(copy.Slots[r])}
		for k := r + by; by > 0 && k < c.Turn; k += by {
			all = append(all, fmt.Sprint(copy.Slots[k]))
		}
		args[c.slots[n]] = among(i, by, all)
	}
	return templated(s.called(c.f, args), c.f.name, c.full())
}

// apart returns the rows of an alternative of a guard that are about beats alone, and the others.
func (c *copier) apart(rows []affine.Expr) (beats []affine.Sum, at []affine.Expr) {
	for _, e := range rows {
		if row := sum(e); row.Coef(c.Vars.At) == 0 {
			beats = append(beats, row)
		} else {
			at = append(at, row)
		}
	}
	return beats, at
}

// guard returns the condition that the element of copy i at s0 = at is copied in a turn that is not full, "" where each is.
func (c *copier) guard(s *scope, i int, at string) string {
	r, beat := c.Copies[i], s.use(c.Vars.Beat)
	var all []string
	for alt, rows := range r.Guard {
		_, of := c.apart(rows)
		n := 2 * c.pair(i, alt)
		text := fmt.Sprintf("hexcc_between((const %v *)(hexcc_shared + %d) + %d, %s)", c.spelled.Index, c.layout.copies, n, beat)
		if test := s.test("column", "Whether a column is one of those.", conj(of...), map[string]string{c.Vars.At: at}); len(of) > 0 {
			text += " && " + test
		}
		all = append(all, text)
	}
	if r.Guard == nil {
		return ""
	}
	if len(all) == 0 {
		return "false"
	}
	return "(" + strings.Join(all, ") || (") + ")"
}

// pair returns the number of the beats of an alternative of copy i.
func (c *copier) pair(i, alt int) (n int) {
	for _, r := range c.Copies[:i] {
		n += max(1, len(r.Guard))
	}
	return n + alt
}

// beginBeats prints what notes the beats in which rows are copied.
func (c *copier) beginBeats(s *scope) {
	pair, index := c.spelled.own("pair"), c.spelled.Index
	for i, r := range c.Copies {
		for alt, rows := range r.Guard {
			beats, _ := c.apart(rows)
			s.Braces("", func() {
				s.Line("%v *const %s = (%v *)(hexcc_shared + %d) + %d; // the beats in which rows are copied", index, pair, index, c.layout.copies, 2*c.pair(i, alt))
				s.Line("%s[0] = 0, %s[1] = -1;", pair, pair)
				s.beatRange(pair, beats)
			})
		}
	}
}

package kerneltext

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
)

// This file prints the copies of rows between global memory and the rings in shared memory.

// A rowCopier prints the copies of rows.
type rowCopier interface {
	typeName() string // of what a thread holds for them
	state() string
	param() param
	begin(s *scope, st *stage)
	steady(s *scope, st *stage) // before the beats of a steady turn
	call(s *scope, st *stage, kind turnKind, r, by int, i, beat string) string
}

// copying is what printers of copies have in common.
type copying struct {
	*streamer
	f *function // of a beat
}

func (p *copying) typeName() string { return p.name + "_copies" }
func (p *copying) state() string    { return p.spelled.own("c") }

// kept returns the member of what a thread holds that is of copy i.
func (p *copying) kept(s *scope, member string, i int) string {
	return fmt.Sprintf("%s%s%s%d", s.use(p.state()), p.dot(), member, i)
}

func (p *copying) param() param {
	return param{p.state(), p.reference("struct "+p.typeName(), p.state())}
}

// rounded names the rounds in which a thread copies what copy i does, in turns that are not full, as bits.
func (p *copying) rounded(i int) string { return p.spelled.own(fmt.Sprintf("rounds%d", i)) }

// pointer returns the type of one to elements of global memory that r copies.
func (p *copying) pointer(r gpu.RowCopy) string {
	of := r.Element.Array.Elem.InMemory() + " *"
	if r.In {
		of = "const " + of
	}
	return p.inGlobal(of)
}

// beginRow prints where r begins, which is copy i, for a thread or lane, at beat Beat. It returns how many columns that is from the first of the ring.
func (p *copying) beginRow(s *scope, i int, r gpu.RowCopy, thread string) (apart int64) {
	s.Braces("", func() {
		s.Line("const %v %s = %s + %s;", p.spelled.Index, p.Vars.At, s.Expr(r.First), thread)
		s.Line("%s = &%s;", p.kept(s, "at", i), s.ref(gpu.Ref{Array: r.Element.Array, Index: r.Element.Index}))
		delete(s.Uses, p.Vars.At)
	})
	distance := r.First.Minus(r.Origin)
	if !distance.IsNum() {
		panic(fmt.Sprintf("kerneltext: %v and %v are not a number apart", r.First, r.Origin))
	}
	return distance.Const
}

// argument returns what a call passes for the rounds of copy i in turns of a kind; allowed returns them for guarded ones.
func (p *copying) argument(kind turnKind, i int, allowed func() string) string {
	switch kind {
	case fullTurn:
		return "0u"
	case steadyTurn, finalTurn:
		return p.rounded(i)
	}
	return allowed()
}

// slotted returns the slot of beat r of a turn, by beats of which there are slots; or, in a loop over i by so many beats, of all that are like it.
func (p *copying) slotted(slots []int, r, by int, i string) string {
	all := []string{fmt.Sprint(slots[r])}
	for k := r + by; by > 0 && k < len(slots); k += by {
		all = append(all, fmt.Sprint(slots[k]))
	}
	return p.slotAmong(i, by, all)
}

// A copier prints the copies of whole rows, which all threads do.
type copier struct {
	copying
	slots []string
}

// copies prints the type of what threads hold for copies, and the function of a beat's; nil if there are none.
func (p *streamer) copies() rowCopier {
	switch {
	case len(p.Copies) == 0:
		return nil
	case p.sharesCopies():
		return p.sharedCopies()
	}
	c := &copier{copying: copying{streamer: p}}
	var out ctext.Printer
	out.Blank()
	out.Line("// What a thread copies of whole rows.")
	out.Line("struct %s {", c.typeName())
	out.Depth++
	for i, r := range p.Copies {
		out.Line("%sat%d; // the thread's first element of the row", c.pointer(r), i)
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
		own = append(own, param{slot, "int " + slot}, param{c.rounded(i), "unsigned " + c.rounded(i)})
		c.slots = append(c.slots, slot)
		c.copy(s, i, r, slot)
	}
	c.f = s.defineKinds("copy", "Copies of rows in a beat.", own)
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
		if cond == "" {
			cond = "true"
		}
		cond = fmt.Sprintf("%s ? %s : %s >> %s & 1", s.use(c.full()), cond, c.rounded(i), u)
		place := fmt.Sprintf("%s[%s]", c.kept(s, "place", i), u)
		if c.even() {
			place = fmt.Sprintf("%s + %d * %s", c.kept(s, "place", i), c.Threads()/c.Columns*ring.chunk, u)
		}
		at := fmt.Sprintf("%s + %d * %s", c.kept(s, "at", i), c.Threads(), u)
		if by := s.strideOf(r.Element, v.At); by != "1" {
			at = fmt.Sprintf("%s + %d * %s * (%s)", c.kept(s, "at", i), c.Threads(), u, by)
		}
		s.Line("if (%s)", cond)
		in := fmt.Sprintf("%s + (%d + %s) * %d + %s", c.sharedAt(elem, ring.at), r.Number*c.Slots, slot, ring.slot, place)
		if r.In {
			s.Line("  hexcc_fetch(%s, %s);", in, at)
		} else {
			s.Line("  (%s)[0] = *(%s);", at, in)
		}
	})
	s.Line("%s += %s;", c.kept(s, "at", i), s.strideOf(r.Element, v.Beat))
}

// begin prints where copies begin, at beat Beat.
func (c *copier) begin(s *scope, _ *stage) {
	defer c.beginRounds(s)
	thread := s.use(c.thread())
	for i, r := range c.Copies {
		ring, apart := c.layout.rings[r.Ring.Name], c.beginRow(s, i, r, thread)
		place := func(further string) string {
			return c.generic("hexcc_place", nil, numbers(c.Columns, ring.chunk), thread+ctext.Plus(apart)+further)
		}
		if c.even() {
			s.Line("%s = %s;", c.kept(s, "place", i), place(""))
			continue
		}
		for u := range c.rounds(r) {
			s.Line("%s[%d] = %s;", c.kept(s, "place", i), u, place(ctext.Plus(int64(u*c.Threads()))))
		}
	}
}

// steady prints in which rounds the thread copies in all beats of a steady turn.
func (c *copier) steady(s *scope, st *stage) {
	for n := range c.Copies {
		s.Line("const unsigned %s = %s;", c.rounded(n), c.allowed(s, st, n))
	}
}

// call returns the call of the copies of beat r of a turn, or, in a loop over i by so many beats, of all that are like it.
func (c *copier) call(s *scope, st *stage, kind turnKind, r, by int, i, beat string) string {
	args := map[string]string{c.Vars.Beat: beat}
	for n, copy := range c.Copies {
		args[c.rounded(n)] = c.argument(kind, n, func() string { return c.allowed(s, st, n) })
		args[c.slots[n]] = c.slotted(copy.Slots, r, by, i)
	}
	return c.instance(s.called(c.f, args), c.f, kind)
}

// allowed returns as bits in which rounds the thread copies in a beat that is not of a full turn.
func (c *copier) allowed(s *scope, st *stage, i int) string {
	var all []string
	for alt, w := range st.whens(c.Copies[i].Guard) {
		text := fmt.Sprintf("(%s)[%s%s]", c.sharedAt("const unsigned", c.layout.copies), s.use(c.thread()), ctext.Plus(int64(c.word(i, alt)*c.Threads())))
		if bit := s.bit(w.beats); bit != "" {
			text = fmt.Sprintf("(%s ? %s : 0u)", bit, text)
		}
		all = append(all, text)
	}
	if len(all) == 0 {
		return "0u"
	}
	return strings.Join(all, " | ")
}

// word returns the number of the word of an alternative of copy i.
func (c *copier) word(i, alt int) (n int) {
	for _, r := range c.Copies[:i] {
		n += max(1, len(r.Guard))
	}
	return n + alt
}

// beginRounds prints what notes in which rounds the elements of a thread may be copied, as far as columns tell.
func (c *copier) beginRounds(s *scope) {
	v, thread := c.Vars, s.use(c.thread())
	rounds := c.spelled.own("rounds")
	s.Braces("", func() {
		s.Line("%s *const %s = %s + %s; // in which rounds it copies", c.inShared("unsigned"), rounds, c.sharedAt("unsigned", c.layout.copies), thread)
		for i, r := range c.Copies {
			guards := r.Guard
			if guards == nil {
				guards = conj()
			}
			for alt, rows := range guards {
				var about []affine.Expr
				for _, e := range rows {
					if sum(e).Coef(v.At) != 0 {
						about = append(about, e)
					}
				}
				var all []string
				for u := range c.rounds(r) {
					index := thread + ctext.Plus(int64(u*c.Threads()))
					cond := s.test("column", "Whether a column is one of those.", conj(about...), map[string]string{v.At: fmt.Sprintf("%s + %s", s.Expr(r.First), index)})
					if len(about) == 0 {
						cond = ""
					}
					if (u+1)*c.Threads() > r.Count {
						cond = and(fmt.Sprintf("%s < %d", index, r.Count), cond)
					}
					if cond == "" {
						cond = "true"
					}
					all = append(all, fmt.Sprintf("(%s ? %#xu : 0u)", cond, 1<<u))
				}
				s.Line("%s[%d] = %s;", rounds, c.word(i, alt)*c.Threads(), strings.Join(all, " | "))
			}
		}
	})
}

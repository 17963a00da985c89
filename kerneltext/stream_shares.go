package kerneltext

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
)

// This file prints copies of rows where there are many of them, as in three dimensions: of each line of a strip, and of those that strips pass on. Were each of them done by
// all threads, each thread would hold pointers to all rows. So warps share them: copies that differ in numbers alone, such as where their rows begin, are a list, and
// warp w does copies w, w + Warps, .. of it. A lane holds a pointer for each of those. Where the copies of all warps are as long, or take slots in the same order, nothing is
// asked for that.

// A shared list is copies of which each warp does some.
type sharedCopies struct {
	copies []gpu.RowCopy
	shares int // of a warp
	first  int // the number of the first share among those of all lists
	bits   int // where bits of the list's shares begin among those of whole rounds
	alts   int // alternatives of guards, at most
	word   int // the number of the first word of a thread, and of the first pair of a warp, for alternatives
}

// A sharedCopier prints them.
type sharedCopier struct{ copying }

// sharesCopies reports whether warps share the copies of rows. Where barriers are in one place of the text, all threads do all copies: what a lane holds is the same for all warps.
func (p *streamer) sharesCopies() bool { return p.Lines > 0 && !p.spelled.Dialect.Lanes.Together }

// share makes the lists.
func (p *streamer) share() {
	if !p.sharesCopies() {
		return
	}
	s := p.scope()
	keys := map[string]*sharedCopies{}
	for _, c := range p.Copies {
		key := fmt.Sprint(c.In, c.Element.Array.Elem, p.Chunk(c.Ring), s.strideOf(c.Element, p.Vars.Beat), s.strideOf(c.Element, p.Vars.At))
		if keys[key] == nil {
			keys[key] = &sharedCopies{alts: 1}
			p.lists = append(p.lists, keys[key])
		}
		l := keys[key]
		l.copies, l.alts = append(l.copies, c), max(l.alts, len(c.Guard))
	}
	shares, bits, words := 0, 0, 0
	for _, l := range p.lists {
		slices.SortStableFunc(l.copies, func(x, y gpu.RowCopy) int { return cmp.Or(x.Slots[0]-y.Slots[0], y.Count-x.Count) })
		l.shares = (len(l.copies) + p.Warps - 1) / p.Warps
		l.first, l.bits, l.word = shares, bits, words
		shares, words = shares+l.shares, words+l.shares*l.alts
		for k := range l.shares {
			bits += p.rounds(l, k)
		}
	}
	p.shareWords, p.shareBits = words, bits
}

// of returns the copies that warps do as share k of l: fewer than there are warps at the end.
func (p *streamer) of(l *sharedCopies, k int) []gpu.RowCopy {
	return l.copies[k*p.Warps : min(len(l.copies), (k+1)*p.Warps)]
}

// rounds returns how many elements of share k of l a lane copies at most.
func (p *streamer) rounds(l *sharedCopies, k int) (most int) {
	for _, c := range p.of(l, k) {
		most = max(most, (c.Count+gpu.WarpLanes-1)/gpu.WarpLanes)
	}
	return most
}

// whole reports whether all lanes of all warps have an element in round u of share k.
func (p *streamer) whole(l *sharedCopies, k, u int) bool {
	all := p.of(l, k)
	return len(all) == p.Warps && !slices.ContainsFunc(all, func(c gpu.RowCopy) bool { return c.Count < (u+1)*gpu.WarpLanes })
}

// alike reports whether all copies of share k take slots in the same order.
func (p *streamer) alike(l *sharedCopies, k int) bool {
	all := p.of(l, k)
	return !slices.ContainsFunc(all, func(c gpu.RowCopy) bool { return !slices.Equal(c.Slots, all[0].Slots) })
}

// roundsType returns the type of what says in which rounds a thread copies, as bits, and roundsBytes its size: shared memory is short.
func (p *streamer) roundsType() string {
	if p.roundsBytes() == 1 {
		return "unsigned char"
	}
	return "unsigned"
}

func (p *streamer) roundsBytes() int {
	for _, l := range p.lists {
		for k := range l.shares {
			if p.rounds(l, k) > 8 {
				return 4
			}
		}
	}
	return 1
}

// sharedBytes returns the room for words of threads, and for pairs of warps.
func (p *streamer) sharedBytes() (words, pairs int) {
	return p.shareWords * p.Threads() * p.roundsBytes(), p.shareWords * p.Warps * 2 * p.spelled.Index.Size()
}

func (p *sharedCopier) turned() string { return p.spelled.own("turned") }

// bit returns where the bits of share k are among those of whole rounds.
func (p *sharedCopier) bit(l *sharedCopies, k int) int {
	bit := l.bits
	for before := range k {
		bit += p.rounds(l, before)
	}
	return bit
}

// even reports whether the elements of a lane lie in one column of lanes that are evenly apart.
func (p *streamer) even() bool { return gpu.WarpLanes%p.Columns == 0 }

// each calls f for each share of each list.
func (p *sharedCopier) each(f func(l *sharedCopies, k, share int)) {
	for _, l := range p.lists {
		for k := range l.shares {
			f(l, k, l.first+k)
		}
	}
}

// sharedCopies prints the type of what lanes hold for copies, and the function of a beat's.
func (p *streamer) sharedCopies() rowCopier {
	c := &sharedCopier{copying{streamer: p}}
	var out ctext.Printer
	out.Blank()
	out.Line("// What a lane copies of whole rows: warps take them in turn.")
	out.Line("struct %s {", c.typeName())
	out.Depth++
	c.each(func(l *sharedCopies, k, share int) {
		out.Line("%sat%d; // the lane's first element of the row", c.pointer(l.copies[0]), share)
		if p.even() {
			out.Line("int place%d; // where it is in the first slot", share)
		} else {
			out.Line("int place%d[%d]; // where its elements are in the first slot", share, p.rounds(l, k))
		}
		if !p.alike(l, k) {
			out.Line("int slot%d; // the slot at the first beat of a turn", share)
		}
	})
	for word := range p.steadyWords() {
		out.Line("unsigned whole%d; // which elements rows have, as bits by share and round", word)
	}
	out.Depth--
	out.Line("};")
	p.text.Write(out.Buf.Bytes())
	s := p.scope()
	own := []param{c.param()}
	c.each(func(l *sharedCopies, k, share int) {
		slot := param{c.slot(share), "int " + c.slot(share)}
		if !p.alike(l, k) {
			slot = param{c.turned(), "int " + c.turned()}
		}
		if !slices.Contains(own, slot) {
			own = append(own, slot)
		}
		own = append(own, param{c.rounded(share), "unsigned " + c.rounded(share)})
		c.copy(s, l, k, share)
	})
	for word := range c.steadyWords() {
		own = append(own, param{c.steadyRounds(word), "unsigned " + c.steadyRounds(word)})
	}
	c.f = s.defineKinds("copy", "Copies of rows in a beat: those of the warp.", own)
	return c
}

func (p *sharedCopier) slot(share int) string { return p.spelled.own(fmt.Sprintf("slot%d", share)) }

// copy prints share k of l.
func (c *sharedCopier) copy(s *scope, l *sharedCopies, k, share int) {
	r, state := l.copies[0], s.use(c.state())
	ring, elem := c.layout.rings[r.Ring.Name], r.Ring.Array.Elem.InMemory()
	slot := c.slot(share)
	if !c.alike(l, k) {
		slot = fmt.Sprintf("(%s.slot%d + %s) %% %d", state, share, c.turned(), c.Slots)
	}
	by := s.strideOf(r.Element, c.Vars.At)
	s.Braces("", func() {
		in := c.spelled.own("in")
		s.Line("%s *const %s = (%s *)hexcc_shared + (%s) * %d;", elem, in, elem, slot, ring.slot)
		bit := c.bit(l, k)
		for u := range c.rounds(l, k) {
			word, mask := (bit+u)/32, uint32(1)<<((bit+u)%32)
			whole := "1u"
			if !c.whole(l, k, u) {
				whole = fmt.Sprintf("%s.whole%d & %#xu", state, word, mask)
			}
			place := fmt.Sprintf("%s.place%d[%d]", state, share, u)
			if c.even() {
				place = fmt.Sprintf("%s.place%d%s", state, share, ctext.Plus(int64(gpu.WarpLanes/c.Columns*ring.chunk*u)))
			}
			at := fmt.Sprintf("%s.at%d%s", state, share, ctext.Plus(int64(gpu.WarpLanes*u)))
			if by != "1" && u > 0 {
				at = fmt.Sprintf("%s.at%d + %d * (%s)", state, share, gpu.WarpLanes*u, by)
			}
			bits := fmt.Sprintf("%s ? %s : %s ? %s & %#xu : %s & %#xu", s.use(c.full()), whole, s.use(c.streamer.steady()), c.steadyRounds(word), mask, c.rounded(share), uint32(1)<<u)
			if r.In {
				s.Line("hexcc_fetch_if<%s>(%s, %s + %s, %s);", c.full(), bits, in, place, at)
			} else {
				s.Line("hexcc_store_if<%s>(%s, %s, %s + %s);", c.full(), bits, at, in, place)
			}
		}
	})
	s.Line("%s.at%d += %s;", state, share, s.strideOf(r.Element, c.Vars.Beat))
}

// begin prints where the copies of the warps of a stage begin, at beat Beat, and in which beats and rounds turns that are not full do them.
func (c *sharedCopier) begin(s *scope, st *stage) {
	warp, lane, state, index := s.use(c.Vars.Warp), s.use(c.lane()), c.state(), c.spelled.Index
	for word := range c.steadyWords() {
		s.Line("%s.whole%d = 0;", state, word)
	}
	words, pair := c.spelled.own("rounds"), c.spelled.own("pair")
	for q := st.First; q < st.First+st.Count; q++ {
		head := fmt.Sprintf("if (%s == %d)", warp, q)
		switch {
		case st.Count == 1:
			head = ""
		case q == st.First+st.Count-1:
			head = "else"
		case q > st.First:
			head = "else " + head
		}
		s.Braces(head, func() {
			c.each(func(l *sharedCopies, k, share int) {
				all := c.of(l, k)
				r, has := all[0], q < len(all)
				if has {
					r = all[q]
				}
				ring, apart := c.layout.rings[r.Ring.Name], c.beginRow(s, share, r, lane)
				base := ring.at/r.Ring.Array.Elem.Size() + r.Number*c.Slots*ring.slot
				place := func(more int64) string {
					return fmt.Sprintf("%d + hexcc_place<%d, %d>(%s%s)", base, c.Columns, ring.chunk, lane, ctext.Plus(apart+more))
				}
				if c.even() {
					s.Line("%s.place%d = %s;", state, share, place(0))
				} else {
					for u := range c.rounds(l, k) {
						s.Line("%s.place%d[%d] = %s;", state, share, u, place(int64(u*gpu.WarpLanes)))
					}
				}
				if !c.alike(l, k) {
					s.Line("%s.slot%d = %d;", state, share, r.Slots[0])
				}
				if has {
					c.beginWhole(s, l, k, r)
				}
				for alt := range l.alts {
					n := l.word + k*l.alts + alt
					s.Braces("", func() {
						s.Line("%s *const %s = %s + %s; // in which rounds it copies", c.inShared(c.roundsType()), words, c.sharedAt(c.roundsType(), c.wordAt(n)), s.use(c.thread()))
						s.Line("%v *const %s = %s; // and from which beat to which", index, pair, c.pair(s, n))
						s.Line("%s[0] = 0, %s[1] = -1, *%s = 0;", pair, pair, words)
						if rows, ok := alternative(r.Guard, alt); has && ok {
							c.beginGuard(s, l, k, r, rows, words, pair)
						}
					})
				}
			})
		})
	}
}

// alternative returns that of a condition; ok is false if it has not so many. nil, of which nothing is asked, has one.
func alternative(c astgen.Cond, alt int) (rows []affine.Expr, ok bool) {
	switch {
	case c == nil && alt == 0:
		return nil, true
	case alt < len(c):
		return c[alt], true
	}
	return nil, false
}

// beginWhole prints which rounds of a share of the warp have an element, if all are copied.
func (c *sharedCopier) beginWhole(s *scope, l *sharedCopies, k int, r gpu.RowCopy) {
	bit := c.bit(l, k)
	for u := range c.rounds(l, k) {
		n := r.Count - u*gpu.WarpLanes
		if c.whole(l, k, u) || n <= 0 {
			continue
		}
		word := fmt.Sprintf("%s.whole%d |= ", c.state(), (bit+u)/32)
		set := fmt.Sprintf("%#xu", uint32(1)<<((bit+u)%32))
		if n < gpu.WarpLanes {
			set = fmt.Sprintf("%s < %d ? %s : 0u", s.use(c.lane()), n, set)
		}
		s.Line("%s%s;", word, set)
	}
}

// beginGuard prints which rounds and beats rows of a guard allow.
func (c *sharedCopier) beginGuard(s *scope, l *sharedCopies, k int, r gpu.RowCopy, rows []affine.Expr, words, pair string) {
	var about []affine.Expr
	var beats []affine.Sum
	for _, e := range rows {
		if x := sum(e); x.Coef(c.Vars.At) != 0 {
			about = append(about, e)
		} else {
			beats = append(beats, x)
		}
	}
	lane := s.use(c.lane())
	var all []string
	for u := range c.rounds(l, k) {
		n := r.Count - u*gpu.WarpLanes
		if n <= 0 {
			continue
		}
		at := lane + ctext.Plus(int64(u*gpu.WarpLanes))
		cond := ""
		if len(about) > 0 {
			cond = s.test("column", "Whether a column is one of those.", conj(about...), map[string]string{c.Vars.At: fmt.Sprintf("%s + %s", s.Expr(r.First), at)})
		}
		if n < gpu.WarpLanes {
			cond = and(fmt.Sprintf("%s < %d", lane, n), cond)
		}
		if cond == "" {
			cond = "true"
		}
		all = append(all, fmt.Sprintf("(%s ? %#xu : 0u)", cond, 1<<u))
	}
	s.Line("*%s = %s;", words, strings.Join(all, " | "))
	s.beatRange(pair, beats)
}

// pair returns where the first and the last beat of an alternative are, for a warp.
func (c *sharedCopier) pair(s *scope, n int) string {
	words, _ := c.sharedBytes()
	at := c.layout.copies + words + n*c.Warps*2*c.spelled.Index.Size()
	return fmt.Sprintf("%s + 2 * %s", c.sharedAt(c.spelled.Index.String(), at), s.use(c.Vars.Warp))
}

// wordAt returns where the words of all threads are of an alternative, in bytes.
func (c *sharedCopier) wordAt(n int) int { return c.layout.copies + n*c.Threads()*c.roundsBytes() }

// call returns the call of the copies of beat r of a turn, or, in a loop over i by so many beats, of all that are like it.
func (c *sharedCopier) call(s *scope, st *stage, kind turnKind, r, by int, i, beat string) string {
	args := map[string]string{c.Vars.Beat: beat, c.turned(): fmt.Sprint(r)}
	if i != "" {
		args[c.turned()] = i + ctext.Plus(int64(r))
	}
	c.each(func(l *sharedCopies, k, share int) {
		args[c.rounded(share)] = "0u"
		if kind == guardedTurn {
			args[c.rounded(share)] = c.allowed(s, l, k, beat)
		}
		args[c.slot(share)] = c.slotted(l.copies[k*c.Warps].Slots, r, by, i)
	})
	for word := range c.steadyWords() {
		if args[c.steadyRounds(word)] = "0u"; kind.steady() { // anew: predicates of all beats would not stay in registers
			args[c.steadyRounds(word)] = fmt.Sprintf("hexcc_anew(%s)", c.steadyRounds(word))
		}
	}
	return c.instance(s.called(c.f, args), c.f, kind)
}

// steady prints in which rounds the lane copies in all beats of a steady turn.
func (c *sharedCopier) steady(s *scope, st *stage) {
	for word := range c.steadyWords() {
		s.Line("const unsigned %s = %s;", c.steadyRounds(word), st.steadyRoundsAt(s, word))
	}
}

// allowed returns as bits in which rounds of share k the lane copies in a beat that is not of a full turn.
func (c *sharedCopier) allowed(s *scope, l *sharedCopies, k int, beat string) string {
	var all []string
	for alt := range l.alts {
		n := l.word + k*l.alts + alt
		all = append(all, fmt.Sprintf("hexcc_within(%s, %s, (%s)[%s])", c.pair(s, n), beat, c.sharedAt("const "+c.roundsType(), c.wordAt(n)), s.use(c.thread())))
	}
	return strings.Join(all, " | ")
}

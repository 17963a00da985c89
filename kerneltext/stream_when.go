package kerneltext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
)

// This file prints what turns test that are not full. A condition on points is alternatives; each of them says in which beats it holds, and
// there for which columns. The beats are the same for all lanes of a warp, but where each lane has an element of its own: at the start of a chain
// the warp notes the first and the last in shared memory, at the start of a turn it makes bits of them, one for each beat of the turn. So what
// a test takes is a bit; and columns of a lane are bits, too, of which mostly none or all are set.

// A when is when an alternative holds of some columns of a row at all, by the number of its beats among those of the stage; -1: in all.
type when struct {
	beats int
	at    []affine.Sum // rows about At
}

// whens returns the alternatives of c, and notes their beats among those of the stage.
func (p *stage) whens(c astgen.Cond) (all []when) {
	if c == nil {
		return []when{{beats: -1}}
	}
	for _, rows := range c {
		w := when{beats: -1}
		var beats []affine.Sum
		for _, e := range rows {
			row := sum(e)
			if row.Coef(p.Vars.At) != 0 {
				w.at = append(w.at, row)
			} else {
				beats = append(beats, row)
			}
		}
		if len(beats) > 0 {
			w.beats = slices.IndexFunc(p.beats, func(have []affine.Sum) bool { return slices.EqualFunc(have, beats, affine.Sum.Equal) })
			if w.beats < 0 {
				w.beats = len(p.beats)
				p.beats = append(p.beats, beats)
			}
		}
		all = append(all, w)
	}
	return all
}

// sum returns e, which is a sum in all conditions of pipelines.
func sum(e affine.Expr) affine.Sum {
	x, ok := e.(affine.Sum)
	if !ok {
		panic(fmt.Sprintf("kerneltext: the condition %v >= 0 is no sum", e))
	}
	return x
}

// bounds returns between which values of a variable rows hold, and the rows that are not about it.
func bounds(rows []affine.Sum, name string) (lo, hi []affine.Expr, rest []affine.Expr) {
	for _, row := range rows {
		switch least, most := affine.Solve(row, name); {
		case least != nil:
			lo = append(lo, least)
		case most != nil:
			hi = append(hi, most)
		default:
			rest = append(rest, row)
		}
	}
	return lo, hi, rest
}

// beatRange prints that a pair of indices, of which the first is the greater, becomes the first and the last beat in which rows hold, from beat Beat
// on, if there is one.
func (s *scope) beatRange(pair string, rows []affine.Sum) {
	p := s.streamer
	lo, hi, rest := bounds(rows, p.Vars.Beat)
	last := fmt.Sprintf("%s + %d", p.hi(s), p.Turn)
	if len(hi) > 0 {
		last = s.Expr(affine.MinOf(hi...))
	}
	set := func() {
		s.Line("%s[0] = %s;", pair, s.Expr(affine.MaxOf(append(lo, affine.Var(p.Vars.Beat))...)))
		s.Line("%s[1] = %s;", pair, last)
	}
	if text := s.Cond(conj(rest...)); text != "" {
		s.Braces("if ("+text+")", set)
	} else {
		set()
	}
}

// hi returns the last beat of the chain.
func (p *streamer) hi(s *scope) string { return fmt.Sprintf("(%v)hexcc_chain().hi", p.spelled.Index) }

// beginBeats prints what notes the first and the last beats.
func (p *stage) beginBeats(s *scope) {
	if len(p.beats) == 0 {
		return
	}
	pair, i, index := p.spelled.own("pair"), p.spelled.own("i"), p.spelled.Index
	s.Line("// in which beats turns that are not full have points, elements and last steps: each lane notes some")
	s.Braces(fmt.Sprintf("for (int %s = %s; %s < %d; %s += %d)", i, s.use(p.lane()), i, len(p.beats), i, gpu.WarpLanes), func() {
		s.Line("%v *const %s = %s + 2 * %s;", index, pair, p.pairs(s), i)
		s.Line("%s[0] = 0, %s[1] = -1;", pair, pair)
		s.Line("switch (%s) {", i)
		for n, rows := range p.beats {
			s.Line("case %d:", n)
			s.Depth++
			s.beatRange(pair, rows)
			s.Line("break;")
			s.Depth--
		}
		s.Line("}")
	})
}

// pairs returns where the first and the last beats of a warp's conditions are, and words where the bits of a turn are.
func (p *stage) pairs(s *scope) string {
	return fmt.Sprintf("(%v *)(hexcc_shared + %d) + %d * %s", p.spelled.Index, p.pairsAt, 2*len(p.beats), p.warpHere(s))
}

func (p *stage) words(s *scope) string {
	return fmt.Sprintf("(unsigned *)(hexcc_shared + %d) + %d * %s", p.wordsAt, len(p.beats), p.warpHere(s))
}

// warpHere returns the number of the warp among those of the stage.
func (p *stage) warpHere(s *scope) string {
	warp := s.use(p.Vars.Warp)
	if p.First == 0 {
		return warp
	}
	return fmt.Sprintf("(%s - %d)", warp, p.First)
}

// when and columns are names for where the bits of conditions are, by beat, and for where masks are. first declares those that are used.
func (b *beat) when() string     { return b.use(b.spelledName("when")) }
func (b *beat) maskedAt() string { return b.use(b.spelledName("columns")) }
func (b *beat) declare(s *scope) {
	if name := b.spelledName("when"); b.Uses[name] {
		s.Line("const unsigned *const %s = %s;", name, b.st.words(s))
	}
	if name := b.spelledName("columns"); b.Uses[name] {
		s.Line("const unsigned *const %s = (const unsigned *)(hexcc_shared + %d) + %s;", name, b.st.masksAt, s.use(b.thread()))
	}
}

// turnBits prints what makes bits for a turn, at its first beat.
func (p *stage) turnBits(s *scope) {
	i, index, beat := p.spelled.own("i"), p.spelled.Index, p.Vars.Beat
	pair, word := p.spelled.own("pair"), p.spelled.own("word")
	if len(p.beats) > 0 {
		s.Braces(fmt.Sprintf("for (int %s = %s; %s < %d; %s += %d)", i, s.use(p.lane()), i, len(p.beats), i, gpu.WarpLanes), func() {
			s.Line("const %v *const %s = %s + 2 * %s;", index, pair, p.pairs(s), i)
			s.Line("(%s)[%s] = hexcc_bits(%s[0] - %s, %s[1] - %s);", p.words(s), i, pair, beat, pair, beat)
		})
	}
	for _, c := range p.Cursors {
		for part := range parts(c) {
			s.Braces("", func() {
				s.Line("const %v *const %s = %s;", index, pair, p.lanePairs(s, c, part))
				var all []string
				for alt := range p.alternatives(c) {
					all = append(all, fmt.Sprintf("hexcc_bits(%s[%d] - %s, %s[%d] - %s)", pair, 2*alt, beat, pair, 2*alt+1, beat))
				}
				s.Line("unsigned *const %s = %s;", word, p.laneWord(s, c, part))
				s.Line("*%s = %s;", word, strings.Join(all, " | "))
			})
		}
	}
	s.Line("__syncwarp();")
}

// alternatives returns of how many ranges of beats an element of c may be copied in one.
func (p *stage) alternatives(c *gpu.Cursor) int {
	n := 1
	for _, g := range c.Groups {
		n = max(n, len(g.Guard))
	}
	return n
}

// lanePairs returns where a thread keeps the beats in which its part of c is copied, and laneWord where the bits of a turn are.
func (p *stage) lanePairs(s *scope, c *gpu.Cursor, part int) string {
	return fmt.Sprintf("(%v *)(hexcc_shared + %d) + %d * %s", p.spelled.Index, p.lanesAt[c]+part*p.laneBytes(c), 2*p.alternatives(c), s.use(p.thread()))
}

func (p *stage) laneWord(s *scope, c *gpu.Cursor, part int) string {
	return fmt.Sprintf("(unsigned *)(hexcc_shared + %d) + %s", p.lanesAt[c]+part*p.laneBytes(c)+2*p.alternatives(c)*p.spelled.Index.Size()*p.Threads(), s.use(p.thread()))
}

// laneBytes returns how many bytes a part of c takes in all threads for that.
func (p *stage) laneBytes(c *gpu.Cursor) int {
	return p.Threads() * (2*p.alternatives(c)*p.spelled.Index.Size() + 4)
}

// bit returns whether the bit of this beat is set of a condition's beats: in is the beat's number in its turn.
func (b *beat) bit(beats int) string {
	if beats < 0 {
		return ""
	}
	return fmt.Sprintf("%s[%d] >> %s & 1", b.when(), beats, b.number())
}

// number returns the name of the number of the beat in its turn.
func (b *beat) number() string { return b.use(b.spelledName("number")) }

// A mask is which columns of a lane lie between bounds on At, and between local coordinates, if any are given, and not between others; the same in all
// beats of a chain. Each thread notes it at the start.
type mask struct {
	at     []affine.Sum
	within *gpu.Columns
	beside []gpu.Columns
}

// mask returns the number of m among the masks of the stage.
func (p *stage) mask(m mask) int {
	key := fmt.Sprint(m.at, m.beside)
	if m.within != nil {
		key += fmt.Sprint(*m.within)
	}
	n, known := p.maskOf[key]
	if !known {
		n = len(p.masks)
		p.maskOf[key], p.masks = n, append(p.masks, m)
	}
	return n
}

// fixed reports whether rows hold of the same columns in all beats.
func (p *stage) fixed(rows []affine.Sum) bool {
	return !slices.ContainsFunc(rows, func(r affine.Sum) bool { return r.Coef(p.Vars.Beat) != 0 })
}

// columns returns as bits for which columns of the lane, of those within local coordinates and not beside, c holds in this beat. It notes a
// mask in any case, so that they all are known once the ops of a stage have been gone through.
func (b *beat) columns(c astgen.Cond, first string, m mask) string {
	var all []string
	for _, w := range b.st.whens(c) {
		if !b.st.fixed(w.at) {
			panic("kerneltext: which columns of a row are instances changes from row to row")
		}
		m.at = w.at
		text := fmt.Sprintf("%s[%d]", b.maskedAt(), b.st.mask(m)*b.st.Threads())
		if bit := b.bit(w.beats); bit != "" {
			text = fmt.Sprintf("(%s ? %s : 0u)", bit, text)
		}
		all = append(all, text)
	}
	if len(all) == 0 {
		return "0u"
	}
	return strings.Join(all, " | ")
}

// beginMasks prints what notes the masks.
func (p *stage) beginMasks(s *scope) {
	if len(p.masks) == 0 {
		return
	}
	v, index := p.Vars, p.spelled.Index
	first, columns := p.spelled.own("first"), p.spelled.own("mask")
	s.Line("// which columns of the lane are in domains, and in tiles")
	s.Braces("", func() {
		s.Line("const %v %s = %s + %d * %s;", index, first, s.Expr(affine.Var(v.Column).Plus(p.Origin)), p.Columns, s.use(p.lane()))
		s.Line("unsigned *const %s = (unsigned *)(hexcc_shared + %d) + %s;", columns, p.masksAt, s.use(p.thread()))
		for n, m := range p.masks {
			lo, hi, _ := bounds(m.at, v.At)
			var all []string
			if len(lo)+len(hi) > 0 {
				from, to := "0", fmt.Sprint(p.Columns-1)
				if len(lo) > 0 {
					from = s.less(affine.MaxOf(lo...), first)
				}
				if len(hi) > 0 {
					to = s.less(affine.MinOf(hi...), first)
				}
				all = append(all, fmt.Sprintf("hexcc_bits((%v)(%s), (%v)(%s))", index, from, index, to))
			}
			if m.within != nil {
				all = append(all, p.local(s, m.within.Lo, m.within.Hi))
			}
			for _, c := range m.beside {
				text := p.local(s, c.Lo, c.Hi)
				if in := p.in(s, c.Warps); in != "" {
					text = fmt.Sprintf("(%s ? %s : 0u)", in, text)
				}
				all = append(all, "~"+text)
			}
			all = append(all, fmt.Sprintf("%#xu", uint64(1)<<p.Columns-1))
			s.Line("%s[%d] = %s;", columns, n*p.Threads(), strings.Join(all, " & "))
		}
	})
}

// less returns an expression less another one, with the type of indices.
func (s *scope) less(e affine.Expr, first string) string {
	if x, ok := e.(affine.Sum); ok {
		return s.Sum(x) + " - " + first
	}
	return s.Expr(e) + " - " + first
}

// local returns as bits the columns of the lane between local coordinates.
func (p *stage) local(s *scope, lo, hi affine.Sum) string {
	lane := fmt.Sprintf("%d * %s", p.Columns, s.use(p.lane()))
	return fmt.Sprintf("hexcc_bits(%s - %s, %s - %s)", s.Sum(lo.Minus(p.Origin)), lane, s.Sum(hi.Minus(p.Origin)), lane)
}

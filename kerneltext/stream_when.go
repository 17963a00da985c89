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

// This file prints what turns test that are not full. A condition on points is alternatives; each of them says in which beats it holds, and
// there for which columns. The beats are the same for all lanes of a warp, but where each lane has an element of its own: at the start of a chain
// the warp notes the first and the last in shared memory, of one condition in each lane, and at the start of a turn each lane makes bits of its own, one for each beat of the
// turn. At the start of a beat the lanes tell each other: a bit for each condition. So a test is one of a bit; and columns of a lane are bits, too, of which
// mostly none or all are set.

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
func (p *streamer) hi(s *scope) string { return p.noted("hi") }

// beginBeats prints what notes the first and the last beats.
func (p *stage) beginBeats(s *scope) {
	if len(p.beats) == 0 {
		return
	}
	i := p.spelled.own("i")
	s.Line("// in which beats turns that are not full have points, elements and last steps: each lane notes some")
	s.Braces(fmt.Sprintf("for (int %s = %s; %s < %d; %s += %d)", i, s.use(p.lane()), i, len(p.beats), i, gpu.WarpLanes), func() {
		s.beatRanges(fmt.Sprintf("%s + 2 * %s", p.pairs(s), i), p.beats, i)
	})
}

// pairs returns where the first and the last beats of a warp's conditions are.
func (p *stage) pairs(s *scope) string {
	return fmt.Sprintf("%s + %d * %s", p.sharedAt(p.spelled.Index.String(), p.pairsAt), 2*len(p.beats), p.warpHere(s))
}

// warpHere returns the number of the warp among those of the stage.
func (p *stage) warpHere(s *scope) string {
	warp := s.use(p.Vars.Warp)
	if p.First == 0 {
		return warp
	}
	return fmt.Sprintf("(%s - %d)", warp, p.First)
}

// when and during are names of words of bits: of conditions that hold in a beat, and, in each lane, of beats in which its condition holds.
func (p *streamer) when(word int) string   { return p.spelled.own(fmt.Sprintf("when%d", word)) }
func (p *streamer) during(word int) string { return p.spelled.own(fmt.Sprintf("during%d", word)) }

// whenWords returns how many words the conditions of the stage take.
func (p *stage) whenWords() int { return (len(p.beats) + gpu.WarpLanes - 1) / gpu.WarpLanes }

// maskedAt is a name for where masks are. declare declares it where it is used.
func (b *beat) maskedAt() string { return b.use(b.spelledName("columns")) }
func (b *beat) declare(s *scope) {
	if name := b.spelledName("columns"); b.Uses[name] {
		s.Line("%s *const %s = %s + %s;", b.inShared("const unsigned"), name, b.sharedAt("const unsigned", b.st.masksAt), s.use(b.thread()))
	}
}

// turnBits prints what makes bits for a turn, at its first beat.
func (p *stage) turnBits(s *scope) {
	index, beat := p.spelled.Index, p.Vars.Beat
	pair, word := p.spelled.own("pair"), p.spelled.own("word")
	p.duringBits(s, p.words(), beat)
	for _, c := range p.cursors() {
		for part := range parts(c) {
			s.Braces("", func() {
				s.Line("%s *const %s = %s;", p.inShared("const "+index.String()), pair, p.lanePairs(s, c, part))
				var all []string
				for alt := range p.alternatives(c) {
					all = append(all, fmt.Sprintf("hexcc_bits(%s[%d] - %s, %s[%d] - %s)", pair, 2*alt, beat, pair, 2*alt+1, beat))
				}
				s.Line("%s *const %s = %s;", p.inShared("unsigned"), word, p.laneWord(s, c, part))
				s.Line("*%s = %s;", word, strings.Join(all, " | "))
			})
		}
	}
}

// words returns the numbers of the words of conditions.
func (p *stage) words() (all []int) {
	for word := range p.whenWords() {
		all = append(all, word)
	}
	return all
}

// duringBits prints the part of turnBits that is the same for all lanes, of a turn that begins with a beat.
func (p *stage) duringBits(s *scope, words []int, beat string) {
	pair := p.spelled.own("pair")
	for _, word := range words {
		s.Line("unsigned %s = 0; // in which beats the condition of the lane holds", p.during(word))
		p.ofLane(s, word, func() {
			s.Line("%s = hexcc_bits(%s[0] - %s, %s[1] - %s);", p.during(word), pair, beat, pair, beat)
		})
	}
}

// ofLane prints what a lane does with the pair of the condition of a word that is its own.
func (p *stage) ofLane(s *scope, word int, body func()) {
	lane, cond := s.use(p.lane()), ""
	if n := len(p.beats) - word*gpu.WarpLanes; n < gpu.WarpLanes {
		cond = fmt.Sprintf("if (%s < %d)", lane, n)
	}
	s.Braces(cond, func() {
		s.Line("%s *const %s = %s + 2 * (%s%s);", p.inShared("const "+p.spelled.Index.String()), p.spelled.own("pair"), p.pairs(s), lane, ctext.Plus(int64(word*gpu.WarpLanes)))
		body()
	})
}

// cursors returns all of the stage.
func (p *stage) cursors() []*gpu.Cursor {
	if p.Margins == nil {
		return p.Cursors
	}
	return append(slices.Clone(p.Cursors), p.Margins)
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
	before := p.First * gpu.WarpLanes * 2 * p.alternatives(c) * p.spelled.Index.Size() // of threads of other stages
	return fmt.Sprintf("%s + %d * %s", p.sharedAt(p.spelled.Index.String(), p.lanesAt[c]+part*p.laneBytes(c)-before), 2*p.alternatives(c), s.use(p.thread()))
}

func (p *stage) laneWord(s *scope, c *gpu.Cursor, part int) string {
	pairs, before := 2*p.alternatives(c)*p.spelled.Index.Size()*p.Count*gpu.WarpLanes, p.First*gpu.WarpLanes*4
	return fmt.Sprintf("%s + %s", p.sharedAt("unsigned", p.lanesAt[c]+part*p.laneBytes(c)+pairs-before), s.use(p.thread()))
}

// laneBytes returns how many bytes a part of c takes in all threads of the stage for that.
func (p *stage) laneBytes(c *gpu.Cursor) int {
	return p.Count * gpu.WarpLanes * (2*p.alternatives(c)*p.spelled.Index.Size() + 4)
}

// bit returns whether a condition holds in this beat, "" for all.
func (s *scope) bit(beats int) string {
	if beats < 0 {
		return ""
	}
	return fmt.Sprintf("%s >> %d & 1", s.use(s.streamer.when(beats/gpu.WarpLanes)), beats%gpu.WarpLanes)
}

// none returns that no alternative of c holds in this beat, where none is about columns. ok is false if there are such.
func (b *beat) none(c astgen.Cond) (text string, ok bool) {
	bits := make([]uint, b.st.whenWords()+1)
	for _, w := range b.st.whens(c) {
		if len(w.at) > 0 || w.beats < 0 {
			return "", false
		}
		bits[w.beats/gpu.WarpLanes] |= 1 << (w.beats % gpu.WarpLanes)
	}
	var all []string
	for word, set := range bits {
		if set != 0 {
			all = append(all, fmt.Sprintf("(%s & %#xu) == 0", b.use(b.when(word)), set))
		}
	}
	return strings.Join(all, " && "), true
}

// number returns the name of the number of the beat in its turn.
func (b *beat) number() string { return b.use(b.spelledName("number")) }

// A mask is which columns of a lane lie between bounds on At, and between local coordinates, if any are given, and not between others; the same in all
// beats of a chain. Each thread notes it at the start.
type mask struct {
	at     []affine.Sum
	within *gpu.Columns
	beside []gpu.Columns
	// margins, if there are any, are the columns; from bit 16 on is where the elements of the lane begin.
	margins []gpu.Margin
}

// mask returns the number of m among the masks of the stage.
func (p *stage) mask(m mask) int {
	key := fmt.Sprint(m.at, m.beside, geometry(m.margins))
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
		s.Line("%s *const %s = %s + %s;", p.inShared("unsigned"), columns, p.sharedAt("unsigned", p.masksAt), s.use(p.thread()))
		for n, m := range p.masks {
			if len(m.margins) > 0 {
				p.beginMargins(s, m.margins, fmt.Sprintf("%s[%d]", columns, n*p.Threads()))
				continue
			}
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

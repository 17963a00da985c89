package kerneltext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
)

// This file prints steady turns: those that are not full, but in which all that is tested is the same in each beat, and in which no row is loaded or stored
// where it is needed. Most turns of a chain at a side of the grid are such. Their code is straight, as that of full turns is; what they test is known
// when the chain begins, and columns beside the domain are set without asking whether a lane of the warp has some.
//
// Where rows are stored for good, in the last time steps, steady turns are final. There are few of them, but nothing runs beside them: they are a loop over as little code as can be.

// A turnKind says what a turn tests.
type turnKind int

const (
	guardedTurn turnKind = iota // all, in each beat
	steadyTurn                  // what is the same in all beats
	finalTurn                   // the same, and rows are stored
	fullTurn                    // nothing
)

// arguments returns those of the template for a kind of turn.
func (k turnKind) arguments() string {
	return fmt.Sprintf("%t, %t, %t", k == fullTurn, k.steady(), k == finalTurn)
}

// steady reports whether turns of a kind are steady.
func (k turnKind) steady() bool { return k == steadyTurn || k == finalTurn }

// steady names the parameter of the template that says that a turn is.
func (p *streamer) steady() string { return p.spelled.own("steady") }

// final names the one that says that rows are stored in it for good.
func (p *streamer) final() string { return p.spelled.own("final") }

// copied names the bits of a lane that say which parts of cursors have an element to copy, in steady turns.
func (p *streamer) copied() string { return p.spelled.own("copied") }

// finals reports whether steady turns of the stage may be final: where columns beside the domain are brought ahead, so that it is known where there is nothing to load.
func (p *stage) finals() bool {
	return p.steadies && slices.ContainsFunc(p.Beats[0], func(op gpu.WarpOp) bool {
		patch, ok := op.(gpu.Patch)
		return ok && stores(patch)
	})
}

// stored reports whether a patch stores rows in final turns of the stage.
func (p *stage) stored(op gpu.Patch) bool { return p.steadies && stores(op) }

// stores reports whether a patch may store something where it has nothing to load.
func stores(op gpu.Patch) bool { return op.Beside != nil && (op.Final == nil || len(op.Final) > 0) }

// maySteady reports whether turns of the stage may be steady: where they have nothing to load is known of each beat.
func (p *stage) maySteady() bool {
	if p.spelled.Dialect.Lanes.Together || p.Full == nil || len(p.copiedParts()) > gpu.WarpLanes {
		return false
	}
	b := &beat{scope: p.scope(), st: p, passed: map[string]string{}}
	for _, ops := range p.Beats {
		for _, op := range ops {
			if patch, ok := op.(gpu.Patch); ok && b.loads(patch) == "" {
				return false
			}
		}
	}
	return true
}

// works returns the condition that a patch may have something to load or to store; "": it is not known.
func (b *beat) works(op gpu.Patch) string { return b.unless(idle(op)) }

// loads returns the condition that a patch may have something to load, or, where columns beside the domain are not brought ahead, to store; "": it is not known.
func (b *beat) loads(op gpu.Patch) string {
	c := idle(op)
	if stores(op) {
		c = slices.Concat(c, op.Beside.Where)
	}
	return b.unless(c)
}

// unless returns that no alternative of a condition holds; "": it is not known.
func (b *beat) unless(c astgen.Cond) string {
	if len(c) == 0 {
		return ""
	}
	text, ok := b.none(c)
	if !ok {
		return ""
	}
	return text
}

// A copiedPart is a part of a cursor.
type copiedPart struct {
	of   *gpu.Cursor
	part int
}

// copiedParts returns the parts of all cursors of the stage, by their bits in copied.
func (p *stage) copiedParts() (all []copiedPart) {
	for _, c := range p.cursors() {
		for part := range parts(c) {
			all = append(all, copiedPart{c, part})
		}
	}
	return all
}

// copiedBit returns whether a lane copies its element of a part of c in a steady turn.
func (b *beat) copiedBit(c *gpu.Cursor, part int) string {
	for bit, x := range b.st.copiedParts() {
		if x == (copiedPart{c, part}) {
			return fmt.Sprintf("%s >> %d & 1", b.use(b.copied()), bit)
		}
	}
	panic("kerneltext: a cursor is of no stage")
}

// steadyBytes returns the room for what a warp of the stage, and then what each thread, knows of steady turns.
func (p *stage) steadyBytes() (warp, thread int) {
	if !p.steadies {
		return 0, 0
	}
	return (p.steadyPairs()*p.spelled.Index.Size() + 4*p.whenWords() + 7) &^ 7, 4 * (1 + p.steadyWords())
}

// steadyPairs returns how many numbers a warp keeps of its steady turns: the first and the last beat and, where they may be, whether they are final.
func (p *stage) steadyPairs() int {
	if p.finals() {
		return 3
	}
	return 2
}

// steadyPair returns where these numbers are, and steadyWord where a word of bits is of what holds in steady turns.
func (p *stage) steadyPair(s *scope) string {
	per, _ := p.steadyBytes()
	return fmt.Sprintf("(%s *)(hexcc_shared + %d + %d * %s)", p.inShared(p.spelled.Index.String()), p.steadyAt, per, p.warpHere(s))
}

func (p *stage) steadyWord(s *scope, word int) string {
	per, _ := p.steadyBytes()
	return fmt.Sprintf("*(%s *)(hexcc_shared + %d + %d * %s)", p.inShared("unsigned"), p.steadyAt+p.steadyPairs()*p.spelled.Index.Size()+4*word, per, p.warpHere(s))
}

func (p *stage) steadyCopied(s *scope) string {
	return fmt.Sprintf("(%s)[%s]", p.sharedAt("unsigned", p.copiedAt), s.use(p.thread()))
}

// beginSteady prints what finds the beats around the middle of the chain in which nothing changes that the warp tests, and what holds there.
func (p *stage) beginSteady(s *scope) {
	if !p.steadies {
		return
	}
	index, lane := p.spelled.Index, s.use(p.lane())
	within, middle, pair := p.spelled.own("same"), p.spelled.own("middle"), p.spelled.own("pair")
	s.Line("// in which beats around the middle nothing changes that is tested, and what holds there")
	s.Braces("", func() {
		s.Line("const %v %s = %s + (%s - %s) / 2;", index, middle, s.use(p.Vars.Beat), p.hi(s), p.Vars.Beat)
		s.Line("%v %s[2] = {%s, %s + %d};", index, within, p.Vars.Beat, p.hi(s), p.Turn-1)
		s.Line("%s;", p.spelled.Dialect.Lanes.Meet)
		p.beginHolds(s, fmt.Sprintf("hexcc_around(%s, %s, %s)", pair, middle, within))
		s.Line("hexcc_together(%s);", within)
		s.Line("%s;", p.spelled.Dialect.Lanes.Meet)
		loads, works := p.patching(s, (*beat).loads), ""
		if p.finals() {
			works = p.patching(s, (*beat).works)
		}
		for word := range p.whenWords() {
			if delete(s.Uses, p.when(word)); strings.Contains(loads+works, p.when(word)) {
				s.Line("const unsigned %s = %s;", p.when(word), p.steadyWord(s, word))
			}
		}
		last := fmt.Sprintf("%s[1] - %d", within, p.Turn-1)
		if loads != "" {
			last = fmt.Sprintf("%s ? %s[0] - 1 : %s", loads, within, last)
		}
		s.Braces(fmt.Sprintf("if (%s == 0)", lane), func() {
			s.Line("%v *const %s = %s;", index, pair, p.steadyPair(s))
			s.Line("%s[0] = %s[0];", pair, within)
			s.Line("%s[1] = %s; // where a turn may begin", pair, last)
			if works != "" {
				s.Line("%s[2] = %s; // rows are stored", pair, works)
			}
		})
	})
}

// beginHolds prints what notes which conditions hold: around says it of a pair of beats, and keeps to where it is so.
func (p *stage) beginHolds(s *scope, around string) {
	index, lane, pair, i, holds := p.spelled.Index, s.use(p.lane()), p.spelled.own("pair"), p.spelled.own("i"), p.spelled.own("holds")
	for word := range p.whenWords() {
		s.Braces("", func() {
			s.Line("bool %s = false;", holds)
			p.ofLane(s, word, func() { s.Line("%s = %s;", holds, around) })
			s.Line("const unsigned %s = %s;", p.when(word), p.ballot(holds))
			s.Line("if (%s == 0)", lane)
			s.Line("  %s = %s;", p.steadyWord(s, word), p.when(word))
		})
	}
	s.Line("unsigned %s = 0;", p.copied())
	for bit, x := range p.copiedParts() {
		s.Braces(fmt.Sprintf("for (int %s = 0; %s < %d; %s++)", i, i, p.alternatives(x.of), i), func() {
			s.Line("const %v *const %s = %s + 2 * %s;", index, pair, p.lanePairs(s, x.of, x.part), i)
			s.Line("if (%s)", around)
			s.Line("  %s |= %#xu;", p.copied(), 1<<bit)
		})
	}
	s.Line("%s = %s;", p.steadyCopied(s), p.copied())
	if p.sharesCopies() {
		p.beginShares(s, around)
	}
}

// patching returns the condition that some patch may have something to do, as does says it of one; "" if there is none.
func (p *stage) patching(s *scope, does func(b *beat, op gpu.Patch) string) string {
	b := &beat{scope: s, st: p, passed: map[string]string{}}
	var all []string
	for _, op := range p.Beats[0] {
		if patch, ok := op.(gpu.Patch); ok {
			if text := does(b, patch); !slices.Contains(all, text) {
				all = append(all, text)
			}
		}
	}
	for k, x := range all {
		if strings.Contains(x, "&&") && len(all) > 1 {
			all[k] = "(" + x + ")"
		}
	}
	return strings.Join(all, " || ")
}

// steadyTurn prints a steady turn of a kind: what it knows, as far as it is asked for, and its beats, by code of so many.
func (p *stage) steadyTurn(s *scope, copies rowCopier, beats []beatCall, kind turnKind, code int) {
	in := p.scope()
	in.Depth, in.Uses = s.Depth, s.Uses
	p.turnMargins(in, kind)
	if copies != nil {
		copies.steady(in, p)
	}
	p.loop(in, copies, kind, beats, code)
	text := in.Buf.String()
	for word := range p.whenWords() {
		if strings.Contains(text, p.when(word)) {
			s.Line("const unsigned %s = %s;", p.when(word), p.steadyWord(s, word))
		}
	}
	if strings.Contains(text, p.copied()) {
		s.Line("const unsigned %s = %s;", p.copied(), p.steadyCopied(s))
	}
	s.Raw(text)
}

// unlessSteady returns a condition that does not matter in steady turns.
func (b *beat) unlessSteady(cond string) string {
	if !b.st.steadies {
		return cond
	}
	return fmt.Sprintf("(%s || %s)", b.use(b.steady()), cond)
}

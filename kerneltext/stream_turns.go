package kerneltext

import (
	"fmt"
	"maps"
)

// This file prints the loops over the turns of a chain. Turns of a kind are a loop of their own, so that what one of them needs stays in registers whatever others need.

// chain prints the turns of a chain in the warps of a stage, and if they may run no step in it, those of such warps. Full turns are the innermost loop, so that compilers
// keep registers as those ask for.
func (p *stage) chain(s *scope, turn, rest *function) {
	v, index := p.Vars, p.spelled.Index
	s.Line("hexcc_meet(); // it is noted which turns are full")
	turns := fmt.Sprintf("for (int %s = 0; %s <= %s;)", p.left(), v.Beat, p.hi(s))
	if rest != nil {
		inactive := p.inactive(s)
		s.Line("if (%s) // of the whole warp", inactive)
		s.Depth++
		s.Braces(turns, func() {
			p.looking(s, func() { p.turnBy(s, s.called(rest, map[string]string{p.spelled.own("start"): v.Beat})) })
		})
		s.Depth--
	}
	call := s.called(turn, map[string]string{v.Beat: v.Beat})
	of := func(k turnKind) string { return p.instance(call, turn, k) }
	s.Line("#pragma unroll 1")
	s.Braces(turns, func() {
		switch {
		case p.Full == nil:
			p.looking(s, func() { p.turnBy(s, of(fullTurn)) })
		case len(p.Full) == 0:
			p.looking(s, func() { p.turnBy(s, of(guardedTurn)) })
		default:
			pair := p.spelled.own("pair")
			s.Line("%s *const %s = %s;", p.inShared("const "+index.String()), pair, p.sharedAt("const "+index.String(), p.layout.full))
			s.Line("if (%s[0] <= %s && %s <= %s[1]) {", pair, v.Beat, v.Beat, pair)
			s.Depth++
			s.Line("#pragma unroll 1")
			s.Line("do {")
			s.Depth++
			p.looking(s, func() { p.turns(s, of(fullTurn), fmt.Sprintf("%s <= %s[1]", v.Beat, pair)) })
			s.Depth--
			s.Line("} while (%s <= %s[1]);", v.Beat, pair)
			s.Depth--
			s.Line("} else {")
			s.Depth++
			p.looking(s, func() {
				if !p.steadies {
					p.turnBy(s, of(guardedTurn))
					return
				}
				same := p.spelled.own("same")
				s.Line("const %v *const %s = %s;", index, same, p.steadyPair(s))
				s.Line("if (%s[0] <= %s && %s <= %s[1]) {", same, v.Beat, v.Beat, same)
				s.Depth++
				more := fmt.Sprintf("%s <= %s[1]", v.Beat, same)
				if p.finals() {
					s.Line("if (%s[2] != 0) {", same)
					s.Depth++
					p.turns(s, of(finalTurn), more)
					s.Depth--
					s.Line("} else {")
					s.Depth++
				}
				p.turns(s, of(steadyTurn), more)
				if p.finals() {
					s.Depth--
					s.Line("}")
				}
				s.Depth--
				s.Line("} else {")
				s.Depth++
				p.turnBy(s, of(guardedTurn))
				s.Depth--
				s.Line("}")
			})
			s.Depth--
			s.Line("}")
		}
	})
}

// looking prints turns, and what comes before and behind: looks at other chains, and word of this one, by warp 0.
func (p *stage) looking(s *scope, turns func()) {
	v, left := p.Vars, p.left()
	s.Braces(fmt.Sprintf("if (%s == 0)", left), func() {
		if p.First == 0 {
			s.Line("hexcc_look_out(%s, %s, false);", p.spelled.Orders.Name, v.Beat)
		}
		s.Line("hexcc_meet();")
		s.Line("%s = %d; // turns", left, p.Every/p.Turn)
	})
	turns()
	if p.First == 0 {
		s.Line("if (%s == 0)", left)
		s.Line("  hexcc_report(HEXCC_PLACE(%s - 1));", v.Beat)
	}
}

// left names how many turns are left until the block looks at others.
func (p *streamer) left() string { return p.spelled.own("left") }

// inactive prints whether the warp runs no step in the chain, and returns the name of that.
func (p *stage) inactive(s *scope) string {
	name := p.spelled.own("inactive")
	s.Line("bool %s;", name)
	in := p.scope()
	in.Depth = 2
	in.Line("%s = %s;", name, in.Cond(p.Inactive))
	s.Braces("", func() {
		in.about(s)
		s.Raw(in.Buf.String())
	})
	maps.Copy(s.Uses, in.Uses)
	return name
}

// turnBy prints a turn by a call.
func (p *stage) turnBy(s *scope, call string) {
	s.Line("%s;", call)
	s.Line("--%s;", p.left())
	s.Line("%s += %d;", p.Vars.Beat, p.Turn)
}

// turns prints turns by a call, one at least, until the block looks at others, and as long as a condition holds.
func (p *stage) turns(s *scope, call, more string) {
	s.Line("#pragma unroll 1")
	s.Line("do {")
	s.Depth++
	s.Line("%s;", call)
	s.Line("%s += %d;", p.Vars.Beat, p.Turn)
	s.Depth--
	s.Line("} while (--%s > 0 && %s);", p.left(), more)
}

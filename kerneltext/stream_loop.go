package kerneltext

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
)

// This file prints turns as loops over fewer beats than they have. Where rows have not come back to their registers at the end of the loop's body they move there:
//
//	turn of 3 beats: beat(A, B, C); beat(B, C, A); beat(C, A, B)       loop: beat(A, B, C); A, B, C = B, C, A
//
// Code of a beat is there once then, for a move of each row that another one takes the place of.

// loop prints a turn as a loop over so many beats, or straight, if that is all of them.
func (p *stage) loop(s *scope, copies rowCopier, kind turnKind, beats []beatCall, n int) {
	if n == p.Turn {
		for r, b := range beats {
			p.call(s, copies, kind, []beatCall{b}, r, 0, "")
		}
		return
	}
	next, ok := p.Next(p.Stage)
	if !ok || !p.alikeAfter(beats, n) {
		panic(fmt.Sprintf("kerneltext: beats of %s differ in more than rows and slots", p.warps()))
	}
	i := p.spelled.own("i")
	s.Line("#pragma unroll 1")
	s.Braces(fmt.Sprintf("for (int %s = 0; %s < %d; %s += %d)", i, i, p.Turn, i, n), func() {
		for r := range n {
			var same []beatCall
			for k := r; k < p.Turn; k += n {
				same = append(same, beats[k])
			}
			p.call(s, copies, kind, same, r, n, i)
		}
		for _, cycle := range gpu.Cycles(next, n) {
			p.move(s, cycle)
		}
	})
}

// move prints that rows of a cycle move.
func (p *stage) move(s *scope, cycle []int) {
	was, at := p.spelled.own("was"), func(row int) string { return p.held(p.rowMember(row)) }
	last := len(cycle) - 1
	s.Braces("", func() {
		s.Line("%s %s[%d];", p.elem(cycle[0]), was, p.size(cycle[0]))
		s.Line("hexcc_move(%s, %s);", was, at(cycle[0]))
		for k := range last {
			s.Line("hexcc_move(%s, %s);", at(cycle[k]), at(cycle[k+1]))
		}
		s.Line("hexcc_move(%s, %s);", at(cycle[last]), was)
	})
}

// slotAmong returns the argument of those that is the one for i, which is 0, by, 2*by, .. below the beats of a turn: a sum if there are two, so that what lies in slots is
// the same distance apart each time.
func (p *streamer) slotAmong(i string, by int, all []string) string {
	var slots []int
	for _, x := range all {
		if n, err := strconv.Atoi(x); err == nil {
			slots = append(slots, n)
		}
	}
	if len(slots) < len(all) || len(all) < 2 {
		return among(i, by, all)
	}
	first := slots[0]
	switch apart := slots[1] - first; {
	case len(all) == 2 && apart == by:
		return i + ctext.Plus(int64(first))
	case len(all) == 2 && apart == -by:
		return fmt.Sprintf("%d - %s", first, i)
	case len(all) == 2:
		return among(i, by, all)
	}
	for k, slot := range slots {
		if slot != (first+k*by)%p.Slots {
			return among(i, by, all)
		}
	}
	if first == 0 && p.Turn <= p.Slots {
		return i
	}
	return fmt.Sprintf("(%s%s) %% %d", i, ctext.Plus(int64(first)), p.Slots)
}

// among returns the argument of those that is the one for i, which is 0, by, 2*by, ..
func among(i string, by int, all []string) string {
	text, last := "", all[len(all)-1]
	for k, x := range all[:len(all)-1] {
		if x != last {
			text += fmt.Sprintf("%s == %d ? %s : ", i, k*by, x)
		}
	}
	return text + last
}

// alikeAfter reports whether the text of a turn is the same again after n beats, but for slots and the registers of rows.
func (p *stage) alikeAfter(beats []beatCall, n int) bool {
	for r := n; r < p.Turn; r++ {
		if beats[r].function != beats[r%n].function {
			return false
		}
	}
	return true
}

// repeatsAfter reports whether a turn begins again after n beats, but for slots.
func (p *stage) repeatsAfter(beats []beatCall, n int) bool {
	for r := n; r < p.Turn; r++ {
		x, y := beats[r], beats[r%n]
		if x.function != y.function {
			return false
		}
		for name, arg := range x.args {
			if arg != y.args[name] && strings.HasPrefix(arg, p.state()+p.dot()) {
				return false
			}
		}
	}
	return true
}
